// A target's spelling of an opcode -> the name that the tables of operations give the operation.
//
// Law: gfx9's spelling is the canonical one where gfx9 has the operation, else the oldest target's. A row holds only
// for the generations that it names: where a later target gives an old name another meaning, the row leads to another
// operation ("name@meaning").
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace zellige::sim {

/// Generations as bits, so that a row can hold for several.
enum Generation : std::uint8_t {
  generation_gfx9 = 1,
  generation_gfx11 = 2,  ///< gfx1100, gfx1151
  generation_gfx12 = 4,  ///< gfx1201
  generation_gfx1250 = 8,
};
inline constexpr std::uint8_t gfx11_up = generation_gfx11 | generation_gfx12 | generation_gfx1250,
                              gfx12_up = generation_gfx12 | generation_gfx1250;

/// The generation of a processor name such as "gfx1151"; generation_gfx9 for names of none of the others.
Generation generation_of(std::string_view target);

struct Alias {
  std::string_view name, canonical;
  std::uint8_t generations;  ///< bits of Generation
};

/// Memory instructions: global, flat, scratch, buffer, scalar, LDS.
std::span<const Alias> memory_aliases();

/// The canonical name of `mnemonic` (without _e32, _e64, _dpp) on `target`: itself when no row says otherwise.
std::string_view canonical_mnemonic(std::string_view mnemonic, std::string_view target);

}  // namespace zellige::sim
