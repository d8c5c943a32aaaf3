// Moving data between memory and register rows: one element a lane, address = base + 32-bit offset of the lane.
//
// Law: load_all and store_all touch exactly the bytes [base + offsets[l], + element_bytes) of each lane l and equal a
// loop of load_element and store_element over the lanes in ascending order (so that of two lanes that store to one
// address the last wins). Offsets may alias the rows that a load writes: a lane's offset is read before the lane's
// words are written.
#pragma once

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "simulator/execute/isa.hpp"
#include "simulator/execute/wave.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// What one lane moves. u8, i8, u16, i16 extend to 32 bits on loads; the d16 forms (low, high) keep the register's
/// other half; stores take the low bits, or bits 16 and up for the high forms.
enum class Element : std::uint8_t {
  u8,
  i8,
  u16,
  i16,
  u8_low,
  u8_high,
  i8_low,
  i8_high,
  b16_low,
  b16_high,
  x1,
  x2,
  x3,
  x4
};

template <Element E>
inline constexpr int element_bytes =
    E == Element::x1                                                                            ? 4
    : E == Element::x2                                                                          ? 8
    : E == Element::x3                                                                          ? 12
    : E == Element::x4                                                                          ? 16
    : E == Element::u16 || E == Element::i16 || E == Element::b16_low || E == Element::b16_high ? 2
                                                                                                : 1;
template <Element E>
inline constexpr int element_words = E >= Element::x1 ? element_bytes<E> / 4 : 1;
/// The load keeps half of its destination.
template <Element E>
inline constexpr bool element_partial = E >= Element::u8_low&& E <= Element::b16_high;

/// Merges one loaded sub-dword value into the register's old content.
template <Element E>
inline std::uint32_t merge_element(std::uint32_t old, std::uint32_t raw) {
  if constexpr (E == Element::i8)
    return static_cast<std::uint32_t>(static_cast<std::int8_t>(raw));
  else if constexpr (E == Element::i16)
    return static_cast<std::uint32_t>(static_cast<std::int16_t>(raw));
  else if constexpr (E == Element::u8_low || E == Element::b16_low)
    return (old & 0xffff0000u) | raw;
  else if constexpr (E == Element::u8_high || E == Element::b16_high)
    return (old & 0xffffu) | raw << 16;
  else if constexpr (E == Element::i8_low)
    return (old & 0xffff0000u) | static_cast<std::uint16_t>(static_cast<std::int8_t>(raw));
  else if constexpr (E == Element::i8_high)
    return (old & 0xffffu) | static_cast<std::uint32_t>(static_cast<std::int8_t>(raw)) << 16;
  else
    return raw;
}

template <Element E>
inline void load_element(std::uint32_t* rows, int lane, const std::uint8_t* from) {
  if constexpr (E >= Element::x1) {
    std::uint32_t words[4];
    __builtin_memcpy(words, from, element_bytes<E>);
    for (int word = 0; word < element_words<E>; ++word) rows[word * row_lanes + lane] = words[word];
  } else if constexpr (element_bytes<E> == 2) {
    std::uint16_t raw;
    __builtin_memcpy(&raw, from, 2);
    rows[lane] = merge_element<E>(rows[lane], raw);
  } else {
    rows[lane] = merge_element<E>(rows[lane], *from);
  }
}

template <Element E>
inline void store_element(const std::uint32_t* rows, int lane, std::uint8_t* to) {
  if constexpr (E >= Element::x1) {
    std::uint32_t words[4];
    for (int word = 0; word < element_words<E>; ++word) words[word] = rows[word * row_lanes + lane];
    __builtin_memcpy(to, words, element_bytes<E>);
  } else {
    constexpr int shift = E == Element::u8_high || E == Element::i8_high || E == Element::b16_high ? 16 : 0;
    const std::uint16_t value = static_cast<std::uint16_t>(rows[lane] >> shift);
    __builtin_memcpy(to, &value, element_bytes<E>);
  }
}

struct OffsetSpan {
  std::uint32_t low, high;
};

