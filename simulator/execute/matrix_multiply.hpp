// The product that all matrix instructions share, once their operands are rows of the accumulator's type.
//
// Order of summation: D = C, then for k ascending D = fma(A[i][k], B[k][j], D), each rounded once in the accumulator's
// type, with operands converted exactly. Hardware's own order and rounding inside an instruction are not public, so
// results that round may differ from a GPU's in the last bits; results that are exact (integers) do not. Every host
// instruction set gives the same bits here, NaN payloads aside.
#pragma once

#include <array>
#include <cstdint>

#include "simulator/execute/matrix_shape.hpp"
#include "simulator/execute/matrix_vectors.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// Output rows that are computed together: enough accumulators to hide the latency of the multiply-add, few enough to
/// stay in registers.
template <class Vector, int columns>
inline constexpr int rows_together = Vector::width == 1 || Vector::width * 8 <= columns ? 1
                                     : 8 * Vector::width / columns > 4 && columns == 4  ? 4
                                                                                        : 8 * Vector::width / columns;

/// d = a * b + c over rows of 64 elements, one row a slot: a and b as matrix_operand_offset says, c and d as
/// matrix_row_offset does (S is a MatrixShape or a WmmaShape). c may equal d; c_is_uniform: c is one element that serves for all.
template <auto S, class T>
inline void multiply(const T* a, const T* b, const T* c, bool c_is_uniform, T* d, int cbsz, int abid) {
  using Vector = typename MatrixVector<T, S.n>::Type;
  T uniform = 0;
  if (c_is_uniform) __builtin_memcpy(&uniform, c, sizeof uniform);  // rows of registers are words, not T
  constexpr int vectors = S.n / Vector::width;
  constexpr int rows = rows_together<Vector, S.n>;
  static_assert(S.m % rows == 0 && S.n % Vector::width == 0);
  for (int block = 0; block < S.blocks; ++block) {
    const int source = matrix_source_block(S, block, cbsz, abid);
    for (int first = 0; first < S.m; first += rows) {
      Vector sum[rows][vectors];
      for (int row = 0; row < rows; ++row) {
        const int at = matrix_row_offset(S, block, first + row);
        for (int v = 0; v < vectors; ++v)
          sum[row][v] = c_is_uniform ? Vector::broadcast(uniform) : Vector::load(c + at + v * Vector::width);
      }
      const auto step = [&](int k) __attribute__((always_inline)) {
        const T* b_row = b + matrix_operand_offset(S, S.n, block, k);
        const T* a_column = a + matrix_operand_offset(S, S.m, source, k) + first;
        Vector right[vectors];
        for (int v = 0; v < vectors; ++v) right[v] = Vector::load(b_row + v * Vector::width);
        for (int row = 0; row < rows; ++row) {
          const Vector left = Vector::broadcast(a_column[row]);
          for (int v = 0; v < vectors; ++v) sum[row][v].multiply_add(left, right[v]);
        }
      };
      if constexpr (S.k <= 32) {
#pragma clang loop unroll(full)
        for (int k = 0; k < S.k; ++k) step(k);
      } else {
#pragma clang loop unroll_count(8)
        for (int k = 0; k < S.k; ++k) step(k);
      }
      for (int row = 0; row < rows; ++row) {
        const int at = matrix_row_offset(S, block, first + row);
        for (int v = 0; v < vectors; ++v) sum[row][v].store(d + at + v * Vector::width);
      }
    }
  }
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
