// Plans: what run() refuses, and that a plan runs, twice, from const, with the same bits.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "zellige/host/gemm.hpp"

namespace zellige {
namespace {

constexpr Arch arch = Arch::ZELLIGE_TEST_ARCH;
constexpr Mnk atom = arch_traits(arch).matrix == MatrixPath::mfma           ? Mnk{32, 32, 8}
                     : arch_traits(arch).matrix == MatrixPath::wmma_gfx1250 ? Mnk{16, 16, 32}
                     : arch_traits(arch).matrix == MatrixPath::mma_sync     ? Mnk{16, 8, 16}
                                                                            : Mnk{16, 16, 16};
constexpr GemmConfig config{.tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = atom}};

class PlanTest : public testing::Test {
 protected:
  static constexpr int m = 40, n = 24, k = 16;

  void SetUp() override {
    require_success(hipMalloc(&a, m * k * 2 + 64), "hipMalloc");
    require_success(hipMalloc(&b, n * k * 2 + 64), "hipMalloc");
    require_success(hipMalloc(&c, m * n * 2 + 64), "hipMalloc");
    const std::vector<f16> ones(static_cast<std::size_t>(m * k), from_float<f16>(1.0f));
    require_success(hipMemcpy(a, ones.data(), m * k * 2, hipMemcpyHostToDevice), "hipMemcpy");
    require_success(hipMemcpy(b, ones.data(), n * k * 2, hipMemcpyHostToDevice), "hipMemcpy");
    require_success(hipMemset(c, 0xff, m * n * 2), "hipMemset");
    planned = plan_gemm(gemm_kernel<arch, config>(), {.m = m, .n = n, .k = k});
    ASSERT_TRUE(planned.verdict.ok) << planned.verdict.why.view();
  }
  void TearDown() override {
    for (void* pointer : {a, b, c}) static_cast<void>(hipFree(pointer));
  }

  static void expect_result(const void* output) {
    std::vector<f16> result(static_cast<std::size_t>(m * n));
    require_success(hipMemcpy(result.data(), output, m * n * 2, hipMemcpyDeviceToHost), "hipMemcpy");
    for (const f16 value : result) ASSERT_EQ(to_float(value), static_cast<float>(k));
  }

  void expect_refused(const Tensors& tensors, Reason code, std::string_view words) const {
    const Verdict v = planned.plan.run(nullptr, tensors);
    EXPECT_EQ(v.code, code) << v.why.view();
    EXPECT_NE(v.why.view().find(words), std::string_view::npos) << v.why.view();
  }

  void *a = nullptr, *b = nullptr, *c = nullptr;
  Planned planned;
};

TEST_F(PlanTest, RunsAndRunsAgain) {
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(planned.plan.run(nullptr, {a, b, c}).ok);
    expect_result(c);
  }
}

