// Epilogues: accumulators to the output tensor, converted to its type.
#pragma once

#include "zellige/atom/sync.hpp"
#include "zellige/core/convert.hpp"
#include "zellige/gemm/args.hpp"
#include "zellige/gemm/derived.hpp"
#include "zellige/tile/mma.hpp"

namespace zellige {

/// Where a wave's results lie in C: the wave's first row and column in the block, and the block's in C.
struct OutputPlace {
  std::uint32_t lane = 0, thread = 0;
  std::uint32_t block_m = 0, block_n = 0;  ///< first row and column of the workgroup's tile in C
  std::uint32_t wave_row = 0, wave_column = 0;  ///< number of the wave along m and n
};

/// Each lane stores its accumulators where they belong, one element at a time.
template <Derived d, DataType output>
ZELLIGE_DEVICE void store_direct(const GemmArgs& args, const Buffer& c, const OutputPlace& at, const WaveMma<d.wave>& wave) {
  constexpr Mma mma = d.wave.mma;
  const Coordinate lane_at = mma.c.of_lane(at.lane);
  const std::uint32_t row0 = at.block_m + at.wave_row * d.wave_m + lane_at.row, column0 = at.block_n + at.wave_column * d.wave_n + lane_at.column;
  ZELLIGE_UNROLL
  for (int i = 0; i < d.wave.atoms_m; ++i) {
    ZELLIGE_UNROLL
    for (int j = 0; j < d.wave.atoms_n; ++j) {
      ZELLIGE_UNROLL
      for (int s = 0; s < mma.c.slots(); ++s) {
        const Coordinate slot_at = mma.c.of_slot(static_cast<unsigned>(s));
        const std::uint32_t row = row0 + i * mma.shape.m + slot_at.row, column = column0 + j * mma.shape.n + slot_at.column;
        const bool exists = (row < args.m) & (column < args.n);
        store<d.bytes_out>(c, exists ? row * args.row_bytes_c + column * d.bytes_out : out_of_range, convert<output>(wave.accumulator[i][j][s]));
      }
    }
  }
}

/// Slabs of rows pass through LDS, so that each lane stores `vector` consecutive elements and a wave whole lines.
template <Derived d, DataType output, int vector>
ZELLIGE_DEVICE void store_shuffled(const GemmArgs& args, const Buffer& c, char* lds, const OutputPlace& at, const WaveMma<d.wave>& wave) {
  constexpr Mma mma = d.wave.mma;
  constexpr int columns = d.wave.atoms_n * mma.shape.n * (d.stage_b.rows / d.wave_n), lanes = columns / vector;  // lanes a row
  constexpr int rows_at_once = d.threads / lanes, packet_bytes = vector * d.bytes_out;
  const Coordinate lane_at = mma.c.of_lane(at.lane);
  char* const write = lds + (at.wave_row * mma.shape.m + lane_at.row) * d.shuffle_pitch +
                      (at.wave_column * d.wave_n + lane_at.column) * d.bytes_out;
  const std::uint32_t read_row = at.thread / static_cast<unsigned>(lanes), read_column = at.thread % static_cast<unsigned>(lanes) * vector;
  ZELLIGE_UNROLL
  for (int i = 0; i < d.wave.atoms_m; ++i) {
    if (i > 0) barrier_lds();
    ZELLIGE_UNROLL
    for (int j = 0; j < d.wave.atoms_n; ++j) {
      ZELLIGE_UNROLL
      for (int s = 0; s < mma.c.slots(); ++s) {
        const Coordinate slot_at = mma.c.of_slot(static_cast<unsigned>(s));
        store_lds<d.bytes_out>(write + slot_at.row * d.shuffle_pitch + (j * mma.shape.n + slot_at.column) * d.bytes_out,
                               convert<output>(wave.accumulator[i][j][s]));
      }
    }
    barrier_lds();
    ZELLIGE_UNROLL
    for (int r = 0; r < d.shuffle_rows; r += rows_at_once) {
      // Row r of the slab belongs to wave row r / shape.m, whose i-th row of atoms passes now.
      const std::uint32_t slab_row = read_row + r;
      const std::uint32_t row = at.block_m + slab_row / mma.shape.m * d.wave_m + i * mma.shape.m + slab_row % mma.shape.m;
      const std::uint32_t column = at.block_n + read_column;
      const bool exists = (row < args.m) & (column < args.n);
      store<packet_bytes>(c, exists ? row * args.row_bytes_c + column * d.bytes_out : out_of_range,
                          load_lds<packet_bytes>(lds + slab_row * d.shuffle_pitch + read_column * d.bytes_out));
    }
  }
}

}  // namespace zellige
