// Every dense MFMA with its shape, and its operands laid out by the published per-shape lane layouts (which the
// simulator's own general formula must reproduce).
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>

#include "simulator/test/execute/memory_machine.hpp"

namespace zellige::sim::test {

enum class Type { f16, bf16, f32, xf32, f64, i8, fp8, bf8 };

struct Case {
  const char* mnemonic;
  const char* target;
  int m, n, k, blocks;
  int per_lane;  ///< elements of A (and of B) in a lane
  Type a, b;
};

inline constexpr Case cases[] = {
    {"v_mfma_f32_4x4x4f16", "gfx90a", 4, 4, 4, 16, 4, Type::f16, Type::f16},
    {"v_mfma_f32_16x16x4f16", "gfx90a", 16, 16, 4, 4, 4, Type::f16, Type::f16},
    {"v_mfma_f32_32x32x4f16", "gfx90a", 32, 32, 4, 2, 4, Type::f16, Type::f16},
    {"v_mfma_f32_16x16x16f16", "gfx90a", 16, 16, 16, 1, 4, Type::f16, Type::f16},
    {"v_mfma_f32_32x32x8f16", "gfx90a", 32, 32, 8, 1, 4, Type::f16, Type::f16},
    {"v_mfma_f32_4x4x4bf16_1k", "gfx90a", 4, 4, 4, 16, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_16x16x4bf16_1k", "gfx90a", 16, 16, 4, 4, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_32x32x4bf16_1k", "gfx90a", 32, 32, 4, 2, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_16x16x16bf16_1k", "gfx90a", 16, 16, 16, 1, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_32x32x8bf16_1k", "gfx90a", 32, 32, 8, 1, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_4x4x2bf16", "gfx90a", 4, 4, 2, 16, 2, Type::bf16, Type::bf16},
    {"v_mfma_f32_16x16x2bf16", "gfx90a", 16, 16, 2, 4, 2, Type::bf16, Type::bf16},
    {"v_mfma_f32_32x32x2bf16", "gfx90a", 32, 32, 2, 2, 2, Type::bf16, Type::bf16},
    {"v_mfma_f32_16x16x8bf16", "gfx90a", 16, 16, 8, 1, 2, Type::bf16, Type::bf16},
    {"v_mfma_f32_32x32x4bf16", "gfx90a", 32, 32, 4, 1, 2, Type::bf16, Type::bf16},
    {"v_mfma_f32_4x4x1f32", "gfx90a", 4, 4, 1, 16, 1, Type::f32, Type::f32},
    {"v_mfma_f32_16x16x1f32", "gfx90a", 16, 16, 1, 4, 1, Type::f32, Type::f32},
    {"v_mfma_f32_32x32x1f32", "gfx90a", 32, 32, 1, 2, 1, Type::f32, Type::f32},
    {"v_mfma_f32_16x16x4f32", "gfx90a", 16, 16, 4, 1, 1, Type::f32, Type::f32},
    {"v_mfma_f32_32x32x2f32", "gfx90a", 32, 32, 2, 1, 1, Type::f32, Type::f32},
    {"v_mfma_f32_4x4x4_16b_f16", "gfx942", 4, 4, 4, 16, 4, Type::f16, Type::f16},
    {"v_mfma_f32_4x4x4_16b_f16", "gfx950", 4, 4, 4, 16, 4, Type::f16, Type::f16},
    {"v_mfma_f32_16x16x4_4b_f16", "gfx942", 16, 16, 4, 4, 4, Type::f16, Type::f16},
    {"v_mfma_f32_16x16x4_4b_f16", "gfx950", 16, 16, 4, 4, 4, Type::f16, Type::f16},
    {"v_mfma_f32_32x32x4_2b_f16", "gfx942", 32, 32, 4, 2, 4, Type::f16, Type::f16},
    {"v_mfma_f32_32x32x4_2b_f16", "gfx950", 32, 32, 4, 2, 4, Type::f16, Type::f16},
    {"v_mfma_f32_16x16x16_f16", "gfx942", 16, 16, 16, 1, 4, Type::f16, Type::f16},
    {"v_mfma_f32_16x16x16_f16", "gfx950", 16, 16, 16, 1, 4, Type::f16, Type::f16},
    {"v_mfma_f32_32x32x8_f16", "gfx942", 32, 32, 8, 1, 4, Type::f16, Type::f16},
    {"v_mfma_f32_32x32x8_f16", "gfx950", 32, 32, 8, 1, 4, Type::f16, Type::f16},
    {"v_mfma_f32_16x16x32_f16", "gfx950", 16, 16, 32, 1, 8, Type::f16, Type::f16},
    {"v_mfma_f32_32x32x16_f16", "gfx950", 32, 32, 16, 1, 8, Type::f16, Type::f16},
    {"v_mfma_f32_4x4x4_16b_bf16", "gfx942", 4, 4, 4, 16, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_4x4x4_16b_bf16", "gfx950", 4, 4, 4, 16, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_16x16x4_4b_bf16", "gfx942", 16, 16, 4, 4, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_16x16x4_4b_bf16", "gfx950", 16, 16, 4, 4, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_32x32x4_2b_bf16", "gfx942", 32, 32, 4, 2, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_32x32x4_2b_bf16", "gfx950", 32, 32, 4, 2, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_16x16x16_bf16", "gfx942", 16, 16, 16, 1, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_16x16x16_bf16", "gfx950", 16, 16, 16, 1, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_32x32x8_bf16", "gfx942", 32, 32, 8, 1, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_32x32x8_bf16", "gfx950", 32, 32, 8, 1, 4, Type::bf16, Type::bf16},
    {"v_mfma_f32_16x16x32_bf16", "gfx950", 16, 16, 32, 1, 8, Type::bf16, Type::bf16},
    {"v_mfma_f32_32x32x16_bf16", "gfx950", 32, 32, 16, 1, 8, Type::bf16, Type::bf16},
    {"v_mfma_f32_4x4x1_16b_f32", "gfx942", 4, 4, 1, 16, 1, Type::f32, Type::f32},
    {"v_mfma_f32_4x4x1_16b_f32", "gfx950", 4, 4, 1, 16, 1, Type::f32, Type::f32},
    {"v_mfma_f32_16x16x1_4b_f32", "gfx942", 16, 16, 1, 4, 1, Type::f32, Type::f32},
    {"v_mfma_f32_16x16x1_4b_f32", "gfx950", 16, 16, 1, 4, 1, Type::f32, Type::f32},
    {"v_mfma_f32_32x32x1_2b_f32", "gfx942", 32, 32, 1, 2, 1, Type::f32, Type::f32},
    {"v_mfma_f32_32x32x1_2b_f32", "gfx950", 32, 32, 1, 2, 1, Type::f32, Type::f32},
    {"v_mfma_f32_16x16x4_f32", "gfx942", 16, 16, 4, 1, 1, Type::f32, Type::f32},
    {"v_mfma_f32_16x16x4_f32", "gfx950", 16, 16, 4, 1, 1, Type::f32, Type::f32},
    {"v_mfma_f32_32x32x2_f32", "gfx942", 32, 32, 2, 1, 1, Type::f32, Type::f32},
    {"v_mfma_f32_32x32x2_f32", "gfx950", 32, 32, 2, 1, 1, Type::f32, Type::f32},
    {"v_mfma_f32_16x16x8_xf32", "gfx942", 16, 16, 8, 1, 2, Type::xf32, Type::xf32},
    {"v_mfma_f32_32x32x4_xf32", "gfx942", 32, 32, 4, 1, 2, Type::xf32, Type::xf32},
    {"v_mfma_f64_16x16x4f64", "gfx90a", 16, 16, 4, 1, 1, Type::f64, Type::f64},
    {"v_mfma_f64_4x4x4f64", "gfx90a", 4, 4, 4, 4, 1, Type::f64, Type::f64},
    {"v_mfma_f64_16x16x4_f64", "gfx942", 16, 16, 4, 1, 1, Type::f64, Type::f64},
    {"v_mfma_f64_16x16x4_f64", "gfx950", 16, 16, 4, 1, 1, Type::f64, Type::f64},
    {"v_mfma_f64_4x4x4_4b_f64", "gfx942", 4, 4, 4, 4, 1, Type::f64, Type::f64},
    {"v_mfma_f64_4x4x4_4b_f64", "gfx950", 4, 4, 4, 4, 1, Type::f64, Type::f64},
    {"v_mfma_i32_4x4x4i8", "gfx90a", 4, 4, 4, 16, 4, Type::i8, Type::i8},
    {"v_mfma_i32_16x16x4i8", "gfx90a", 16, 16, 4, 4, 4, Type::i8, Type::i8},
    {"v_mfma_i32_32x32x4i8", "gfx90a", 32, 32, 4, 2, 4, Type::i8, Type::i8},
    {"v_mfma_i32_16x16x16i8", "gfx90a", 16, 16, 16, 1, 4, Type::i8, Type::i8},
    {"v_mfma_i32_32x32x8i8", "gfx90a", 32, 32, 8, 1, 4, Type::i8, Type::i8},
    {"v_mfma_i32_4x4x4_16b_i8", "gfx942", 4, 4, 4, 16, 4, Type::i8, Type::i8},
    {"v_mfma_i32_4x4x4_16b_i8", "gfx950", 4, 4, 4, 16, 4, Type::i8, Type::i8},
    {"v_mfma_i32_16x16x4_4b_i8", "gfx942", 16, 16, 4, 4, 4, Type::i8, Type::i8},
    {"v_mfma_i32_16x16x4_4b_i8", "gfx950", 16, 16, 4, 4, 4, Type::i8, Type::i8},
    {"v_mfma_i32_32x32x4_2b_i8", "gfx942", 32, 32, 4, 2, 4, Type::i8, Type::i8},
    {"v_mfma_i32_32x32x4_2b_i8", "gfx950", 32, 32, 4, 2, 4, Type::i8, Type::i8},
    {"v_mfma_i32_16x16x32_i8", "gfx942", 16, 16, 32, 1, 8, Type::i8, Type::i8},
    {"v_mfma_i32_16x16x32_i8", "gfx950", 16, 16, 32, 1, 8, Type::i8, Type::i8},
    {"v_mfma_i32_32x32x16_i8", "gfx942", 32, 32, 16, 1, 8, Type::i8, Type::i8},
    {"v_mfma_i32_32x32x16_i8", "gfx950", 32, 32, 16, 1, 8, Type::i8, Type::i8},
    {"v_mfma_i32_16x16x64_i8", "gfx950", 16, 16, 64, 1, 16, Type::i8, Type::i8},
    {"v_mfma_i32_32x32x32_i8", "gfx950", 32, 32, 32, 1, 16, Type::i8, Type::i8},
    {"v_mfma_f32_16x16x32_fp8_fp8", "gfx942", 16, 16, 32, 1, 8, Type::fp8, Type::fp8},
    {"v_mfma_f32_16x16x32_fp8_fp8", "gfx950", 16, 16, 32, 1, 8, Type::fp8, Type::fp8},
    {"v_mfma_f32_32x32x16_fp8_fp8", "gfx942", 32, 32, 16, 1, 8, Type::fp8, Type::fp8},
    {"v_mfma_f32_32x32x16_fp8_fp8", "gfx950", 32, 32, 16, 1, 8, Type::fp8, Type::fp8},
    {"v_mfma_f32_16x16x32_fp8_bf8", "gfx942", 16, 16, 32, 1, 8, Type::fp8, Type::bf8},
    {"v_mfma_f32_16x16x32_fp8_bf8", "gfx950", 16, 16, 32, 1, 8, Type::fp8, Type::bf8},
    {"v_mfma_f32_32x32x16_fp8_bf8", "gfx942", 32, 32, 16, 1, 8, Type::fp8, Type::bf8},
    {"v_mfma_f32_32x32x16_fp8_bf8", "gfx950", 32, 32, 16, 1, 8, Type::fp8, Type::bf8},
    {"v_mfma_f32_16x16x32_bf8_fp8", "gfx942", 16, 16, 32, 1, 8, Type::bf8, Type::fp8},
    {"v_mfma_f32_16x16x32_bf8_fp8", "gfx950", 16, 16, 32, 1, 8, Type::bf8, Type::fp8},
    {"v_mfma_f32_32x32x16_bf8_fp8", "gfx942", 32, 32, 16, 1, 8, Type::bf8, Type::fp8},
    {"v_mfma_f32_32x32x16_bf8_fp8", "gfx950", 32, 32, 16, 1, 8, Type::bf8, Type::fp8},
    {"v_mfma_f32_16x16x32_bf8_bf8", "gfx942", 16, 16, 32, 1, 8, Type::bf8, Type::bf8},
    {"v_mfma_f32_16x16x32_bf8_bf8", "gfx950", 16, 16, 32, 1, 8, Type::bf8, Type::bf8},
    {"v_mfma_f32_32x32x16_bf8_bf8", "gfx942", 32, 32, 16, 1, 8, Type::bf8, Type::bf8},
    {"v_mfma_f32_32x32x16_bf8_bf8", "gfx950", 32, 32, 16, 1, 8, Type::bf8, Type::bf8},
};

inline constexpr int a_row = 300, b_row = 320, c_row = 0, d_row = 340;  // A, B and D in AGPRs

inline int type_bits(Type type) {
  switch (type) {
    case Type::f64:
      return 64;
    case Type::f32:
    case Type::xf32:
      return 32;
    case Type::f16:
    case Type::bf16:
      return 16;
    default:
      return 8;
  }
}

/// Bits of a small integer in `type`; fp8 and bf8 hold 0..4 and their negatives.
inline std::uint64_t encode(Type type, int value, const std::string& target) {
  const bool fnuz = target == "gfx942";
  const int magnitude = std::abs(value);
  const std::uint64_t sign = value < 0;
  switch (type) {
    case Type::f64: {
      const double number = value;
      std::uint64_t bits;
      std::memcpy(&bits, &number, 8);
      return bits;
    }
    case Type::f32:
    case Type::xf32:
    case Type::bf16: {
      const float number = static_cast<float>(value);
      std::uint32_t bits;
      std::memcpy(&bits, &number, 4);
      return type == Type::bf16 ? bits >> 16 : bits;
    }
    case Type::f16: {
      if (magnitude == 0) return 0;
      const int exponent = std::ilogb(magnitude);
      return sign << 15 | static_cast<std::uint64_t>(15 + exponent) << 10 |
             static_cast<std::uint64_t>((magnitude << (10 - exponent)) & 0x3ff);
    }
    case Type::i8:
      return static_cast<std::uint8_t>(value);
    case Type::fp8:
    case Type::bf8: {
      constexpr std::uint8_t ocp_e4m3[] = {0, 0x38, 0x40, 0x44, 0x48}, fnuz_e4m3[] = {0, 0x40, 0x48, 0x4c, 0x50};
      constexpr std::uint8_t ocp_e5m2[] = {0, 0x3c, 0x40, 0x42, 0x44}, fnuz_e5m2[] = {0, 0x40, 0x44, 0x46, 0x48};
      const auto* codes = type == Type::fp8 ? (fnuz ? fnuz_e4m3 : ocp_e4m3) : (fnuz ? fnuz_e5m2 : ocp_e5m2);
      return codes[magnitude] | (value < 0 && magnitude != 0 ? 0x80u : 0u);
    }
  }
  return 0;
}

inline int random_value(Type type, std::mt19937& generator) {
  const int limit = type == Type::i8 ? 127 : type == Type::fp8 || type == Type::bf8 ? 4 : 16;
  return std::uniform_int_distribution<int>(-limit, limit)(generator);
}

/// Which element of A (i) or B (j) a lane's slot holds: the published layouts, shape by shape.
struct Source {
  int block, index, k;
};

inline Source operand_element(const Case& c, int lane, int slot) {
  if (c.a == Type::f64) return c.m == 16 ? Source{0, lane % 16, lane / 16} : Source{lane / 4 % 4, lane % 4, lane / 16};
  if (c.m == 4) return {lane / 4, lane % 4, slot};
  if (c.blocks > 1) return {lane / c.m, lane % c.m, slot};
  return {0, lane % c.m, c.per_lane * (lane / c.m) + slot};
}

/// Which element of D a lane's slot holds.
struct Result {
  int block, i, j;
};

inline Result result_element(const Case& c, int lane, int slot) {
  if (c.a == Type::f64)
    return c.m == 16 ? Result{0, 4 * slot + lane / 16, lane % 16} : Result{lane / 4 % 4, lane / 16, lane % 4};
  if (c.m == 4) return {lane / 4, slot, lane % 4};
  if (c.m == 16) return {slot / 4, 4 * (lane / 16) + slot % 4, lane % 16};
  return {slot / 16, 8 * (slot % 16 / 4) + 4 * (lane / 32) + slot % 4, lane % 32};
}

struct Matrices {
  std::vector<double> a, b, c;
  double& at_a(const Case& s, int block, int i, int k) {
    return a[static_cast<std::size_t>((block * s.m + i) * s.k + k)];
  }
  double& at_b(const Case& s, int block, int k, int j) {
    return b[static_cast<std::size_t>((block * s.k + k) * s.n + j)];
  }
  double& at_c(const Case& s, int block, int i, int j) {
    return c[static_cast<std::size_t>((block * s.m + i) * s.n + j)];
  }
};

inline void put(Wave& wave, int first_row, int bits, int lane, int slot, std::uint64_t value) {
  const int bit = slot * bits;
  std::uint32_t& word = wave.row(first_row + bit / 32)[lane];
  if (bits >= 32) {
    word = static_cast<std::uint32_t>(value);
    if (bits == 64) wave.row(first_row + bit / 32 + 1)[lane] = static_cast<std::uint32_t>(value >> 32);
  } else {
    word |= static_cast<std::uint32_t>(value << (bit % 32));
  }
}

inline double get(Wave& wave, const Case& c, int first_row, int lane, int slot) {
  if (c.a == Type::f64) {
    const std::uint64_t bits =
        wave.row(first_row + 2 * slot)[lane] | std::uint64_t{wave.row(first_row + 2 * slot + 1)[lane]} << 32;
    double value;
    std::memcpy(&value, &bits, 8);
    return value;
  }
  const std::uint32_t bits = wave.row(first_row + slot)[lane];
  if (c.a == Type::i8) return static_cast<std::int32_t>(bits);
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

inline int slots(const Case& c) { return c.m * c.n * c.blocks / 64; }

/// Random matrices, and their registers on `machine`.
inline Matrices fill(const Case& c, Machine& machine, std::uint32_t seed) {
  std::mt19937 generator(seed);
  Matrices matrices;
  matrices.a.resize(static_cast<std::size_t>(c.blocks * c.m * c.k));
  matrices.b.resize(static_cast<std::size_t>(c.blocks * c.k * c.n));
  matrices.c.resize(static_cast<std::size_t>(c.blocks * c.m * c.n));
  std::memset(machine.wave.row(0), 0, sizeof(std::uint32_t) * vector_rows * row_lanes);
  for (int lane = 0; lane < 64; ++lane) {
    for (int slot = 0; slot < c.per_lane; ++slot) {
      const Source at = operand_element(c, lane, slot);
      const int a = random_value(c.a, generator), b = random_value(c.b, generator);
      matrices.at_a(c, at.block, at.index, at.k) = a;
      matrices.at_b(c, at.block, at.k, at.index) = b;
      put(machine.wave, a_row, type_bits(c.a), lane, slot, encode(c.a, a, c.target));
      put(machine.wave, b_row, type_bits(c.b), lane, slot, encode(c.b, b, c.target));
    }
    for (int slot = 0; slot < slots(c); ++slot) {
      const Result at = result_element(c, lane, slot);
      const int value = std::uniform_int_distribution<int>(-1000, 1000)(generator);
      matrices.at_c(c, at.block, at.i, at.j) = value;
      const Type type = c.a == Type::f64 ? Type::f64 : Type::f32;
      const std::uint64_t bits = c.a == Type::i8 ? static_cast<std::uint32_t>(value) : encode(type, value, c.target);
      put(machine.wave, c_row, c.a == Type::f64 ? 64 : 32, lane, slot, bits);
    }
  }
  return matrices;
}

inline Instruction matrix_instruction(int control = 0) {
  Instruction instruction;
  instruction.dst = vector_operand(d_row);
  instruction.src[0] = vector_operand(a_row);
  instruction.src[1] = vector_operand(b_row);
  instruction.src[2] = vector_operand(c_row);
  instruction.offset2 = control;
  return instruction;
}

/// Checks D against C + sum of a_of(...) * b_of(...), which default to the operands themselves.
using Reference = std::function<double(Matrices&, int block, int i, int j)>;

inline double product(const Case& c, Matrices& m, int a_block, int b_block, int i, int j) {
  double sum = 0;
  for (int k = 0; k < c.k; ++k) sum += m.at_a(c, a_block, i, k) * m.at_b(c, b_block, k, j);
  return sum;
}

inline void check(const Case& c, Machine& machine, Matrices& matrices, const Reference& reference) {
  int wrong = 0;
  for (int lane = 0; lane < 64 && wrong < 4; ++lane)
    for (int slot = 0; slot < slots(c) && wrong < 4; ++slot) {
      const Result at = result_element(c, lane, slot);
      const double expected = reference(matrices, at.block, at.i, at.j);
      const double got = get(machine.wave, c, d_row, lane, slot);
      if (got != expected) {
        ++wrong;
        ADD_FAILURE() << c.mnemonic << " on " << c.target << ": block " << at.block << " row " << at.i << " column "
                      << at.j << " (lane " << lane << " slot " << slot << ") is " << got << ", expected " << expected;
      }
    }
  if (wrong == 0) machine.judged(c.mnemonic);
}

inline const Case& find_case(std::string_view mnemonic, std::string_view target) {
  for (const Case& c : cases)
    if (mnemonic == c.mnemonic && target == c.target) return c;
  throw std::runtime_error("no such case");
}

}  // namespace zellige::sim::test
