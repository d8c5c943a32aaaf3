// Every WMMA and SWMMAC of the wave32 targets, with operands laid out by the published formulas, target by target, in
// terms of lanes, registers and k (which the simulator's own groups and slots must reproduce).
//
// gfx11 and gfx12: AMD's matrix instruction calculator. gfx1250: runs of 16 bytes alternate between the two halves of
// the wave.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace zellige::sim::test {

enum class Element { f32, f16, bf16, fp8, bf8, fp6, bf6, fp4, i8, i4, i32 };

inline int element_bits(Element type) {
  switch (type) {
    case Element::f32:
    case Element::i32:
      return 32;
    case Element::f16:
    case Element::bf16:
      return 16;
    case Element::fp6:
    case Element::bf6:
      return 6;
    case Element::fp4:
    case Element::i4:
      return 4;
    default:
      return 8;
  }
}

/// One instruction on one target and wave size, read off its name.
struct WmmaCase {
  std::string name, target;
  int lanes = 32, m = 16, k = 0;
  Element a{}, b{}, c{}, d{};
  bool sparse = false;

  bool gfx11() const { return target == "gfx1100" || target == "gfx1151"; }
  /// gfx1250's own shapes (it has gfx12's small ones too).
  bool gfx1250() const { return target == "gfx1250" && (bits() == 32 || k > (bits() == 4 ? 64 : sparse ? 32 : 16)); }
  int bits() const { return element_bits(a); }
  bool integer() const { return d == Element::i32; }
  /// Lanes that hold A: gfx12 leaves the upper half of a wave64 unread where A fills one register of half the lanes.
  int a_lanes() const { return lanes == 64 && bits() == 4 && (sparse ? k == 32 : k == 16) && !gfx11() ? 32 : lanes; }
  int b_lanes() const { return sparse ? lanes : a_lanes(); }
  int a_slots() const { return gfx11() ? k : (sparse ? k / 2 : k) * 16 / a_lanes(); }
  int b_slots() const { return gfx11() ? k : k * 16 / b_lanes(); }
};

inline Element element_named(std::string_view name) {
  constexpr std::pair<std::string_view, Element> names[] = {
      {"f32", Element::f32}, {"f16", Element::f16},   {"bf16", Element::bf16}, {"fp8", Element::fp8},
      {"bf8", Element::bf8}, {"f4", Element::fp4},    {"iu8", Element::i8},    {"iu4", Element::i4},
      {"i32", Element::i32}, {"f8f6f4", Element::fp8}};
  for (const auto& [text, type] : names)
    if (text == name) return type;
  throw std::runtime_error("no element type " + std::string(name));
}

