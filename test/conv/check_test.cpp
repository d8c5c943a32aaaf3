// What convolution configs and instances refuse.
#include "zellige/conv/check.hpp"

#include <gtest/gtest.h>

namespace zellige {
namespace {

constexpr ConvConfig config{.tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {32, 32, 8}}};

ConvProblem layer() {
  const ConvAxis axis{.size = 14, .filter = 3, .pad_before = 1, .pad_after = 1};
  return {.n = 2, .c = 64, .k = 64, .spatial = 2, .axis = {{axis, axis}}};
}

void expect_unsupported(const ConvConfig& c, const ConvProblem& p, Reason code, std::string_view words,
                        const PlanOptions& options = {}) {
  const Verdict v = supports(c, Arch::gfx942, p, options);
  EXPECT_EQ(v.code, code) << v.why.view();
  EXPECT_NE(v.why.view().find(words), std::string_view::npos) << v.why.view();
}

TEST(ConvCheck, ConfigsDecodeOneToThreeAxes) {
  ConvConfig c = config;
  EXPECT_TRUE(check(c, Arch::gfx942).ok);
  c.spatial = 4;
  EXPECT_EQ(check(c, Arch::gfx942).code, Reason::spatial_rank);
}

TEST(ConvSupports, AcceptsAResNetLayerAndAsymmetricPads) {
  EXPECT_TRUE(supports(config, Arch::gfx942, layer()).ok);
  ConvProblem p = layer();
  p.axis[0].pad_before = 3, p.axis[0].pad_after = 0;
  EXPECT_TRUE(supports(config, Arch::gfx942, p).ok);
}

TEST(ConvSupports, ChannelsAndFiltersMustFillVectors) {
  ConvProblem p = layer();
  p.c = 12;
  expect_unsupported(config, p, Reason::channels_not_divisible, "c/groups = 12 is not a multiple of vector_a = 8");
  ConvConfig run = config;
  run.tiling.walk = Walk::run;
  p.c = 40;
  expect_unsupported(run, p, Reason::reduction_not_divisible, "c/groups = 40");
  ConvConfig wide = config;
  wide.tiling.store = Store::lds_shuffle, wide.tiling.vector_c = 8;
  p = layer();
  p.k = 12;
  expect_unsupported(wide, p, Reason::channels_not_divisible, "k/groups = 12");
}

TEST(ConvSupports, RankDirectionTypesAndSplit) {
  ConvProblem p = layer();
  p.direction = ConvDirection::backward_data;
  expect_unsupported(config, p, Reason::direction_mismatch, "forward");
  p = layer();
  p.spatial = 3;
  expect_unsupported(config, p, Reason::spatial_rank, "has 3");
  p = layer();
  p.weight = DataType::bf16;
  expect_unsupported(config, p, Reason::type_mismatch, "f16 by bf16");
  for (int split : {0, -2, 2, INT_MIN}) expect_unsupported(config, layer(), Reason::split_k_unsupported, "split", {.split_k = split});
}

TEST(ConvSupports, TensorsAtTheBoundaryOf2GiB) {
  ConvProblem p = layer();
  p.axis[0] = p.axis[1] = {.size = 1};
  p.c = 64, p.k = 8;
  p.n = (std::int64_t{1} << 31) / (64 * 2) - 1;
  EXPECT_TRUE(supports(config, Arch::gfx942, p).ok);
  ++p.n;  // exactly 2 GiB
  EXPECT_TRUE(supports(config, Arch::gfx942, p).ok) << "in two chunks";
  p.n = 1, p.c = 65536, p.k = 1 << 14;
  expect_unsupported(config, p, Reason::tensor_too_large, "the weight has 2147483648 bytes, over the 2147483647");
}

TEST(ConvSupports, FoldedProblemsFillWiderVectors) {
  ConvProblem p = layer();
  p.c = 3;
  p.axis[0] = p.axis[1] = {.size = 32, .filter = 16, .stride = 16};
  EXPECT_TRUE(supports(config, Arch::gfx942, p).ok);
  expect_unsupported(config, p, Reason::channels_not_divisible, "c/groups = 3 is not a multiple of vector_a = 8",
                     {.fold = false});
  p.axis[1] = {.size = 32, .filter = 4, .stride = 4};
  expect_unsupported(config, p, Reason::channels_not_divisible, "c/groups (folded) = 12 is not");
  p.axis[1] = {.size = 32, .filter = 16, .stride = 16}, p.c = 6, p.groups = 2;
  expect_unsupported(config, p, Reason::channels_not_divisible, "c/groups = 3 is not");
}

TEST(ConvSupports, lesson03_over_the_limit_is_chunks_or_a_refusal) {
  const ConvProblem p = layer();  // 2 images of 14x14 by 64 channels of 2 bytes: 25088 bytes each way
  for (std::int64_t limit : {80'000, 73'728}) EXPECT_TRUE(supports(config, Arch::gfx942, p, {.limit_bytes = limit}).ok);
  expect_unsupported(config, p, Reason::tensor_too_large, "the weight has 73728 bytes, over the 73727",
                     {.limit_bytes = 73'727});
  ConvProblem wide = p;
  wide.k = 8, wide.axis[1].size = 1000;
  EXPECT_TRUE(supports(config, Arch::gfx942, wide, {.limit_bytes = 3 * 1000 * 128}).ok);
  expect_unsupported(config, wide, Reason::tensor_too_large, "3 input rows of 128000, over the 383999",
                     {.limit_bytes = 3 * 1000 * 128 - 1});
  for (std::int64_t limit : {std::int64_t{-1}, max_buffer_bytes + 1, INT64_MIN, INT64_MAX})
    expect_unsupported(config, p, Reason::tensor_too_large, "must be from 0 to 2147483647", {.limit_bytes = limit});
}

TEST(ConvSupports, AxesThatWouldWrapAreRefused) {
  ConvProblem p = layer();
  p.n = 1, p.c = 8, p.k = 8;
  p.axis[0] = {.size = 3, .filter = 2, .stride = INT32_MAX, .dilation = INT32_MAX, .pad_before = INT32_MAX, .pad_after = INT32_MAX};
  expect_unsupported(config, p, Reason::overflow, "axis 0");
}

}  // namespace
}  // namespace zellige
