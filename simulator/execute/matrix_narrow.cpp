// v_mfma_* with operands other than f16, bf16 and f32: int8, 8-bit floats, xf32, f64.
//
// xf32 operands are rounded to 10 fraction bits, to nearest even (how AMD's own software emulates the type; hardware's
// rule is not public). f64 takes blgp as signs: bit 0 negates A, bit 1 B, bit 2 C.
#include "simulator/execute/matrix_convert.hpp"
#include "simulator/execute/matrix_formats.hpp"
#include "simulator/execute/matrix_operands.hpp"
#include "simulator/execute/workgroup.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

template <MatrixShape S>
const Instruction* mfma_i8(Wave& wave, const Instruction* instruction) {
  constexpr int registers = S.k_lane() / 4;
  alignas(64) std::int32_t a[S.k_lane() * row_lanes], b[S.k_lane() * row_lanes];
  alignas(64) std::uint32_t permuted[registers * row_lanes];
  const MatrixModifiers modifiers = matrix_modifiers(instruction);
  const auto convert = [](std::uint32_t byte) { return static_cast<std::int32_t>(static_cast<std::int8_t>(byte)); };
  widen_bytes<registers>(wave.row(instruction->src[0].index), a, convert);
  widen_bytes<registers>(permute_lanes<registers>(wave.row(instruction->src[1].index), modifiers.blgp, permuted), b,
                         convert);
  const Accumulator<std::int32_t> c = accumulator<std::int32_t>(wave, instruction->src[2]);
  multiply<S, std::int32_t>(a, b, c.at, c.uniform, reinterpret_cast<std::int32_t*>(wave.row(instruction->dst.index)),
                            modifiers.cbsz, modifiers.abid);
  return instruction + 1;
}

template <MatrixShape S, bool a_bf8, bool b_bf8>
const Instruction* mfma_f8(Wave& wave, const Instruction* instruction) {
  constexpr int registers = S.k_lane() / 4;
  alignas(64) float a[S.k_lane() * row_lanes], b[S.k_lane() * row_lanes];
  alignas(64) std::uint32_t permuted[registers * row_lanes];
  const MatrixModifiers modifiers = matrix_modifiers(instruction);
  const float* a_table = eight_bit_table(*wave.group, a_bf8);
  const float* b_table = eight_bit_table(*wave.group, b_bf8);
  widen_bytes<registers>(wave.row(instruction->src[0].index), a, [=](std::uint32_t byte) { return a_table[byte]; });
  widen_bytes<registers>(permute_lanes<registers>(wave.row(instruction->src[1].index), modifiers.blgp, permuted), b,
                         [=](std::uint32_t byte) { return b_table[byte]; });
  const Accumulator<float> c = accumulator<float>(wave, instruction->src[2]);
  multiply<S, float>(a, b, c.at, c.uniform, reinterpret_cast<float*>(wave.row(instruction->dst.index)), modifiers.cbsz,
                     modifiers.abid);
  return instruction + 1;
}

inline std::uint32_t round_xf32(std::uint32_t bits) {
  if ((bits & 0x7f800000u) == 0x7f800000u)
    return bits & 0x1fffu ? (bits & 0xffffe000u) | 0x400000u : bits;  // a NaN stays one
  return (bits + 0xfffu + (bits >> 13 & 1u)) & 0xffffe000u;
}

template <MatrixShape S>
const Instruction* mfma_xf32(Wave& wave, const Instruction* instruction) {
  constexpr int registers = S.k_lane();
  alignas(64) float a[registers * row_lanes], b[registers * row_lanes];
  alignas(64) std::uint32_t permuted[registers * row_lanes];
  const MatrixModifiers modifiers = matrix_modifiers(instruction);
  const std::uint32_t* a_rows = wave.row(instruction->src[0].index);
  const std::uint32_t* b_rows = permute_lanes<registers>(wave.row(instruction->src[1].index), modifiers.blgp, permuted);
  for (int i = 0; i < registers * row_lanes; ++i) {
    a[i] = __builtin_bit_cast(float, round_xf32(a_rows[i]));
    b[i] = __builtin_bit_cast(float, round_xf32(b_rows[i]));
  }
  const Accumulator<float> c = accumulator<float>(wave, instruction->src[2]);
  multiply<S, float>(a, b, c.at, c.uniform, reinterpret_cast<float*>(wave.row(instruction->dst.index)), modifiers.cbsz,
                     modifiers.abid);
  return instruction + 1;
}

/// `count` doubles a lane out of pairs of rows, negated if asked.
inline void join_doubles(const std::uint32_t* rows, double* to, int count, bool negate) {
  const std::uint64_t sign = negate ? std::uint64_t{1} << 63 : 0;
  for (int i = 0; i < count; ++i)
    for (int lane = 0; lane < row_lanes; ++lane) {
      const std::uint64_t bits = rows[2 * i * row_lanes + lane] | std::uint64_t{rows[(2 * i + 1) * row_lanes + lane]}
                                                                      << 32;
      to[i * row_lanes + lane] = __builtin_bit_cast(double, bits ^ sign);
    }
}

