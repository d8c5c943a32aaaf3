// How long a matrix instruction holds the matrix core, in passes of 4 clocks.
//
// Operation::passes holds what every target that has the spelling takes; this adds what depends on the target or on the
// operands' formats. The figures reproduce the published peak rates: CUs * 4 * FLOP / (4 * passes) * clock.
#pragma once

#include <string_view>

#include "simulator/execute/operation.hpp"

namespace zellige::sim {

/// `control` is Instruction::offset2: cbsz and blgp name the formats of the f8f6f4 instructions (fp6, bf6 and fp4 from
/// 2 up).
constexpr int matrix_passes(const Operation& operation, std::string_view target, std::int32_t control) {
  if (target == "gfx950" && operation.mnemonic == "v_mfma_f64_16x16x4_f64") return 16;
  if (operation.mnemonic.ends_with("_f8f6f4")) {
    const bool wide = (control & 0xff) < 2 || (control >> 16 & 0xff) < 2;
    return wide ? operation.passes : operation.passes / 2;
  }
  return operation.passes;
}

}  // namespace zellige::sim
