// How long a matrix instruction holds the matrix core, in passes of 4 clocks.
//
// Operation::passes holds what every target that has the spelling takes; this adds what depends on the target or on the
// operands' formats. The figures reproduce the published peak rates: CUs * 4 * FLOP / (4 * passes) * clock.
//
// WMMA: gfx11 does 256 FLOP (iu4: 512) a clock and SIMD, gfx12 512 (8 and 4 bits: 1024, sparse twice that), two SIMDs
// a CU: AMD's matrix instruction calculator lists the same cycles, and CUs * 2 * FLOP / (4 * passes) * clock gives the
// peaks in core/arch.hpp. gfx1250's are derived from the announced 20 PFLOP/s of fp8 for 1024 SIMDs at 2.4 GHz: 4096
// FLOP of 16-bit types a clock and SIMD, 8192 of 8-bit ones, 16384 of fp6 and fp4; a pass is the least that this table
// can say.
#pragma once

#include <string_view>

#include "simulator/execute/operation.hpp"

namespace zellige::sim {

/// `control` is Instruction::offset2: cbsz and blgp name the formats of the f8f6f4 instructions (fp6, bf6 and fp4 from
/// 2 up).
constexpr int matrix_passes(const Operation& operation, std::string_view target, std::int32_t control) {
  if (target == "gfx950" && operation.mnemonic == "v_mfma_f64_16x16x4_f64") return 16;
  // gfx12's small shapes on gfx1250: 8192 to 16384 FLOP each.
  if (target == "gfx1250" && operation.passes > 1 &&
      (operation.mnemonic.find("_16x16x16_") != std::string_view::npos || operation.mnemonic.ends_with("_iu4") ||
       (operation.mnemonic.starts_with("v_swmmac") && operation.mnemonic.find("_16x16x32_") != std::string_view::npos)))
    return 1;
  if (operation.mnemonic.ends_with("_f8f6f4")) {
    const bool wide = (control & 0xff) < 2 || (control >> 16 & 0xff) < 2;
    return wide ? operation.passes : operation.passes / 2;
  }
  return operation.passes;
}

}  // namespace zellige::sim