template <MatrixShape S>
const Instruction* mfma_f64(Wave& wave, const Instruction* instruction) {
  alignas(64) double a[S.k_lane() * row_lanes], b[S.k_lane() * row_lanes], c[S.slots() * row_lanes];
  const MatrixModifiers modifiers = matrix_modifiers(instruction);
  join_doubles(wave.row(instruction->src[0].index), a, S.k_lane(), modifiers.blgp & 1);
  join_doubles(wave.row(instruction->src[1].index), b, S.k_lane(), modifiers.blgp & 2);
  const Operand& source = instruction->src[2];
  if (source.kind == OperandKind::vector) {
    join_doubles(wave.row(source.index), c, S.slots(), modifiers.blgp & 4);
  } else {
    double value = source.kind == OperandKind::constant ? __builtin_bit_cast(double, source.constant()) : 0.0;
    if (modifiers.blgp & 4) value = -value;
    for (int i = 0; i < S.slots() * row_lanes; ++i) c[i] = value;
  }
  multiply<S, double>(a, b, c, false, c, modifiers.cbsz, modifiers.abid);
  std::uint32_t* d = wave.row(instruction->dst.index);
  for (int slot = 0; slot < S.slots(); ++slot)
    for (int lane = 0; lane < row_lanes; ++lane) {
      const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, c[slot * row_lanes + lane]);
      d[2 * slot * row_lanes + lane] = static_cast<std::uint32_t>(bits);
      d[(2 * slot + 1) * row_lanes + lane] = static_cast<std::uint32_t>(bits >> 32);
    }
  return instruction + 1;
}

constexpr MatrixShape x4{4, 4, 4, 16}, x16_4{16, 16, 4, 4}, x32_4{32, 32, 4, 2}, x16_16{16, 16, 16, 1},
    x32_8{32, 32, 8, 1};
constexpr MatrixShape x16_32{16, 16, 32, 1}, x32_16{32, 32, 16, 1}, x16_64{16, 16, 64, 1}, x32_32{32, 32, 32, 1};
constexpr MatrixShape x16_8{16, 16, 8, 1}, x32_4_1{32, 32, 4, 1};
constexpr MatrixShape d_x16{16, 16, 4, 1, 1}, d_x4{4, 4, 4, 4, 1};

constexpr Operation table[] = {
    // gfx90a
    matrix_row("v_mfma_i32_4x4x4i8", x4, 8, mfma_i8<x4>, 2),
    matrix_row("v_mfma_i32_16x16x4i8", x16_4, 8, mfma_i8<x16_4>, 8),
    matrix_row("v_mfma_i32_32x32x4i8", x32_4, 8, mfma_i8<x32_4>, 16),
    matrix_row("v_mfma_i32_16x16x16i8", x16_16, 8, mfma_i8<x16_16>, 8),
    matrix_row("v_mfma_i32_32x32x8i8", x32_8, 8, mfma_i8<x32_8>, 16),
    matrix_row("v_mfma_f64_16x16x4f64", d_x16, 64, mfma_f64<d_x16>, 8, 64),
    matrix_row("v_mfma_f64_4x4x4f64", d_x4, 64, mfma_f64<d_x4>, 4, 64),
    // gfx942, gfx950
    matrix_row("v_mfma_i32_4x4x4_16b_i8", x4, 8, mfma_i8<x4>, 2),
    matrix_row("v_mfma_i32_16x16x4_4b_i8", x16_4, 8, mfma_i8<x16_4>, 8),
    matrix_row("v_mfma_i32_32x32x4_2b_i8", x32_4, 8, mfma_i8<x32_4>, 16),
    matrix_row("v_mfma_i32_16x16x32_i8", x16_32, 8, mfma_i8<x16_32>, 4),
    matrix_row("v_mfma_i32_32x32x16_i8", x32_16, 8, mfma_i8<x32_16>, 8),
    matrix_row("v_mfma_f32_16x16x32_fp8_fp8", x16_32, 8, mfma_f8<x16_32, false, false>, 4),
    matrix_row("v_mfma_f32_16x16x32_fp8_bf8", x16_32, 8, mfma_f8<x16_32, false, true>, 4),
    matrix_row("v_mfma_f32_16x16x32_bf8_fp8", x16_32, 8, mfma_f8<x16_32, true, false>, 4),
    matrix_row("v_mfma_f32_16x16x32_bf8_bf8", x16_32, 8, mfma_f8<x16_32, true, true>, 4),
    matrix_row("v_mfma_f32_32x32x16_fp8_fp8", x32_16, 8, mfma_f8<x32_16, false, false>, 8),
    matrix_row("v_mfma_f32_32x32x16_fp8_bf8", x32_16, 8, mfma_f8<x32_16, false, true>, 8),
    matrix_row("v_mfma_f32_32x32x16_bf8_fp8", x32_16, 8, mfma_f8<x32_16, true, false>, 8),
    matrix_row("v_mfma_f32_32x32x16_bf8_bf8", x32_16, 8, mfma_f8<x32_16, true, true>, 8),
    matrix_row("v_mfma_f64_16x16x4_f64", d_x16, 64, mfma_f64<d_x16>, 8, 64),
    matrix_row("v_mfma_f64_4x4x4_4b_f64", d_x4, 64, mfma_f64<d_x4>, 4, 64),
    // gfx942
    matrix_row("v_mfma_f32_16x16x8_xf32", x16_8, 32, mfma_xf32<x16_8>, 4),
    matrix_row("v_mfma_f32_32x32x4_xf32", x32_4_1, 32, mfma_xf32<x32_4_1>, 8),
    // gfx950
    matrix_row("v_mfma_i32_16x16x64_i8", x16_64, 8, mfma_i8<x16_64>, 4),
    matrix_row("v_mfma_i32_32x32x32_i8", x32_32, 8, mfma_i8<x32_32>, 8),
};

}  // namespace

OperationTable matrix_narrow_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