/// "v_wmma_bf16f32_16x16x32_bf16": result and accumulator, shape, A and B.
inline WmmaCase wmma_case(std::string_view name, std::string target, int lanes) {
  WmmaCase c{.name = std::string(name), .target = std::move(target), .lanes = lanes};
  std::vector<std::string_view> parts;
  for (std::string_view rest = name; !rest.empty();) {
    const auto end = rest.find('_');
    parts.push_back(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  }
  c.sparse = parts[1] == "swmmac";
  std::size_t next = 2;
  if (parts[next].starts_with("scale")) ++next;
  const bool mixed = parts[next] == "bf16f32";
  c.d = mixed ? Element::bf16 : element_named(parts[next]);
  c.c = mixed ? Element::f32 : c.d;
  const std::string shape(parts[++next]);
  c.m = std::stoi(shape);
  c.k = std::stoi(shape.substr(shape.rfind('x') + 1));
  c.a = element_named(parts[++next]);
  c.b = next + 1 < parts.size() ? element_named(parts[next + 1]) : c.a;
  return c;
}

/// k of a dense operand's slot.
inline int dense_k(const WmmaCase& c, int bits, int lane, int slot) {
  const int half = lane / 16 % 2, upper = lane / 32;
  if (c.gfx11()) return slot;
  if (c.gfx1250()) {
    if (bits == 32) return 2 * half + slot;
    const int run = bits == 6 ? 32 : 128 / bits;
    return 2 * run * (slot / run) + run * half + slot % run;
  }
  if (bits == 16) return c.lanes == 32 ? 8 * (slot / 4) + 4 * half + slot % 4 : 4 * (lane / 16) + slot;
  if (c.lanes == 32 || c.a_lanes() == 32) return c.k / 2 * half + slot;
  return c.k / 2 * half + c.k / 4 * upper + slot;
}

/// First of the four consecutive k among which a stored value of sparse A is placed.
inline int sparse_k(const WmmaCase& c, int lane, int slot) {
  const int half = lane / 16 % 2, upper = lane / 32, pair = slot / 2;
  if (c.gfx1250()) {
    const int run = 128 / c.bits();
    return 4 * ((2 * run * (slot / run) + run * half + slot % run) / 2);
  }
  if (c.bits() == 16) return c.lanes == 32 ? 16 * (pair / 2) + 8 * half + 4 * (pair % 2) : 8 * (lane / 16) + 4 * pair;
  if (c.lanes == 32 || c.a_lanes() == 32) return c.k / 2 * half + 4 * pair;
  return c.k / 2 * half + c.k / 4 * upper + 4 * pair;
}

/// k of a slot of B that sparse A multiplies.
inline int uncompressed_k(const WmmaCase& c, int lane, int slot) {
  const int half = lane / 16 % 2, upper = lane / 32;
  if (c.gfx1250()) {
    const int run = 256 / c.bits();
    return 2 * run * (slot / run) + run * half + slot % run;
  }
  if (c.bits() == 16) return c.lanes == 32 ? 16 * (slot / 8) + 8 * half + slot % 8 : 8 * (lane / 16) + slot;
  return c.lanes == 32 ? c.k / 2 * half + slot : c.k / 2 * half + c.k / 4 * upper + slot;
}

/// Where the two index bits of a stored value lie: lane and first bit.
struct IndexPlace {
  int lane, bit;
};
inline IndexPlace index_place(const WmmaCase& c, int lane, int slot) {
  if (!c.gfx1250()) return {lane, 2 * slot};
  // Stored values of a row counted by k: the first half of them is described in lane row, the second in lane 16 + row.
  const int run = 128 / c.bits(), stored = c.a_slots();
  const int count = 2 * run * (slot / run) + run * (lane / 16) + slot % run;
  return {lane % 16 + 16 * (count / stored), 2 * (count % stored)};
}

/// Lane and slot (element, counted through the registers) of row i, column j of C and D.
struct ResultPlace {
  int lane, slot;
};
inline ResultPlace result_place(const WmmaCase& c, int i, int j) {
  if (c.gfx11()) return {c.lanes == 32 ? 16 * (i % 2) + j : 16 * (i % 4) + j, c.lanes == 32 ? i / 2 : i / 4};
  if (c.lanes == 64) return {32 * (i / 4 % 2) + 16 * (i / 8) + j, i % 4};
  return {16 * (i % 16 / 8) + j, 8 * (i / 16) + i % 8};
}

/// Bits of a value that `type` holds exactly.
inline std::uint32_t encode(Element type, double value) {
  const double magnitude = std::fabs(value);
  const std::uint32_t sign = std::signbit(value);
  const auto narrow = [&](std::initializer_list<std::uint32_t> codes, int bits) {
    constexpr double values[] = {0, 0.5, 1, 2, 3, 4};
    for (int i = 0; i < 6; ++i)
      if (magnitude == values[i]) return *(codes.begin() + i) | sign << (bits - 1);
    throw std::runtime_error("no code in the table");
  };
  switch (type) {
    case Element::i32:
      return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
    case Element::i8:
      return static_cast<std::uint32_t>(static_cast<int>(value)) & 0xffu;
    case Element::i4:
      return static_cast<std::uint32_t>(static_cast<int>(value)) & 0xfu;
    case Element::f32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case Element::bf16:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16;
    case Element::f16: {
      if (magnitude == 0) return sign << 15;
      const int exponent = std::ilogb(magnitude);
      return sign << 15 | static_cast<std::uint32_t>(15 + exponent) << 10 |
             (static_cast<std::uint32_t>(std::ldexp(magnitude, 10 - exponent)) & 0x3ffu);
    }
    case Element::fp8:
      return narrow({0, 0x30, 0x38, 0x40, 0x44, 0x48}, 8);
    case Element::bf8:
      return narrow({0, 0x38, 0x3c, 0x40, 0x42, 0x44}, 8);
    case Element::fp6:
      return narrow({0, 0x04, 0x08, 0x10, 0x14, 0x18}, 6);
    case Element::bf6:
      return narrow({0, 0x08, 0x0c, 0x10, 0x12, 0x14}, 6);
    case Element::fp4:
      return narrow({0, 1, 2, 4, 5, 6}, 4);
  }
  return 0;
}

inline double decode_result(Element type, std::uint32_t word) {
  switch (type) {
    case Element::i32:
      return static_cast<std::int32_t>(word);
    case Element::bf16:
      return std::bit_cast<float>(word << 16);
    case Element::f16: {
      const int exponent = static_cast<int>(word >> 10 & 31), fraction = static_cast<int>(word & 0x3ff);
      const double value = exponent == 0    ? std::ldexp(fraction, -24)
                           : exponent == 31 ? (fraction ? std::nan("") : HUGE_VAL)
                                            : std::ldexp(1024 + fraction, exponent - 25);
      return word & 0x8000u ? -value : value;
    }
    default:
      return std::bit_cast<float>(word);
  }
}

/// Random values that keep every sum exact in the result's type: small integers (halves too for types of 8 bits and
/// less).
inline double random_element(Element type, const WmmaCase& c, bool is_signed, std::mt19937& generator) {
  const auto between = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator); };
  switch (type) {
    case Element::i8:
      return is_signed ? between(-128, 127) : between(0, 255);
    case Element::i4:
      return is_signed ? between(-8, 7) : between(0, 15);
    case Element::f32:
      return between(-64, 64);
    case Element::f16:
    case Element::bf16:
      return c.d == Element::f32 ? between(-16, 16) : between(-2, 2);
    default: {
      constexpr double values[] = {0, 0.5, 1, 2, 3, 4};
      const double value = values[between(0, c.d == Element::f32 ? 5 : 3)];
      return between(0, 1) ? -value : value;
    }
  }
}

}  // namespace zellige::sim::test
