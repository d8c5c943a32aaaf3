// Vector single-precision arithmetic.
//
// Law: every operation rounds once as MODE says (MAC and MAD forms round twice); minimum and maximum prefer numbers to
// quiet NaN.
#include "simulator/execute/float_math.hpp"
#include "simulator/execute/valu_nan.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// 0 times anything is 0.
ZELLIGE_SIM_INLINE f32 legacy_product(f32 a, f32 b) { return a == 0.0f || b == 0.0f ? 0.0f : a * b; }

/// The major axis of a direction (x, y, z): 4 z, 2 y, 0 x, plus 1 where it is negative.
ZELLIGE_SIM_INLINE i32 cube_face(f32 x, f32 y, f32 z) {
  const bool is_z = absolute(z) >= absolute(x) && absolute(z) >= absolute(y), is_y = absolute(y) >= absolute(x);
  return is_z ? (z < 0.0f ? 5 : 4) : is_y ? (y < 0.0f ? 3 : 2) : (x < 0.0f ? 1 : 0);
}
ZELLIGE_SIM_INLINE f32 cube_s(f32 x, f32 y, f32 z) {
  const i32 face = cube_face(x, y, z);
  return face == 5 ? -x : face >= 2 ? x : face == 1 ? z : -z;
}
ZELLIGE_SIM_INLINE f32 cube_t(f32 x, f32 y, f32 z) {
  const i32 face = cube_face(x, y, z);
  return face == 3 ? -z : face == 2 ? z : -y;
}
ZELLIGE_SIM_INLINE f32 cube_major(f32 x, f32 y, f32 z) {
  const i32 face = cube_face(x, y, z);
  return 2.0f * (face >= 4 ? z : face >= 2 ? y : x);
}
ZELLIGE_SIM_INLINE f32 dx9_fma(f32 a, f32 b, f32 c) { return a == 0.0f || b == 0.0f ? c : __builtin_fmaf(a, b, c); }

constexpr f32 largest = 0x1.fffffep127f;

constexpr OpClass transcendental = OpClass::valu_transcendental;

constexpr Operation rows[] = {
    valu<[](f32 a, f32 b) { return a + b; }>("v_add_f32"),
    valu<[](f32 a, f32 b) { return a - b; }>("v_sub_f32"),
    valu<[](f32 a, f32 b) { return b - a; }>("v_subrev_f32"),
    valu<[](f32 a, f32 b) { return a * b; }>("v_mul_f32"),
    valu<[](f32 a, f32 b) { return legacy_product(a, b); }>("v_mul_legacy_f32"),
    valu<[](f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }>("v_fma_f32"),
    accumulating<[](f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }>("v_fmac_f32"),
    valu<[](f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }>("v_fmaak_f32"),
    valu<[](f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }>("v_fmamk_f32"),
    valu<[](f32 a, f32 b, f32 c) { return a * b + c; }>("v_mad_f32"),
    accumulating<[](f32 a, f32 b, f32 c) { return a * b + c; }>("v_mac_f32"),
    valu<[](f32 a, f32 b, f32 c) { return a * b + c; }>("v_madak_f32"),
    valu<[](f32 a, f32 b, f32 c) { return a * b + c; }>("v_madmk_f32"),
    valu<[](f32 a, f32 b, f32 c) { return legacy_product(a, b) + c; }>("v_mad_legacy_f32"),
    minimum_row<f32>("v_min_f32"),
    maximum_row<f32>("v_max_f32"),
    minimum3_row<f32>("v_min3_f32"),
    maximum3_row<f32>("v_max3_f32"),
    median_row<f32>("v_med3_f32"),
    valu<[](f32 a, f32 b, f32 c) { return minimum_nan(minimum_nan(a, b), c); }>("v_minimum3_f32"),
    valu<[](f32 a, f32 b, f32 c) { return maximum_nan(maximum_nan(a, b), c); }>("v_maximum3_f32"),
    valu<[](f32 a) { return __builtin_truncf(a); }>("v_trunc_f32"),
    valu<[](f32 a) { return __builtin_ceilf(a); }>("v_ceil_f32"),
    valu<[](f32 a) { return __builtin_floorf(a); }>("v_floor_f32"),
    valu<[](f32 a) { return __builtin_roundevenf(a); }>("v_rndne_f32"),
    valu<[](f32 a) { return fraction(a); }>("v_fract_f32"),
    valu<[](f32 a, i32 n) { return scale(a, n); }>("v_ldexp_f32"),
    valu<[](f32 a) { return exponent_of(a); }>("v_frexp_exp_i32_f32"),
    valu<[](f32 a) { return static_cast<f32>(mantissa_of(a)); }>("v_frexp_mant_f32"),
    valu<[](f32 a) { return exp2_float(a); }>("v_exp_f32", transcendental),
    valu<[](f32 a) { return exp2_float(a); }>("v_exp_legacy_f32", transcendental),
    valu<[](f32 a) { return log2_float(a); }>("v_log_f32", transcendental),
    valu<[](f32 a) { return log2_float(a); }>("v_log_legacy_f32", transcendental),
    valu<[](f32 a) { return 1.0f / a; }>("v_rcp_f32", transcendental),
    valu<[](f32 a) { return 1.0f / a; }>("v_rcp_iflag_f32", transcendental),
    valu<[](f32 a) { return reciprocal_root(a); }>("v_rsq_f32", transcendental),
    valu<[](f32 a) { return __builtin_sqrtf(a); }>("v_sqrt_f32", transcendental),
    valu<[](f32 a) { return sine_turns(a, 0); }>("v_sin_f32", transcendental),
    valu<[](f32 a) { return sine_turns(a, 1); }>("v_cos_f32", transcendental),
    valu<[](f32 x, f32 y, f32 z) { return static_cast<f32>(cube_face(x, y, z)); }>("v_cubeid_f32"),
    valu<[](f32 x, f32 y, f32 z) { return cube_s(x, y, z); }>("v_cubesc_f32"),
    valu<[](f32 x, f32 y, f32 z) { return cube_t(x, y, z); }>("v_cubetc_f32"),
    valu<[](f32 x, f32 y, f32 z) { return cube_major(x, y, z); }>("v_cubema_f32"),
    valu<[](f32 a, f32 d, f32 n) { return divide_scale(a, d, n); }>("v_div_scale_f32"),
    valu<[](f32 q, f32 d, f32 n) { return divide_fixup(q, d, n); }>("v_div_fixup_f32"),
    valu<[](f32 a, f32 b, f32 c) { return dx9_fma(a, b, c); }>("v_fma_dx9_zero_f32"),
    accumulating<[](f32 a, f32 b, f32 c) { return dx9_fma(a, b, c); }>("v_fmac_dx9_zero_f32"),
    valu<[](f32 a, f32 b, f32 c) {
      const bool dark = b == -largest || b == -__builtin_inff() || is_nan(b) || c <= 0.0f || is_nan(c);
      return dark ? -largest : a * b;
    }>("v_mullit_f32"),
    [] {
      Operation row =
          valu<[](f32 a, f32 b, f32 c, LaneBit vcc) { return divide_fma(a, b, c, vcc.bits != 0); }>("v_div_fmas_f32");
      row.flags |= flag_reads_vcc;
      return row;
    }(),
};

}  // namespace

OperationTable valu_float_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
