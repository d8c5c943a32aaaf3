// MFMA, the matrix instructions of CDNA: a row of data each, and one line each in fma_cdna().
//
// All lane maps follow from two formulas (AMD's CDNA3 ISA manual, "Matrix Arithmetic Instructions": dense, not f64).
// With M, N, K and B blocks, an operand's lane is i + M * (b + B * (k / L)) and its slot k % L, where L = K M B / 64
// consecutive k lie in a lane. The result's rows come in groups of four slots, see mfma_result().
#pragma once

#include "zellige/atom/mma_descriptor.hpp"
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

/// Every f16, bf16 and f32 MFMA. An instruction whose duration differs between targets has a row for each duration.
ZELLIGE_HD constexpr Array<MmaRow, 28> mfma_rows() {
  using enum DataType;
  const ArchSet cdna2(Arch::gfx90a), cdna3(Arch::gfx942, Arch::gfx950), cdna4(Arch::gfx950);
  const ArchSet all(Arch::gfx90a, Arch::gfx942, Arch::gfx950);
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
  }};
}

ZELLIGE_HD constexpr Mma mfma_of(const MmaRow& row) {
  const Mnk s = row.shape;
  return {.op = row.op,
          .input = row.input,
          .accumulator = accumulator_of(row.input),
          .shape = s,
          .blocks = row.blocks,
          .passes = row.passes,
          .a = mfma_operand(s.m, s.k, row.blocks),
          .b = mfma_operand(s.n, s.k, row.blocks),
          .c = mfma_result(s.m, s.n, row.blocks)};
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
#define ZELLIGE_MFMA(name, builtin, type)     \
  if constexpr (op == MmaOp::mfma_f32_##name) \
  return __builtin_amdgcn_mfma_f32_##builtin(bit_cast<type>(a), bit_cast<type>(b), c, 0, 0, 0)
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
  else static_assert(op == MmaOp::none && op != MmaOp::none, "fma_cdna has no line for this instruction");
#undef ZELLIGE_MFMA
}
#endif

}  // namespace zellige
