// WMMA, the matrix instructions of RDNA 3 and 4 (gfx11, gfx12), for waves of 32: a row of data and a line of fma_rdna()
// each.
//
// One instruction multiplies 16x16x16. On gfx11 a lane holds a whole row of A (column of B), and the two halves of the
// wave hold the same: at lane l row l % 16, slot = k. On gfx12 the halves share a row, 8 k each. The order of k inside
// an instruction is free there, as long as A and B agree; the maps give each half consecutive k.
// The result's column is l % 16; its row is 2 * slot + l / 16 on gfx11 and 8 * (l / 16) + slot on gfx12 (AMD's RDNA3
// and RDNA4 ISA manuals, "Wave Matrix Multiply Accumulate").
#pragma once

#include "zellige/atom/mma_descriptor.hpp"
#include "zellige/atom/split_tf32.hpp"
#include "zellige/atom/sync.hpp"
#include "zellige/core/vec.hpp"

namespace zellige {

/// Durations reproduce the published peaks: 256 FLOP a clock and SIMD on gfx11, 512 on gfx12 and twice that of 8 bits.
ZELLIGE_HD constexpr Array<MmaRow, 12> rdna_rows() {
  using enum DataType;
  const ArchSet rdna3(Arch::gfx1100, Arch::gfx1151), rdna4(Arch::gfx1201);
  return {{
      {MmaOp::wmma_f32_16x16x16_f16_gfx11, f16, {16, 16, 16}, 1, rdna3, 8},
      {MmaOp::wmma_f32_16x16x16_bf16_gfx11, bf16, {16, 16, 16}, 1, rdna3, 8},
      {MmaOp::wmma_f32_16x16x16_f16_gfx12, f16, {16, 16, 16}, 1, rdna4, 4},
      {MmaOp::wmma_f32_16x16x16_bf16_gfx12, bf16, {16, 16, 16}, 1, rdna4, 4},
      {MmaOp::wmma_i32_16x16x16_i8_gfx11, i8, {16, 16, 16}, 1, rdna3, 8},
      {MmaOp::wmma_i32_16x16x16_i8_gfx12, i8, {16, 16, 16}, 1, rdna4, 2},
      {MmaOp::wmma_f32_16x16x16_fp8_fp8_gfx12, f8e4m3, {16, 16, 16}, 1, rdna4, 2},
      {MmaOp::wmma_f32_16x16x16_fp8_bf8_gfx12, f8e4m3, {16, 16, 16}, 1, rdna4, 2, f8e5m2},
      {MmaOp::wmma_f32_16x16x16_bf8_fp8_gfx12, f8e5m2, {16, 16, 16}, 1, rdna4, 2, f8e4m3},
      {MmaOp::wmma_f32_16x16x16_bf8_bf8_gfx12, f8e5m2, {16, 16, 16}, 1, rdna4, 2},
      {MmaOp::wmma_tf32_16x16x16_bf16_gfx11, tf32, {16, 16, 16}, 1, rdna3, 24, tf32, 3},
      {MmaOp::wmma_tf32_16x16x16_bf16_gfx12, tf32, {16, 16, 16}, 1, rdna4, 12, tf32, 3},
  }};
}

ZELLIGE_HD constexpr Mma rdna_mma_of(const MmaRow& row) {
  const int k = row.shape.k;
  const bool replicated = row.archs.has(Arch::gfx1100);  // both halves of the wave hold the same operands
  const LaneMap operand = replicated ? LaneMap{{{{16, 0, 1, 0}, {2, 0, 0, 0}}}, {{{k, 0, 0, 1}}}}
                                     : LaneMap{{{{16, 0, 1, 0}, {2, 0, 0, k / 2}}}, {{{k / 2, 0, 0, 1}}}};
  const LaneMap result = replicated ? LaneMap{{{{16, 0, 0, 1}, {2, 0, 1, 0}}}, {{{8, 0, 2, 0}}}}
                                    : LaneMap{{{{16, 0, 0, 1}, {2, 0, 8, 0}}}, {{{8, 0, 1, 0}}}};
  return described(row, operand, operand, result);
}

#if defined(__HIP__)
/// C + A * B by the instruction `op`. Operands are bits (mma_descriptor.hpp); a line names the type its builtin takes.
template <MmaOp op, class A, class B, class C>
ZELLIGE_DEVICE C fma_rdna(A a, B b, C c) {
  using half8 = vec<_Float16, 8>;
  using half16 = vec<_Float16, 16>;
  using short8 = vec<short, 8>;
  using short16 = vec<short, 16>;
  using int2 = vec<int, 2>;
  using int4 = vec<int, 4>;
#define ZELLIGE_WMMA(name, builtin, type)     \
  if constexpr (op == MmaOp::wmma_f32_##name) \
  return made_here(__builtin_amdgcn_wmma_f32_##builtin(bit_cast<type>(a), bit_cast<type>(b), c))
// Integers of 8 bits: both operands signed, sums that wrap.
#define ZELLIGE_WMMA_I8(generation, builtin, type)              \
  if constexpr (op == MmaOp::wmma_i32_16x16x16_i8_##generation) \
  return made_here(__builtin_amdgcn_wmma_i32_##builtin(true, bit_cast<type>(a), true, bit_cast<type>(b), c, false))
#define ZELLIGE_WMMA_SPLIT(name)               \
  if constexpr (op == MmaOp::wmma_tf32_##name) \
  return fma_split(a, b, c, [](auto x, auto y, auto z) { return fma_rdna<MmaOp::wmma_f32_##name>(x, y, z); })
  ZELLIGE_WMMA(16x16x16_f16_gfx11, 16x16x16_f16_w32, half16);
  else ZELLIGE_WMMA(16x16x16_bf16_gfx11, 16x16x16_bf16_w32, short16);
  else ZELLIGE_WMMA(16x16x16_f16_gfx12, 16x16x16_f16_w32_gfx12, half8);
  else ZELLIGE_WMMA(16x16x16_bf16_gfx12, 16x16x16_bf16_w32_gfx12, short8);
  else ZELLIGE_WMMA_I8(gfx11, 16x16x16_iu8_w32, int4);
  else ZELLIGE_WMMA_I8(gfx12, 16x16x16_iu8_w32_gfx12, int2);
  else ZELLIGE_WMMA(16x16x16_fp8_fp8_gfx12, 16x16x16_fp8_fp8_w32_gfx12, int2);
  else ZELLIGE_WMMA(16x16x16_fp8_bf8_gfx12, 16x16x16_fp8_bf8_w32_gfx12, int2);
  else ZELLIGE_WMMA(16x16x16_bf8_fp8_gfx12, 16x16x16_bf8_fp8_w32_gfx12, int2);
  else ZELLIGE_WMMA(16x16x16_bf8_bf8_gfx12, 16x16x16_bf8_bf8_w32_gfx12, int2);
  else ZELLIGE_WMMA_SPLIT(16x16x16_bf16_gfx11);
  else ZELLIGE_WMMA_SPLIT(16x16x16_bf16_gfx12);
  else static_assert(op == MmaOp::none && op != MmaOp::none, "fma_rdna has no line for this instruction");
#undef ZELLIGE_WMMA_SPLIT
#undef ZELLIGE_WMMA_I8
#undef ZELLIGE_WMMA
}
#endif

}  // namespace zellige
