// One instruction's text bound to its operation: operands, modifiers and the handler that serves them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/decode/disassembler.hpp"
#include "simulator/decode/operand.hpp"
#include "simulator/execute/operation.hpp"

namespace zellige::sim {

/// The operation that `mnemonic` names on `target` in waves of `lanes` lanes, or nullptr. A row "mnemonic@target" goes
/// before "mnemonic".
const Operation* find_operation(std::string_view mnemonic, std::string_view target, int lanes);

class Binder {
 public:
  Binder(std::string target, int lanes, ConstantPool& constants)
      : target_(std::move(target)), lanes_(lanes), constants_(constants) {}

  /// Instructions must come in the order of their addresses: register indexing (s_set_gpr_idx_on) holds for those that
  /// follow. DecodeError when the text is not understood.
  Instruction bind(const Disassembled& source);

  /// Forgets register indexing: the next instruction does not follow the last one.
  void begin_block() { indexed_operands_ = 0; }

 private:
  std::string target_;
  int lanes_;
  ConstantPool& constants_;
  std::uint32_t indexed_operands_ = 0;  ///< SRC0, SRC1, SRC2, DST in bits 0 to 3
};

/// Whether `instruction` raises "not implemented" when executed.
bool is_unknown(const Instruction& instruction);

}  // namespace zellige::sim
