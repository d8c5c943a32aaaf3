// Which instructions of code objects the simulator does not implement, without running them.
//
// Law: counts are of static instructions. A kernel is charged with every instruction that control flow reaches from its
// entry; an address that several kernels reach counts once in the total.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simulator/code_object/bundle.hpp"

namespace zellige::sim {

/// Opcode (as LLVM prints it; ".long 0x..." where LLVM knows no instruction) to number of instructions.
using OpcodeCounts = std::map<std::string, std::size_t>;

struct KernelCoverage {
  std::string name;  ///< demangled
  std::size_t instructions = 0;
  OpcodeCounts missing;
};

struct Coverage {
  std::string target;
  std::vector<KernelCoverage> kernels;
  std::size_t instructions = 0;  ///< distinct ones
  std::size_t opcodes = 0;       ///< distinct names, missing ones included
  OpcodeCounts missing;
  /// Of the missing ones, those whose opcode is known but whose operands are not: a sentence each.
  std::vector<std::string> problems;
};

/// Throws CodeObjectError on a damaged code object.
Coverage coverage_of(const BundleEntry& entry);

std::string coverage_text(const Coverage& coverage);

}  // namespace zellige::sim
