// What a matrix instruction computes and where its operands sit: a value, the same for every family.
//
// One Mma multiplies, for each of its blocks, an m x k matrix A with a k x n matrix B and adds an m x n matrix C. The
// lane maps say which element each lane holds in each slot: a takes (row = m, column = k), b takes (row = n, column =
// k), c takes (row = m, column = n). Operands A and B are the fragments' bits in 32-bit words, vec<std::uint32_t,
// words_a(mma)>, slot 0 in the lowest bits of word 0; C is vec<storage_t<mma.accumulator>, mma.c.slots()>.
#pragma once

#include "zellige/core/arch.hpp"
#include "zellige/core/shape.hpp"
#include "zellige/core/types.hpp"
#include "zellige/layout/distribution.hpp"

namespace zellige {

/// Matrix instructions, named as their manuals do: result, m x n x k of a block, input. Values are stable.
enum class MmaOp : int {
  none = 0,
  // MFMA (CDNA): 100 to 199
  mfma_f32_4x4x4_f16 = 100,
  mfma_f32_16x16x4_f16 = 101,
  mfma_f32_32x32x4_f16 = 102,
  mfma_f32_16x16x16_f16 = 103,
  mfma_f32_32x32x8_f16 = 104,
  mfma_f32_16x16x32_f16 = 105,
  mfma_f32_32x32x16_f16 = 106,
  mfma_f32_4x4x4_bf16_1k = 110,
  mfma_f32_16x16x4_bf16_1k = 111,
  mfma_f32_32x32x4_bf16_1k = 112,
  mfma_f32_16x16x16_bf16_1k = 113,
  mfma_f32_32x32x8_bf16_1k = 114,
  mfma_f32_16x16x32_bf16 = 115,
  mfma_f32_32x32x16_bf16 = 116,
  mfma_f32_4x4x2_bf16 = 120,
  mfma_f32_16x16x2_bf16 = 121,
  mfma_f32_32x32x2_bf16 = 122,
  mfma_f32_16x16x8_bf16 = 123,
  mfma_f32_32x32x4_bf16 = 124,
  mfma_f32_4x4x1_f32 = 130,
  mfma_f32_16x16x1_f32 = 131,
  mfma_f32_32x32x1_f32 = 132,
  mfma_f32_16x16x4_f32 = 133,
  mfma_f32_32x32x2_f32 = 134,
  mfma_f64_16x16x4_f64 = 140,
  mfma_f64_4x4x4_f64 = 141,
  mfma_i32_4x4x4_i8 = 145,
  mfma_i32_16x16x4_i8 = 146,
  mfma_i32_32x32x4_i8 = 147,
  mfma_i32_16x16x16_i8 = 148,
  mfma_i32_32x32x8_i8 = 149,
  mfma_i32_16x16x32_i8 = 150,
  mfma_i32_32x32x16_i8 = 151,
  mfma_i32_16x16x64_i8 = 152,
  mfma_i32_32x32x32_i8 = 153,
  mfma_f32_16x16x8_xf32 = 155,
  mfma_f32_32x32x4_xf32 = 156,
  // 8-bit floats: fp8 is e4m3, bf8 e5m2, in the target's own family (FNUZ or OCP); A's type comes first
  mfma_f32_16x16x32_fp8_fp8 = 160,
  mfma_f32_16x16x32_fp8_bf8 = 161,
  mfma_f32_16x16x32_bf8_fp8 = 162,
  mfma_f32_16x16x32_bf8_bf8 = 163,
  mfma_f32_32x32x16_fp8_fp8 = 164,
  mfma_f32_32x32x16_fp8_bf8 = 165,
  mfma_f32_32x32x16_bf8_fp8 = 166,
  mfma_f32_32x32x16_bf8_bf8 = 167,
  mfma_f32_16x16x128_fp8_fp8 = 168,
  mfma_f32_16x16x128_fp8_bf8 = 169,
  mfma_f32_16x16x128_bf8_fp8 = 170,
  mfma_f32_16x16x128_bf8_bf8 = 171,
  mfma_f32_32x32x64_fp8_fp8 = 172,
  mfma_f32_32x32x64_fp8_bf8 = 173,
  mfma_f32_32x32x64_bf8_fp8 = 174,
  mfma_f32_32x32x64_bf8_bf8 = 175,
  // tf32 by three bf16 instructions (split_tf32.hpp)
  mfma_tf32_16x16x16_bf16_1k = 180,
  mfma_tf32_32x32x8_bf16_1k = 181,
  mfma_tf32_16x16x32_bf16 = 182,
  mfma_tf32_32x32x16_bf16 = 183,
  // WMMA of RDNA: 200 to 299. The name is the manuals'; what follows it is the generation, whose operands differ.
  wmma_f32_16x16x16_f16_gfx11 = 200,
  wmma_f32_16x16x16_bf16_gfx11 = 201,
  wmma_i32_16x16x16_i8_gfx11 = 205,
  wmma_tf32_16x16x16_bf16_gfx11 = 210,  ///< tf32 by three bf16 instructions (split_tf32.hpp)
  wmma_f32_16x16x16_f16_gfx12 = 220,
  wmma_f32_16x16x16_bf16_gfx12 = 221,
  wmma_i32_16x16x16_i8_gfx12 = 225,
  wmma_f32_16x16x16_fp8_fp8_gfx12 = 226,
  wmma_f32_16x16x16_fp8_bf8_gfx12 = 227,
  wmma_f32_16x16x16_bf8_fp8_gfx12 = 228,
  wmma_f32_16x16x16_bf8_bf8_gfx12 = 229,
  wmma_tf32_16x16x16_bf16_gfx12 = 235,
  // Products by vector units: 290 to 299
  fma_f32_32x16x1_f32 = 290,
  // WMMA of gfx1250: 300 to 399
  wmma_f32_16x16x32_f16 = 300,
  wmma_f32_16x16x32_bf16 = 301,
  wmma_f32_16x16x4_f32 = 310,
  wmma_i32_16x16x64_i8 = 320,
  wmma_f32_16x16x64_fp8_fp8 = 330,
  wmma_f32_16x16x64_fp8_bf8 = 331,
  wmma_f32_16x16x64_bf8_fp8 = 332,
  wmma_f32_16x16x64_bf8_bf8 = 333,
  wmma_f32_16x16x128_fp8_fp8 = 334,
  wmma_f32_16x16x128_fp8_bf8 = 335,
  wmma_f32_16x16x128_bf8_fp8 = 336,
  wmma_f32_16x16x128_bf8_bf8 = 337,
  wmma_tf32_16x16x32_bf16 = 340,
  // mma.sync (NVIDIA): 400 to 499
  mma_m16n8k16_f16 = 400,
  mma_m16n8k16_bf16 = 401,
  mma_m16n8k8_tf32 = 402,
  // wgmma (NVIDIA): m64, any n of wgmma_table()
  wgmma_f16 = 410,
  wgmma_bf16 = 411,
  wgmma_e4m3 = 412,
  wgmma_e5m2 = 413,
};

/// A set of targets.
struct ArchSet {
  std::uint32_t bits = 0;

