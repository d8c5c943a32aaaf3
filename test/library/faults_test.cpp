// Inputs that users reported to break other libraries: here each is right, exactly, on every instance that takes it, or
// refused before a launch with the reason. Those too large to run are held to their sizes, offsets and grids.
#include <gtest/gtest.h>

#include "device_run.hpp"
#include "targets.hpp"
#include "use_device.hpp"

namespace zellige {
namespace {

constexpr DataType f16 = DataType::f16, bf16 = DataType::bf16, f32 = DataType::f32;

ConvAxis axis(std::int64_t size, std::int64_t filter, std::int64_t stride, std::int64_t pad) {
  return {.size = size, .filter = filter, .stride = stride, .pad_before = pad, .pad_after = pad};
}

ConvProblem conv(DataType type, std::int64_t n, std::int64_t c, std::int64_t k, ConvAxis height, ConvAxis width) {
  return {
      .input = type, .weight = type, .output = type, .n = n, .c = c, .k = k, .spatial = 2, .axis = {{height, width}}};
}

ConvProblem uneven_padding() {
  ConvProblem p = conv(bf16, 1, 3, 64, axis(224, 7, 2, 3), axis(224, 7, 2, 3));
  p.axis[0].pad_after = p.axis[1].pad_after = 2;
  return p;
}

struct Fault {
  const char* what;
  Problem problem;
};

const Fault faults[] = {
    {"a reduction shorter than one K tile", conv(f16, 16, 3, 64, axis(16, 1, 1, 0), axis(16, 1, 1, 0))},
    {"integers that gave NaN from an uninitialised tail", conv(bf16, 2, 5, 7, axis(6, 3, 1, 1), axis(6, 3, 1, 1))},
    {"padding that differs at the two ends", uneven_padding()},
    {"strides above the dilation", conv(f16, 2, 64, 128, axis(28, 3, 3, 1), axis(28, 3, 3, 1))},
    {"strides above the dilation, ragged", conv(f16, 1, 16, 32, axis(40, 5, 2, 2), axis(42, 5, 2, 2))},
    {"12 filters, no multiple of 8", conv(f16, 1, 16, 12, axis(9, 3, 1, 1), axis(9, 3, 1, 1))},
    {"20 filters, no multiple of 8", conv(bf16, 1, 16, 20, axis(9, 3, 1, 1), axis(9, 3, 1, 1))},
    {"filter 7 and stride 3", conv(bf16, 4, 32, 32, axis(14, 7, 3, 0), axis(14, 1, 1, 0))},
    {"filter 8 and stride 5", conv(f16, 2, 16, 16, axis(32, 8, 5, 0), axis(32, 1, 1, 0))},
    {"a stride larger than the image", conv(f16, 8, 64, 32, axis(2, 1, 2, 0), axis(2, 1, 2, 0))},
    {"2 channels", conv(bf16, 2, 2, 2, axis(5, 1, 1, 0), axis(5, 1, 1, 0))},
    {"4 channels", conv(f16, 2, 4, 4, axis(5, 1, 1, 0), axis(5, 1, 1, 0))},
    {"an image of one pixel", conv(f32, 3, 1, 3, axis(1, 3, 2, 2), axis(1, 2, 1, 1))},
    {"a product of depth 133", GemmProblem{.m = 128, .n = 128, .k = 133}},
    {"a product of depth 3", GemmProblem{.m = 128, .n = 1024, .k = 3}},
    {"a product of depth 1", GemmProblem{.m = 1024, .n = 128, .k = 1}},
};

Problem of_type(Problem problem, DataType type) {
  if (auto* gemm = std::get_if<GemmProblem>(&problem)) {
    gemm->input = gemm->output = type;
  } else {
    auto& p = std::get<ConvProblem>(problem);
    p.input = p.weight = p.output = type;
  }
  return problem;
}

class Faults : public testing::TestWithParam<Arch> {};

TEST_P(Faults, EveryInstanceThatTakesThemIsRight) {
  if (!use_device(GetParam())) GTEST_SKIP() << "no device of " << arch_traits(GetParam()).name;
  ASSERT_EQ(target_library(GetParam()).error, "");
  for (const Fault& fault : faults) {
    int took = 0;
    for (DataType type : {f16, bf16, f32}) {  // of a small table, not every type has an instance for every size
      const Problem problem = of_type(fault.problem, type);
      for (const Operation& operation : operations(GetParam())) {
        const Verdict v = operation.supports(problem);
        EXPECT_EQ(v.why.view().empty(), v.ok);
        if (!v.ok) continue;
        ++took;
        EXPECT_EQ(failure_of(operation, problem, reference::Fill::integers, 3), "")
            << fault.what << ": " << operation.name << " on " << describe(problem);
      }
    }
    EXPECT_GT(took, 0) << fault.what << ": no instance takes " << describe(fault.problem);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Faults, testing::ValuesIn(built_targets()),
                         [](const auto& info) { return std::string(arch_traits(info.param).name); });

/// Instances of one type that are not there to run: their plans are.
struct Planner {
  DataType type;
  Mnk atom;
  int vector, depth = 32;

  Planned plan(const ConvProblem& p, const PlanOptions& options = {}) const {
    static const int address = 0;
    const ConvConfig config{
        .input = type,
        .output = p.output,
        .tiling = {.block = {64, 64, depth}, .waves = {2, 2}, .atom = atom, .vector_a = vector, .vector_b = vector}};
    EXPECT_TRUE(check(config, Arch::gfx942).ok) << check(config, Arch::gfx942).why.view();
    return plan_conv({&address, Arch::gfx942, config}, p, options);
  }
};

constexpr Planner halves{f16, {32, 32, 8}, 8}, floats{f32, {32, 32, 2}, 4}, bytes{DataType::i8, {32, 32, 16}, 16, 64};

GemmArgs args_of(const Dispatch& d) {
  GemmArgs args;
  std::memcpy(&args, d.args.data(), sizeof args);
  return args;
}

/// Every dispatch stays under the limit, and the outputs follow each other without gap.
void expect_within_limits(const Plan& plan, const ConvProblem& p) {
  std::int64_t next = 0;
  for (const Dispatch& d : plan.dispatches) {
    const GemmArgs args = args_of(d);
    EXPECT_LE(args.bytes_a, out_of_range);
    EXPECT_LE(args.bytes_c, out_of_range);
    EXPECT_EQ(d.offset_c, next);
    EXPECT_LE(d.offset_a + args.bytes_a, input_bytes(p).value);
    EXPECT_LE(std::uint64_t{d.shape.workgroups} * d.shape.threads, 0xffffffffull);
    EXPECT_EQ(std::int64_t{args.m} * args.row_bytes_c, args.bytes_c);
    next += args.bytes_c;
  }
  EXPECT_EQ(next, output_bytes(p).value);
}

TEST(LargeFaults, ABatchOver4GiBIsFourChunks) {
  const ConvProblem p = conv(f32, 64, 96, 64, axis(512, 1, 1, 0), axis(512, 1, 1, 0));
  ASSERT_GT(input_bytes(p).value, 0xffffffffll);
  const Planned planned = floats.plan(p);
  ASSERT_TRUE(planned.verdict.ok) << planned.verdict.why.view();
  ASSERT_EQ(planned.plan.dispatches.size(), 4u);
  EXPECT_EQ(planned.plan.chunks, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const Dispatch& d = planned.plan.dispatches[i];
    EXPECT_EQ(args_of(d).m, 16u * 512 * 512);
    EXPECT_EQ(args_of(d).bytes_a, 1610612736u);
    EXPECT_EQ(args_of(d).bytes_c, 1073741824u);
    EXPECT_EQ(d.offset_a, static_cast<std::int64_t>(i) * 1610612736);
    EXPECT_EQ(d.offset_c, static_cast<std::int64_t>(i) * 1073741824);
    EXPECT_EQ(d.shape.workgroups, 16u * 512 * 512 / 64);
  }
  expect_within_limits(planned.plan, p);
}

TEST(LargeFaults, OffsetsPast32BitsThoughEveryExtentFits) {
  const ConvProblem p = conv(f16, 240, 1024, 1024, axis(162, 3, 1, 1), axis(92, 3, 1, 1));
  const Planned planned = halves.plan(p);
  ASSERT_TRUE(planned.verdict.ok) << planned.verdict.why.view();
  EXPECT_EQ(planned.plan.chunks, 4);
  expect_within_limits(planned.plan, p);
}

TEST(LargeFaults, WeightsWhoseElementCountWraps) {
  const Planned planned = halves.plan(conv(f16, 1, 65544, 65544, axis(1, 1, 1, 0), axis(1, 1, 1, 0)));
  EXPECT_EQ(planned.verdict.code, Reason::tensor_too_large);
  EXPECT_NE(planned.verdict.why.view().find("the weight has 8592031872 bytes"), std::string_view::npos)
      << planned.verdict.why.view();
}

TEST(LargeFaults, TheBoundaryItself) {
  // 2^31 elements of i8, and 2 GiB of f16, as one image of rows and as a batch.
  ConvProblem p = conv(DataType::i8, 1, 1 << 15, 64, axis(1 << 8, 1, 1, 0), axis(1 << 8, 1, 1, 0));
  p.output = DataType::i32;
  ASSERT_EQ(input_bytes(p).value, std::int64_t{1} << 31);
  Planned planned = bytes.plan(p);
  ASSERT_TRUE(planned.verdict.ok) << planned.verdict.why.view();
  EXPECT_EQ(planned.plan.chunks, 2);
  expect_within_limits(planned.plan, p);
  p = conv(f16, 1 << 14, 1 << 10, 64, axis(8, 1, 1, 0), axis(8, 1, 1, 0));
  ASSERT_EQ(input_bytes(p).value, std::int64_t{1} << 31);
  planned = halves.plan(p);
  ASSERT_TRUE(planned.verdict.ok) << planned.verdict.why.view();
  EXPECT_EQ(planned.plan.chunks, 2);
  expect_within_limits(planned.plan, p);
  --p.n;
  EXPECT_EQ(halves.plan(p).plan.chunks, 1);
}

TEST(LargeFaults, GridsPast32Bits) {
  // images * filters * threads passes 2^32; tiles * threads does not.
  const ConvProblem p = conv(f16, 40000, 3, 1024, axis(14, 14, 14, 0), axis(14, 14, 14, 0));
  Planner narrow = halves;
  narrow.vector = 2;  // 3 channels, folded by 14
  const Planned planned = narrow.plan(p);
  ASSERT_TRUE(planned.verdict.ok) << planned.verdict.why.view();
  EXPECT_EQ(planned.plan.fold, 14);
  ASSERT_EQ(planned.plan.dispatches.size(), 1u);
  EXPECT_EQ(planned.plan.dispatches[0].shape.workgroups, 625u * 16);
  expect_within_limits(planned.plan, p);
}

TEST(LargeFaults, lesson05_every_caller_sees_the_image_that_is_too_large) {
  // One output row and its input rows pass the limit: refused by supports(), plan() and so by whoever asks them.
  const ConvProblem p = conv(f16, 3, 8, 8, axis(100, 3, 1, 1), axis(1000, 3, 1, 1));
  const PlanOptions options{.limit_bytes = 3 * 16000 - 1};
  const Planned planned = halves.plan(p, options);
  EXPECT_EQ(planned.verdict.code, Reason::tensor_too_large);
  EXPECT_TRUE(planned.plan.dispatches.empty());
  EXPECT_EQ(planned.plan.run(nullptr, {}).code, Reason::no_kernel_code);
  EXPECT_EQ(halves.plan(p, {.limit_bytes = 3 * 16000}).plan.chunks, 300);
}

}  // namespace
}  // namespace zellige
