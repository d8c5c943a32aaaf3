// A matrix product: C[m, n] = sum over k of A[m, k] * B[k, n], with run-time sizes.
#pragma once

#include "zellige/core/math.hpp"
#include "zellige/core/types.hpp"
#include "zellige/core/verdict.hpp"

namespace zellige {

enum class MatrixOrder : int { row = 0, column = 1 };

/// The command line's name of the two orders: "rc" is row-major A, column-major B.
constexpr const char* layout_name(MatrixOrder a, MatrixOrder b) {
  if (a == MatrixOrder::row) return b == MatrixOrder::row ? "rr" : "rc";
  return b == MatrixOrder::row ? "cr" : "cc";
}

/// A is m by k, B is k by n, C is m by n and row-major. Sizes are elements.
struct GemmProblem {
  std::int64_t m = 1, n = 1, k = 1;
  DataType input = DataType::f16, output = DataType::f16;
  MatrixOrder order_a = MatrixOrder::row, order_b = MatrixOrder::column;  ///< column-major B is contiguous along k
  std::int64_t ld_a = 0, ld_b = 0, ld_c = 0;  ///< elements between rows (or columns); 0: packed

  constexpr std::int64_t stride_a() const { return ld_a != 0 ? ld_a : order_a == MatrixOrder::row ? k : m; }
  constexpr std::int64_t stride_b() const { return ld_b != 0 ? ld_b : order_b == MatrixOrder::row ? n : k; }
  constexpr std::int64_t stride_c() const { return ld_c != 0 ? ld_c : n; }
  bool operator==(const GemmProblem&) const = default;
};

/// Bytes from the first to the last element of each matrix.
constexpr CheckedSize bytes_a(const GemmProblem& p) {
  const bool row = p.order_a == MatrixOrder::row;
  const CheckedSize rows = CheckedSize{(row ? p.m : p.k) - 1}.times(p.stride_a());
  return CheckedSize{rows.value > INT64_MAX / 16 ? INT64_MAX : rows.value + (row ? p.k : p.m), rows.overflow}.times(bytes_of(p.input));
}
constexpr CheckedSize bytes_b(const GemmProblem& p) {
  const bool row = p.order_b == MatrixOrder::row;
  const CheckedSize rows = CheckedSize{(row ? p.k : p.n) - 1}.times(p.stride_b());
  return CheckedSize{rows.value > INT64_MAX / 16 ? INT64_MAX : rows.value + (row ? p.n : p.k), rows.overflow}.times(bytes_of(p.input));
}
constexpr CheckedSize bytes_c(const GemmProblem& p) {
  const CheckedSize rows = CheckedSize{p.m - 1}.times(p.stride_c());
  return CheckedSize{rows.value > INT64_MAX / 16 ? INT64_MAX : rows.value + p.n, rows.overflow}.times(bytes_of(p.output));
}

/// Floating point operations: a multiply-add counts two.
constexpr double flops(const GemmProblem& p) {
  return 2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
}

/// Whether the problem means something at all, before any instance is asked.
constexpr Verdict validate(const GemmProblem& p) {
  constexpr std::int64_t largest = INT32_MAX;
  if (p.m < 1 || p.n < 1 || p.k < 1) {
    return refuse(Reason::bad_extent, Text{} << "m, n and k must be at least 1, but are " << p.m << ", " << p.n << ", " << p.k);
  }
  if (p.m > largest || p.n > largest || p.k > largest) {
    return refuse(Reason::overflow, Text{} << "m, n and k must be at most " << largest << ", but are " << p.m << ", " << p.n << ", " << p.k);
  }
  const std::int64_t packed_a = p.order_a == MatrixOrder::row ? p.k : p.m, packed_b = p.order_b == MatrixOrder::row ? p.n : p.k;
  if (p.stride_a() < packed_a) {
    return refuse(Reason::bad_extent, Text{} << "the leading dimension of A is " << p.stride_a() << ", under its row of " << packed_a);
  }
  if (p.stride_b() < packed_b) {
    return refuse(Reason::bad_extent, Text{} << "the leading dimension of B is " << p.stride_b() << ", under its row of " << packed_b);
  }
  if (p.stride_c() < p.n) {
    return refuse(Reason::bad_extent, Text{} << "the leading dimension of C is " << p.stride_c() << ", under its row of " << p.n);
  }
  if (bytes_a(p).overflow || bytes_b(p).overflow || bytes_c(p).overflow) {
    return refuse(Reason::overflow, Text{} << "the bytes of a matrix pass 2^63");
  }
  return {};
}

}  // namespace zellige
