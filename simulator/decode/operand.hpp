// Operand text to Operand: registers, constants converted for the type that reads them, and source modifiers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/execute/instruction.hpp"

namespace zellige::sim {

/// The constants of one program, broadcast into rows of 64 lanes.
class ConstantPool {
 public:
  explicit ConstantPool(std::vector<std::unique_ptr<std::uint32_t[]>>& storage) : storage_(storage) {}
  const std::uint32_t* rows(std::uint64_t value, int words);

 private:
  std::vector<std::unique_ptr<std::uint32_t[]>>& storage_;
  std::map<std::pair<std::uint64_t, int>, const std::uint32_t*> known_;
};

/// Registers that a value of `type` spans in a wave of `lanes` lanes; 1 for types whose width the text tells.
int words_of(ValueType type, int lanes);

/// The bits that a constant has for a source of `type`: text as LLVM prints it ("1.0", "-4", "0x3f800000").
std::uint64_t constant_bits(std::string_view text, ValueType type);

/// Parses "v[0:1]", "-|s3|", "sext(v2)", "neg(1.0)", "0x10", "off", "vcc", ... as an operand of `type` in a wave of
/// `lanes` lanes. DecodeError when the text is none of the known forms.
Operand parse_operand(std::string_view text, ValueType type, int lanes, ConstantPool& constants);

}  // namespace zellige::sim
