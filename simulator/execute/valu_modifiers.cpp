// Modifiers: signs, op_sel, SDWA selects and DPP on the sources; omod, clamp, SDWA and op_sel on the result.
//
// One handler serves every operation: it puts modified sources into rows of its own, runs the operation's plain handler
// on those, and, when the result is modified too, lets that handler write to a staging row and merges from there. DPP
// also narrows EXEC to the lanes that its masks and its valid sources leave on.
#include "simulator/execute/modifier_math.hpp"
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// The words of a source as rows of the caller's own.
void copy_source(const Wave& wave, const Operand& operand, u32* rows) {
  for (int word = 0; word < operand.words && word < 2; ++word) {
    u32* row = rows + word * row_lanes;
    if (operand.kind == OperandKind::vector) {
      __builtin_memcpy(row, wave.vector + (operand.index + word) * row_lanes, sizeof(u32) * row_lanes);
    } else {
      const u32 value = operand.kind == OperandKind::scalar     ? wave.scalar[operand.index + word]
                        : operand.kind == OperandKind::constant ? operand.rows[word * row_lanes]
                                                                : 0;
      for (int lane = 0; lane < row_lanes; ++lane) row[lane] = value;
    }
  }
}

/// Each lane takes the value of the lane that it reads, or 0 where that is not valid.
void apply_dpp(const DppLanes& dpp, int words, u64 valid, u32* rows) {
  alignas(64) u32 moved[row_lanes], keep[row_lanes];
  expand_mask(valid, keep);
  for (int word = 0; word < words; ++word) {
    u32* row = rows + word * row_lanes;
    for (int lane = 0; lane < lanes; ++lane) moved[lane] = row[dpp.from[lane]] & keep[lane];
    __builtin_memcpy(row, moved, sizeof moved);
  }
}

/// Lanes whose source is in range and active.
u64 valid_lanes(const Instruction* i, const Wave& wave) {
  const DppLanes& dpp = *i->dpp_lanes;
  if (wave.exec_full || i->dpp.fetch_inactive) return dpp.in_range;
  alignas(64) u32 active[row_lanes];
  for (int lane = 0; lane < lanes; ++lane) active[lane] = wave.exec_mask[dpp.from[lane]];
  return lanes_set(active) & dpp.in_range;
}

void apply_select(SdwaSelect select, bool sign_extend, u32* row) {
  const int shift = select_shift(select), bits = select_bits(select);
  if (bits == 32) return;
  for (int lane = 0; lane < lanes; ++lane) {
    const u32 field = row[lane] << (32 - bits - shift);
    row[lane] = sign_extend ? static_cast<u32>(static_cast<i32>(field) >> (32 - bits)) : field >> (32 - bits);
  }
}

/// Negate and absolute of an unpacked source.
void apply_signs(const Operand& operand, u32* rows) {
  const u32 sign = is_half(operand.type) ? 0x8000u : 0x8000'0000u;
  u32* row = rows + (operand.type == ValueType::f64 && operand.words == 2 ? row_lanes : 0);
  const u32 keep = operand.modifiers & modifier_absolute ? ~sign : ~0u;
  const u32 flip = operand.modifiers & modifier_negate ? sign : 0;
  for (int lane = 0; lane < lanes; ++lane) row[lane] = (row[lane] & keep) ^ flip;
}

