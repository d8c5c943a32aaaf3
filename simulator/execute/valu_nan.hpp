// Minimum, maximum and median handlers, whose NaN rules follow MODE.
//
// Law: with MODE.IEEE a signalling NaN operand gives its quiet form; without, and for quiet NaN, a number wins. As NaN
// is rare, the operands' rows are searched for one first, and the rules run only when there is any.
#pragma once

#include "simulator/execute/half_math.hpp"
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

template <>
struct FloatBits<f16> {
  using Word = u16;
  static constexpr int mantissa = 10;
  static constexpr Word quiet = 0x200;
};

ZELLIGE_SIM_INLINE bool is_nan(f16 a) { return (bits_as<u16>(a) & 0x7fff) > 0x7c00; }

template <class T>
ZELLIGE_SIM_INLINE T quieted(T a) {
  using Word = typename FloatBits<T>::Word;
  return is_nan(a) ? bits_as<T>(static_cast<Word>(bits_as<Word>(a) | FloatBits<T>::quiet)) : a;
}
template <class T>
ZELLIGE_SIM_INLINE bool is_signalling(T a) {
  using Word = typename FloatBits<T>::Word;
  return is_nan(a) && (bits_as<Word>(a) & FloatBits<T>::quiet) == 0;
}

/// A number of two, with the rule of MODE.IEEE for signalling NaN.
template <class T>
ZELLIGE_SIM_INLINE T minimum_in_mode(T a, T b, bool ieee) {
  return ieee && is_signalling(a) ? quieted(a) : ieee && is_signalling(b) ? quieted(b) : quieted(minimum_number(a, b));
}
template <class T>
ZELLIGE_SIM_INLINE T maximum_in_mode(T a, T b, bool ieee) {
  return ieee && is_signalling(a) ? quieted(a) : ieee && is_signalling(b) ? quieted(b) : quieted(maximum_number(a, b));
}

template <class R>
struct Plain {
  using type = R;
};
template <class T>
struct Plain<Low<T>> {
  using type = T;
};

/// `numbers` of operands without NaN, `any` of all, with MODE.IEEE as its last argument.
template <auto numbers, auto any, bool signs, class R, int count>
const Instruction* nan_aware_handler(Wave& wave, const Instruction* i) {
  using T = typename Plain<R>::type;
  SourceRows room[3];
  const Source<T, signs> a(wave, i->src[0], room[0]);
  const Source<T, signs> b(wave, i->src[1], room[1]);
  const Source<T, signs> c(wave, i->src[count - 1], room[2]);
  u32 nan = 0;
  ZELLIGE_SIM_LANES nan |= is_nan(a[lane]) || is_nan(b[lane]) || (count == 3 && is_nan(c[lane])) ? 1u : 0u;
  const bool ieee = (wave.mode >> 9 & 1) != 0;
  if (nan == 0) [[likely]]
    Store<R>::all(
        wave, i, [&](int lane) __attribute__((always_inline)) {
          if constexpr (count == 2)
            return R{numbers(a[lane], b[lane])};
          else
            return R{numbers(a[lane], b[lane], c[lane])};
        });
  else
    Store<R>::all(
        wave, i, [&](int lane) __attribute__((always_inline)) {
          if constexpr (count == 2)
            return R{any(a[lane], b[lane], ieee)};
          else
            return R{any(a[lane], b[lane], c[lane], ieee)};
        });
  return i + 1;
}

/// A row of two or three operands of the type that R holds.
template <auto numbers, auto any, class R, int count = 2>
constexpr Operation nan_aware(std::string_view mnemonic, OpClass op_class = OpClass::valu) {
  using T = typename Plain<R>::type;
  constexpr ValueType type = Value<T>::type;
  Operation row = special(mnemonic, &nan_aware_handler<numbers, any, false, R, count>, type, type, type,
                          count == 3 ? type : ValueType::none);
  row.op_class = op_class;
  row.flags = Value<R>::flags;
  if (Value<T>::sign_bit == 0x8000'0000u) row.with_signs = &nan_aware_handler<numbers, any, true, R, count>;
  return row;
}

/// The rows of one type: two-operand minimum and maximum.
template <class R>
constexpr Operation minimum_row(std::string_view mnemonic, OpClass op_class = OpClass::valu) {
  using T = typename Plain<R>::type;
  return nan_aware<[](T a, T b) { return minimum_of_numbers(a, b); },
                   [](T a, T b, bool ieee) { return minimum_in_mode(a, b, ieee); }, R>(mnemonic, op_class);
}
template <class R>
constexpr Operation maximum_row(std::string_view mnemonic, OpClass op_class = OpClass::valu) {
  using T = typename Plain<R>::type;
  return nan_aware<[](T a, T b) { return maximum_of_numbers(a, b); },
                   [](T a, T b, bool ieee) { return maximum_in_mode(a, b, ieee); }, R>(mnemonic, op_class);
}
template <class R>
constexpr Operation minimum3_row(std::string_view mnemonic) {
  using T = typename Plain<R>::type;
  return nan_aware<[](T a, T b, T c) { return minimum_of_numbers(minimum_of_numbers(a, b), c); },
                   [](T a, T b, T c, bool ieee) { return minimum_in_mode(minimum_in_mode(a, b, ieee), c, ieee); }, R,
                   3>(mnemonic);
}
template <class R>
constexpr Operation maximum3_row(std::string_view mnemonic) {
  using T = typename Plain<R>::type;
  return nan_aware<[](T a, T b, T c) { return maximum_of_numbers(maximum_of_numbers(a, b), c); },
                   [](T a, T b, T c, bool ieee) { return maximum_in_mode(maximum_in_mode(a, b, ieee), c, ieee); }, R,
                   3>(mnemonic);
}
/// The middle of three; with a NaN among them the least.
template <class R>
constexpr Operation median_row(std::string_view mnemonic) {
  using T = typename Plain<R>::type;
  return nan_aware<[](T a, T b, T c) { return median(a, b, c); },
                   [](T a, T b, T c, bool ieee) {
                     return is_nan(a) || is_nan(b) || is_nan(c) ? minimum_in_mode(minimum_in_mode(a, b, ieee), c, ieee)
                                                                : median(a, b, c);
                   },
                   R, 3>(mnemonic);
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
