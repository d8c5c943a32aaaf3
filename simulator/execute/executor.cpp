// The loop that runs waves, and how a fault is recorded.
#include "simulator/execute/executor.hpp"

#include <cstdarg>
#include <cstdio>

#include "simulator/decode/program.hpp"
#include "simulator/execute/float_mode.hpp"
#include "simulator/execute/operation.hpp"
#include "simulator/timing/observation.hpp"

namespace zellige::sim {

namespace {

void run_observed(Wave& wave, Observation& observation, const Instruction* next) {
  observation.enter(wave);
  while (next != nullptr) {
    const Instruction* instruction = next;
    observation.before(wave, instruction);
    next = instruction->handler(wave, instruction);
    observation.after(wave, next);
  }
  observation.leave(wave);
}

}  // namespace

void run(Wave& wave) {
  for (;;) {
    const std::uint32_t mode = wave.mode & float_mode_bits;
    const Instruction* next = wave.next;
    wave.run_begin = next;
    Observation* const observation = Observation::current();
    if (mode != usual_float_mode)
      run_in_float_mode(wave, next, observation);
    else if (observation != nullptr)
      run_observed(wave, *observation, next);
    else
      while (next != nullptr) next = next->handler(wave, next);
    // A write of MODE leaves the loop for the one that its new value needs.
    if (wave.state != WaveState::ready || (wave.mode & float_mode_bits) == mode) return;
  }
}

const Instruction* raise_fault(Wave& wave, const Instruction* instruction, const char* format, ...) {
  char what[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  wave.state = WaveState::faulted;
  wave.next = instruction;
  Workgroup& group = *wave.group;
  if (group.fault == nullptr || group.fault->raised) return nullptr;
  const Program& program = *group.program;
  char where[256];
  std::snprintf(where, sizeof where, " at address 0x%llx, workgroup (%u, %u, %u), wave %d",
                static_cast<unsigned long long>(program.addresses[instruction->index]), group.id[0], group.id[1],
                group.id[2], wave.id);
  group.fault->raised = true;
  const bool has_line = instruction->index < program.lines.size() && !program.lines[instruction->index].empty();
  const std::string line = has_line ? " of " + program.lines[instruction->index] : "";
  group.fault->message = "kernel " + program.kernel + " on " + program.target + ": " + what + ", in `" +
                         program.texts[instruction->index] + "`" + line + where;
  return nullptr;
}

Counts& Counts::operator+=(const Counts& other) {
  for (int i = 0; i < op_classes; ++i) instructions[i] += other.instructions[i];
  matrix_passes += other.matrix_passes;
  lds_bytes += other.lds_bytes;
  lds_conflict_cycles += other.lds_conflict_cycles;
  lds_access_cycles += other.lds_access_cycles;
  load_bytes += other.load_bytes;
  store_bytes += other.store_bytes;
  load_lines += other.load_lines;
  store_lines += other.store_lines;
  workgroups += other.workgroups;
  observed_workgroups += other.observed_workgroups;
  waves += other.waves;
  return *this;
}

}  // namespace zellige::sim
