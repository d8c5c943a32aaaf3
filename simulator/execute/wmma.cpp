// v_wmma_* with f16, bf16 and f32 operands, of all targets.
//
// Products are exact and summed in f32 in the order of groups and slots (matrix_multiply.hpp); 16-bit results are
// rounded once, at the end, to nearest even. Denormals of inputs and results are kept. Hardware's order and
// intermediate rounding are not public: results that round may differ from a GPU's in the last bits. EXEC is ignored.
#include "simulator/execute/wmma_operands.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

enum class Sum : std::uint8_t { f32, f16, bf16 };

/// C is of type `addend` and D of type `result`.
template <WmmaShape S, Input I, Sum result, Sum addend>
const Instruction* wmma_16(Wave& wave, const Instruction* instruction) {
  constexpr int registers = S.k_lane() / 2;
  alignas(64) float a[S.k_lane() * row_lanes], b[S.k_lane() * row_lanes], sums[S.slots() * row_lanes];
  alignas(64) std::uint32_t flipped[registers * row_lanes];
  const std::uint32_t* a_rows = wave.row(instruction->src[0].index);
  const std::uint32_t* b_rows = wave.row(instruction->src[1].index);
  if constexpr (S.rows == WmmaRows::interleaved)
    if (!groups_agree<registers>(a_rows) || !groups_agree<registers>(b_rows)) return fault_groups(wave, instruction);
  widen<I, false, registers>(signed_rows<registers, 16>(a_rows, instruction->src[0].modifiers, flipped), a);
  widen<I, false, registers>(signed_rows<registers, 16>(b_rows, instruction->src[1].modifiers, flipped), b);
  const bool high = (instruction->dst.modifiers & modifier_op_sel) != 0;
  std::uint32_t* d = wave.row(instruction->dst.index);
  Accumulator<float> c{sums, false};
  if constexpr (addend == Sum::f32)
    c = signed_accumulator<S>(wave, instruction->src[2], sums);
  else
    widen_accumulator<S, addend == Sum::f16 ? Input::f16 : Input::bf16>(wave, instruction->src[2], high, sums);
  if constexpr (result == Sum::f32) {
    multiply<S, float>(a, b, c.at, c.uniform, reinterpret_cast<float*>(d), 0, 0);
  } else {
    multiply<S, float>(a, b, c.at, c.uniform, sums, 0, 0);
    pack_result<S, result == Sum::f16 ? Input::f16 : Input::bf16>(sums, d, high);
  }
  return instruction + 1;
}

template <WmmaShape S>
const Instruction* wmma_32(Wave& wave, const Instruction* instruction) {
  constexpr int registers = S.k_lane();
  alignas(64) float a[registers * row_lanes], b[registers * row_lanes], storage[S.slots() * row_lanes];
  alignas(64) std::uint32_t flipped[registers * row_lanes];
  __builtin_memcpy(
      a, signed_rows<registers, 32>(wave.row(instruction->src[0].index), instruction->src[0].modifiers, flipped),
      sizeof a);
  __builtin_memcpy(
      b, signed_rows<registers, 32>(wave.row(instruction->src[1].index), instruction->src[1].modifiers, flipped),
      sizeof b);
  const Accumulator<float> c = signed_accumulator<S>(wave, instruction->src[2], storage);
  multiply<S, float>(a, b, c.at, c.uniform, reinterpret_cast<float*>(wave.row(instruction->dst.index)), 0, 0);
  return instruction + 1;
}

constexpr ValueType f32 = ValueType::b256, f16 = ValueType::matrix_f16, bf16 = ValueType::matrix_bf16;
constexpr WmmaShape gfx11{16, lanes, 1, WmmaRows::interleaved}, gfx12{16, lanes, lanes / 16};
#if ZELLIGE_SIM_WAVE_LANES == 32
constexpr WmmaShape wide{32, 32, 2}, floats{4, 32, 2};
#endif

constexpr Operation table[] = {
// gfx11: 256 FLOP a clock and SIMD.
#define ZELLIGE_SIM_GFX11(target)                                                                                      \
  wmma_row("v_wmma_f32_16x16x16_f16@" target, gfx11, 16, f32, f32, wmma_16<gfx11, Input::f16, Sum::f32, Sum::f32>, 8), \
      wmma_row("v_wmma_f32_16x16x16_bf16@" target, gfx11, 16, f32, f32,                                                \
               wmma_16<gfx11, Input::bf16, Sum::f32, Sum::f32>, 8),                                                    \
      wmma_row("v_wmma_f16_16x16x16_f16@" target, gfx11, 16, f16, f16, wmma_16<gfx11, Input::f16, Sum::f16, Sum::f16>, \
               8),                                                                                                     \
      wmma_row("v_wmma_bf16_16x16x16_bf16@" target, gfx11, 16, bf16, bf16,                                             \
               wmma_16<gfx11, Input::bf16, Sum::bf16, Sum::bf16>, 8)
    ZELLIGE_SIM_GFX11("gfx1100"),
    ZELLIGE_SIM_GFX11("gfx1151"),
    ZELLIGE_SIM_GFX11("gfx11-generic"),
#undef ZELLIGE_SIM_GFX11
    // gfx12, gfx1250: 512 FLOP a clock and SIMD on gfx12.
    wmma_row("v_wmma_f32_16x16x16_f16", gfx12, 16, f32, f32, wmma_16<gfx12, Input::f16, Sum::f32, Sum::f32>, 4),
    wmma_row("v_wmma_f32_16x16x16_bf16", gfx12, 16, f32, f32, wmma_16<gfx12, Input::bf16, Sum::f32, Sum::f32>, 4),
    wmma_row("v_wmma_f16_16x16x16_f16", gfx12, 16, f16, f16, wmma_16<gfx12, Input::f16, Sum::f16, Sum::f16>, 4),
    wmma_row("v_wmma_bf16_16x16x16_bf16", gfx12, 16, bf16, bf16, wmma_16<gfx12, Input::bf16, Sum::bf16, Sum::bf16>, 4),
#if ZELLIGE_SIM_WAVE_LANES == 32
    // gfx1250: 4096 FLOP a clock and SIMD.
    wmma_row("v_wmma_f32_16x16x32_f16", wide, 16, f32, f32, wmma_16<wide, Input::f16, Sum::f32, Sum::f32>, 1),
    wmma_row("v_wmma_f32_16x16x32_bf16", wide, 16, f32, f32, wmma_16<wide, Input::bf16, Sum::f32, Sum::f32>, 1),
    wmma_row("v_wmma_f16_16x16x32_f16", wide, 16, f16, f16, wmma_16<wide, Input::f16, Sum::f16, Sum::f16>, 1),
    wmma_row("v_wmma_bf16_16x16x32_bf16", wide, 16, bf16, bf16, wmma_16<wide, Input::bf16, Sum::bf16, Sum::bf16>, 1),
    wmma_row("v_wmma_bf16f32_16x16x32_bf16", wide, 16, bf16, f32, wmma_16<wide, Input::bf16, Sum::bf16, Sum::f32>, 1),
    wmma_row("v_wmma_f32_16x16x4_f32", floats, 32, f32, f32, wmma_32<floats>, 2),
#endif
};

}  // namespace

OperationTable wmma_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
