// MFMA, the matrix instructions of CDNA: a row of data each, and one line each in fma_cdna().
//
// All lane maps follow from two formulas (AMD's CDNA3 ISA manual, "Matrix Arithmetic Instructions": dense, not f64).
// With M, N, K and B blocks, an operand's lane is i + M * (b + B * (k / L)) and its slot k % L, where L = K M B / 64
// consecutive k lie in a lane. The result's rows come in groups of four slots, see mfma_result(); of f64 they do not.
#pragma once

#include "zellige/atom/mma_descriptor.hpp"
#include "zellige/atom/split_tf32.hpp"
#include "zellige/core/vec.hpp"

namespace zellige {

/// The map of A (side = M) or B (side = N): rows = side, columns = k.
ZELLIGE_HD constexpr LaneMap mfma_operand(int side, int k, int blocks) {
  const int owned = k * side * blocks / 64;
  return {.lane = {{{side, 0, 1, 0}, {blocks, 1, 0, 0}, {64 / (side * blocks), 0, 0, owned}}},
          .slot = {{{owned, 0, 0, 1}}}};
}

/// The map of C: four rows go to slots, groups of four to the lanes that are left beside the columns, then to slots.
ZELLIGE_HD constexpr LaneMap mfma_result(int m, int n, int blocks) {
  const int group = 4;
  const int lane_blocks = max_of(1, 64 * group / (m * n));  // blocks that lie side by side in the lanes
  const int lane_groups = 64 / (lane_blocks * n);           // row groups that do
  const int slot_groups = m / (group * lane_groups);
  return {.lane = {{{n, 0, 0, 1}, {lane_groups, 0, group, 0}, {lane_blocks, 1, 0, 0}}},
          .slot = {
              {{group, 0, 1, 0}, {slot_groups, 0, group * lane_groups, 0}, {blocks / lane_blocks, lane_blocks, 0, 0}}}};
}

/// The map of an f64 C: columns, blocks, then rows in the lanes, what is left of the rows in slots. (The manual's
/// general formula puts 4x4x4's blocks last; two public programs that ran on hardware agree on this order.)
ZELLIGE_HD constexpr LaneMap mfma_result_f64(int m, int n, int blocks) {
  const int lane_rows = 64 / (n * blocks);
  return {.lane = {{{n, 0, 0, 1}, {blocks, 1, 0, 0}, {lane_rows, 0, 1, 0}}},
          .slot = {{{m / lane_rows, 0, lane_rows, 0}}}};
}

/// Every dense MFMA, and tf32 by three of bf16 where a target has none of its own. An instruction whose duration
/// differs between targets has a row for each duration.
ZELLIGE_HD constexpr Array<MmaRow, 72> mfma_rows() {
  using enum DataType;
  const ArchSet cdna2(Arch::gfx90a), cdna3(Arch::gfx942, Arch::gfx950), cdna4(Arch::gfx950);
  const ArchSet all(Arch::gfx90a, Arch::gfx942, Arch::gfx950), fnuz(Arch::gfx942), ocp(Arch::gfx950);
  const ArchSet cdna23(Arch::gfx90a, Arch::gfx942);
  return {{
      {MmaOp::mfma_f32_32x32x8_f16, f16, {32, 32, 8}, 1, cdna2, 16},
      {MmaOp::mfma_f32_32x32x8_f16, f16, {32, 32, 8}, 1, cdna3, 8},
      {MmaOp::mfma_f32_16x16x16_f16, f16, {16, 16, 16}, 1, cdna2, 8},
      {MmaOp::mfma_f32_16x16x16_f16, f16, {16, 16, 16}, 1, cdna3, 4},
      {MmaOp::mfma_f32_32x32x16_f16, f16, {32, 32, 16}, 1, cdna4, 8},
      {MmaOp::mfma_f32_16x16x32_f16, f16, {16, 16, 32}, 1, cdna4, 4},
      {MmaOp::mfma_f32_32x32x4_f16, f16, {32, 32, 4}, 2, all, 16},
      {MmaOp::mfma_f32_16x16x4_f16, f16, {16, 16, 4}, 4, all, 8},
      {MmaOp::mfma_f32_4x4x4_f16, f16, {4, 4, 4}, 16, all, 2},
      {MmaOp::mfma_f32_32x32x8_bf16_1k, bf16, {32, 32, 8}, 1, cdna2, 16},
      {MmaOp::mfma_f32_32x32x8_bf16_1k, bf16, {32, 32, 8}, 1, cdna3, 8},
      {MmaOp::mfma_f32_16x16x16_bf16_1k, bf16, {16, 16, 16}, 1, cdna2, 8},
      {MmaOp::mfma_f32_16x16x16_bf16_1k, bf16, {16, 16, 16}, 1, cdna3, 4},
      {MmaOp::mfma_f32_32x32x16_bf16, bf16, {32, 32, 16}, 1, cdna4, 8},
      {MmaOp::mfma_f32_16x16x32_bf16, bf16, {16, 16, 32}, 1, cdna4, 4},
      {MmaOp::mfma_f32_32x32x4_bf16_1k, bf16, {32, 32, 4}, 2, all, 16},
      {MmaOp::mfma_f32_16x16x4_bf16_1k, bf16, {16, 16, 4}, 4, all, 8},
      {MmaOp::mfma_f32_4x4x4_bf16_1k, bf16, {4, 4, 4}, 16, all, 2},
      {MmaOp::mfma_f32_32x32x4_bf16, bf16, {32, 32, 4}, 1, cdna2, 16},
      {MmaOp::mfma_f32_16x16x8_bf16, bf16, {16, 16, 8}, 1, cdna2, 8},
      {MmaOp::mfma_f32_32x32x2_bf16, bf16, {32, 32, 2}, 2, cdna2, 16},
      {MmaOp::mfma_f32_16x16x2_bf16, bf16, {16, 16, 2}, 4, cdna2, 8},
      {MmaOp::mfma_f32_4x4x2_bf16, bf16, {4, 4, 2}, 16, cdna2, 2},
      {MmaOp::mfma_f32_32x32x2_f32, f32, {32, 32, 2}, 1, all, 16},
      {MmaOp::mfma_f32_16x16x4_f32, f32, {16, 16, 4}, 1, all, 8},
      {MmaOp::mfma_f32_32x32x1_f32, f32, {32, 32, 1}, 2, all, 16},
      {MmaOp::mfma_f32_16x16x1_f32, f32, {16, 16, 1}, 4, all, 8},
      {MmaOp::mfma_f32_4x4x1_f32, f32, {4, 4, 1}, 16, all, 2},
      {MmaOp::mfma_f64_16x16x4_f64, f64, {16, 16, 4}, 1, cdna23, 8},
      {MmaOp::mfma_f64_16x16x4_f64, f64, {16, 16, 4}, 1, cdna4, 16},
      {MmaOp::mfma_f64_4x4x4_f64, f64, {4, 4, 4}, 4, all, 4},
      {MmaOp::mfma_i32_32x32x8_i8, i8, {32, 32, 8}, 1, cdna2, 16},
      {MmaOp::mfma_i32_16x16x16_i8, i8, {16, 16, 16}, 1, cdna2, 8},
      {MmaOp::mfma_i32_32x32x16_i8, i8, {32, 32, 16}, 1, cdna3, 8},
      {MmaOp::mfma_i32_16x16x32_i8, i8, {16, 16, 32}, 1, cdna3, 4},
      {MmaOp::mfma_i32_32x32x32_i8, i8, {32, 32, 32}, 1, cdna4, 8},
      {MmaOp::mfma_i32_16x16x64_i8, i8, {16, 16, 64}, 1, cdna4, 4},
      {MmaOp::mfma_i32_32x32x4_i8, i8, {32, 32, 4}, 2, all, 16},
      {MmaOp::mfma_i32_16x16x4_i8, i8, {16, 16, 4}, 4, all, 8},
      {MmaOp::mfma_i32_4x4x4_i8, i8, {4, 4, 4}, 16, all, 2},
      {MmaOp::mfma_f32_32x32x4_xf32, tf32, {32, 32, 4}, 1, fnuz, 8},
      {MmaOp::mfma_f32_16x16x8_xf32, tf32, {16, 16, 8}, 1, fnuz, 4},
      {MmaOp::mfma_tf32_32x32x8_bf16_1k, tf32, {32, 32, 8}, 1, cdna2, 48, tf32, 3},
      {MmaOp::mfma_tf32_16x16x16_bf16_1k, tf32, {16, 16, 16}, 1, cdna2, 24, tf32, 3},
      {MmaOp::mfma_tf32_32x32x8_bf16_1k, tf32, {32, 32, 8}, 1, cdna4, 24, tf32, 3},
      {MmaOp::mfma_tf32_16x16x16_bf16_1k, tf32, {16, 16, 16}, 1, cdna4, 12, tf32, 3},
      {MmaOp::mfma_tf32_32x32x16_bf16, tf32, {32, 32, 16}, 1, cdna4, 24, tf32, 3},
      {MmaOp::mfma_tf32_16x16x32_bf16, tf32, {16, 16, 32}, 1, cdna4, 12, tf32, 3},
      {MmaOp::mfma_f32_16x16x32_fp8_fp8, f8e4m3fnuz, {16, 16, 32}, 1, fnuz, 4},
      {MmaOp::mfma_f32_16x16x32_fp8_bf8, f8e4m3fnuz, {16, 16, 32}, 1, fnuz, 4, f8e5m2fnuz},
      {MmaOp::mfma_f32_16x16x32_bf8_fp8, f8e5m2fnuz, {16, 16, 32}, 1, fnuz, 4, f8e4m3fnuz},
      {MmaOp::mfma_f32_16x16x32_bf8_bf8, f8e5m2fnuz, {16, 16, 32}, 1, fnuz, 4},
      {MmaOp::mfma_f32_32x32x16_fp8_fp8, f8e4m3fnuz, {32, 32, 16}, 1, fnuz, 8},
      {MmaOp::mfma_f32_32x32x16_fp8_bf8, f8e4m3fnuz, {32, 32, 16}, 1, fnuz, 8, f8e5m2fnuz},
      {MmaOp::mfma_f32_32x32x16_bf8_fp8, f8e5m2fnuz, {32, 32, 16}, 1, fnuz, 8, f8e4m3fnuz},
      {MmaOp::mfma_f32_32x32x16_bf8_bf8, f8e5m2fnuz, {32, 32, 16}, 1, fnuz, 8},
      {MmaOp::mfma_f32_16x16x32_fp8_fp8, f8e4m3, {16, 16, 32}, 1, ocp, 4},
      {MmaOp::mfma_f32_16x16x32_fp8_bf8, f8e4m3, {16, 16, 32}, 1, ocp, 4, f8e5m2},
      {MmaOp::mfma_f32_16x16x32_bf8_fp8, f8e5m2, {16, 16, 32}, 1, ocp, 4, f8e4m3},
      {MmaOp::mfma_f32_16x16x32_bf8_bf8, f8e5m2, {16, 16, 32}, 1, ocp, 4},
      {MmaOp::mfma_f32_32x32x16_fp8_fp8, f8e4m3, {32, 32, 16}, 1, ocp, 8},
      {MmaOp::mfma_f32_32x32x16_fp8_bf8, f8e4m3, {32, 32, 16}, 1, ocp, 8, f8e5m2},
      {MmaOp::mfma_f32_32x32x16_bf8_fp8, f8e5m2, {32, 32, 16}, 1, ocp, 8, f8e4m3},
      {MmaOp::mfma_f32_32x32x16_bf8_bf8, f8e5m2, {32, 32, 16}, 1, ocp, 8},
      {MmaOp::mfma_f32_16x16x128_fp8_fp8, f8e4m3, {16, 16, 128}, 1, ocp, 8},
      {MmaOp::mfma_f32_16x16x128_fp8_bf8, f8e4m3, {16, 16, 128}, 1, ocp, 8, f8e5m2},
      {MmaOp::mfma_f32_16x16x128_bf8_fp8, f8e5m2, {16, 16, 128}, 1, ocp, 8, f8e4m3},
      {MmaOp::mfma_f32_16x16x128_bf8_bf8, f8e5m2, {16, 16, 128}, 1, ocp, 8},
      {MmaOp::mfma_f32_32x32x64_fp8_fp8, f8e4m3, {32, 32, 64}, 1, ocp, 16},
      {MmaOp::mfma_f32_32x32x64_fp8_bf8, f8e4m3, {32, 32, 64}, 1, ocp, 16, f8e5m2},
      {MmaOp::mfma_f32_32x32x64_bf8_fp8, f8e5m2, {32, 32, 64}, 1, ocp, 16, f8e4m3},
      {MmaOp::mfma_f32_32x32x64_bf8_bf8, f8e5m2, {32, 32, 64}, 1, ocp, 16},
  }};
}

ZELLIGE_HD constexpr Mma mfma_of(const MmaRow& row) {
  const Mnk s = row.shape;
  return described(
      row, mfma_operand(s.m, s.k, row.blocks), mfma_operand(s.n, s.k, row.blocks),
      row.input == DataType::f64 ? mfma_result_f64(s.m, s.n, row.blocks) : mfma_result(s.m, s.n, row.blocks));
}

#if defined(__HIP__)
/// C + A * B by the instruction `op`. Operands are bits (mma_descriptor.hpp); a line names the type its builtin takes.
template <MmaOp op, class A, class B, class C>
ZELLIGE_DEVICE C fma_cdna(A a, B b, C c) {
  using half4 = vec<_Float16, 4>;
  using half8 = vec<_Float16, 8>;
  using short2 = vec<short, 2>;
  using short4 = vec<short, 4>;
  using brain8 = vec<__bf16, 8>;
  using float2 = vec<float, 2>;
  using int4 = vec<int, 4>;
  using int8 = vec<int, 8>;
  // `long` is the builtins' own type for 8 bytes.
#define ZELLIGE_MFMA_TO(result, name, builtin, type) \
  if constexpr (op == MmaOp::mfma_##result##_##name) \
  return __builtin_amdgcn_mfma_##result##_##builtin(bit_cast<type>(a), bit_cast<type>(b), c, 0, 0, 0)
#define ZELLIGE_MFMA(name, builtin, type) ZELLIGE_MFMA_TO(f32, name, builtin, type)
  // Operands of 128 and 64 k with block scales of 1, whose codes of the formats are 0 (fp8) and 1 (bf8).
#define ZELLIGE_MFMA_F8F6F4(name, builtin, format_a, format_b)                                                 \
  if constexpr (op == MmaOp::mfma_f32_##name)                                                                  \
  return __builtin_amdgcn_mfma_scale_f32_##builtin##_f8f6f4(bit_cast<int8>(a), bit_cast<int8>(b), c, format_a, \
                                                            format_b, 0, 0, 0, 0)
#define ZELLIGE_MFMA_SPLIT(name)               \
  if constexpr (op == MmaOp::mfma_tf32_##name) \
  return fma_split(a, b, c, [](auto x, auto y, auto z) { return fma_cdna<MmaOp::mfma_f32_##name>(x, y, z); })
  ZELLIGE_MFMA(32x32x8_f16, 32x32x8f16, half4);
  else ZELLIGE_MFMA(16x16x16_f16, 16x16x16f16, half4);
  else ZELLIGE_MFMA(32x32x16_f16, 32x32x16_f16, half8);
  else ZELLIGE_MFMA(16x16x32_f16, 16x16x32_f16, half8);
  else ZELLIGE_MFMA(32x32x4_f16, 32x32x4f16, half4);
  else ZELLIGE_MFMA(16x16x4_f16, 16x16x4f16, half4);
  else ZELLIGE_MFMA(4x4x4_f16, 4x4x4f16, half4);
  else ZELLIGE_MFMA(32x32x8_bf16_1k, 32x32x8bf16_1k, short4);
  else ZELLIGE_MFMA(16x16x16_bf16_1k, 16x16x16bf16_1k, short4);
  else ZELLIGE_MFMA(32x32x16_bf16, 32x32x16_bf16, brain8);
  else ZELLIGE_MFMA(16x16x32_bf16, 16x16x32_bf16, brain8);
  else ZELLIGE_MFMA(32x32x4_bf16_1k, 32x32x4bf16_1k, short4);
  else ZELLIGE_MFMA(16x16x4_bf16_1k, 16x16x4bf16_1k, short4);
  else ZELLIGE_MFMA(4x4x4_bf16_1k, 4x4x4bf16_1k, short4);
  else ZELLIGE_MFMA(32x32x4_bf16, 32x32x4bf16, short2);
  else ZELLIGE_MFMA(16x16x8_bf16, 16x16x8bf16, short2);
  else ZELLIGE_MFMA(32x32x2_bf16, 32x32x2bf16, short2);
  else ZELLIGE_MFMA(16x16x2_bf16, 16x16x2bf16, short2);
  else ZELLIGE_MFMA(4x4x2_bf16, 4x4x2bf16, short2);
  else ZELLIGE_MFMA(32x32x2_f32, 32x32x2f32, float);
  else ZELLIGE_MFMA(16x16x4_f32, 16x16x4f32, float);
  else ZELLIGE_MFMA(32x32x1_f32, 32x32x1f32, float);
  else ZELLIGE_MFMA(16x16x1_f32, 16x16x1f32, float);
  else ZELLIGE_MFMA(4x4x1_f32, 4x4x1f32, float);
  else ZELLIGE_MFMA_TO(f64, 16x16x4_f64, 16x16x4f64, double);
  else if constexpr (op == MmaOp::mfma_f64_4x4x4_f64) return C{
      __builtin_amdgcn_mfma_f64_4x4x4f64(bit_cast<double>(a), bit_cast<double>(b), c[0], 0, 0, 0)};
  else ZELLIGE_MFMA_TO(i32, 32x32x8_i8, 32x32x8i8, int);
  else ZELLIGE_MFMA_TO(i32, 16x16x16_i8, 16x16x16i8, int);
  else ZELLIGE_MFMA_TO(i32, 32x32x16_i8, 32x32x16_i8, long);
  else ZELLIGE_MFMA_TO(i32, 16x16x32_i8, 16x16x32_i8, long);
  else ZELLIGE_MFMA_TO(i32, 32x32x32_i8, 32x32x32_i8, int4);
  else ZELLIGE_MFMA_TO(i32, 16x16x64_i8, 16x16x64_i8, int4);
  else ZELLIGE_MFMA_TO(i32, 32x32x4_i8, 32x32x4i8, int);
  else ZELLIGE_MFMA_TO(i32, 16x16x4_i8, 16x16x4i8, int);
  else ZELLIGE_MFMA_TO(i32, 4x4x4_i8, 4x4x4i8, int);
  else ZELLIGE_MFMA(32x32x4_xf32, 32x32x4_xf32, float2);
  else ZELLIGE_MFMA(16x16x8_xf32, 16x16x8_xf32, float2);
  else ZELLIGE_MFMA_SPLIT(32x32x8_bf16_1k);
  else ZELLIGE_MFMA_SPLIT(16x16x16_bf16_1k);
  else ZELLIGE_MFMA_SPLIT(32x32x16_bf16);
  else ZELLIGE_MFMA_SPLIT(16x16x32_bf16);
  else ZELLIGE_MFMA(16x16x32_fp8_fp8, 16x16x32_fp8_fp8, long);
  else ZELLIGE_MFMA(16x16x32_fp8_bf8, 16x16x32_fp8_bf8, long);
  else ZELLIGE_MFMA(16x16x32_bf8_fp8, 16x16x32_bf8_fp8, long);
  else ZELLIGE_MFMA(16x16x32_bf8_bf8, 16x16x32_bf8_bf8, long);
  else ZELLIGE_MFMA(32x32x16_fp8_fp8, 32x32x16_fp8_fp8, long);
  else ZELLIGE_MFMA(32x32x16_fp8_bf8, 32x32x16_fp8_bf8, long);
  else ZELLIGE_MFMA(32x32x16_bf8_fp8, 32x32x16_bf8_fp8, long);
  else ZELLIGE_MFMA(32x32x16_bf8_bf8, 32x32x16_bf8_bf8, long);
  else ZELLIGE_MFMA_F8F6F4(16x16x128_fp8_fp8, 16x16x128, 0, 0);
  else ZELLIGE_MFMA_F8F6F4(16x16x128_fp8_bf8, 16x16x128, 0, 1);
  else ZELLIGE_MFMA_F8F6F4(16x16x128_bf8_fp8, 16x16x128, 1, 0);
  else ZELLIGE_MFMA_F8F6F4(16x16x128_bf8_bf8, 16x16x128, 1, 1);
  else ZELLIGE_MFMA_F8F6F4(32x32x64_fp8_fp8, 32x32x64, 0, 0);
  else ZELLIGE_MFMA_F8F6F4(32x32x64_fp8_bf8, 32x32x64, 0, 1);
  else ZELLIGE_MFMA_F8F6F4(32x32x64_bf8_fp8, 32x32x64, 1, 0);
  else ZELLIGE_MFMA_F8F6F4(32x32x64_bf8_bf8, 32x32x64, 1, 1);
  else static_assert(op == MmaOp::none && op != MmaOp::none, "fma_cdna has no line for this instruction");
#undef ZELLIGE_MFMA_SPLIT
#undef ZELLIGE_MFMA_F8F6F4
#undef ZELLIGE_MFMA
#undef ZELLIGE_MFMA_TO
}
#endif

}  // namespace zellige
