// v_smfmac_*: D = D + A * B, where A has two stored values in each group of four consecutive k.
//
// A lane's stored values 2p and 2p + 1 sit at k = 4p + i0 and 4p + i1 of the k that the same lane holds of B; i0 and i1
// are two bits each in the index register, lowest bits first. Several sets of indices fit a register when a lane has
// fewer than 16 stored values: abid picks the set if cbsz is 0, else the first one serves. Sums go in the order of the
// stored values.
#include "simulator/execute/matrix_convert.hpp"
#include "simulator/execute/matrix_formats.hpp"
#include "simulator/execute/matrix_operands.hpp"
#include "simulator/execute/workgroup.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// d += a * b with a's stored values as rows (one a slot) and b dense.
template <MatrixShape S, class T>
inline void multiply_sparse(const T* a, const T* b, const std::uint32_t* indices, T* d) {
  using Vector = typename MatrixVector<T, S.n>::Type;
  constexpr int vectors = S.n / Vector::width, stored = S.k_lane() / 2, lane_groups = 64 / S.m;
  for (int i = 0; i < S.m; ++i) {
    T* const result = d + matrix_row_offset(S, 0, i);
    Vector sum[vectors];
    for (int v = 0; v < vectors; ++v) sum[v] = Vector::load(result + v * Vector::width);
    for (int group = 0; group < lane_groups; ++group) {
      const int lane = i + S.m * group;
      for (int slot = 0; slot < stored; ++slot) {
        const int k = S.k_lane() * group + 4 * (slot / 2) + static_cast<int>(indices[lane] >> (2 * slot) & 3);
        const T* b_row = b + matrix_operand_offset(S, S.n, 0, k);
        const Vector left = Vector::broadcast(a[slot * row_lanes + lane]);
        for (int v = 0; v < vectors; ++v) sum[v].multiply_add(left, Vector::load(b_row + v * Vector::width));
      }
    }
    for (int v = 0; v < vectors; ++v) sum[v].store(result + v * Vector::width);
  }
}

/// The index bits of each lane, shifted down to the chosen set.
template <int stored>
inline void chosen_indices(Wave& wave, const Instruction* instruction, std::uint32_t* indices) {
  const MatrixModifiers modifiers = matrix_modifiers(instruction);
  constexpr int sets = 16 / stored;
  const int shift = modifiers.cbsz == 0 ? modifiers.abid % sets * 2 * stored : 0;
  const std::uint32_t* from = wave.row(instruction->src[2].index);
  for (int lane = 0; lane < row_lanes; ++lane) indices[lane] = from[lane] >> shift;
}

template <MatrixShape S, Input I>
const Instruction* smfmac_16(Wave& wave, const Instruction* instruction) {
  constexpr int stored = S.k_lane() / 2;
  alignas(64) float a[stored * row_lanes], b[S.k_lane() * row_lanes];
  alignas(64) std::uint32_t indices[row_lanes];
  widen<I, false, stored / 2>(wave.row(instruction->src[0].index), a);
  widen<I, false, S.k_lane() / 2>(wave.row(instruction->src[1].index), b);
  chosen_indices<stored>(wave, instruction, indices);
  multiply_sparse<S, float>(a, b, indices, reinterpret_cast<float*>(wave.row(instruction->dst.index)));
  return instruction + 1;
}

template <MatrixShape S>
const Instruction* smfmac_i8(Wave& wave, const Instruction* instruction) {
  constexpr int stored = S.k_lane() / 2;
  alignas(64) std::int32_t a[stored * row_lanes], b[S.k_lane() * row_lanes];
  alignas(64) std::uint32_t indices[row_lanes];
  const auto convert = [](std::uint32_t byte) { return static_cast<std::int32_t>(static_cast<std::int8_t>(byte)); };
  widen_bytes<stored / 4>(wave.row(instruction->src[0].index), a, convert);
  widen_bytes<S.k_lane() / 4>(wave.row(instruction->src[1].index), b, convert);
  chosen_indices<stored>(wave, instruction, indices);
  multiply_sparse<S, std::int32_t>(a, b, indices, reinterpret_cast<std::int32_t*>(wave.row(instruction->dst.index)));
  return instruction + 1;
}

template <MatrixShape S, bool a_bf8, bool b_bf8>
const Instruction* smfmac_f8(Wave& wave, const Instruction* instruction) {
  constexpr int stored = S.k_lane() / 2;
  alignas(64) float a[stored * row_lanes], b[S.k_lane() * row_lanes];
  alignas(64) std::uint32_t indices[row_lanes];
  const float* a_table = eight_bit_table(*wave.group, a_bf8);
  const float* b_table = eight_bit_table(*wave.group, b_bf8);
  widen_bytes<stored / 4>(wave.row(instruction->src[0].index), a, [=](std::uint32_t byte) { return a_table[byte]; });
  widen_bytes<S.k_lane() / 4>(wave.row(instruction->src[1].index), b,
                              [=](std::uint32_t byte) { return b_table[byte]; });
  chosen_indices<stored>(wave, instruction, indices);
  multiply_sparse<S, float>(a, b, indices, reinterpret_cast<float*>(wave.row(instruction->dst.index)));
  return instruction + 1;
}

