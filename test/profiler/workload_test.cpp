// Tensors and verification: what is right passes, what is wrong or was never written does not.
#include "workload.hpp"

#include <gtest/gtest.h>

#include "zellige/select.hpp"

namespace zellige::profiler {
namespace {

using reference::Fill;

class Workloads : public testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    if (hipGetDeviceCount(&count) != hipSuccess || count == 0) GTEST_SKIP() << "no device";
    arch_ = device_of(0).arch;
    if (operations(arch_).empty()) GTEST_SKIP() << target_library(arch_).error;
  }

  static Problem gemm() {
    return {.op = Operator::gemm,
            .shape = GemmProblem{.m = 65, .n = 40, .k = 24, .input = DataType::f16, .output = DataType::f16}};
  }

  /// Runs the library's own choice into the workload's output.
  void solve(const Problem& problem, const Workload& workload) const {
    const Planned planned = select(problem.shape, arch_);
    ASSERT_TRUE(planned.verdict.ok) << planned.verdict.why.view();
    ASSERT_TRUE(planned.plan.run(nullptr, workload.tensors()).ok);
    require_success(hipDeviceSynchronize(), "hipDeviceSynchronize");
  }

  Arch arch_ = Arch::none;
};

TEST_F(Workloads, ARightResultPasses) {
  for (Fill fill : {Fill::integers, Fill::reals}) {
    Workload workload(gemm(), 1, fill, true, 4096);
    workload.poison_output();
    solve(gemm(), workload);
    const CheckedResult checked = workload.check();
    EXPECT_TRUE(checked.right) << checked.text;
    EXPECT_TRUE(workload.output_guards_intact());
    if (fill == Fill::integers) {
      EXPECT_EQ(checked.max_abs_error, 0);
    }
  }
}

TEST_F(Workloads, WhatWasNeverWrittenIsWrong) {
  Workload workload(gemm(), 1, Fill::integers, true, 0);
  workload.poison_output();
  const CheckedResult checked = workload.check();
  EXPECT_FALSE(checked.right);
  EXPECT_NE(checked.text.find("2600 of 2600 elements are wrong (2600 never written"), std::string::npos)
      << checked.text;
}

TEST_F(Workloads, OneWrongBitIsWrong) {
  for (Fill fill : {Fill::integers, Fill::reals}) {
    Workload workload(gemm(), 1, fill, true, 0);
    workload.poison_output();
    solve(gemm(), workload);
    std::uint16_t element = 0;
    std::byte* last = static_cast<std::byte*>(workload.tensors().c) + (65 * 40 - 1) * 2;
    require_success(hipMemcpy(&element, last, 2, hipMemcpyDeviceToHost), "hipMemcpy");
    element ^= 0x0400;  // the exponent's last bit: half or twice the value
    require_success(hipMemcpy(last, &element, 2, hipMemcpyHostToDevice), "hipMemcpy");
    const CheckedResult checked = workload.check();
    EXPECT_FALSE(checked.right);
    EXPECT_NE(checked.text.find("1 of 2600 elements are wrong"), std::string::npos) << checked.text;
  }
}

TEST_F(Workloads, AStrayWriteChangesAGuardZone) {
  Workload workload(gemm(), 1, Fill::integers, true, 4096);
  EXPECT_TRUE(workload.output_guards_intact());
  require_success(hipMemset(static_cast<std::byte*>(workload.tensors().c) + 65 * 40 * 2, 0, 1), "hipMemset");
  EXPECT_FALSE(workload.output_guards_intact());
}

TEST_F(Workloads, SeedsGiveDifferentOperandsAndTheSameOnesAgain) {
  const auto operand = [](std::uint64_t seed) {
    const Workload workload(gemm(), seed, Fill::integers, false, 0);
    std::vector<std::uint16_t> values(65 * 24);
    require_success(hipMemcpy(values.data(), workload.tensors().a, values.size() * 2, hipMemcpyDeviceToHost),
                    "hipMemcpy");
    return values;
  };
  EXPECT_EQ(operand(3), operand(3));
  EXPECT_NE(operand(3), operand(4));
}

TEST(WorkloadLimits, EveryTypeCanBeHeld) {
  for (DataType type : all_data_types) {
    if (type == DataType::i32) continue;
    const Problem small{.op = Operator::gemm,
                        .shape = GemmProblem{.m = 8, .n = 8, .k = 8, .input = type, .output = output_of(type)}};
    EXPECT_TRUE(Workload::can_hold(small, true).ok) << zellige::name_of(type);
  }
}

TEST(WorkloadLimits, WhatDoesNotFitIsRefusedWithNumbers) {
  const Problem huge{.op = Operator::gemm, .shape = GemmProblem{.m = 1 << 30, .n = 1 << 30, .k = 8}};
  const Verdict verdict = Workload::can_hold(huge, true);
  EXPECT_FALSE(verdict.ok);
  EXPECT_EQ(verdict.code, Reason::tensor_too_large);
  EXPECT_NE(verdict.why.view().find("MB of host memory"), std::string_view::npos) << verdict.why.view();
}

}  // namespace
}  // namespace zellige::profiler
