// v_cmp_* and v_cmpx_*: a mask of lanes from a predicate of two values; v_cmp_class_* tests the kind of a float.
//
// Law: inactive lanes give 0. v_cmpx also writes EXEC (and on gfx9 its scalar destination as well).
#include "simulator/execute/float_math.hpp"
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// A v_cmpx handler: the v_cmp handler followed by the write of EXEC.
template <Handler compare>
const Instruction* and_exec(Wave& wave, const Instruction* i) {
  compare(wave, i);
  wave.set_scalar64(scalar_exec, wave.scalar64(i->dst.index));
  wave.refresh_exec();
  return i + 1;
}

template <auto f, class A, class B>
constexpr Operation compare_x(std::string_view mnemonic, bool (*)(A, B)) {
  Operation row = valu<f>(mnemonic);
  row.plain = &and_exec<&Elementwise<f, false, bool, A, B>::handler>;
  if (row.with_signs != nullptr) row.with_signs = &and_exec<&Elementwise<f, true, bool, A, B>::handler>;
  return row;
}

/// Bits of v_cmp_class: signalling NaN, quiet NaN, -infinity, -normal, -denormal, -0, +0, +denormal, +normal, +infinity.
template <class Word, int mantissa, int exponent>
ZELLIGE_SIM_INLINE bool is_of_class(Word bits, u32 classes) {
  const Word fraction = bits & ((Word{1} << mantissa) - 1);
  const Word power = bits >> mantissa & ((Word{1} << exponent) - 1);
  const bool negative = (bits >> (mantissa + exponent) & 1) != 0;
  const bool special = power == (Word{1} << exponent) - 1;
  const u32 nan_bit = (fraction >> (mantissa - 1) & 1) != 0 ? 1u << 1 : 1u << 0;
  const u32 special_bit = fraction != 0 ? nan_bit : negative ? 1u << 2 : 1u << 9;
  const u32 small_bit = fraction != 0 ? (negative ? 1u << 4 : 1u << 7) : (negative ? 1u << 5 : 1u << 6);
  const u32 normal_bit = negative ? 1u << 3 : 1u << 8;
  const u32 bit = special ? special_bit : power == 0 ? small_bit : normal_bit;
  return (classes & bit) != 0;
}

#define ZELLIGE_COMPARE(name, type, expression)                                                    \
  valu<[](type a, type b) -> bool { return ((void)a, (void)b, expression); }>("v_cmp_" name),      \
      compare_x<[](type a, type b) -> bool { return ((void)a, (void)b, expression); }>(            \
          "v_cmpx_" name, static_cast<bool (*)(type, type)>(nullptr))

#define ZELLIGE_COMPARE_INTEGERS(suffix, type)                                                      \
  ZELLIGE_COMPARE("f_" suffix, type, false), ZELLIGE_COMPARE("lt_" suffix, type, a < b),            \
      ZELLIGE_COMPARE("eq_" suffix, type, a == b), ZELLIGE_COMPARE("le_" suffix, type, a <= b),     \
      ZELLIGE_COMPARE("gt_" suffix, type, a > b), ZELLIGE_COMPARE("ne_" suffix, type, a != b),      \
      ZELLIGE_COMPARE("ge_" suffix, type, a >= b), ZELLIGE_COMPARE("t_" suffix, type, true)

#define ZELLIGE_COMPARE_FLOATS(suffix, type)                                                            \
  ZELLIGE_COMPARE("f_" suffix, type, false), ZELLIGE_COMPARE("lt_" suffix, type, a < b),                \
      ZELLIGE_COMPARE("eq_" suffix, type, a == b), ZELLIGE_COMPARE("le_" suffix, type, a <= b),         \
      ZELLIGE_COMPARE("gt_" suffix, type, a > b), ZELLIGE_COMPARE("lg_" suffix, type, a < b || a > b),  \
      ZELLIGE_COMPARE("ge_" suffix, type, a >= b), ZELLIGE_COMPARE("o_" suffix, type, a == a && b == b), \
      ZELLIGE_COMPARE("u_" suffix, type, a != a || b != b), ZELLIGE_COMPARE("nge_" suffix, type, !(a >= b)), \
      ZELLIGE_COMPARE("nlg_" suffix, type, !(a < b || a > b)), ZELLIGE_COMPARE("ngt_" suffix, type, !(a > b)), \
      ZELLIGE_COMPARE("nle_" suffix, type, !(a <= b)), ZELLIGE_COMPARE("neq_" suffix, type, a != b),    \
      ZELLIGE_COMPARE("nlt_" suffix, type, !(a < b)), ZELLIGE_COMPARE("tru_" suffix, type, true)

#define ZELLIGE_COMPARE_CLASS(suffix, type, word, mantissa, exponent)                                                  \
  valu<[](type a, u32 b) -> bool { return is_of_class<word, mantissa, exponent>(bits_as<word>(a), b); }>(              \
      "v_cmp_class_" suffix),                                                                                          \
      compare_x<[](type a, u32 b) -> bool { return is_of_class<word, mantissa, exponent>(bits_as<word>(a), b); }>(     \
          "v_cmpx_class_" suffix, static_cast<bool (*)(type, u32)>(nullptr))

constexpr Operation rows[] = {
    ZELLIGE_COMPARE_INTEGERS("i16", i16),
    ZELLIGE_COMPARE_INTEGERS("u16", u16),
    ZELLIGE_COMPARE_INTEGERS("i32", i32),
    ZELLIGE_COMPARE_INTEGERS("u32", u32),
    ZELLIGE_COMPARE_INTEGERS("i64", i64),
    ZELLIGE_COMPARE_INTEGERS("u64", u64),
    ZELLIGE_COMPARE_FLOATS("f16", f16),
    ZELLIGE_COMPARE_FLOATS("f32", f32),
    ZELLIGE_COMPARE_FLOATS("f64", f64),
    ZELLIGE_COMPARE_CLASS("f16", f16, u16, 10, 5),
    ZELLIGE_COMPARE_CLASS("f32", f32, u32, 23, 8),
    ZELLIGE_COMPARE_CLASS("f64", f64, u64, 52, 11),
};

}  // namespace

OperationTable valu_compare_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