/// A has half as many values as B; C is the destination.
constexpr Operation row(std::string_view mnemonic, MatrixShape shape, int bits, Handler handler, int passes) {
  Operation operation = matrix_row(mnemonic, shape, bits, handler, passes);
  operation.src[0] = words_type(shape.k_lane() / 2 * bits / 32);
  operation.src[2] = ValueType::b32;
  return operation;
}

constexpr MatrixShape x16_32{16, 16, 32, 1}, x32_16{32, 32, 16, 1}, x16_64{16, 16, 64, 1}, x32_32{32, 32, 32, 1};
constexpr MatrixShape x16_128{16, 16, 128, 1}, x32_64{32, 32, 64, 1};

constexpr Operation table[] = {
    // gfx942, gfx950
    row("v_smfmac_f32_16x16x32_f16", x16_32, 16, smfmac_16<x16_32, Input::f16>, 4),
    row("v_smfmac_f32_32x32x16_f16", x32_16, 16, smfmac_16<x32_16, Input::f16>, 8),
    row("v_smfmac_f32_16x16x32_bf16", x16_32, 16, smfmac_16<x16_32, Input::bf16>, 4),
    row("v_smfmac_f32_32x32x16_bf16", x32_16, 16, smfmac_16<x32_16, Input::bf16>, 8),
    row("v_smfmac_i32_16x16x64_i8", x16_64, 8, smfmac_i8<x16_64>, 4),
    row("v_smfmac_i32_32x32x32_i8", x32_32, 8, smfmac_i8<x32_32>, 8),
    row("v_smfmac_f32_16x16x64_fp8_fp8", x16_64, 8, smfmac_f8<x16_64, false, false>, 4),
    row("v_smfmac_f32_16x16x64_fp8_bf8", x16_64, 8, smfmac_f8<x16_64, false, true>, 4),
    row("v_smfmac_f32_16x16x64_bf8_fp8", x16_64, 8, smfmac_f8<x16_64, true, false>, 4),
    row("v_smfmac_f32_16x16x64_bf8_bf8", x16_64, 8, smfmac_f8<x16_64, true, true>, 4),
    row("v_smfmac_f32_32x32x32_fp8_fp8", x32_32, 8, smfmac_f8<x32_32, false, false>, 8),
    row("v_smfmac_f32_32x32x32_fp8_bf8", x32_32, 8, smfmac_f8<x32_32, false, true>, 8),
    row("v_smfmac_f32_32x32x32_bf8_fp8", x32_32, 8, smfmac_f8<x32_32, true, false>, 8),
    row("v_smfmac_f32_32x32x32_bf8_bf8", x32_32, 8, smfmac_f8<x32_32, true, true>, 8),
    // gfx950
    row("v_smfmac_f32_16x16x64_f16", x16_64, 16, smfmac_16<x16_64, Input::f16>, 4),
    row("v_smfmac_f32_32x32x32_f16", x32_32, 16, smfmac_16<x32_32, Input::f16>, 8),
    row("v_smfmac_f32_16x16x64_bf16", x16_64, 16, smfmac_16<x16_64, Input::bf16>, 4),
    row("v_smfmac_f32_32x32x32_bf16", x32_32, 16, smfmac_16<x32_32, Input::bf16>, 8),
    row("v_smfmac_i32_16x16x128_i8", x16_128, 8, smfmac_i8<x16_128>, 4),
    row("v_smfmac_i32_32x32x64_i8", x32_64, 8, smfmac_i8<x32_64>, 8),
    row("v_smfmac_f32_16x16x128_fp8_fp8", x16_128, 8, smfmac_f8<x16_128, false, false>, 4),
    row("v_smfmac_f32_16x16x128_fp8_bf8", x16_128, 8, smfmac_f8<x16_128, false, true>, 4),
    row("v_smfmac_f32_16x16x128_bf8_fp8", x16_128, 8, smfmac_f8<x16_128, true, false>, 4),
    row("v_smfmac_f32_16x16x128_bf8_bf8", x16_128, 8, smfmac_f8<x16_128, true, true>, 4),
    row("v_smfmac_f32_32x32x64_fp8_fp8", x32_64, 8, smfmac_f8<x32_64, false, false>, 8),
    row("v_smfmac_f32_32x32x64_fp8_bf8", x32_64, 8, smfmac_f8<x32_64, false, true>, 8),
    row("v_smfmac_f32_32x32x64_bf8_fp8", x32_64, 8, smfmac_f8<x32_64, true, false>, 8),
    row("v_smfmac_f32_32x32x64_bf8_bf8", x32_64, 8, smfmac_f8<x32_64, true, true>, 8),
};

}  // namespace

OperationTable matrix_sparse_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
