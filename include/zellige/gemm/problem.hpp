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

  /// Elements of a contiguous line: of a row, or of a column.
  constexpr std::int64_t line_a() const { return order_a == MatrixOrder::row ? k : m; }
  constexpr std::int64_t line_b() const { return order_b == MatrixOrder::row ? n : k; }
  constexpr std::int64_t lines_a() const { return order_a == MatrixOrder::row ? m : k; }
  constexpr std::int64_t lines_b() const { return order_b == MatrixOrder::row ? k : n; }
  /// Elements from one line to the next: the leading dimension.
  constexpr std::int64_t stride_a() const { return ld_a != 0 ? ld_a : line_a(); }
  constexpr std::int64_t stride_b() const { return ld_b != 0 ? ld_b : line_b(); }
  constexpr std::int64_t stride_c() const { return ld_c != 0 ? ld_c : n; }
  bool operator==(const GemmProblem&) const = default;
};

namespace detail {

constexpr CheckedSize bytes_of_lines(std::int64_t lines, std::int64_t stride, std::int64_t line, DataType type) {
  return CheckedSize{lines - 1}.times(stride).plus(line).times(bytes_of(type));
}

}  // namespace detail

/// Bytes from the first to the last element of each matrix.
constexpr CheckedSize bytes_a(const GemmProblem& p) {
  return detail::bytes_of_lines(p.lines_a(), p.stride_a(), p.line_a(), p.input);
}
constexpr CheckedSize bytes_b(const GemmProblem& p) {
  return detail::bytes_of_lines(p.lines_b(), p.stride_b(), p.line_b(), p.input);
}
constexpr CheckedSize bytes_c(const GemmProblem& p) { return detail::bytes_of_lines(p.m, p.stride_c(), p.n, p.output); }

/// Floating point operations: a multiply-add counts two.
constexpr double flops(const GemmProblem& p) {
  return 2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
}

/// Whether the problem means something at all, before any instance is asked.
constexpr Verdict validate(const GemmProblem& p) {
  constexpr std::int64_t largest = INT32_MAX;
  if (p.m < 1 || p.n < 1 || p.k < 1) {
    return refuse(Reason::bad_extent,
                  Text{} << "m, n and k must be at least 1, but are " << p.m << ", " << p.n << ", " << p.k);
  }
  if (p.m > largest || p.n > largest || p.k > largest) {
    return refuse(Reason::overflow, Text{} << "m, n and k must be at most " << largest << ", but are " << p.m << ", "
                                           << p.n << ", " << p.k);
  }
  const struct {
    const char* name;
    std::int64_t leading, line;
  } matrices[] = {{"A", p.stride_a(), p.line_a()}, {"B", p.stride_b(), p.line_b()}, {"C", p.stride_c(), p.n}};
  for (const auto& matrix : matrices) {
    if (matrix.leading >= matrix.line) continue;
    return refuse(Reason::bad_extent, Text{} << "the leading dimension of " << matrix.name << " is " << matrix.leading
                                             << ", under the " << matrix.line << " elements of its lines");
  }
  if (bytes_a(p).overflow || bytes_b(p).overflow || bytes_c(p).overflow) {
    return refuse(Reason::overflow, Text{} << "the bytes of a matrix pass 2^63");
  }
  return {};
}

}  // namespace zellige
