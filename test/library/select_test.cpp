// Operations and selection on lists without devices: refusals keep their codes, times follow sense.
#include "zellige/select.hpp"

#include <gtest/gtest.h>

#include "tables/tables.hpp"
#include "targets.hpp"

namespace zellige {
namespace {

/// Operations of the full tables with an address that nothing launches.
std::vector<Operation> table_operations(Arch arch) {
  static const int address = 0;
  std::vector<Operation> list;
  const auto gemm = library::gemm_configs(arch, library::Selection::full);
  const auto conv = library::conv_configs(arch, library::Selection::full);
  for (int i = 0; i < gemm.count; ++i) {
    list.push_back({name_of(arch, gemm.config[i]), Family::gemm, arch, GemmKernel{&address, arch, gemm.config[i]}});
  }
  for (int i = 0; i < conv.count; ++i) {
    list.push_back({name_of(arch, conv.config[i]), Family::conv_fwd, arch, ConvKernel{&address, arch, conv.config[i]}});
  }
  return list;
}

ConvProblem layer(std::int64_t n, std::int64_t c, std::int64_t size, std::int64_t k, std::int64_t filter) {
  ConvProblem p{.n = n, .c = c, .k = k};
  p.axis[0] = p.axis[1] = {.size = size, .filter = filter, .pad_before = filter / 2, .pad_after = filter / 2};
  return p;
}

const Operation& named(const std::vector<Operation>& list, const std::string& name) {
  for (const Operation& op : list) {
    if (op.name == name) return op;
  }
  throw std::runtime_error("no " + name);
}

TEST(Operations, RefusalsKeepTheirCodes) {
  const auto list = table_operations(Arch::gfx942);
  const Operation& conv = named(list, "conv_fwd_gfx942_f16_b128x128x32_w2x2_a32x32x8_vc8_run_shuffle");
  const ConvProblem good = layer(1, 64, 14, 64, 3);
  ASSERT_TRUE(conv.supports(good).ok) << conv.supports(good).why.view();
  const auto expect = [&](Reason reason, const Problem& problem, PlanOptions options = {}) {
    const Verdict v = conv.supports(problem, options), planned = conv.plan(problem, options).verdict;
    EXPECT_EQ(v.code, reason) << v.why.view();
    EXPECT_EQ(planned.code, reason) << planned.why.view();
    EXPECT_EQ(v.ok, reason == Reason::none);
    EXPECT_EQ(v.why.view().empty(), v.ok);
  };
  expect(Reason::none, good);
  ConvProblem p = good;
  p.input = p.weight = p.output = DataType::bf16;
  expect(Reason::type_mismatch, p);
  expect(Reason::channels_not_divisible, layer(1, 64, 14, 60, 3));
  expect(Reason::reduction_not_divisible, layer(1, 48, 14, 64, 3));
  p = good;
  p.direction = ConvDirection::backward_data;
  expect(Reason::direction_mismatch, p);
  expect(Reason::direction_mismatch, GemmProblem{.m = 64, .n = 64, .k = 64});
  p = good;
  p.spatial = 3;
  expect(Reason::spatial_rank, p);
  expect(Reason::split_k_unsupported, good, {.split_k = 4});
  expect(Reason::none, good, {.split_k = 1});
  expect(Reason::tensor_too_large, layer(1, 1 << 14, 32, 1 << 14, 3));
  expect(Reason::none, layer(1 << 16, 64, 32, 64, 3));
  expect(Reason::tensor_too_large, layer(1 << 16, 64, 32, 64, 3), {.limit_bytes = 1 << 17});
  p = good;
  p.n = 0;
  expect(Reason::bad_extent, p);
  p = good;
  p.groups = 3;
  expect(Reason::bad_groups, p);
  p = layer(1, 64, 1, 64, 3);
  p.axis[0].pad_before = p.axis[0].pad_after = 0;
  expect(Reason::output_empty, p);
  const Operation& gemm = named(list, "gemm_gfx942_f16_b128x128x32_w2x2_a32x32x8_vc8_shuffle");
  EXPECT_EQ(gemm.supports(good).code, Reason::direction_mismatch);
  EXPECT_EQ(gemm.supports(GemmProblem{.m = 8, .n = 8, .k = 8, .order_b = MatrixOrder::row}).code,
            Reason::layout_mismatch);
  EXPECT_EQ(gemm.supports(GemmProblem{.m = 8, .n = 8, .k = 9}).code, Reason::channels_not_divisible);
}

TEST(Operations, PlansSayWhatTheyWillDo) {
  const auto list = table_operations(Arch::gfx942);
  const Operation& conv = named(list, "conv_fwd_gfx942_f16_b128x128x32_w2x2_a32x32x8_vc8_run_shuffle");
  const Planned planned = conv.plan(layer(2, 64, 28, 256, 3));
  ASSERT_TRUE(planned.verdict.ok);
  const Plan& plan = planned.plan;
  EXPECT_EQ(plan.instance, conv.name);
  EXPECT_EQ(plan.arch, Arch::gfx942);
  ASSERT_EQ(plan.dispatches.size(), 1u);
  EXPECT_EQ(plan.dispatches[0].kernel, conv.entry());
  EXPECT_EQ(plan.dispatches[0].shape.workgroups, 13u * 2u);  // ceil(2 * 28 * 28 / 128) * 256 / 128
  EXPECT_EQ(plan.dispatches[0].shape.threads, 256u);
  EXPECT_EQ(plan.workspace_bytes, 0);
  EXPECT_EQ(plan.split_k, 1);
  EXPECT_TRUE(plan.deterministic);
  EXPECT_EQ(plan.align_a, 16);
}

TEST(Operations, WarpgroupsThatStoreDirectlyNeedTheAlignmentOfAnElement) {
  const auto list = table_operations(Arch::sm_90);
  const auto plan_of = [&](const char* name, std::int64_t n) {
    return named(list, name)
        .plan(GemmProblem{.m = 77,
                          .n = n,
                          .k = 64,
                          .input = DataType::bf16,
                          .output = DataType::bf16,
                          .order_b = MatrixOrder::column});
  };
  const char* const direct = "gemm_sm_90_bf16_b128x128x64_w8x1_a64x128x16_tensor_st6";
  const char* const copied = "gemm_sm_90_bf16_b128x128x64_w8x1_a64x128x16_tensor_vc8_shuffle_st6";
  EXPECT_EQ(plan_of(copied, 1001).verdict.code, Reason::channels_not_divisible);
  EXPECT_EQ(plan_of(copied, 1000).plan.align_c, 16);
  EXPECT_EQ(plan_of(copied, 1000).plan.align_vectors, 8);
  const Planned odd = plan_of(direct, 1001);
  ASSERT_TRUE(odd.verdict.ok) << odd.verdict.why.view();
  EXPECT_EQ(odd.plan.align_a, 16);
  EXPECT_EQ(odd.plan.align_c, 2);
  EXPECT_EQ(odd.plan.align_vectors, 4);
}

TEST(Select, RanksWhatAppliesBeforeWhatDoesNot) {
  const auto list = table_operations(Arch::gfx942);
  const Problem problem = layer(1, 64, 14, 64, 3);
  const Ranking ranking = rank(problem, list);
  EXPECT_TRUE(ranking.verdict.ok);
  std::size_t conv = 0;
  for (const Operation& op : list) conv += op.family == Family::conv_fwd ? 1 : 0;
  ASSERT_EQ(ranking.candidates.size(), conv);
  ASSERT_GT(ranking.applicable, 10u);
  ASSERT_LT(ranking.applicable, conv);
  for (std::size_t i = 0; i < conv; ++i) {
    const Candidate& c = ranking.candidates[i];
    EXPECT_EQ(c.verdict.ok, i < ranking.applicable);
    EXPECT_EQ(c.verdict.code, c.operation->supports(problem).code);
    if (!c.verdict.ok) continue;
    EXPECT_GT(c.estimate.time_us, 0) << c.operation->name;
    EXPECT_FALSE(c.estimate.bound.empty());
    if (i > 0) EXPECT_GE(c.estimate.time_us, ranking.candidates[i - 1].estimate.time_us);
  }
}

TEST(Select, LargeProblemsTakeLargeTilesAndSmallOnesSmall) {
  for (Arch arch : {Arch::gfx90a, Arch::gfx942, Arch::gfx950}) {
    const auto list = table_operations(arch);
    const auto area = [&](const Problem& problem) {
      const Mnk block = rank(problem, list).candidates.front().operation->tiling().block;
      return block.m * block.n;
    };
    EXPECT_GE(area(layer(32, 256, 56, 256, 3)), 128 * 128) << arch_traits(arch).name;
    EXPECT_LE(area(layer(1, 512, 7, 512, 3)), 64 * 64) << arch_traits(arch).name;
    EXPECT_GE(area(GemmProblem{.m = 8192, .n = 8192, .k = 8192}), 128 * 128) << arch_traits(arch).name;
    EXPECT_LE(area(GemmProblem{.m = 128, .n = 128, .k = 4096}), 64 * 64) << arch_traits(arch).name;
  }
}

TEST(Select, WarpgroupsSplitLongReductionsOfFewBlocks) {
  const auto list = table_operations(Arch::sm_90);
  const auto choice = [&](Problem problem) -> const Operation& {
    std::visit([](auto& p) { p.input = p.output = DataType::bf16; }, problem);
    if (auto* conv = std::get_if<ConvProblem>(&problem)) conv->weight = DataType::bf16;
    return *rank(problem, list).candidates.front().operation;
  };
  EXPECT_NE(choice(layer(1, 512, 7, 512, 3)).tiling().split_k, SplitK::none);  // 8 blocks of 72 steps
  EXPECT_NE(choice(layer(1, 1280, 8, 1280, 3)).tiling().split_k, SplitK::none);
  EXPECT_EQ(choice(layer(1, 64, 14, 384, 1)).tiling().split_k, SplitK::none);
  EXPECT_EQ(choice(layer(32, 512, 7, 512, 3)).tiling().split_k, SplitK::none);
  // What the copies do not take stays with mma.sync.
  EXPECT_EQ(choice(layer(32, 64, 56, 64, 1)).tiling().pipeline, Pipeline::tensor_copy);
  EXPECT_NE(choice(layer(32, 9, 56, 64, 1)).tiling().pipeline, Pipeline::tensor_copy);
  // Stems have a pipeline of their own.
  EXPECT_EQ(choice(layer(32, 3, 224, 64, 7)).tiling().pipeline, Pipeline::few_channels);
  EXPECT_EQ(choice(layer(1, 4, 64, 320, 3)).tiling().pipeline, Pipeline::few_channels);
}

TEST(Select, TimesStayAboveTheRoofline) {
  for (Arch arch : all_arches) {
    if (arch == Arch::sm_90) continue;
    const ArchTraits traits = arch_traits(arch);
    const auto list = table_operations(arch);
    for (const Problem& problem : {Problem(layer(32, 256, 56, 256, 3)), Problem(layer(1, 64, 56, 64, 1)),
                                   Problem(GemmProblem{.m = 4096, .n = 4096, .k = 4096})}) {
      const Ranking ranking = rank(problem, list);
      // gfx1250's peak is not public.
      const double floor_us = traits.f16_tflops > 0 ? flops(problem) / (traits.f16_tflops * 1e6) : 0;
      for (std::size_t i = 0; i < ranking.applicable; ++i) {
        const Estimate& e = ranking.candidates[i].estimate;
        EXPECT_GE(e.time_us, floor_us * 0.99) << ranking.candidates[i].operation->name;
        EXPECT_GE(e.time_us, e.memory_us);
        EXPECT_GT(e.use, 0);
        EXPECT_LE(e.use, 1);
        EXPECT_GE(e.workgroups_per_cu, 1);
      }
    }
  }
}

TEST(Select, ChoosesTheSameForTheSameInputs) {
  const auto list = table_operations(Arch::gfx942);
  const Problem problem = layer(4, 128, 28, 128, 3);
  const Ranking first = rank(problem, list), again = rank(problem, list),
                fewer = rank(problem, list, {.compute_units = 8});
  for (std::size_t i = 0; i < first.candidates.size(); ++i)
    EXPECT_EQ(first.candidates[i].operation, again.candidates[i].operation);
  EXPECT_GT(fewer.candidates.front().estimate.time_us, first.candidates.front().estimate.time_us);
}

TEST(Select, SaysWhyNothingApplies) {
  const auto list = table_operations(Arch::gfx942);
  ConvProblem p = layer(1, 64, 14, 64, 3);
  p.input = p.weight = p.output = DataType::i32;
  Ranking ranking = rank(p, list);
  EXPECT_EQ(ranking.applicable, 0u);
  EXPECT_EQ(ranking.verdict.code, Reason::type_mismatch);
  EXPECT_TRUE(ranking.verdict.why.view().starts_with("none of ")) << ranking.verdict.why.view();
  EXPECT_NE(ranking.verdict.why.view().find("because the instance computes"), std::string_view::npos)
      << ranking.verdict.why.view();
  ranking = rank(GemmProblem{.m = -1}, list);
  EXPECT_EQ(ranking.verdict.code, Reason::bad_extent);
  ranking = rank(layer(1, 64, 14, 64, 3), std::span<const Operation>{});
  EXPECT_EQ(ranking.verdict.code, Reason::no_kernel_code);
  ranking = rank(layer(1, 64, 14, 64, 3), missing_target());
  EXPECT_EQ(ranking.verdict.code, Reason::no_kernel_code);
  EXPECT_NE(ranking.verdict.why.view().find(std::string("libzellige_") + arch_traits(missing_target()).name + ".so"),
            std::string_view::npos);
  EXPECT_EQ(select(layer(1, 64, 14, 64, 3), missing_target()).verdict.code, Reason::no_kernel_code);
}

}  // namespace
}  // namespace zellige
