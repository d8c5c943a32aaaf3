// Fragments out of a tile whose lines in LDS run along the operand's rows, by transposed LDS reads.
//
// The lanes get the elements that FragmentReader would give them from a tile with lines along k, so the other operand
// may be read either way.
#pragma once

#include "zellige/atom/lds_copy.hpp"
#include "zellige/tile/shape.hpp"

namespace zellige {

/// A wave's reads of one operand: `atoms` atoms of `atom_rows` rows, `pack` of them along k at once.
template <LaneMap map, int pack, LdsTile lds, int bytes, int atom_k, int atom_rows, int atoms, int load_bytes>
class TransposedReader {
  static constexpr int owned = k_slots(map) * pack;    // consecutive k of a lane
  static constexpr int elements = load_bytes / bytes;  // of a read: as many k, of one row
  static constexpr int together = 64 / elements;       // lanes that exchange elements: as many rows
  static constexpr int lanes_of_line = together / elements;
  static constexpr int reads = owned / elements;
  static_assert(map.slots() == k_slots(map) && owned % elements == 0 && atom_rows % together == 0);
  // Steps of k are constants beside a lane's address: they keep the swizzle.
  static_assert(atom_k * pack % lds.period() == 0);
  static_assert(reads == 1 || elements % lds.period() == 0 || 1 << lds.skipped_bit == elements);

 public:
  static constexpr int words = owned * bytes / 4;
  using Fragment = vec<std::uint32_t, words>;

  ZELLIGE_DEVICE TransposedReader(std::uint32_t lane, std::uint32_t first_row) {
    constexpr LaneMap fragments = k_contiguous(map, pack);
    constexpr LdsTile tile = lds;
    const std::uint32_t within = lane % static_cast<unsigned>(together);
    const Coordinate at = fragments.of_lane(lane - within);  // of the first of the lanes that exchange
    const std::uint32_t k = at.column + within / static_cast<unsigned>(lanes_of_line);
    const std::uint32_t row = first_row + at.row + within % static_cast<unsigned>(lanes_of_line) * elements;
    ZELLIGE_UNROLL
    for (int i = 0; i < atoms; ++i) address_[i] = tile.address(k, (row + i * atom_rows) * bytes);
  }

  /// The fragment of k step `step`, `row_offset` rows further on (a multiple of atom_rows).
  ZELLIGE_DEVICE Fragment read(const char* tile, int step, int row_offset) const {
    constexpr int pitch = lds.pitch_bytes;
    Fragment fragment;
    ZELLIGE_UNROLL
    for (int r = 0; r < reads; ++r) {
      const int k = step * atom_k * pack + r * elements;
      const auto packet = load_lds_transposed<load_bytes>(tile + address_[row_offset / atom_rows] + k * pitch);
      ZELLIGE_UNROLL
      for (int w = 0; w < load_bytes / 4; ++w) fragment[r * (load_bytes / 4) + w] = packet[w];
    }
    return fragment;
  }

 private:
  std::uint32_t address_[atoms];
};

}  // namespace zellige
