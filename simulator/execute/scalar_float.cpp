// Scalar floating-point arithmetic, conversions and compares (gfx1151, gfx12 and later).
//
// Law: as the vector operations of the same names, on one value; a half is in the low 16 bits of its register, and
// writing one clears the others.
#include "simulator/execute/half_math.hpp"
#include "simulator/execute/scalar.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

ZELLIGE_SIM_INLINE f32 single(u32 bits) { return bits_as<f32>(bits); }
ZELLIGE_SIM_INLINE f16 half(u32 bits) { return bits_as<f16>(static_cast<u16>(bits)); }
ZELLIGE_SIM_INLINE u32 bits_of(f32 value) { return bits_as<u32>(value); }
ZELLIGE_SIM_INLINE u32 bits_of(f16 value) { return bits_as<u16>(value); }

/// Constants of its sources are those of halves.
constexpr Operation of_halves(Operation row) {
  for (ValueType& source : row.src)
    if (source != ValueType::none) source = ValueType::f16;
  return row;
}

template <auto f>
const Instruction* three_sources(Wave& wave, const Instruction* i) {
  write_scalar<u32>(
      wave, i->dst,
      f(read_scalar<u32>(wave, i->src[0]), read_scalar<u32>(wave, i->src[1]), read_scalar<u32>(wave, i->src[2])));
  return i + 1;
}
/// a * b + c rounded once; the text names c unless the destination holds it.
template <auto f>
constexpr Operation fused(std::string_view mnemonic, bool accumulates) {
  constexpr ValueType b32 = ValueType::b32;
  return {.mnemonic = mnemonic,
          .op_class = OpClass::salu,
          .dst = b32,
          .src = {b32, b32, b32},
          .plain = &three_sources<f>,
          .flags = accumulates ? flag_reads_destination : 0u};
}

#define ZELLIGE_BOTH(name, expression)                    \
  scalar<[](u32 x, u32 y) {                               \
    const f32 a = single(x), b = single(y);               \
    return bits_of(static_cast<f32>(expression));         \
  }>(name "_f32"),                                        \
      of_halves(scalar<[](u32 x, u32 y) {                 \
        const f32 a = widen(half(x)), b = widen(half(y)); \
        return bits_of(narrow(expression));               \
      }>(name "_f16"))
#define ZELLIGE_ONE(name, function)                                        \
  scalar<[](u32 x) { return bits_of(function(single(x))); }>(name "_f32"), \
      of_halves(scalar<[](u32 x) { return bits_of(narrow(function(widen(half(x))))); }>(name "_f16"))
#define ZELLIGE_TEST(name, expression)                    \
  scalar<[](u32 x, u32 y, bool& scc) {                    \
    const f32 a = single(x), b = single(y);               \
    scc = expression;                                     \
  }>(name "_f32"),                                        \
      of_halves(scalar<[](u32 x, u32 y, bool& scc) {      \
        const f32 a = widen(half(x)), b = widen(half(y)); \
        scc = expression;                                 \
      }>(name "_f16"))

constexpr Operation rows[] = {
    ZELLIGE_BOTH("s_add", a + b),
    ZELLIGE_BOTH("s_sub", a - b),
    ZELLIGE_BOTH("s_mul", a* b),
    ZELLIGE_BOTH("s_min", minimum_number(a, b)),
    ZELLIGE_BOTH("s_max", maximum_number(a, b)),
    ZELLIGE_BOTH("s_minimum", minimum_nan(a, b)),
    ZELLIGE_BOTH("s_maximum", maximum_nan(a, b)),
    fused<[](u32 a, u32 b, u32 c) { return bits_of(__builtin_fmaf(single(a), single(b), single(c))); }>("s_fmac_f32",
                                                                                                        true),
    fused<[](u32 a, u32 b, u32 c) { return bits_of(__builtin_fmaf(single(a), single(b), single(c))); }>("s_fmaak_f32",
                                                                                                        false),
    fused<[](u32 a, u32 b, u32 c) { return bits_of(__builtin_fmaf(single(a), single(b), single(c))); }>("s_fmamk_f32",
                                                                                                        false),
    of_halves(
        fused<[](u32 a, u32 b, u32 c) { return bits_of(fma_half(half(a), half(b), half(c))); }>("s_fmac_f16", true)),
    ZELLIGE_ONE("s_trunc", __builtin_truncf),
    ZELLIGE_ONE("s_ceil", __builtin_ceilf),
    ZELLIGE_ONE("s_floor", __builtin_floorf),
    ZELLIGE_ONE("s_rndne", __builtin_roundevenf),
    scalar<[](i32 a) { return bits_of(static_cast<f32>(a)); }>("s_cvt_f32_i32"),
    scalar<[](u32 a) { return bits_of(static_cast<f32>(a)); }>("s_cvt_f32_u32"),
    scalar<[](u32 a) { return to_i32(single(a)); }>("s_cvt_i32_f32"),
    scalar<[](u32 a) { return to_u32(single(a)); }>("s_cvt_u32_f32"),
    scalar<[](u32 a) { return bits_of(narrow(single(a))); }>("s_cvt_f16_f32"),
    of_halves(scalar<[](u32 a) { return bits_of(widen(half(a))); }>("s_cvt_f32_f16")),
    scalar<[](u32 a) { return bits_of(widen(half(a >> 16))); }>("s_cvt_hi_f32_f16"),
    scalar<[](u32 a, u32 b) { return pack_halves(narrow_to_zero(single(a)), narrow_to_zero(single(b))); }>(
        "s_cvt_pk_rtz_f16_f32"),
    ZELLIGE_TEST("s_cmp_lt", a < b),
    ZELLIGE_TEST("s_cmp_eq", a == b),
    ZELLIGE_TEST("s_cmp_le", a <= b),
    ZELLIGE_TEST("s_cmp_gt", a > b),
    ZELLIGE_TEST("s_cmp_lg", a<b || a> b),
    ZELLIGE_TEST("s_cmp_ge", a >= b),
    ZELLIGE_TEST("s_cmp_o", a == a && b == b),
    ZELLIGE_TEST("s_cmp_u", a != a || b != b),
    ZELLIGE_TEST("s_cmp_nge", !(a >= b)),
    ZELLIGE_TEST("s_cmp_nlg", !(a < b || a > b)),
    ZELLIGE_TEST("s_cmp_ngt", !(a > b)),
    ZELLIGE_TEST("s_cmp_nle", !(a <= b)),
    ZELLIGE_TEST("s_cmp_neq", !(a == b)),
    ZELLIGE_TEST("s_cmp_nlt", !(a < b)),
};

}  // namespace

OperationTable scalar_float_operations() { return scalar_table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
