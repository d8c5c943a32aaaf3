// Exchanges among the lanes of a wave of gfx11 and later: permlane instructions, swaps of half registers.
//
// Law: a source lane that EXEC has switched off gives its value with fetch-inactive (op_sel[0] of v_permlane16_b32 and
// v_permlanex16_b32), else 0 with bound control (op_sel[1]), else leaves the destination alone. All other instructions
// here read inactive lanes too.
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// Active lanes take the value of lane from(lane); a negative number stands for 0.
template <class From>
ZELLIGE_SIM_INLINE void gather(Wave& wave, const Instruction* i, u64 readable, bool zero, From from) {
  alignas(64) u32 source[row_lanes];
  SourceRows room;
  __builtin_memcpy(source, source_rows<u32>(wave, i->src[0], room), sizeof(u32) * lanes);
  u32* out = wave.row(i->dst.index);
  for (int lane = 0; lane < lanes; ++lane) {
    if (wave.exec_mask[lane] == 0) continue;
    const int other = from(lane);
    const bool valid = other >= 0 && (readable >> other & 1) != 0;
    if (valid)
      out[lane] = source[other];
    else if (other < 0 || zero)
      out[lane] = 0;
  }
}

/// Lane l of a row of 16 reads the lane of its row (of the neighbouring row) that four bits name: src1 holds those of
/// the first eight lanes, src2 the others'.
template <int other_row>
const Instruction* permute_row(Wave& wave, const Instruction* i) {
  const u64 select = read_scalar32(wave, i->src[1]) | u64{read_scalar32(wave, i->src[2])} << 32;
  const u64 readable = i->src[0].modifiers & modifier_op_sel ? ~u64{0} : wave.exec();
  gather(wave, i, readable, (i->src[1].modifiers & modifier_op_sel) != 0,
         [&](int lane) { return ((lane & ~15) ^ other_row) | static_cast<int>(select >> (4 * (lane & 15)) & 15); });
  return i + 1;
}

/// The same with the low four bits of each lane's src1.
template <int other_row>
const Instruction* permute_row_by_lane(Wave& wave, const Instruction* i) {
  SourceRows room;
  alignas(64) u32 select[row_lanes];
  __builtin_memcpy(select, source_rows<u32>(wave, i->src[1], room), sizeof(u32) * lanes);
  const u64 readable = i->src[0].modifiers & modifier_op_sel ? ~u64{0} : wave.exec();
  gather(wave, i, readable, (i->src[1].modifiers & modifier_op_sel) != 0,
         [&](int lane) { return ((lane & ~15) ^ other_row) | static_cast<int>(select[lane] & 15); });
  return i + 1;
}

/// The halves of a wave of 64 change places; nothing in a wave of 32.
const Instruction* exchange_halves(Wave& wave, const Instruction* i) {
  if constexpr (lanes == 64) gather(wave, i, ~u64{0}, false, [](int lane) { return lane ^ 32; });
  return i + 1;
}

enum class Move { broadcast, up, down, exclusive_or };

/// Within groups of src2 lanes: src1 names a lane, or a distance.
template <Move move>
const Instruction* permute_group(Wave& wave, const Instruction* i) {
  const u32 amount = read_scalar32(wave, i->src[1]);
  u32 width = read_scalar32(wave, i->src[2]);
  if (width == 0 || (width & (width - 1)) != 0 || width > u32{lanes}) width = lanes;
  gather(wave, i, ~u64{0}, false, [&](int lane) {
    const u32 base = static_cast<u32>(lane) & ~(width - 1), place = static_cast<u32>(lane) & (width - 1);
    const u64 wanted = move == Move::broadcast ? amount & (width - 1)
                       : move == Move::up      ? (amount <= place ? place - amount : width)
                       : move == Move::down    ? u64{place} + amount
                                               : place ^ amount;
    return wanted < width ? static_cast<int>(base + static_cast<u32>(wanted)) : -1;
  });
  return i + 1;
}

/// The index that a later exchange by exclusive or reads: src0 ^ src1.
const Instruction* generate_index(Wave& wave, const Instruction* i) {
  SourceRows room;
  const Source<u32, false> value(wave, i->src[0], room);
  const u32 amount = read_scalar32(wave, i->src[1]);
  Store<u32>::all(
      wave, i, [&](int lane) __attribute__((always_inline)) { return value[lane] ^ amount; });
  return i + 1;
}