TEST_F(PlanTest, RunsFromSeveralHostThreads) {
  void* outputs[] = {c, nullptr, nullptr};
  std::vector<std::thread> threads;
  for (void*& output : outputs) {
    if (output == nullptr) require_success(hipMalloc(&output, m * n * 2), "hipMalloc");
    threads.emplace_back([&, output] {
      hipStream_t stream = nullptr;
      require_success(hipStreamCreate(&stream), "hipStreamCreate");
      for (int round = 0; round < 10; ++round) EXPECT_TRUE(planned.plan.run(stream, {a, b, output}).ok);
      require_success(hipStreamSynchronize(stream), "hipStreamSynchronize");
      require_success(hipStreamDestroy(stream), "hipStreamDestroy");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (void* output : outputs) {
    expect_result(output);
    if (output != c) require_success(hipFree(output), "hipFree");
  }
}

TEST_F(PlanTest, IsCapturedIntoAGraphAndReplayed) {
  hipStream_t stream = nullptr;
  hipGraph_t graph = nullptr;
  hipGraphExec_t executable = nullptr;
  require_success(hipStreamCreate(&stream), "hipStreamCreate");
  require_success(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), "hipStreamBeginCapture");
  EXPECT_TRUE(planned.plan.run(stream, {a, b, c}).ok);
  require_success(hipStreamEndCapture(stream, &graph), "hipStreamEndCapture");
  require_success(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), "hipGraphInstantiate");
  for (int round = 0; round < 2; ++round) {
    require_success(hipMemset(c, 0xff, m * n * 2), "hipMemset");
    require_success(hipGraphLaunch(executable, stream), "hipGraphLaunch");
    require_success(hipStreamSynchronize(stream), "hipStreamSynchronize");
    expect_result(c);
  }
  require_success(hipGraphExecDestroy(executable), "hipGraphExecDestroy");
  require_success(hipGraphDestroy(graph), "hipGraphDestroy");
  require_success(hipStreamDestroy(stream), "hipStreamDestroy");
}

TEST_F(PlanTest, LeadingDimensionsBeyondOneRowDoNotMatter) {
  // One row: the distance to the next is never walked, though it passes 32 bits.
  planned = plan_gemm(gemm_kernel<arch, config>(), {.m = 1, .n = n, .k = k, .ld_a = 1ll << 40, .ld_c = 1ll << 40});
  ASSERT_TRUE(planned.verdict.ok) << planned.verdict.why.view();
  ASSERT_TRUE(planned.plan.run(nullptr, {a, b, c}).ok);
  std::vector<f16> result(static_cast<std::size_t>(n + 1));
  require_success(hipMemcpy(result.data(), c, (n + 1) * 2, hipMemcpyDeviceToHost), "hipMemcpy");
  for (int i = 0; i < n; ++i) EXPECT_EQ(to_float(result[static_cast<std::size_t>(i)]), static_cast<float>(k));
  const float after = to_float(result.back());
  EXPECT_TRUE(after != after) << after;  // still the NaN of SetUp
}

TEST_F(PlanTest, RefusesAnEmptyPlan) {
  planned = plan_gemm(gemm_kernel<arch, config>(), {.m = 0, .n = n, .k = k});
  EXPECT_FALSE(planned.verdict.ok);
  expect_refused({a, b, c}, Reason::no_kernel_code, "the plan is empty");
}

TEST_F(PlanTest, RefusesNullPointers) {
  expect_refused({nullptr, b, c}, Reason::null_pointer, "tensor a");
  expect_refused({a, nullptr, c}, Reason::null_pointer, "tensor b");
  expect_refused({a, b, nullptr}, Reason::null_pointer, "tensor c");
}

TEST_F(PlanTest, RefusesTensorsThatTheEpilogueLacks) {
  expect_refused({.a = a, .b = b, .c = c, .bias = a}, Reason::surplus_pointer, "tensor bias");
  expect_refused({.a = a, .b = b, .c = c, .scale = a}, Reason::surplus_pointer, "tensor scale");
  expect_refused({.a = a, .b = b, .c = c, .residual = a}, Reason::surplus_pointer, "tensor residual");
}

TEST_F(PlanTest, RefusesMisalignedPointers) {
  expect_refused({static_cast<char*>(a) + 2, b, c}, Reason::misaligned_pointer, "aligned to 16 bytes, but is 2 past");
  expect_refused({a, b, static_cast<char*>(c) + 1}, Reason::misaligned_pointer, "tensor c");
}

TEST_F(PlanTest, RefusesADeviceOfAnotherTarget) {
  planned.plan.arch = arch == Arch::gfx90a ? Arch::gfx942 : Arch::gfx90a;
  expect_refused({a, b, c}, Reason::wrong_device, "but the current device is");
}

TEST_F(PlanTest, RefusesAShortWorkspace) {
  planned.plan.workspace_bytes = 100;
  expect_refused({a, b, c}, Reason::null_pointer, "100 bytes of workspace");
  const Verdict v = planned.plan.run(nullptr, {a, b, c}, c, 99);
  EXPECT_EQ(v.code, Reason::workspace_too_small);
}

TEST_F(PlanTest, AFailingLaunchIsReportedOnce) {
  LaunchShape& shape = planned.plan.dispatches[0].shape;
  const LaunchShape right = shape;
  shape.threads = 4096;  // more than any workgroup has
  try {
    static_cast<void>(planned.plan.run(nullptr, {a, b, c}));
    FAIL() << "a workgroup of 4096 threads was launched";
  } catch (const RuntimeError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("hipLaunchKernel failed: ")) << text;
    EXPECT_TRUE(text.ends_with(", " + planned.plan.instance)) << text;
  }
  EXPECT_EQ(hipGetLastError(), hipSuccess);
  shape = right;
  ASSERT_TRUE(planned.plan.run(nullptr, {a, b, c}).ok);
  expect_result(c);
}

TEST_F(PlanTest, lesson16_packs_once) {
  ASSERT_EQ(planned.plan.dispatches.size(), 1u);
  const Dispatch& dispatch = planned.plan.dispatches[0];
  EXPECT_EQ(dispatch.args.size(), sizeof(GemmArgs));
  EXPECT_EQ(dispatch.shape.workgroups, 1u);
  EXPECT_EQ(dispatch.shape.threads, 4u * arch_traits(arch).wave_size);
}

}  // namespace
}  // namespace zellige
