// A kernel's code as the executor wants it: instructions bound to handlers, with their texts for messages.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/execute/float_mode.hpp"

namespace zellige::sim {

/// Straight-line counting: cumulative[i] holds the counts of instructions[0, i), so that a run of instructions that
/// ends in a branch is counted with one subtraction. Exact, and free inside the run.
struct CumulativeCounts {
  std::uint32_t by_class[op_classes] = {};
  std::uint32_t matrix_passes = 0;
};

struct CheckedProgram;
struct IssuePlan;

/// The instructions [begin, end) were decoded for one register window (register_window.hpp; 0 but on gfx1250).
struct Variant {
  unsigned window = 0;
  std::uint32_t begin = 0, end = 0;
};

/// Program::texts of the mark behind each variant.
inline constexpr std::string_view end_text = "(end of the code)";

struct Program {
  std::string kernel;  ///< demangled name
  std::string target;  ///< "gfx942"
  int lanes = 64;
  std::vector<Instruction> instructions;  ///< sorted by window, then address; the kernel and every function it can reach
  std::vector<Variant> variants;          ///< by window; the instruction behind each is a mark that faults
  std::vector<std::uint64_t> addresses;   ///< by Instruction::index
  std::vector<std::string> texts;         ///< by Instruction::index, as LLVM prints them
  std::vector<std::string> lines;         ///< by Instruction::index, "file:line"; empty where none is known
  std::vector<CumulativeCounts> cumulative;
  std::vector<FloatBehaviour> float_behaviour;  ///< by Instruction::index
  std::vector<std::unique_ptr<std::uint32_t[]>> constant_rows;  ///< storage of Operand::rows
  std::vector<std::unique_ptr<DppLanes>> dpp_lanes;             ///< storage of Instruction::dpp_lanes
  std::vector<std::unique_ptr<Instruction[]>> pairs;            ///< storage of Instruction::halves

  /// The instruction at a code address in a register window, or nullptr (s_setpc, s_swappc targets).
  const Instruction* at(std::uint64_t address, unsigned window = 0) const;
  /// The window that `instruction` was decoded for.
  unsigned window_of(const Instruction& instruction) const;
  const Instruction* entry = nullptr;
  std::shared_ptr<const IssuePlan> issue;         ///< what instructions cost (timing/issue.hpp)
  std::shared_ptr<const CheckedProgram> checked;  ///< what attach_checks() keeps; nullptr: no checks
};

/// Decodes the code in [begin, begin + bytes) as `target`. An unknown mnemonic does not fail here: its handler raises a
/// fault that names it when it is executed. Text that cannot be understood is an std::runtime_error with the text in
/// it; where `problems` is given, the text is added to it and the instruction counts as unknown. `entry` is the kernel's
/// first instruction.
std::unique_ptr<Program> decode(const std::string& target, int lanes, const std::uint8_t* code, std::uint64_t begin,
                                std::uint64_t bytes, std::uint64_t entry, const std::string& kernel,
                                std::vector<std::string>* problems = nullptr);

/// The distinct mnemonics in `program` that have no handler, sorted: executing one is a fault.
std::vector<std::string> undecoded(const Program& program);

}  // namespace zellige::sim
