// Sources of the mixed-precision instructions (v_fma_mix_*).
#pragma once

#include "simulator/execute/bf16_math.hpp"
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// op_sel_hi says that a source is a half, op_sel which of its register; signs come last.
struct MixedSource {
  const u32* row;
  bool half, high;
  u32 keep, flip;
  ZELLIGE_SIM_INLINE MixedSource(const Wave& wave, const Operand& operand, SourceRows& room)
      : row(source_rows<u32>(wave, operand, room)),
        half(operand.modifiers & modifier_op_sel_high),
        high(operand.modifiers & modifier_op_sel),
        keep(operand.modifiers & modifier_absolute ? 0x7fff'ffffu : ~0u),
        flip(operand.modifiers & modifier_negate ? 0x8000'0000u : 0) {}
  /// H: f16 or bf16.
  template <class H>
  ZELLIGE_SIM_INLINE void expand(f32* out) const {
    if (half) {
      const u32 shift = high ? 16 : 0;
      ZELLIGE_SIM_LANES {
        const f32 value = widen(bits_as<H>(static_cast<u16>(row[lane] >> shift)));
        out[lane] = bits_as<f32>((bits_as<u32>(value) & keep) ^ flip);
      }
    } else {
      ZELLIGE_SIM_LANES out[lane] = bits_as<f32>((row[lane] & keep) ^ flip);
    }
  }
};

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
