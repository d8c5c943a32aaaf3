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
  // mma.sync (NVIDIA): 400 to 499
  mma_m16n8k16_f16 = 400,
  mma_m16n8k16_bf16 = 401,
  mma_m16n8k8_tf32 = 402,
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
};

struct Mma {
  MmaOp op = MmaOp::none;
  DataType input = DataType::f16, accumulator = DataType::f32;
  Mnk shape{};
  int blocks = 1;
  int passes = 0;
  LaneMap a{}, b{}, c{};

  bool operator==(const Mma&) const = default;
};

/// 32-bit words of one lane's A or B operand.
ZELLIGE_HD constexpr int words_a(const Mma& mma) { return mma.a.slots() * bytes_of(mma.input) / 4; }
ZELLIGE_HD constexpr int words_b(const Mma& mma) { return mma.b.slots() * bytes_of(mma.input) / 4; }

}  // namespace zellige
