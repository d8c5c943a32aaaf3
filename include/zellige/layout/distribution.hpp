// Which element of a tile each lane holds in each of its slots.
//
// A LaneMap takes a lane and a slot (an element of the lane's fragment) to a (block, row, column) coordinate. Both
// indices are mixed-radix numbers, first digit fastest, and every digit adds a fixed step to the coordinate. The map is
// therefore additive, at(lane, slot) == of_lane(lane) + of_slot(slot): a kernel computes the lane's part once at run
// time, and all slots are constants added to it.
//
//   LaneMap a{.lane = {{{32, 0, 1, 0}, {2, 0, 0, 4}}}, .slot = {{{4, 0, 0, 1}}}};
//   // row = lane % 32, column = 4 * (lane / 32) + slot
#pragma once

#include "zellige/layout/layout.hpp"

namespace zellige {

/// One digit of a mixed-radix index, and what a step of it adds to the coordinate. A digit that adds nothing: replicas.
struct Digit {
  int extent = 1, block = 0, row = 0, column = 0;
  bool operator==(const Digit&) const = default;
};

/// `block` numbers the independent matrices of an instruction that multiplies several at once.
struct Coordinate {
  int block = 0, row = 0, column = 0;

  ZELLIGE_HD friend constexpr Coordinate operator+(Coordinate a, Coordinate b) {
    return {a.block + b.block, a.row + b.row, a.column + b.column};
  }
  bool operator==(const Coordinate&) const = default;
};

struct LaneMap {
  static constexpr int digits = 4;
  Array<Digit, digits> lane{}, slot{};

  ZELLIGE_HD constexpr Coordinate of_lane(std::uint32_t index) const { return walk(lane, index); }
  ZELLIGE_HD constexpr Coordinate of_slot(std::uint32_t index) const { return walk(slot, index); }
  ZELLIGE_HD constexpr Coordinate at(std::uint32_t lane_index, std::uint32_t slot_index) const {
    return of_lane(lane_index) + of_slot(slot_index);
  }
  ZELLIGE_HD constexpr int lanes() const { return count(lane); }
  ZELLIGE_HD constexpr int slots() const { return count(slot); }

  bool operator==(const LaneMap&) const = default;

 private:
  ZELLIGE_HD static constexpr Coordinate walk(const Array<Digit, digits>& number, std::uint32_t index) {
    std::uint32_t block = 0, row = 0, column = 0;
    ZELLIGE_UNROLL
    for (int i = 0; i < digits; ++i) {
      const Digit& digit = number[i];
      const std::uint32_t value = index % static_cast<std::uint32_t>(digit.extent);
      index /= static_cast<std::uint32_t>(digit.extent);
      block += value * static_cast<std::uint32_t>(digit.block);
      row += value * static_cast<std::uint32_t>(digit.row);
      column += value * static_cast<std::uint32_t>(digit.column);
    }
    return {static_cast<int>(block), static_cast<int>(row), static_cast<int>(column)};
  }

  ZELLIGE_HD static constexpr int count(const Array<Digit, digits>& number) {
    int product = 1;
    ZELLIGE_UNROLL
    for (int i = 0; i < digits; ++i) product *= number[i].extent;
    return product;
  }
};

/// The map as a layout: lane + map.lanes() * slot to block * block_stride + row * row_stride + column * column_stride.
/// Its inverse (algebra.hpp) says which lane and slot hold an element.
ZELLIGE_HD constexpr Layout layout_of(const LaneMap& map, int block_stride, int row_stride, int column_stride) {
  Layout layout;
  for (int i = 0; i < 2 * LaneMap::digits; ++i) {
    const Digit& d = i < LaneMap::digits ? map.lane[i] : map.slot[i - LaneMap::digits];
    layout.append(d.extent, d.block * block_stride + d.row * row_stride + d.column * column_stride);
  }
  return layout;
}

/// True when the map covers each element of blocks x rows x columns exactly `replicas` times, and nothing else.
constexpr bool is_bijective(const LaneMap& map, int blocks, int rows, int columns, int replicas = 1) {
  constexpr int limit = 8192;
  const int elements = blocks * rows * columns;
  if (elements > limit || map.lanes() * map.slots() != elements * replicas) return false;
  Array<unsigned char, limit> holders{};
  for (int lane = 0; lane < map.lanes(); ++lane) {
    const Coordinate base = map.of_lane(static_cast<std::uint32_t>(lane));
    for (int slot = 0; slot < map.slots(); ++slot) {
      const Coordinate c = base + map.of_slot(static_cast<std::uint32_t>(slot));
      if (c.block < 0 || c.block >= blocks || c.row < 0 || c.row >= rows || c.column < 0 || c.column >= columns)
        return false;
      if (++holders[(c.block * rows + c.row) * columns + c.column] > replicas) return false;
    }
  }
  return true;  // the counts match and no element has too many holders
}

/// Lanes that hold the same elements: the digits of the lane that add nothing.
ZELLIGE_HD constexpr int replicas_of(const LaneMap& map) {
  int product = 1;
  for (int i = 0; i < LaneMap::digits; ++i) {
    const Digit& d = map.lane[i];
    product *= d.block == 0 && d.row == 0 && d.column == 0 ? d.extent : 1;
  }
  return product;
}

/// The slots of an operand's map that differ in column, that is in k.
ZELLIGE_HD constexpr int k_slots(const LaneMap& map) {
  int product = 1;
  for (int i = 0; i < LaneMap::digits; ++i) product *= map.slot[i].column != 0 ? map.slot[i].extent : 1;
  return product;
}

/// The operand map of `pack` instructions in a row (columns = k), with a k order of our own.
///
/// The order of k within a product is free as long as A and B agree on it. Here each lane owns pack * k_slots(map)
/// consecutive k, so that one wide LDS read feeds `pack` instructions. Slots: all of k first, then rows and blocks.
/// Law: hardware's k of (lane, slot) goes to the same k here for A and for B, if their maps have the same digits of k.
ZELLIGE_HD constexpr LaneMap k_contiguous(const LaneMap& map, int pack) {
  LaneMap result = map;
  const int owned = k_slots(map) * pack;
  int step = owned;
  for (int i = 0; i < LaneMap::digits; ++i) {
    if (map.lane[i].column == 0) continue;
    result.lane[i].column = step;
    step *= map.lane[i].extent;
  }
  result.slot = {};
  result.slot[0] = {owned, 0, 0, 1};
  int next = 1;
  for (int i = 0; i < LaneMap::digits; ++i) {
    if (map.slot[i].column == 0 && map.slot[i].extent > 1) result.slot[next++] = map.slot[i];
  }
  return result;
}

/// The slot of k_contiguous(map, pack) that the piece-th of the `pack` instructions takes as its slot `slot`.
ZELLIGE_HD constexpr int fragment_slot(const LaneMap& map, int pack, int piece, int slot) {
  int k = 0, k_step = 1, rest = 0, rest_step = 1;
  for (int i = 0; i < LaneMap::digits; ++i) {
    const int value = slot % map.slot[i].extent;
    slot /= map.slot[i].extent;
    if (map.slot[i].column != 0) {
      k += value * k_step;
      k_step *= map.slot[i].extent;
    } else {
      rest += value * rest_step;
      rest_step *= map.slot[i].extent;
    }
  }
  return (rest * pack + piece) * k_step + k;
}

}  // namespace zellige
