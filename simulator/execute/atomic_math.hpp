// What an atomic does to one memory cell: new = operation(old, data, compare).
#pragma once

#include <cstdint>

#include "simulator/execute/matrix_convert.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

enum class Atomic : std::uint8_t {
  swap,
  compare_swap,
  add,
  subtract,
  reverse_subtract,
  min_signed,
  max_signed,
  min_unsigned,
  max_unsigned,
  bit_and,
  bit_or,
  bit_xor,
  increment,
  decrement,
  subtract_clamped,
  subtract_conditional,
  masked_or,
  wrap,
  add_float,
  min_float,
  max_float,
  min_lesser,
  max_greater,
  min_number,
  max_number,
  compare_swap_float,
  add_packed_f16,
  add_packed_bf16
};

/// binary32 to binary16, round to nearest even.
inline std::uint32_t narrow_half(float value) {
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, value);
  const std::uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u | (magnitude >> 13 & 0x3ffu);
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u;  // at least 65520 rounds to infinity
  if (magnitude < 0x38800000u) {
    // Denormal result: adding 0.5 puts the last binary16 bit at the last binary32 bit, and the addition rounds.
    const float shifted = __builtin_bit_cast(float, magnitude) + 0.5f;
    return sign | (__builtin_bit_cast(std::uint32_t, shifted) - 0x3f000000u);
  }
  const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
  return sign | (rounded - 0x38000000u) >> 13;
}

/// binary32 to bfloat16, round to nearest even.
inline std::uint32_t narrow_bfloat(float value) {
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return bits >> 16 | 0x40u;
  return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}

inline float widen_bfloat(std::uint32_t bits) { return __builtin_bit_cast(float, bits << 16); }

template <class T>
struct AtomicTypes;
template <>
struct AtomicTypes<std::uint32_t> {
  using Signed = std::int32_t;
  using Float = float;
};
template <>
struct AtomicTypes<std::uint64_t> {
  using Signed = std::int64_t;
  using Float = double;
};

/// Set in quiet NaNs.
template <class T>
inline constexpr T quiet_bit = T{1} << (sizeof(T) == 8 ? 51 : 22);

/// T: std::uint32_t or std::uint64_t, the cell's bits. `compare` serves compare_swap, masked_or as the mask, and wrap as the
/// limit.
template <Atomic A, class T>
inline T atomic_result(T old, T data, T compare) {
  using Signed = typename AtomicTypes<T>::Signed;
  using Float = typename AtomicTypes<T>::Float;
  const auto number = [](T bits) { return __builtin_bit_cast(Float, bits); };
  switch (A) {
    case Atomic::swap:
      return data;
    case Atomic::compare_swap:
      return old == compare ? data : old;
    case Atomic::compare_swap_float:
      return number(old) == number(compare) ? data : old;
    case Atomic::add:
      return old + data;
    case Atomic::subtract:
      return old - data;
    case Atomic::reverse_subtract:
      return data - old;
    case Atomic::min_signed:
      return static_cast<Signed>(data) < static_cast<Signed>(old) ? data : old;
    case Atomic::max_signed:
      return static_cast<Signed>(data) > static_cast<Signed>(old) ? data : old;
    case Atomic::min_unsigned:
      return data < old ? data : old;
    case Atomic::max_unsigned:
      return data > old ? data : old;
    case Atomic::bit_and:
      return old & data;
    case Atomic::bit_or:
      return old | data;
    case Atomic::bit_xor:
      return old ^ data;
    case Atomic::increment:
      return old >= data ? 0 : old + 1;
    case Atomic::decrement:
      return old == 0 || old > data ? data : old - 1;
    case Atomic::subtract_clamped:
      return old < data ? 0 : old - data;
    case Atomic::subtract_conditional:
      return old >= data ? old - data : old;
    case Atomic::masked_or:
      return (old & ~compare) | data;
    case Atomic::wrap:
      return old >= compare ? old - compare : old + data;
    case Atomic::add_float:
      return __builtin_bit_cast(T, static_cast<Float>(number(old) + number(data)));
    // A NaN gives way to a number; -0 is less than +0.
    case Atomic::min_float:
      if (number(old) == number(data)) return static_cast<Signed>(old) < 0 ? old : data;
      return number(data) < number(old) || number(old) != number(old) ? data : old;
    case Atomic::max_float:
      if (number(old) == number(data)) return static_cast<Signed>(old) < 0 ? data : old;
      return number(data) > number(old) || number(old) != number(old) ? data : old;
    // gfx11: a plain comparison, so that a NaN in memory stays, and a zero of either sign too.
    case Atomic::min_lesser:
      return number(data) < number(old) ? data : old;
    case Atomic::max_greater:
      return number(data) > number(old) ? data : old;
    // gfx12: as min_float and max_float, but of two NaNs the operand's one stays, made quiet.
    case Atomic::min_number:
      if (number(old) != number(old) && number(data) != number(data)) return data | quiet_bit<T>;
      return atomic_result<Atomic::min_float, T>(old, data, compare);
    case Atomic::max_number:
      if (number(old) != number(old) && number(data) != number(data)) return data | quiet_bit<T>;
      return atomic_result<Atomic::max_float, T>(old, data, compare);
    case Atomic::add_packed_f16:
      return narrow_half(widen_half(old & 0xffffu) + widen_half(data & 0xffffu)) |
             narrow_half(widen_half(old >> 16 & 0xffffu) + widen_half(data >> 16 & 0xffffu)) << 16;
    case Atomic::add_packed_bf16:
      return narrow_bfloat(widen_bfloat(old & 0xffffu) + widen_bfloat(data & 0xffffu)) |
             narrow_bfloat(widen_bfloat(old >> 16 & 0xffffu) + widen_bfloat(data >> 16 & 0xffffu)) << 16;
  }
}

inline constexpr bool needs_compare(Atomic atomic) {
  return atomic == Atomic::compare_swap || atomic == Atomic::compare_swap_float || atomic == Atomic::masked_or ||
         atomic == Atomic::wrap;
}

/// A lane's cell value in rows: one row, or two for 64 bits.
template <class T>
inline T row_value(const std::uint32_t* rows, int lane) {
  if constexpr (sizeof(T) == 4)
    return rows[lane];
  else
    return rows[lane] | T{rows[row_lanes + lane]} << 32;
}

template <class T>
inline void set_row_value(std::uint32_t* rows, int lane, T value) {
  rows[lane] = static_cast<std::uint32_t>(value);
  if constexpr (sizeof(T) == 8) rows[row_lanes + lane] = static_cast<std::uint32_t>(value >> 32);
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
