// How a convolution kernel does its work (see gemm/config.hpp for the tiling).
#pragma once

#include "zellige/conv/problem.hpp"
#include "zellige/gemm/config.hpp"

namespace zellige {

/// Forward convolution as an implicit GEMM: m runs over output pixels, n over the filters of a group, k over taps and
/// channels. vector_a and vector_b run along channels, vector_c along filters.
struct ConvConfig {
  DataType input = DataType::f16, output = DataType::f16;
  WeightType weight = WeightType::same;
  int spatial = 2;  ///< axes that the kernel decodes; problems with fewer run as size-1 axes
  Tiling tiling{};

  bool operator==(const ConvConfig&) const = default;
};

/// The GEMM that the kernel runs: A is the input's view, B the weight, each contiguous along k, C the output.
ZELLIGE_HD constexpr GemmConfig lowered(const ConvConfig& c) {
  return {.input = c.input,
          .output = c.output,
          .weight = c.weight,
          .order_a = MatrixOrder::row,
          .order_b = MatrixOrder::column,
          .tiling = c.tiling};
}

}  // namespace zellige
