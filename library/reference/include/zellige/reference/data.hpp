// What tests and the profiler fill tensors with: seeded inputs, and poison that shows what was never written.
//
// The law: element i of a tensor is a pure function of (seed, i), whatever the number of host threads.
#pragma once

#include <cstdint>

#include "zellige/core/types.hpp"

namespace zellige::reference {

enum class Fill : int {
  integers = 0,  ///< whole numbers, so small that all sums are exact: results compare bit for bit
  reals = 1,     ///< magnitudes from 2^-8 to 1, rounded to the type: no subnormal numbers, which targets may flush
};

/// The largest magnitude r of integers for which sums of `depth` products stay exact in an fp32 accumulator
/// (depth * r^2 <= 2^24) and inside an f16 output's range where they can (depth * r^2 <= 65504); 1 to 8.
int integer_range(std::int64_t depth, DataType output);

/// Writes `count` elements of `type` (f16, bf16, f32 or f64). `depth` and `output` choose the range of integers.
void fill(void* data, DataType type, std::int64_t count, Fill kind, std::uint64_t seed, std::int64_t depth,
          DataType output);

/// The bits of a NaN that no arithmetic produces, in the low bytes_of(type) bytes: what poison() writes.
std::uint64_t poison_bits(DataType type);

/// Fills `count` elements with poison_bits(type).
void poison(void* data, DataType type, std::int64_t count);

}  // namespace zellige::reference
