// v_wmma_* with integer and 8-bit floating-point operands.
//
// neg_lo of A and B says that their integers are signed; clamp limits the sum, which else wraps, to 32 bits. 8-bit
// floats are the OCP formats; their products are summed as those of the 16-bit ones are (wmma.cpp).
#include "simulator/execute/matrix_formats.hpp"
#include "simulator/execute/wmma_operands.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

template <WmmaShape S, int bits>
const Instruction* wmma_integers(Wave& wave, const Instruction* instruction) {
  constexpr int registers = S.k_lane() * bits / 32;
  alignas(64) std::int32_t a[S.k_lane() * row_lanes], b[S.k_lane() * row_lanes];
  const std::uint32_t* a_rows = wave.row(instruction->src[0].index);
  const std::uint32_t* b_rows = wave.row(instruction->src[1].index);
  if constexpr (S.rows == WmmaRows::interleaved)
    if (!groups_agree<registers>(a_rows) || !groups_agree<registers>(b_rows)) return fault_groups(wave, instruction);
  widen_integers<bits, registers>(a_rows, a, instruction->src[0].modifiers & modifier_negate);
  widen_integers<bits, registers>(b_rows, b, instruction->src[1].modifiers & modifier_negate);
  multiply_integers<S>(a, b, accumulator<std::int32_t>(wave, instruction->src[2]),
                       reinterpret_cast<std::int32_t*>(wave.row(instruction->dst.index)),
                       (instruction->flags & flag_clamp) != 0);
  return instruction + 1;
}

template <WmmaShape S, bool a_bf8, bool b_bf8, bool half_result>
const Instruction* wmma_f8(Wave& wave, const Instruction* instruction) {
  constexpr int registers = S.k_lane() / 4;
  alignas(64) float a[S.k_lane() * row_lanes], b[S.k_lane() * row_lanes], sums[S.slots() * row_lanes];
  const float* a_table = narrow_table(a_bf8 ? NarrowFormat::bf8 : NarrowFormat::fp8);
  const float* b_table = narrow_table(b_bf8 ? NarrowFormat::bf8 : NarrowFormat::fp8);
  widen_bytes<registers>(wave.row(instruction->src[0].index), a, [=](std::uint32_t byte) { return a_table[byte]; });
  widen_bytes<registers>(wave.row(instruction->src[1].index), b, [=](std::uint32_t byte) { return b_table[byte]; });
  std::uint32_t* d = wave.row(instruction->dst.index);
  if constexpr (half_result) {
    widen_accumulator<S, Input::f16>(wave, instruction->src[2], false, sums);
    multiply<S, float>(a, b, sums, false, sums, 0, 0);
    pack_result<S, Input::f16>(sums, d, false);
  } else {
    const Accumulator<float> c = signed_accumulator<S>(wave, instruction->src[2], sums);
    multiply<S, float>(a, b, c.at, c.uniform, reinterpret_cast<float*>(d), 0, 0);
  }
  return instruction + 1;
}

constexpr ValueType word = ValueType::b256;
constexpr WmmaShape gfx11{16, lanes, 1, WmmaRows::interleaved}, gfx12{16, lanes, lanes / 16};
constexpr WmmaShape gfx12_nibbles{16, lanes,
                                  2};  ///< a register of 8 k fills with 2 groups: a wave of 64 lanes leaves 2 unread
constexpr WmmaShape gfx12_wide{32, lanes, lanes / 16};
#if ZELLIGE_SIM_WAVE_LANES == 32
constexpr ValueType f16 = ValueType::matrix_f16;
constexpr WmmaShape f8_64{64, 32, 2}, f8_128{128, 32, 2};
#endif