/// Halves of registers change places; the decoder marks upper halves by op_sel.
const Instruction* swap_half_registers(Wave& wave, const Instruction* i) {
  u32* a = wave.row(i->dst.index);
  u32* b = wave.row(i->src[0].index);
  const int a_shift = i->dst.modifiers & modifier_op_sel ? 16 : 0,
            b_shift = i->src[0].modifiers & modifier_op_sel ? 16 : 0;
  for (int lane = 0; lane < lanes; ++lane) {
    if (wave.exec_mask[lane] == 0) continue;
    const u32 from_a = a[lane] >> a_shift & 0xffff, from_b = b[lane] >> b_shift & 0xffff;
    a[lane] = (a[lane] & ~(0xffffu << a_shift)) | from_b << a_shift;
    b[lane] = (b[lane] & ~(0xffffu << b_shift)) | from_a << b_shift;
  }
  return i + 1;
}

/// v_movrels, v_movreld, v_movrelsd, v_movrelsd_2, v_swaprel: M0 is added to register numbers; _2: M0[9:0] to the
/// source's, M0[25:16] to the destination's.
template <bool source, bool destination, bool two, bool swap>
const Instruction* move_relative(Wave& wave, const Instruction* i) {
  const u32 m0 = wave.scalar[scalar_m0], low = two ? m0 & 0x3ff : m0, high = two ? m0 >> 16 & 0x3ff : m0;
  const u64 from = u64{i->src[0].index} + (source ? low : 0), to = u64{i->dst.index} + (destination ? high : 0);
  if ((i->src[0].kind == OperandKind::vector && from >= u64{first_agpr_row}) || to >= u64{first_agpr_row})
    return raise_fault(wave, i, "register index out of range: M0 is 0x%x", m0);
  Instruction moved = *i;
  if (i->src[0].kind == OperandKind::vector) moved.src[0].index = static_cast<u16>(from);
  moved.dst.index = static_cast<u16>(to);
  if constexpr (swap) {
    u32* a = wave.row(moved.dst.index);
    u32* b = wave.row(moved.src[0].index);
    for (int lane = 0; lane < lanes; ++lane) {
      const u32 from_a = a[lane], from_b = b[lane], mask = wave.exec_mask[lane];
      a[lane] = (from_b & mask) | (from_a & ~mask);
      b[lane] = (from_a & mask) | (from_b & ~mask);
    }
  } else {
    SourceRows room;
    const Source<u32, false> value(wave, moved.src[0], room);
    Store<u32>::all(
        wave, &moved, [&](int lane) __attribute__((always_inline)) { return value[lane]; });
  }
  return i + 1;
}

using VT = ValueType;

constexpr Operation own(Operation row) {
  row.flags |= flag_own_modifiers;
  return row;
}

constexpr Operation rows[] = {
    own(special("v_permlane16_b32", &permute_row<0>, VT::b32, VT::b32, VT::b32, VT::b32)),
    own(special("v_permlanex16_b32", &permute_row<16>, VT::b32, VT::b32, VT::b32, VT::b32)),
    own(special("v_permlane16_var_b32", &permute_row_by_lane<0>, VT::b32, VT::b32, VT::b32)),
    own(special("v_permlanex16_var_b32", &permute_row_by_lane<16>, VT::b32, VT::b32, VT::b32)),
    special("v_permlane64_b32", &exchange_halves, VT::b32, VT::b32),
    special("v_permlane_bcast_b32", &permute_group<Move::broadcast>, VT::b32, VT::b32, VT::b32, VT::b32),
    special("v_permlane_up_b32", &permute_group<Move::up>, VT::b32, VT::b32, VT::b32, VT::b32),
    special("v_permlane_down_b32", &permute_group<Move::down>, VT::b32, VT::b32, VT::b32, VT::b32),
    special("v_permlane_xor_b32", &permute_group<Move::exclusive_or>, VT::b32, VT::b32, VT::b32, VT::b32),
    special("v_permlane_idx_gen_b32", &generate_index, VT::b32, VT::b32, VT::b32),
    own(special("v_swap_b16", &swap_half_registers, VT::b16, VT::b16)),
    special("v_movrels_b32", &move_relative<true, false, false, false>, VT::b32, VT::b32),
    special("v_movreld_b32", &move_relative<false, true, false, false>, VT::b32, VT::b32),
    special("v_movrelsd_b32", &move_relative<true, true, false, false>, VT::b32, VT::b32),
    special("v_movrelsd_2_b32", &move_relative<true, true, true, false>, VT::b32, VT::b32),
    special("v_swaprel_b32", &move_relative<true, true, true, true>, VT::b32, VT::b32),
};

}  // namespace

OperationTable valu_permute_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
