// v_cmp_* and v_cmpx_*: a mask of lanes from a predicate of two values; v_cmp_class_* tests the kind of a float.
//
// Law: inactive lanes give 0. v_cmpx also writes EXEC (and on gfx9 its scalar destination as well).
#include "simulator/execute/float_math.hpp"
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

// Every predicate is compiled once per type: the negated ones invert the mask of active lanes, and v_cmpx runs the
// v_cmp handler and copies its mask to EXEC.

template <Handler compare>
const Instruction* inverted(Wave& wave, const Instruction* i) {
  compare(wave, i);
  write_mask(wave, i->dst, ~read_mask(wave, i->dst) & wave.exec());
  return i + 1;
}

template <Handler compare>
const Instruction* and_exec(Wave& wave, const Instruction* i) {
  compare(wave, i);
  wave.set_scalar64(scalar_exec, read_mask(wave, i->dst));
  wave.refresh_exec();
  return i + 1;
}

template <u64 lanes_on>
const Instruction* constant_mask(Wave& wave, const Instruction* i) {
  write_mask(wave, i->dst, lanes_on & wave.exec());
  return i + 1;
}

struct Less {
  template <class T>
  ZELLIGE_SIM_INLINE static bool test(T a, T b) {
    return a < b;
  }
};
struct LessEqual {
  template <class T>
  ZELLIGE_SIM_INLINE static bool test(T a, T b) {
    return a <= b;
  }
};
struct Equal {
  template <class T>
  ZELLIGE_SIM_INLINE static bool test(T a, T b) {
    return a == b;
  }
};
struct Greater {
  template <class T>
  ZELLIGE_SIM_INLINE static bool test(T a, T b) {
    return a > b;
  }
};
struct GreaterEqual {
  template <class T>
  ZELLIGE_SIM_INLINE static bool test(T a, T b) {
    return a >= b;
  }
};
struct LessGreater {
  template <class T>
  ZELLIGE_SIM_INLINE static bool test(T a, T b) {
    return a < b || a > b;
  }
};
struct Ordered {
  template <class T>
  ZELLIGE_SIM_INLINE static bool test(T a, T b) {
    return a == a && b == b;
  }
};

template <class P, class T>
constexpr bool predicate(T a, T b) {
  return P::template test<T>(a, b);
}

template <class P, class T>
struct Compare {
  static constexpr Handler plain = &Elementwise<&predicate<P, T>, false, bool, T, T>::handler;
  // Signs on f32 are common; other types take the handler of modifiers.
  static constexpr Handler with_signs = [] {
    if constexpr (__is_same(T, f32)) return Handler{&Elementwise<&predicate<P, T>, true, bool, T, T>::handler};
    return Handler{nullptr};
  }();
};

template <class T>
constexpr Operation mask_operation(std::string_view mnemonic, Handler plain, Handler with_signs,
                                   ValueType second = Value<T>::type) {
  Operation row = special(mnemonic, plain, ValueType::mask, Value<T>::type, second);
  row.with_signs = with_signs;
  return row;
}

template <Handler handler>
constexpr Handler inverted_or_null() {
  if constexpr (handler != nullptr) return &inverted<handler>;
  return nullptr;
}
template <Handler handler>
constexpr Handler and_exec_or_null() {
  if constexpr (handler != nullptr) return &and_exec<handler>;
  return nullptr;
}

template <class P, class T>
constexpr Operation compare(std::string_view mnemonic) {
  return mask_operation<T>(mnemonic, Compare<P, T>::plain, Compare<P, T>::with_signs);
}
template <class P, class T>
constexpr Operation compare_x(std::string_view mnemonic) {
  return mask_operation<T>(mnemonic, and_exec_or_null<Compare<P, T>::plain>(),
                           and_exec_or_null<Compare<P, T>::with_signs>());
}
template <class P, class T>
constexpr Operation compare_not(std::string_view mnemonic) {
  return mask_operation<T>(mnemonic, inverted_or_null<Compare<P, T>::plain>(),
                           inverted_or_null<Compare<P, T>::with_signs>());
}
template <class P, class T>
constexpr Operation compare_not_x(std::string_view mnemonic) {
  return mask_operation<T>(mnemonic, and_exec_or_null<inverted_or_null<Compare<P, T>::plain>()>(),
                           and_exec_or_null<inverted_or_null<Compare<P, T>::with_signs>()>());
}
template <u64 lanes_on, class T>
constexpr Operation always(std::string_view mnemonic) {
  return mask_operation<T>(mnemonic, &constant_mask<lanes_on>, nullptr);
}
template <u64 lanes_on, class T>
constexpr Operation always_x(std::string_view mnemonic) {
  return mask_operation<T>(mnemonic, &and_exec<&constant_mask<lanes_on>>, nullptr);
}

