// Floating-point functions of one lane, written so that loops over them vectorise, with the same bits on every host
// instruction set (no contraction, no library calls but for exact operations).
//
// Where hardware only promises an approximation (reciprocal, roots, exp2, log2, sine, cosine) the results here are the
// correctly rounded ones of a double computation: within 0.5001 units in the last place of f32. Kernels must not rely
// on more than the hardware's 1 unit.
#pragma once

#include "simulator/execute/types.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

ZELLIGE_SIM_INLINE bool is_nan(f32 a) { return a != a; }
ZELLIGE_SIM_INLINE bool is_nan(f64 a) { return a != a; }
ZELLIGE_SIM_INLINE f32 absolute(f32 a) { return bits_as<f32>(bits_as<u32>(a) & 0x7fff'ffffu); }
ZELLIGE_SIM_INLINE f64 absolute(f64 a) { return bits_as<f64>(bits_as<u64>(a) & ~(u64{1} << 63)); }

template <class T>
struct FloatBits;
template <>
struct FloatBits<f32> {
  using Word = u32;
  static constexpr int mantissa = 23;
  static constexpr Word quiet = 1u << 22;
};
template <>
struct FloatBits<f64> {
  using Word = u64;
  static constexpr int mantissa = 52;
  static constexpr Word quiet = u64{1} << 51;
};

/// Minimum and maximum of operands without NaN; -0 is below +0.
template <class T>
ZELLIGE_SIM_INLINE T minimum_of_numbers(T a, T b) {
  using Word = typename FloatBits<T>::Word;
  return a < b ? a : a > b ? b : bits_as<T>(static_cast<Word>(bits_as<Word>(a) | bits_as<Word>(b)));
}
template <class T>
ZELLIGE_SIM_INLINE T maximum_of_numbers(T a, T b) {
  using Word = typename FloatBits<T>::Word;
  return a > b ? a : a < b ? b : bits_as<T>(static_cast<Word>(bits_as<Word>(a) & bits_as<Word>(b)));
}
/// IEEE minimum and maximum number: a NaN loses against a number.
template <class T>
ZELLIGE_SIM_INLINE T minimum_number(T a, T b) {
  return is_nan(a) ? b : is_nan(b) ? a : minimum_of_numbers(a, b);
}
template <class T>
ZELLIGE_SIM_INLINE T maximum_number(T a, T b) {
  return is_nan(a) ? b : is_nan(b) ? a : maximum_of_numbers(a, b);
}
/// IEEE minimum and maximum: a NaN wins.
template <class T>
ZELLIGE_SIM_INLINE T minimum_nan(T a, T b) {
  return is_nan(a) ? a : is_nan(b) ? b : minimum_number(a, b);
}
template <class T>
ZELLIGE_SIM_INLINE T maximum_nan(T a, T b) {
  return is_nan(a) ? a : is_nan(b) ? b : maximum_number(a, b);
}

/// The middle of three; with a NaN among them the least.
template <class T>
ZELLIGE_SIM_INLINE T median(T a, T b, T c) {
  const T top = maximum_number(maximum_number(a, b), c);
  const T numbers = top == a ? maximum_number(b, c) : top == b ? maximum_number(a, c) : maximum_number(a, b);
  return is_nan(a) || is_nan(b) || is_nan(c) ? minimum_number(minimum_number(a, b), c) : numbers;
}

/// Saturating conversions towards zero; NaN gives 0.
ZELLIGE_SIM_INLINE i32 to_i32(f32 a) {
  const f32 inside = a < -2147483648.0f ? -2147483648.0f : a > 2147483520.0f ? 2147483520.0f : a;
  const i32 result = static_cast<i32>(is_nan(a) ? 0.0f : inside);
  return a >= 2147483648.0f ? 0x7fff'ffff : result;
}
ZELLIGE_SIM_INLINE u32 to_u32(f32 a) {
  const f64 wide = is_nan(a) || a < 0.0f ? 0.0 : a;
  const f64 inside = wide > 4294967295.0 ? 4294967295.0 : wide;
  // Below 2^31 and above it apart: signed conversion is what hosts have.
  const bool large = inside >= 2147483648.0;
  return static_cast<u32>(static_cast<i32>(large ? inside - 2147483648.0 : inside)) + (large ? 0x8000'0000u : 0u);
}
ZELLIGE_SIM_INLINE i32 to_i32(f64 a) {
  const f64 inside = is_nan(a) ? 0.0 : a < -2147483648.0 ? -2147483648.0 : a > 2147483647.0 ? 2147483647.0 : a;
  return static_cast<i32>(inside);
}
ZELLIGE_SIM_INLINE u32 to_u32(f64 a) {
  const f64 inside = is_nan(a) || a < 0.0 ? 0.0 : a > 4294967295.0 ? 4294967295.0 : a;
  const bool large = inside >= 2147483648.0;
  return static_cast<u32>(static_cast<i32>(large ? inside - 2147483648.0 : inside)) + (large ? 0x8000'0000u : 0u);
}

/// x - floor(x), below 1.
ZELLIGE_SIM_INLINE f32 fraction(f32 a) {
  const f32 part = a - __builtin_floorf(a);
  return part > 0x1.fffffep-1f ? 0x1.fffffep-1f : part;
}
ZELLIGE_SIM_INLINE f64 fraction(f64 a) {
  const f64 part = a - __builtin_floor(a);
  return part > 0x1.fffffffffffffp-1 ? 0x1.fffffffffffffp-1 : part;
}

/// 2^n, -1022 <= n <= 1023.
ZELLIGE_SIM_INLINE f64 power_of_two(i32 n) { return bits_as<f64>(static_cast<u64>(static_cast<i64>(n) + 1023) << 52); }

/// a * 2^n, rounded once.
ZELLIGE_SIM_INLINE f32 scale(f32 a, i32 n) {
  const i32 inside = n < -300 ? -300 : n > 300 ? 300 : n;
  return static_cast<f32>(static_cast<f64>(a) * power_of_two(inside));
}

/// The exponent e and mantissa m of a = m * 2^e with 0.5 <= |m| < 1; zeros, infinities and NaN have exponent 0.
ZELLIGE_SIM_INLINE i32 exponent_of(f64 a) {
  const f64 magnitude = absolute(a);
  const bool tiny = magnitude < 0x1p-1022;
  const f64 normal = tiny ? magnitude * 0x1p64 : magnitude;
  const i32 e = static_cast<i32>(bits_as<u64>(normal) >> 52) - 1022 - (tiny ? 64 : 0);
  return magnitude == 0 || !(magnitude < __builtin_inf()) ? 0 : e;
}
ZELLIGE_SIM_INLINE f64 mantissa_of(f64 a) {
  const f64 magnitude = absolute(a);
  const f64 normal = magnitude < 0x1p-1022 ? a * 0x1p64 : a;
  const u64 bits = (bits_as<u64>(normal) & 0x800f'ffff'ffff'ffffu) | 0x3fe0'0000'0000'0000u;
  return magnitude == 0 || !(magnitude < __builtin_inf()) ? a : bits_as<f64>(bits);
}

/// a * 2^n of doubles, rounded once also into the denormals.
ZELLIGE_SIM_INLINE f64 scale(f64 a, i32 n) {
  const bool number = a != 0 && absolute(a) < __builtin_inf();
  const i32 inside = n < -4000 ? -4000 : n > 4000 ? 4000 : n;
  const f64 mantissa = mantissa_of(a);
  const i32 e = exponent_of(a) + inside;  // result = mantissa * 2^e
  const i32 bounded = e < -1100 ? -1100 : e > 1100 ? 1100 : e;
  const i32 first = bounded / 2;
  // The first product is exact: |mantissa * 2^first| is normal; only the second may round.
  const f64 result = mantissa * power_of_two(first) * power_of_two(bounded - first);
  return number ? result : a;
}

/// 2^a in double: 2^n times the series of 2^r, |r| <= 0.5.
ZELLIGE_SIM_INLINE f64 exp2_double(f64 a) {
  const f64 inside = a < -1000.0 ? -1000.0 : a > 1000.0 ? 1000.0 : a;
  const f64 shifted = inside + 0x1.8p52;  // the low bits hold the nearest integer
  const f64 r = inside - (shifted - 0x1.8p52);
  f64 p = 7.0549116208011233e-09;
  p = p * r + 1.0178086009239699e-07;
  p = p * r + 1.3215486790144309e-06;
  p = p * r + 1.5252733804059841e-05;
  p = p * r + 1.5403530393381609e-04;
  p = p * r + 1.3333558146428443e-03;
  p = p * r + 9.6181291076284772e-03;
  p = p * r + 5.5504108664821580e-02;
  p = p * r + 2.4022650695910072e-01;
  p = p * r + 6.9314718055994531e-01;
  p = p * r + 1.0;
  const u64 exponent = (bits_as<u64>(shifted) + 1023) << 52;
  return p * bits_as<f64>(exponent);
}
ZELLIGE_SIM_INLINE f32 exp2_float(f32 a) {
  const f32 result = static_cast<f32>(exp2_double(is_nan(a) ? 0.0 : static_cast<f64>(a)));
  return is_nan(a) ? a : result;
}

/// log2 of a positive normal double: exponent plus 2/ln 2 atanh(s), s = (m - 1) / (m + 1).
ZELLIGE_SIM_INLINE f64 log2_double(f64 a) {
  const u64 bits = bits_as<u64>(a);
  const u64 offset = bits - 0x3fe6'a09e'667f'3bcdu;  // of the square root of one half
  const f64 m = bits_as<f64>(bits - (offset & 0xfff0'0000'0000'0000u));
  const f64 exponent = static_cast<f64>(static_cast<i32>(static_cast<u32>(offset >> 32)) >> 20);
  const f64 s = (m - 1.0) / (m + 1.0), z = s * s;
  f64 p = 1.0 / 15.0;
  p = p * z + 1.0 / 13.0;
  p = p * z + 1.0 / 11.0;
  p = p * z + 1.0 / 9.0;
  p = p * z + 1.0 / 7.0;
  p = p * z + 1.0 / 5.0;
  p = p * z + 1.0 / 3.0;
  p = p * z + 1.0;
  return exponent + 2.8853900817779268 * s * p;
}
ZELLIGE_SIM_INLINE f32 log2_float(f32 a) {
  const bool regular = a > 0.0f && a < __builtin_inff();
  const f32 result = static_cast<f32>(log2_double(regular ? static_cast<f64>(a) : 1.0));
  const f32 other = a == 0.0f ? -__builtin_inff() : a < 0.0f ? __builtin_nanf("") : a;
  return regular ? result : other;
}

/// sin(2 pi a), cos(2 pi a): the argument is in revolutions; outside of [-256, 256] hardware returns sin 0 and cos 0.
ZELLIGE_SIM_INLINE f64 sine_of_quarter(f64 x) {  // x in radians, |x| <= pi / 4
  const f64 z = x * x;
  f64 p = 1.6059043836821613e-10;
  p = p * z - 2.5052108385441720e-08;
  p = p * z + 2.7557319223985893e-06;
  p = p * z - 1.9841269841269841e-04;
  p = p * z + 8.3333333333333333e-03;
  p = p * z - 1.6666666666666667e-01;
  return x + x * z * p;
}
ZELLIGE_SIM_INLINE f64 cosine_of_quarter(f64 x) {
  const f64 z = x * x;
  f64 p = -1.1470745597729725e-11;
  p = p * z + 2.0876756987868099e-09;
  p = p * z - 2.7557319223985888e-07;
  p = p * z + 2.4801587301587302e-05;
  p = p * z - 1.3888888888888889e-03;
  p = p * z + 4.1666666666666667e-02;
  p = p * z - 0.5;
  return 1.0 + z * p;
}
ZELLIGE_SIM_INLINE f32 sine_turns(f32 a, i32 quarter) {
  const bool regular = absolute(a) <= 256.0f;
  const f64 x = regular ? static_cast<f64>(a) * 4.0 : 0.0;  // in quarter turns, exact
  const f64 shifted = x + 0x1.8p52;
  const f64 r = (x - (shifted - 0x1.8p52)) * 1.5707963267948966;
  const u64 n = bits_as<u64>(shifted) + static_cast<u64>(quarter);
  const f64 value = (n & 1) != 0 ? cosine_of_quarter(r) : sine_of_quarter(r);
  const f32 result = static_cast<f32>((n & 2) != 0 ? -value : value);
  const bool number = absolute(a) < __builtin_inff();
  return number ? result : __builtin_nanf("");
}

ZELLIGE_SIM_INLINE f32 reciprocal_root(f32 a) { return static_cast<f32>(1.0 / __builtin_sqrt(static_cast<f64>(a))); }

/// Division in three steps; the compiler's sequence of them gives correctly rounded quotients.
template <class T>
struct Division;
template <>
struct Division<f32> {
  static constexpr i32 bias = 127, far = 96, up = 64, tiny = 23, smallest = -150, special = 255;
  static constexpr f32 least_normal = 0x1p-126f, least_denormal = 0x1p-149f, scale_up = 0x1p64f, scale_down = 0x1p-64f;
  static constexpr u32 default_nan = 0xffc0'0000u;
  ZELLIGE_SIM_INLINE static i32 exponent(f32 a) { return static_cast<i32>(bits_as<u32>(a) >> 23 & 255); }
};
template <>
struct Division<f64> {
  static constexpr i32 bias = 1023, far = 768, up = 128, tiny = 53, smallest = -1075, special = 2047;
  static constexpr f64 least_normal = 0x1p-1022, least_denormal = 0x1p-1074, scale_up = 0x1p128, scale_down = 0x1p-128;
  static constexpr u64 default_nan = 0xfff8'0000'0000'0000u;
  ZELLIGE_SIM_INLINE static i32 exponent(f64 a) { return static_cast<i32>(bits_as<u64>(a) >> 52 & 2047); }
};

/// v_div_scale: `a` is denominator or numerator and is moved so that the Newton steps neither overflow nor lose bits.
template <class T>
ZELLIGE_SIM_INLINE WithMask<T> divide_scale(T a, T denominator, T numerator) {
  using D = Division<T>;
  const i32 e_n = D::exponent(numerator), e_d = D::exponent(denominator);
  const bool is_denominator =
      bits_as<typename FloatBits<T>::Word>(a) == bits_as<typename FloatBits<T>::Word>(denominator);
  const bool is_numerator = bits_as<typename FloatBits<T>::Word>(a) == bits_as<typename FloatBits<T>::Word>(numerator);
  const auto denormal = [](T x) __attribute__((always_inline)) { return absolute(x) < D::least_normal && x != 0; };
  const bool zero = numerator == 0 || denominator == 0;
  const bool far = e_n - e_d >= D::far;
  const bool denominator_denormal = denormal(denominator);
  // 1 / d and n / d below the normals, decided on exponents: both quotients round into the denormals there.
  const bool reciprocal_denormal = denormal(T(1) / denominator);
  const bool quotient_denormal = denormal(numerator / denominator) || (numerator / denominator == 0 && !zero);
  i32 shift = 0;
  bool flag = false;
  if (far) {
    flag = true;
    shift = is_denominator ? D::up : 0;
  } else if (denominator_denormal) {
    shift = D::up;
  } else if (reciprocal_denormal && quotient_denormal) {
    flag = true;
    shift = is_denominator ? -D::up : 0;
  } else if (reciprocal_denormal) {
    shift = -D::up;
  } else if (quotient_denormal) {
    flag = true;
    shift = is_numerator ? D::up : 0;
  } else if (e_n <= D::tiny) {
    shift = D::up;
  }
  const bool odd = zero || e_d == D::special || e_n == D::special;
  return {zero ? bits_as<T>(D::default_nan) : odd ? a : scale(a, shift), !odd && flag};
}

ZELLIGE_SIM_INLINE f32 fused(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
ZELLIGE_SIM_INLINE f64 fused(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }

/// v_div_fmas: a * b + c, and where VCC is set the scaling of v_div_scale undone, in the direction that c's exponent
/// tells. The result is rounded once: where scaling down into the denormals meets a tie, what the sum's own rounding
/// lost decides.
template <class T>
ZELLIGE_SIM_INLINE T divide_fma(T a, T b, T c, bool scaled) {
  using D = Division<T>;
  const T sum = fused(a, b, c);
  const T product = a * b, product_error = fused(a, b, -product);
  const T wide = product + c, part = wide - product;
  const T lost = ((wide - sum) + ((product - (wide - part)) + (c - part))) + product_error;
  const T up = sum * D::scale_up;
  const T down = sum * D::scale_down;
  const T rest = sum - down * D::scale_up;  // exact
  const bool tie = absolute(rest) == D::least_denormal * D::scale_up * T(0.5);
  const T step = tie && rest > 0 && lost > 0   ? D::least_denormal
                 : tie && rest < 0 && lost < 0 ? -D::least_denormal
                                               : T(0);
  const T result = D::exponent(c) > D::bias ? up : down + step;
  return scaled ? result : sum;
}

/// v_div_fixup: the quotient q of n / d with the exceptional cases put right.
template <class T>
ZELLIGE_SIM_INLINE T divide_fixup(T q, T denominator, T numerator) {
  using D = Division<T>;
  using Word = typename FloatBits<T>::Word;
  constexpr Word sign_bit = Word{1} << (sizeof(T) * 8 - 1);
  const Word sign = (bits_as<Word>(denominator) ^ bits_as<Word>(numerator)) & sign_bit;
  const auto with_sign = [&](T magnitude) __attribute__((always_inline)) {
    return bits_as<T>(static_cast<Word>((bits_as<Word>(magnitude) & ~sign_bit) | sign));
  };
  const T infinity = static_cast<T>(__builtin_inff());
  const bool n_infinite = absolute(numerator) == infinity, d_infinite = absolute(denominator) == infinity;
  const bool n_zero = numerator == 0, d_zero = denominator == 0;
  // The steps before give NaN where the quotient of two numbers overflows.
  T result = with_sign(is_nan(q) ? infinity : q);
  if (D::exponent(numerator) - D::exponent(denominator) < D::smallest) result = with_sign(T(0));
  if (d_infinite || n_zero) result = with_sign(T(0));
  if (d_zero || n_infinite) result = with_sign(infinity);
  if ((d_zero && n_zero) || (d_infinite && n_infinite)) result = bits_as<T>(D::default_nan);
  if (is_nan(denominator)) result = bits_as<T>(static_cast<Word>(bits_as<Word>(denominator) | FloatBits<T>::quiet));
  if (is_nan(numerator)) result = bits_as<T>(static_cast<Word>(bits_as<Word>(numerator) | FloatBits<T>::quiet));
  return result;
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
