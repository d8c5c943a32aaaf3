// Output extents, sizes in bytes, and the refusals of convolutions that mean nothing.
#include "zellige/conv/problem.hpp"

#include <gtest/gtest.h>

#include <climits>

namespace zellige {
namespace {

ConvProblem square(std::int64_t size, ConvAxis axis) {
  axis.size = size;
  return {.n = 1, .c = 8, .k = 8, .spatial = 2, .axis = {{axis, axis}}};
}

TEST(ConvProblem, OutputExtents) {
  EXPECT_EQ((ConvAxis{.size = 224, .filter = 7, .stride = 2, .pad_before = 3, .pad_after = 3}).outputs(), 112);
  EXPECT_EQ((ConvAxis{.size = 224, .filter = 7, .stride = 2, .pad_before = 3, .pad_after = 2}).outputs(), 112);
  EXPECT_EQ((ConvAxis{.size = 5, .filter = 3, .stride = 1, .dilation = 2}).outputs(), 1);
  EXPECT_EQ((ConvAxis{.size = 1, .filter = 1, .stride = 9}).outputs(), 1);
  EXPECT_EQ((ConvAxis{.size = 2, .filter = 3, .stride = 2}).outputs(), 0) << "a negative span must not round to one output";
}

TEST(ConvProblem, RefusesWithTheAxisAndItsNumbers) {
  const struct { ConvAxis axis; Reason code; const char* words; } cases[] = {
    {{.filter = 7}, Reason::output_empty, "the filter spans 7 pixels but the padded image has 4"},
    {{.stride = 0}, Reason::bad_filter, "stride and dilation must be 1"},
    {{.dilation = -1}, Reason::bad_filter, "-1"},
    {{.pad_before = -1}, Reason::bad_filter, "-1:0"},
    {{.filter = 0}, Reason::bad_extent, "axis 0"},
  };
  for (const auto& c : cases) {
    const Verdict v = validate(square(4, c.axis));
    EXPECT_EQ(v.code, c.code) << v.why.view();
    EXPECT_NE(v.why.view().find(c.words), std::string_view::npos) << v.why.view();
  }
}

TEST(ConvProblem, GroupsDivideChannelsAndFilters) {
  ConvProblem p = square(4, {});
  p.groups = 3;
  EXPECT_EQ(validate(p).code, Reason::bad_groups);
  p.groups = 0;
  EXPECT_EQ(validate(p).code, Reason::bad_groups);
  p.groups = 8;
  EXPECT_TRUE(validate(p).ok);
}

TEST(ConvProblem, BytesAreCountedIn64Bits) {
  // The element count is 4295098369, and (k - 1) * stride passes 32 bits.
  const ConvProblem p{.n = 1, .c = 65537, .k = 65537, .spatial = 2};
  EXPECT_EQ(weight_bytes(p).value, 4295098369 * 2);
  EXPECT_TRUE(validate(p).ok);
}

TEST(ConvProblem, lesson33_negative_padding_is_refused) {
  for (const std::int64_t pad : {-1, -2, INT_MIN}) {
    for (const bool before : {true, false}) {
      ConvProblem p = square(9, {.filter = 3});
      (before ? p.axis[1].pad_before : p.axis[1].pad_after) = pad;
      EXPECT_EQ(validate(p).code, Reason::bad_filter);
      EXPECT_NE(validate(p).why.view().find(before ? "axis 1: padding" : ":-"), std::string_view::npos);
    }
  }
}

TEST(ConvProblem, SizesThatOverflowAreRefused) {
  ConvProblem p = square(INT32_MAX, {});
  EXPECT_EQ(validate(p).code, Reason::overflow);
  p = square(4, {});
  p.n = INT64_MAX;
  EXPECT_EQ(validate(p).code, Reason::bad_extent);
  p.n = INT32_MAX;  // output pixels pass 2^31: several dispatches
  EXPECT_TRUE(validate(p).ok) << validate(p).why.view();
}

TEST(ConvProblem, FlopsCountPaddingTaps) {
  const ConvProblem p{.n = 32, .c = 64, .k = 64, .spatial = 2,
                      .axis = {{{.size = 56, .filter = 3, .pad_before = 1, .pad_after = 1}, {.size = 56, .filter = 3, .pad_before = 1, .pad_after = 1}}}};
  EXPECT_EQ(flops(p), 2.0 * 32 * 56 * 56 * 64 * 64 * 9);
}

}  // namespace
}  // namespace zellige
