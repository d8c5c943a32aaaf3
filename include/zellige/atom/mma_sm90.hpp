// mma.sync, the warp-wide matrix instructions of NVIDIA targets: a row of data each, and one line each in fma_sm90().
//
// Lane maps after the PTX ISA manual, "Matrix fragments for mma.m16n8k16" and "for mma.m16n8k8": with g = lane / 4 and
// t = lane % 4, operands pack 32 bits of consecutive k at row g, the second register of A is row g + 8; the result
// holds columns 2t, 2t + 1.
#pragma once

#include "zellige/atom/mma_descriptor.hpp"
#include "zellige/atom/warpgroup_mma.hpp"
#include "zellige/core/vec.hpp"

namespace zellige {

ZELLIGE_HD constexpr Array<MmaRow, 3> mma_sync_rows() {
  using enum DataType;
  const ArchSet nvidia(Arch::sm_90);
  return {{
      {MmaOp::mma_m16n8k16_f16, f16, {16, 8, 16}, 1, nvidia, 0},
      {MmaOp::mma_m16n8k16_bf16, bf16, {16, 8, 16}, 1, nvidia, 0},
      {MmaOp::mma_m16n8k8_tf32, tf32, {16, 8, 8}, 1, nvidia, 0},
  }};
}

ZELLIGE_HD constexpr Mma mma_sync_of(const MmaRow& row) {
  const int packed = 4 / bytes_of(row.input);  // consecutive k in a 32-bit register
  const int half = row.shape.k / 2;
  const Array<Digit, 4> lane{{{4, 0, 0, packed}, {8, 0, 1, 0}}};
  return described(row, {lane, {{{packed, 0, 0, 1}, {2, 0, 8, 0}, {2, 0, 0, half}}}},
                   {lane, {{{packed, 0, 0, 1}, {2, 0, 0, half}}}},
                   {{{{4, 0, 0, 2}, {8, 0, 1, 0}}}, {{{2, 0, 0, 1}, {2, 0, 8, 0}}}});
}

/// Warpgroup instructions: 64 x n products of tiles in shared memory (warpgroup_mma.hpp).
ZELLIGE_HD constexpr Array<MmaRow, 40> wgmma_table() {
  using enum DataType;
  const struct {
    MmaOp op;
    DataType input;
  } types[] = {
      {MmaOp::wgmma_f16, f16}, {MmaOp::wgmma_bf16, bf16}, {MmaOp::wgmma_e4m3, f8e4m3}, {MmaOp::wgmma_e5m2, f8e5m2}};
  const int columns[] = {8, 16, 32, 48, 64, 96, 128, 144, 192, 256};
  Array<MmaRow, 40> rows{};
  int count = 0;
  for (const auto& type : types) {
    for (const int n : columns) {
      const Mnk shape{wgmma_rows, n, wgmma_depth_bytes / bytes_of(type.input)};
      rows[count++] = {type.op, type.input, shape, 1, ArchSet(Arch::sm_90), 0};
    }
  }
  return rows;
}

ZELLIGE_HD constexpr Mma wgmma_of(const MmaRow& row) {
  Mma mma = described(
      row, {}, {},
      {{{{4, 0, 0, 2}, {8, 0, 1, 0}, {4, 0, 16, 0}}}, {{{2, 0, 0, 1}, {2, 0, 8, 0}, {row.shape.n / 8, 0, 0, 8}}}});
  mma.waves = warpgroup_threads / 32;
  return mma;
}

#if defined(__CUDACC__)
/// C + A * B by the instruction `op`. Operands are bits (mma_descriptor.hpp).
template <MmaOp op, class A, class B, class C>
ZELLIGE_DEVICE C fma_sm90(A a, B b, C c) {
#define ZELLIGE_MMA_SYNC(name, types)                                                                       \
  if constexpr (op == MmaOp::mma_##name)                                                                    \
  asm volatile("mma.sync.aligned." types " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                                             \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
  ZELLIGE_MMA_SYNC(m16n8k16_f16, "m16n8k16.row.col.f32.f16.f16.f32");
  else ZELLIGE_MMA_SYNC(m16n8k16_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32");
  else ZELLIGE_MMA_SYNC(m16n8k8_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32");
  else static_assert(op == MmaOp::none && op != MmaOp::none, "fma_sm90 has no line for this instruction");
#undef ZELLIGE_MMA_SYNC
  return c;
}
#endif

}  // namespace zellige
