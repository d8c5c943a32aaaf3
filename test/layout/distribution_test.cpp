// Lane maps: additivity, the bijectivity predicate and its failures, and the layout and inverse of a map.
#include "zellige/layout/distribution.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "zellige/layout/algebra.hpp"

namespace zellige {
namespace {

// The operand of a 32x32x8 MFMA: rows = lane % 32, k = 4 * (lane / 32) + slot.
constexpr LaneMap operand{.lane = {{{32, 0, 1, 0}, {2, 0, 0, 4}}}, .slot = {{{4, 0, 0, 1}}}};
// The A operand of mma.m16n8k16, whose slots interleave rows and k.
constexpr LaneMap interleaved{.lane = {{{4, 0, 0, 2}, {8, 0, 1, 0}}},
                              .slot = {{{2, 0, 0, 1}, {2, 0, 8, 0}, {2, 0, 0, 8}}}};

TEST(LaneMap, IsWhatItsDigitsSay) {
  static_assert(operand.lanes() == 64 && operand.slots() == 4 && k_slots(operand) == 4);
  for (unsigned lane = 0; lane < 64; ++lane) {
    for (unsigned slot = 0; slot < 4; ++slot) {
      const Coordinate expected{0, static_cast<int>(lane % 32), static_cast<int>(4 * (lane / 32) + slot)};
      EXPECT_EQ(operand.at(lane, slot), expected);
      EXPECT_EQ(operand.of_lane(lane) + operand.of_slot(slot), expected);
    }
  }
}

TEST(LaneMap, BijectiveMaps) {
  EXPECT_TRUE(is_bijective(operand, 1, 32, 8));
  EXPECT_TRUE(is_bijective(interleaved, 1, 16, 16));
  EXPECT_TRUE(is_bijective({.lane = {{{16, 0, 1, 0}, {2, 0, 0, 0}}}, .slot = {{{16, 0, 0, 1}}}}, 1, 16, 16, 2));
  EXPECT_TRUE(is_bijective({.lane = {{{4, 0, 1, 0}, {16, 1, 0, 0}}}, .slot = {{{4, 0, 0, 1}}}}, 16, 4, 4));
}

TEST(LaneMap, MapsThatAreNot) {
  EXPECT_FALSE(is_bijective(operand, 1, 32, 16)) << "half of the elements have no holder";
  EXPECT_FALSE(is_bijective(operand, 1, 16, 16)) << "rows 16 to 31 do not exist";
  EXPECT_FALSE(is_bijective({.lane = {{{32, 0, 1, 0}, {2, 0, 0, 2}}}, .slot = {{{4, 0, 0, 1}}}}, 1, 32, 8))
      << "k 2 twice";
  EXPECT_FALSE(is_bijective(operand, 1, 32, 8, 2)) << "each element has one holder, not two";
  EXPECT_FALSE(is_bijective({.lane = {{{64, 0, -1, 0}}}}, 1, 64, 1)) << "negative rows";
}

/// The map's layout is the map, and its inverse finds the holder of every element.
void expect_layout(const LaneMap& map, int rows, int columns) {
  const Layout layout = layout_of(map, rows * columns, columns, 1);
  ASSERT_TRUE(layout.exists());
  const Layout holder = inverse(layout);
  ASSERT_TRUE(holder.exists());
  for (int lane = 0; lane < map.lanes(); ++lane) {
    for (int slot = 0; slot < map.slots(); ++slot) {
      const Coordinate c = map.at(static_cast<unsigned>(lane), static_cast<unsigned>(slot));
      const auto offset = static_cast<unsigned>((c.block * rows + c.row) * columns + c.column);
      const auto index = static_cast<unsigned>(lane + map.lanes() * slot);
      ASSERT_EQ(layout(index), offset);
      ASSERT_EQ(holder(offset), index);
    }
  }
}

TEST(LaneMap, LayoutAndItsInverse) {
  expect_layout(operand, 32, 8);
  expect_layout(interleaved, 16, 16);
}

void expect_consecutive_k(const LaneMap& map, int rows, int pack) {
  const LaneMap contiguous = k_contiguous(map, pack);
  ASSERT_EQ(contiguous.slots(), map.slots() * pack);
  ASSERT_TRUE(is_bijective(contiguous, 1, rows, contiguous.lanes() * contiguous.slots() / rows));
  for (int slot = 0; slot < k_slots(map) * pack; ++slot) {
    ASSERT_EQ(contiguous.of_slot(static_cast<unsigned>(slot)), (Coordinate{0, 0, slot}));
  }
}

TEST(KContiguous, LanesOwnConsecutiveK) {
  for (int pack : {1, 2, 4}) {
    expect_consecutive_k(operand, 32, pack);
    expect_consecutive_k(interleaved, 16, pack);
  }
}

/// The pieces share the fragment out: each slot of it goes to exactly one slot of one instruction, in the same row.
void expect_fragment_shared_out(const LaneMap& map, int pack) {
  const LaneMap contiguous = k_contiguous(map, pack);
  std::vector<int> taken(static_cast<std::size_t>(contiguous.slots()));
  for (int piece = 0; piece < pack; ++piece) {
    for (int slot = 0; slot < map.slots(); ++slot) {
      const int from = fragment_slot(map, pack, piece, slot);
      ASSERT_GE(from, 0);
      ASSERT_LT(from, contiguous.slots());
      ++taken[static_cast<std::size_t>(from)];
      ASSERT_EQ(contiguous.of_slot(static_cast<unsigned>(from)).row, map.of_slot(static_cast<unsigned>(slot)).row);
    }
  }
  for (int times : taken) ASSERT_EQ(times, 1);
}

TEST(KContiguous, FragmentIsSharedOut) {
  for (int pack : {1, 2, 4}) {
    expect_fragment_shared_out(operand, pack);
    expect_fragment_shared_out(interleaved, pack);
  }
}

}  // namespace
}  // namespace zellige
