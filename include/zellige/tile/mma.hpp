// A wave multiplies its part of the tiles in LDS into its accumulators.
//
// The order of k inside a tile is free as long as A and B agree. So each lane reads `pack` atoms' worth of consecutive
// k with one wide LDS read (k_contiguous), and each atom takes its piece of it.
#pragma once

#include "zellige/atom/copy.hpp"
#include "zellige/tile/shape.hpp"

namespace zellige {

/// A wave's reads of one operand: fragments of `rows` (the operand's row coordinate is m for A, n for B) out of an
/// LdsTile.
template <LaneMap map, int pack, LdsTile lds, int bytes, int steps, int atom_k>
class FragmentReader {
  static constexpr LaneMap fragment_map = k_contiguous(map, pack);
  static constexpr int slots = map.slots();
  static constexpr int lines = slots / k_slots(map);               // rows of the operand that a lane holds
  static constexpr int line_bytes = slots / lines * pack * bytes;  // consecutive bytes that it holds of each
  static constexpr int packet_bytes = min_of(16, line_bytes);
  static constexpr int packets = line_bytes / packet_bytes;

 public:
  static constexpr int words = lines * line_bytes / 4;
  using Fragment = vec<std::uint32_t, words>;

  ZELLIGE_DEVICE FragmentReader(std::uint32_t lane, std::uint32_t first_row) {
    constexpr LaneMap fragments = fragment_map;
    constexpr LdsTile tile = lds;
    const Coordinate at = fragments.of_lane(lane);
    ZELLIGE_UNROLL
    for (int step = 0; step < steps; ++step) {
      ZELLIGE_UNROLL
      for (int p = 0; p < packets; ++p) {
        address_[step][p] =
            tile.address(first_row + at.row, (at.column + step * atom_k * pack) * bytes + p * packet_bytes);
      }
    }
  }

  /// The fragment of k step `step`, `row_offset` rows further on (a multiple of the swizzle's period).
  ZELLIGE_DEVICE Fragment read(const char* tile, int step, int row_offset) const {
    constexpr LaneMap fragments = fragment_map;
    constexpr int pitch = lds.pitch_bytes;
    Fragment fragment;
    ZELLIGE_UNROLL
    for (int line = 0; line < lines; ++line) {
      const int row = row_offset + fragments.of_slot(static_cast<unsigned>(line * (slots / lines * pack))).row;
      ZELLIGE_UNROLL
      for (int p = 0; p < packets; ++p) {
        const auto packet = load_lds<packet_bytes>(tile + address_[step][p] + row * pitch);
        ZELLIGE_UNROLL
        for (int w = 0; w < packet_bytes / 4; ++w) fragment[(line * packets + p) * (packet_bytes / 4) + w] = packet[w];
      }
    }
    return fragment;
  }

 private:
  std::uint32_t address_[steps][packets];
};

/// The accumulators of one wave and what it multiplies into them.
template <WaveShape shape>
class WaveMma {
  static constexpr int atoms_m = shape.atoms_m, atoms_n = shape.atoms_n;
  using ReaderA = FragmentReader<shape.mma.a, shape.pack, shape.tile_a, shape.bytes, shape.steps, shape.mma.shape.k>;
  using ReaderB = FragmentReader<shape.mma.b, shape.pack, shape.tile_b, shape.bytes, shape.steps, shape.mma.shape.k>;

 public:
  static constexpr int slots = shape.mma.c.slots();
  using Element = storage_t<shape.mma.accumulator>;
  using Accumulator = vec<Element, slots>;

  ZELLIGE_DEVICE WaveMma(std::uint32_t lane, std::uint32_t first_m, std::uint32_t first_n)
      : a_(lane, first_m), b_(lane, first_n) {
    ZELLIGE_UNROLL
    for (int i = 0; i < atoms_m; ++i) {
      ZELLIGE_UNROLL
      for (int j = 0; j < atoms_n; ++j) {
        ZELLIGE_UNROLL
        for (int s = 0; s < slots; ++s) accumulator[i][j][s] = Element{0};
      }
    }
  }

  /// accumulator += A tile * B tile, one k step: atoms_m + atoms_n LDS reads, pack * atoms_m * atoms_n matrix
  /// instructions.
  ZELLIGE_DEVICE void multiply(const char* tile_a, const char* tile_b, int step) {
    typename ReaderA::Fragment a[atoms_m];
    typename ReaderB::Fragment b[atoms_n];
    ZELLIGE_UNROLL
    for (int i = 0; i < atoms_m; ++i) a[i] = a_.read(tile_a, step, i * shape.mma.shape.m);
    ZELLIGE_UNROLL
    for (int j = 0; j < atoms_n; ++j) b[j] = b_.read(tile_b, step, j * shape.mma.shape.n);
    multiply_pieces<0>(a, b);
  }

  Accumulator accumulator[atoms_m][atoms_n];

 private:
  template <int piece>
  ZELLIGE_DEVICE void multiply_pieces(const typename ReaderA::Fragment (&a)[atoms_m],
                                      const typename ReaderB::Fragment (&b)[atoms_n]) {
    ZELLIGE_UNROLL
    for (int i = 0; i < atoms_m; ++i) {
      ZELLIGE_UNROLL
      for (int j = 0; j < atoms_n; ++j) {
        accumulator[i][j] =
            fma<shape.mma.op>(operand_of<shape.mma.a, shape.bytes, shape.pack, piece>(a[i]),
                              operand_of<shape.mma.b, shape.bytes, shape.pack, piece>(b[j]), accumulator[i][j]);
      }
    }
    if constexpr (piece + 1 < shape.pack) multiply_pieces<piece + 1>(a, b);
  }

  ReaderA a_;
  ReaderB b_;
};

}  // namespace zellige
