// Data types: the enum that problems and configs carry, the bits that memory holds, and conversions.
//
// f16, bf16 and the 8-bit floats (float8.hpp) are our own structs, the same on every compiler (g++ 12 has none of these
// types in C++); kernels move operands as bits and convert only where an epilogue writes its result.
#pragma once

#include <string_view>

#include "zellige/core/float8.hpp"

namespace zellige {

/// Element types. Values are stable: they appear in databases and in the C API.
enum class DataType : int {
  f16 = 0,
  bf16 = 1,
  f32 = 2,
  tf32 = 3,  ///< f32 in memory; products keep at least 10 fraction bits of each operand
  f64 = 4,
  i8 = 5,
  i32 = 6,
  f8e4m3 = 7,
  f8e5m2 = 8,
  f8e4m3fnuz = 9,
  f8e5m2fnuz = 10,
};

/// Bytes of one element in memory.
ZELLIGE_HD constexpr int bytes_of(DataType type) {
  switch (type) {
    case DataType::f16:
    case DataType::bf16: return 2;
    case DataType::f32:
    case DataType::tf32:
    case DataType::i32: return 4;
    case DataType::f64: return 8;
    case DataType::i8:
    case DataType::f8e4m3:
    case DataType::f8e5m2:
    case DataType::f8e4m3fnuz:
    case DataType::f8e5m2fnuz: return 1;
  }
  return 0;
}

/// The name on command lines and in instance names.
ZELLIGE_HD constexpr const char* name_of(DataType type) {
  switch (type) {
    case DataType::f16: return "f16";
    case DataType::bf16: return "bf16";
    case DataType::f32: return "f32";
    case DataType::tf32: return "tf32";
    case DataType::f64: return "f64";
    case DataType::i8: return "i8";
    case DataType::i32: return "i32";
    case DataType::f8e4m3: return "f8e4m3";
    case DataType::f8e5m2: return "f8e5m2";
    case DataType::f8e4m3fnuz: return "f8e4m3fnuz";
    case DataType::f8e5m2fnuz: return "f8e5m2fnuz";
  }
  return "unknown";
}

inline constexpr DataType all_data_types[] = {
    DataType::f16, DataType::bf16,   DataType::f32,    DataType::tf32,       DataType::f64,       DataType::i8,
    DataType::i32, DataType::f8e4m3, DataType::f8e5m2, DataType::f8e4m3fnuz, DataType::f8e5m2fnuz};

/// Writes the type called `name` to `type`; false when there is none (the caller says what names there are).
constexpr bool parse_data_type(std::string_view name, DataType& type) {
  for (DataType candidate : all_data_types) {
    if (name == name_of(candidate)) {
      type = candidate;
      return true;
    }
  }
  return false;
}

/// The type that products of `input` are summed in: f32 for 16-bit, 8-bit and 32-bit floats, f64 for f64, i32 for i8.
ZELLIGE_HD constexpr DataType accumulator_of(DataType input) {
  return input == DataType::f64 ? DataType::f64 : input == DataType::i8 ? DataType::i32 : DataType::f32;
}

/// The type that results of `input` are written in where nothing else is asked for: its own, or the accumulator's where
/// that is the point of it (i8, 8-bit floats) and where the input's is none for memory (tf32).
ZELLIGE_HD constexpr DataType output_of(DataType input) {
  return bytes_of(input) == 1 || input == DataType::tf32 ? accumulator_of(input) : input;
}

/// The other format of an 8-bit float's family: e5m2 of e4m3 and the reverse. Other types are their own.
ZELLIGE_HD constexpr DataType other_float8(DataType type) {
  switch (type) {
    case DataType::f8e4m3: return DataType::f8e5m2;
    case DataType::f8e5m2: return DataType::f8e4m3;
    case DataType::f8e4m3fnuz: return DataType::f8e5m2fnuz;
    case DataType::f8e5m2fnuz: return DataType::f8e4m3fnuz;
    default: return type;
  }
}

/// The bits of an IEEE binary16 number.
struct f16 {
  std::uint16_t bits = 0;
  bool operator==(const f16&) const = default;
};

/// The bits of a bfloat16 number: the high half of an IEEE binary32.
struct bf16 {
  std::uint16_t bits = 0;
  bool operator==(const bf16&) const = default;
};

/// Exact.
ZELLIGE_HD constexpr float to_float(bf16 value) { return detail::bits_float(std::uint32_t{value.bits} << 16); }

/// Exact; NaN keeps its payload.
ZELLIGE_HD constexpr float to_float(f16 value) {
  const std::uint32_t sign = (value.bits & 0x8000u) << 16;
  const std::uint32_t exponent = value.bits >> 10 & 0x1fu, fraction = value.bits & 0x3ffu;
  if (exponent == 0x1f) return detail::bits_float(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return detail::bits_float(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return detail::bits_float(sign | detail::float_bits(magnitude));
}

ZELLIGE_HD constexpr float to_float(float value) { return value; }

/// Rounds to nearest, ties to even. Values past the largest finite number become infinite, or NaN in an 8-bit format
/// without infinities; NaN stays NaN (quiet).
template <class T>
ZELLIGE_HD constexpr T from_float(float value);

template <>
ZELLIGE_HD constexpr float from_float<float>(float value) {
  return value;
}

template <>
ZELLIGE_HD constexpr bf16 from_float<bf16>(float value) {
  const std::uint32_t bits = detail::float_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return {static_cast<std::uint16_t>(bits >> 16 | 0x40u)};
  return {static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

template <>
ZELLIGE_HD constexpr f16 from_float<f16>(float value) {
  const std::uint32_t bits = detail::float_bits(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return {static_cast<std::uint16_t>(sign | 0x7e00u | (magnitude >> 13 & 0x3ffu))};
  if (magnitude >= 0x477ff000u) return {static_cast<std::uint16_t>(sign | 0x7c00u)};  // rounds to 65536 or more
  if (magnitude >= 0x38800000u) {                                                    // a normal f16
    const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
    return {static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13))};
  }
  if (magnitude < 0x33000000u) return {static_cast<std::uint16_t>(sign)};  // below half of the smallest subnormal
  const std::uint32_t shift = 126 - (magnitude >> 23);  // 14 to 24 bits fall off the 24-bit significand
  const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
  const std::uint32_t kept = significand >> shift, lost = significand & ((1u << shift) - 1), half = 1u << (shift - 1);
  return {static_cast<std::uint16_t>(sign | (kept + (lost > half || (lost == half && (kept & 1u)) ? 1u : 0u)))};
}

template <>
ZELLIGE_HD constexpr f8e4m3 from_float<f8e4m3>(float value) {
  return {detail::encode_float8(f8e4m3::format, value)};
}
template <>
ZELLIGE_HD constexpr f8e5m2 from_float<f8e5m2>(float value) {
  return {detail::encode_float8(f8e5m2::format, value)};
}
template <>
ZELLIGE_HD constexpr f8e4m3fnuz from_float<f8e4m3fnuz>(float value) {
  return {detail::encode_float8(f8e4m3fnuz::format, value)};
}
template <>
ZELLIGE_HD constexpr f8e5m2fnuz from_float<f8e5m2fnuz>(float value) {
  return {detail::encode_float8(f8e5m2fnuz::format, value)};
}

/// The storage type of a DataType: storage_t<DataType::f16> is f16.
template <DataType type>
struct Storage;
template <>
struct Storage<DataType::f16> { using Type = f16; };
template <>
struct Storage<DataType::bf16> { using Type = bf16; };
template <>
struct Storage<DataType::f32> { using Type = float; };
template <>
struct Storage<DataType::tf32> { using Type = float; };
template <>
struct Storage<DataType::f64> { using Type = double; };
template <>
struct Storage<DataType::i8> { using Type = std::int8_t; };
template <>
struct Storage<DataType::i32> { using Type = std::int32_t; };
template <>
struct Storage<DataType::f8e4m3> { using Type = f8e4m3; };
template <>
struct Storage<DataType::f8e5m2> { using Type = f8e5m2; };
template <>
struct Storage<DataType::f8e4m3fnuz> { using Type = f8e4m3fnuz; };
template <>
struct Storage<DataType::f8e5m2fnuz> { using Type = f8e5m2fnuz; };
template <DataType type>
using storage_t = typename Storage<type>::Type;

}  // namespace zellige
