// Sizes of matrices in bytes, and the refusals of problems that mean nothing.
#include "zellige/gemm/problem.hpp"

#include <gtest/gtest.h>

namespace zellige {
namespace {

Reason refusal(const GemmProblem& p) { return validate(p).code; }

TEST(GemmProblem, PackedBytesAreTheProductOfTheExtents) {
  const GemmProblem p{.m = 3, .n = 5, .k = 7, .output = DataType::f32};
  EXPECT_EQ(bytes_a(p).value, 3 * 7 * 2);
  EXPECT_EQ(bytes_b(p).value, 7 * 5 * 2);
  EXPECT_EQ(bytes_c(p).value, 3 * 5 * 4);
}

TEST(GemmProblem, LeadingDimensionsCountBetweenLinesOnly) {
  const GemmProblem p{.m = 3, .n = 5, .k = 7, .order_a = MatrixOrder::column, .order_b = MatrixOrder::row, .ld_a = 4, .ld_b = 6, .ld_c = 9};
  EXPECT_EQ(bytes_a(p).value, (6 * 4 + 3) * 2);
  EXPECT_EQ(bytes_b(p).value, (6 * 6 + 5) * 2);
  EXPECT_EQ(bytes_c(p).value, (2 * 9 + 5) * 2);
}

TEST(GemmProblem, ExtentsBelowOneAreRefusedWithTheNumbers) {
  EXPECT_EQ(refusal({.m = 0}), Reason::bad_extent);
  EXPECT_EQ(refusal({.n = -3}), Reason::bad_extent);
  EXPECT_NE(validate(GemmProblem{.m = 2, .n = -3, .k = 4}).why.view().find("2, -3, 4"), std::string_view::npos);
}

TEST(GemmProblem, LeadingDimensionsUnderALineAreRefused) {
  EXPECT_EQ(refusal({.m = 4, .n = 4, .k = 4, .ld_a = 3}), Reason::bad_extent);
  EXPECT_EQ(refusal({.m = 4, .n = 4, .k = 4, .ld_b = 3}), Reason::bad_extent);
  EXPECT_EQ(refusal({.m = 4, .n = 4, .k = 4, .ld_c = -1}), Reason::bad_extent);
}

TEST(GemmProblem, SizesPast63BitsAreRefusedNotWrapped) {
  EXPECT_EQ(refusal({.m = std::int64_t{1} << 31}), Reason::overflow);
  EXPECT_EQ(refusal({.m = INT32_MAX, .n = 1, .k = 1, .ld_a = INT64_MAX / 2}), Reason::overflow);
}

TEST(GemmProblem, LayoutNames) {
  EXPECT_STREQ(layout_name(MatrixOrder::row, MatrixOrder::column), "rc");
  EXPECT_STREQ(layout_name(MatrixOrder::column, MatrixOrder::row), "cr");
}

}  // namespace
}  // namespace zellige
