// gfx1250's v_wmma_f32_16x16x128_f8f6f4 and 32x16x128_f4, with and without block scales.
//
// matrix_a_fmt and matrix_b_fmt name the formats of A and B: fp8, bf8, fp6, bf6, fp4. A lane holds 64 elements of one
// row; with e elements in a run (16 of 8 bits, 32 of 6 or 4), group g and slot s are k = 2 * e * (s / e) + e * g + s %
// e. That the unscaled instruction pairs formats of different widths by the same k is a reading, not a measurement. A
// of 32 rows (fp4) has rows 16 to 31 in its last 8 registers, D has them in its last 8 registers. Scales serve 32
// (scale16: 16) consecutive k of a row: byte k / 32 (k / 16) of the scale operand's register (pair) in lane row, or 16
// + row where matrix_x_scale says ROW1; A of 32 rows takes them from lane row. Formats: E8M0 = 2^(byte - 127), 255 is
// NaN; E5M3 unsigned with bias 15 and E4M3 (bias 7, top code NaN), which public text names without defining. Scaled
// operands are held in f32, so a scale that takes a value out of its range gives infinity or loses it.
#include "simulator/execute/lds_packed.hpp"
#include "simulator/execute/matrix_formats.hpp"
#include "simulator/execute/wmma_operands.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

constexpr int extent = 128, lane_elements = 64;
constexpr WmmaShape shape{extent, 32, 2};

enum class Scaling : std::uint8_t { none, blocks_of_32, blocks_of_16 };

/// The value of a scale byte.
inline float scale_value(std::uint32_t byte, int format) {
  if (format == 0) return __builtin_bit_cast(float, byte == 255 ? 0x7fc00000u : byte == 0 ? 0x00400000u : byte << 23);
  if (format == 2) return narrow_table(NarrowFormat::fp8)[byte];
  // E5M3: the bits of an f16 without its sign and low fraction bits.
  const float magnitude = widen_half(byte << 7);
  return byte == 255         ? __builtin_nanf("")
         : (byte >> 3) == 31 ? static_cast<float>(8 + (byte & 7)) * 0x1p13f
                             : magnitude;
}

/// The factor of every row and block of an operand with `rows` rows, rows first.
template <Scaling scaling>
inline void scale_factors(Wave& wave, const Operand& operand, int rows, int first_lane, int format, float* factors) {
  constexpr int block = scaling == Scaling::blocks_of_16 ? 16 : 32;
  for (int k_block = 0; k_block < extent / block; ++k_block)
    for (int row = 0; row < rows; ++row) {
      const int word = k_block / 4;
      const std::uint32_t bits = operand.kind == OperandKind::vector ? wave.row(operand.index + word)[first_lane + row]
                                 : operand.kind == OperandKind::constant
                                     ? operand.rows[word < operand.words ? word * row_lanes : 0]
                                 : operand.kind == OperandKind::scalar ? wave.scalar[operand.index + word]
                                                                       : 0;
      factors[k_block * rows + row] = scale_value(bits >> (8 * (k_block % 4)) & 0xffu, format);
    }
}

/// 16 rows of an operand in the layout that multiply() takes: k as matrix_operand_offset(shape, ...) counts it.
/// factors: of these rows, `stride` apart from block to block, or nullptr.
template <int bits, int block>
inline void unpack(const std::uint32_t* rows, const float* table, const float* factors, int stride, float* to) {
  constexpr int run = bits == 8 ? 16 : 32;
  for (int slot = 0; slot < lane_elements; ++slot)
    for (int lane = 0; lane < 32; ++lane) {
      const int k = 2 * run * (slot / run) + run * (lane / 16) + slot % run, row = lane % 16;
      const float value = table[packed_element<bits>(rows, lane, slot)];
      to[matrix_operand_offset(shape, 16, 0, k) + row] = factors ? value * factors[k / block * stride + row] : value;
    }
}

