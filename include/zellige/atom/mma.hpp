// Matrix instructions of all families behind one door: find_mma() picks the descriptor, fma() executes it.
//
// A new instruction is one enumerator (mma_descriptor.hpp), one row and one line of fma in its family's header.
//
//   constexpr Mma mma = find_mma(Arch::gfx942, DataType::f16, {32, 32, 8});
//   static_assert(mma.op != MmaOp::none);
//   c = fma<mma.op>(a, b, c);  // a, b: vec<std::uint32_t, 2>, c: vec<float, 16>
#pragma once

#include "zellige/atom/mma_cdna.hpp"
#include "zellige/atom/mma_gfx1250.hpp"
#include "zellige/atom/mma_rdna.hpp"
#include "zellige/atom/mma_scalar.hpp"
#include "zellige/atom/mma_sm90.hpp"
#include "zellige/core/verdict.hpp"

namespace zellige {

namespace detail {

template <int N>
ZELLIGE_HD constexpr MmaRow find_row(const Array<MmaRow, N>& rows, Arch arch, InputTypes input, Mnk shape, int blocks) {
  for (const MmaRow& row : rows) {
    const bool types = row.input == input.a && row.input_b() == input.b;
    if (row.archs.has(arch) && types && row.blocks == blocks && row.shape == shape) return row;
  }
  return {};
}

/// `text` and the shapes of these rows.
template <int N>
ZELLIGE_HD constexpr Text list_shapes(Text text, const Array<MmaRow, N>& rows, Arch arch, InputTypes input,
                                      int blocks) {
  for (const MmaRow& row : rows) {
    if (!row.archs.has(arch) || row.input != input.a || row.input_b() != input.b || row.blocks != blocks) continue;
    text = text << (text.length != 0 ? ", " : "") << row.shape;
  }
  return text;
}

}  // namespace detail

/// The instruction of `arch` that multiplies `blocks` products of this shape and types; op is none when there is none.
ZELLIGE_HD constexpr Mma find_mma(Arch arch, InputTypes input, Mnk shape, int blocks = 1) {
  const auto row_of = [&](const auto& rows) { return detail::find_row(rows, arch, input, shape, blocks); };
  switch (arch_traits(arch).matrix) {
    case MatrixPath::mfma:
      if (const MmaRow row = row_of(mfma_rows()); row.op != MmaOp::none) return mfma_of(row);
      break;
    case MatrixPath::wmma_gfx11:
    case MatrixPath::wmma_gfx12:
      if (const MmaRow row = row_of(rdna_rows()); row.op != MmaOp::none) return rdna_mma_of(row);
      if (const MmaRow row = row_of(scalar_rows()); row.op != MmaOp::none) return scalar_mma_of(row);
      break;
    case MatrixPath::wmma_gfx1250:
      if (const MmaRow row = row_of(gfx1250_rows()); row.op != MmaOp::none) return gfx1250_mma_of(row);
      break;
    case MatrixPath::mma_sync:
      if (const MmaRow row = row_of(mma_sync_rows()); row.op != MmaOp::none) return mma_sync_of(row);
      if (const MmaRow row = row_of(wgmma_table()); row.op != MmaOp::none) return wgmma_of(row);
      break;
    case MatrixPath::none:
      break;
  }
  return {};
}

/// The shapes that `arch` has for a type, "32x32x8, 16x16x16", for refusals; "none" when it has no such instruction.
ZELLIGE_HD constexpr Text mma_shapes(Arch arch, InputTypes input, int blocks = 1) {
  Text text;
  const auto add = [&](const auto& rows) { text = detail::list_shapes(text, rows, arch, input, blocks); };
  switch (arch_traits(arch).matrix) {
    case MatrixPath::mfma: add(mfma_rows()); break;
    case MatrixPath::wmma_gfx11:
    case MatrixPath::wmma_gfx12:
      add(rdna_rows());
      add(scalar_rows());
      break;
    case MatrixPath::wmma_gfx1250: add(gfx1250_rows()); break;
    case MatrixPath::mma_sync:
      add(mma_sync_rows());
      add(wgmma_table());
      break;
    case MatrixPath::none: break;
  }
  return text.length != 0 ? text : text << "none";
}

/// FLOP a clock of one SIMD's matrix core at best, for a type; 0 where no instruction's duration is public.
constexpr double peak_flops_per_clock(Arch arch, InputTypes input) {
  double best = 0;
  const auto visit = [&](const auto& rows) {
    for (const MmaRow& row : rows) {
      if (!row.archs.has(arch) || row.input != input.a || row.input_b() != input.b || row.passes == 0) continue;
      best = max_of(best, 2.0 * row.shape.m * row.shape.n * row.shape.k * row.blocks / (4.0 * row.passes));
    }
  };
  visit(mfma_rows());
  visit(rdna_rows());
  visit(scalar_rows());
  visit(gfx1250_rows());
  return best;
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
  // By the number ranges of MmaOp: a target's pass compiles the line that it asks for alone.
  constexpr int number = static_cast<int>(op);
  if constexpr (number < 200)
    return fma_cdna<op>(a, b, c);
  else if constexpr (number < 290)
    return fma_rdna<op>(a, b, c);
  else if constexpr (number < 300)
    return fma_scalar<op>(a, b, c);
  else
    return fma_gfx1250<op>(a, b, c);
#else
  static_assert(sizeof(A) == 0, "matrix instructions exist in device code only");
  return c;
#endif
}

}  // namespace zellige
