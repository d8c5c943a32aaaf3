// The check of uninitialised reads, told of an instruction: which part follows it, and the sentences; uninit.hpp states
// the law.
#include "simulator/check/uninit.hpp"

#include "simulator/check/checked_program.hpp"
#include "simulator/check/shadow.hpp"
#include "simulator/decode/program.hpp"

namespace zellige::sim {

bool fault_undefined_row(const Step& step, int lane, int row, const char* use) {
  raise_fault(step.wave, step.instruction, "uninitialised register: lane %d uses %s as %s, and nothing has defined it",
              lane, row_name(row, step.wave.group->program->target).c_str(), use);
  return false;
}

bool fault_undefined_scalar(const Step& step, int number, const char* use) {
  raise_fault(step.wave, step.instruction, "uninitialised register: %s is used as %s, and nothing has defined it",
              scalar_name(number).c_str(), use);
  return false;
}

bool uninit_step(const Step& step) {
  switch (step.plan.uninit.flow) {
    case Flow::none:
      return true;
    case Flow::memory:
      return uninit_memory(step);
    case Flow::scalar:
    case Flow::branch:
      return uninit_scalar(step);
    default:
      return uninit_vector(step);
  }
}

}  // namespace zellige::sim
