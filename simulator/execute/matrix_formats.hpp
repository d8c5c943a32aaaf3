// Narrow floating-point formats of matrix operands, as exact tables of floats.
#pragma once

#include <array>
#include <cstdint>

namespace zellige::sim {

/// Codes as the f8f6f4 instructions number them.
enum class NarrowFormat : std::uint8_t { fp8, bf8, fp6, bf6, fp4, fp8_fnuz, bf8_fnuz };

[[gnu::always_inline]] constexpr int narrow_bits(NarrowFormat format) {
  switch (format) {
    case NarrowFormat::fp6:
    case NarrowFormat::bf6:
      return 6;
    case NarrowFormat::fp4:
      return 4;
    default:
      return 8;
  }
}

/// The value of every code of `format`; 2^narrow_bits entries. fp8 is E4M3 (bias 7, no infinity, S.1111.111 is NaN),
/// bf8 E5M2 (bias 15, as IEEE), the fnuz forms have bias 8 and 16, one NaN at 0x80 and no infinity; fp6 is E2M3, bf6
/// E3M2, fp4 E2M1, all finite. [OCP 8-bit and MX format specifications.]
const float* narrow_table(NarrowFormat format);

struct Workgroup;

/// The 8-bit table of the target that the workgroup runs on: gfx942 has the fnuz formats, gfx950 the OCP ones.
const float* eight_bit_table(const Workgroup& group, bool bf8);

}  // namespace zellige::sim
