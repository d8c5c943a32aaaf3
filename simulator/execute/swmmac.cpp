// v_swmmac_*: D = D + A * B, where A has two stored values in each group of four consecutive k.
//
// A lane's stored values 2p and 2p + 1 sit at k = 4p + i0 and 4p + i1 of the 2 * stored k that the same group of lanes
// holds of B; i0 and i1 are two bits each in the index register of the lane, lowest bits first. index_key names the
// part of the register that serves, where one lane's indices fill half or a quarter of it. gfx1250's own shapes (k = 64
// of 16 bits, 128 of 8): the indices of stored values [0, stored / 2) of both groups lie in group 0's lanes and those
// of the others in group 1's. [The order that AMD's public emulator takes from kernels made for the hardware; the
// manual's text has each lane hold its own.] index_key shifts the register there by half its width, which is how the
// compiler uses it. Two of gfx12's 4-bit shapes in 64 lanes differ: 32 k store A in groups 0 and 1 only, B in the order
// of groups 0, 2, 1, 3. Sums go in the order of groups and stored values.
#include "simulator/execute/matrix_formats.hpp"
#include "simulator/execute/wmma_operands.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// `dense` is how B, D lie; A's rows lie in `groups` groups of lanes.
struct SparseShape {
  WmmaShape dense;
  int groups;
  bool indices_apart = false;  ///< gfx1250's own shapes

  constexpr int stored() const { return dense.k / 2 / groups; }  ///< values of A in a lane
};

/// Index into B's rows of slots where the columns of B[k] begin.
template <SparseShape S>
inline int dense_offset(int k) {
  constexpr int k_lane = S.dense.k_lane();
  const int part = k / k_lane;
  const bool swapped = S.groups == 2 && S.dense.groups == 4;
  const int group = swapped ? (part & 1) << 1 | part >> 1 : part;
  return k % k_lane * row_lanes + 16 * group;
}

/// d += a * b with a's stored values as rows (one a slot) and b dense.
template <SparseShape S, class T>
inline void multiply_sparse(const T* a, const T* b, const std::uint64_t* indices, const T* c, T* d) {
  using Vector = typename MatrixVector<T, 16>::Type;
  constexpr int vectors = 16 / Vector::width, stored = S.stored();
  for (int i = 0; i < 16; ++i) {
    const int at = matrix_row_offset(S.dense, 0, i);
    Vector sum[vectors];
    for (int v = 0; v < vectors; ++v) sum[v] = Vector::load(c + at + v * Vector::width);
    for (int group = 0; group < S.groups; ++group)
      for (int slot = 0; slot < stored; ++slot) {
        const int index_group = S.indices_apart ? slot / (stored / 2) : group;
        const int entry = S.indices_apart ? stored / 2 * group + slot % (stored / 2) : slot;
        const int index = static_cast<int>(indices[16 * index_group + i] >> (2 * entry) & 3);
        const T* b_row = b + dense_offset<S>(2 * stored * group + 4 * (slot / 2) + index);
        const Vector left = Vector::broadcast(a[slot * row_lanes + 16 * group + i]);
        for (int v = 0; v < vectors; ++v) sum[v].multiply_add(left, Vector::load(b_row + v * Vector::width));
      }
    for (int v = 0; v < vectors; ++v) sum[v].store(d + at + v * Vector::width);
  }
}

/// The index bits of each lane, shifted down to the part that index_key names.
template <SparseShape S>
inline void chosen_indices(Wave& wave, const Instruction* instruction, std::uint64_t* indices) {
  constexpr int bits = S.indices_apart ? S.stored() : 2 * S.stored();
  const int shift = matrix_modifiers(instruction).abid * bits;
  const std::uint32_t* low = wave.row(instruction->src[2].index);
  for (int lane = 0; lane < lanes; ++lane) {
    indices[lane] = low[lane];
    if constexpr (S.stored() == 32) indices[lane] |= std::uint64_t{low[row_lanes + lane]} << 32;
    indices[lane] >>= shift;
  }
}

enum class Sum : std::uint8_t { f32, f16, bf16, bf16_of_f32 };

