// Short names of the value types that handlers compute with, and how each sits in register rows.
//
// Law: a value of 64 bits is two rows, low word first; a 16-bit value is the low half of its row. Writing one keeps the
// high half in waves of 32 lanes, which gfx11 and later have, and clears it in waves of 64, unless its type is Low<T>,
// which keeps it (gfx9's newer 16-bit instructions do; the decoder sees to those of gfx11 and later).
#pragma once

#include "simulator/execute/isa.hpp"
#include "simulator/execute/wave.hpp"
#include "simulator/execute/workgroup.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using f16 = _Float16;
using f32 = float;
using f64 = double;

/// A bfloat16 as its bits: no host type that all compilations have computes with it.
struct bf16 {
  u16 bits;
};

/// A 16-bit result that leaves the high half of the destination alone.
template <class T>
struct Low {
  T value;
};

/// A bit per lane, expanded: ~0 or 0.
struct LaneBit {
  u32 bits;
  ZELLIGE_SIM_INLINE explicit operator bool() const { return bits != 0; }
};

/// A lane's result together with its bit of the mask operand that follows the destination (carry, VCC of v_div_scale).
template <class T>
struct WithMask {
  T value;
  bool bit;
};

template <class To, class From>
ZELLIGE_SIM_INLINE To bits_as(From from) {
  return __builtin_bit_cast(To, from);
}

/// Where T sits in rows: number of rows, its ValueType, the sign bit of its last row (0: not a float).
template <class T>
struct Value;

template <class T, ValueType Type, u32 Sign>
struct Value32 {
  static constexpr int words = 1;
  static constexpr ValueType type = Type;
  static constexpr u32 sign_bit = Sign;
  static constexpr u32 flags = 0;
  ZELLIGE_SIM_INLINE static T load(const u32* row, int lane) { return bits_as<T>(row[lane]); }
  ZELLIGE_SIM_INLINE static T load(const u32* row, int lane, u32 keep, u32 flip) {
    return bits_as<T>((row[lane] & keep) ^ flip);
  }
  ZELLIGE_SIM_INLINE static void store(u32* row, int lane, T value) { row[lane] = bits_as<u32>(value); }
  ZELLIGE_SIM_INLINE static void store(u32* row, int lane, T value, u32 mask) {
    row[lane] = (bits_as<u32>(value) & mask) | (row[lane] & ~mask);
  }
};

template <class T, ValueType Type, u32 Sign>
struct Value64 {
  static constexpr int words = 2;
  static constexpr ValueType type = Type;
  static constexpr u32 sign_bit = Sign;
  static constexpr u32 flags = 0;
  ZELLIGE_SIM_INLINE static T load(const u32* row, int lane) {
    return bits_as<T>(u64{row[lane]} | u64{row[lane + 64]} << 32);
  }
  ZELLIGE_SIM_INLINE static T load(const u32* row, int lane, u32 keep, u32 flip) {
    return bits_as<T>(u64{row[lane]} | u64{(row[lane + 64] & keep) ^ flip} << 32);
  }
  ZELLIGE_SIM_INLINE static void store(u32* row, int lane, T value) {
    const u64 bits = bits_as<u64>(value);
    row[lane] = static_cast<u32>(bits);
    row[lane + 64] = static_cast<u32>(bits >> 32);
  }
  ZELLIGE_SIM_INLINE static void store(u32* row, int lane, T value, u32 mask) {
    const u64 bits = bits_as<u64>(value);
    row[lane] = (static_cast<u32>(bits) & mask) | (row[lane] & ~mask);
    row[lane + 64] = (static_cast<u32>(bits >> 32) & mask) | (row[lane + 64] & ~mask);
  }
};

