// A layout takes an index to an offset: a mixed-radix number whose digits each have a stride.
//
// layout(i) == sum over d of digit_d(i) * stride[d], where the digits of i are taken with shape[0] fastest, and the
// last digit is not bounded. Coordinates and indices are the same thing in two spellings. Layouts are flat: a digit
// that an algebra splits becomes two digits, and the grouping is the caller's to remember. What can be done with them
// is in algebra.hpp.
//
//   constexpr Layout rows = make_layout({4, 8}, {8, 1});  // 4 x 8, row-major
//   rows(5) == 1 * 8 + 1 * 1, rows(1, 1) == 9
#pragma once

#include "zellige/core/array.hpp"
#include "zellige/core/math.hpp"

namespace zellige {

struct Layout {
  static constexpr int max_rank = 8;
  int rank = 0;  ///< -1: no layout, the answer of an algebra where none exists
  Array<int, max_rank> shape{}, stride{};

  ZELLIGE_HD constexpr bool exists() const { return rank >= 0; }

  ZELLIGE_HD constexpr int size() const {
    int product = 1;
    for (int d = 0; d < rank; ++d) product *= shape[d];
    return product;
  }

  /// One more than the largest offset (strides are not negative).
  ZELLIGE_HD constexpr int cosize() const {
    int last = 0;
    for (int d = 0; d < rank; ++d) last += (shape[d] - 1) * stride[d];
    return last + 1;
  }

  ZELLIGE_HD constexpr std::uint32_t operator()(std::uint32_t index) const {
    std::uint32_t offset = 0;
    ZELLIGE_UNROLL
    for (int d = 0; d < rank; ++d) {
      const auto extent = static_cast<std::uint32_t>(shape[d]);
      const std::uint32_t digit = d + 1 < rank ? index % extent : index;
      offset += digit * static_cast<std::uint32_t>(stride[d]);
      index /= extent;
    }
    return offset;
  }

  /// One coordinate for each digit; digits that are left out are zero.
  template <class... Coordinates>
  requires(sizeof...(Coordinates) > 1) ZELLIGE_HD constexpr std::uint32_t operator()(Coordinates... coordinates) const {
    std::uint32_t offset = 0;
    int d = 0;
    ((offset += static_cast<std::uint32_t>(coordinates) * static_cast<std::uint32_t>(stride[d++])), ...);
    return offset;
  }

  ZELLIGE_HD constexpr Layout& append(int extent, int step) {
    if (rank < 0 || rank == max_rank) {
      rank = -1;
      return *this;
    }
    shape[rank] = extent;
    stride[rank++] = step;
    return *this;
  }

  bool operator==(const Layout&) const = default;
};

ZELLIGE_HD constexpr Layout no_layout() { return {.rank = -1}; }

/// The layout of these extents and strides.
template <int rank>
ZELLIGE_HD constexpr Layout make_layout(const int (&shape)[rank], const int (&stride)[rank]) {
  static_assert(rank <= Layout::max_rank, "a layout has at most 8 digits");
  Layout layout;
  for (int d = 0; d < rank; ++d) layout.append(shape[d], stride[d]);
  return layout;
}

/// Offsets without gaps, the first digit fastest.
template <int rank>
ZELLIGE_HD constexpr Layout make_compact_layout(const int (&shape)[rank]) {
  static_assert(rank <= Layout::max_rank, "a layout has at most 8 digits");
  Layout layout;
  for (int d = 0, step = 1; d < rank; step *= shape[d++]) layout.append(shape[d], step);
  return layout;
}

}  // namespace zellige
