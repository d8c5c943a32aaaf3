// Floats of 4, 6, 8 and 16 bits of one lane: their values, and a number rounded to them, to nearest even or with a
// random word.
//
// Law: a number carries a power of two beside it (block scales), so that it is rounded once. Overflow gives the
// format's infinity or NaN, or its largest number where `saturate` (MODE's FP16_OVFL) asks for it; formats without
// either always saturate. [OCP 8-bit and MX formats; the random word's place is that of AMD's public software model.]
#pragma once

#include "simulator/execute/float_math.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// What a format's top codes mean: nothing special, as IEEE, the topmost is NaN, or one NaN at -0.
enum class NarrowSpecials : std::uint8_t { none, ieee, top_nan, fnuz };

template <int exponent_bits, int fraction, int bias, NarrowSpecials specials>
struct NarrowFloat {
  static constexpr int bits = 1 + exponent_bits + fraction;
  static constexpr u32 sign_bit = 1u << (bits - 1);
  static constexpr u32 last = sign_bit - 1;
  static constexpr bool has_infinity = specials == NarrowSpecials::ieee;
  static constexpr u32 infinity = has_infinity ? ((1u << exponent_bits) - 1) << fraction : last;
  /// The largest finite code.
  static constexpr u32 top = has_infinity ? infinity - 1 : specials == NarrowSpecials::top_nan ? last - 1 : last;
  static constexpr u32 nan = specials == NarrowSpecials::fnuz ? sign_bit
                             : bits == 16                     ? infinity | 1u << (fraction - 1)
                                                              : last;
  static constexpr int least_exponent = 1 - bias;

  ZELLIGE_SIM_INLINE static f32 decode(u32 code) {
    const u32 magnitude = code & last;
    const i32 exponent = static_cast<i32>(magnitude >> fraction);
    const i32 part = static_cast<i32>(magnitude & ((1u << fraction) - 1));
    const i32 whole = exponent == 0 ? part : part + (1 << fraction);
    const i32 power = (exponent == 0 ? 1 : exponent) - bias - fraction;
    f32 value = static_cast<f32>(static_cast<f64>(whole) * power_of_two(power));
    if (specials == NarrowSpecials::fnuz && code == sign_bit) return __builtin_nanf("");
    if (specials == NarrowSpecials::ieee || specials == NarrowSpecials::top_nan)
      value = magnitude > (has_infinity ? infinity : top) ? __builtin_nanf("") : value;
    if (has_infinity && magnitude == infinity) value = __builtin_inff();
    return (code & sign_bit) != 0 ? -value : value;
  }

  /// a * 2^shift to nearest even; -512 <= shift <= 512.
  ZELLIGE_SIM_INLINE static u32 encode(f32 a, bool saturate, i32 shift = 0) {
    const f64 magnitude = absolute(static_cast<f64>(a)) * power_of_two(shift);
    const i32 exponent = magnitude == 0 ? least_exponent : exponent_of(magnitude) - 1;
    const i32 power = (exponent < least_exponent ? least_exponent : exponent) - fraction;
    const bool finite = magnitude < __builtin_inf();
    const u32 steps =
        finite ? static_cast<u32>(static_cast<i32>(__builtin_roundeven(magnitude * power_of_two(-power)))) : 0;
    // steps has fraction + 1 bits for normals; a carry into the next exponent comes out right by addition.
    const i32 biased = power + fraction + bias;
    return finish(a, (static_cast<u32>(biased - 1) << fraction) + steps, saturate);
  }

  /// a * 2^shift, its fraction cut to `source_fraction` bits, rounded towards zero after the top bits of `random` were
  /// added below the last bit kept.
  ZELLIGE_SIM_INLINE static u32 encode_random(f32 a, u32 random, bool saturate, int source_fraction, i32 shift = 0) {
    const f64 magnitude = absolute(static_cast<f64>(a));
    const bool number = magnitude != 0 && magnitude < __builtin_inf();
    const f64 mantissa = number ? mantissa_of(magnitude) : 0.5;
    const i32 exponent = exponent_of(magnitude) - 1 + shift;
    u32 whole = static_cast<u32>(static_cast<i32>(mantissa * power_of_two(source_fraction + 1)));
    const bool tiny = exponent < least_exponent;
    const i32 down = least_exponent - exponent;
    whole = tiny ? (down > 31 ? 0 : whole >> down) : whole - (1u << source_fraction);
    whole += random >> (32 - source_fraction + fraction);
    const u32 biased = tiny ? 0 : static_cast<u32>(exponent + bias) << fraction;
    return finish(a, number ? biased + (whole >> (source_fraction - fraction)) : 0, saturate);
  }

 private:
  /// The sign, and what becomes of a magnitude beyond the largest, of infinities and of NaN.
  ZELLIGE_SIM_INLINE static u32 finish(f32 a, u32 code, bool saturate) {
    const bool infinite = absolute(a) == __builtin_inff();
    const u32 sign = (bits_as<u32>(a) >> 31) * sign_bit;
    if (infinite || code > top) code = saturate && !(infinite && has_infinity) ? top : has_infinity ? infinity : nan;
    if (is_nan(a)) code = nan;
    if (specials == NarrowSpecials::fnuz) return code == 0 || code == sign_bit ? code : code | sign;
    return code | sign;
  }
};

using Fp8 = NarrowFloat<4, 3, 7, NarrowSpecials::top_nan>;
using Bf8 = NarrowFloat<5, 2, 15, NarrowSpecials::ieee>;
using Fp8Fnuz = NarrowFloat<4, 3, 8, NarrowSpecials::fnuz>;
using Bf8Fnuz = NarrowFloat<5, 2, 16, NarrowSpecials::fnuz>;
using Fp6 = NarrowFloat<2, 3, 1, NarrowSpecials::none>;
using Bf6 = NarrowFloat<3, 2, 3, NarrowSpecials::none>;
using Fp4 = NarrowFloat<2, 1, 1, NarrowSpecials::none>;
using Half = NarrowFloat<5, 10, 15, NarrowSpecials::ieee>;
using Bfloat = NarrowFloat<8, 7, 127, NarrowSpecials::ieee>;

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