/// Least and greatest offset of all lanes.
inline OffsetSpan offset_span(const std::uint32_t* offsets) {
#if defined(__AVX512F__)
  __m512i low = _mm512_loadu_si512(offsets), high = low;
  for (int lane = 16; lane < lanes; lane += 16) {
    const __m512i next = _mm512_loadu_si512(offsets + lane);
    low = _mm512_min_epu32(low, next);
    high = _mm512_max_epu32(high, next);
  }
  return {_mm512_reduce_min_epu32(low), _mm512_reduce_max_epu32(high)};
#elif defined(__AVX2__)
  __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(offsets)), high = low;
  for (int lane = 8; lane < lanes; lane += 8) {
    const __m256i next = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(offsets + lane));
    low = _mm256_min_epu32(low, next);
    high = _mm256_max_epu32(high, next);
  }
  __m128i low4 = _mm_min_epu32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
  __m128i high4 = _mm_max_epu32(_mm256_castsi256_si128(high), _mm256_extracti128_si256(high, 1));
  low4 = _mm_min_epu32(low4, _mm_shuffle_epi32(low4, 0x4e));
  high4 = _mm_max_epu32(high4, _mm_shuffle_epi32(high4, 0x4e));
  low4 = _mm_min_epu32(low4, _mm_shuffle_epi32(low4, 0xb1));
  high4 = _mm_max_epu32(high4, _mm_shuffle_epi32(high4, 0xb1));
  return {static_cast<std::uint32_t>(_mm_cvtsi128_si32(low4)), static_cast<std::uint32_t>(_mm_cvtsi128_si32(high4))};
#else
  std::uint32_t low = offsets[0], high = offsets[0];
  for (int lane = 1; lane < lanes; ++lane) {
    low = offsets[lane] < low ? offsets[lane] : low;
    high = offsets[lane] > high ? offsets[lane] : high;
  }
  return {low, high};
#endif
}

/// Whether offsets[l] == offsets[0] + l * bytes for every lane.
inline bool offsets_contiguous(const std::uint32_t* offsets, std::uint32_t bytes) {
  const std::uint32_t first = offsets[0];
  if (offsets[lanes - 1] - first != (static_cast<std::uint32_t>(lanes) - 1) * bytes) return false;
  std::uint32_t differences = 0;
  for (int lane = 0; lane < lanes; ++lane)
    differences |= (offsets[lane] - first) ^ (static_cast<std::uint32_t>(lane) * bytes);
  return differences == 0;
}

#if defined(__AVX2__)

inline __m128 load_16_bytes(const std::uint8_t* from) {
  return _mm_castsi128_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}

/// Transposes the 4x4 words in each 128-bit half: in[i] holds the words of lanes i and i + 4, out[k] word k of eight
/// lanes.
inline void transpose_4x4(__m256 (&v)[4]) {
  const __m256 a = _mm256_unpacklo_ps(v[0], v[1]), b = _mm256_unpackhi_ps(v[0], v[1]);
  const __m256 c = _mm256_unpacklo_ps(v[2], v[3]), d = _mm256_unpackhi_ps(v[2], v[3]);
  v[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(a), _mm256_castps_pd(c)));
  v[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(a), _mm256_castps_pd(c)));
  v[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(b), _mm256_castps_pd(d)));
  v[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(b), _mm256_castps_pd(d)));
}

inline void load_x4(std::uint32_t* rows, const std::uint8_t* base, const std::uint32_t* offsets) {
  for (int lane = 0; lane < lanes; lane += 8) {
    __m256 v[4];
    for (int i = 0; i < 4; ++i)
      v[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(load_16_bytes(base + offsets[lane + i])),
                                  load_16_bytes(base + offsets[lane + i + 4]), 1);
    transpose_4x4(v);
    for (int word = 0; word < 4; ++word)
      _mm256_storeu_ps(reinterpret_cast<float*>(rows + word * row_lanes + lane), v[word]);
  }
}

