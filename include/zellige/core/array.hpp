// A fixed-size array for host and device code: std::array's members are host-only under nvcc.
#pragma once

#include "zellige/core/platform.hpp"

namespace zellige {

template <class T, int N>
struct Array {
  T values[N];

  ZELLIGE_HD constexpr T& operator[](int i) { return values[i]; }
  ZELLIGE_HD constexpr const T& operator[](int i) const { return values[i]; }
  ZELLIGE_HD constexpr T* begin() { return values; }
  ZELLIGE_HD constexpr T* end() { return values + N; }
  ZELLIGE_HD constexpr const T* begin() const { return values; }
  ZELLIGE_HD constexpr const T* end() const { return values + N; }
  ZELLIGE_HD static constexpr int size() { return N; }

  bool operator==(const Array&) const = default;
};

}  // namespace zellige
