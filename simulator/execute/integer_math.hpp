// Integer functions of one lane, written so that loops over them vectorise.
#pragma once

#include "simulator/execute/types.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

template <class T>
ZELLIGE_SIM_INLINE T least(T a, T b) {
  return a < b ? a : b;
}
template <class T>
ZELLIGE_SIM_INLINE T greatest(T a, T b) {
  return a > b ? a : b;
}
template <class T>
ZELLIGE_SIM_INLINE T middle(T a, T b, T c) {
  return greatest(least(a, b), least(greatest(a, b), c));
}
ZELLIGE_SIM_INLINE i32 clamp_between(i32 a, i32 low, i32 high) { return a < low ? low : a > high ? high : a; }

ZELLIGE_SIM_INLINE u32 add_sat(u32 a, u32 b) { return a + b < a ? ~0u : a + b; }
ZELLIGE_SIM_INLINE u32 sub_sat(u32 a, u32 b) { return a < b ? 0u : a - b; }
ZELLIGE_SIM_INLINE u32 saturate_i32(i64 a) {
  return static_cast<u32>(a > 0x7fff'ffff ? 0x7fff'ffff : a < -i64{0x8000'0000} ? -i64{0x8000'0000} : a);
}
ZELLIGE_SIM_INLINE u32 saturate_u32(u64 a) { return a > 0xffff'ffffu ? ~0u : static_cast<u32>(a); }
ZELLIGE_SIM_INLINE i16 saturate_i16(i32 a) { return static_cast<i16>(clamp_between(a, -32768, 32767)); }
ZELLIGE_SIM_INLINE u32 add_sat_signed(u32 a, u32 b) {
  return saturate_i32(i64{static_cast<i32>(a)} + static_cast<i32>(b));
}
ZELLIGE_SIM_INLINE u32 sub_sat_signed(u32 a, u32 b) {
  return saturate_i32(i64{static_cast<i32>(a)} - static_cast<i32>(b));
}

/// The low 24 bits, sign-extended; low_24_signed returns them as unsigned so that products wrap.
ZELLIGE_SIM_INLINE i32 low_24(u32 a) { return static_cast<i32>(a << 8) >> 8; }
ZELLIGE_SIM_INLINE u32 low_24_signed(u32 a) { return static_cast<u32>(low_24(a)); }

ZELLIGE_SIM_INLINE u32 count_bits(u32 a) {
  a -= a >> 1 & 0x5555'5555u;
  a = (a & 0x3333'3333u) + (a >> 2 & 0x3333'3333u);
  a = (a + (a >> 4)) & 0x0f0f'0f0fu;
  return a * 0x0101'0101u >> 24;
}
/// Zeros above the highest set bit; ~0 when none is set.
ZELLIGE_SIM_INLINE u32 high_bit_distance(u32 a) {
  u32 filled = a | a >> 1;
  filled |= filled >> 2;
  filled |= filled >> 4;
  filled |= filled >> 8;
  filled |= filled >> 16;
  return a == 0 ? ~0u : 32 - count_bits(filled);
}
ZELLIGE_SIM_INLINE u32 reverse_bits(u32 a) {
  a = (a & 0x5555'5555u) << 1 | (a >> 1 & 0x5555'5555u);
  a = (a & 0x3333'3333u) << 2 | (a >> 2 & 0x3333'3333u);
  a = (a & 0x0f0f'0f0fu) << 4 | (a >> 4 & 0x0f0f'0f0fu);
  a = (a & 0x00ff'00ffu) << 8 | (a >> 8 & 0x00ff'00ffu);
  return a << 16 | a >> 16;
}

/// v_perm_b32: bytes 0 to 3 of the pool are b's, 4 to 7 a's; selectors 8 to 11 repeat a sign, 12 is 0, above it 0xff.
ZELLIGE_SIM_INLINE u32 permute_bytes(u32 a, u32 b, u32 selectors) {
  u32 result = 0;
  _Pragma("clang loop unroll(full)") for (int i = 0; i < 4; ++i) {
    const u32 select = selectors >> (8 * i) & 0xff;
    const u32 plain = ((select & 4) != 0 ? a : b) >> (8 * (select & 3)) & 0xff;
    const u32 signed_word = (select & 2) != 0 ? a : b;
    const u32 sign = ((select & 1) != 0 ? signed_word >> 31 : signed_word >> 15 & 1) * 0xff;
    const u32 byte = select >= 13 ? 0xffu : select == 12 ? 0u : select >= 8 ? sign : plain;
    result |= byte << (8 * i);
  }
  return result;
}

ZELLIGE_SIM_INLINE u32 difference(u32 a, u32 b) { return a > b ? a - b : b - a; }
ZELLIGE_SIM_INLINE u32 absolute_differences(u32 a, u32 b) {
  u32 sum = 0;
  _Pragma("clang loop unroll(full)") for (int shift = 0; shift < 32; shift += 8) sum +=
      difference(a >> shift & 0xff, b >> shift & 0xff);
  return sum;
}
/// Bytes of the reference b that are 0 do not count.
ZELLIGE_SIM_INLINE u32 masked_differences(u32 a, u32 b) {
  u32 sum = 0;
  _Pragma("clang loop unroll(full)") for (int shift = 0; shift < 32; shift += 8) {
    const u32 reference = b >> shift & 0xff;
    sum += reference == 0 ? 0 : difference(a >> shift & 0xff, reference);
  }
  return sum;
}
/// Four sums over the windows of a at byte offsets 0 to 3, packed as 16 bits each and added to c's.
template <bool masked>
ZELLIGE_SIM_INLINE u64 four_differences(u64 a, u32 b, u64 c) {
  u64 result = 0;
  _Pragma("clang loop unroll(full)") for (int i = 0; i < 4; ++i) {
    const u32 window = static_cast<u32>(a >> (8 * i));
    const u32 sum = (masked ? masked_differences(window, b) : absolute_differences(window, b)) +
                    static_cast<u32>(c >> (16 * i) & 0xffff);
    result |= u64{sum & 0xffff} << (16 * i);
  }
  return result;
}

/// One field, sign-extended where `extend` is all ones.
template <int bits>
ZELLIGE_SIM_INLINE i32 field(u32 a, int shift, bool extend) {
  const u32 up = a << (32 - bits - shift);
  return extend ? static_cast<i32>(up) >> (32 - bits) : static_cast<i32>(up >> (32 - bits));
}

/// Four bytes to four fields of four bits.
ZELLIGE_SIM_INLINE u16 saturate_nibbles(u32 a, bool is_signed) {
  u32 result = 0;
  _Pragma("clang loop unroll(full)") for (int k = 0; k < 4; ++k) {
    const i32 value = field<8>(a, 8 * k, is_signed);
    result |= static_cast<u32>(clamp_between(value, is_signed ? -8 : 0, is_signed ? 7 : 15) & 15) << (4 * k);
  }
  return static_cast<u16>(result);
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
