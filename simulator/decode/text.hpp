// Instruction text cut into its parts: mnemonic, operands, modifiers.
//
// Law: nothing is skipped. What cannot be cut is a DecodeError that quotes the text.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace zellige::sim {

/// Text that the decoder does not understand.
struct DecodeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How an instruction is encoded, from the mnemonic's suffix.
enum class Encoding { plain, dpp, sdwa };

struct InstructionText {
  std::string_view mnemonic;  ///< canonical: without _e32, _e64, _dpp, _sdwa
  Encoding encoding = Encoding::plain;
  std::vector<std::string_view> operands;   ///< "v[0:1]", "-|v2|", "0x10"
  std::vector<std::string_view> modifiers;  ///< "offset:16", "clamp", "op_sel:[0,1]"
};

InstructionText cut(std::string_view text);

/// A number as LLVM prints integers: decimal or hexadecimal, with a sign. DecodeError otherwise.
long long parse_integer(std::string_view text);

/// The numbers of "[0,1,1]".
std::vector<int> parse_list(std::string_view text);

}  // namespace zellige::sim
