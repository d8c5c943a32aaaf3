// Binding; bind.hpp states what it gives.
#include "simulator/decode/bind.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <vector>

#include "simulator/decode/modifiers.hpp"
#include "simulator/decode/register_window.hpp"
#include "simulator/execute/matrix_passes.hpp"
#include "simulator/execute/wave.hpp"

namespace zellige::sim {
namespace {

using OperationIndex = std::unordered_map<std::string_view, const Operation*>;

OperationIndex make_index(int lanes) {
  OperationIndex all;
  for (const auto table : operations(lanes))
    for (const Operation& operation : table) all.emplace(operation.mnemonic, &operation);
  return all;
}

const OperationIndex& operation_index(int lanes) {
  static const OperationIndex wave32 = make_index(32), wave64 = make_index(64);
  return lanes == 32 ? wave32 : wave64;
}

/// The handlers that no text names: what the decoder puts in place of others or around them.
struct NamelessHandlers {
  Handler unknown, exec_write, status_read, register_index, dual, dual_staged;
};

const NamelessHandlers& nameless_handlers(int lanes) {
  const auto of = [](int size) {
    const OperationIndex& index = operation_index(size);
    return NamelessHandlers{index.at("(unknown)")->plain,     index.at("(exec write)")->plain,
                            index.at("(status read)")->plain, index.at("(register index)")->plain,
                            index.at("(dual)")->plain,        index.at("(dual staged)")->plain};
  };
  static const NamelessHandlers wave32 = of(32), wave64 = of(64);
  return lanes == 32 ? wave32 : wave64;
}

/// v_mfma_scale_*, v_wmma_scale*: the scales of A and B follow C.
bool takes_scales(std::string_view mnemonic) {
  return mnemonic.starts_with("v_mfma_scale") || mnemonic.starts_with("v_wmma_scale");
}
bool is_wmma(std::string_view mnemonic) {
  return mnemonic.starts_with("v_wmma_") || mnemonic.starts_with("v_swmmac_");
}

bool is_float(ValueType type) {
  return type == ValueType::f16 || type == ValueType::f32 || type == ValueType::f64 || type == ValueType::packed_f16 ||
         type == ValueType::packed_f32;
}
bool is_valu(OpClass op_class) {
  return op_class == OpClass::valu || op_class == OpClass::valu_transcendental || op_class == OpClass::valu_double;
}

/// SOPP: everything is in the 16-bit immediate.
bool is_sopp(std::uint32_t encoding) { return encoding >> 23 == 0x17f; }
/// SOPK that names a hardware register: its number in bits 0 to 5, first bit in 6 to 10, size - 1 in 11 to 15.
bool names_hardware_register(std::string_view mnemonic) {
  return mnemonic.starts_with("s_getreg") || mnemonic.starts_with("s_setreg");
}
bool has_branch_distance(std::string_view mnemonic) { return mnemonic == "s_call_b64"; }

/// Between the halves of a dual instruction (VOPD).
constexpr std::string_view dual_separator = " :: ";

bool overlap(const Operand& a, const Operand& b) {
  return a.kind == OperandKind::vector && b.kind == OperandKind::vector && a.index < b.index + b.words &&
         b.index < a.index + a.words;
}
/// Whether `reader` reads a register that `writer` writes.
bool reads_result(const Instruction& reader, const Instruction& writer) {
  for (const Operand& source : reader.src)
    if (overlap(source, writer.dst)) return true;
  return false;
}

/// Compares that write EXEC and, from gfx10 on, nothing else: the text names no destination.
bool only_writes_exec(std::string_view mnemonic, Generation generation) {
  return generation != generation_gfx9 && mnemonic.starts_with("v_cmpx_");
}

/// LDS instructions with two offsets count them in elements, or in 64 elements.
void scale_two_offsets(std::string_view mnemonic, Instruction& instruction) {
  const bool two =
      mnemonic.starts_with("ds_read2") || mnemonic.starts_with("ds_write2") || mnemonic.starts_with("ds_wrxchg2");
  if (!two) return;
  const int element = mnemonic.ends_with("_b64") ? 8 : 4,
            scale = mnemonic.find("st64") != std::string_view::npos ? 64 : 1;
  instruction.offset *= element * scale;
  instruction.offset2 *= element * scale;
}

/// Lanes' offsets to a scalar base are signed on gfx1250.
bool has_signed_rows(std::string_view mnemonic) {
  return mnemonic.starts_with("global_") || mnemonic.starts_with("flat_") || mnemonic.starts_with("cluster_");
}
/// MODE[19:12] of gfx1250 is the register window: it is written by s_set_vgpr_msb only.
bool writes_register_window(std::string_view mnemonic, const Instruction& instruction) {
  const int first = instruction.offset2 & 0xff, bits = instruction.offset2 >> 8;
  return mnemonic.starts_with("s_setreg") && instruction.offset == 1 && first < 20 && first + bits > 12;
}

std::uint32_t index_flags(std::string_view text) {
  std::uint32_t bits = 0;
  constexpr std::string_view names[] = {"SRC0", "SRC1", "SRC2", "DST"};
  for (int i = 0; i < 4; ++i)
    if (text.find(names[i]) != std::string_view::npos) bits |= 1u << i;
  return bits;
}

/// Whether the text has a destination: returning atomics and loads into registers only.
bool has_destination(const Operation& operation, std::string_view mnemonic, std::uint32_t flags) {
  if (operation.dst == ValueType::none) return false;
  const bool flat =
      mnemonic.starts_with("global_") || mnemonic.starts_with("flat_") || mnemonic.starts_with("scratch_");
  if (operation.op_class == OpClass::atomic && flat) return (flags & flag_glc) != 0;
  if (mnemonic.starts_with("buffer_load")) return (flags & flag_lds) == 0;
  return true;
}

bool takes_descriptor(const Operation& operation) {
  return std::ranges::find(operation.src, ValueType::descriptor) != std::end(operation.src);
}

bool writes_exec(const Operand& operand) {
  return operand.kind == OperandKind::scalar && operand.index <= scalar_exec + 1 &&
         operand.index + operand.words > scalar_exec;
}
bool reads_status(const Operand& operand) {
  return operand.kind == OperandKind::scalar && operand.index >= scalar_vccz && operand.index <= scalar_scc;
}

/// Moves the lists of op_sel and neg into the operands; false when an operation cannot honour one.
bool apply_operand_modifiers(const OperandModifiers& modifiers, const Operation& operation, int text_sources,
                             Instruction& instruction) {
  const auto bit = [](const std::vector<int>& list, int k) {
    return k < static_cast<int>(list.size()) && list[k] != 0;
  };
  if (is_wmma(operation.mnemonic)) {
    // A and B: signs of low and high halves, or the signedness of integers; C: sign and absolute value.
    for (int k = 0; k < 3 && k < text_sources; ++k) {
      if (bit(modifiers.neg_lo, k)) instruction.src[k].modifiers |= modifier_negate;
      if (bit(modifiers.neg_hi, k))
        instruction.src[k].modifiers |= k < 2 ? modifier_negate_high : modifier_absolute;
    }
    if (bit(modifiers.op_sel, 2)) instruction.dst.modifiers |= modifier_op_sel;
    return true;
  }
  if (takes_scales(operation.mnemonic)) {
    // The two scale operands pick a byte by op_sel + 2 op_sel_hi.
    for (int k = 0; k < 2; ++k) {
      Operand& scale = k == 0 ? instruction.src[3] : instruction.dst2;
      if (bit(modifiers.op_sel, k)) scale.modifiers |= modifier_op_sel;
      if (bit(modifiers.op_sel_hi, k)) scale.modifiers |= modifier_op_sel_high;
    }
    return true;
  }
  if (modifiers.byte_select >= 0 && !(operation.flags & flag_selects))
    instruction.src[0].select = static_cast<std::uint8_t>(static_cast<int>(SdwaSelect::byte_0) + modifiers.byte_select);
  if (operation.flags & flag_selects) {
    if (modifiers.byte_select >= 0) instruction.offset = modifiers.byte_select << 2;
    const std::size_t count = modifiers.op_sel.size();
    for (std::size_t k = 0; k < count; ++k)
      if (modifiers.op_sel[k] != 0) instruction.offset |= 1 << (k + 1 == count ? 3 : k);
    return true;
  }
  const bool own = (operation.flags & flag_own_modifiers) != 0;
  for (int k = 0; k < text_sources && k < 4; ++k) {
    Operand& source = instruction.src[k];
    if (is_packed(source.type)) {
      if (modifiers.op_sel_hi.empty() || bit(modifiers.op_sel_hi, k)) source.modifiers |= modifier_op_sel_high;
      if (bit(modifiers.op_sel, k)) source.modifiers |= modifier_op_sel;
      if (bit(modifiers.neg_lo, k)) source.modifiers |= modifier_negate;
      if (bit(modifiers.neg_hi, k)) source.modifiers |= modifier_negate_high;
    } else if (own) {
      if (bit(modifiers.neg_lo, k)) source.modifiers ^= modifier_negate;
      if (bit(modifiers.op_sel_hi, k)) source.modifiers |= modifier_op_sel_high;
      if (bit(modifiers.op_sel, k)) source.modifiers |= modifier_op_sel;
    } else {
      if (bit(modifiers.op_sel, k)) {
        if (!is_half(source.type)) return false;
        source.modifiers |= modifier_op_sel;
      }
      if (bit(modifiers.neg_lo, k)) source.modifiers ^= modifier_negate;
      if (bit(modifiers.neg_hi, k)) source.modifiers |= modifier_absolute;
    }
  }
  if (static_cast<int>(modifiers.op_sel.size()) > text_sources + 1) return false;
  if (bit(modifiers.op_sel, text_sources)) instruction.dst.modifiers |= modifier_op_sel;
  if (modifiers.source_select[0] != SdwaSelect::dword)
    instruction.src[0].select = static_cast<std::uint8_t>(modifiers.source_select[0]);
  if (modifiers.source_select[1] != SdwaSelect::dword)
    instruction.src[1].select = static_cast<std::uint8_t>(modifiers.source_select[1]);
  if (instruction.sdwa_dst != SdwaSelect::dword)
    instruction.dst.select = static_cast<std::uint8_t>(instruction.sdwa_dst);
  return true;
}

/// The handler that honours the instruction's modifiers, or nullptr.
Handler choose_handler(const Operation& operation, Instruction& instruction) {
  if (!is_valu(operation.op_class)) return operation.plain;
  Handler base = operation.plain;
  const bool own = (operation.flags & flag_own_modifiers) != 0;
  if (instruction.flags & flag_clamp) {
    if (operation.clamped != nullptr) {
      base = operation.clamped;
    } else if (is_float(operation.dst)) {
      instruction.flags |= flag_float_clamp;
    } else if (!own && operation.dst != ValueType::mask) {
      return nullptr;  // for compares, clamp only asks for exceptions
    }
  }
  if (own && instruction.dst.kind == OperandKind::scalar) return base;
  bool signs_only = true, modified = instruction.out_modifier != 0 || (instruction.flags & flag_float_clamp) ||
                                     instruction.dst.select != 0 || (instruction.dst.modifiers != 0 && !own) ||
                                     instruction.dpp.kind != DppKind::none || (instruction.flags & flag_merges_half);
  if (modified) signs_only = false;
  for (const Operand& source : instruction.src) {
    if (source.kind == OperandKind::none || own) continue;
    const int usual = is_packed(source.type) ? modifier_op_sel_high : 0;
    if (source.modifiers == usual && source.select == 0) continue;
    modified = true;
    if (source.select != 0 || (source.modifiers & ~(modifier_negate | modifier_absolute)) != 0 || is_half(source.type))
      signs_only = false;
  }
  if (!modified) return base;
  if (signs_only && operation.with_signs != nullptr && base == operation.plain) return operation.with_signs;
  instruction.inner = base;
  return operation.general;
}

}  // namespace

const Operation* find_operation(std::string_view mnemonic, std::string_view target, int lanes) {
  const auto& index = operation_index(lanes);
  if (const auto found = index.find(std::string(mnemonic) + "@" + std::string(target)); found != index.end())
    return found->second;
  const auto found = index.find(canonical_mnemonic(mnemonic, target));
  return found == index.end() ? nullptr : found->second;
}

bool is_unknown(const Instruction& instruction) {
  return instruction.handler == nameless_handlers(32).unknown || instruction.handler == nameless_handlers(64).unknown;
}

Instruction Binder::bind(const Disassembled& source, unsigned window) {
  window_ = window;
  Instruction instruction;
  instruction.handler = nameless_handlers(lanes_).unknown;
  if (source.size == 0) return instruction;
  const auto separator = source.text.find(dual_separator);
  if (separator == std::string::npos) return bind_one(source.text, source.encoding);
  return bind_dual(std::string_view(source.text).substr(0, separator),
                   std::string_view(source.text).substr(separator + dual_separator.size()));
}

Instruction Binder::bind_dual(std::string_view x, std::string_view y) {
  const NamelessHandlers& nameless = nameless_handlers(lanes_);
  const auto half = [&](std::string_view text) {
    constexpr std::string_view prefix = "v_dual_";
    if (!text.starts_with(prefix)) throw DecodeError("half of a dual instruction: `" + std::string(text) + "`");
    return bind_one("v_" + std::string(text.substr(prefix.size())), 0);
  };
  pairs_.push_back(std::make_unique<Instruction[]>(2));
  Instruction* halves = pairs_.back().get();
  halves[0] = half(x), halves[1] = half(y);
  Instruction instruction = halves[0];
  instruction.handler = nameless.dual;
  instruction.inner = nullptr;
  if (is_unknown(halves[0]) || is_unknown(halves[1])) {
    instruction.handler = nameless.unknown;
    return instruction;
  }
  instruction.halves = halves;
  if (!reads_result(halves[1], halves[0])) return instruction;
  if (!reads_result(halves[0], halves[1])) {
    std::swap(halves[0], halves[1]);
  } else {
    instruction.handler = nameless.dual_staged;
    halves[0].dst.index = staging_row;
  }
  return instruction;
}

Instruction Binder::bind_one(std::string_view line, std::uint32_t encoding) {
  const NamelessHandlers& nameless = nameless_handlers(lanes_);
  Instruction instruction;
  instruction.handler = nameless.unknown;
  InstructionText text = cut(line);
  const Operation* operation = find_operation(text.mnemonic, target_, lanes_);
  if (operation == nullptr) return instruction;
  text.mnemonic = operation->mnemonic.substr(0, operation->mnemonic.find('@'));
  instruction.op_class = operation->op_class;
  instruction.access_bytes = operation->access_bytes;
  instruction.flags = operation->flags;
  if (generation_ != generation_gfx9 && takes_descriptor(*operation))
    instruction.flags |= generation_ == generation_gfx1250 ? flag_wide_descriptor : flag_range_select;
  if ((generation_ & gfx12_up) && text.mnemonic.starts_with("scratch_")) instruction.flags |= flag_signed_offsets;
  const auto immediate = static_cast<std::int16_t>(encoding & 0xffff);
  if (is_sopp(encoding)) {
    instruction.offset = immediate;
    instruction.handler = operation->plain;
    if (text.mnemonic == "s_set_gpr_idx_mode") indexed_operands_ = instruction.offset & 15;
    if (text.mnemonic == "s_set_gpr_idx_off") indexed_operands_ = 0;
    return instruction;
  }
  if (text.mnemonic.starts_with("tbuffer_")) instruction.offset2 = 1;  // the format that the text leaves out
  const OperandModifiers modifiers = read_modifiers(text, instruction);
  if (modifiers.unsupported) return instruction;
  std::vector<std::string_view> operands = text.operands;
  if (names_hardware_register(text.mnemonic)) {
    instruction.offset = encoding & 63;
    instruction.offset2 = static_cast<std::int32_t>((encoding >> 6 & 31) | ((encoding >> 11 & 31) + 1) << 8);
    std::erase_if(operands, [](std::string_view operand) { return operand.starts_with("hwreg("); });
  } else if (text.mnemonic.starts_with("s_sendmsg_rtn")) {
    instruction.offset = encoding & 0xff;
    std::erase_if(operands, [](std::string_view operand) { return operand.starts_with("sendmsg("); });
  } else if (has_branch_distance(text.mnemonic)) {
    instruction.offset = immediate;
    if (!operands.empty()) operands.pop_back();
  } else if (text.mnemonic == "s_set_gpr_idx_on") {
    indexed_operands_ = index_flags(operands.empty() ? std::string_view{} : operands.back());
    instruction.offset = static_cast<std::int32_t>(indexed_operands_);
    if (!operands.empty()) operands.pop_back();
  } else if (text.mnemonic == "ds_swizzle_b32") {
    instruction.offset = static_cast<std::int32_t>(encoding & 0xffff);
  } else if (operands.size() == 1 && operation->dst == ValueType::none && operation->src[0] == ValueType::none) {
    // Cache controls print their first flag where an operand would stand.
    InstructionText flags = text;
    flags.modifiers = operands;
    read_modifiers(flags, instruction);
    operands.clear();
  }

  const auto vcc = [&] { return parse_operand(lanes_ == 32 ? "vcc_lo" : "vcc", ValueType::mask, lanes_, constants_); };
  std::size_t next = 0;
  const auto take = [&](ValueType type, int field) {
    if (next >= operands.size()) throw DecodeError("an operand is missing");
    Operand operand = parse_operand(operands[next++], type, lanes_, constants_);
    if (operand.kind == OperandKind::vector)
      operand.index = static_cast<std::uint16_t>(operand.index + window_offset(window_, field));
    return operand;
  };
  const bool scaled_matrix = takes_scales(text.mnemonic);
  const bool exec_only = only_writes_exec(text.mnemonic, generation_);
  if (exec_only)
    instruction.dst = {.kind = OperandKind::scalar,
                       .words = static_cast<std::uint8_t>(lanes_ / 32),
                       .index = scalar_discard,
                       .type = ValueType::mask};
  else if (has_destination(*operation, text.mnemonic, instruction.flags))
    instruction.dst = take(operation->dst, window_field_of_destination);
  if (operation->dst2 != ValueType::none && !scaled_matrix)
    instruction.dst2 = take(operation->dst2, window_field_of_destination);
  int sources = 0;
  while (sources < 4 && operation->src[sources] != ValueType::none) ++sources;
  int text_sources = sources;
  if (operation->flags & flag_reads_destination) {
    --text_sources;
    instruction.src[text_sources] = instruction.dst;
    instruction.src[text_sources].type = operation->src[text_sources];
    if (is_packed(operation->src[text_sources])) instruction.src[text_sources].modifiers = modifier_op_sel_high;
  }
  if (operation->flags & flag_reads_vcc) {
    --text_sources;
    instruction.src[text_sources] = vcc();
  }
  if ((operation->flags & flag_optional_sources) && operands.size() - next < static_cast<std::size_t>(text_sources))
    text_sources = static_cast<int>(operands.size() - next);
  for (int k = 0; k < text_sources; ++k) {
    // v_cndmask_b32 of dual instructions leaves VCC out.
    const bool implicit_vcc = operation->src[k] == ValueType::mask && next == operands.size();
    instruction.src[k] =
        implicit_vcc ? vcc() : take(operation->src[k], window_field(text.mnemonic, *operation, k));
  }
  if (scaled_matrix && operation->dst2 != ValueType::none) instruction.dst2 = take(operation->dst2, outside_of_windows);
  while (next < operands.size() && operands[next] == "off") ++next;
  if (next != operands.size())
    throw DecodeError("operand `" + std::string(operands[next]) + "` is one more than the operation takes");

  if (generation_ == generation_gfx1250) {
    if (has_signed_rows(text.mnemonic)) instruction.flags |= flag_signed_rows;
    if (writes_register_window(text.mnemonic, instruction)) return instruction;
  }
  scale_two_offsets(text.mnemonic, instruction);
  instruction.passes = static_cast<std::uint8_t>(matrix_passes(*operation, target_, instruction.offset2));
  if (!apply_operand_modifiers(modifiers, *operation, text_sources, instruction)) return instruction;
  if ((operation->flags & flag_reads_destination) && (instruction.dst.modifiers & modifier_op_sel))
    instruction.src[text_sources].modifiers |= modifier_op_sel;
  if (generation_ != generation_gfx9 && is_half(operation->dst) && instruction.dst.kind == OperandKind::vector &&
      !(operation->flags & flag_own_modifiers)) {
    if (lanes_ == 64 && !(instruction.flags & flag_keeps_high)) instruction.flags |= flag_merges_half;
    instruction.flags |= flag_keeps_high;
  }
  if (exec_only) instruction.flags |= flag_writes_exec;
  // From gfx12 on a packed instruction reads one scalar register for both of its halves.
  if (generation_ & gfx12_up)
    for (Operand& operand : instruction.src)
      if (operand.type == ValueType::packed_f32 && operand.kind == OperandKind::scalar) operand.words = 1;
  const Handler handler = choose_handler(*operation, instruction);
  if (handler == nullptr) return instruction;
  instruction.handler = handler;

  if (writes_exec(instruction.dst) || writes_exec(instruction.dst2)) {
    instruction.flags |= flag_writes_exec;
    instruction.wrapped = handler;
    instruction.handler = nameless.exec_write;
  }
  for (const Operand& operand : instruction.src) {
    if (!reads_status(operand)) continue;
    instruction.wrapped = handler;
    instruction.handler = nameless.status_read;
  }
  if (indexed_operands_ != 0 && is_valu(operation->op_class)) {
    if (instruction.wrapped != nullptr) instruction.handler = nameless.unknown;
    instruction.wrapped = handler;
    if (instruction.handler != nameless.unknown) instruction.handler = nameless.register_index;
    instruction.flags |=
        (indexed_operands_ & 1 ? flag_index_source_0 : 0u) | (indexed_operands_ & 2 ? flag_index_source_1 : 0u) |
        (indexed_operands_ & 4 ? flag_index_source_2 : 0u) | (indexed_operands_ & 8 ? flag_index_destination : 0u);
  }
  return instruction;
}

}  // namespace zellige::sim