/// The end that all floating-point kinds share: d (of type `result`) plus the product.
template <SparseShape S, Sum result>
inline const Instruction* accumulate(Wave& wave, const Instruction* instruction, const float* a, const float* b) {
  alignas(64) std::uint64_t indices[row_lanes];
  alignas(64) float sums[S.dense.slots() * row_lanes];
  chosen_indices<S>(wave, instruction, indices);
  std::uint32_t* d = wave.row(instruction->dst.index);
  float* floats = reinterpret_cast<float*>(d);
  constexpr Input packed = result == Sum::f16 ? Input::f16 : Input::bf16;
  if constexpr (result == Sum::f32) {
    multiply_sparse<S, float>(a, b, indices, floats, floats);
  } else {
    if constexpr (result == Sum::bf16_of_f32) {
      multiply_sparse<S, float>(a, b, indices, floats, sums);
    } else {
      widen_accumulator<S.dense, packed>(wave, instruction->dst, false, sums);
      multiply_sparse<S, float>(a, b, indices, sums, sums);
    }
    pack_result<S.dense, packed>(sums, d, false);
  }
  return instruction + 1;
}

template <SparseShape S, Input I, Sum result>
const Instruction* swmmac_16(Wave& wave, const Instruction* instruction) {
  constexpr int a_registers = S.stored() / 2, b_registers = S.dense.k_lane() / 2;
  alignas(64) float a[S.stored() * row_lanes], b[S.dense.k_lane() * row_lanes];
  alignas(64) std::uint32_t flipped[b_registers * row_lanes];
  widen<I, false, a_registers>(
      signed_rows<a_registers, 16>(wave.row(instruction->src[0].index), instruction->src[0].modifiers, flipped), a);
  widen<I, false, b_registers>(
      signed_rows<b_registers, 16>(wave.row(instruction->src[1].index), instruction->src[1].modifiers, flipped), b);
  return accumulate<S, result>(wave, instruction, a, b);
}

template <SparseShape S, bool a_bf8, bool b_bf8, Sum result>
const Instruction* swmmac_f8(Wave& wave, const Instruction* instruction) {
  alignas(64) float a[S.stored() * row_lanes], b[S.dense.k_lane() * row_lanes];
  const float* a_table = narrow_table(a_bf8 ? NarrowFormat::bf8 : NarrowFormat::fp8);
  const float* b_table = narrow_table(b_bf8 ? NarrowFormat::bf8 : NarrowFormat::fp8);
  widen_bytes<S.stored() / 4>(wave.row(instruction->src[0].index), a,
                              [=](std::uint32_t byte) { return a_table[byte]; });
  widen_bytes<S.dense.k_lane() / 4>(wave.row(instruction->src[1].index), b,
                                    [=](std::uint32_t byte) { return b_table[byte]; });
  return accumulate<S, result>(wave, instruction, a, b);
}

template <SparseShape S, int bits>
const Instruction* swmmac_integers(Wave& wave, const Instruction* instruction) {
  constexpr int slots = S.dense.slots();
  alignas(64) std::int32_t a[S.stored() * row_lanes], b[S.dense.k_lane() * row_lanes];
  alignas(64) std::int32_t product[slots * row_lanes] = {};
  alignas(64) std::uint64_t indices[row_lanes];
  widen_integers<bits, S.stored() * bits / 32>(wave.row(instruction->src[0].index), a,
                                               instruction->src[0].modifiers & modifier_negate);
  widen_integers<bits, S.dense.k_lane() * bits / 32>(wave.row(instruction->src[1].index), b,
                                                     instruction->src[1].modifiers & modifier_negate);
  chosen_indices<S>(wave, instruction, indices);
  multiply_sparse<S, std::int32_t>(a, b, indices, product, product);
  auto* d = reinterpret_cast<std::int32_t*>(wave.row(instruction->dst.index));
  add_integers(product, {d, false}, d, slots, (instruction->flags & flag_clamp) != 0);
  return instruction + 1;
}

constexpr ValueType word = ValueType::b256, half = ValueType::matrix_f16, brain = ValueType::matrix_bf16;

constexpr Operation row(std::string_view mnemonic, SparseShape shape, int bits, ValueType result, Handler handler,
                        int passes) {
  const ValueType index = shape.stored() == 32 ? ValueType::b64 : ValueType::b32;
  Operation operation = wmma_row(mnemonic, shape.dense, bits, result, index, handler, passes);
  operation.src[0] = words_type(shape.stored() * bits / 32);
  return operation;
}

