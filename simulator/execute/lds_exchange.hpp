// Which lane and element each lane gets from the LDS's cross-lane instructions: pure functions.
#pragma once

#include <cstdint>

#include "simulator/execute/wave.hpp"

namespace zellige::sim {

/// The lane that `lane` reads in ds_swizzle_b32, by its 16-bit immediate: FFT (from 0xe000), rotate (from 0xc000), quad
/// permutation (bit 15), else and, or, xor masks of the lane number. Lanes stay in their half of 32.
[[gnu::always_inline]] constexpr int swizzle_source(std::uint32_t control, int lane) {
  const int half = lane & 32, l = lane & 31;
  if (control >= 0xe000) {
    const int mask = static_cast<int>(control & 31);
    int reversed = 0, ones = 0;
    for (int bit = 0; bit < 5; ++bit) reversed |= (l >> bit & 1) << (4 - bit), ones += mask >> bit & 1;
    return (reversed >> ones | (l & mask)) | half;
  }
  if (control >= 0xc000) {
    const int mask = static_cast<int>(control & 31), amount = static_cast<int>(control >> 5 & 31);
    const int rotated = l + (control >> 10 & 1 ? -amount : amount);
    return ((l & mask) | (rotated & ~mask & 31)) | half;
  }
  if (control & 0x8000) return (lane & ~3) | static_cast<int>(control >> (2 * (lane & 3)) & 3);
  const int and_mask = static_cast<int>(control & 31), or_mask = static_cast<int>(control >> 5 & 31),
            xor_mask = static_cast<int>(control >> 10 & 31);
  return (((l & and_mask) | or_mask) ^ xor_mask) | half;
}

struct TransposeSource {
  int lane, element;
};

/// Element e of `lane` after a transposed read whose lanes fetch `per_lane` elements each: in groups of 16 lanes,
/// out[i][e] = in[(16 / n) * e + i / n][i % n] with n = per_lane. For 16-bit elements public sources and hardware
/// agree; the 8, 6 and 4-bit forms follow the same rule and are unverified.
[[gnu::always_inline]] constexpr TransposeSource transpose_source(int per_lane, int lane, int e) {
  const int i = lane % 16;
  return {lane - i + 16 / per_lane * e + i / per_lane, i % per_lane};
}

/// The same for the transposed loads of gfx12 and gfx1250 (from LDS and from global memory), elements of `bits` bits:
///   16 bits  groups of  8 lanes, out[i][e] = in[e][i]
///    8 bits  groups of 16 lanes, out[i][e] = in[8 (e / 4) + 4 (i / 8) + e % 4][i % 8]
///    6 and 4  groups of 16 lanes, out[i][e] = in[e][i]
/// The 16 and 8-bit rows are those of two public models; the other two follow the 16-bit one and are unverified.
[[gnu::always_inline]] constexpr TransposeSource wmma_transpose_source(int bits, int lane, int e) {
  const int i = lane % (bits == 16 ? 8 : 16), group = lane - i;
  if (bits == 8) return {group + 8 * (e / 4) + 4 * (i / 8) + e % 4, i % 8};
  return {group + e, i};
}

}  // namespace zellige::sim
