// Vector half-precision arithmetic: one value in the low half of a register.
//
// Law: each operation rounds once to f16. The instructions that gfx9 introduced (fma, mad, div_fixup, three-operand
// ones) keep the high half of their destination; the older ones clear it.
#include "simulator/execute/half_math.hpp"
#include "simulator/execute/integer_math.hpp"
#include "simulator/execute/mixed_source.hpp"
#include "simulator/execute/valu_nan.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

constexpr OpClass transcendental = OpClass::valu_transcendental;

ZELLIGE_SIM_INLINE f16 divide_fixup_half(f16 q, f16 d, f16 n) {
  const f32 quotient = widen(q), denominator = widen(d), numerator = widen(n);
  const u16 sign = (bits_as<u16>(d) ^ bits_as<u16>(n)) & 0x8000;
  const bool n_infinite = absolute(numerator) == __builtin_inff(),
             d_infinite = absolute(denominator) == __builtin_inff();
  u16 bits = static_cast<u16>((bits_as<u16>(narrow(quotient)) & 0x7fff) | sign);
  if (d_infinite || numerator == 0) bits = sign;
  if (denominator == 0 || n_infinite) bits = sign | 0x7c00;
  if ((denominator == 0 && numerator == 0) || (d_infinite && n_infinite)) bits = 0xfe00;
  if (is_nan(denominator)) bits = bits_as<u16>(d) | 0x200;
  if (is_nan(numerator)) bits = bits_as<u16>(n) | 0x200;
  return bits_as<f16>(bits);
}

/// v_fma_mix_f32, v_fma_mixlo_f16, v_fma_mixhi_f16: where = 0, 1, 2.
template <int where>
const Instruction* mixed_fma(Wave& wave, const Instruction* i) {
  SourceRows room[3];
  alignas(64) f32 a[row_lanes], b[row_lanes], c[row_lanes];
  MixedSource(wave, i->src[0], room[0]).expand<f16>(a);
  MixedSource(wave, i->src[1], room[1]).expand<f16>(b);
  MixedSource(wave, i->src[2], room[2]).expand<f16>(c);
  const auto result = [&](int lane) __attribute__((always_inline)) {
    return static_cast<f64>(a[lane]) * static_cast<f64>(b[lane]);
  };
  u32* rows = wave.row(i->dst.index);
  const u32* exec = wave.exec_mask;
  if constexpr (where == 0) {
    ZELLIGE_SIM_LANES Value<f32>::store(rows, lane, __builtin_fmaf(a[lane], b[lane], c[lane]), exec[lane]);
  } else {
    constexpr u32 field = where == 1 ? 0x0000'ffffu : 0xffff'0000u;
    const bool clamp = (i->flags & flag_clamp) != 0, keeps_nan = (wave.mode >> 8 & 1) == 0;
    ZELLIGE_SIM_LANES {
      f32 value = widen(narrow_double(result(lane) + static_cast<f64>(c[lane])));
      if (clamp && !(keeps_nan && is_nan(value))) value = !(value > 0.0f) ? 0.0f : value > 1.0f ? 1.0f : value;
      const u32 bits = u32{bits_as<u16>(narrow(value))} << (where == 1 ? 0 : 16);
      const u32 mask = exec[lane] & field;
      rows[lane] = (bits & mask) | (rows[lane] & ~mask);
    }
  }
  return i + 1;
}

constexpr Operation mixed(std::string_view mnemonic, Handler handler, ValueType dst) {
  Operation row = special(mnemonic, handler, dst, ValueType::f32, ValueType::f32, ValueType::f32);
  row.flags |= flag_own_modifiers;
  return row;
}

