// Vector instructions that look across lanes, and others that do not fit the one-lane form.
//
// Law: v_readfirstlane reads lane 0 when no lane is active; v_readlane and v_writelane ignore EXEC.
#include "simulator/execute/integer_math.hpp"
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

ZELLIGE_SIM_INLINE u32 lane_value(const Wave& wave, const Operand& operand, int lane) {
  if (operand.kind == OperandKind::vector) return wave.vector[operand.index * row_lanes + lane];
  return read_scalar32(wave, operand);
}

const Instruction* read_first_lane(Wave& wave, const Instruction* i) {
  const u64 exec = wave.exec();
  const u32 value = lane_value(wave, i->src[0], exec == 0 ? 0 : __builtin_ctzll(exec));
  if (i->dst.kind == OperandKind::scalar) wave.scalar[i->dst.index] = value;
  return i + 1;
}

const Instruction* read_lane(Wave& wave, const Instruction* i) {
  const u32 value = lane_value(wave, i->src[0], static_cast<int>(read_scalar32(wave, i->src[1]) & (lanes - 1)));
  if (i->dst.kind == OperandKind::scalar) wave.scalar[i->dst.index] = value;
  return i + 1;
}

const Instruction* write_lane(Wave& wave, const Instruction* i) {
  const u32 value = read_scalar32(wave, i->src[0]);
  wave.row(i->dst.index)[read_scalar32(wave, i->src[1]) & (lanes - 1)] = value;
  return i + 1;
}

/// Set bits of the mask below the lane (in the low or the high half of the wave), plus src1.
template <bool high>
const Instruction* count_below(Wave& wave, const Instruction* i) {
  SourceRows room[2];
  const Source<u32, false> mask(wave, i->src[0], room[0]);
  const Source<u32, false> base(wave, i->src[1], room[1]);
  alignas(64) u32 below[row_lanes];
  for (int lane = 0; lane < row_lanes; ++lane) {
    const int first = high ? lane - 32 : lane;
    below[lane] = first <= 0 ? 0u : first >= 32 ? ~0u : (1u << first) - 1;
  }
  Store<u32>::all(
      wave,
      i, [&](int lane) __attribute__((always_inline)) { return count_bits(mask[lane] & below[lane]) + base[lane]; });
  return i + 1;
}

const Instruction* swap_registers(Wave& wave, const Instruction* i) {
  u32* a = wave.row(i->dst.index);
  u32* b = wave.row(i->src[0].index);
  for (int lane = 0; lane < lanes; ++lane) {
    const u32 from_a = a[lane], from_b = b[lane], mask = wave.exec_mask[lane];
    a[lane] = (from_b & mask) | (from_a & ~mask);
    b[lane] = (from_a & mask) | (from_b & ~mask);
  }
  return i + 1;
}

/// Exchanges the upper block of each pair of blocks of dst with the lower block of src.
template <int block>
const Instruction* swap_blocks(Wave& wave, const Instruction* i) {
  u32* a = wave.row(i->dst.index);
  u32* b = wave.row(i->src[0].index);
  for (int pair = 0; pair < lanes; pair += 2 * block) {
    for (int lane = 0; lane < block; ++lane) {
      u32& upper = a[pair + block + lane];
      u32& lower = b[pair + lane];
      const u32 from_upper = upper, from_lower = lower;
      if (wave.exec_mask[pair + block + lane] != 0) upper = from_lower;
      if (wave.exec_mask[pair + lane] != 0) lower = from_upper;
    }
  }
  return i + 1;
}

/// The truth table in Instruction::offset, indexed by the bits of a (4), b (2) and c (1).
template <class R>
const Instruction* truth_table(Wave& wave, const Instruction* i) {
  SourceRows room[3];
  const Source<u32, false> a(wave, i->src[0], room[0]);
  const Source<u32, false> b(wave, i->src[1], room[1]);
  const Source<u32, false> c(wave, i->src[2], room[2]);
  u32 terms[8];
  for (int term = 0; term < 8; ++term) terms[term] = 0u - (static_cast<u32>(i->offset) >> term & 1);
  Store<R>::all(
      wave, i, [&](int lane) __attribute__((always_inline)) {
        const u32 x = a[lane], y = b[lane], z = c[lane];
        const u32 result = (~x & ~y & ~z & terms[0]) | (~x & ~y & z & terms[1]) | (~x & y & ~z & terms[2]) |
                           (~x & y & z & terms[3]) | (x & ~y & ~z & terms[4]) | (x & ~y & z & terms[5]) |
                           (x & y & ~z & terms[6]) | (x & y & z & terms[7]);
        if constexpr (__is_same(R, u32))
          return result;
        else
          return R{static_cast<u16>(result)};
      });
  return i + 1;
}