/// Halves (or dwords of packed_f32) chosen by op_sel and op_sel_hi, then negated by neg_lo and neg_hi.
void apply_packed(const Operand& operand, u32* rows) {
  const bool low_from_high = operand.modifiers & modifier_op_sel,
             high_from_high = operand.modifiers & modifier_op_sel_high;
  const bool negate_low = operand.modifiers & modifier_negate, negate_high = operand.modifiers & modifier_negate_high;
  if (operand.type == ValueType::packed_f32) {
    const int high_word = operand.words == 2 ? row_lanes : 0;
    for (int lane = 0; lane < lanes; ++lane) {
      const u32 low = rows[lane], high = rows[high_word + lane];
      rows[lane] = (low_from_high ? high : low) ^ (negate_low ? 0x8000'0000u : 0);
      rows[row_lanes + lane] = (high_from_high ? high : low) ^ (negate_high ? 0x8000'0000u : 0);
    }
    return;
  }
  for (int lane = 0; lane < lanes; ++lane) {
    const u32 value = rows[lane];
    const u32 low = (low_from_high ? value >> 16 : value & 0xffff) ^ (negate_low ? 0x8000u : 0);
    const u32 high = (high_from_high ? value >> 16 : value & 0xffff) ^ (negate_high ? 0x8000u : 0);
    rows[lane] = low | high << 16;
  }
}

bool source_is_modified(const Operand& operand) {
  if (is_packed(operand.type))
    return operand.modifiers != modifier_op_sel_high ||
           operand.words != (operand.type == ValueType::packed_f32 ? 2 : 1);
  return operand.modifiers != 0 || operand.select != 0;
}

/// Multiplies by 2, 4 or 1/2 and limits to [0, 1]; a NaN clamps to 0, or stays (MODE.DX10_CLAMP is 0).
struct ResultModifiers {
  int out_modifier;
  bool clamp, keeps_nan;
};

template <class T>
void modify_result(u32* rows, ResultModifiers modifiers) {
  const auto [out_modifier, clamp, keeps_nan] = modifiers;
  const T factor = out_modifier == 1 ? T(2) : out_modifier == 2 ? T(4) : out_modifier == 3 ? T(0.5) : T(1);
  for (int lane = 0; lane < lanes; ++lane) {
    T value = Value<T>::load(rows, lane);
    if (out_modifier != 0) value = value * factor;
    if (clamp && !(keeps_nan && value != value)) value = !(value > T(0)) ? T(0) : value > T(1) ? T(1) : value;
    Value<T>::store(rows, lane, value);
  }
}

void modify_result(ValueType type, u32* rows, ResultModifiers modifiers) {
  switch (type) {
    case ValueType::f32:
      return modify_result<f32>(rows, modifiers);
    case ValueType::f64:
      return modify_result<f64>(rows, modifiers);
    case ValueType::f16:
      return modify_result<f16>(rows, modifiers);
    case ValueType::packed_f32:
      modify_result<f32>(rows, modifiers);
      return modify_result<f32>(rows + row_lanes, modifiers);
    case ValueType::packed_f16: {
      alignas(64) u32 high[row_lanes];
      for (int lane = 0; lane < lanes; ++lane) high[lane] = rows[lane] >> 16;
      modify_result<f16>(rows, modifiers);
      modify_result<f16>(high, modifiers);
      for (int lane = 0; lane < lanes; ++lane) rows[lane] = (rows[lane] & 0xffff) | high[lane] << 16;
      return;
    }
    default:
      return;
  }
}

/// Output modifiers are ignored where MODE.IEEE is set or the type's denormal results are kept.
bool honours_output_modifier(const Wave& wave, ValueType type) {
  const int keeps_denormals = type == ValueType::f32 || type == ValueType::packed_f32 ? 5 : 7;
  return (wave.mode >> 9 & 1) == 0 && (wave.mode >> keeps_denormals & 1) == 0;
}

/// Writes the staged result into the destination: the part that SDWA or op_sel names, in active lanes.
void merge_result(Wave& wave, const Instruction* i, const u32* staged) {
  u32* rows = wave.row(i->dst.index);
  if (i->dst.select != 0) {
    const int shift = select_shift(i->sdwa_dst), bits = select_bits(i->sdwa_dst);
    const u32 field = (bits == 32 ? ~0u : (1u << bits) - 1) << shift;
    for (int lane = 0; lane < lanes; ++lane) {
      const u32 value = staged[lane] << shift & field;
      const u32 sign = (value >> (shift + bits - 1) & 1) != 0 && shift + bits < 32 ? ~0u << (shift + bits) : 0;
      const u32 rest = i->sdwa_unused == SdwaUnused::preserve      ? rows[lane] & ~field
                       : i->sdwa_unused == SdwaUnused::sign_extend ? sign
                                                                   : 0;
      const u32 mask = wave.exec_mask[lane];
      rows[lane] = ((value | rest) & mask) | (rows[lane] & ~mask);
    }
    return;
  }
  const bool high = i->dst.modifiers & modifier_op_sel;
  for (int word = 0; word < i->dst.words; ++word) {
    for (int lane = 0; lane < lanes; ++lane) {
      const u32 value = high ? staged[word * row_lanes + lane] << 16 : staged[word * row_lanes + lane];
      u32 mask = wave.exec_mask[lane];
      if (high)
        mask &= 0xffff'0000u;
      else if (i->flags & flag_keeps_high)
        mask &= 0xffffu;
      u32& out = rows[word * row_lanes + lane];
      out = (value & mask) | (out & ~mask);
    }
  }
}

}  // namespace

const Instruction* with_modifiers(Wave& wave, const Instruction* i) {
  alignas(64) u32 rows[4][2 * row_lanes];
  Instruction modified = *i;
  const bool own_signs = (i->flags & flag_own_modifiers) != 0;
  for (int k = 0; k < 4 && !own_signs; ++k) {
    const Operand& operand = i->src[k];
    const bool moved = k == 0 && i->dpp_lanes != nullptr;
    if (operand.kind == OperandKind::none || operand.type == ValueType::mask ||
        (!moved && !source_is_modified(operand)))
      continue;
    copy_source(wave, operand, rows[k]);
    Operand& out = modified.src[k];
    out.kind = OperandKind::constant;
    out.rows = rows[k];
    out.modifiers = 0;
    out.select = 0;
  }
  const u64 exec = wave.exec();
  bool narrowed = false;
  if (i->dpp_lanes != nullptr) {
    const u64 valid = valid_lanes(i, wave);
    apply_dpp(*i->dpp_lanes, i->src[0].words, valid, rows[0]);
    const u64 enabled = exec & i->dpp_lanes->gated & (i->dpp.bound_control ? ~u64{0} : valid);
    narrowed = enabled != exec;
    if (narrowed) {
      wave.set_scalar64(scalar_exec, enabled);
      wave.refresh_exec();
    }
  }
  for (int k = 0; k < 4; ++k) {
    const Operand& operand = i->src[k];
    if (modified.src[k].rows != rows[k] || !source_is_modified(operand)) continue;
    if (is_packed(operand.type)) {
      apply_packed(operand, rows[k]);
      modified.src[k].words = operand.type == ValueType::packed_f32 ? 2 : 1;
      continue;
    }
    if (operand.select != 0)
      apply_select(static_cast<SdwaSelect>(operand.select), operand.modifiers & modifier_sign_extend, rows[k]);
    if ((operand.modifiers & modifier_op_sel) && is_half(operand.type))
      for (int lane = 0; lane < lanes; ++lane) rows[k][lane] >>= 16;
    if (operand.modifiers & (modifier_negate | modifier_absolute)) apply_signs(operand, rows[k]);
  }
  const bool clamp = (i->flags & flag_float_clamp) != 0;
  const bool staged = i->dst.kind == OperandKind::vector &&
                      (i->out_modifier != 0 || clamp || i->dst.select != 0 || (i->dst.modifiers & modifier_op_sel) ||
                       (i->flags & flag_merges_half));
  if (staged) modified.dst.index = staging_row;
  modified.inner(wave, &modified);
  if (staged) {
    modify_result(i->dst.type, wave.row(staging_row),
                  {honours_output_modifier(wave, i->dst.type) ? i->out_modifier : 0, clamp, (wave.mode >> 8 & 1) == 0});
    merge_result(wave, i, wave.row(staging_row));
  }
  if (narrowed && !(i->flags & flag_writes_exec)) {
    wave.set_scalar64(scalar_exec, exec);
    wave.refresh_exec();
  }
  return i + 1;
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
