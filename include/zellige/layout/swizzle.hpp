// How the rows of a tile lie in LDS, and a proof that a wave's accesses meet no bank twice.
//
// LDS serves a wave in phases: in a phase a fixed group of lanes is served, and each bank delivers one 4-byte word. A
// phase takes as many cycles as its busiest bank has different words; one is free of conflicts. Rows whose pitch is a
// multiple of all banks' width put a column of the tile into one bank. Two cures:
//
// - swizzled: 16-byte chunks of a row are permuted, chunk ^ (row / rows that fill all banks once). No bytes are lost.
// - padded: the pitch becomes an odd number of chunks. Costs 16 bytes a row, which can cost a workgroup of occupancy.
//
//   constexpr LdsTile tile = make_lds_tile(LdsLayout::swizzled, 128, 64, 32);
//   std::uint32_t byte = tile.address(row, k * 2);
#pragma once

#include "zellige/core/arch.hpp"
#include "zellige/core/array.hpp"
#include "zellige/core/math.hpp"

namespace zellige {

/// How a tile's rows lie in LDS, so that a wave's reads meet no bank twice.
enum class LdsLayout : int {
  swizzled = 0,  ///< 16-byte chunks of a row are permuted by xor with the row: no bytes lost
  padded = 1,    ///< 16 bytes follow each row where its length is an even number of them
};

/// A tile of rows in LDS. Law: address() is injective on rows x row_bytes and below bytes(); 16-byte chunks stay whole.
struct LdsTile {
  LdsLayout layout = LdsLayout::swizzled;
  int rows = 0, row_bytes = 0;
  int pitch_bytes = 0;                          ///< from row to row
  int row_shift = 0, row_factor = 1, mask = 0;  ///< chunk ^ ((row >> row_shift) * row_factor & mask)
  int skipped_bit = -1;                         ///< of the row's number, left out of it in that formula

  /// What the chunks of a row are permuted by: chunk ^ chunk_step(row).
  ZELLIGE_HD constexpr std::uint32_t chunk_step(std::uint32_t row) const {
    if (skipped_bit >= 0) {
      const std::uint32_t below = (1u << skipped_bit) - 1;
      row = (row & below) | (row >> 1 & ~below);
    }
    return (row >> row_shift) * static_cast<std::uint32_t>(row_factor) & static_cast<std::uint32_t>(mask);
  }

  /// The byte offset in the tile of byte `byte` of row `row`.
  ZELLIGE_HD constexpr std::uint32_t address(std::uint32_t row, std::uint32_t byte) const {
    const std::uint32_t step = chunk_step(row);
    return row * static_cast<std::uint32_t>(pitch_bytes) + (byte ^ step << 4);
  }

  /// address(row + n * period(), byte) == address(row, byte) + n * period() * pitch_bytes: such steps can be constants.
  ZELLIGE_HD constexpr int period() const {
    if (mask == 0) return 1;
    const int rows_apart = (mask / (row_factor & -row_factor) + 1) << row_shift;
    return skipped_bit >= 0 && rows_apart > 1 << skipped_bit ? 2 * rows_apart : rows_apart;
  }
  ZELLIGE_HD constexpr int bytes() const { return rows * pitch_bytes; }