/// v_mqsad_u32_u8: four masked sums over the windows of a, each added to a dword of c.
const Instruction* four_wide_sums(Wave& wave, const Instruction* i) {
  SourceRows room[2];
  const Source<u64, false> a(wave, i->src[0], room[0]);
  const Source<u32, false> b(wave, i->src[1], room[1]);
  const bool rows_of_c = i->src[2].kind == OperandKind::vector;
  const u32* c = rows_of_c ? wave.row(i->src[2].index) : nullptr;
  u32* out = wave.row(i->dst.index);
  for (int lane = 0; lane < lanes; ++lane) {
    if (wave.exec_mask[lane] == 0) continue;
    const u64 windows = a[lane];
    const u32 reference = b[lane];
    u32 sums[4];
    for (int k = 0; k < 4; ++k)
      sums[k] = masked_differences(static_cast<u32>(windows >> (8 * k)), reference) +
                (rows_of_c ? c[k * row_lanes + lane] : 0);
    for (int k = 0; k < 4; ++k) out[k * row_lanes + lane] = sums[k];
  }
  return i + 1;
}

/// Sixteen entries of `bits` bits, those of src1 below those of src0; result element k is the entry that bits [4k+3:4k]
/// of src2 name.
template <int bits>
const Instruction* table_lookup(Wave& wave, const Instruction* i) {
  constexpr int table_words = bits / 2, high_words = bits == 8 ? 2 : 1;  // src0's share
  const auto word = [&](const Operand& operand, int k, int lane) -> u32 {
    if (operand.kind == OperandKind::vector) return wave.vector[(operand.index + k) * row_lanes + lane];
    if (operand.kind == OperandKind::scalar) return wave.scalar[operand.index + k];
    return operand.kind == OperandKind::constant && k < operand.words ? operand.rows[k * row_lanes] : 0;
  };
  for (int lane = 0; lane < lanes; ++lane) {
    if (wave.exec_mask[lane] == 0) continue;
    u32 table[4], out[4] = {};
    for (int k = 0; k < table_words; ++k)
      table[k] = k < table_words - high_words ? word(i->src[1], k, lane)
                                              : word(i->src[0], k - (table_words - high_words), lane);
    for (int element = 0; element < 16; ++element) {
      const int entry = static_cast<int>(word(i->src[2], element / 8, lane) >> (4 * (element % 8)) & 15);
      for (int bit = 0; bit < bits; ++bit) {
        const int from = entry * bits + bit, to = element * bits + bit;
        out[to / 32] |= (table[from / 32] >> (from % 32) & 1) << (to % 32);
      }
    }
    for (int k = 0; k < table_words; ++k) wave.row(i->dst.index + k)[lane] = out[k];
  }
  return i + 1;
}

using VT = ValueType;

constexpr Operation with_flags(Operation row, u32 flags) {
  row.flags |= flags;
  return row;
}

constexpr Operation rows[] = {
    special("v_readfirstlane_b32", &read_first_lane, VT::b32, VT::b32),
    special("v_readlane_b32", &read_lane, VT::b32, VT::b32, VT::b32),
    special("v_writelane_b32", &write_lane, VT::b32, VT::b32, VT::b32),
    special("v_mbcnt_lo_u32_b32", &count_below<false>, VT::u32, VT::u32, VT::u32),
    special("v_mbcnt_hi_u32_b32", &count_below<true>, VT::u32, VT::u32, VT::u32),
    special("v_swap_b32", &swap_registers, VT::b32, VT::b32),
    special("v_permlane16_swap_b32", &swap_blocks<16>, VT::b32, VT::b32),
    special("v_permlane32_swap_b32", &swap_blocks<32>, VT::b32, VT::b32),
    special("v_bitop3_b32", &truth_table<u32>, VT::b32, VT::b32, VT::b32, VT::b32),
    // Of dual instructions: the third source is 0.
    special("v_bitop2_b32", &truth_table<u32>, VT::b32, VT::b32, VT::b32),
    with_flags(special("v_bitop3_b16", &truth_table<Low<u16>>, VT::b16, VT::b16, VT::b16, VT::b16), flag_keeps_high),
    special("v_mqsad_u32_u8", &four_wide_sums, VT::b128, VT::u64, VT::u32, VT::b128),
    special("v_perm_pk16_b4_u4", &table_lookup<4>, VT::b64, VT::b32, VT::b32, VT::b64),
    special("v_perm_pk16_b6_u4", &table_lookup<6>, VT::b96, VT::b32, VT::b64, VT::b64),
    special("v_perm_pk16_b8_u4", &table_lookup<8>, VT::b128, VT::b64, VT::b64, VT::b64),
    special(
        "v_nop", [](Wave&, const Instruction* i) { return i + 1; }, VT::none),
};

}  // namespace

OperationTable valu_lane_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
