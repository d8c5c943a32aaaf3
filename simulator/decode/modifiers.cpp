// Modifier text; modifiers.hpp states what is read.
#include "simulator/decode/modifiers.hpp"

#include <string>

namespace zellige::sim {
namespace {

struct NamedFlag {
  std::string_view name;
  std::uint32_t flag;
};
constexpr NamedFlag flags[] = {
    {"clamp", flag_clamp}, {"glc", flag_glc},     {"sc0", flag_glc}, {"lds", flag_lds},
    {"offen", flag_offen}, {"idxen", flag_idxen}, {"gds", flag_gds}, {"slc", flag_slc},
    {"nt", flag_slc},      {"sc1", flag_sc1},     {"scc", flag_sc1}, {"scale_offset", flag_scale_offset},
};

struct NamedDpp {
  std::string_view name;
  DppKind kind;
};
constexpr NamedDpp dpp_kinds[] = {
    {"row_shl", DppKind::row_shl},           {"row_shr", DppKind::row_shr},     {"row_ror", DppKind::row_ror},
    {"wave_shl", DppKind::wave_shl},         {"wave_rol", DppKind::wave_rol},   {"wave_shr", DppKind::wave_shr},
    {"wave_ror", DppKind::wave_ror},         {"row_share", DppKind::row_share}, {"row_xmask", DppKind::row_xmask},
    {"row_newbcast", DppKind::row_newbcast},
};

SdwaSelect select_named(std::string_view name) {
  constexpr std::string_view names[] = {"DWORD", "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1"};
  for (std::uint8_t i = 0; i < 7; ++i)
    if (names[i] == name) return static_cast<SdwaSelect>(i);
  throw DecodeError("unknown select `" + std::string(name) + "`");
}

SdwaUnused unused_named(std::string_view name) {
  if (name == "UNUSED_PAD") return SdwaUnused::pad;
  if (name == "UNUSED_SEXT") return SdwaUnused::sign_extend;
  if (name == "UNUSED_PRESERVE") return SdwaUnused::preserve;
  throw DecodeError("unknown dst_unused `" + std::string(name) + "`");
}

/// Lanes chosen in `bits` bits each.
std::uint32_t packed_list(std::string_view text, int bits, std::size_t count) {
  const auto values = parse_list(text);
  if (values.size() != count)
    throw DecodeError("list of " + std::to_string(values.size()) + " numbers: `" + std::string(text) + "`");
  std::uint32_t result = 0;
  for (std::size_t i = 0; i < count; ++i)
    result |= static_cast<std::uint32_t>(values[i]) << (bits * static_cast<int>(i));
  return result;
}

bool read_dpp(std::string_view name, std::string_view value, Dpp& dpp) {
  if (name == "quad_perm") {
    dpp.kind = DppKind::quad_perm;
    dpp.control = packed_list(value, 2, 4);
  } else if (name == "dpp8") {
    dpp.kind = DppKind::dpp8;
    dpp.control = packed_list(value, 3, 8);
  } else if (name == "row_mirror") {
    dpp.kind = DppKind::row_mirror;
  } else if (name == "row_half_mirror") {
    dpp.kind = DppKind::row_half_mirror;
  } else if (name == "row_bcast") {
    const auto lane = parse_integer(value);
    if (lane != 15 && lane != 31) throw DecodeError("row_bcast of lane " + std::to_string(lane));
    dpp.kind = lane == 15 ? DppKind::row_bcast15 : DppKind::row_bcast31;
  } else if (name == "row_mask") {
    dpp.row_mask = static_cast<std::uint8_t>(parse_integer(value));
  } else if (name == "bank_mask") {
    dpp.bank_mask = static_cast<std::uint8_t>(parse_integer(value));
  } else if (name == "bound_ctrl") {
    dpp.bound_control = true;
  } else if (name == "fi") {
    dpp.fetch_inactive = parse_integer(value) != 0;
  } else {
    for (const NamedDpp& kind : dpp_kinds) {
      if (kind.name != name) continue;
      dpp.kind = kind.kind;
      dpp.control = static_cast<std::uint32_t>(parse_integer(value));
      return true;
    }
    return false;
  }
  return true;
}

/// The place of `value` among `names`.
template <std::size_t count>
std::int32_t place_of(std::string_view value, const std::string_view (&names)[count]) {
  for (std::size_t i = 0; i < count; ++i)
    if (names[i] == value) return static_cast<std::int32_t>(i);
  throw DecodeError("matrix modifier `" + std::string(value) + "` is not understood");
}

/// WMMA's control fields. Instruction::offset2: format of A, index_key << 8, format of B << 16, as cbsz, abid and blgp.
/// Instruction::offset: rows of A's and B's scales in bits 0 and 1, their formats from bits 2 and 4.
bool read_wmma_control(std::string_view name, std::string_view value, Instruction& instruction) {
  constexpr std::string_view formats[] = {"MATRIX_FMT_FP8", "MATRIX_FMT_BF8", "MATRIX_FMT_FP6", "MATRIX_FMT_BF6",
                                          "MATRIX_FMT_FP4"};
  constexpr std::string_view rows[] = {"MATRIX_SCALE_ROW0", "MATRIX_SCALE_ROW1"};
  constexpr std::string_view scales[] = {"MATRIX_SCALE_FMT_E8", "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3"};
  if (name == "index_key") {
    instruction.offset2 |= static_cast<std::int32_t>(parse_integer(value)) << 8;
  } else if (name == "matrix_a_fmt") {
    instruction.offset2 |= place_of(value, formats);
  } else if (name == "matrix_b_fmt") {
    instruction.offset2 |= place_of(value, formats) << 16;
  } else if (name == "matrix_a_scale") {
    instruction.offset |= place_of(value, rows);
  } else if (name == "matrix_b_scale") {
    instruction.offset |= place_of(value, rows) << 1;
  } else if (name == "matrix_a_scale_fmt") {
    instruction.offset |= place_of(value, scales) << 2;
  } else if (name == "matrix_b_scale_fmt") {
    instruction.offset |= place_of(value, scales) << 4;
  } else {
    return name == "matrix_a_reuse" || name == "matrix_b_reuse";  // hints for the operand caches
  }
  return true;
}

/// The number of a typed buffer format of gfx11 and gfx12: "[BUF_FMT_16_16_UINT]" or a number. 0, which is none, for
/// the formats whose components differ in width.
int typed_format(std::string_view value) {
  constexpr std::string_view prefix = "[BUF_FMT_";
  if (!value.starts_with(prefix)) return static_cast<int>(parse_integer(value));
  value = value.substr(prefix.size(), value.size() - prefix.size() - 1);
  constexpr std::string_view kinds[] = {"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "FLOAT"};
  struct Widths {
    std::string_view text;
    int first, first_kind;
  };
  constexpr Widths all[] = {{"8", 1, 0},         {"16", 7, 0},          {"8_8", 14, 0},   {"32", 20, 4},
                            {"16_16", 23, 0},    {"8_8_8_8", 42, 0},    {"32_32", 48, 4}, {"16_16_16_16", 51, 0},
                            {"32_32_32", 58, 4}, {"32_32_32_32", 61, 4}};
  const auto kind = value.rfind('_');
  if (kind == std::string_view::npos) return 0;
  for (const Widths& widths : all)
    for (int k = widths.first_kind; k < 7; ++k)
      if (widths.text == value.substr(0, kind) && kinds[k] == value.substr(kind + 1))
        return widths.first + k - widths.first_kind;
  return 0;
}

/// Matrix control fields share Instruction::offset2: cbsz, abid << 8, blgp << 16.
bool read_matrix_control(std::string_view name, std::string_view value, Instruction& instruction) {
  if (name == "cbsz") {
    instruction.offset2 |= static_cast<std::int32_t>(parse_integer(value));
  } else if (name == "abid") {
    instruction.offset2 |= static_cast<std::int32_t>(parse_integer(value)) << 8;
  } else if (name == "blgp") {
    instruction.offset2 |= static_cast<std::int32_t>(parse_integer(value)) << 16;
  } else if (name == "neg") {
    instruction.offset2 |= static_cast<std::int32_t>(packed_list(value, 1, 3)) << 16;
  } else {
    return read_wmma_control(name, value, instruction);
  }
  return true;
}

}  // namespace

OperandModifiers read_modifiers(const InstructionText& text, Instruction& instruction) {
  OperandModifiers result;
  for (const std::string_view modifier : text.modifiers) {
    const auto colon = modifier.find(':');
    const std::string_view name = modifier.substr(0, colon);
    const std::string_view value = colon == std::string_view::npos ? std::string_view{} : modifier.substr(colon + 1);
    bool known = false;
    for (const NamedFlag& flag : flags) {
      if (flag.name != modifier) continue;
      instruction.flags |= flag.flag;
      known = true;
    }
    if (known) continue;
    if (name == "offset" && value.starts_with("swizzle(")) continue;  // ds_swizzle_b32: taken from the encoding
    if (name == "offset" || name == "offset0" || name == "bitop3") {
      instruction.offset = static_cast<std::int32_t>(parse_integer(value));
    } else if (name == "offset1") {
      instruction.offset2 = static_cast<std::int32_t>(parse_integer(value));
    } else if (name == "format") {
      instruction.offset2 = typed_format(value);
    } else if (name == "mul") {
      instruction.out_modifier = value == "2" ? 1 : 2;
      if (value != "2" && value != "4") throw DecodeError("unknown output modifier `" + std::string(modifier) + "`");
    } else if (modifier == "div:2") {
      instruction.out_modifier = 3;
    } else if (name == "op_sel") {
      result.op_sel = parse_list(value);
    } else if (name == "op_sel_hi") {
      result.op_sel_hi = parse_list(value);
    } else if (name == "neg_lo") {
      result.neg_lo = parse_list(value);
    } else if (name == "neg_hi") {
      result.neg_hi = parse_list(value);
    } else if (name == "byte_sel") {
      result.byte_select = static_cast<int>(parse_integer(value));
    } else if (name == "src0_sel") {
      result.source_select[0] = select_named(value);
    } else if (name == "src1_sel") {
      result.source_select[1] = select_named(value);
    } else if (name == "dst_sel") {
      instruction.sdwa_dst = select_named(value);
    } else if (name == "dst_unused") {
      instruction.sdwa_unused = unused_named(value);
    } else if (name == "dlc" || name == "scope" || name == "nv") {
      continue;  // caches have no state here
    } else if (name == "th") {
      if (value.starts_with("TH_ATOMIC") && value.ends_with("RETURN")) instruction.flags |= flag_glc;
    } else if (modifier == "tfe") {
      result.unsupported = true;
    } else if (!read_matrix_control(name, value, instruction) && !read_dpp(name, value, instruction.dpp)) {
      throw DecodeError("modifier `" + std::string(modifier) + "` is not understood");
    }
  }
  return result;
}

}  // namespace zellige::sim
