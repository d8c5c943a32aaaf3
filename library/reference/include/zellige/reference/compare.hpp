// A kernel's output against the reference: exactly, or within a bound that is derived, never hand-picked.
//
// The bound of an element is gamma * sum|ab| + half an ulp of the output's type, gamma = d u / (1 - d u) with d the
// depth of the sum and u the unit roundoff of the accumulator, 2^-24 or 2^-53 (Higham, Accuracy and Stability, section
// 3.1: it holds for every order of the sum). The reference of f64 is itself such a sum: its bound counts gamma twice.
// Sums in i32 are exact, modulo 2^32. Where products are not exact (tf32), Products says what that adds.
#pragma once

#include <cstdint>
#include <string>

#include "zellige/reference/reference.hpp"

namespace zellige::reference {

enum class Match : int {
  exact = 0,  ///< each element is the reference rounded to the type (integer-valued inputs)
  bound = 1,  ///< each element is within its bound; needs Result::magnitude
};

/// How the instruction multiplies: product_error() and Mma::products of atom/mma_descriptor.hpp.
struct Products {
  double error = 0;  ///< of a product, as a share of it
  int terms = 1;     ///< added for each product
};

struct Comparison {
  std::int64_t elements = 0;
  std::int64_t wrong = 0;       ///< elements that do not match, the next two included
  std::int64_t unwritten = 0;   ///< elements that still hold the poison
  std::int64_t not_finite = 0;  ///< NaN or infinite where the reference, rounded to the type, is finite
  double max_abs_error = 0,
         max_rel_error = 0;  ///< over finite elements; relative to max(|reference|, the type's least normal number)
  double squared_error = 0, squared_norm = 0;  ///< sums over finite elements; errors of the output's rounding included
  std::int64_t row = 0, column = 0;            ///< the worst element: the largest error over its bound
  double expected = 0, actual = 0, bound = 0;  ///< of the worst element

  bool ok() const { return wrong == 0; }
  /// The error's norm over the reference's, both Euclidean: of a result rounded to f16 about 2e-4, to bf16 about 2e-3.
  double error_of_norms() const;
  /// "3 of 4096 elements are wrong (1 never written); worst at [2, 7]: 1.5 instead of 1.25, over its bound of 0.001".
  std::string text() const;
};

/// Compares `output`, rows of `row_stride` elements of `type`, with the reference.
Comparison compare(const Result& reference, DataType type, const void* output, std::int64_t row_stride, Match match,
                   Products products = {});

}  // namespace zellige::reference
