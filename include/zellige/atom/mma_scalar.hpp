// Products by the vector units, for types that a target has no matrix instruction of: the same descriptor as a matrix
// instruction's, so that the kernels above cannot tell.
//
// A wave of 32 lanes stands as 8 by 4 over C: lane l holds rows l % 8 + 8 i and columns l / 8 + 4 j, and adds the outer
// product of its 4 rows of A and its 4 columns of B. Lanes of one row hold the same of A, lanes of one column of B.
#pragma once

#include "zellige/atom/mma_descriptor.hpp"
#include "zellige/atom/sync.hpp"
#include "zellige/core/vec.hpp"

namespace zellige {

/// Passes: a lane's 16 multiply-adds, an instruction a clock each.
ZELLIGE_HD constexpr Array<MmaRow, 1> scalar_rows() {
  const ArchSet rdna(Arch::gfx1100, Arch::gfx1151, Arch::gfx1201);
  return {{{MmaOp::fma_f32_32x16x1_f32, DataType::f32, {32, 16, 1}, 1, rdna, 4}}};
}

ZELLIGE_HD constexpr Mma scalar_mma_of(const MmaRow& row) {
  return described(row, {.lane = {{{8, 0, 1, 0}, {4, 0, 0, 0}}}, .slot = {{{4, 0, 8, 0}}}},
                   {.lane = {{{8, 0, 0, 0}, {4, 0, 1, 0}}}, .slot = {{{4, 0, 4, 0}}}},
                   {.lane = {{{8, 0, 1, 0}, {4, 0, 0, 1}}}, .slot = {{{4, 0, 0, 4}, {4, 0, 8, 0}}}});
}

/// C + A * B. Operands are bits (mma_descriptor.hpp).
template <MmaOp op, class A, class B, class C>
ZELLIGE_DEVICE C fma_scalar(A a, B b, C c) {
  static_assert(op == MmaOp::fma_f32_32x16x1_f32, "fma_scalar has no line for this product");
  ZELLIGE_UNROLL
  for (int row = 0; row < 4; ++row) {
    ZELLIGE_UNROLL
    for (int column = 0; column < 4; ++column) {
      const std::uint32_t of_a = a[row], of_b = b[column];
      const int slot = row * 4 + column;
      const float sum = __builtin_fmaf(__builtin_bit_cast(float, of_a), __builtin_bit_cast(float, of_b), c[slot]);
      c[slot] = made_here(sum);
    }
  }
  return c;
}

}  // namespace zellige
