// Width folding: f adjacent pixels of the innermost axis become channels.
//
// Law: the folded problem is the same sums over the same memory. Pixel x of C channels is pixel x / f of C * f
// channels, and a tap of the filter likewise, where f divides the filter, the stride, the image and the padding before
// it; the output, the order of every sum and so each bit of the result stay. What changes is how a kernel may read: a
// 16x16 filter of stride 16 over 3 channels (vectors of 1) becomes 16x1 over 48 (vectors of 8 and more).
//
// Only without groups: channel j * C + c of a folded pixel would have to lie in the group of c, so groups of channels
// would no longer be contiguous. Only the innermost axis: rows of pixels are not adjacent to each other's taps.
#pragma once

#include <numeric>

#include "zellige/conv/problem.hpp"

namespace zellige {

/// How many pixels of the innermost axis may become one: the largest factor there is, since every instance that takes
/// a smaller one takes it too. 1: none. Needs validate(p).ok.
constexpr std::int64_t fold_factor(const ConvProblem& p) {
  const ConvAxis& a = p.axis[p.spatial - 1];
  if (p.direction != ConvDirection::forward || p.groups != 1 || a.dilation != 1) return 1;
  return std::gcd(std::gcd(a.filter, a.stride), std::gcd(a.size, a.pad_before));
}

/// The problem with fold_factor(p) pixels of the innermost axis in one; the problem itself where that is 1. FLOPs,
/// bytes and reference are those of the original. Needs validate(p).ok.
constexpr ConvProblem folded(ConvProblem p) {
  const std::int64_t f = fold_factor(p);
  ConvAxis& a = p.axis[p.spatial - 1];
  p.c *= f;
  a.size /= f;
  a.filter /= f;
  a.stride /= f;
  a.pad_before /= f;
  // Rounded down: what is left of the padded image past the last whole folded pixel holds no output, since f divides
  // the distance from every tap to the image's begin.
  a.pad_after /= f;
  return p;
}

}  // namespace zellige
