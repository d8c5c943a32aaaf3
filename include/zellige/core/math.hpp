// Integer arithmetic that kernels and checks share.
#pragma once

#include "zellige/core/platform.hpp"

namespace zellige {

/// ceil(a / b) for a >= 0, b > 0.
template <class T>
ZELLIGE_HD constexpr T ceil_div(T a, T b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

/// The smallest multiple of b that is >= a, for a >= 0, b > 0.
template <class T>
ZELLIGE_HD constexpr T round_up(T a, T b) {
  return ceil_div(a, b) * b;
}

template <class T>
ZELLIGE_HD constexpr bool is_power_of_two(T a) {
  return a > 0 && (a & (a - 1)) == 0;
}

template <class T>
ZELLIGE_HD constexpr T min_of(T a, T b) {
  return b < a ? b : a;
}

template <class T>
ZELLIGE_HD constexpr T max_of(T a, T b) {
  return a < b ? b : a;
}

/// The largest n with 2^n <= a, for a > 0.
ZELLIGE_HD constexpr int log2_floor(std::uint64_t a) {
  int n = 0;
  while (a >>= 1) ++n;
  return n;
}

/// The largest power of two that divides a (a > 0), at most `limit`.
ZELLIGE_HD constexpr int power_of_two_in(std::int64_t a, int limit) {
  int p = 1;
  while (p < limit && a % (p * 2) == 0) p *= 2;
  return p;
}

/// A size in 64 bits that remembers whether computing it overflowed. Factors and terms are never negative.
///
/// Byte counts are compared with limits only through this: a product that wrapped would pass every limit.
struct CheckedSize {
  std::int64_t value = 1;
  bool overflow = false;

  ZELLIGE_HD constexpr CheckedSize times(std::int64_t factor) const {
    if (overflow || (factor != 0 && value > INT64_MAX / factor)) return {INT64_MAX, true};
    return {value * factor, false};
  }
  ZELLIGE_HD constexpr CheckedSize plus(std::int64_t term) const {
    if (overflow || value > INT64_MAX - term) return {INT64_MAX, true};
    return {value + term, false};
  }
};

/// The high 32 bits of a 64-bit product.
ZELLIGE_HD constexpr std::uint32_t mul_hi(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(a) * b >> 32);
}

/// Division by a run-time invariant as a multiplication and a shift (Granlund and Montgomery's method).
///
/// Law: divide(n) == n / divisor for n <= 2^31 - 1 and 1 <= divisor <= 2^31 - 1. Views produce wrapped coordinates
/// above 2^31 for rows past the end; their quotients may be off, and every view masks them by its range checks.
struct MagicDivider {
  std::uint32_t multiplier = 1, shift = 0, divisor = 1;

  MagicDivider() = default;
  ZELLIGE_HD constexpr explicit MagicDivider(std::uint32_t d) : divisor(d) {
    while (shift < 31 && (std::uint64_t{1} << shift) < d) ++shift;
    const std::uint64_t power = std::uint64_t{1} << shift;
    multiplier = static_cast<std::uint32_t>((std::uint64_t{1} << 32) * (power - d) / d + 1);
  }

  ZELLIGE_HD constexpr std::uint32_t divide(std::uint32_t n) const { return (mul_hi(n, multiplier) + n) >> shift; }
  ZELLIGE_HD constexpr std::uint32_t modulo(std::uint32_t n) const { return n - divide(n) * divisor; }
};

}  // namespace zellige
