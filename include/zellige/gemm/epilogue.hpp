// Epilogues: accumulators to the output tensor, converted to its type.
#pragma once

#include "zellige/atom/sync.hpp"
#include "zellige/core/convert.hpp"
#include "zellige/gemm/args.hpp"
#include "zellige/gemm/derived.hpp"
#include "zellige/gemm/epilogue_math.hpp"
#include "zellige/tile/mma.hpp"

namespace zellige {

/// Who a lane is, and where its wave's results lie: which wave of the block, and where the block lies in C.
struct OutputPlace {
  std::uint32_t lane = 0, thread = 0;           ///< numbers in the wave and in the workgroup
  std::uint32_t block_m = 0, block_n = 0;       ///< first row and column of the workgroup's block in C
  std::uint32_t wave_row = 0, wave_column = 0;  ///< number of the wave along m and n
};

/// Where a batch's results go: C, or the slab of a slice, whose elements are of type Derived::stored.
struct OutputMatrix {
  Buffer buffer;
  std::uint32_t row_bytes = 0;  ///< between rows
};

/// The bytes to element (row, column) of the result; out of range where C has no such element.
template <Derived d>
ZELLIGE_DEVICE std::uint32_t output_offset(const GemmArgs& args, const OutputMatrix& c, std::uint32_t row,
                                           std::uint32_t column) {
  const bool exists = (row < args.m) & (column < args.n);
  return exists ? row * c.row_bytes + column * d.bytes_stored : out_of_range;
}

/// What a wave without results does while the others store: it meets their barriers.
template <Derived d, Store store>
ZELLIGE_DEVICE void meet_barriers_of_store() {
  if constexpr (store == Store::lds_shuffle) {
    ZELLIGE_NO_UNROLL
    for (int i = 1; i < 2 * d.wave.atoms_m; ++i) barrier_lds();
  }
}

/// Sums on their way to the output: as they are.
struct KeepSums {
  static constexpr bool changes = false;

  template <class Element>
  ZELLIGE_DEVICE Element operator()(Element sum, std::uint32_t, std::uint32_t) const {
    return sum;
  }
};

/// Sums on their way to the output, through the epilogue.
template <Arch arch, Derived d>
struct FinishSums {
  static constexpr bool changes = true;
  using Element = typename WaveMma<d.wave>::Element;
  const GemmArgs& args;
  const OutputMatrix& c;
  EpilogueSources from;

  ZELLIGE_DEVICE FinishSums(const GemmArgs& a, const OutputMatrix& output, std::uint32_t batch)
      : args(a),
        c(output),
        from(epilogue_sources<arch>(a.pointers, a.epilogue, batch, a.n, static_cast<int>(sizeof(Element)),
                                    batch * a.batch_c, a.bytes_c)) {}

  ZELLIGE_DEVICE Element operator()(Element sum, std::uint32_t row, std::uint32_t column) const {
    vec<Element, 1> one;
    one[0] = sum;
    apply_epilogue<d.stored>(args.epilogue, from, column, output_offset<d>(args, c, row, column), one);
    return one[0];
  }
};

/// Each lane stores its accumulators where they belong, one element at a time.
template <Derived d, class Finish>
ZELLIGE_DEVICE void store_direct(const GemmArgs& args, const OutputMatrix& c, const OutputPlace& at,
                                 const WaveMma<d.wave>& wave, const Finish& finish) {
  constexpr Mma mma = d.wave.mma;
  const Coordinate lane_at = mma.c.of_lane(at.lane);
  std::uint32_t row0 = at.block_m + at.wave_row * d.wave_m + lane_at.row;
  const std::uint32_t column0 = at.block_n + at.wave_column * d.wave_n + lane_at.column;
  ZELLIGE_UNROLL
  for (int i = 0; i < d.wave.atoms_m; ++i) {
    ZELLIGE_UNROLL
    for (int j = 0; j < d.wave.atoms_n; ++j) {
      ZELLIGE_UNROLL
      for (int s = 0; s < mma.c.slots(); ++s) {
        const Coordinate slot_at = mma.c.of_slot(static_cast<unsigned>(s));
        const std::uint32_t row = row0 + i * mma.shape.m + slot_at.row;
        const std::uint32_t column = column0 + j * mma.shape.n + slot_at.column;
        store<d.bytes_stored>(c.buffer, output_offset<d>(args, c, row, column),
                              convert<d.stored>(finish(wave.accumulator[i][j][s], row, column)));
        if (Finish::changes && s % 4 == 3) row0 = fenced(row0);
      }
    }
  }
}

/// Slabs of rows pass through LDS, so that each lane stores `vector` consecutive elements and a wave whole lines.
template <Derived d, int vector, class Finish>
ZELLIGE_DEVICE void store_shuffled(const GemmArgs& args, const OutputMatrix& c, char* lds, const OutputPlace& at,
                                   const WaveMma<d.wave>& wave, const Finish& finish) {
  constexpr Mma mma = d.wave.mma;
  constexpr int lanes = d.stage_b.rows / vector;  // that store a row of the block
  constexpr int rows_at_once = d.multiply_threads / lanes, packet_bytes = vector * d.bytes_stored;
  const Coordinate lane_at = mma.c.of_lane(at.lane);
  std::uint32_t row0 = at.block_m + at.wave_row * d.wave_m + lane_at.row;
  const std::uint32_t column0 = at.block_n + at.wave_column * d.wave_n + lane_at.column;
  char* const write = lds + (at.wave_row * mma.shape.m + lane_at.row) * d.shuffle_pitch +
                      (at.wave_column * d.wave_n + lane_at.column) * d.bytes_stored;
  const std::uint32_t read_row = at.thread / static_cast<unsigned>(lanes);
  const std::uint32_t read_column = at.thread % static_cast<unsigned>(lanes) * vector;
  ZELLIGE_UNROLL
  for (int i = 0; i < d.wave.atoms_m; ++i) {
    if (i > 0) barrier_lds();
    ZELLIGE_UNROLL
    for (int j = 0; j < d.wave.atoms_n; ++j) {
      ZELLIGE_UNROLL
      for (int s = 0; s < mma.c.slots(); ++s) {
        const Coordinate slot_at = mma.c.of_slot(static_cast<unsigned>(s));
        const auto sum = finish(wave.accumulator[i][j][s], row0 + i * mma.shape.m + slot_at.row,
                                column0 + j * mma.shape.n + slot_at.column);
        store_lds<d.bytes_stored>(
            write + slot_at.row * d.shuffle_pitch + (j * mma.shape.n + slot_at.column) * d.bytes_stored,
            convert<d.stored>(sum));
        if (Finish::changes && s % 4 == 3) row0 = fenced(row0);
      }
    }
    barrier_lds();
    ZELLIGE_UNROLL
    for (int r = 0; r < d.shuffle_rows; r += rows_at_once) {
      // Row r of the slab belongs to wave row r / shape.m, whose i-th row of atoms passes now.
      const std::uint32_t slab_row = read_row + r;
      const std::uint32_t row =
          at.block_m + slab_row / mma.shape.m * d.wave_m + i * mma.shape.m + slab_row % mma.shape.m;
      const std::uint32_t column = at.block_n + read_column;
      store<packet_bytes>(c.buffer, output_offset<d>(args, c, row, column),
                          load_lds<packet_bytes>(lds + slab_row * d.shuffle_pitch + read_column * d.bytes_stored));
    }
  }
}

}  // namespace zellige
