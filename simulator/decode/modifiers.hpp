// The modifiers behind the operands of an instruction.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "simulator/decode/text.hpp"
#include "simulator/execute/instruction.hpp"

namespace zellige::sim {

/// Modifiers that concern single operands: applied once the operands are known.
struct OperandModifiers {
  std::vector<int> op_sel, op_sel_hi, neg_lo, neg_hi;
  SdwaSelect source_select[2] = {};
  int byte_select = -1;      ///< byte_sel of 8-bit floats: of the source, or of a stochastic conversion's destination
  bool unsupported = false;  ///< one that no handler honours (tfe)
};

/// Reads the modifiers into `instruction` and the result. DecodeError for an unknown one.
OperandModifiers read_modifiers(const InstructionText& text, Instruction& instruction);

}  // namespace zellige::sim