constexpr SparseShape k32{{32, lanes, lanes / 16}, lanes / 16}, k64{{64, lanes, lanes / 16}, lanes / 16};
constexpr SparseShape nibbles{{32, lanes, lanes / 16}, 2};
#if ZELLIGE_SIM_WAVE_LANES == 32
constexpr SparseShape apart_64{{64, 32, 2}, 2, true}, apart_128{{128, 32, 2}, 2, true};
#endif

constexpr Operation table[] = {
    // gfx12
    row("v_swmmac_f32_16x16x32_f16", k32, 16, word, swmmac_16<k32, Input::f16, Sum::f32>, 4),
    row("v_swmmac_f32_16x16x32_bf16", k32, 16, word, swmmac_16<k32, Input::bf16, Sum::f32>, 4),
    row("v_swmmac_f16_16x16x32_f16", k32, 16, half, swmmac_16<k32, Input::f16, Sum::f16>, 4),
    row("v_swmmac_bf16_16x16x32_bf16", k32, 16, brain, swmmac_16<k32, Input::bf16, Sum::bf16>, 4),
    row("v_swmmac_f32_16x16x32_fp8_fp8", k32, 8, word, swmmac_f8<k32, false, false, Sum::f32>, 2),
    row("v_swmmac_f32_16x16x32_fp8_bf8", k32, 8, word, swmmac_f8<k32, false, true, Sum::f32>, 2),
    row("v_swmmac_f32_16x16x32_bf8_fp8", k32, 8, word, swmmac_f8<k32, true, false, Sum::f32>, 2),
    row("v_swmmac_f32_16x16x32_bf8_bf8", k32, 8, word, swmmac_f8<k32, true, true, Sum::f32>, 2),
    row("v_swmmac_i32_16x16x32_iu8", k32, 8, word, swmmac_integers<k32, 8>, 2),
    row("v_swmmac_i32_16x16x32_iu4", nibbles, 4, word, swmmac_integers<nibbles, 4>, 2),
    row("v_swmmac_i32_16x16x64_iu4", k64, 4, word, swmmac_integers<k64, 4>, 2),
#if ZELLIGE_SIM_WAVE_LANES == 32
    // gfx1250
    row("v_swmmac_f32_16x16x64_f16", apart_64, 16, word, swmmac_16<apart_64, Input::f16, Sum::f32>, 1),
    row("v_swmmac_f32_16x16x64_bf16", apart_64, 16, word, swmmac_16<apart_64, Input::bf16, Sum::f32>, 1),
    row("v_swmmac_f16_16x16x64_f16", apart_64, 16, half, swmmac_16<apart_64, Input::f16, Sum::f16>, 1),
    row("v_swmmac_bf16_16x16x64_bf16", apart_64, 16, brain, swmmac_16<apart_64, Input::bf16, Sum::bf16>, 1),
    row("v_swmmac_bf16f32_16x16x64_bf16", apart_64, 16, word, swmmac_16<apart_64, Input::bf16, Sum::bf16_of_f32>, 1),
#define ZELLIGE_SIM_FORMATS(result, type, sum)                                                                     \
  row("v_swmmac_" result "_16x16x128_fp8_fp8", apart_128, 8, type, swmmac_f8<apart_128, false, false, sum>, 1),    \
      row("v_swmmac_" result "_16x16x128_fp8_bf8", apart_128, 8, type, swmmac_f8<apart_128, false, true, sum>, 1), \
      row("v_swmmac_" result "_16x16x128_bf8_fp8", apart_128, 8, type, swmmac_f8<apart_128, true, false, sum>, 1), \
      row("v_swmmac_" result "_16x16x128_bf8_bf8", apart_128, 8, type, swmmac_f8<apart_128, true, true, sum>, 1)
    ZELLIGE_SIM_FORMATS("f32", word, Sum::f32),
    ZELLIGE_SIM_FORMATS("f16", half, Sum::f16),
#undef ZELLIGE_SIM_FORMATS
    row("v_swmmac_i32_16x16x128_iu8", apart_128, 8, word, swmmac_integers<apart_128, 8>, 1),
#endif
};

}  // namespace

OperationTable swmmac_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
