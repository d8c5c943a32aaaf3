// Sums over the slabs of a split reduction, and vectors of elements on their way between memory and registers.
//
// The law: a sum is slab 0 + slab 1 + ..., in this order, whoever computes it and however wide its vectors are: the
// same degree gives the same bits.
#pragma once

#include "zellige/atom/copy.hpp"
#include "zellige/core/convert.hpp"

namespace zellige {

/// `count` consecutive elements at the lane's offset plus the wave's.
template <class Element, int count>
ZELLIGE_DEVICE vec<Element, count> load_elements(const Buffer& buffer, std::uint32_t lane_offset,
                                                 std::uint32_t wave_offset) {
  return bit_cast<vec<Element, count>>(
      load<static_cast<int>(sizeof(Element)) * count>(buffer, lane_offset, wave_offset));
}

/// `values` as consecutive elements of type `output`, each rounded once.
template <DataType output, class Element, int count>
ZELLIGE_DEVICE auto convert_all(const vec<Element, count>& values) {
  constexpr int bytes = bytes_of(output) * count;
  using Bits = std::conditional_t<bytes_of(output) == 2, std::uint16_t, std::uint32_t>;
  constexpr int parts = bytes_of(output) / static_cast<int>(sizeof(Bits));  // of an element
  vec<Bits, parts * count> all;
  ZELLIGE_UNROLL
  for (int i = 0; i < count; ++i) {
    const auto bits = convert<output>(static_cast<Element>(values[i]));
    ZELLIGE_UNROLL
    for (int p = 0; p < parts; ++p) all[i * parts + p] = bits[p];
  }
  return bit_cast<Packet<bytes>>(all);
}

/// The sums of `count` consecutive elements at `offset` bytes of the slabs, a degree that is known: all loads may be
/// under way at once.
template <class Element, int count, int degree>
ZELLIGE_DEVICE vec<Element, count> sum_known_slabs(const Buffer& slabs, std::uint32_t slab_bytes,
                                                   std::uint32_t offset) {
  vec<Element, count> parts[degree];
  ZELLIGE_UNROLL
  for (int s = 0; s < degree; ++s) parts[s] = load_elements<Element, count>(slabs, offset, s * slab_bytes);
  vec<Element, count> sum = parts[0];
  ZELLIGE_UNROLL
  for (int s = 1; s < degree; ++s) {
    ZELLIGE_UNROLL
    for (int i = 0; i < count; ++i) sum[i] += parts[s][i];
  }
  return sum;
}

/// The same for any degree: `at_once` slabs at a time, then one by one.
template <class Element, int count, int at_once>
ZELLIGE_DEVICE vec<Element, count> sum_slabs(const Buffer& slabs, std::uint32_t slab_bytes, std::uint32_t degree,
                                             std::uint32_t offset) {
  vec<Element, count> sum = load_elements<Element, count>(slabs, offset, 0);
  std::uint32_t s = 1;
  ZELLIGE_NO_UNROLL
  for (; s + at_once <= degree; s += at_once) {
    vec<Element, count> parts[at_once];
    ZELLIGE_UNROLL
    for (int p = 0; p < at_once; ++p) parts[p] = load_elements<Element, count>(slabs, offset, (s + p) * slab_bytes);
    ZELLIGE_UNROLL
    for (int p = 0; p < at_once; ++p) {
      ZELLIGE_UNROLL
      for (int i = 0; i < count; ++i) sum[i] += parts[p][i];
    }
  }
  ZELLIGE_NO_UNROLL
  for (; s < degree; ++s) {
    const vec<Element, count> part = load_elements<Element, count>(slabs, offset, s * slab_bytes);
    ZELLIGE_UNROLL
    for (int i = 0; i < count; ++i) sum[i] += part[i];
  }
  return sum;
}

}  // namespace zellige
