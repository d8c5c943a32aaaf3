// Floats of 8 bits: their bits, and conversions that are exact to the last bit on every compiler.
//
// Two families. OCP's (8-bit Floating Point Specification 1.0): e4m3 has no infinity and one NaN magnitude, e5m2 is
// like IEEE's. FNUZ, what gfx942 computes with: the bias is one more, and the code of minus zero is the only NaN;
// neither infinities nor a negative zero exist.
#pragma once

#include "zellige/core/platform.hpp"

namespace zellige {

namespace detail {

ZELLIGE_HD constexpr std::uint32_t float_bits(float value) { return __builtin_bit_cast(std::uint32_t, value); }
ZELLIGE_HD constexpr float bits_float(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

/// What distinguishes the formats. `largest` is the code of the largest finite number; `overflow` what stands for
/// numbers past it: infinity where there is one, else NaN.
struct Float8Format {
  int fraction = 0, bias = 0;
  std::uint8_t largest = 0, overflow = 0, nan = 0;
  bool fnuz = false;
};

ZELLIGE_HD constexpr float decode_float8(const Float8Format& format, std::uint8_t bits) {
  const std::uint32_t magnitude = bits & 0x7fu, sign = (bits & 0x80u) << 24;
  if (format.fnuz ? bits == format.nan : magnitude > format.largest)
    return bits_float(sign |
                      (magnitude == format.overflow && format.overflow != format.nan ? 0x7f800000u : 0x7fc00000u));
  const std::uint32_t exponent = magnitude >> format.fraction, fraction = magnitude & ((1u << format.fraction) - 1);
  const std::uint32_t whole = exponent == 0 ? fraction : fraction + (1u << format.fraction);
  const int power = static_cast<int>(exponent == 0 ? 1 : exponent) - format.bias - format.fraction;
  const float value = static_cast<float>(whole) * bits_float(static_cast<std::uint32_t>(power + 127) << 23);
  return bits_float(sign | float_bits(value));
}

ZELLIGE_HD constexpr std::uint8_t encode_float8(const Float8Format& format, float value) {
  const std::uint32_t bits = float_bits(value), magnitude = bits & 0x7fffffffu, sign = bits >> 24 & 0x80u;
  std::uint32_t code = 0;
  if (magnitude > 0x7f800000u) {
    code = format.nan;
  } else if (magnitude == 0x7f800000u) {
    code = format.overflow;
  } else {
    const int exponent = static_cast<int>(magnitude >> 23) - 127, least = 1 - format.bias;
    const int shift = 23 - format.fraction + (exponent < least ? least - exponent : 0);  // bits that fall off
    if (shift <= 24) {  // more: below half of the smallest number, f32's own subnormal numbers among them
      const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
      const std::uint32_t kept = significand >> shift, lost = significand & ((1u << shift) - 1);
      const std::uint32_t half = 1u << (shift - 1);
      const std::uint32_t rounded = kept + (lost > half || (lost == half && (kept & 1u)) ? 1u : 0u);
      // A carry into the next exponent comes out right by addition.
      code = (static_cast<std::uint32_t>((exponent < least ? least : exponent) - least) << format.fraction) + rounded;
      if (code > format.largest) code = format.overflow;
    }
  }
  if (format.fnuz && (code == 0 || code == format.nan)) return static_cast<std::uint8_t>(code);  // no sign to carry
  return static_cast<std::uint8_t>(code | sign);
}

}  // namespace detail

/// OCP e4m3: to 448, no infinity. Rounding past 448 gives NaN.
struct f8e4m3 {
  static constexpr detail::Float8Format format{
      .fraction = 3, .bias = 7, .largest = 0x7e, .overflow = 0x7f, .nan = 0x7f};
  std::uint8_t bits = 0;
  bool operator==(const f8e4m3&) const = default;
};

/// OCP e5m2: to 57344, infinities and NaNs as in IEEE's formats. Rounding past 57344 gives infinity.
struct f8e5m2 {
  static constexpr detail::Float8Format format{
      .fraction = 2, .bias = 15, .largest = 0x7b, .overflow = 0x7c, .nan = 0x7e};
  std::uint8_t bits = 0;
  bool operator==(const f8e5m2&) const = default;
};

/// FNUZ e4m3: to 240. Rounding past 240 gives NaN, and a negative number that rounds to zero gives plain zero.
struct f8e4m3fnuz {
  static constexpr detail::Float8Format format{
      .fraction = 3, .bias = 8, .largest = 0x7f, .overflow = 0x80, .nan = 0x80, .fnuz = true};
  std::uint8_t bits = 0;
  bool operator==(const f8e4m3fnuz&) const = default;
};

/// FNUZ e5m2: to 57344. Rounding past 57344 gives NaN, and a negative number that rounds to zero gives plain zero.
struct f8e5m2fnuz {
  static constexpr detail::Float8Format format{
      .fraction = 2, .bias = 16, .largest = 0x7f, .overflow = 0x80, .nan = 0x80, .fnuz = true};
  std::uint8_t bits = 0;
  bool operator==(const f8e5m2fnuz&) const = default;
};

/// Exact; every NaN comes out as a quiet one of the same sign (FNUZ's NaN: negative).
ZELLIGE_HD constexpr float to_float(f8e4m3 value) { return detail::decode_float8(f8e4m3::format, value.bits); }
ZELLIGE_HD constexpr float to_float(f8e5m2 value) { return detail::decode_float8(f8e5m2::format, value.bits); }
ZELLIGE_HD constexpr float to_float(f8e4m3fnuz value) { return detail::decode_float8(f8e4m3fnuz::format, value.bits); }
ZELLIGE_HD constexpr float to_float(f8e5m2fnuz value) { return detail::decode_float8(f8e5m2fnuz::format, value.bits); }

}  // namespace zellige
