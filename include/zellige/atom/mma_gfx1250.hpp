// WMMA of gfx1250, for its waves of 32: a row of data and a line of fma_gfx1250() each.
//
// Lane l holds row l % 16 of A (column of B); the halves of the wave, h = l / 16, take turns along k in granules of at
// most 16 bytes: of g elements, k = 2 g * (slot / g) + g * h + slot % g. The order of k is free for dense products as
// long as A and B agree; this one is also that of the scaled instructions. The result's column is l % 16, its row
// 8 * h + slot.
#pragma once

#include "zellige/atom/mma_descriptor.hpp"
#include "zellige/atom/split_tf32.hpp"
#include "zellige/core/vec.hpp"

namespace zellige {

/// Durations are not public. The 16-bit ones follow from the announced peak of 8-bit types (20 PFLOP/s, twice theirs);
/// f32 is taken to run at a sixteenth of their rate.
ZELLIGE_HD constexpr Array<MmaRow, 13> gfx1250_rows() {
  using enum DataType;
  const ArchSet gfx1250(Arch::gfx1250);
  return {{
      {MmaOp::wmma_f32_16x16x32_f16, f16, {16, 16, 32}, 1, gfx1250, 1},
      {MmaOp::wmma_f32_16x16x32_bf16, bf16, {16, 16, 32}, 1, gfx1250, 1},
      {MmaOp::wmma_f32_16x16x4_f32, f32, {16, 16, 4}, 1, gfx1250, 2},
      {MmaOp::wmma_i32_16x16x64_i8, i8, {16, 16, 64}, 1, gfx1250, 1},
      {MmaOp::wmma_f32_16x16x64_fp8_fp8, f8e4m3, {16, 16, 64}, 1, gfx1250, 1},
      {MmaOp::wmma_f32_16x16x64_fp8_bf8, f8e4m3, {16, 16, 64}, 1, gfx1250, 1, f8e5m2},
      {MmaOp::wmma_f32_16x16x64_bf8_fp8, f8e5m2, {16, 16, 64}, 1, gfx1250, 1, f8e4m3},
      {MmaOp::wmma_f32_16x16x64_bf8_bf8, f8e5m2, {16, 16, 64}, 1, gfx1250, 1},
      {MmaOp::wmma_f32_16x16x128_fp8_fp8, f8e4m3, {16, 16, 128}, 1, gfx1250, 2},
      {MmaOp::wmma_f32_16x16x128_fp8_bf8, f8e4m3, {16, 16, 128}, 1, gfx1250, 2, f8e5m2},
      {MmaOp::wmma_f32_16x16x128_bf8_fp8, f8e5m2, {16, 16, 128}, 1, gfx1250, 2, f8e4m3},
      {MmaOp::wmma_f32_16x16x128_bf8_bf8, f8e5m2, {16, 16, 128}, 1, gfx1250, 2},
      {MmaOp::wmma_tf32_16x16x32_bf16, tf32, {16, 16, 32}, 1, gfx1250, 3, tf32, 3},
  }};
}

ZELLIGE_HD constexpr Mma gfx1250_mma_of(const MmaRow& row) {
  const int slots = row.shape.k / 2, granule = min_of(slots, 16 / bytes_of(row.input));
  const LaneMap operand{.lane = {{{16, 0, 1, 0}, {2, 0, 0, granule}}},
                        .slot = {{{granule, 0, 0, 1}, {slots / granule, 0, 0, 2 * granule}}}};
  return described(row, operand, operand, {.lane = {{{16, 0, 0, 1}, {2, 0, 8, 0}}}, .slot = {{{8, 0, 1, 0}}}});
}

#if defined(__HIP__)
/// The same words, of which the compiler knows nothing: LLVM 22 carries operands of 32 bytes as one wide integer into
/// the instruction and moves each of their registers on the way, 48 moves for 8 products of 16x16x32.
template <class Words>
ZELLIGE_DEVICE Words opaque(Words words) {
#if ZELLIGE_DEVICE_PASS
  asm("" : "+v"(words));
#endif
  return words;
}

/// C + A * B by the instruction `op`. Operands are bits (mma_descriptor.hpp); a line names the type its builtin takes.
template <MmaOp op, class A, class B, class C>
ZELLIGE_DEVICE C fma_gfx1250(A a, B b, C c) {
  using half16 = vec<_Float16, 16>;
  using brain16 = vec<__bf16, 16>;
  using float2 = vec<float, 2>;
  using int8 = vec<int, 8>;
  using int16 = vec<int, 16>;
// The builtins' other arguments: no negation of A, B or C, no hint that an operand is used again.
#define ZELLIGE_WMMA(name, type)                                                                                    \
  if constexpr (op == MmaOp::wmma_f32_##name)                                                                       \
  return __builtin_amdgcn_wmma_f32_##name(false, bit_cast<type>(opaque(a)), false, bit_cast<type>(opaque(b)), 0, c, \
                                          false, false)
#define ZELLIGE_WMMA_F8(name, type)           \
  if constexpr (op == MmaOp::wmma_f32_##name) \
  return __builtin_amdgcn_wmma_f32_##name(bit_cast<type>(a), bit_cast<type>(b), 0, c, false, false)
  ZELLIGE_WMMA(16x16x32_f16, half16);
  else ZELLIGE_WMMA(16x16x32_bf16, brain16);
  else ZELLIGE_WMMA(16x16x4_f32, float2);
  else if constexpr (op == MmaOp::wmma_i32_16x16x64_i8)  // both operands signed
      return __builtin_amdgcn_wmma_i32_16x16x64_iu8(true, bit_cast<int8>(a), true, bit_cast<int8>(b), c, false, false);
  else ZELLIGE_WMMA_F8(16x16x64_fp8_fp8, int8);
  else ZELLIGE_WMMA_F8(16x16x64_fp8_bf8, int8);
  else ZELLIGE_WMMA_F8(16x16x64_bf8_fp8, int8);
  else ZELLIGE_WMMA_F8(16x16x64_bf8_bf8, int8);
  else ZELLIGE_WMMA_F8(16x16x128_fp8_fp8, int16);
  else ZELLIGE_WMMA_F8(16x16x128_fp8_bf8, int16);
  else ZELLIGE_WMMA_F8(16x16x128_bf8_fp8, int16);
  else ZELLIGE_WMMA_F8(16x16x128_bf8_bf8, int16);
  else if constexpr (op == MmaOp::wmma_tf32_16x16x32_bf16) return fma_split(
      a, b, c, [](auto x, auto y, auto z) { return fma_gfx1250<MmaOp::wmma_f32_16x16x32_bf16>(x, y, z); });
  else static_assert(op == MmaOp::none && op != MmaOp::none, "fma_gfx1250 has no line for this instruction");
#undef ZELLIGE_WMMA_F8
#undef ZELLIGE_WMMA
}
#endif

}  // namespace zellige
