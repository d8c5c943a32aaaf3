// v_mfma_f32_* with f16, bf16 and f32 operands.
//
// gfx90a's spelling (32x32x8f16) carries its behaviour: it flushes f16 and bf16 denormals of the inputs and f32
// denormals of the result; the spelling of gfx940 and later (32x32x8_f16) does not. EXEC is ignored.
#include "simulator/execute/matrix_convert.hpp"
#include "simulator/execute/matrix_operands.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

template <MatrixShape S, Input I, bool flush>
const Instruction* mfma_16(Wave& wave, const Instruction* instruction) {
  constexpr int registers = S.k_lane() / 2;
  alignas(64) float a[S.k_lane() * row_lanes], b[S.k_lane() * row_lanes];
  alignas(64) std::uint32_t permuted[registers * row_lanes];
  const MatrixModifiers modifiers = matrix_modifiers(instruction);
  widen<I, flush, registers>(wave.row(instruction->src[0].index), a);
  widen<I, flush, registers>(permute_lanes<registers>(wave.row(instruction->src[1].index), modifiers.blgp, permuted),
                             b);
  const Accumulator<float> c = accumulator<float>(wave, instruction->src[2]);
  std::uint32_t* d = wave.row(instruction->dst.index);
  multiply<S, float>(a, b, c.at, c.uniform, reinterpret_cast<float*>(d), modifiers.cbsz, modifiers.abid);
  if constexpr (flush) flush_floats(d, S.slots());
  return instruction + 1;
}

template <MatrixShape S>
const Instruction* mfma_32(Wave& wave, const Instruction* instruction) {
  alignas(64) float a[S.k_lane() * row_lanes], b[S.k_lane() * row_lanes];
  alignas(64) std::uint32_t permuted[S.k_lane() * row_lanes];
  const MatrixModifiers modifiers = matrix_modifiers(instruction);
  __builtin_memcpy(a, wave.row(instruction->src[0].index), sizeof a);
  __builtin_memcpy(b, permute_lanes<S.k_lane()>(wave.row(instruction->src[1].index), modifiers.blgp, permuted),
                   sizeof b);
  const Accumulator<float> c = accumulator<float>(wave, instruction->src[2]);
  multiply<S, float>(a, b, c.at, c.uniform, reinterpret_cast<float*>(wave.row(instruction->dst.index)), modifiers.cbsz,
                     modifiers.abid);
  return instruction + 1;
}

constexpr MatrixShape x4{4, 4, 4, 16}, x16_4{16, 16, 4, 4}, x32_4{32, 32, 4, 2}, x16_16{16, 16, 16, 1},
    x32_8{32, 32, 8, 1};
constexpr MatrixShape x16_32{16, 16, 32, 1}, x32_16{32, 32, 16, 1};
constexpr MatrixShape half_x4{4, 4, 2, 16}, half_x16_2{16, 16, 2, 4}, half_x32_2{32, 32, 2, 2},
    half_x16_8{16, 16, 8, 1}, half_x32_4{32, 32, 4, 1};
constexpr MatrixShape f_x4{4, 4, 1, 16}, f_x16_1{16, 16, 1, 4}, f_x32_1{32, 32, 1, 2}, f_x16_4{16, 16, 4, 1},
    f_x32_2{32, 32, 2, 1};

