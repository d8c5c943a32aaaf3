// Layouts: indices, coordinates, sizes.
#include "zellige/layout/layout.hpp"

#include <gtest/gtest.h>

namespace zellige {
namespace {

TEST(Layout, RowMajorMatrix) {
  constexpr Layout rows = make_layout({4, 8}, {8, 1});
  static_assert(rows(5) == 9 && rows(1, 1) == 9 && rows.size() == 32 && rows.cosize() == 32);
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 8; ++c) {
      EXPECT_EQ(rows(r, c), static_cast<unsigned>(8 * r + c));
      EXPECT_EQ(rows(static_cast<unsigned>(r + 4 * c)), rows(r, c));
    }
  }
}

TEST(Layout, CompactIsTheIdentity) {
  constexpr Layout compact = make_compact_layout({3, 5, 7});
  for (unsigned i = 0; i < 105; ++i) EXPECT_EQ(compact(i), i);
}

TEST(Layout, RepeatsAndHoles) {
  constexpr Layout broadcast = make_layout({4, 3}, {0, 10});
  EXPECT_EQ(broadcast.size(), 12);
  EXPECT_EQ(broadcast.cosize(), 21);
  EXPECT_EQ(broadcast(7), 10u);
}

TEST(Layout, EmptyIsOneElement) {
  EXPECT_EQ(Layout{}.size(), 1);
  EXPECT_EQ(Layout{}.cosize(), 1);
  EXPECT_EQ(Layout{}(0), 0u);
}

TEST(Layout, TooManyDigitsAreNoLayout) {
  Layout layout;
  for (int d = 0; d < Layout::max_rank; ++d) EXPECT_TRUE(layout.append(2, 1).exists());
  EXPECT_FALSE(layout.append(2, 1).exists());
  EXPECT_FALSE(layout.append(2, 1).exists());
}

}  // namespace
}  // namespace zellige
