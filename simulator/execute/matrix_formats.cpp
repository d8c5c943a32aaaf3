// Tables of narrow floating-point formats, computed at compile time.
#include "simulator/execute/matrix_formats.hpp"

#include <limits>

#include "simulator/decode/program.hpp"
#include "simulator/execute/workgroup.hpp"

namespace zellige::sim {
namespace {

enum class Specials : std::uint8_t { none, ieee, top_nan, fnuz };

constexpr float power_of_two(int exponent) {
  float value = 1;
  for (; exponent > 0; --exponent) value *= 2;
  for (; exponent < 0; ++exponent) value /= 2;
  return value;
}

constexpr float decode(int code, int exponent_bits, int fraction_bits, int bias, Specials specials) {
  const int fraction = code & ((1 << fraction_bits) - 1), exponent = code >> fraction_bits & ((1 << exponent_bits) - 1);
  const bool negative = code >> (exponent_bits + fraction_bits) & 1;
  const int top = (1 << exponent_bits) - 1;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  if (specials == Specials::fnuz && negative && exponent == 0 && fraction == 0) return nan;
  if (specials == Specials::top_nan && exponent == top && fraction == (1 << fraction_bits) - 1) return nan;
  if (specials == Specials::ieee && exponent == top) return fraction != 0 ? nan : negative ? -infinity : infinity;
  const float unit = power_of_two((exponent == 0 ? 1 : exponent) - bias - fraction_bits);
  const float magnitude = static_cast<float>(exponent == 0 ? fraction : fraction + (1 << fraction_bits)) * unit;
  return negative ? -magnitude : magnitude;
}

template <int exponent_bits, int fraction_bits, int bias, Specials specials>
constexpr auto make_table() {
  std::array<float, 1 << (1 + exponent_bits + fraction_bits)> table{};
  for (int code = 0; code < static_cast<int>(table.size()); ++code)
    table[static_cast<std::size_t>(code)] = decode(code, exponent_bits, fraction_bits, bias, specials);
  return table;
}

constexpr auto fp8 = make_table<4, 3, 7, Specials::top_nan>();
constexpr auto bf8 = make_table<5, 2, 15, Specials::ieee>();
constexpr auto fp6 = make_table<2, 3, 1, Specials::none>();
constexpr auto bf6 = make_table<3, 2, 3, Specials::none>();
constexpr auto fp4 = make_table<2, 1, 1, Specials::none>();
constexpr auto fp8_fnuz = make_table<4, 3, 8, Specials::fnuz>();
constexpr auto bf8_fnuz = make_table<5, 2, 16, Specials::fnuz>();

}  // namespace

const float* narrow_table(NarrowFormat format) {
  switch (format) {
    case NarrowFormat::fp8:
      return fp8.data();
    case NarrowFormat::bf8:
      return bf8.data();
    case NarrowFormat::fp6:
      return fp6.data();
    case NarrowFormat::bf6:
      return bf6.data();
    case NarrowFormat::fp4:
      return fp4.data();
    case NarrowFormat::fp8_fnuz:
      return fp8_fnuz.data();
    case NarrowFormat::bf8_fnuz:
      return bf8_fnuz.data();
  }
  return nullptr;
}

const float* eight_bit_table(const Workgroup& group, bool bf8_format) {
  if (group.program->target == "gfx942")
    return narrow_table(bf8_format ? NarrowFormat::bf8_fnuz : NarrowFormat::fp8_fnuz);
  return narrow_table(bf8_format ? NarrowFormat::bf8 : NarrowFormat::fp8);
}

}  // namespace zellige::sim