constexpr Operation table[] = {
    // gfx90a
    matrix_row("v_mfma_f32_4x4x4f16", x4, 16, mfma_16<x4, Input::f16, true>, 2),
    matrix_row("v_mfma_f32_16x16x4f16", x16_4, 16, mfma_16<x16_4, Input::f16, true>, 8),
    matrix_row("v_mfma_f32_32x32x4f16", x32_4, 16, mfma_16<x32_4, Input::f16, true>, 16),
    matrix_row("v_mfma_f32_16x16x16f16", x16_16, 16, mfma_16<x16_16, Input::f16, true>, 8),
    matrix_row("v_mfma_f32_32x32x8f16", x32_8, 16, mfma_16<x32_8, Input::f16, true>, 16),
    matrix_row("v_mfma_f32_4x4x4bf16_1k", x4, 16, mfma_16<x4, Input::bf16, true>, 2),
    matrix_row("v_mfma_f32_16x16x4bf16_1k", x16_4, 16, mfma_16<x16_4, Input::bf16, true>, 8),
    matrix_row("v_mfma_f32_32x32x4bf16_1k", x32_4, 16, mfma_16<x32_4, Input::bf16, true>, 16),
    matrix_row("v_mfma_f32_16x16x16bf16_1k", x16_16, 16, mfma_16<x16_16, Input::bf16, true>, 8),
    matrix_row("v_mfma_f32_32x32x8bf16_1k", x32_8, 16, mfma_16<x32_8, Input::bf16, true>, 16),
    matrix_row("v_mfma_f32_4x4x2bf16", half_x4, 16, mfma_16<half_x4, Input::bf16, true>, 2),
    matrix_row("v_mfma_f32_16x16x2bf16", half_x16_2, 16, mfma_16<half_x16_2, Input::bf16, true>, 8),
    matrix_row("v_mfma_f32_32x32x2bf16", half_x32_2, 16, mfma_16<half_x32_2, Input::bf16, true>, 16),
    matrix_row("v_mfma_f32_16x16x8bf16", half_x16_8, 16, mfma_16<half_x16_8, Input::bf16, true>, 8),
    matrix_row("v_mfma_f32_32x32x4bf16", half_x32_4, 16, mfma_16<half_x32_4, Input::bf16, true>, 16),
    matrix_row("v_mfma_f32_4x4x1f32", f_x4, 32, mfma_32<f_x4>, 2),
    matrix_row("v_mfma_f32_16x16x1f32", f_x16_1, 32, mfma_32<f_x16_1>, 8),
    matrix_row("v_mfma_f32_32x32x1f32", f_x32_1, 32, mfma_32<f_x32_1>, 16),
    matrix_row("v_mfma_f32_16x16x4f32", f_x16_4, 32, mfma_32<f_x16_4>, 8),
    matrix_row("v_mfma_f32_32x32x2f32", f_x32_2, 32, mfma_32<f_x32_2>, 16),
    // gfx942, gfx950
    matrix_row("v_mfma_f32_4x4x4_16b_f16", x4, 16, mfma_16<x4, Input::f16, false>, 2),
    matrix_row("v_mfma_f32_16x16x4_4b_f16", x16_4, 16, mfma_16<x16_4, Input::f16, false>, 8),
    matrix_row("v_mfma_f32_32x32x4_2b_f16", x32_4, 16, mfma_16<x32_4, Input::f16, false>, 16),
    matrix_row("v_mfma_f32_16x16x16_f16", x16_16, 16, mfma_16<x16_16, Input::f16, false>, 4),
    matrix_row("v_mfma_f32_32x32x8_f16", x32_8, 16, mfma_16<x32_8, Input::f16, false>, 8),
    matrix_row("v_mfma_f32_4x4x4_16b_bf16", x4, 16, mfma_16<x4, Input::bf16, false>, 2),
    matrix_row("v_mfma_f32_16x16x4_4b_bf16", x16_4, 16, mfma_16<x16_4, Input::bf16, false>, 8),
    matrix_row("v_mfma_f32_32x32x4_2b_bf16", x32_4, 16, mfma_16<x32_4, Input::bf16, false>, 16),
    matrix_row("v_mfma_f32_16x16x16_bf16", x16_16, 16, mfma_16<x16_16, Input::bf16, false>, 4),
    matrix_row("v_mfma_f32_32x32x8_bf16", x32_8, 16, mfma_16<x32_8, Input::bf16, false>, 8),
    matrix_row("v_mfma_f32_4x4x1_16b_f32", f_x4, 32, mfma_32<f_x4>, 2),
    matrix_row("v_mfma_f32_16x16x1_4b_f32", f_x16_1, 32, mfma_32<f_x16_1>, 8),
    matrix_row("v_mfma_f32_32x32x1_2b_f32", f_x32_1, 32, mfma_32<f_x32_1>, 16),
    matrix_row("v_mfma_f32_16x16x4_f32", f_x16_4, 32, mfma_32<f_x16_4>, 8),
    matrix_row("v_mfma_f32_32x32x2_f32", f_x32_2, 32, mfma_32<f_x32_2>, 16),
    // gfx950
    matrix_row("v_mfma_f32_16x16x32_f16", x16_32, 16, mfma_16<x16_32, Input::f16, false>, 4),
    matrix_row("v_mfma_f32_32x32x16_f16", x32_16, 16, mfma_16<x32_16, Input::f16, false>, 8),
    matrix_row("v_mfma_f32_16x16x32_bf16", x16_32, 16, mfma_16<x16_32, Input::bf16, false>, 4),
    matrix_row("v_mfma_f32_32x32x16_bf16", x32_16, 16, mfma_16<x32_16, Input::bf16, false>, 8),
};

}  // namespace

OperationTable matrix_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
