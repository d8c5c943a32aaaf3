// The shapes of what waves and workgroups do together with tiles: plain values that kernels are parameterised by.
#pragma once

#include "zellige/atom/mma.hpp"
#include "zellige/layout/swizzle.hpp"

namespace zellige {

/// How one operand's tile (rows by depth of k) is carried from global memory to LDS by all threads.
struct StageShape {
  int rows = 0, depth = 0;    ///< the tile: elements
  int vector = 0, bytes = 0;  ///< elements a load, bytes an element
  int threads = 0;
  bool along_rows = false;  ///< memory is contiguous along rows instead of k: the tile is transposed on its way
  bool keep_order = false;  ///< or not: LDS holds lines of rows, one a k
  LdsTile lds{};            ///< where it goes

  bool operator==(const StageShape&) const = default;

  // A lane loads `vector` consecutive elements of a line: along k of one row, or along rows at one k.
  ZELLIGE_HD constexpr int lanes_along_k() const { return along_rows ? threads / lanes_along_rows() : depth / vector; }
  ZELLIGE_HD constexpr int lanes_along_rows() const { return along_rows ? rows / vector : threads / lanes_along_k(); }
  /// Loads whose elements one LDS write gathers. More than 1 only where the tile is transposed: as many elements of k
  /// as fill 16 bytes, while all lanes have work.
  ZELLIGE_HD constexpr int gather() const {
    if (!along_rows || keep_order) return 1;
    int n = 16 / bytes;
    while (n > 1 && lanes_along_k() * n > depth) n /= 2;
    return n;
  }
  /// Times that all threads together load, to cover the tile.
  ZELLIGE_HD constexpr int passes() const {
    return along_rows ? depth / (lanes_along_k() * gather()) : rows / lanes_along_rows();
  }
  ZELLIGE_HD constexpr int loads() const { return passes() * gather(); }
  /// LDS writes of a lane for these.
  ZELLIGE_HD constexpr int writes() const { return along_rows && !keep_order ? passes() * vector : passes(); }

  /// (row, k) of each element that thread `lane` carries; load i holds the slots from i * vector on. Needs a shape that
  /// check() accepts. Law: bijective onto rows x depth.
  ZELLIGE_HD constexpr LaneMap thread_map() const {
    const int k_lanes = lanes_along_k(), row_lanes = lanes_along_rows();
    if (along_rows) {
      return {.lane = {{{row_lanes, 0, vector, 0}, {k_lanes, 0, 0, gather()}}},
              .slot = {{{vector, 0, 1, 0}, {gather(), 0, 0, 1}, {passes(), 0, 0, k_lanes * gather()}}}};
    }
    return {.lane = {{{k_lanes, 0, 0, vector}, {row_lanes, 0, 1, 0}}},
            .slot = {{{vector, 0, 0, 1}, {passes(), 0, row_lanes, 0}}}};
  }
};

/// What one wave multiplies out of two tiles in LDS: atoms_m by atoms_n atoms, pack * steps of them along k.
struct WaveShape {
  Mma mma{};
  int bytes = 0;  ///< of an input element
  int atoms_m = 0, atoms_n = 0;
  int pack = 0;   ///< atoms that one LDS read of an operand feeds, along k
  int steps = 0;  ///< LDS reads along k
  LdsTile tile_a{}, tile_b{};
  int transposed_a = 0, transposed_b = 0;  ///< bytes of a transposed read where a tile's lines run along rows; or 0

  bool operator==(const WaveShape&) const = default;
};

/// LDS reads of a fragment: `pack` atoms of an operand. `transposed` are the bytes of a transposed read, or 0.
ZELLIGE_HD constexpr int fragment_reads(const LaneMap& map, int pack, int bytes, int transposed) {
  const int line = k_slots(map) * pack * bytes, lines = map.slots() / k_slots(map);
  return lines * line / (transposed != 0 ? transposed : min_of(16, line));
}

/// Atoms along k whose operands one 16-byte LDS read of a lane holds, as far as they divide the tile's depth.
ZELLIGE_HD constexpr int k_pack(const Mma& mma, int depth, int bytes) {
  int pack = 1;
  while (pack * 2 * k_slots(mma.a) * bytes <= 16 && depth % (mma.shape.k * pack * 2) == 0) pack *= 2;
  return pack;
}

}  // namespace zellige
