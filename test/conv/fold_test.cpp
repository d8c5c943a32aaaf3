// Width folding: the folded view holds the same bytes in the same order, and what must not fold does not.
#include "zellige/conv/fold.hpp"

#include <gtest/gtest.h>

#include "random_conv.hpp"
#include "zellige/conv/lower.hpp"

namespace zellige {
namespace {

ConvProblem square(std::int64_t c, std::int64_t size, std::int64_t k, ConvAxis axis) {
  axis.size = size;
  return {.n = 1, .c = c, .k = k, .spatial = 2, .axis = {{axis, axis}}};
}

template <int spatial>
void expect_same_elements(const ConvProblem& a, const ConvProblem& b) {
  const ConvProblem p = with_spatial(a, spatial), q = with_spatial(b, spatial);
  const std::int64_t rows = p.n * p.output_pixels(), depth = p.taps() * p.channels_per_group();
  ASSERT_EQ(rows, q.n * q.output_pixels());
  ASSERT_EQ(depth, q.taps() * q.channels_per_group());
  const ViewParams of_p = conv_input_params(p), of_q = conv_input_params(q);
  for (std::uint32_t m = 0; m < rows + 3; ++m) {
    for (std::uint32_t k = 0; k < depth + 3; ++k) {
      const Element x = evaluate<conv_input_view(spatial)>(of_p, m, k), y = evaluate<conv_input_view(spatial)>(of_q, m, k);
      ASSERT_EQ(x.exists, y.exists) << "m " << m << " k " << k;
      if (x.exists) {
        ASSERT_EQ(x.offset, y.offset) << "m " << m << " k " << k;
      }
    }
  }
}

TEST(Fold, TheFoldedViewIsTheSameMatrix) {
  int folds = 0;
  for_random_convs(random_foldable_conv, 60, [&](const ConvProblem& p) {
    const ConvProblem q = folded(p);
    EXPECT_GT(fold_factor(p), 1);
    ++folds;
    const ConvAxis &a = p.axis[p.spatial - 1], &b = q.axis[p.spatial - 1];
    EXPECT_EQ(b.outputs(), a.outputs()) << a.size << "/" << a.filter << "s" << a.stride << "p" << a.pad_before << ":"
                                        << a.pad_after;
    EXPECT_EQ(input_bytes(q).value, input_bytes(p).value);
    EXPECT_EQ(weight_bytes(q).value, weight_bytes(p).value);
    EXPECT_EQ(output_bytes(q).value, output_bytes(p).value);
    expect_same_elements<max_spatial>(p, q);
  });
  EXPECT_EQ(folds, 180);
}

TEST(Fold, WhatDoesNotFoldStaysAsItIs) {
  for_random_convs(random_conv, 200, [](const ConvProblem& p) {
    const ConvProblem q = folded(p);
    if (fold_factor(p) == 1) {
      EXPECT_EQ(q, p);
    } else {
      expect_same_elements<max_spatial>(p, q);
    }
    EXPECT_EQ(fold_factor(q), 1);
    EXPECT_EQ(flops(q), flops(p));
  });
}

TEST(Fold, PatchEmbeddings) {
  const ConvProblem patch = square(3, 224, 768, {.filter = 16, .stride = 16});
  EXPECT_EQ(fold_factor(patch), 16);
  const ConvProblem q = folded(patch);
  EXPECT_EQ(q.c, 48);
  EXPECT_EQ(q.axis[0], patch.axis[0]);  // rows of pixels are not adjacent
  EXPECT_EQ(q.axis[1], (ConvAxis{.size = 14, .filter = 1, .stride = 1}));
  EXPECT_EQ(flops(q), flops(patch));
  EXPECT_EQ(fold_factor(square(3, 224, 1024, {.filter = 14, .stride = 14})), 14);
  EXPECT_EQ(fold_factor(square(3, 224, 96, {.filter = 4, .stride = 4})), 4);
  EXPECT_EQ(fold_factor(square(96, 56, 192, {.filter = 2, .stride = 2})), 2);
  // Patches that do not cover the image whole, and ones that overlap.
  EXPECT_EQ(fold_factor(square(3, 225, 8, {.filter = 16, .stride = 16})), 1);
  EXPECT_EQ(fold_factor(square(3, 224, 8, {.filter = 32, .stride = 16})), 16);
  EXPECT_EQ(fold_factor(square(3, 224, 8, {.filter = 16, .stride = 16, .pad_before = 8, .pad_after = 8})), 8);
  EXPECT_EQ(fold_factor(square(3, 224, 8, {.filter = 16, .stride = 16, .pad_before = 1})), 1);
  EXPECT_EQ(fold_factor(square(3, 224, 8, {.filter = 7, .stride = 2, .pad_before = 3, .pad_after = 3})), 1);
}

TEST(Fold, GroupsDilationAndOtherDirectionsDoNotFold) {
  ConvProblem p = square(4, 8, 4, {.filter = 2, .stride = 2});
  EXPECT_EQ(fold_factor(p), 2);
  p.groups = 2;
  EXPECT_EQ(fold_factor(p), 1);
  p.groups = 1;
  p.axis[1].dilation = 2;
  EXPECT_EQ(fold_factor(p), 1);
  p.axis[1].dilation = 1, p.axis[0].dilation = 3;  // of the other axis: no matter
  EXPECT_EQ(fold_factor(p), 2);
  p.direction = ConvDirection::backward_data;
  EXPECT_EQ(fold_factor(p), 1);
}

TEST(Fold, GroupsWouldReadChannelsOfOtherGroups) {
  // Why groups are refused: fold by hand and see that group 1 no longer finds its channels in one run.
  ConvProblem p = square(4, 4, 4, {.filter = 2, .stride = 2});
  p.groups = 2;
  ConvProblem q = p;
  q.c *= 2, q.axis[1] = {.size = 2};
  const auto channels_of = [](const ConvProblem& problem) {
    std::vector<std::uint32_t> offsets;
    const ViewParams params = conv_input_params(problem);
    for (std::uint32_t k = 0; k < problem.taps() * problem.channels_per_group(); ++k)
      offsets.push_back(evaluate<conv_input_view(2)>(params, 0, k).offset);
    return offsets;
  };
  EXPECT_NE(channels_of(p), channels_of(q));
}

TEST(Fold, ThePaddingAfterIsRoundedDown) {
  // 6 pixels and 3 of padding hold two patches of 4 (the last reads 2 pixels of padding); folded by 2: 3 and 1.
  ConvProblem p{.c = 1, .k = 1, .spatial = 1};
  p.axis[0] = {.size = 6, .filter = 4, .stride = 4, .pad_after = 3};
  ASSERT_EQ(p.axis[0].outputs(), 2);
  EXPECT_EQ(folded(p).axis[0], (ConvAxis{.size = 3, .filter = 2, .stride = 2, .pad_after = 1}));
  EXPECT_EQ(folded(p).axis[0].outputs(), 2);
  p.axis[0].pad_after = 1;
  EXPECT_EQ(p.axis[0].outputs(), 1);
  EXPECT_EQ(folded(p).axis[0].outputs(), 1);
}

}  // namespace
}  // namespace zellige
