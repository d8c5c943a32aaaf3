// Attaching checks, and the handler that tells them; checked_program.hpp states the law.
#include "simulator/check/checked_program.hpp"

#include "simulator/check/race.hpp"
#include "simulator/check/shadow.hpp"
#include "simulator/check/uninit.hpp"
#include "simulator/decode/bind.hpp"
#include "simulator/decode/text.hpp"

namespace zellige::sim {
namespace {

/// What the checks say of an instruction without accesses of memory.
const Instruction* run_checked_alone(Wave& wave, const Instruction* instruction) {
  static const AccessList none;
  Workgroup& group = *wave.group;
  const CheckedInstruction& plan = group.program->checked->instructions[instruction->index];
  const Step step{wave, instruction, plan, none, *group.shadow};
  if ((plan.checks & check_uninit) && !uninit_step(step)) return nullptr;
  if ((plan.checks & check_race) && !race_step(step)) return nullptr;
  if ((plan.checks & check_wait) && !wait_step(step)) return nullptr;
  return plan.handler(wave, instruction);
}

/// Most instructions: only check_uninit asks for them, and all that they read is defined.
const Instruction* run_quick(Wave& wave, const Instruction* instruction) {
  const Workgroup& group = *wave.group;
  const QuickUse& use = group.program->checked->quick[instruction->index];
  if (is_quick(use, wave, group.shadow->defined[static_cast<std::size_t>(wave.id)]))
    return use.handler(wave, instruction);
  return run_checked_alone(wave, instruction);
}

const Instruction* run_checked(Wave& wave, const Instruction* instruction) {
  Workgroup& group = *wave.group;
  const CheckedInstruction& plan = group.program->checked->instructions[instruction->index];
  AccessList accesses;
  plan.access.producer(plan.access, wave, instruction, accesses);
  if (plan.checks & (check_uninit | check_race))
    for (Access& access : accesses)
      if (access.space != Space::scratch && !access.scalar) access.shape = group.shadow->shapes.find(access);
  const Step step{wave, instruction, plan, accesses, *group.shadow};
  if ((plan.checks & check_uninit) && !uninit_step(step)) return nullptr;
  if ((plan.checks & check_race) && !race_step(step)) return nullptr;
  if ((plan.checks & check_wait) && !wait_step(step)) return nullptr;
  return plan.handler(wave, instruction);
}

void attach_race(CheckedProgram& checked, CheckedInstruction& plan, const Program& program,
                 const Instruction& instruction) {
  const bool returns = (instruction.flags & flag_glc) || instruction.dst.kind != OperandKind::none;
  const std::string_view text = program.texts[instruction.index];
  plan.race = race_plan(text, program.target, plan.access, returns);
  if (race_wants(plan)) plan.checks |= check_race;
  checked.synchronises |= plan.race.synchronises;
  checked.lds_atomics |= plan.access.producer != nullptr && plan.access.kind == AccessKind::atomic &&
                         (text.starts_with("ds_") || text.starts_with("flat_"));
}

/// Whether any check can say anything of the instruction: not of what is not implemented, nor of the mark at the end.
bool plan_instruction(const Program& program, const Instruction& instruction, CheckedInstruction& plan) {
  if (is_unknown(instruction)) return false;
  if (instruction.halves != nullptr) {
    plan.registers = dual_register_use(instruction);
    plan.uninit = dual_uninit_plan();
    return true;
  }
  const std::string& text = program.texts[instruction.index];
  const Operation* operation = find_operation(cut(text).mnemonic, program.target, program.lanes);
  if (operation == nullptr) return false;
  plan.access = access_plan(*operation, instruction);
  plan.registers = register_use(*operation, instruction, plan.access, static_cast<unsigned>(program.lanes));
  plan.wait = wait_plan(*operation, instruction, plan.access, text, program.target);
  plan.uninit = uninit_plan(*operation, instruction, plan.access);
  return true;
}

}  // namespace

void attach_checks(Program& program, unsigned checks) {
  auto checked = std::make_shared<CheckedProgram>();
  checked->checks = checks;
  checked->instructions.resize(program.instructions.size());
  checked->quick.resize(program.instructions.size());
  for (Instruction& instruction : program.instructions) {
    CheckedInstruction& plan = checked->instructions[instruction.index];
    plan.handler = instruction.handler;
    if (!plan_instruction(program, instruction, plan)) continue;
    if ((checks & check_uninit) && plan.uninit.flow != Flow::none) plan.checks |= check_uninit;
    const RegisterUse& use = plan.registers;
    const int registers =
        use.rows_read.count + use.rows_written.count + use.scalars_read.count + use.scalars_written.count;
    if ((checks & check_wait) && (registers != 0 || plan.wait.waits || plan.wait.issues)) plan.checks |= check_wait;
    if ((checks & check_race) && instruction.halves == nullptr) attach_race(*checked, plan, program, instruction);
    if (plan.checks == check_uninit && plan.access.producer == nullptr)
      checked->quick[instruction.index] = quick_use(instruction, use, plan.uninit, plan.handler);
    if (checked->quick[instruction.index].handler != nullptr)
      instruction.handler = &run_quick;
    else if (plan.checks != 0)
      instruction.handler = plan.access.producer != nullptr ? &run_checked : &run_checked_alone;
  }
  program.checked = std::move(checked);
}

}  // namespace zellige::sim
