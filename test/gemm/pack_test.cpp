// The packed arguments of a GEMM: the views reach each matrix's own elements, and extents become whole tiles.
#include "zellige/gemm/pack.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace zellige {
namespace {

constexpr GemmConfig config{.tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {32, 32, 8}}};

/// A's view finds (m, k) and B's (n, k) where the orders and leading dimensions put them, and nothing past the edges.
void expect_views(const GemmProblem& p) {
  const GemmArgs args = pack_args(config, p, 1);
  for (std::uint32_t row = 0; row < 12; ++row) {
    for (std::uint32_t k = 0; k < 12; ++k) {
      const Element a = evaluate<matrix_view()>(args.view_a, row, k), b = evaluate<matrix_view()>(args.view_b, row, k);
      ASSERT_EQ(a.exists, row < p.m && k < p.k);
      ASSERT_EQ(b.exists, row < p.n && k < p.k);
      const std::int64_t at_a = p.order_a == MatrixOrder::row ? row * p.stride_a() + k : k * p.stride_a() + row;
      const std::int64_t at_b = p.order_b == MatrixOrder::row ? k * p.stride_b() + row : row * p.stride_b() + k;
      if (a.exists) {
        EXPECT_EQ(a.offset, at_a * 2);
        EXPECT_LT(a.offset, args.bytes_a);
      }
      if (b.exists) {
        EXPECT_EQ(b.offset, at_b * 2);
        EXPECT_LT(b.offset, args.bytes_b);
      }
    }
  }
}

TEST(GemmPack, ViewsFollowOrdersAndLeadingDimensions) {
  for (const MatrixOrder a : {MatrixOrder::row, MatrixOrder::column}) {
    for (const MatrixOrder b : {MatrixOrder::row, MatrixOrder::column}) {
      expect_views({.m = 7, .n = 9, .k = 5, .order_a = a, .order_b = b});
      expect_views({.m = 7, .n = 9, .k = 5, .order_a = a, .order_b = b, .ld_a = 11, .ld_b = 10, .ld_c = 12});
    }
  }
}

TEST(GemmPack, ExtentsBecomeWholeTiles) {
  const GemmArgs args = pack_args(config, {.m = 65, .n = 64, .k = 33, .output = DataType::f32, .ld_c = 70}, 1);
  EXPECT_EQ(args.schedule.tiles_m, 2u);
  EXPECT_EQ(args.schedule.tiles_n, 1u);
  EXPECT_EQ(args.schedule.batches, 1u);
  EXPECT_EQ(args.k_tiles, 2u);
  EXPECT_EQ(args.run, 33u);
  EXPECT_EQ(args.row_bytes_c, 70u * 4);
  EXPECT_EQ(args.bytes_c, (64u * 70 + 64) * 4);
}

// A plan overwrites the first member at each run, whatever the family.
TEST(GemmArgs, BeginWithThePointers) {
  EXPECT_EQ(offsetof(GemmArgs, pointers), 0u);
  EXPECT_EQ(offsetof(KernelPointers, a), 0u);
}

}  // namespace
}  // namespace zellige
