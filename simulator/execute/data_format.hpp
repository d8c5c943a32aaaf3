// Data formats of typed buffer accesses on gfx11 and gfx12: what the 6-bit format numbers mean.
//
// Formats whose components have one width (8, 16 or 32 bits) are known; the packed ones (10_11_11, 10_10_10_2, ...) are
// not. [The numbers are those of LLVM's assembler for gfx11.]
#pragma once

#include <cstdint>

namespace zellige::sim {

enum class NumberFormat : std::uint8_t { unorm, snorm, uscaled, sscaled, uint, sint, number };

struct BufferFormat {
  std::uint8_t components = 0;  ///< 0: not known
  std::uint8_t bits = 0;        ///< of each component
  NumberFormat kind = NumberFormat::unorm;

  [[gnu::always_inline]] std::uint32_t bytes() const { return components * bits / 8u; }
  [[gnu::always_inline]] bool is_integer() const { return kind == NumberFormat::uint || kind == NumberFormat::sint; }
};

[[gnu::always_inline]] inline BufferFormat buffer_format(std::uint32_t number) {
  // Blocks of consecutive kinds: 8 and 16-bit ones from unorm on (16 bits with float), 32-bit ones from uint on.
  struct Block {
    std::uint8_t first, count, components, bits, first_kind;
  };
  constexpr Block blocks[] = {{1, 6, 1, 8, 0},   {7, 7, 1, 16, 0}, {14, 6, 2, 8, 0},  {20, 3, 1, 32, 4},
                              {23, 7, 2, 16, 0}, {42, 6, 4, 8, 0}, {48, 3, 2, 32, 4}, {51, 7, 4, 16, 0},
                              {58, 3, 3, 32, 4}, {61, 3, 4, 32, 4}};
  for (const Block& block : blocks)
    if (number >= block.first && number < std::uint32_t{block.first} + block.count)
      return {block.components, block.bits, static_cast<NumberFormat>(block.first_kind + number - block.first)};
  return {};
}

/// The number in a descriptor's fourth word.
[[gnu::always_inline]] inline std::uint32_t format_of_descriptor(std::uint32_t word3) { return word3 >> 12 & 63; }
/// What component `component` of a load by a descriptor's format gives: 0 and 1 those numbers, 4 to 7 the element's
/// components.
[[gnu::always_inline]] inline std::uint32_t selection_of_descriptor(std::uint32_t word3, int component) {
  return word3 >> (3 * component) & 7;
}

}  // namespace zellige::sim
