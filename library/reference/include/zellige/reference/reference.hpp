// The reference: matrix products and convolutions in double precision on the host, beside which every kernel is
// checked.
//
// Inputs are the bits that the kernel read; products of all types but f64 are exact in double, and so are the sums of
// i8, so that the reference's own error is far below any bound; of f64 it is as large as the kernel's, and the bound
// counts it. BLAS does the sums.
#pragma once

#include <cstdint>
#include <vector>

#include "zellige/conv/problem.hpp"
#include "zellige/gemm/problem.hpp"

namespace zellige::reference {

/// An output as a packed row-major matrix: m by n of a GEMM; output pixels (n * spatial) by channels of a convolution.
struct Result {
  std::int64_t rows = 0, columns = 0;
  std::int64_t depth = 0;                ///< products summed into one element
  DataType accumulator = DataType::f32;  ///< what the kernel sums them in
  std::vector<double> value;             ///< rows * columns
  std::vector<double>
      magnitude;  ///< sum of |a * b| of each element, for bounds on rounding errors; empty if not asked for
};

/// C = A B of a valid problem. `a` and `b` are host pointers to its matrices, laid out as the problem says.
Result gemm(const GemmProblem& problem, const void* a, const void* b, bool with_magnitude);

/// Whether conv() computes this problem: a valid one in the forward direction.
Verdict supports(const ConvProblem& problem);

/// The tensor that the problem's direction computes, from the two others. `input`, `weight` and `output` are host
/// pointers; the one that is computed is not read and may be null. Needs supports(problem).
Result conv(const ConvProblem& problem, const void* input, const void* weight, const void* output, bool with_magnitude);

}  // namespace zellige::reference
