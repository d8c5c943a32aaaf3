// Small random convolutions for laws of host code.
#pragma once

#include <random>

#include "zellige/conv/problem.hpp"

namespace zellige {

inline int between(std::mt19937& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

/// Valid, of `spatial` axes: pads and strides larger than the filter, uneven pads, dilation, groups.
inline ConvProblem random_conv(std::mt19937& random, int spatial) {
  ConvProblem p{.n = between(random, 1, 3), .groups = between(random, 1, 3), .spatial = spatial};
  p.c = p.groups * between(random, 1, 5);
  p.k = p.groups * between(random, 1, 3);
  for (int i = 0; i < spatial; ++i) {
    do {
      p.axis[i] = {.size = between(random, 1, 7), .filter = between(random, 1, 4), .stride = between(random, 1, 5),
                   .dilation = between(random, 1, 3), .pad_before = between(random, 0, 5),
                   .pad_after = between(random, 0, 5)};
    } while (p.axis[i].outputs() < 1);
  }
  return p;
}

/// The same with an innermost axis that folds by at least 2; pad_after is any.
inline ConvProblem random_foldable_conv(std::mt19937& random, int spatial) {
  ConvProblem p = random_conv(random, spatial);
  p.c /= p.groups, p.k /= p.groups, p.groups = 1;
  const int f = between(random, 2, 4);
  ConvAxis& a = p.axis[spatial - 1];
  do {
    a = {.size = f * between(random, 1, 5), .filter = f * between(random, 1, 3), .stride = f * between(random, 1, 3),
         .pad_before = f * between(random, 0, 3), .pad_after = between(random, 0, 9)};
  } while (a.outputs() < 1);
  return p;
}

/// Calls body(p) for `rounds` problems of each rank.
template <class Draw, class Body>
void for_random_convs(Draw draw, int rounds, Body body) {
  std::mt19937 random(20260101);
  for (int round = 0; round < rounds; ++round) {
    for (int spatial = 1; spatial <= max_spatial; ++spatial) body(draw(random, spatial));
  }
}

}  // namespace zellige
