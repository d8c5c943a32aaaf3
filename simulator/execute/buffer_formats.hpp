// Typed buffer accesses of gfx11 and gfx12: conversions between components (data_format.hpp) and register values.
//
// Loads: unorm is x / (2^n - 1), snorm max(-1, x / (2^(n-1) - 1)), scaled the number itself; a component that the
// format lacks is 0, the fourth 1. Stores: integers are clamped to the component's range [unverified on hardware],
// normalised ones rounded to nearest even. [The ISA documents'.]
#pragma once

#include <cstdint>

#include "simulator/execute/atomic_math.hpp"
#include "simulator/execute/data_format.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

ZELLIGE_SIM_INLINE std::uint32_t float_bits(float value) { return __builtin_bit_cast(std::uint32_t, value); }

/// The 32-bit register value of a component's raw bits.
ZELLIGE_SIM_INLINE std::uint32_t from_format(const BufferFormat& format, std::uint32_t raw) {
  const int unused = 32 - format.bits;
  const std::int32_t extended = static_cast<std::int32_t>(raw << unused) >> unused;
  const float most = static_cast<float>((std::uint64_t{1} << format.bits) - 1);
  const float most_signed = static_cast<float>((std::uint64_t{1} << (format.bits - 1)) - 1);
  switch (format.kind) {
    case NumberFormat::unorm:
      return float_bits(static_cast<float>(raw) / most);
    case NumberFormat::snorm: {
      const float value = static_cast<float>(extended) / most_signed;
      return float_bits(value < -1.0f ? -1.0f : value);
    }
    case NumberFormat::uscaled:
      return float_bits(static_cast<float>(raw));
    case NumberFormat::sscaled:
      return float_bits(static_cast<float>(extended));
    case NumberFormat::sint:
      return static_cast<std::uint32_t>(extended);
    case NumberFormat::number:
      return format.bits == 16 ? float_bits(widen_half(raw)) : raw;
    default:
      return raw;
  }
}

/// The raw bits of a component for a 32-bit register value.
ZELLIGE_SIM_INLINE std::uint32_t to_format(const BufferFormat& format, std::uint32_t value) {
  const std::uint64_t most = (std::uint64_t{1} << format.bits) - 1, most_signed = most >> 1;
  const float number = __builtin_bit_cast(float, value);
  const auto normalised = [&](float low, std::uint64_t scale) {
    const float clamped = number != number ? 0.0f : number < low ? low : number > 1.0f ? 1.0f : number;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(__builtin_rintf(clamped * static_cast<float>(scale)))) &
           static_cast<std::uint32_t>(most);
  };
  switch (format.kind) {
    case NumberFormat::unorm:
      return normalised(0.0f, most);
    case NumberFormat::snorm:
      return normalised(-1.0f, most_signed);
    case NumberFormat::sint: {
      const auto integer = static_cast<std::int32_t>(value);
      const auto high = static_cast<std::int64_t>(most_signed), low = -high - 1;
      const std::int64_t clamped = integer < low ? low : integer > high ? high : integer;
      return static_cast<std::uint32_t>(clamped) & static_cast<std::uint32_t>(most);
    }
    case NumberFormat::number:
      return format.bits == 16 ? narrow_half(number) : value;
    default:
      return value > most ? static_cast<std::uint32_t>(most) : value;
  }
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
