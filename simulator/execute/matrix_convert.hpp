// Widening packed operand rows to float or int32, exactly (one row a slot), and packing rows of results.
//
// Law: a row is 64 words apart from the next; only the lanes of the wave are converted.
#pragma once

#include <cstdint>

#include "simulator/execute/isa.hpp"
#include "simulator/execute/wave.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// binary16 to binary32: exact, NaNs are made quiet (as F16C does).
inline float widen_half(std::uint32_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31u, fraction = half & 0x3ffu;
  if (exponent == 31)
    return __builtin_bit_cast(float, sign | 0x7f800000u | (fraction ? 0x400000u | fraction << 13 : 0u));
  if (exponent != 0) return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return __builtin_bit_cast(float, sign | __builtin_bit_cast(std::uint32_t, magnitude));
}

/// low[l], high[l] = the two halves of row[l].
inline void widen_f16_row(const std::uint32_t* row, float* low, float* high) {
#if defined(__AVX512F__)
  for (int lane = 0; lane < lanes; lane += 16) {
    const __m512i pairs = _mm512_loadu_si512(row + lane);
    _mm512_storeu_ps(low + lane, _mm512_cvtph_ps(_mm512_cvtepi32_epi16(pairs)));
    _mm512_storeu_ps(high + lane, _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_srli_epi32(pairs, 16))));
  }
#elif defined(__AVX2__)
  // A byte shuffle gathers the four low halves of each 128 bits in their low quadword and the high halves in the other.
  const __m256i order = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15, 0, 1, 4, 5, 8, 9, 12, 13,
                                         2, 3, 6, 7, 10, 11, 14, 15);
  for (int lane = 0; lane < lanes; lane += 8) {
    const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + lane));
    const __m256i sorted = _mm256_permute4x64_epi64(_mm256_shuffle_epi8(pairs, order), 0xd8);
    _mm256_storeu_ps(low + lane, _mm256_cvtph_ps(_mm256_castsi256_si128(sorted)));
    _mm256_storeu_ps(high + lane, _mm256_cvtph_ps(_mm256_extracti128_si256(sorted, 1)));
  }
#else
  for (int lane = 0; lane < lanes; ++lane) {
    low[lane] = widen_half(row[lane] & 0xffffu);
    high[lane] = widen_half(row[lane] >> 16);
  }
#endif
}

inline void widen_bf16_row(const std::uint32_t* row, float* low, float* high) {
#if defined(__AVX2__)
  for (int lane = 0; lane < lanes; lane += 8) {
    const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + lane));
    const __m256i top = _mm256_and_si256(pairs, _mm256_set1_epi32(static_cast<int>(0xffff0000u)));
    _mm256_storeu_ps(low + lane, _mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16)));
    _mm256_storeu_ps(high + lane, _mm256_castsi256_ps(top));
  }
#else
  for (int lane = 0; lane < lanes; ++lane) {
    const std::uint32_t first = row[lane] << 16, second = row[lane] & 0xffff0000u;
    __builtin_memcpy(low + lane, &first, 4);
    __builtin_memcpy(high + lane, &second, 4);
  }
#endif
}

/// Sets 16-bit values whose exponent field (a mask of both halves) is zero to zero of the same sign.
inline void flush_halves(std::uint32_t* row, std::uint32_t exponent_field) {
  const std::uint32_t low_field = exponent_field & 0xffffu, high_field = exponent_field & 0xffff0000u;
  for (int lane = 0; lane < lanes; ++lane) {
    const std::uint32_t value = row[lane];
    const std::uint32_t low = (value & low_field) == 0 ? 0x8000u : 0xffffu;
    const std::uint32_t high = (value & high_field) == 0 ? 0x80000000u : 0xffff0000u;
    row[lane] = value & (low | high);
  }
}

/// Sets denormal floats to zero of the same sign.
inline void flush_floats(std::uint32_t* rows, int count) {
  for (int i = 0; i < count * row_lanes; ++i) rows[i] &= (rows[i] & 0x7f800000u) == 0 ? 0x80000000u : ~0u;
}

/// Types of packed 16-bit operands.
enum class Input : std::uint8_t { f16, bf16 };

/// The 16 bits of a float rounded to nearest even; NaNs stay NaNs.
template <Input I>
inline std::uint32_t narrow_bits16(float value) {
  if constexpr (I == Input::f16) return __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(value));
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, value);
  const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return (bits & 0x7fffffffu) > 0x7f800000u ? bits >> 16 | 0x40u : rounded;
}

/// Rows of packed 16-bit elements to one float row a slot.
template <Input I, bool flush, int registers>
inline void widen(const std::uint32_t* rows, float* to) {
  alignas(64) std::uint32_t flushed[row_lanes];
  for (int r = 0; r < registers; ++r) {
    const std::uint32_t* row = rows + r * row_lanes;
    if constexpr (flush) {
      __builtin_memcpy(flushed, row, sizeof flushed);
      flush_halves(flushed, I == Input::f16 ? 0x7c007c00u : 0x7f807f80u);
      row = flushed;
    }
    float* low = to + 2 * r * row_lanes;
    if constexpr (I == Input::f16)
      widen_f16_row(row, low, low + row_lanes);
    else
      widen_bf16_row(row, low, low + row_lanes);
  }
}

/// Packs two rows of floats as 16-bit halves, each rounded once to nearest even.
template <Input I>
inline void pack_row(const float* low, const float* high, std::uint32_t* to) {
  for (int lane = 0; lane < lanes; ++lane)
    to[lane] = narrow_bits16<I>(low[lane]) | narrow_bits16<I>(high[lane]) << 16;
}

/// One row of elements of `bits` bits, the one that ends `left` bits below the top, to integers.
template <int bits, bool is_signed>
inline void widen_integer_row(const std::uint32_t* row, std::int32_t* to, int left) {
#if defined(__AVX2__)
  for (int lane = 0; lane < lanes; lane += 8) {
    const __m256i top = _mm256_sll_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + lane)),
                                         _mm_cvtsi32_si128(left));
    const __m256i value = is_signed ? _mm256_srai_epi32(top, 32 - bits) : _mm256_srli_epi32(top, 32 - bits);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + lane), value);
  }
#else
  for (int lane = 0; lane < lanes; ++lane) {
    const std::uint32_t top = row[lane] << left;
    to[lane] = is_signed ? static_cast<std::int32_t>(top) >> (32 - bits) : static_cast<std::int32_t>(top >> (32 - bits));
  }
#endif
}

/// Rows of packed integers of `bits` bits to one row a slot.
template <int bits, int registers>
inline void widen_integers(const std::uint32_t* rows, std::int32_t* to, bool is_signed) {
  constexpr int elements = 32 / bits;
  for (int slot = 0; slot < registers * elements; ++slot) {
    const std::uint32_t* row = rows + slot / elements * row_lanes;
    const int left = 32 - bits * (slot % elements + 1);
    if (is_signed)
      widen_integer_row<bits, true>(row, to + slot * row_lanes, left);
    else
      widen_integer_row<bits, false>(row, to + slot * row_lanes, left);
  }
}

/// Rows of packed bytes to one row a slot.
template <int registers, class T, class Convert>
inline void widen_bytes(const std::uint32_t* rows, T* to, Convert convert) {
  for (int r = 0; r < registers; ++r)
    for (int byte = 0; byte < 4; ++byte)
      for (int lane = 0; lane < lanes; ++lane)
        to[(4 * r + byte) * row_lanes + lane] = convert(rows[r * row_lanes + lane] >> (8 * byte) & 0xffu);
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