template <Scaling scaling>
inline void unpack_operand(const std::uint32_t* rows, int format, const float* factors, int stride, float* to) {
  constexpr int block = scaling == Scaling::blocks_of_16 ? 16 : 32;
  const auto narrow = static_cast<NarrowFormat>(format);
  const float* table = narrow_table(narrow);
  switch (narrow_bits(narrow)) {
    case 8:
      return unpack<8, block>(rows, table, factors, stride, to);
    case 6:
      return unpack<6, block>(rows, table, factors, stride, to);
    default:
      return unpack<4, block>(rows, table, factors, stride, to);
  }
}

/// rows is M: 16, or 32 (fp4 on both sides).
template <int rows, Scaling scaling>
const Instruction* wmma_f8f6f4(Wave& wave, const Instruction* instruction) {
  constexpr int tiles = rows / 16, tile_registers = 8, fp4 = static_cast<int>(NarrowFormat::fp4);
  alignas(64) float a[tiles][lane_elements * row_lanes], b[lane_elements * row_lanes];
  alignas(64) float storage[shape.slots() * row_lanes];
  float a_factors[8 * rows], b_factors[8 * 16];
  const MatrixModifiers formats = matrix_modifiers(instruction);
  const int a_format = rows == 32 ? fp4 : formats.cbsz, b_format = rows == 32 ? fp4 : formats.blgp;
  constexpr bool scaled = scaling != Scaling::none;
  if constexpr (scaled) {
    const int control = instruction->offset;
    scale_factors<scaling>(wave, instruction->src[3], rows, rows == 16 && (control & 1) ? 16 : 0, control >> 2 & 3,
                           a_factors);
    scale_factors<scaling>(wave, instruction->dst2, 16, control & 2 ? 16 : 0, control >> 4 & 3, b_factors);
  }
  for (int tile = 0; tile < tiles; ++tile)
    unpack_operand<scaling>(wave.row(instruction->src[0].index + tile_registers * tile), a_format,
                            scaled ? a_factors + 16 * tile : nullptr, rows, a[tile]);
  unpack_operand<scaling>(wave.row(instruction->src[1].index), b_format, scaled ? b_factors : nullptr, 16, b);
  for (int tile = 0; tile < tiles; ++tile) {
    Operand addend = instruction->src[2];
    if (addend.kind == OperandKind::vector)
      addend.index = static_cast<std::uint16_t>(addend.index + tile_registers * tile);
    const Accumulator<float> c = signed_accumulator<shape>(wave, addend, storage);
    multiply<shape, float>(a[tile], b, c.at, c.uniform,
                           reinterpret_cast<float*>(wave.row(instruction->dst.index + tile_registers * tile)), 0, 0);
  }
  return instruction + 1;
}

/// A and B take as many registers as their formats need.
constexpr Operation row(std::string_view mnemonic, Handler handler, Scaling scaling, int passes) {
  Operation operation = wmma_row(mnemonic, shape, 8, ValueType::b256, ValueType::b256, handler, passes);
  if (scaling != Scaling::none)
    operation.src[3] = operation.dst2 = scaling == Scaling::blocks_of_16 ? ValueType::b64 : ValueType::b32;
  return operation;
}

constexpr Operation table[] = {
    row("v_wmma_f32_16x16x128_f8f6f4", wmma_f8f6f4<16, Scaling::none>, Scaling::none, 2),
    row("v_wmma_scale_f32_16x16x128_f8f6f4", wmma_f8f6f4<16, Scaling::blocks_of_32>, Scaling::blocks_of_32, 2),
    row("v_wmma_scale16_f32_16x16x128_f8f6f4", wmma_f8f6f4<16, Scaling::blocks_of_16>, Scaling::blocks_of_16, 2),
    row("v_wmma_f32_32x16x128_f4", wmma_f8f6f4<32, Scaling::none>, Scaling::none, 2),
    row("v_wmma_scale_f32_32x16x128_f4", wmma_f8f6f4<32, Scaling::blocks_of_32>, Scaling::blocks_of_32, 2),
    row("v_wmma_scale16_f32_32x16x128_f4", wmma_f8f6f4<32, Scaling::blocks_of_16>, Scaling::blocks_of_16, 2),
};

}  // namespace

OperationTable wmma_scaled_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
