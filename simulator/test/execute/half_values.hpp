// Half-precision numbers from and to their fields, for expectations: exact arithmetic in doubles, no host conversions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace zellige::sim::test {

/// A half's value.
inline double half_value(std::uint32_t bits16) {
  const std::uint32_t exponent = bits16 >> 10 & 31, fraction = bits16 & 0x3ff;
  const double magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                           : exponent == 0 ? std::ldexp(fraction, -24)
                                           : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
  return bits16 & 0x8000 ? -magnitude : magnitude;
}

/// A real rounded to half: nearest even, or towards zero.
inline std::uint32_t half_of(double x, bool to_zero = false) {
  const std::uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) return 0x7e00;
  const double magnitude = std::fabs(x);
  if (std::isinf(x)) return sign | 0x7c00;
  const int exponent = magnitude == 0 ? -14 : std::max(std::ilogb(magnitude), -14);
  const double steps = std::ldexp(magnitude, 10 - exponent);  // exact
  const double rounded = to_zero ? std::floor(steps) : std::nearbyint(steps);
  const double value = std::ldexp(rounded, exponent - 10);
  if (value >= 65520 || value > 65504) return sign | (to_zero ? 0x7bff : 0x7c00);
  const int e = value == 0 ? -15 : std::ilogb(value);
  if (e < -14) return sign | static_cast<std::uint32_t>(std::ldexp(value, 24));
  return sign | static_cast<std::uint32_t>(e + 15) << 10 |
         (static_cast<std::uint32_t>(std::ldexp(value, 10 - e)) & 0x3ff);
}

/// Pairs of halves, so that both halves meet zeros, ones, denormals, extremes, infinities and NaN.
inline std::vector<std::uint32_t> half_pairs() {
  const std::uint16_t edges[] = {0,      0x8000, 0x3c00, 0xbc00, 0x3800, 0x4248, 0xc880, 0x7bff, 0xfbff, 0x7c00,
                                 0xfc00, 0x7e00, 1,      0x8001, 0x03ff, 0x0400, 0x6400, 0x5bf8, 0x2e66};
  std::vector<std::uint32_t> values;
  for (std::size_t i = 0; i < std::size(edges); ++i)
    values.push_back(edges[i] | std::uint32_t{edges[(i * 5 + 3) % std::size(edges)]} << 16);
  return values;
}

}  // namespace zellige::sim::test
