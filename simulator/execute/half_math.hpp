// Half-precision, bfloat16 and 8-bit float conversions of one lane.
#pragma once

#include <xmmintrin.h>

#include "simulator/execute/float_math.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

ZELLIGE_SIM_INLINE f32 widen(f16 a) { return static_cast<f32>(a); }
/// Rounded as the host's control register says.
ZELLIGE_SIM_INLINE f16 narrow(f32 a) {
  f16 result = static_cast<f16>(a);
#if !defined(__F16C__)
  // Without F16C the conversion is the compiler's software, which knows nearest even alone: one unit more or less.
  const u32 rounding = _mm_getcsr() >> 13 & 3;  // 0 nearest, 1 down, 2 up, 3 to zero
  if (rounding != 0 && a == a) {
    const f32 back = widen(result);
    const u16 bits = bits_as<u16>(result), sign = static_cast<u16>(bits_as<u32>(a) >> 31);
    const bool negative = sign != 0;
    const bool outward = (negative ? -back : back) > (negative ? -a : a);
    const bool inward = (negative ? -back : back) < (negative ? -a : a);
    const bool to_larger = rounding == 2 ? !negative : rounding == 1 ? negative : false;
    result = bits_as<f16>(static_cast<u16>(bits + (inward && to_larger ? 1 : 0) - (outward && !to_larger ? 1 : 0)));
  }
#endif
  return result;
}

/// Rounded towards zero.
ZELLIGE_SIM_INLINE f16 narrow_to_zero(f32 a) {
  const f16 nearest = narrow(a);
  const f32 back = absolute(widen(nearest));
  // One unit back where rounding went outwards; an infinity from a finite number becomes the largest finite half.
  const bool outward = back > absolute(a);
  return bits_as<f16>(static_cast<u16>(bits_as<u16>(nearest) - (outward ? 1 : 0)));
}

/// A double rounded to f32 towards an odd last bit, which keeps what a rounding to fewer bits needs.
ZELLIGE_SIM_INLINE f32 odd_single(f64 a) {
  const f32 nearest = static_cast<f32>(a);
  const f64 back = nearest;
  const u32 bits = bits_as<u32>(nearest);
  const bool inexact = back != a && !is_nan(a);
  const bool outward = absolute(back) > absolute(a);
  return bits_as<f32>(inexact ? (outward ? bits - 1 : bits) | 1 : bits);
}
/// A double rounded once.
ZELLIGE_SIM_INLINE f16 narrow_double(f64 a) { return narrow(odd_single(a)); }

/// a * b + c rounded once: the product is exact in f32, and the sum is rounded there to an odd last bit, which keeps
/// what the rounding to half needs.
ZELLIGE_SIM_INLINE f16 fma_half(f16 a, f16 b, f16 c) {
  const f32 product = widen(a) * widen(b), addend = widen(c);
  const f32 sum = product + addend, part = sum - product;
  const f32 lost = (product - (sum - part)) + (addend - part);
  const u32 bits = bits_as<u32>(sum);
  const bool inwards = (lost < 0.0f) != (sum < 0.0f);  // the exact sum is nearer to zero
  const u32 odd = (bits - (inwards ? 1 : 0)) | 1;
  return narrow(bits_as<f32>(lost < 0.0f || lost > 0.0f ? odd : bits));
}

ZELLIGE_SIM_INLINE f16 minimum_of_numbers(f16 a, f16 b) {
  return narrow(minimum_of_numbers(widen(a), widen(b)));
}
ZELLIGE_SIM_INLINE f16 maximum_of_numbers(f16 a, f16 b) {
  return narrow(maximum_of_numbers(widen(a), widen(b)));
}
ZELLIGE_SIM_INLINE f16 median(f16 a, f16 b, f16 c) { return narrow(median(widen(a), widen(b), widen(c))); }
ZELLIGE_SIM_INLINE f16 minimum_number(f16 a, f16 b) { return narrow(minimum_number(widen(a), widen(b))); }
ZELLIGE_SIM_INLINE f16 maximum_number(f16 a, f16 b) { return narrow(maximum_number(widen(a), widen(b))); }
ZELLIGE_SIM_INLINE f16 minimum_nan(f16 a, f16 b) { return narrow(minimum_nan(widen(a), widen(b))); }
ZELLIGE_SIM_INLINE f16 maximum_nan(f16 a, f16 b) { return narrow(maximum_nan(widen(a), widen(b))); }

ZELLIGE_SIM_INLINE f32 from_bf16(u32 bits) { return bits_as<f32>(bits << 16); }
/// To nearest even; NaN keeps its sign and becomes quiet.
ZELLIGE_SIM_INLINE u32 to_bf16(f32 a) {
  const u32 bits = bits_as<u32>(a);
  const u32 rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return is_nan(a) ? bits >> 16 | 0x40 : rounded;
}
ZELLIGE_SIM_INLINE u32 pack_halves(f16 low, f16 high) { return u32{bits_as<u16>(low)} | u32{bits_as<u16>(high)} << 16; }

/// To 16-bit integers, towards zero, saturating; NaN gives 0.
ZELLIGE_SIM_INLINE i32 to_i16(f32 x) {
  return is_nan(x) ? 0 : x < -32768.0f ? -32768 : x > 32767.0f ? 32767 : static_cast<i32>(x);
}
ZELLIGE_SIM_INLINE i32 to_u16(f32 x) { return is_nan(x) || x < 0.0f ? 0 : x > 65535.0f ? 65535 : static_cast<i32>(x); }
ZELLIGE_SIM_INLINE i32 to_i16(f16 a) { return to_i16(widen(a)); }
ZELLIGE_SIM_INLINE i32 to_u16(f16 a) { return to_u16(widen(a)); }
/// Normalised integers: limits to [low, 1], scales and rounds to nearest even.
ZELLIGE_SIM_INLINE i32 to_normalised(f32 a, f32 low, f32 units) {
  const f32 inside = is_nan(a) ? 0.0f : a < low ? low : a > 1.0f ? 1.0f : a;
  return static_cast<i32>(__builtin_roundevenf(inside * units));
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
