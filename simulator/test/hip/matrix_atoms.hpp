// Matrix instructions as the HIP test program describes them: shapes, element types, and which element a lane's slot
// holds.
//
// MFMA: the manual's general formula; SMFMAC and f8f6f4: their own rules below. WMMA, SWMMAC: wmma_cases.hpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "simulator/test/execute/wmma_cases.hpp"

namespace zellige::test {

enum class Scalar { f64, f32, xf32, f16, bf16, fp8, bf8, fp6, bf6, fp4, i8, u8, i4, u4, i32 };

inline int scalar_bits(Scalar type) {
  switch (type) {
    case Scalar::f64:
      return 64;
    case Scalar::f32:
    case Scalar::xf32:
    case Scalar::i32:
      return 32;
    case Scalar::f16:
    case Scalar::bf16:
      return 16;
    case Scalar::fp6:
    case Scalar::bf6:
      return 6;
    case Scalar::fp4:
    case Scalar::i4:
    case Scalar::u4:
      return 4;
    default:
      return 8;
  }
}
inline bool is_integer(Scalar type) {
  return type == Scalar::i8 || type == Scalar::u8 || type == Scalar::i4 || type == Scalar::u4 || type == Scalar::i32;
}

/// sign, exponent and fraction fields to a value; the code of an infinity or NaN gives NaN.
inline double float_value(std::uint64_t code, int exponent_bits, int fraction_bits, int bias, bool has_infinity) {
  const std::uint64_t fraction = code & ((std::uint64_t{1} << fraction_bits) - 1);
  const int exponent = static_cast<int>(code >> fraction_bits & ((1u << exponent_bits) - 1));
  if (has_infinity && exponent == (1 << exponent_bits) - 1) return std::nan("");
  const double value = exponent == 0 ? std::ldexp(static_cast<double>(fraction), 1 - bias - fraction_bits)
                                     : std::ldexp(static_cast<double>(fraction + (std::uint64_t{1} << fraction_bits)),
                                                  exponent - bias - fraction_bits);
  return code >> (exponent_bits + fraction_bits) & 1 ? -value : value;
}

/// The value of a code, from the formats' definitions. fnuz: gfx942's 8-bit floats.
inline double decode(Scalar type, std::uint64_t code, bool fnuz) {
  switch (type) {
    case Scalar::f64:
      return float_value(code, 11, 52, 1023, true);
    case Scalar::f32:
    case Scalar::xf32:
      return float_value(code, 8, 23, 127, true);
    case Scalar::f16:
      return float_value(code, 5, 10, 15, true);
    case Scalar::bf16:
      return float_value(code, 8, 7, 127, true);
    case Scalar::fp8:
      if (fnuz ? code == 0x80 : (code & 0x7f) == 0x7f) return std::nan("");
      return float_value(code, 4, 3, fnuz ? 8 : 7, false);
    case Scalar::bf8:
      if (fnuz && code == 0x80) return std::nan("");
      return float_value(code, 5, 2, fnuz ? 16 : 15, !fnuz);
    case Scalar::fp6:
      return float_value(code, 2, 3, 1, false);
    case Scalar::bf6:
      return float_value(code, 3, 2, 3, false);
    case Scalar::fp4:
      return float_value(code, 2, 1, 1, false);
    case Scalar::i8:
      return static_cast<std::int8_t>(code);
    case Scalar::i4:
      return static_cast<int>(code) - (code & 8 ? 16 : 0);
    case Scalar::i32:
      return static_cast<std::int32_t>(code);
    default:
      return static_cast<double>(code);
  }
}

enum class Family { mfma, smfmac, wmma, swmmac };

struct Atom {
  const char* name;     ///< of the builtin, without its prefix
  const char* targets;  ///< "gfx942 gfx950"
  Family family;
  int m, n, k, blocks;
  Scalar a, b, c, d;
  int scale_block = 0;              ///< consecutive k that share a scale; 0: none
  const char* wmma_name = nullptr;  ///< of the instruction

