// What tests and the profiler fill tensors with: seeded inputs, and poison that shows what was never written.
//
// The law: element i of a tensor is a pure function of (seed, i), whatever the number of host threads.
#pragma once

#include <cstdint>

#include "zellige/core/types.hpp"

namespace zellige::reference {

enum class Fill : int {
  integers = 0,  ///< whole numbers, so small that all sums are exact: results compare bit for bit
  reals = 1,     ///< magnitudes from 2^-8 (8-bit floats: 2^-6) to 1, rounded to the type: no subnormal numbers, which
                 ///< targets may flush; of i8 and i32 the same as integers
};

/// The largest magnitude r of integers of type `input` for which sums of `depth` products stay exact in the accumulator
/// (depth * r^2 <= 2^24 in f32, 2^31 - 1 in i32, 2^53 in f64) and inside an f16 output's range where they can (65504).
/// 1 to 127 for i8, to 2^20 for f64, which an f32 accumulator would not carry, and to 8 for all others, which even the
/// narrowest float holds.
int integer_range(std::int64_t depth, DataType input, DataType output);

/// Writes `count` elements of `type`. `depth` and `output` choose the range of integers.
void fill(void* data, DataType type, std::int64_t count, Fill kind, std::uint64_t seed, std::int64_t depth,
          DataType output);

/// Bits that no sum of small products has, in the low bytes_of(type) bytes: what poison() writes. In floats a NaN that
/// no arithmetic produces (8-bit ones have no such choice: a NaN), in i32 a number near its least, in i8 any.
std::uint64_t poison_bits(DataType type);

/// Fills `count` elements with poison_bits(type).
void poison(void* data, DataType type, std::int64_t count);

}  // namespace zellige::reference
