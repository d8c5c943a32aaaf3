// A wave multiplies its part of the tiles in LDS into its accumulators.
//
// The order of k inside a tile is free as long as A and B agree. So each lane reads `pack` atoms' worth of consecutive
// k with one wide LDS read (k_contiguous), and each atom takes its piece of it.
#pragma once

#include "zellige/tile/transposed_reader.hpp"

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

  /// The operand's row, relative to the lane's first, that line `line` holds.
  static ZELLIGE_HD constexpr int row_of(int line) {
    return k_contiguous(map, pack).of_slot(static_cast<unsigned>(line * (slots / lines * pack))).row;
  }
  /// The first line from which line `line` is whole swizzle periods away: constants lead from its address.
  static ZELLIGE_HD constexpr int base_of(int line) {
    const int period = LdsTile(lds).period();
    for (int base = 0; base < line; ++base) {
      if ((row_of(line) - row_of(base)) % period == 0) return base;
    }
    return line;
  }

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
      for (int line = 0; line < lines; ++line) {
        if (base_of(line) != line) continue;
        ZELLIGE_UNROLL
        for (int p = 0; p < packets; ++p) {
          address_[step][line][p] = tile.address(first_row + at.row + row_of(line),
                                                 (at.column + step * atom_k * pack) * bytes + p * packet_bytes);
        }
      }
    }
  }

  /// The fragment of k step `step`, `row_offset` rows further on (a multiple of the swizzle's period).
  ZELLIGE_DEVICE Fragment read(const char* tile, int step, int row_offset) const {
    constexpr int pitch = lds.pitch_bytes;
    Fragment fragment;
    ZELLIGE_UNROLL
    for (int line = 0; line < lines; ++line) {
      const int base = base_of(line), rows = row_offset + row_of(line) - row_of(base);
      ZELLIGE_UNROLL
      for (int p = 0; p < packets; ++p) {
        const auto packet = load_lds<packet_bytes>(tile + address_[step][base][p] + rows * pitch);
        ZELLIGE_UNROLL
        for (int w = 0; w < packet_bytes / 4; ++w) fragment[(line * packets + p) * (packet_bytes / 4) + w] = packet[w];
      }
    }
    return fragment;
  }

 private:
  std::uint32_t address_[steps][lines][packets];  // of lines that are their own base
};

/// The reader of an operand: by transposed reads of `transposed` bytes, or plain ones.
template <LaneMap map, LdsTile lds, int atom_rows, int atoms, int transposed, WaveShape shape>
using ReaderOf = std::conditional_t<transposed != 0,
                                    TransposedReader<map, shape.pack, lds, shape.bytes, shape.mma.shape.k, atom_rows,
                                                     atoms, transposed != 0 ? transposed : 8>,
                                    FragmentReader<map, shape.pack, lds, shape.bytes, shape.steps, shape.mma.shape.k>>;

/// The accumulators of one wave and what it multiplies into them.
template <WaveShape shape>
class WaveMma {
  static constexpr int atoms_m = shape.atoms_m, atoms_n = shape.atoms_n;
  using ReaderA = ReaderOf<shape.mma.a, shape.tile_a, shape.mma.shape.m, shape.atoms_m, shape.transposed_a, shape>;
  using ReaderB = ReaderOf<shape.mma.b, shape.tile_b, shape.mma.shape.n, shape.atoms_n, shape.transposed_b, shape>;

 public:
  // One k step of an operand.
  using FragmentsA = typename ReaderA::Fragment[atoms_m];
  using FragmentsB = typename ReaderB::Fragment[atoms_n];
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

  ZELLIGE_DEVICE void read(const char* tile_a, const char* tile_b, int step, FragmentsA& a, FragmentsB& b) const {
    ZELLIGE_UNROLL
    for (int i = 0; i < atoms_m; ++i) a[i] = a_.read(tile_a, step, i * shape.mma.shape.m);
    ZELLIGE_UNROLL
    for (int j = 0; j < atoms_n; ++j) b[j] = b_.read(tile_b, step, j * shape.mma.shape.n);
  }

  /// accumulator += A * B of these fragments: pack * atoms_m * atoms_n matrix instructions.
  ZELLIGE_DEVICE void multiply(const FragmentsA& a, const FragmentsB& b) { multiply_pieces<0>(a, b); }

  /// Both, one k step.
  ZELLIGE_DEVICE void multiply(const char* tile_a, const char* tile_b, int step) {
    FragmentsA a;
    FragmentsB b;
    read(tile_a, tile_b, step, a, b);
    multiply(a, b);
  }

  Accumulator accumulator[atoms_m][atoms_n];

 private:
  template <int piece>
  ZELLIGE_DEVICE void multiply_pieces(const FragmentsA& a, const FragmentsB& b) {
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
