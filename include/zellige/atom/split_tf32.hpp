// tf32 on targets without such an instruction: an f32 operand is split into a big and a small bf16 part, and three
// matrix instructions of the bf16 family add big * big, big * small and small * big in f32.
//
// With a = A + s + e, where A is a rounded to bf16, s is a - A (exact in f32) rounded to bf16, and e what is left:
// |s| <= 2^-8 (1 + 2^-8) |a| and |e| <= 2^-16 |a|. What the three products miss of a * b is s t + e b + a f - e f, at
// most 3.02 * 2^-16 |a b|: product_error() in mma_descriptor.hpp says 2^-14. Sixteen times as exact as 10-bit fractions.
// Splitting comes after the read from LDS, on the fragment's bits. An infinite operand gives NaN (its A is infinite, and
// infinity - infinity the s), as do finite ones that round up to infinity in bf16, from 0x1.ffp127 on.
#pragma once

#include "zellige/core/vec.hpp"

namespace zellige {

#if defined(__HIP__)

/// The bf16 parts of f32 numbers, as operands of a bf16 instruction: two to a word.
template <int words>
struct SplitOperand {
  vec<std::uint32_t, words> big, small;
};

template <int numbers>
ZELLIGE_DEVICE SplitOperand<numbers / 2> split_bf16(vec<std::uint32_t, numbers> bits) {
  using Wide = vec<float, numbers>;
  using Narrow = vec<__bf16, numbers>;
  using Words = vec<std::uint32_t, numbers / 2>;
  const Wide value = bit_cast<Wide>(bits);
  const Narrow big = __builtin_convertvector(value, Narrow);
  const Narrow small = __builtin_convertvector(value - __builtin_convertvector(big, Wide), Narrow);
  return {bit_cast<Words>(big), bit_cast<Words>(small)};
}

/// C + A * B of f32 bits a and b by three calls of multiply(a, b, c), a bf16 instruction. Small terms are added first.
template <int numbers_a, int numbers_b, class C, class Multiply>
ZELLIGE_DEVICE C fma_split(vec<std::uint32_t, numbers_a> a, vec<std::uint32_t, numbers_b> b, C c, Multiply multiply) {
  const auto split_a = split_bf16<numbers_a>(a);
  const auto split_b = split_bf16<numbers_b>(b);
  c = multiply(split_a.small, split_b.big, c);
  c = multiply(split_a.big, split_b.small, c);
  return multiply(split_a.big, split_b.big, c);
}

#endif

}  // namespace zellige