  bool operator==(const LdsTile&) const = default;
};

/// The tile of `rows` rows of `row_bytes` (a multiple of 16; a power of two when swizzled) in an LDS of `banks` banks.
ZELLIGE_HD constexpr LdsTile make_lds_tile(LdsLayout layout, int rows, int row_bytes, int banks) {
  LdsTile tile{.layout = layout, .rows = rows, .row_bytes = row_bytes, .pitch_bytes = row_bytes};
  const int chunks = row_bytes / 16, all_banks = banks / 4;  // both in chunks
  if (layout == LdsLayout::padded) {
    tile.pitch_bytes += chunks % 2 == 0 ? 16 : 0;
  } else if (chunks > 1) {
    tile.row_shift = chunks < all_banks ? log2_floor(static_cast<std::uint64_t>(all_banks / chunks)) : 0;
    tile.mask = power_of_two_in(chunks, all_banks) - 1;
    // A phase of 64 banks takes rows 0-3 and 12-15 of a 16-row atom with one chunk, rows 4-11 with the chunk beside it.
    // Where four rows fill the banks, quarters 0 and 3, and 1 and 2, must therefore differ in the lowest bit: multiply
    // by 3 modulo 4.
    if (all_banks == 16 && chunks == 4) tile.row_factor = 3;
  }
  return tile;
}

/// The tile of `rows` rows whose columns are read by transposed loads. In a phase these take `segment` neighbouring
/// chunks (a power of two) of each of some rows, whose numbers differ in the lowest bits but for `skipped_bit` (-1: in
/// all of these).
ZELLIGE_HD constexpr LdsTile make_transposed_lds_tile(LdsLayout layout, int rows, int row_bytes, int banks, int segment,
                                                      int skipped_bit) {
  LdsTile tile = make_lds_tile(layout, rows, row_bytes, banks);
  if (layout == LdsLayout::padded) return tile;
  const int chunks = row_bytes / 16, all_banks = banks / 4;
  const int within = power_of_two_in(chunks, all_banks);  // chunks of a row before its banks come again
  tile.row_shift = log2_floor(static_cast<std::uint64_t>(all_banks / within));
  tile.row_factor = segment;
  tile.mask = segment < within ? within - segment : 0;
  tile.skipped_bit = tile.mask == 0 ? -1 : skipped_bit;
  return tile;
}

enum class LdsAccess : int { read, write };

/// The phases of one access width: group i is a mask of lanes 0 to 31; lanes 32 to 63 of a wave64 follow alike.
struct LdsPhases {
  int banks = 32;
  int count = 0;
  Array<std::uint32_t, 4> group{};
};

namespace detail {

ZELLIGE_HD constexpr std::uint32_t lanes_from_to(int first, int last) {
  return (last == 31 ? 0u : 1u << (last + 1)) - (1u << first);
}

ZELLIGE_HD constexpr LdsPhases consecutive_lanes(int banks, int lanes) {
  LdsPhases phases{.banks = banks, .count = 32 / lanes};
  for (int i = 0; i < phases.count; ++i) phases.group[i] = lanes_from_to(i * lanes, i * lanes + lanes - 1);
  return phases;
}

}  // namespace detail

/// The phases of an access of `bytes` a lane: 4, 8, 12 or 16 (fewer count as 4).
///
/// gfx950's reads of 8, 12 and 16 bytes and writes of 8 follow public measurements. The wide reads of gfx90a and gfx942
/// are taken to go in gfx950's 12-byte groups. Everything else is assumed to be consecutive lanes that move the LDS's
/// peak of 128 bytes a cycle.
ZELLIGE_HD constexpr LdsPhases lds_phases(Arch arch, LdsAccess access, int bytes) {
  using detail::consecutive_lanes;
  using detail::lanes_from_to;
  const LdsPhases groups_of_8{
      .banks = 32,
      .count = 4,
      .group = {{lanes_from_to(0, 3) | lanes_from_to(20, 23), lanes_from_to(4, 7) | lanes_from_to(16, 19),
                 lanes_from_to(8, 11) | lanes_from_to(28, 31), lanes_from_to(12, 15) | lanes_from_to(24, 27)}}};
  const LdsPhases groups_of_16{.banks = 64,
                               .count = 2,
                               .group = {{lanes_from_to(0, 3) | lanes_from_to(12, 15) | lanes_from_to(20, 27),
                                          lanes_from_to(4, 11) | lanes_from_to(16, 19) | lanes_from_to(28, 31), 0, 0}}};
  const int read_banks = access == LdsAccess::read ? arch_traits(arch).lds_banks : 32;
  const bool mfma = arch_traits(arch).matrix == MatrixPath::mfma;
  if (bytes <= 4) return consecutive_lanes(read_banks, 32);
  if (bytes <= 8) return consecutive_lanes(read_banks, read_banks / 2);
  if (access == LdsAccess::write || !mfma) return consecutive_lanes(read_banks, bytes <= 12 ? 8 : read_banks / 4);
  return bytes <= 12 || read_banks == 32 ? groups_of_8 : groups_of_16;
}

/// The cycles that the slowest phase takes when lane i accesses `bytes` at address(i): 1 means no bank conflict.
template <class Address>
constexpr int worst_bank_cycles(const LdsPhases& phases, int lanes, int bytes, Address address) {
  std::uint32_t worst = 0;
  for (int half = 0; half < lanes; half += 32) {
    for (int phase = 0; phase < phases.count; ++phase) {
      // Different words of each bank: lanes that want the same word share it.
      Array<std::uint32_t, 128> word{};
      Array<std::uint32_t, 64> load{};
      int words = 0;
      for (int lane = 0; lane < 32; ++lane) {
        if ((phases.group[phase] >> lane & 1u) == 0) continue;
        const std::uint32_t first = address(half + lane);
        for (std::uint32_t w = first / 4; w <= (first + static_cast<std::uint32_t>(bytes) - 1) / 4; ++w) {
          bool seen = false;
          for (int i = 0; i < words && !seen; ++i) seen = word[i] == w;
          if (seen) continue;
          word[words++] = w;
          std::uint32_t& here = load[static_cast<int>(w % static_cast<std::uint32_t>(phases.banks))];
          worst = max_of(worst, ++here);
        }
      }
    }
  }
  return static_cast<int>(worst);
}

}  // namespace zellige
