// Epilogues of the reference: what an epilogue makes of each sum, in double, and what it adds to the bounds.
#pragma once

#include "zellige/gemm/epilogue_op.hpp"
#include "zellige/reference/data.hpp"
#include "zellige/reference/reference.hpp"

namespace zellige::reference {

/// Host pointers to what the kernel read; those of absent parts are null.
struct EpilogueTensors {
  const void* scale = nullptr;     ///< an element a column, of type vector_type(input)
  const void* bias = nullptr;      ///< likewise
  const void* residual = nullptr;  ///< of the output's type, rows `row_stride` elements apart
  std::int64_t row_stride = 0;
};

/// The type of scale and bias: that of the sums.
constexpr DataType vector_type(DataType input) { return accumulator_of(input); }

/// Applies the epilogue to each element. Its three operations round like further terms of the sum: magnitudes and depth
/// grow by what they add.
void apply_epilogue(Result& result, const Epilogue& epilogue, const EpilogueTensors& tensors, DataType input,
                    DataType output);

/// Fills a scale vector: for exact comparisons powers of two, +-1 and +-1/2, so that products with sums stay exact.
void fill_scale(void* data, DataType type, std::int64_t count, Fill kind, std::uint64_t seed);

}  // namespace zellige::reference
