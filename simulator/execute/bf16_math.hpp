// bfloat16 arithmetic of one lane, and the hyperbolic tangent.
//
// Law: sums and products are rounded once, to nearest even; transcendental functions are those of f32, rounded.
#pragma once

#include "simulator/execute/half_math.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

ZELLIGE_SIM_INLINE f32 widen(bf16 a) { return from_bf16(a.bits); }
ZELLIGE_SIM_INLINE bf16 narrow_bf16(f32 a) { return {static_cast<u16>(to_bf16(a))}; }

/// A double rounded once.
ZELLIGE_SIM_INLINE bf16 narrow_double_bf16(f64 a) { return narrow_bf16(odd_single(a)); }

/// a * b + c: the product is exact in double, and the sum is rounded there to an odd last bit.
ZELLIGE_SIM_INLINE bf16 fma_bf16(f32 a, f32 b, f32 c) {
  const f64 product = static_cast<f64>(a) * static_cast<f64>(b), addend = c;
  const f64 sum = product + addend, part = sum - product;
  const f64 lost = (product - (sum - part)) + (addend - part);
  const u64 bits = bits_as<u64>(sum);
  const bool inwards = (lost < 0) != (sum < 0);  // the exact sum is nearer to zero
  const u64 odd = (bits - (inwards ? 1 : 0)) | 1;
  return narrow_double_bf16(bits_as<f64>(lost < 0 || lost > 0 ? odd : bits));
}

ZELLIGE_SIM_INLINE f32 tangent_hyperbolic(f32 a) {
  const f64 x = is_nan(a) ? 0.0 : a < -20.0f ? -20.0 : a > 20.0f ? 20.0 : static_cast<f64>(a);
  const f64 power = exp2_double(x * 2.8853900817779268);  // e^2x
  const f64 z = x * x;
  const f64 series = x * (1.0 + z * (-1.0 / 3.0 + z * (2.0 / 15.0 + z * (-17.0 / 315.0 + z * (62.0 / 2835.0)))));
  const f64 value = absolute(x) < 0x1p-5 ? series : 1.0 - 2.0 / (power + 1.0);
  return is_nan(a) ? a : static_cast<f32>(value);
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
