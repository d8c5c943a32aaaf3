// Checking handlers: a decoded program whose instructions are looked at before they run.
//
// Law: a program without checks is untouched, so checks that are off cost nothing. With checks on, attach_checks()
// keeps every instruction's handler beside the program and puts one handler in its place, which tells each check that
// asked for the instruction what is about to happen, and then runs the handler kept. A check that finds a fault raises
// it as handlers do (raise_fault), and the instruction does not run. Checks change no architectural state.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/check/access.hpp"
#include "simulator/check/race_plan.hpp"
#include "simulator/check/register_use.hpp"
#include "simulator/check/settings.hpp"
#include "simulator/check/uninit.hpp"
#include "simulator/check/wait.hpp"
#include "simulator/decode/program.hpp"

namespace zellige::sim {

struct GroupShadow;

/// One instruction's part, worked out when it is decoded.
struct CheckedInstruction {
  Handler handler = nullptr;  ///< the instruction's own
  unsigned checks = 0;        ///< bits of Check: who wants to see it
  AccessPlan access;
  RegisterUse registers;
  WaitPlan wait;
  UninitPlan uninit;
  RacePlan race;
};

/// Program::checked: by Instruction::index.
struct CheckedProgram {
  unsigned checks = 0;        ///< bits of Check
  bool synchronises = false;  ///< check_race: some instruction sees what atomic operations leave
  bool lds_atomics = false;   ///< check_race: some instruction may be an atomic operation on LDS
  std::vector<CheckedInstruction> instructions;
  std::vector<QuickUse> quick;  ///< of instructions that only check_uninit asks for
};

/// Puts the checks (bits of Check) around every instruction of `program`, which has none yet.
void attach_checks(Program& program, unsigned checks);

/// What a check is told of an instruction before it runs.
struct Step {
  Wave& wave;
  const Instruction* instruction;
  const CheckedInstruction& plan;
  const AccessList& accesses;
  GroupShadow& shadow;

  /// The words of a span of vector registers that the instruction reads or writes, as bits: all, but of the data of a
  /// store and the destination of a load those that its accesses move.
  std::uint32_t moved(const RegisterSpan& span) const {
    if (accesses.words == ~0u) return ~0u;
    const bool loads = plan.access.kind == AccessKind::load;
    const Operand& operand = loads ? instruction->dst : instruction->src[plan.access.data];
    const bool is_address = !loads && instruction->src[plan.access.address].index == operand.index;
    return operand.index == span.first && operand.words == span.words && !is_address ? accesses.words : ~0u;
  }
};

}  // namespace zellige::sim