  ArchSet() = default;
  template <class... Arches>
  ZELLIGE_HD constexpr explicit ArchSet(Arches... arches) : bits(((1u << static_cast<int>(arches)) | ... | 0u)) {}
  ZELLIGE_HD constexpr bool has(Arch arch) const { return (bits >> static_cast<int>(arch) & 1u) != 0; }
};

/// One line of a family's table: an instruction, the targets that have it, and its duration there.
struct MmaRow {
  MmaOp op = MmaOp::none;
  DataType input = DataType::f16;
  Mnk shape{};     ///< of one block
  int blocks = 1;  ///< independent products that one instruction computes
  ArchSet archs{};
  int passes = 0;  ///< of 4 clocks that the matrix core is busy; 0: not public
  DataType own_b = as_a();   ///< B's type where it is not A's
  int products = 1;          ///< instructions that compute it: 3 where tf32 operands are split

  /// B's type. (A default of `input` would say it better; nvcc cannot evaluate such a member's default.)
  ZELLIGE_HD constexpr DataType input_b() const { return own_b == as_a() ? input : own_b; }
  ZELLIGE_HD static constexpr DataType as_a() { return static_cast<DataType>(-1); }
};

/// The types of A and B, mostly one for both.
struct InputTypes {
  DataType a, b;

  ZELLIGE_HD constexpr InputTypes(DataType both) : a(both), b(both) {}
  ZELLIGE_HD constexpr InputTypes(DataType type_a, DataType type_b) : a(type_a), b(type_b) {}
};

struct Mma {
  MmaOp op = MmaOp::none;
  DataType input = DataType::f16, input_b = DataType::f16, accumulator = DataType::f32;
  Mnk shape{};
  int blocks = 1;
  int passes = 0;
  int products = 1;
  int waves = 1;  ///< that execute it together; where more than one, operands come as tiles and have no lane maps
  LaneMap a{}, b{}, c{};

  bool operator==(const Mma&) const = default;
};

/// The instruction of a row, and where its operands and its result sit.
ZELLIGE_HD constexpr Mma described(const MmaRow& row, const LaneMap& a, const LaneMap& b, const LaneMap& c) {
  return {.op = row.op,
          .input = row.input,
          .input_b = row.input_b(),
          .accumulator = accumulator_of(row.input),
          .shape = row.shape,
          .blocks = row.blocks,
          .passes = row.passes,
          .products = row.products,
          .a = a,
          .b = b,
          .c = c};
}

/// 32-bit words of one lane's A or B operand.
ZELLIGE_HD constexpr int words_a(const Mma& mma) { return mma.a.slots() * bytes_of(mma.input) / 4; }
ZELLIGE_HD constexpr int words_b(const Mma& mma) { return mma.b.slots() * bytes_of(mma.input_b) / 4; }

/// How far a product that is added may lie from the operands' exact product, as a share of it: 0 where the instruction
/// multiplies exactly, as all do but those of tf32. There an operand keeps 10 fraction bits, by whatever rounding
/// (2^-10 each, both together 2^-9 + 2^-20), or is split (split_tf32.hpp).
ZELLIGE_HD constexpr double product_error(const Mma& mma) {
  return mma.input != DataType::tf32 ? 0 : mma.products == 3 ? 0x1p-14 : 0x1p-9 + 0x1p-20;
}

}  // namespace zellige