/// Bits of v_cmp_class: signalling NaN, quiet NaN, -infinity, -normal, -denormal, -0, +0, +denormal, +normal,
/// +infinity.
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

template <class T, class Word, int mantissa, int exponent>
constexpr bool in_class(T a, u32 classes) {
  return is_of_class<Word, mantissa, exponent>(bits_as<Word>(a), classes);
}

constexpr bool half_in_class(f16 a, u16 classes) { return is_of_class<u16, 10, 5>(bits_as<u16>(a), classes); }

#define ZELLIGE_COMPARE(name, P, T) compare<P, T>("v_cmp_" name), compare_x<P, T>("v_cmpx_" name)
#define ZELLIGE_COMPARE_NOT(name, P, T) compare_not<P, T>("v_cmp_" name), compare_not_x<P, T>("v_cmpx_" name)
#define ZELLIGE_ALWAYS(name, lanes_on, T) always<lanes_on, T>("v_cmp_" name), always_x<lanes_on, T>("v_cmpx_" name)

#define ZELLIGE_COMPARE_INTEGERS(suffix, T)                                                         \
  ZELLIGE_ALWAYS("f_" suffix, u64{0}, T), ZELLIGE_COMPARE("lt_" suffix, Less, T),                   \
      ZELLIGE_COMPARE("eq_" suffix, Equal, T), ZELLIGE_COMPARE("le_" suffix, LessEqual, T),         \
      ZELLIGE_COMPARE_NOT("gt_" suffix, LessEqual, T), ZELLIGE_COMPARE_NOT("ne_" suffix, Equal, T), \
      ZELLIGE_COMPARE_NOT("ge_" suffix, Less, T), ZELLIGE_ALWAYS("t_" suffix, ~u64{0}, T)

#define ZELLIGE_COMPARE_FLOATS(suffix, T)                                                                 \
  ZELLIGE_ALWAYS("f_" suffix, u64{0}, T), ZELLIGE_COMPARE("lt_" suffix, Less, T),                         \
      ZELLIGE_COMPARE("eq_" suffix, Equal, T), ZELLIGE_COMPARE("le_" suffix, LessEqual, T),               \
      ZELLIGE_COMPARE("gt_" suffix, Greater, T), ZELLIGE_COMPARE("lg_" suffix, LessGreater, T),           \
      ZELLIGE_COMPARE("ge_" suffix, GreaterEqual, T), ZELLIGE_COMPARE("o_" suffix, Ordered, T),           \
      ZELLIGE_COMPARE_NOT("u_" suffix, Ordered, T), ZELLIGE_COMPARE_NOT("nge_" suffix, GreaterEqual, T),  \
      ZELLIGE_COMPARE_NOT("nlg_" suffix, LessGreater, T), ZELLIGE_COMPARE_NOT("ngt_" suffix, Greater, T), \
      ZELLIGE_COMPARE_NOT("nle_" suffix, LessEqual, T), ZELLIGE_COMPARE_NOT("neq_" suffix, Equal, T),     \
      ZELLIGE_COMPARE_NOT("nlt_" suffix, Less, T), ZELLIGE_ALWAYS("tru_" suffix, ~u64{0}, T)

#define ZELLIGE_COMPARE_CLASS(suffix, T, Word, mantissa, exponent)                                                     \
  mask_operation<T>("v_cmp_class_" suffix,                                                                             \
                    &Elementwise<&in_class<T, Word, mantissa, exponent>, false, bool, T, u32>::handler, nullptr,       \
                    ValueType::u32),                                                                                   \
      mask_operation<T>("v_cmpx_class_" suffix,                                                                        \
                        &and_exec<&Elementwise<&in_class<T, Word, mantissa, exponent>, false, bool, T, u32>::handler>, \
                        nullptr, ValueType::u32)

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
    // gfx11 and later: the classes are a half of a register.
    mask_operation<f16>("v_cmp_class_f16@half", &Elementwise<&half_in_class, false, bool, f16, u16>::handler, nullptr,
                        ValueType::u16),
    mask_operation<f16>("v_cmpx_class_f16@half",
                        &and_exec<&Elementwise<&half_in_class, false, bool, f16, u16>::handler>, nullptr, ValueType::u16),
    ZELLIGE_COMPARE_CLASS("f32", f32, u32, 23, 8),
    ZELLIGE_COMPARE_CLASS("f64", f64, u64, 52, 11),
};

}  // namespace

OperationTable valu_compare_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
