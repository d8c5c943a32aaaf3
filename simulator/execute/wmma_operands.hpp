// Operands of WMMA and SWMMAC instructions: sign modifiers, gfx11's repeated halves, accumulators, integer results.
//
// How the decoder binds the modifiers: neg_lo is modifier_negate, neg_hi modifier_negate_high of A and B (low and high
// halves of registers; signedness of integers is neg_lo) and modifier_absolute of C, op_sel[2] modifier_op_sel of the
// destination. Of C the absolute value is taken first. Reuse hints change nothing.
#pragma once

#include <cstdint>

#include "simulator/execute/global_bounds.hpp"
#include "simulator/execute/matrix_convert.hpp"
#include "simulator/execute/matrix_operands.hpp"
#include "simulator/execute/wmma_shape.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// `rows`, or a copy in `storage` with bits flipped, as neg_lo and neg_hi ask for 16-bit halves or (32 bits) neg_lo for
/// words.
template <int registers, int bits>
inline const std::uint32_t* signed_rows(const std::uint32_t* rows, std::uint8_t modifiers, std::uint32_t* storage) {
  std::uint32_t flip = modifiers & modifier_negate ? (bits == 16 ? 0x8000u : 0x8000'0000u) : 0;
  if (bits == 16 && modifiers & modifier_negate_high) flip |= 0x8000'0000u;
  if (flip == 0) return rows;
  for (int r = 0; r < registers; ++r)
    for (int lane = 0; lane < lanes; ++lane) storage[r * row_lanes + lane] = rows[r * row_lanes + lane] ^ flip;
  return storage;
}

/// Whether all groups of 16 lanes hold the same, which gfx11 demands of A and B: hardware takes each element from more
/// than one group, so a program that breaks this has no defined result.
template <int registers>
inline bool groups_agree(const std::uint32_t* rows) {
  std::uint32_t different = 0;
  for (int r = 0; r < registers; ++r)
    for (int group = 1; group < lanes / 16; ++group)
      for (int lane = 0; lane < 16; ++lane)
        different |= rows[r * row_lanes + lane] ^ rows[r * row_lanes + 16 * group + lane];
  return different == 0;
}

inline const Instruction* fault_groups(Wave& wave, const Instruction* instruction) {
  return fault_wave(wave, instruction,
                    "A or B of this matrix instruction differs between the groups of 16 lanes, "
                    "which must all hold the same");
}

/// The bits that C's modifiers keep and flip, of words or of both halves.
struct SignBits {
  std::uint32_t keep, flip;
};
template <int bits>
inline SignBits accumulator_signs(const Operand& operand) {
  const std::uint32_t sign = bits == 16 ? 0x8000'8000u : 0x8000'0000u;
  return {operand.modifiers & modifier_absolute ? ~sign : ~0u, operand.modifiers & modifier_negate ? sign : 0u};
}

/// C of 32-bit floats: the registers themselves, one constant, or (modifiers) a copy in `storage`.
template <WmmaShape S>
inline Accumulator<float> signed_accumulator(Wave& wave, const Operand& operand, float* storage) {
  Accumulator<float> c = accumulator<float>(wave, operand);
  if (operand.modifiers == 0) return c;
  const SignBits signs = accumulator_signs<32>(operand);
  for (int slot = 0; slot < (c.uniform ? 1 : S.slots()); ++slot)
    for (int lane = 0; lane < lanes; ++lane) {
      std::uint32_t bits;
      __builtin_memcpy(&bits, c.at + slot * row_lanes + (c.uniform ? 0 : lane), sizeof bits);
      storage[slot * row_lanes + lane] = __builtin_bit_cast(float, (bits & signs.keep) ^ signs.flip);
    }
  return {storage, c.uniform};
}

/// C of 16-bit floats as rows of floats, one a slot: two slots a register, or (gfx11) the half of each register that
/// `high` names.
template <WmmaShape S, Input I>
inline void widen_accumulator(Wave& wave, const Operand& operand, bool high, float* to) {
  const SignBits signs = accumulator_signs<16>(operand);
  constexpr bool one_a_register = S.rows == WmmaRows::interleaved;
  alignas(64) std::uint32_t row[row_lanes];
  alignas(64) float halves[2 * row_lanes];
  for (int r = 0; r < (one_a_register ? S.slots() : S.slots() / 2); ++r) {
    if (operand.kind == OperandKind::vector) {
      const std::uint32_t* from = wave.row(operand.index + r);
      for (int lane = 0; lane < lanes; ++lane) row[lane] = (from[lane] & signs.keep) ^ signs.flip;
    } else {
      const std::uint32_t half = operand.kind == OperandKind::constant ? operand.rows[0] & 0xffffu : 0;
      for (int lane = 0; lane < lanes; ++lane) row[lane] = ((half | half << 16) & signs.keep) ^ signs.flip;
    }
    if constexpr (one_a_register) {
      widen<I, false, 1>(row, halves);
      __builtin_memcpy(to + r * row_lanes, halves + (high ? row_lanes : 0), lanes * sizeof(float));
    } else {
      widen<I, false, 1>(row, to + 2 * r * row_lanes);
    }
  }
}

/// Rows of floats, one a slot, to D of 16-bit floats; gfx11 leaves the other half of each register alone.
template <WmmaShape S, Input I>
inline void pack_result(const float* from, std::uint32_t* d, bool high) {
  if constexpr (S.rows == WmmaRows::interleaved) {
    const int shift = high ? 16 : 0;
    const std::uint32_t other = high ? 0xffffu : 0xffff'0000u;
    for (int slot = 0; slot < S.slots(); ++slot)
      for (int lane = 0; lane < lanes; ++lane) {
        std::uint32_t& word = d[slot * row_lanes + lane];
        word = (word & other) | narrow_bits16<I>(from[slot * row_lanes + lane]) << shift;
      }
  } else {
    for (int r = 0; r < S.slots() / 2; ++r)
      pack_row<I>(from + 2 * r * row_lanes, from + (2 * r + 1) * row_lanes, d + r * row_lanes);
  }
}

/// d = product + c over `slots` rows; the sum wraps, or is limited to 32 bits if `clamp` is set.
inline void add_integers(const std::int32_t* product, Accumulator<std::int32_t> c, std::int32_t* d, int slots,
                         bool clamp) {
  for (int slot = 0; slot < slots; ++slot)
    for (int lane = 0; lane < lanes; ++lane) {
      const int at = slot * row_lanes + lane;
      std::int32_t addend, sum;
      __builtin_memcpy(&addend, c.at + (c.uniform ? 0 : at), sizeof addend);
      const bool overflow = __builtin_add_overflow(product[at], addend, &sum);
      d[at] = overflow && clamp ? (addend < 0 ? INT32_MIN : INT32_MAX) : sum;
    }
}

/// D = A * B + C of integers. A product is exact: at most 128 * 255 * 255.
template <WmmaShape S>
inline void multiply_integers(const std::int32_t* a, const std::int32_t* b, Accumulator<std::int32_t> c,
                              std::int32_t* d, bool clamp) {
  if (!clamp) return multiply<S, std::int32_t>(a, b, c.at, c.uniform, d, 0, 0);
  alignas(64) std::int32_t product[S.slots() * row_lanes];
  const std::int32_t zero = 0;
  multiply<S, std::int32_t>(a, b, &zero, true, product, 0, 0);
  add_integers(product, c, d, S.slots(), true);
}

/// A row of a table of operations: `bits` a value of A and B, C and D of the types told.
constexpr Operation wmma_row(std::string_view mnemonic, WmmaShape shape, int bits, ValueType result, ValueType addend,
                             Handler handler, int passes) {
  const ValueType operand = words_type(shape.k_lane() * bits / 32);
  return {.mnemonic = mnemonic,
          .op_class = OpClass::matrix,
          .dst = result,
          .src = {operand, operand, addend},
          .plain = handler,
          .passes = static_cast<std::uint8_t>(passes)};
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
