// Operands; operand.hpp states what each function gives.
#include "simulator/decode/operand.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <string>

#include "simulator/decode/text.hpp"
#include "simulator/execute/wave.hpp"

namespace zellige::sim {
namespace {

struct NamedScalar {
  std::string_view name;
  std::uint16_t index;
  std::uint8_t words;
};

constexpr NamedScalar named_scalars[] = {
    {"vcc", scalar_vcc, 2},
    {"vcc_lo", scalar_vcc, 1},
    {"vcc_hi", scalar_vcc + 1, 1},
    {"exec", scalar_exec, 2},
    {"exec_lo", scalar_exec, 1},
    {"exec_hi", scalar_exec + 1, 1},
    {"m0", scalar_m0, 1},
    {"flat_scratch", scalar_flat_scratch, 2},
    {"flat_scratch_lo", scalar_flat_scratch, 1},
    {"flat_scratch_hi", scalar_flat_scratch + 1, 1},
    {"xnack_mask", scalar_xnack_mask, 2},
    {"xnack_mask_lo", scalar_xnack_mask, 1},
    {"xnack_mask_hi", scalar_xnack_mask + 1, 1},
    {"src_shared_base", scalar_shared_base, 2},
    {"src_shared_limit", scalar_shared_limit, 2},
    {"src_private_base", scalar_private_base, 2},
    {"src_private_limit", scalar_private_limit, 2},
    {"src_flat_scratch_base_lo", scalar_flat_scratch_base, 2},
    {"src_flat_scratch_base_hi", scalar_flat_scratch_base + 1, 1},
    {"src_vccz", scalar_vccz, 1},
    {"src_execz", scalar_execz, 1},
    {"src_scc", scalar_scc, 1},
    {"vccz", scalar_vccz, 1},
    {"execz", scalar_execz, 1},
    {"scc", scalar_scc, 1},
};

/// Register files by the prefix of their names: first index here, and how many there are.
struct RegisterFile {
  std::string_view prefix;
  OperandKind kind;
  int first, count;
};
constexpr RegisterFile register_files[] = {
    {"ttmp", OperandKind::scalar, scalar_ttmp0, 16},
    {"v", OperandKind::vector, 0, vector_rows},
    {"a", OperandKind::vector, first_agpr_row, 256},
    {"s", OperandKind::scalar, 0, 106},
};

bool parse_number(std::string_view text, int& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// "v7", "v[8:11]", "s[4:5]", "ttmp[2:3]".
bool parse_register(std::string_view text, Operand& operand) {
  for (const RegisterFile& file : register_files) {
    if (!text.starts_with(file.prefix)) continue;
    std::string_view rest = text.substr(file.prefix.size());
    int first = 0, last = 0;
    if (rest.size() > 2 && rest.front() == '[' && rest.back() == ']') {
      rest = rest.substr(1, rest.size() - 2);
      const auto colon = rest.find(':');
      if (!parse_number(rest.substr(0, colon), first)) continue;
      last = first;
      if (colon != std::string_view::npos && !parse_number(rest.substr(colon + 1), last)) continue;
    } else {
      if (!parse_number(rest, first)) continue;
      last = first;
    }
    if (first < 0 || last < first || last >= file.count)
      throw DecodeError("register out of range: `" + std::string(text) + "`");
    operand.kind = file.kind;
    operand.index = static_cast<std::uint16_t>(file.first + first);
    operand.words = static_cast<std::uint8_t>(last - first + 1);
    return true;
  }
  return false;
}

/// Nearest even, exact for the inline constants.
std::uint16_t half_bits(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const std::uint32_t sign = bits >> 16 & 0x8000;
  const int exponent = static_cast<int>(bits >> 23 & 255) - 127 + 15;
  const std::uint32_t fraction = bits & 0x7fffff;
  if ((bits & 0x7fffffff) == 0) return static_cast<std::uint16_t>(sign);
  if (exponent <= 0 || exponent >= 31)
    throw DecodeError("constant has no half-precision value: " + std::to_string(value));
  const std::uint32_t rounded = (static_cast<std::uint32_t>(exponent) << 23 | fraction) + 0xfff + (fraction >> 13 & 1);
  return static_cast<std::uint16_t>(sign | rounded >> 13);
}

std::uint64_t float_bits(double value, ValueType type) {
  // 1 / (2 pi) is the one inline constant that is not exact: its bits in each format are defined by the ISA.
  const bool inverse_two_pi = std::fabs(value - 0.15915494309189532) < 1e-6;
  switch (type) {
    case ValueType::f16:
    case ValueType::packed_f16:
    case ValueType::matrix_f16:
    case ValueType::packed_i16:
    case ValueType::i16:
    case ValueType::u16:
    case ValueType::b16:
      return inverse_two_pi ? 0x3118 : half_bits(value);
    case ValueType::bf16:
    case ValueType::packed_bf16:
    case ValueType::matrix_bf16:
      return inverse_two_pi ? 0x3e23 : std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16;
    case ValueType::f64:
    case ValueType::matrix_f64:
    case ValueType::b64:
    case ValueType::i64:
    case ValueType::u64:
      return inverse_two_pi ? 0x3fc45f306dc9c882 : std::bit_cast<std::uint64_t>(value);
    default:
      return inverse_two_pi ? 0x3e22f983 : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
}

/// "v7.h" is the upper half of v7, "v7.l" the lower one; false for other names.
bool take_half(std::string_view& text, bool& high) {
  if (!text.starts_with("v") || (!text.ends_with(".l") && !text.ends_with(".h"))) return false;
  high = text.ends_with(".h");
  text.remove_suffix(2);
  return true;
}

/// "lit(0x...)" and "lit64(0x...)" force a literal's encoding.
std::string_view without_literal_wrapper(std::string_view text) {
  for (const std::string_view wrapper : {std::string_view("lit("), std::string_view("lit64(")})
    if (text.starts_with(wrapper) && text.ends_with(")"))
      return text.substr(wrapper.size(), text.size() - wrapper.size() - 1);
  return text;
}

bool looks_like_constant(std::string_view text) {
  if (text.starts_with("lit(") || text.starts_with("lit64(")) return true;
  if (text.starts_with("-")) text.remove_prefix(1);
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

bool is_one_word(ValueType type) {
  switch (type) {
    case ValueType::b8:
    case ValueType::b16:
    case ValueType::b32:
    case ValueType::i16:
    case ValueType::i32:
    case ValueType::u16:
    case ValueType::u32:
    case ValueType::f16:
    case ValueType::bf16:
    case ValueType::f32:
    case ValueType::packed_f16:
    case ValueType::packed_i16:
    case ValueType::packed_bf16:
      return true;
    default:
      return false;
  }
}

bool unwrap(std::string_view& text, std::string_view before, std::string_view after) {
  if (text.size() <= before.size() + after.size() || !text.starts_with(before) || !text.ends_with(after)) return false;
  text = text.substr(before.size(), text.size() - before.size() - after.size());
  return true;
}

}  // namespace

const std::uint32_t* ConstantPool::rows(std::uint64_t value, int words) {
  auto& known = known_[{value, words}];
  if (known == nullptr) {
    // Rows must be aligned to 64 bytes: allocate a row more and begin at the first aligned word.
    const std::size_t count = static_cast<std::size_t>(words) * row_lanes;
    storage_.push_back(std::make_unique<std::uint32_t[]>(count + 16));
    auto address = reinterpret_cast<std::uintptr_t>(storage_.back().get());
    auto* row = reinterpret_cast<std::uint32_t*>((address + 63) / 64 * 64);
    for (std::size_t i = 0; i < count; ++i) row[i] = static_cast<std::uint32_t>(value >> (32 * (i / row_lanes)));
    known = row;
  }
  return known;
}

int words_of(ValueType type, int lanes) {
  switch (type) {
    case ValueType::mask:
      return lanes / 32;
    case ValueType::b64:
    case ValueType::i64:
    case ValueType::u64:
    case ValueType::f64:
    case ValueType::matrix_f64:
    case ValueType::packed_f32:
      return 2;
    default:
      return 1;
  }
}

std::uint64_t constant_bits(std::string_view text, ValueType type) {
  // 64 bits are given: nothing is extended.
  if (text.starts_with("lit64(")) return static_cast<std::uint64_t>(parse_integer(without_literal_wrapper(text)));
  text = without_literal_wrapper(text);
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("-0x");
  if (!hexadecimal && text.find('.') != std::string_view::npos) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
      throw DecodeError("not a number: `" + std::string(text) + "`");
    const std::uint64_t bits = float_bits(value, type);
    // Both dwords of a packed f32 source hold the constant.
    return type == ValueType::packed_f32 ? bits | bits << 32 : bits;
  }
  const auto value = static_cast<std::uint64_t>(parse_integer(text));
  switch (type) {
    // A 32-bit literal is the high dword of a double; inline integers are 64-bit values.
    case ValueType::matrix_f64:
    case ValueType::f64:
      return hexadecimal && value <= 0xffffffffu ? value << 32 : value;
    case ValueType::i64:
      return hexadecimal && value <= 0xffffffffu
                 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value)))
                 : value;
    case ValueType::b64:
    case ValueType::u64:
    case ValueType::mask:
      return value;
    case ValueType::packed_f32:
      return (value & 0xffffffffu) | value << 32;
    case ValueType::i16:
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<std::int16_t>(value)));
    case ValueType::u16:
      return value & 0xffff;
    default:
      return static_cast<std::uint32_t>(value);
  }
}