inline void store_x4(const std::uint32_t* rows, std::uint8_t* base, const std::uint32_t* offsets) {
  for (int lane = 0; lane < lanes; lane += 8) {
    __m256 v[4];
    for (int word = 0; word < 4; ++word)
      v[word] = _mm256_loadu_ps(reinterpret_cast<const float*>(rows + word * row_lanes + lane));
    transpose_4x4(v);
    for (int i = 0; i < 4; ++i)
      _mm_storeu_ps(reinterpret_cast<float*>(base + offsets[lane + i]), _mm256_castps256_ps128(v[i]));
    for (int i = 0; i < 4; ++i)
      _mm_storeu_ps(reinterpret_cast<float*>(base + offsets[lane + i + 4]), _mm256_extractf128_ps(v[i], 1));
  }
}

inline void load_x2(std::uint32_t* rows, const std::uint8_t* base, const std::uint32_t* offsets) {
  const auto pair = [&](int first, int second) {
    const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(base + offsets[first]));
    const __m128i high = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(base + offsets[second]));
    return _mm_castsi128_ps(_mm_unpacklo_epi64(low, high));
  };
  for (int lane = 0; lane < lanes; lane += 8) {
    const __m256 a = _mm256_insertf128_ps(_mm256_castps128_ps256(pair(lane, lane + 1)), pair(lane + 4, lane + 5), 1);
    const __m256 b =
        _mm256_insertf128_ps(_mm256_castps128_ps256(pair(lane + 2, lane + 3)), pair(lane + 6, lane + 7), 1);
    _mm256_storeu_ps(reinterpret_cast<float*>(rows + lane), _mm256_shuffle_ps(a, b, 0x88));
    _mm256_storeu_ps(reinterpret_cast<float*>(rows + row_lanes + lane), _mm256_shuffle_ps(a, b, 0xdd));
  }
}

inline void store_x2(const std::uint32_t* rows, std::uint8_t* base, const std::uint32_t* offsets) {
  for (int lane = 0; lane < lanes; lane += 4) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows + lane));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows + row_lanes + lane));
    const __m128i first = _mm_unpacklo_epi32(low, high), second = _mm_unpackhi_epi32(low, high);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(base + offsets[lane]), first);
    _mm_storeh_pd(reinterpret_cast<double*>(base + offsets[lane + 1]), _mm_castsi128_pd(first));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(base + offsets[lane + 2]), second);
    _mm_storeh_pd(reinterpret_cast<double*>(base + offsets[lane + 3]), _mm_castsi128_pd(second));
  }
}

#endif

template <Element E>
inline void load_all(std::uint32_t* rows, const std::uint8_t* base, const std::uint32_t* offsets) {
#if defined(__AVX2__)
  if constexpr (E == Element::x4) return load_x4(rows, base, offsets);
  if constexpr (E == Element::x2) return load_x2(rows, base, offsets);
#endif
  if constexpr (E == Element::x1) {
    if (offsets_contiguous(offsets, 4)) {
      __builtin_memcpy(rows, base + offsets[0], static_cast<std::size_t>(lanes) * 4);
      return;
    }
  }
  for (int lane = 0; lane < lanes; ++lane) load_element<E>(rows, lane, base + offsets[lane]);
}

template <Element E>
inline void store_all(const std::uint32_t* rows, std::uint8_t* base, const std::uint32_t* offsets) {
#if defined(__AVX2__)
  if constexpr (E == Element::x4) return store_x4(rows, base, offsets);
  if constexpr (E == Element::x2) return store_x2(rows, base, offsets);
#endif
  if constexpr (E == Element::x1) {
    if (offsets_contiguous(offsets, 4)) {
      __builtin_memcpy(base + offsets[0], rows, static_cast<std::size_t>(lanes) * 4);
      return;
    }
  }
  for (int lane = 0; lane < lanes; ++lane) store_element<E>(rows, lane, base + offsets[lane]);
}

/// rows[w][l] = values[w][l] where mask[l] is all ones.
inline void write_masked(std::uint32_t* rows, const std::uint32_t* values, int words, const std::uint32_t* mask) {
  for (int word = 0; word < words; ++word) {
    std::uint32_t* to = rows + word * row_lanes;
    const std::uint32_t* from = values + word * row_lanes;
    for (int lane = 0; lane < lanes; ++lane) to[lane] = (to[lane] & ~mask[lane]) | (from[lane] & mask[lane]);
  }
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
