// gfx950's v_mfma_f32_16x16x128_f8f6f4 and v_mfma_f32_32x32x64_f8f6f4, with and without block scales.
//
// cbsz and blgp name the formats of A and B: 0 fp8, 1 bf8, 2 fp6, 3 bf6, 4 fp4. A lane holds 32 elements of one row.
// With lane = row + M * g the 6 and 4-bit formats hold k = 32 * g + s in slot s, the 8-bit ones k = K / 2 * (s / 16) +
// 16 * g + s % 16. A scale (E8M0: 2^(byte - 127), 255 is NaN) serves a row's 32 consecutive k, k / 32 = h, and is the
// byte that op_sel chooses in lane row + M * h. [Measured on hardware in public logs for fp8; the placement of 6 and
// 4-bit elements is the plain rule.] Scaled operands are held in fp32, so a scale that takes a value out of fp32's
// range gives infinity or loses it.
#include "simulator/execute/global_bounds.hpp"
#include "simulator/execute/lds_packed.hpp"
#include "simulator/execute/matrix_formats.hpp"
#include "simulator/execute/matrix_operands.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

constexpr int lane_elements = 32;

template <MatrixShape S, int bits>
inline void unpack(const std::uint32_t* rows, const float* table, const float* scales, float* to) {
  for (int lane = 0; lane < row_lanes; ++lane) {
    const int row = lane % S.m, group = lane / S.m;
    for (int slot = 0; slot < lane_elements; ++slot) {
      const int k = bits == 8 ? S.k / 2 * (slot / 16) + 16 * group + slot % 16 : lane_elements * group + slot;
      const int target = row + S.m * (k / lane_elements);
      const float value = table[packed_element<bits>(rows, lane, slot)];
      to[k % lane_elements * row_lanes + target] = scales ? value * scales[target] : value;
    }
  }
}

/// One operand in the layout that multiply() takes; false if `format` is none.
template <MatrixShape S>
inline bool unpack_operand(const std::uint32_t* rows, int format, const float* scales, float* to) {
  if (format > 4) return false;
  const auto narrow = static_cast<NarrowFormat>(format);
  const float* table = narrow_table(narrow);
  switch (narrow_bits(narrow)) {
    case 8:
      unpack<S, 8>(rows, table, scales, to);
      break;
    case 6:
      unpack<S, 6>(rows, table, scales, to);
      break;
    default:
      unpack<S, 4>(rows, table, scales, to);
      break;
  }
  return true;
}

/// The factor in each lane of a scale operand.
inline void scale_factors(Wave& wave, const Operand& operand, float* factors) {
  const int shift =
      8 * ((operand.modifiers & modifier_op_sel ? 1 : 0) + (operand.modifiers & modifier_op_sel_high ? 2 : 0));
  for (int lane = 0; lane < row_lanes; ++lane) {
    const std::uint32_t word = operand.kind == OperandKind::vector     ? wave.row(operand.index)[lane]
                               : operand.kind == OperandKind::constant ? operand.rows[0]
                                                                       : wave.scalar[operand.index];
    const std::uint32_t exponent = word >> shift & 0xffu;
    const std::uint32_t bits = exponent == 255 ? 0x7fc00000u : exponent == 0 ? 0x00400000u : exponent << 23;
    factors[lane] = __builtin_bit_cast(float, bits);
  }
}

template <MatrixShape S, bool scaled>
const Instruction* mfma_f8f6f4(Wave& wave, const Instruction* instruction) {
  alignas(64) float a[lane_elements * row_lanes], b[lane_elements * row_lanes];
  alignas(64) float a_scales[row_lanes], b_scales[row_lanes];
  const MatrixModifiers formats = matrix_modifiers(instruction);
  if constexpr (scaled) {
    scale_factors(wave, instruction->src[3], a_scales);
    scale_factors(wave, instruction->dst2, b_scales);
  }
  if (!unpack_operand<S>(wave.row(instruction->src[0].index), formats.cbsz, scaled ? a_scales : nullptr, a) ||
      !unpack_operand<S>(wave.row(instruction->src[1].index), formats.blgp, scaled ? b_scales : nullptr, b))
    return fault_wave(wave, instruction, "cbsz or blgp is over 4, which names no format of f8f6f4 operands");
  const Accumulator<float> c = accumulator<float>(wave, instruction->src[2]);
  multiply<S, float>(a, b, c.at, c.uniform, reinterpret_cast<float*>(wave.row(instruction->dst.index)), 0, 0);
  return instruction + 1;
}

/// A and B are 8, 6 or 4 registers, by their formats.
constexpr Operation scaled_row(std::string_view mnemonic, MatrixShape shape, Handler handler, int passes) {
  Operation operation = matrix_row(mnemonic, shape, 8, handler, passes);
  operation.src[3] = operation.dst2 = ValueType::b32;
  return operation;
}

constexpr MatrixShape x16{16, 16, 128, 1}, x32{32, 32, 64, 1};

constexpr Operation table[] = {
    matrix_row("v_mfma_f32_16x16x128_f8f6f4", x16, 8, mfma_f8f6f4<x16, false>, 8),
    matrix_row("v_mfma_f32_32x32x64_f8f6f4", x32, 8, mfma_f8f6f4<x32, false>, 16),
    scaled_row("v_mfma_scale_f32_16x16x128_f8f6f4", x16, mfma_f8f6f4<x16, true>, 8),
    scaled_row("v_mfma_scale_f32_32x32x64_f8f6f4", x32, mfma_f8f6f4<x32, true>, 16),
};

}  // namespace

OperationTable matrix_scaled_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
