// Matrix instructions of all families behind one door: find_mma() picks the descriptor, fma() executes it.
//
// A new instruction is one enumerator (mma_descriptor.hpp), one row and one line of fma in its family's header.
//
//   constexpr Mma mma = find_mma(Arch::gfx942, DataType::f16, {32, 32, 8});
//   static_assert(mma.op != MmaOp::none);
//   c = fma<mma.op>(a, b, c);  // a, b: vec<std::uint32_t, 2>, c: vec<float, 16>
#pragma once

#include "zellige/atom/mma_cdna.hpp"
#include "zellige/atom/mma_sm90.hpp"
#include "zellige/core/verdict.hpp"

namespace zellige {

namespace detail {

template <int N>
ZELLIGE_HD constexpr MmaRow find_row(const Array<MmaRow, N>& rows, Arch arch, InputTypes input, Mnk shape, int blocks) {
  for (const MmaRow& row : rows) {
    const bool types = row.input == input.a && row.input_b == input.b;
    if (row.archs.has(arch) && types && row.blocks == blocks && row.shape == shape) return row;
  }
  return {};
}

template <int N>
ZELLIGE_HD constexpr Text list_shapes(const Array<MmaRow, N>& rows, Arch arch, InputTypes input, int blocks) {
  Text text;
  for (const MmaRow& row : rows) {
    if (!row.archs.has(arch) || row.input != input.a || row.input_b != input.b || row.blocks != blocks) continue;
    text = text << (text.length != 0 ? ", " : "") << row.shape;
  }
  return text;
}

}  // namespace detail

/// The instruction of `arch` that multiplies `blocks` products of this shape and types; op is none when there is none.
ZELLIGE_HD constexpr Mma find_mma(Arch arch, InputTypes input, Mnk shape, int blocks = 1) {
  switch (arch_traits(arch).matrix) {
    case MatrixPath::mfma:
      if (const MmaRow row = detail::find_row(mfma_rows(), arch, input, shape, blocks); row.op != MmaOp::none)
        return mfma_of(row);
      break;
    case MatrixPath::mma_sync:
      if (const MmaRow row = detail::find_row(mma_sync_rows(), arch, input, shape, blocks); row.op != MmaOp::none)
        return mma_sync_of(row);
      break;
    default:
      break;
  }
  return {};
}

/// The shapes that `arch` has for a type, "32x32x8, 16x16x16", for refusals; "none" when it has no such instruction.
ZELLIGE_HD constexpr Text mma_shapes(Arch arch, InputTypes input, int blocks = 1) {
  Text text;
  switch (arch_traits(arch).matrix) {
    case MatrixPath::mfma:
      text = detail::list_shapes(mfma_rows(), arch, input, blocks);
      break;
    case MatrixPath::mma_sync:
      text = detail::list_shapes(mma_sync_rows(), arch, input, blocks);
      break;
    default:
      break;
  }
  return text.length != 0 ? text : text << "none";
}

/// The operand of the piece-th of `pack` instructions, out of a lane's fragment under k_contiguous(map, pack).
///
/// `map` is the instruction's own map of the operand, `bytes` an element's size. The fragment holds the elements' bits
/// in slot order, as vec<std::uint32_t, pack * words>. A permutation of registers that is known at compile time: it
/// costs nothing where consecutive slots hold consecutive k, and register moves where an instruction interleaves rows
/// (mma.sync).
template <LaneMap map, int bytes, int pack, int piece, class Fragment>
ZELLIGE_DEVICE auto operand_of(const Fragment& fragment) {
  constexpr LaneMap lane_map = map;  // nvcc cannot use a template argument's members in device code
  constexpr int words = lane_map.slots() * bytes / 4;
  vec<std::uint32_t, words> operand;
  ZELLIGE_UNROLL
  for (int word = 0; word < words; ++word)
    operand[word] = fragment[fragment_slot(lane_map, pack, piece, word * 4 / bytes) * bytes / 4 + word * 4 % bytes / 4];
  return operand;
}

/// C + A * B by one wave. A and B are vec<std::uint32_t, words_a / words_b(mma)>, C is
/// vec<storage_t<mma.accumulator>, mma.c.slots()>.
template <MmaOp op, class A, class B, class C>
ZELLIGE_DEVICE C fma([[maybe_unused]] A a, [[maybe_unused]] B b, C c) {
#if defined(__CUDACC__)
  return fma_sm90<op>(a, b, c);
#elif defined(__HIP__)
  return fma_cdna<op>(a, b, c);
#else
  static_assert(sizeof(A) == 0, "matrix instructions exist in device code only");
  return c;
#endif
}

}  // namespace zellige
