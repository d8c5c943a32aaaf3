// What MODE's rounding and denormal controls mean to an instruction, and the loop that runs waves in modes other than
// the usual one.
//
// Law: MODE[1:0] rounds results of f32 and MODE[3:2] those of f64 and f16 (0 nearest even, 1 up, 2 down, 3 to zero);
// MODE[5:4] and MODE[7:6] keep denormals of the same types: bit 0 as operands, bit 1 as results. Matrix, memory and
// integer instructions do not follow MODE. Handlers compute under the host's MXCSR, which has one rounding for all
// types: in the usual mode (0xf0) it never changes, in others this loop sets it before each instruction that needs
// another one, and flushes what comparing, selecting and half-precision handlers leave.
#pragma once

#include <cstdint>
#include <string_view>

#include "simulator/execute/instruction.hpp"

namespace zellige::sim {

class Observation;

/// An instruction's part in MODE, found when it is decoded.
struct FloatBehaviour {
  enum Width : std::uint8_t { none, single, other };  ///< f32; f64 and f16
  Width result = none;                                ///< the type that is rounded to
  Width operands = none;                              ///< the type of floating-point sources
  bool half_operands = false;                         ///< f16 sources, whose denormals the host's controls do not reach
  bool half_result = false;                           ///< f16 results, likewise
  bool selects = false;  ///< the result is one of the operands, which no arithmetic flushed
};

FloatBehaviour float_behaviour(const Instruction& instruction, std::string_view mnemonic);

inline constexpr std::uint32_t float_mode_bits = 0xff;   ///< MODE's rounding and denormal controls
inline constexpr std::uint32_t usual_float_mode = 0xf0;  ///< nearest even, all denormals kept

/// Runs from `next` until a handler stops the wave or MODE's float controls change (Wave::next then says where to go
/// on).
/// `observation`, when there is one, sees every instruction.
void run_in_float_mode(Wave& wave, const Instruction* next, Observation* observation);

}  // namespace zellige::sim
