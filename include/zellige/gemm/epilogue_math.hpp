// Epilogues on the device: a few consecutive elements of a row of the output, before they are rounded.
#pragma once

#include <type_traits>

#include "zellige/core/kernel_pointers.hpp"
#include "zellige/gemm/epilogue_op.hpp"
#include "zellige/gemm/slab_sum.hpp"

namespace zellige {

/// What an epilogue reads, of one batch. What it lacks is an empty buffer: everything in it is 0.
struct EpilogueSources {
  Buffer scale, bias, residual;
};

/// `columns` of a batch, the `batch`-th. Its part of the residual begins `start_c` bytes into C, whose size bounds it.
template <Arch arch>
ZELLIGE_DEVICE EpilogueSources epilogue_sources(const KernelPointers& p, const EpilogueArgs& e, std::uint32_t batch,
                                                std::uint32_t columns, int element, std::uint32_t start_c,
                                                std::uint32_t bytes_c) {
  const std::uint32_t bytes = columns * static_cast<std::uint32_t>(element), before = batch * bytes;
  const auto size = [&](std::uint32_t part, std::uint32_t whole) { return e.flags & part ? whole : 0; };
  return {make_buffer<arch>(static_cast<const char*>(p.scale) + before, size(EpilogueArgs::with_scale, bytes)),
          make_buffer<arch>(static_cast<const char*>(p.bias) + before, size(EpilogueArgs::with_bias, bytes)),
          make_buffer<arch>(static_cast<const char*>(p.residual) + start_c,
                            size(EpilogueArgs::with_residual, bytes_c - start_c))};
}

/// Elements of type `output` at `offset`, in the accumulator's type.
template <DataType output, class Element, int count>
ZELLIGE_DEVICE vec<Element, count> load_widened(const Buffer& buffer, std::uint32_t offset) {
  using Bits = std::conditional_t<bytes_of(output) == 2, std::uint16_t, std::uint32_t>;
  constexpr int parts = bytes_of(output) / static_cast<int>(sizeof(Bits));
  const auto bits = bit_cast<vec<Bits, parts * count>>(load<bytes_of(output) * count>(buffer, offset, 0));
  vec<Element, count> values;
  ZELLIGE_UNROLL
  for (int i = 0; i < count; ++i) {
    vec<Bits, parts> one;
    ZELLIGE_UNROLL
    for (int p = 0; p < parts; ++p) one[p] = bits[i * parts + p];
    values[i] = widen<output, Element>(one);
  }
  return values;
}

/// The epilogue of one sum, whatever reads the other operands.
template <class Element>
ZELLIGE_DEVICE Element finished(const EpilogueArgs& e, Element sum, Element scale, Element bias, Element residual) {
  const Element low = e.low, high = e.high, x = sum * scale + bias + residual;
  return x < low ? low : x > high ? high : x;  // NaN compares with nothing, and so stays
}

/// The epilogue of `count` sums from `column` of the batch on. `offset` is where they go in C, and where the residual
/// lies. There is no branch: a scale that is lacking is 1, a bias or residual 0, limits infinite.
template <DataType output, class Element, int count>
ZELLIGE_DEVICE void apply_epilogue(const EpilogueArgs& e, const EpilogueSources& from, std::uint32_t column,
                                   std::uint32_t offset, vec<Element, count>& sum) {
  const std::uint32_t at = column * static_cast<std::uint32_t>(sizeof(Element));
  const auto scale = load_elements<Element, count>(from.scale, at, 0);
  const auto bias = load_elements<Element, count>(from.bias, at, 0);
  const auto residual = load_widened<output, Element, count>(from.residual, offset);
  const Element unit = e.flags & EpilogueArgs::with_scale ? 0 : 1;
  ZELLIGE_UNROLL
  for (int i = 0; i < count; ++i) sum[i] = finished<Element>(e, sum[i], scale[i] + unit, bias[i], residual[i]);
}

}  // namespace zellige
