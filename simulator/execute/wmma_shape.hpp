// Where the elements of a WMMA's operands sit in the registers of a wave of 32 or 64 lanes.
//
// Law: a group is 16 lanes. Lane 16 * g + i holds row i of A (column i of B), k_lane() elements of it, and the product
// sums over the pairs (group, slot): A's and B's elements in the same group and slot are multiplied. Which k a program
// calls them is its own business as long as A and B agree; the documents' numbers are
//   gfx11                k = slot; every group holds the same,
//   gfx12 16-bit         k = 8 * (slot / 4) + 4 * g + slot % 4 (32 lanes), 4 * g + slot (64 lanes),
//   gfx12 8 and 4-bit    k = K / 2 * (g % 2) + K / 4 * (g / 2) + slot,
//   gfx1250              k = 2 * e * (slot / e) + e * g + slot % e with e elements in 16 bytes.
// Row i of D (16 columns in consecutive lanes):
//   gfx11                slot i / groups of group i % groups,
//   gfx12, gfx1250       32 lanes: slot i % 8 of group i / 8; 64 lanes: slot i % 4 of group i / 8 + 2 * (i / 4 % 2).
// [AMD's matrix instruction calculator for gfx11 and gfx12; LLVM's and Triton's descriptions of gfx1250.]
#pragma once

#include <cstdint>

#include "simulator/execute/wave.hpp"

namespace zellige::sim {

enum class WmmaRows : std::uint8_t {
  interleaved,  ///< gfx11
  blocked,      ///< gfx12 and later
};

/// One product D = A * B + C of 16 x 16 x k in a wave of `lanes` lanes.
struct WmmaShape {
  int k;
  int lanes;
  int groups;  ///< groups of lanes that hold different elements of A and B
  WmmaRows rows = WmmaRows::blocked;
  int m = 16, n = 16, blocks = 1;

  [[gnu::always_inline]] constexpr int k_lane() const { return k / groups; }    ///< elements of A or B in a lane
  [[gnu::always_inline]] constexpr int slots() const { return m * n / lanes; }  ///< elements of C or D in a lane
};

/// Index into rows of 64 lanes where row i of D begins; its 16 columns follow in consecutive lanes.
[[gnu::always_inline]] constexpr int matrix_row_offset(WmmaShape s, int, int i) {
  const int groups = s.lanes / 16;
  if (s.rows == WmmaRows::interleaved) return i / groups * row_lanes + 16 * (i % groups);
  if (s.lanes == 32) return i % 8 * row_lanes + 16 * (i / 8);
  return i % 4 * row_lanes + 16 * (i / 8 + 2 * (i / 4 % 2));
}

/// Index into rows of 64 lanes (one row a slot) where A[0][k] lies, k counting slots group by group; the 16 rows of A
/// (columns of B) follow in consecutive lanes.
[[gnu::always_inline]] constexpr int matrix_operand_offset(WmmaShape s, int, int, int k) {
  return k % s.k_lane() * row_lanes + 16 * (k / s.k_lane());
}

/// The block whose A serves block b: there is one.
[[gnu::always_inline]] constexpr int matrix_source_block(WmmaShape, int, int, int) { return 0; }

}  // namespace zellige::sim
