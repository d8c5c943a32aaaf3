// The algebra of layouts: functions of layouts that are layouts again.
//
// Each function states its law; test/layout/algebra_test.cpp checks it for every index. The mathematics is that of
// CuTe's layout algebra, restricted to flat layouts of at most Layout::max_rank digits with positive extents and
// strides that are not negative. Where no layout has the asked-for property, or it would take more digits, the answer
// is no_layout, which every function hands on.
#pragma once

#include "zellige/layout/layout.hpp"

namespace zellige {

/// The same function with the fewest digits: coalesce(a)(i) == a(i) for all i < a.size().
ZELLIGE_HD constexpr Layout coalesce(const Layout& a) {
  if (!a.exists()) return a;
  Layout result;
  for (int d = 0; d < a.rank; ++d) {
    const int last = result.rank - 1;
    if (a.shape[d] == 1) continue;
    if (result.rank > 0 && a.stride[d] == result.shape[last] * result.stride[last]) {
      result.shape[last] *= a.shape[d];
    } else {
      result.append(a.shape[d], a.stride[d]);
    }
  }
  return result;
}

/// The digits of a, then those of b: (a, b)(i, j) == a(i) + b(j) for i < a.size().
ZELLIGE_HD constexpr Layout concatenate(Layout a, const Layout& b) {
  if (!a.exists() || !b.exists()) return no_layout();
  for (int d = 0; d < b.rank; ++d) a.append(b.shape[d], b.stride[d]);
  return a;
}

namespace detail {

/// Appends the digits of a at the indices 0, step, 2 * step, ... (`count` of them). a must be coalesced.
ZELLIGE_HD constexpr void append_strided(const Layout& a, int count, int step, Layout& result) {
  if (step == 0) {
    result.append(count, 0);
    return;
  }
  for (int d = 0; d < a.rank && count > 1; ++d) {
    const bool last = d + 1 == a.rank;
    if (!last && step >= a.shape[d]) {
      if (step % a.shape[d] != 0) {  // a step that ends inside a digit
        result.rank = -1;
        return;
      }
      step /= a.shape[d];
      continue;
    }
    const int room = last ? count : a.shape[d] / step;
    if (!last && (a.shape[d] % step != 0 || (count > room && count % room != 0))) {
      result.rank = -1;
      return;
    }
    const int taken = min_of(count, room);
    result.append(taken, step * a.stride[d]);
    count /= taken;
    step = 1;
  }
  if (count > 1) result.append(count, 0);  // a has no digits: it is 0 everywhere
}

/// The digits of a that count, smallest stride first.
ZELLIGE_HD constexpr Layout by_stride(const Layout& a) {
  Layout result;
  for (int d = 0; d < a.rank; ++d) {
    if (a.shape[d] == 1) continue;
    int place = result.rank;
    result.append(a.shape[d], a.stride[d]);
    for (; place > 0 && result.stride[place - 1] > a.stride[d]; --place) {
      result.shape[place] = result.shape[place - 1];
      result.stride[place] = result.stride[place - 1];
    }
    result.shape[place] = a.shape[d];
    result.stride[place] = a.stride[d];
  }
  return result;
}

}  // namespace detail

/// b first, then a: compose(a, b)(i) == a(b(i)) for all i < b.size(). Exists when the steps of b divide the digits of
/// a.
ZELLIGE_HD constexpr Layout compose(const Layout& a, const Layout& b) {
  if (!a.exists() || !b.exists()) return no_layout();
  const Layout flat = coalesce(a);
  Layout result;
  for (int d = 0; d < b.rank && result.exists(); ++d) detail::append_strided(flat, b.shape[d], b.stride[d], result);
  return result;
}

/// What a leaves out of [0, size): the pair (a, complement) takes each offset of [0, size) exactly once, rounded up to
/// whole copies of a. Exists when a takes no offset twice and its strides divide one another.
ZELLIGE_HD constexpr Layout complement(const Layout& a, int size) {
  if (!a.exists()) return a;
  const Layout sorted = detail::by_stride(a);
  Layout result;
  int filled = 1;  // offsets below this are taken by the digits so far
  for (int d = 0; d < sorted.rank; ++d) {
    if (sorted.stride[d] < filled || sorted.stride[d] % filled != 0) return no_layout();
    result.append(sorted.stride[d] / filled, filled);
    filled = sorted.stride[d] * sorted.shape[d];
  }
  result.append(ceil_div(size, filled), filled);
  return coalesce(result);
}

/// a(inverse(a)(i)) == i for all i < a.size(). Exists when a takes each offset of [0, size) exactly once.
ZELLIGE_HD constexpr Layout inverse(const Layout& a) {
  if (!a.exists()) return a;
  const Layout sorted = detail::by_stride(a);
  Layout result;
  int filled = 1;
  for (int d = 0; d < sorted.rank; ++d) {
    if (sorted.stride[d] != filled) return no_layout();
    // Which index of a steps this digit by one: the extents of a's digits before it.
    int step = 1;
    for (int e = 0; e < a.rank && !(a.stride[e] == sorted.stride[d] && a.shape[e] == sorted.shape[d]); ++e)
      step *= a.shape[e];
    result.append(sorted.shape[d], step);
    filled *= sorted.shape[d];
  }
  return result;
}

/// A layout cut into tiles: `tile` runs inside one, `rest` from tile to tile.
struct Divided {
  Layout tile, rest;
};

/// Law: (tile, rest) takes the offsets of a, each once; tile == compose(a, b): b picks the elements of the first tile.
ZELLIGE_HD constexpr Divided divide(const Layout& a, const Layout& b) {
  return {compose(a, b), compose(a, complement(b, a.size()))};
}

/// Copies of a, arranged as b says: product(a, b)(i, j) == a(i) + complement(a)(b(j)) for i < a.size(), and no two
/// overlap. Exists when b's steps divide the gaps that a leaves.
ZELLIGE_HD constexpr Layout product(const Layout& a, const Layout& b) {
  return concatenate(a, compose(complement(a, a.size() * b.cosize()), b));
}

}  // namespace zellige
