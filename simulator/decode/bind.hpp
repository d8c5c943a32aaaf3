// One instruction's text bound to its operation: operands, modifiers and the handler that serves them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/decode/alias.hpp"
#include "simulator/decode/disassembler.hpp"
#include "simulator/decode/operand.hpp"
#include "simulator/execute/operation.hpp"

namespace zellige::sim {

/// The operation that `mnemonic` names on `target` in waves of `lanes` lanes, or nullptr: that of a row "mnemonic@target",
/// else that of the canonical name (alias.hpp).
const Operation* find_operation(std::string_view mnemonic, std::string_view target, int lanes);

class Binder {
 public:
  using Pairs = std::vector<std::unique_ptr<Instruction[]>>;

  /// `pairs` will own the halves of dual instructions.
  Binder(std::string target, int lanes, ConstantPool& constants, Pairs& pairs)
      : target_(std::move(target)),
        generation_(generation_of(target_)),
        lanes_(lanes),
        constants_(constants),
        pairs_(pairs) {}

  /// Instructions must come in the order of their addresses: register indexing (s_set_gpr_idx_on) holds for those that
  /// follow. DecodeError when the text is not understood. `window` is the register window that it runs in.
  Instruction bind(const Disassembled& source, unsigned window = 0);

  /// Forgets register indexing: the next instruction does not follow the last one.
  void begin_block() { indexed_operands_ = 0; }

 private:
  Instruction bind_one(std::string_view line, std::uint32_t encoding);
  Instruction bind_dual(std::string_view x, std::string_view y);

  std::string target_;
  Generation generation_;
  int lanes_;
  ConstantPool& constants_;
  Pairs& pairs_;
  unsigned window_ = 0;
  std::uint32_t indexed_operands_ = 0;  ///< SRC0, SRC1, SRC2, DST in bits 0 to 3
};

/// Whether `instruction` raises "not implemented" when executed.
bool is_unknown(const Instruction& instruction);

}  // namespace zellige::sim
