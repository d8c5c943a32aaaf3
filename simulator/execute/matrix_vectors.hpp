// Host vectors that the matrix products are written with: one struct a width and type, the same few operations each.
//
// multiply_add rounds once (a fused multiply-add) for floating types and wraps for integers, on every host instruction
// set.
#pragma once

#include <cstdint>

#include "simulator/execute/isa.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace zellige::sim::ZELLIGE_SIM_ISA {

struct F32x1 {
  using Element = float;
  static constexpr int width = 1;
  float v;
  static F32x1 load(const float* from) {
    F32x1 loaded;
    __builtin_memcpy(&loaded, from, sizeof loaded);
    return loaded;
  }
  static F32x1 broadcast(float value) { return {value}; }
  void store(float* to) const { __builtin_memcpy(to, &v, sizeof v); }
  void multiply_add(F32x1 a, F32x1 b) { v = __builtin_fmaf(a.v, b.v, v); }
};

struct F64x1 {
  using Element = double;
  static constexpr int width = 1;
  double v;
  static F64x1 load(const double* from) {
    F64x1 loaded;
    __builtin_memcpy(&loaded, from, sizeof loaded);
    return loaded;
  }
  static F64x1 broadcast(double value) { return {value}; }
  void store(double* to) const { __builtin_memcpy(to, &v, sizeof v); }
  void multiply_add(F64x1 a, F64x1 b) { v = __builtin_fma(a.v, b.v, v); }
};

struct I32x1 {
  using Element = std::int32_t;
  static constexpr int width = 1;
  std::int32_t v;
  static I32x1 load(const std::int32_t* from) {
    I32x1 loaded;
    __builtin_memcpy(&loaded, from, sizeof loaded);
    return loaded;
  }
  static I32x1 broadcast(std::int32_t value) { return {value}; }
  void store(std::int32_t* to) const { __builtin_memcpy(to, &v, sizeof v); }
  void multiply_add(I32x1 a, I32x1 b) {
    v = static_cast<std::int32_t>(static_cast<std::uint32_t>(v) +
                                  static_cast<std::uint32_t>(a.v) * static_cast<std::uint32_t>(b.v));
  }
};

#if defined(__AVX2__)

struct F32x4 {
  using Element = float;
  static constexpr int width = 4;
  __m128 v;
  static F32x4 load(const float* from) { return {_mm_loadu_ps(from)}; }
  static F32x4 broadcast(float value) { return {_mm_set1_ps(value)}; }
  void store(float* to) const { _mm_storeu_ps(to, v); }
  void multiply_add(F32x4 a, F32x4 b) { v = _mm_fmadd_ps(a.v, b.v, v); }
};

struct F32x8 {
  using Element = float;
  static constexpr int width = 8;
  __m256 v;
  static F32x8 load(const float* from) { return {_mm256_loadu_ps(from)}; }
  static F32x8 broadcast(float value) { return {_mm256_set1_ps(value)}; }
  void store(float* to) const { _mm256_storeu_ps(to, v); }
  void multiply_add(F32x8 a, F32x8 b) { v = _mm256_fmadd_ps(a.v, b.v, v); }
};

struct F64x4 {
  using Element = double;
  static constexpr int width = 4;
  __m256d v;
  static F64x4 load(const double* from) { return {_mm256_loadu_pd(from)}; }
  static F64x4 broadcast(double value) { return {_mm256_set1_pd(value)}; }
  void store(double* to) const { _mm256_storeu_pd(to, v); }
  void multiply_add(F64x4 a, F64x4 b) { v = _mm256_fmadd_pd(a.v, b.v, v); }
};

struct I32x4 {
  using Element = std::int32_t;
  static constexpr int width = 4;
  __m128i v;
  static I32x4 load(const std::int32_t* from) { return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))}; }
  static I32x4 broadcast(std::int32_t value) { return {_mm_set1_epi32(value)}; }
  void store(std::int32_t* to) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), v); }
  void multiply_add(I32x4 a, I32x4 b) { v = _mm_add_epi32(v, _mm_mullo_epi32(a.v, b.v)); }
};

struct I32x8 {
  using Element = std::int32_t;
  static constexpr int width = 8;
  __m256i v;
  static I32x8 load(const std::int32_t* from) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))}; }
  static I32x8 broadcast(std::int32_t value) { return {_mm256_set1_epi32(value)}; }
  void store(std::int32_t* to) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), v); }
  void multiply_add(I32x8 a, I32x8 b) { v = _mm256_add_epi32(v, _mm256_mullo_epi32(a.v, b.v)); }
};

#endif

#if defined(__AVX512F__)

struct F32x16 {
  using Element = float;
  static constexpr int width = 16;
  __m512 v;
  static F32x16 load(const float* from) { return {_mm512_loadu_ps(from)}; }
  static F32x16 broadcast(float value) { return {_mm512_set1_ps(value)}; }
  void store(float* to) const { _mm512_storeu_ps(to, v); }
  void multiply_add(F32x16 a, F32x16 b) { v = _mm512_fmadd_ps(a.v, b.v, v); }
};

struct I32x16 {
  using Element = std::int32_t;
  static constexpr int width = 16;
  __m512i v;
  static I32x16 load(const std::int32_t* from) { return {_mm512_loadu_si512(from)}; }
  static I32x16 broadcast(std::int32_t value) { return {_mm512_set1_epi32(value)}; }
  void store(std::int32_t* to) const { _mm512_storeu_si512(to, v); }
  void multiply_add(I32x16 a, I32x16 b) { v = _mm512_add_epi32(v, _mm512_mullo_epi32(a.v, b.v)); }
};

#endif

/// The vector of Element for rows of `columns` elements: the widest that divides them.
template <class Element, int columns>
struct MatrixVector;

#if defined(__AVX512F__)
template <int columns>
struct MatrixVector<float, columns> {
  using Type = F32x16;
};
template <int columns>
struct MatrixVector<std::int32_t, columns> {
  using Type = I32x16;
};
template <int columns>
struct MatrixVector<double, columns> {
  using Type = F64x4;
};
template <>
struct MatrixVector<float, 4> {
  using Type = F32x4;
};
template <>
struct MatrixVector<std::int32_t, 4> {
  using Type = I32x4;
};
#elif defined(__AVX2__)
template <int columns>
struct MatrixVector<float, columns> {
  using Type = F32x8;
};
template <int columns>
struct MatrixVector<std::int32_t, columns> {
  using Type = I32x8;
};
template <int columns>
struct MatrixVector<double, columns> {
  using Type = F64x4;
};
template <>
struct MatrixVector<float, 4> {
  using Type = F32x4;
};
template <>
struct MatrixVector<std::int32_t, 4> {
  using Type = I32x4;
};
#else
template <int columns>
struct MatrixVector<float, columns> {
  using Type = F32x1;
};
template <int columns>
struct MatrixVector<std::int32_t, columns> {
  using Type = I32x1;
};
template <int columns>
struct MatrixVector<double, columns> {
  using Type = F64x1;
};
#endif

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
