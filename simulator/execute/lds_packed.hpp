// Elements of fewer than 32 bits that are packed into consecutive rows of one lane, low bits first, across row borders.
#pragma once

#include <cstdint>

#include "simulator/execute/wave.hpp"

namespace zellige::sim {

/// Element `index` of `bits` bits of a lane whose packed elements lie in consecutive rows.
template <int bits>
[[gnu::always_inline]] constexpr std::uint32_t packed_element(const std::uint32_t* rows, int lane, int index) {
  constexpr std::uint32_t mask = (1u << bits) - 1;
  const int bit = index * bits, row = bit / 32, shift = bit % 32;
  std::uint64_t window = rows[row * row_lanes + lane];
  if (shift + bits > 32) window |= std::uint64_t{rows[(row + 1) * row_lanes + lane]} << 32;
  return static_cast<std::uint32_t>(window >> shift) & mask;
}

/// Ors an element into rows that hold zeros there.
template <int bits>
[[gnu::always_inline]] constexpr void place_packed_element(std::uint32_t* rows, int lane, int index,
                                                           std::uint32_t value) {
  const int bit = index * bits, row = bit / 32, shift = bit % 32;
  rows[row * row_lanes + lane] |= value << shift;
  if (shift + bits > 32) rows[(row + 1) * row_lanes + lane] |= value >> (32 - shift);
}

}  // namespace zellige::sim