constexpr Operation rows[] = {
    valu<[](f16 a, f16 b) { return narrow(widen(a) + widen(b)); }>("v_add_f16"),
    valu<[](f16 a, f16 b) { return narrow(widen(a) - widen(b)); }>("v_sub_f16"),
    valu<[](f16 a, f16 b) { return narrow(widen(b) - widen(a)); }>("v_subrev_f16"),
    valu<[](f16 a, f16 b) { return narrow(widen(a) * widen(b)); }>("v_mul_f16"),
    accumulating<[](f16 a, f16 b, f16 c) { return narrow(widen(narrow(widen(a) * widen(b))) + widen(c)); }>(
        "v_mac_f16"),
    valu<[](f16 a, f16 b, f16 c) { return narrow(widen(narrow(widen(a) * widen(b))) + widen(c)); }>("v_madak_f16"),
    valu<[](f16 a, f16 b, f16 c) { return narrow(widen(narrow(widen(a) * widen(b))) + widen(c)); }>("v_madmk_f16"),
    valu<[](f16 a, f16 b, f16 c) { return Low<f16>{narrow(widen(narrow(widen(a) * widen(b))) + widen(c))}; }>(
        "v_mad_f16"),
    valu<[](f16 a, f16 b, f16 c) { return narrow(widen(narrow(widen(a) * widen(b))) + widen(c)); }>("v_mad_legacy_f16"),
    valu<[](f16 a, f16 b, f16 c) { return Low<f16>{fma_half(a, b, c)}; }>("v_fma_f16"),
    valu<[](f16 a, f16 b, f16 c) { return fma_half(a, b, c); }>("v_fma_legacy_f16"),
    accumulating<[](f16 a, f16 b, f16 c) { return fma_half(a, b, c); }>("v_fmac_f16"),
    valu<[](f16 a, f16 b, f16 c) { return fma_half(a, b, c); }>("v_fmaak_f16"),
    valu<[](f16 a, f16 b, f16 c) { return fma_half(a, b, c); }>("v_fmamk_f16"),
    minimum_row<f16>("v_min_f16"),
    maximum_row<f16>("v_max_f16"),
    minimum3_row<Low<f16>>("v_min3_f16"),
    maximum3_row<Low<f16>>("v_max3_f16"),
    median_row<Low<f16>>("v_med3_f16"),
    valu<[](f16 a) { return narrow(__builtin_truncf(widen(a))); }>("v_trunc_f16"),
    valu<[](f16 a) { return narrow(__builtin_ceilf(widen(a))); }>("v_ceil_f16"),
    valu<[](f16 a) { return narrow(__builtin_floorf(widen(a))); }>("v_floor_f16"),
    valu<[](f16 a) { return narrow(__builtin_roundevenf(widen(a))); }>("v_rndne_f16"),
    valu<[](f16 a) {
      const f32 x = widen(a), part = x - __builtin_floorf(x);
      return narrow(part > 0x1.ffcp-1f ? 0x1.ffcp-1f : part);
    }>("v_fract_f16"),
    valu<[](f16 a, i16 n) {
      const i32 inside = clamp_between(n, -60, 60);
      return narrow(widen(a) * bits_as<f32>(static_cast<u32>(inside + 127) << 23));
    }>("v_ldexp_f16"),
    valu<[](f16 a) { return static_cast<i16>(exponent_of(static_cast<f64>(widen(a)))); }>("v_frexp_exp_i16_f16"),
    valu<[](f16 a) { return narrow(static_cast<f32>(mantissa_of(static_cast<f64>(widen(a))))); }>("v_frexp_mant_f16"),
    valu<[](f16 a) { return narrow(exp2_float(widen(a))); }>("v_exp_f16", transcendental),
    valu<[](f16 a) { return narrow(log2_float(widen(a))); }>("v_log_f16", transcendental),
    valu<[](f16 a) { return narrow(1.0f / widen(a)); }>("v_rcp_f16", transcendental),
    valu<[](f16 a) { return narrow(reciprocal_root(widen(a))); }>("v_rsq_f16", transcendental),
    valu<[](f16 a) { return narrow(__builtin_sqrtf(widen(a))); }>("v_sqrt_f16", transcendental),
    valu<[](f16 a) { return narrow(sine_turns(widen(a), 0)); }>("v_sin_f16", transcendental),
    valu<[](f16 a) { return narrow(sine_turns(widen(a), 1)); }>("v_cos_f16", transcendental),
    valu<[](f16 q, f16 d, f16 n) { return Low<f16>{divide_fixup_half(q, d, n)}; }>("v_div_fixup_f16"),
    valu<[](f16 q, f16 d, f16 n) { return divide_fixup_half(q, d, n); }>("v_div_fixup_legacy_f16"),
    valu<[](u16 a, u16 b) { return u32{a} | u32{b} << 16; }>("v_pack_b32_f16"),
    mixed("v_fma_mix_f32", &mixed_fma<0>, ValueType::f32),
    mixed("v_fma_mixlo_f16", &mixed_fma<1>, ValueType::b32),
    mixed("v_fma_mixhi_f16", &mixed_fma<2>, ValueType::b32),
};

}  // namespace

OperationTable valu_half_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
