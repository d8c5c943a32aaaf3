// The check of uninitialised reads, told of an instruction: which part follows it, and the sentences; uninit.hpp states
// the law.
#include "simulator/check/uninit.hpp"

#include <algorithm>
#include <iterator>

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

QuickUse quick_use(const Instruction& instruction, const RegisterUse& use, const UninitPlan& plan, Handler handler) {
  QuickUse quick;
  const bool follows_lanes = plan.flow == Flow::lanes || plan.flow == Flow::packed || plan.flow == Flow::pairs ||
                             plan.flow == Flow::select || plan.flow == Flow::matrix;
  if (!follows_lanes || use.indexed || instruction.dpp_lanes != nullptr || instruction.halves != nullptr) return quick;
  if (use.rows_read.count > std::size(quick.rows_read) || use.scalars_read.count > std::size(quick.scalars_read) ||
      use.rows_written.count > 1 || use.scalars_written.count > 1)
    return quick;
  quick.handler = handler;
  std::ranges::copy(use.rows_read, quick.rows_read);
  std::ranges::copy(use.scalars_read, quick.scalars_read);
  if (use.rows_written.count == 1) quick.rows_written = use.rows_written.spans[0];
  if (use.scalars_written.count == 1) quick.scalars_written = use.scalars_written.spans[0];
  quick.all_lanes = use.all_lanes;
  return quick;
}

bool is_quick(const QuickUse& use, const Wave& wave, WaveDefinedness& defined) {
  const std::uint64_t every = wave.lanes == 64 ? ~std::uint64_t{0} : 0xffffffffu;
  const std::uint64_t lanes = use.all_lanes ? every : wave.exec() & every;
  std::uint64_t* const rows = defined.rows.data();
  std::uint64_t open = 0;
  for (const RegisterSpan& span : use.rows_read)
    for (int i = 0; i < span.words; ++i) open |= ~rows[span.first + i];
  std::uint32_t scalars = ~0u;
  for (const RegisterSpan& span : use.scalars_read)
    for (int i = 0; i < span.words; ++i) scalars &= defined.scalars[static_cast<std::size_t>(span.first + i)];
  if ((open & lanes) != 0 || scalars != ~0u) return false;
  for (int i = 0; i < use.rows_written.words; ++i) rows[use.rows_written.first + i] |= lanes;
  for (int i = 0; i < use.scalars_written.words; ++i)
    defined.scalars[static_cast<std::size_t>(use.scalars_written.first + i)] = ~0u;
  return true;
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
