// Where the elements of a matrix instruction's operands sit in the wave's registers.
//
// Law (AMD's general formula for MFMA): with KL = K * M * B / 64 consecutive k in a lane,
//   A[b][i][k] is slot k % KL of lane i + M * (b + B * (k / KL)), and B[b][k][j] slot k % KL of lane j + N * (b + B *
//   (k / KL)); C and D rows come in groups of H (4; f64: 1) consecutive ones: with BI = max(1, 64 * H / (M * N)) blocks
//   side by side, MI = 64 / (BI * N) and G = M / (H * MI), D[b][i][j] is slot i % H + H * (i / (H * MI) + G * (b / BI))
//   of lane j + N * ((i / H) % MI + MI * (b % BI)). The four blocks of f64 4x4x4 sit otherwise: row i in lanes 16 * i,
//   block b at 4 * b.
// A slot is one element; small elements are packed into registers, low bits first.
#pragma once

#include <cstdint>

#include "simulator/execute/wave.hpp"

namespace zellige::sim {

/// blocks independent products D[b] = A[b] * B[b] + C[b] of size m x n x k.
struct MatrixShape {
  int m, n, k, blocks;
  int row_group = 4;  ///< H above

  [[gnu::always_inline]] constexpr int k_lane() const {
    return k * m * blocks / 64;
  }  ///< KL above: elements of A or B in a lane
  [[gnu::always_inline]] constexpr int slots() const { return m * n * blocks / 64; }  ///< elements of C or D in a lane
};

/// Index into rows of 64 lanes where row i of block b of D begins; its n columns follow in consecutive lanes.
[[gnu::always_inline]] constexpr int matrix_row_offset(MatrixShape s, int b, int i) {
  if (s.row_group == 1 && s.m == 4) return 16 * i + 4 * b;
  const int h = s.row_group;
  const int side = 64 * h / (s.m * s.n) > 1 ? 64 * h / (s.m * s.n) : 1;
  const int across = 64 / (side * s.n);
  const int groups = s.m / (h * across);
  const int slot = i % h + h * (i / (h * across) + groups * (b / side));
  const int lane = s.n * ((i / h) % across + across * (b % side));
  return slot * row_lanes + lane;
}

/// Index into rows of 64 lanes (one row a slot) where A[b][0][k] lies; i follows in consecutive lanes. B alike with n
/// for m.
[[gnu::always_inline]] constexpr int matrix_operand_offset(MatrixShape s, int extent, int b, int k) {
  return (k % s.k_lane()) * row_lanes + extent * (b + s.blocks * (k / s.k_lane()));
}

/// The block whose A serves block b: cbsz blocks (as a power of two) share the one numbered abid in their group.
[[gnu::always_inline]] constexpr int matrix_source_block(MatrixShape, int b, int cbsz, int abid) {
  const int low = (1 << cbsz) - 1;
  return (b & ~low) | (abid & low);
}

/// The quarter (16 lanes) of B that serves `quarter`, by blgp: 1, 2 broadcast a half; 3 rotates by 16 lanes; 4..7
/// broadcast a quarter.
[[gnu::always_inline]] constexpr int matrix_source_quarter(int quarter, int blgp) {
  if (blgp == 0) return quarter;
  if (blgp < 3) return quarter % 2 + 2 * (blgp - 1);
  return blgp == 3 ? (quarter + 1) % 4 : blgp % 4;
}

}  // namespace zellige::sim