  bool sparse() const { return family == Family::smfmac || family == Family::swmmac; }
  bool cdna() const { return family == Family::mfma || family == Family::smfmac; }
};

/// An element of an operand or result: row or column and k, or row and column; block 0 but for multi-block MFMA.
struct Place {
  int block, index, k;
};

/// The wmma_cases.hpp description of a WMMA.
inline sim::test::WmmaCase wmma_of(const Atom& atom, const std::string& target, int lanes) {
  using sim::test::Element;
  auto c = sim::test::wmma_case(atom.wmma_name, target, lanes);
  const auto narrow = [](Scalar type) {
    return type == Scalar::bf8   ? Element::bf8
           : type == Scalar::fp6 ? Element::fp6
           : type == Scalar::bf6 ? Element::bf6
           : type == Scalar::fp4 ? Element::fp4
                                 : Element::fp8;
  };
  if (std::string(atom.name).find("f8f6f4") != std::string::npos) {
    c.a = narrow(atom.a);
    c.b = narrow(atom.b);
  }
  return c;
}

/// Slots of a lane.
inline int operand_slots(const Atom& atom, bool is_a, const std::string& target, int lanes) {
  if (!atom.cdna()) {
    const auto c = wmma_of(atom, target, lanes);
    return is_a ? c.a_slots() * c.m / 16 : c.b_slots();
  }
  const int dense = (is_a ? atom.m : atom.n) * atom.k * atom.blocks / 64;
  return is_a && atom.sparse() ? dense / 2 : dense;
}

/// Which element of A (B) a slot holds; of sparse A, the first k of the four that its pair is placed among.
inline Place operand_place(const Atom& atom, bool is_a, const std::string& target, int lanes, int lane, int slot) {
  if (!atom.cdna()) {
    const auto c = wmma_of(atom, target, lanes);
    const int tile = is_a ? slot / c.a_slots() : 0, own = is_a ? slot % c.a_slots() : slot;
    const int bits = scalar_bits(is_a ? atom.a : atom.b);
    const int k = !atom.sparse() ? dense_k(c, bits, lane, own)
                  : is_a         ? sparse_k(c, lane, own)
                                 : uncompressed_k(c, lane, own);
    return {0, 16 * tile + lane % 16, k};
  }
  const int extent = is_a ? atom.m : atom.n;
  if (atom.a == Scalar::f64 && atom.m == 4) return {lane / 4 % 4, lane % 4, lane / 16};
  const int k_lane = atom.k * extent * atom.blocks / 64, group = lane / extent;
  if (atom.sparse()) return {0, lane % extent, k_lane * group + (is_a ? 4 * (slot / 2) : slot)};
  if (std::string(atom.name).find("f8f6f4") != std::string::npos) {
    const bool bytes = scalar_bits(is_a ? atom.a : atom.b) == 8;
    return {0, lane % extent, bytes ? atom.k / 2 * (slot / 16) + 16 * group + slot % 16 : 32 * group + slot};
  }
  return {group % atom.blocks, lane % extent, k_lane * (group / atom.blocks) + slot};
}

/// Lane and slot of row i, column j.
inline sim::test::ResultPlace result_place(const Atom& atom, const std::string& target, int lanes, int block, int i,
                                           int j) {
  if (!atom.cdna()) return sim::test::result_place(wmma_of(atom, target, lanes), i, j);
  if (atom.a == Scalar::f64) {
    if (atom.m == 4) return {16 * i + 4 * block + j, 0};
    return {16 * (i % 4) + j, i / 4};
  }
  const int side = std::max(1, 64 * 4 / (atom.m * atom.n)), across = 64 / (side * atom.n),
            groups = atom.m / (4 * across);
  return {j + atom.n * (i / 4 % across + across * (block % side)),
          i % 4 + 4 * (i / (4 * across) + groups * (block / side))};
}

/// A random code: any finite one of the narrow types, moderate numbers of the others; `exact`: few enough bits that
/// f32 holds every sum exactly.
inline std::uint64_t random_code(Scalar type, bool exact, bool fnuz, std::mt19937& generator) {
  const int bits = scalar_bits(type);
  for (;;) {
    std::uint64_t code = generator();
    switch (type) {
      case Scalar::f64:
        code = (code << 32 | generator()) & 0x800fffff'ffffffffu;
        code |= static_cast<std::uint64_t>(1021 + generator() % 5) << 52;
        if (exact) code &= 0xfffe0000'00000000u;
        break;
      case Scalar::f32:
      case Scalar::xf32:
        code = (code & 0x807fffffu) | (125u + generator() % 5) << 23;
        if (exact)
          code &= 0xfff00000u;
        else if (type == Scalar::xf32)
          code &= 0xffffe000u;
        break;
      case Scalar::f16:
        code = (code & 0x83ffu) | (13u + generator() % 5) << 10;
        if (exact) code &= 0xff80u;
        break;
      case Scalar::bf16:
        code = (code & 0x807fu) | (125u + generator() % 5) << 7;
        if (exact) code &= 0xfff0u;
        break;
      default:
        code &= bits == 32 ? 0xffffffffu : (1u << bits) - 1;
    }
    const double value = decode(type, code, fnuz);
    if (std::isnan(value)) continue;
    if (is_integer(type)) return code;
    // Multiples of a half up to 4.
    if (exact && bits <= 8 && (std::fabs(value) > 4 || value * 2 != std::floor(value * 2))) continue;
    return code;
  }
}

}  // namespace zellige::test