Operand parse_operand(std::string_view text, ValueType type, int lanes, ConstantPool& constants) {
  const std::string_view whole = text;
  Operand operand;
  operand.type = type;
  operand.words = static_cast<std::uint8_t>(words_of(type, lanes));
  if (text == "off" || text == "null") return operand;
  if (unwrap(text, "sext(", ")")) operand.modifiers |= modifier_sign_extend;
  if (unwrap(text, "neg(", ")")) operand.modifiers |= modifier_negate;
  if (text.starts_with("-") && !looks_like_constant(text)) {
    operand.modifiers |= modifier_negate;
    text.remove_prefix(1);
  }
  if (unwrap(text, "|", "|") || unwrap(text, "abs(", ")")) operand.modifiers |= modifier_absolute;
  if (looks_like_constant(text)) {
    operand.kind = OperandKind::constant;
    operand.rows = constants.rows(constant_bits(text, type), operand.words);
    return operand;
  }
  bool high = false;
  if (take_half(text, high) && !is_half(type))
    throw DecodeError("half a register where a whole one is expected: `" + std::string(whole) + "`");
  if (high) operand.modifiers |= modifier_op_sel;
  if (parse_register(text, operand)) {
    const int wanted = words_of(type, lanes);
    const bool fixed_width =
        (wanted == 2 && type != ValueType::matrix_f64) || is_one_word(type) || type == ValueType::mask;
    if (fixed_width && operand.words != wanted)
      throw DecodeError("operand `" + std::string(whole) + "` spans " + std::to_string(operand.words) +
                        " registers where " + std::to_string(wanted) + " are expected");
    return operand;
  }
  for (const NamedScalar& scalar : named_scalars) {
    if (scalar.name != text) continue;
    operand.kind = OperandKind::scalar;
    operand.index = scalar.index;
    operand.words = scalar.words;
    return operand;
  }
  throw DecodeError("operand `" + std::string(whole) + "` is not understood");
}

}  // namespace zellige::sim
