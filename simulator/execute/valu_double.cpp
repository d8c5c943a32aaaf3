// Vector double-precision arithmetic.
#include "simulator/execute/float_math.hpp"
#include "simulator/execute/valu_nan.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

constexpr OpClass wide = OpClass::valu_double;

/// 2 / pi to 1216 bits, most significant word first.
constexpr u32 two_over_pi[38] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
                                 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
                                 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b,
                                 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
                                 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
                                 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

/// v_trig_preop_f64: 53 bits of 2 / pi, beginning at the segment that the exponent of `a` asks for.
const Instruction* trigonometric_segment(Wave& wave, const Instruction* i) {
  SourceRows room[2];
  const Source<f64, true> a(wave, i->src[0], room[0]);
  const Source<u32, false> segment(wave, i->src[1], room[1]);
  Store<f64>::all(wave, i, [&](int lane) {
    const i32 exponent = Division<f64>::exponent(a[lane]);
    i32 shift = static_cast<i32>(segment[lane] & 31) * 53;
    if (exponent > 1077) shift += exponent - 1077;
    u64 bits = 0;
    for (int bit = 0; bit < 53; ++bit) {
      const int at = shift + bit;
      bits = bits << 1 | (at < 1201 ? two_over_pi[at / 32] >> (31 - at % 32) & 1 : 0);
    }
    const i32 back = -53 - shift + (exponent >= 1968 ? 128 : 0);
    return scale(static_cast<f64>(static_cast<i64>(bits)), back);
  });
  return i + 1;
}

constexpr Operation segment_operation() {
  Operation row = special("v_trig_preop_f64", &trigonometric_segment, ValueType::f64, ValueType::f64, ValueType::u32);
  row.op_class = wide;
  row.with_signs = row.plain;
  return row;
}

constexpr Operation rows[] = {
    valu<[](f64 a, f64 b) { return a + b; }>("v_add_f64", wide),
    valu<[](f64 a, f64 b) { return a * b; }>("v_mul_f64", wide),
    valu<[](f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }>("v_fma_f64", wide),
    accumulating<[](f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }>("v_fmac_f64", wide),
    valu<[](f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }>("v_fmaak_f64", wide),
    valu<[](f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }>("v_fmamk_f64", wide),
    minimum_row<f64>("v_min_f64", wide),
    maximum_row<f64>("v_max_f64", wide),
    valu<[](f64 a) { return __builtin_trunc(a); }>("v_trunc_f64", wide),
    valu<[](f64 a) { return __builtin_ceil(a); }>("v_ceil_f64", wide),
    valu<[](f64 a) { return __builtin_floor(a); }>("v_floor_f64", wide),
    valu<[](f64 a) { return __builtin_roundeven(a); }>("v_rndne_f64", wide),
    valu<[](f64 a) { return fraction(a); }>("v_fract_f64", wide),
    valu<[](f64 a, i32 n) { return scale(a, n); }>("v_ldexp_f64", wide),
    valu<[](f64 a) { return exponent_of(a); }>("v_frexp_exp_i32_f64", wide),
    valu<[](f64 a) { return mantissa_of(a); }>("v_frexp_mant_f64", wide),
    valu<[](f64 a) { return 1.0 / a; }>("v_rcp_f64", wide),
    valu<[](f64 a) { return 1.0 / __builtin_sqrt(a); }>("v_rsq_f64", wide),
    valu<[](f64 a) { return __builtin_sqrt(a); }>("v_sqrt_f64", wide),
    valu<[](f64 a, f64 d, f64 n) { return divide_scale(a, d, n); }>("v_div_scale_f64", wide),
    valu<[](f64 q, f64 d, f64 n) { return divide_fixup(q, d, n); }>("v_div_fixup_f64", wide),
    [] {
      Operation row = valu<[](f64 a, f64 b, f64 c, LaneBit vcc) { return divide_fma(a, b, c, vcc.bits != 0); }>(
          "v_div_fmas_f64", wide);
      row.flags |= flag_reads_vcc;
      return row;
    }(),
    segment_operation(),
};

}  // namespace

OperationTable valu_double_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
