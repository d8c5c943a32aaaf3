// Counting, branching and scalar memory checks; control.hpp states what each does.
#include "simulator/execute/control.hpp"

#include <cinttypes>

#include "simulator/decode/program.hpp"
#include "simulator/execute/global_bounds.hpp"
#include "simulator/memory/arena.hpp"
#include "simulator/timing/observation.hpp"

namespace zellige::sim {

void count_run(Wave& wave, const Instruction* last) {
  Workgroup& group = *wave.group;
  const CumulativeCounts& before = group.program->cumulative[wave.run_begin->index];
  const CumulativeCounts& after = group.program->cumulative[last->index + 1];
  for (int i = 0; i < op_classes; ++i) group.counts->instructions[i] += after.by_class[i] - before.by_class[i];
  group.counts->matrix_passes += after.matrix_passes - before.matrix_passes;
  group.clock += last->index + 1 - wave.run_begin->index;
  wave.run_begin = last + 1;
}

const Instruction* take_branch(Wave& wave, const Instruction* from, const Instruction* to) {
  count_run(wave, from);
  wave.run_begin = to;
  if (wave.budget == 0) {
    wave.next = to;
    return nullptr;
  }
  --wave.budget;
  return to;
}

const Instruction* leave(Wave& wave, const Instruction* last, WaveState state) {
  count_run(wave, last);
  wave.state = state;
  wave.next = last + 1;
  return nullptr;
}

std::uint64_t address_of(const Wave& wave, const Instruction* instruction) {
  return wave.group->program->addresses[instruction->index];
}

const Instruction* instruction_at(const Wave& wave, const Instruction* from, std::uint64_t address) {
  const Program& program = *wave.group->program;
  return program.at(address, program.window_of(*from));
}

const Instruction* switch_window(Wave& wave, const Instruction* i) {
  if (i->target == nullptr) return i + 1;
  count_run(wave, i);
  wave.run_begin = i->target;
  return i->target;
}

std::uint64_t clock_at(const Wave& wave, const Instruction* instruction) {
  return wave.group->clock + (instruction->index - wave.run_begin->index);
}

std::uint8_t* scalar_access(Wave& wave, const Instruction* instruction, std::uint64_t address, std::uint32_t bytes) {
  if (!find_allocation(*wave.group, address, address + bytes)) {
    raise_fault(wave, instruction, "scalar access of %u bytes at 0x%" PRIx64 ": %s", bytes, address,
                wave.group->arena->describe(address).c_str());
    return nullptr;
  }
  if (Observation* observation = Observation::current()) observation->scalar_access(address, bytes);
  return reinterpret_cast<std::uint8_t*>(address);
}

}  // namespace zellige::sim