template <class T, ValueType Type, u32 Sign>
struct Value16 {
  static constexpr int words = 1;
  static constexpr ValueType type = Type;
  static constexpr u32 sign_bit = Sign;
  static constexpr u32 flags = 0;
  ZELLIGE_SIM_INLINE static T load(const u32* row, int lane) { return bits_as<T>(static_cast<u16>(row[lane])); }
  ZELLIGE_SIM_INLINE static T load(const u32* row, int lane, u32 keep, u32 flip) {
    return bits_as<T>(static_cast<u16>((row[lane] & keep) ^ flip));
  }
  ZELLIGE_SIM_INLINE static void store(u32* row, int lane, T value) {
    row[lane] = (lanes == 32 ? row[lane] & 0xffff'0000u : 0) | bits_as<u16>(value);
  }
  ZELLIGE_SIM_INLINE static void store(u32* row, int lane, T value, u32 mask) {
    if constexpr (lanes == 32) mask &= 0xffffu;
    row[lane] = (u32{bits_as<u16>(value)} & mask) | (row[lane] & ~mask);
  }
};

template <>
struct Value<u32> : Value32<u32, ValueType::u32, 0> {};
template <>
struct Value<i32> : Value32<i32, ValueType::i32, 0> {};
template <>
struct Value<f32> : Value32<f32, ValueType::f32, 0x8000'0000u> {};
template <>
struct Value<u64> : Value64<u64, ValueType::u64, 0> {};
template <>
struct Value<i64> : Value64<i64, ValueType::i64, 0> {};
template <>
struct Value<f64> : Value64<f64, ValueType::f64, 0x8000'0000u> {};
template <>
struct Value<u16> : Value16<u16, ValueType::u16, 0> {};
template <>
struct Value<i16> : Value16<i16, ValueType::i16, 0> {};
template <>
struct Value<f16> : Value16<f16, ValueType::f16, 0x8000u> {};
template <>
struct Value<bf16> : Value16<bf16, ValueType::bf16, 0x8000u> {};

template <class T>
struct Value<Low<T>> : Value<T> {
  static constexpr u32 flags = flag_keeps_high;
  ZELLIGE_SIM_INLINE static void store(u32* row, int lane, Low<T> low) {
    row[lane] = (row[lane] & 0xffff'0000u) | bits_as<u16>(low.value);
  }
  ZELLIGE_SIM_INLINE static void store(u32* row, int lane, Low<T> low, u32 mask) {
    mask &= 0xffffu;
    row[lane] = (row[lane] & ~mask) | (bits_as<u16>(low.value) & mask);
  }
};

/// Two values in one register (f16 and i16) or in a register pair (f32): the operands of packed instructions, with
/// op_sel and negation already applied.
template <class T>
struct Pair {
  T low, high;
};

/// Taken apart and put together by shifts: loops over lanes then vectorise.
template <class T, ValueType Type>
struct ValueHalves {
  static constexpr int words = 1;
  static constexpr ValueType type = Type;
  static constexpr u32 sign_bit = 0;
  static constexpr u32 flags = 0;
  ZELLIGE_SIM_INLINE static Pair<T> load(const u32* row, int lane) {
    return {bits_as<T>(static_cast<u16>(row[lane])), bits_as<T>(static_cast<u16>(row[lane] >> 16))};
  }
  ZELLIGE_SIM_INLINE static u32 join(Pair<T> value) {
    return u32{bits_as<u16>(value.low)} | u32{bits_as<u16>(value.high)} << 16;
  }
  ZELLIGE_SIM_INLINE static void store(u32* row, int lane, Pair<T> value) { row[lane] = join(value); }
  ZELLIGE_SIM_INLINE static void store(u32* row, int lane, Pair<T> value, u32 mask) {
    row[lane] = (join(value) & mask) | (row[lane] & ~mask);
  }
};
template <>
struct Value<Pair<f16>> : ValueHalves<f16, ValueType::packed_f16> {};
template <>
struct Value<Pair<i16>> : ValueHalves<i16, ValueType::packed_i16> {};
template <>
struct Value<Pair<u16>> : ValueHalves<u16, ValueType::packed_i16> {};
template <>
struct Value<Pair<bf16>> : ValueHalves<bf16, ValueType::packed_bf16> {};

/// A pair of rows that are never joined into a 64-bit value.
template <class T>
struct ValuePair {
  static constexpr int words = 2;
  static constexpr ValueType type = ValueType::packed_f32;
  static constexpr u32 sign_bit = 0;
  static constexpr u32 flags = 0;
  ZELLIGE_SIM_INLINE static Pair<T> load(const u32* row, int lane) {
    return {bits_as<T>(row[lane]), bits_as<T>(row[lane + 64])};
  }
  ZELLIGE_SIM_INLINE static void store(u32* row, int lane, Pair<T> value) {
    row[lane] = bits_as<u32>(value.low);
    row[lane + 64] = bits_as<u32>(value.high);
  }
  ZELLIGE_SIM_INLINE static void store(u32* row, int lane, Pair<T> value, u32 mask) {
    row[lane] = (bits_as<u32>(value.low) & mask) | (row[lane] & ~mask);
    row[lane + 64] = (bits_as<u32>(value.high) & mask) | (row[lane + 64] & ~mask);
  }
};
template <>
struct Value<Pair<f32>> : ValuePair<f32> {};
template <>
struct Value<Pair<u32>> : ValuePair<u32> {};

template <>
struct Value<LaneBit> {
  static constexpr int words = 1;  // as a row of expanded bits
  static constexpr ValueType type = ValueType::mask;
  static constexpr u32 sign_bit = 0;
  ZELLIGE_SIM_INLINE static LaneBit load(const u32* row, int lane) { return {row[lane]}; }
  ZELLIGE_SIM_INLINE static LaneBit load(const u32* row, int lane, u32, u32) { return {row[lane]}; }
};

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
