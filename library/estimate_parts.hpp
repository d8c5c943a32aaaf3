// What the models of estimate*.cpp have in common.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>

namespace zellige {

/// A part of a CU or SM, and the clocks that it is busy.
struct BusyPart {
  double clocks = 0;
  std::string_view name{};
};

/// The first of the busiest parts. `parts` is not empty.
inline BusyPart busiest_of(std::initializer_list<BusyPart> parts) {
  return *std::max_element(parts.begin(), parts.end(),
                           [](const BusyPart& a, const BusyPart& b) { return a.clocks < b.clocks; });
}

/// The time of work and traffic that overlap, but not perfectly: the blend that was fitted on an H200.
inline double overlapped(double compute_us, double memory_us) {
  return std::pow(std::pow(compute_us, 4) + std::pow(memory_us, 4), 0.25);
}

}  // namespace zellige
