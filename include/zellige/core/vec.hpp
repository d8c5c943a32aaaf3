// Short vectors of scalars that live in consecutive registers, and reinterpretation of bits.
//
// Under clang a vec is a native vector, so that builtins take it; elsewhere it is an aligned array with the same
// element access. Lengths are powers of two: other lengths have padding under one compiler and none under the other.
#pragma once

#include "zellige/core/math.hpp"

namespace zellige {

#if defined(__clang__)

template <class T, int N>
using vec = T __attribute__((ext_vector_type(N)));

#else

template <class T, int N>
struct alignas(sizeof(T) * N) vec {
  static_assert(is_power_of_two(N), "a vec's length is a power of two");
  T elements[N];

  ZELLIGE_HD constexpr T& operator[](int i) { return elements[i]; }
  ZELLIGE_HD constexpr const T& operator[](int i) const { return elements[i]; }
};

#endif

/// The bits of `from` as another type of the same size.
template <class To, class From>
ZELLIGE_HD constexpr To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "bit_cast keeps every bit: both types have the same size");
  return __builtin_bit_cast(To, from);
}

}  // namespace zellige