constexpr Operation table[] = {
    wmma_row("v_wmma_i32_16x16x16_iu8@gfx1100", gfx11, 8, word, word, wmma_integers<gfx11, 8>, 8),
    wmma_row("v_wmma_i32_16x16x16_iu8@gfx1151", gfx11, 8, word, word, wmma_integers<gfx11, 8>, 8),
    wmma_row("v_wmma_i32_16x16x16_iu8@gfx11-generic", gfx11, 8, word, word, wmma_integers<gfx11, 8>, 8),
    wmma_row("v_wmma_i32_16x16x16_iu4@gfx1100", gfx11, 4, word, word, wmma_integers<gfx11, 4>, 4),
    wmma_row("v_wmma_i32_16x16x16_iu4@gfx1151", gfx11, 4, word, word, wmma_integers<gfx11, 4>, 4),
    wmma_row("v_wmma_i32_16x16x16_iu4@gfx11-generic", gfx11, 4, word, word, wmma_integers<gfx11, 4>, 4),
    // gfx12
    wmma_row("v_wmma_i32_16x16x16_iu8", gfx12, 8, word, word, wmma_integers<gfx12, 8>, 2),
    wmma_row("v_wmma_i32_16x16x16_iu4", gfx12_nibbles, 4, word, word, wmma_integers<gfx12_nibbles, 4>, 2),
    wmma_row("v_wmma_i32_16x16x32_iu4", gfx12_wide, 4, word, word, wmma_integers<gfx12_wide, 4>, 2),
    wmma_row("v_wmma_f32_16x16x16_fp8_fp8", gfx12, 8, word, word, wmma_f8<gfx12, false, false, false>, 2),
    wmma_row("v_wmma_f32_16x16x16_fp8_bf8", gfx12, 8, word, word, wmma_f8<gfx12, false, true, false>, 2),
    wmma_row("v_wmma_f32_16x16x16_bf8_fp8", gfx12, 8, word, word, wmma_f8<gfx12, true, false, false>, 2),
    wmma_row("v_wmma_f32_16x16x16_bf8_bf8", gfx12, 8, word, word, wmma_f8<gfx12, true, true, false>, 2),
#if ZELLIGE_SIM_WAVE_LANES == 32
// gfx1250: 8192 operations a clock and SIMD.
#define ZELLIGE_SIM_FORMATS(k, passes)                                                                                 \
  wmma_row("v_wmma_f32_16x16x" #k "_fp8_fp8", f8_##k, 8, word, word, wmma_f8<f8_##k, false, false, false>, passes),    \
      wmma_row("v_wmma_f32_16x16x" #k "_fp8_bf8", f8_##k, 8, word, word, wmma_f8<f8_##k, false, true, false>, passes), \
      wmma_row("v_wmma_f32_16x16x" #k "_bf8_fp8", f8_##k, 8, word, word, wmma_f8<f8_##k, true, false, false>, passes), \
      wmma_row("v_wmma_f32_16x16x" #k "_bf8_bf8", f8_##k, 8, word, word, wmma_f8<f8_##k, true, true, false>, passes),  \
      wmma_row("v_wmma_f16_16x16x" #k "_fp8_fp8", f8_##k, 8, f16, f16, wmma_f8<f8_##k, false, false, true>, passes),   \
      wmma_row("v_wmma_f16_16x16x" #k "_fp8_bf8", f8_##k, 8, f16, f16, wmma_f8<f8_##k, false, true, true>, passes),    \
      wmma_row("v_wmma_f16_16x16x" #k "_bf8_fp8", f8_##k, 8, f16, f16, wmma_f8<f8_##k, true, false, true>, passes),    \
      wmma_row("v_wmma_f16_16x16x" #k "_bf8_bf8", f8_##k, 8, f16, f16, wmma_f8<f8_##k, true, true, true>, passes)
    ZELLIGE_SIM_FORMATS(64, 1),
    ZELLIGE_SIM_FORMATS(128, 2),
#undef ZELLIGE_SIM_FORMATS
    wmma_row("v_wmma_i32_16x16x64_iu8", f8_64, 8, word, word, wmma_integers<f8_64, 8>, 1),
#endif
};

}  // namespace

OperationTable wmma_narrow_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
