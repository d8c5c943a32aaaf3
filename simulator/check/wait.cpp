// Outstanding instructions of waves; wait.hpp states the law.
#include "simulator/check/wait.hpp"

#include <algorithm>
#include <cinttypes>

#include "simulator/check/checked_program.hpp"
#include "simulator/check/shadow.hpp"

namespace zellige::sim {
namespace {

constexpr int no_register = -1;

/// The first register of the span behind `behind`, of those that `moved` has, whose bit is set.
template <std::size_t N>
int first_bit(const std::array<std::uint64_t, N>& bits, RegisterSpan span, std::uint32_t moved = ~0u,
              int behind = no_register) {
  for (int r = std::max<int>(span.first, behind + 1); r < span.first + span.words; ++r)
    if ((bits[r / 64] >> (r % 64) & 1) && span.holds(moved, r)) return r;
  return no_register;
}

/// Puts the mark of `id` on those registers of `span` that `moved` has, or takes it from those of `list`.
template <std::size_t N>
void mark(RegisterSpan span, std::uint32_t moved, std::uint32_t id, std::array<std::uint64_t, N>& bits,
          std::vector<std::uint32_t>& owner) {
  for (int r = span.first; r < span.first + span.words; ++r)
    if (span.holds(moved, r)) bits[r / 64] |= std::uint64_t{1} << (r % 64), owner[r] = id;
}
template <std::size_t N>
void unmark(const SpanList& list, std::uint32_t id, std::array<std::uint64_t, N>& bits,
            const std::vector<std::uint32_t>& owner) {
  for (const RegisterSpan& span : list)
    for (int r = span.first; r < span.first + span.words; ++r)
      if (owner[r] == id) bits[r / 64] &= ~(std::uint64_t{1} << (r % 64));
}

using Range = std::pair<std::uint32_t, std::uint32_t>;

void change_lds(ByteBits& bits, const Range& range, bool on) {
  for (std::uint32_t at = range.first; at < range.second; at += 64) {
    const std::uint32_t count = std::min(range.second - at, 64u);
    on ? bits.set(at, count) : bits.clear(at, count);
  }
}

bool overlap(const Range& range, std::uint64_t begin, std::uint64_t end) {
  return range.first < end && begin < range.second;
}

template <class Body>
void for_each_outstanding(GroupShadow& shadow, Body body) {
  for (std::size_t wave = 0; wave < shadow.waits.size(); ++wave)
    for (int counter = 0; counter < wait_counters; ++counter) {
      const auto& queue = shadow.waits[wave].queues[counter];
      for (std::size_t place = 0; place < queue.size(); ++place)
        body(static_cast<int>(wave), static_cast<WaitCounter>(counter), queue[place], queue.size() - 1 - place);
    }
}

void retire(GroupShadow& shadow, WaveWaits& waits, const OutstandingLoad& load) {
  if (load.rows.count + load.scalars.count != 0) {
    --waits.with_registers;
    unmark(load.rows, load.id, waits.pending_rows, waits.row_owner);
    unmark(load.scalars, load.id, waits.pending_scalars, waits.scalar_owner);
  }
  if (load.lds.empty()) return;
  --shadow.copies_to_lds;
  for (const Range& range : load.lds) change_lds(shadow.lds_arriving, range, false);
  // What another outstanding copy writes as well is still on its way.
  for_each_outstanding(shadow, [&](int, WaitCounter, const OutstandingLoad& other, std::size_t) {
    if (&other == &load) return;
    for (const Range& mine : load.lds)
      for (const Range& its : other.lds)
        if (overlap(its, mine.first, mine.second)) change_lds(shadow.lds_arriving, its, true);
  });
}

void wait_until(GroupShadow& shadow, WaveWaits& waits, WaitCounter counter, std::size_t limit) {
  auto& queue = waits.queues[static_cast<int>(counter)];
  if (queue.size() <= limit) return;
  // Of those in any order it is unknown which have returned: they may be all that have.
  std::size_t done = queue.size() - limit;
  if (limit != 0) {
    const auto any = static_cast<std::size_t>(std::ranges::count_if(queue, &OutstandingLoad::any_order));
    done = done > any ? done - any : 0;
  }
  for (std::size_t place = 0; place < queue.size() && done != 0;) {
    if (limit != 0 && queue[place].any_order) {
      ++place;
      continue;
    }
    const OutstandingLoad load = std::move(queue[place]);
    queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(place));
    retire(shadow, waits, load);
    --done;
  }
}

/// The outstanding load `id` of `wave`, and how many of its counter are newer.
struct Found {
  const OutstandingLoad* load = nullptr;
  WaitCounter counter = WaitCounter::load;
  std::size_t newer = 0;
};
Found find_load(const WaveWaits& waits, std::uint32_t id) {
  for (int counter = 0; counter < wait_counters; ++counter) {
    const auto& queue = waits.queues[counter];
    for (std::size_t place = 0; place < queue.size(); ++place)
      if (queue[place].id == id) return {&queue[place], static_cast<WaitCounter>(counter), queue.size() - 1 - place};
  }
  return {};
}

std::string wait_text(const Program& program, const Found& found) {
  const bool all = found.load->any_order;
  const std::string name = wait_name(found.counter, program.target), count = std::to_string(all ? 0 : found.newer);
  return name.starts_with("s_") ? name + " " + count : name + "(" + count + ")";
}

bool fault_register(const Step& step, const Found& found, const std::string& name, const char* verb) {
  const Program& program = *step.wave.group->program;
  const std::uint32_t at = found.load->instruction;
  raise_fault(step.wave, step.instruction,
              "missing wait: lane %d %s %s, which `%s` at 0x%" PRIx64 " still loads; %s is needed before",
              found.load->lanes == 0 ? 0 : __builtin_ctzll(found.load->lanes), verb, name.c_str(),
              program.texts[at].c_str(), program.addresses[at], wait_text(program, found).c_str());
  return false;
}

/// Whether the instruction, a newer load of the same counter and order, may write what `found` will write before it.
bool returns_behind(const Step& step, const Found& found, WaitCounter counter) {
  const WaitPlan& plan = step.plan.wait;
  return plan.issues && !plan.any_order && !found.load->any_order && counter == found.counter;
}

WaitCounter counter_of(const Step& step) {
  const WaitPlan& plan = step.plan.wait;
  if (!plan.by_space) return plan.counter;
  for (const Access& access : step.accesses)
    if (access.space != Space::lds) return plan.counter;
  return step.accesses.count == 0 ? plan.counter : WaitCounter::lds;
}

bool check_registers(const Step& step, WaveWaits& waits) {
  const RegisterUse& use = step.plan.registers;
  for (const RegisterSpan& span : use.rows_read)
    if (const int row = first_bit(waits.pending_rows, span, step.moved(span)); row != no_register)
      return fault_register(step, find_load(waits, waits.row_owner[row]),
                            row_name(row, step.wave.group->program->target), "reads");
  for (const RegisterSpan& span : use.scalars_read)
    if (const int number = first_bit(waits.pending_scalars, span); number != no_register)
      return fault_register(step, find_load(waits, waits.scalar_owner[number]), scalar_name(number), "reads");
  for (const RegisterSpan& span : use.rows_written)
    for (int row = no_register; (row = first_bit(waits.pending_rows, span, step.moved(span), row)) != no_register;) {
      const Found found = find_load(waits, waits.row_owner[row]);
      if (!returns_behind(step, found, counter_of(step)))
        return fault_register(step, found, row_name(row, step.wave.group->program->target), "writes");
    }
  for (const RegisterSpan& span : use.scalars_written)
    if (const int number = first_bit(waits.pending_scalars, span); number != no_register)
      return fault_register(step, find_load(waits, waits.scalar_owner[number]), scalar_name(number), "writes");
  return true;
}

/// An access of LDS that meets bytes which a copy is still writing.
bool fault_lds_copy(const Step& step, const Access& access, int lane) {
  const std::uint64_t begin = access.at(lane), end = begin + access.bytes;
  int writer = 0;
  Found found;
  for_each_outstanding(step.shadow, [&](int wave, WaitCounter counter, const OutstandingLoad& load, std::size_t newer) {
    for (const Range& range : load.lds)
      if (overlap(range, begin, end)) writer = wave, found = {&load, counter, newer};
  });
  if (found.load == nullptr) return true;
  const Program& program = *step.wave.group->program;
  const std::uint32_t at = found.load->instruction;
  const bool own = writer == step.wave.id;
  // A wave's copies return in order: a newer one may write the same bytes.
  if (own && step.plan.wait.issues && access.kind == AccessKind::store && counter_of(step) == found.counter)
    return true;
  raise_fault(step.wave, step.instruction,
              "missing wait: lane %d %s %u bytes at LDS address 0x%" PRIx64 ", which `%s` at 0x%" PRIx64
              " of wave %d still copies; that wave needs %s%s before",
              lane, access.kind == AccessKind::load ? "reads" : "writes", access.bytes, begin,
              program.texts[at].c_str(), program.addresses[at], writer, wait_text(program, found).c_str(),
              own ? "" : " and a barrier");
  return false;
}

bool check_lds(const Step& step) {
  for (const Access& access : step.accesses) {
    if (access.space != Space::lds) continue;
    for (std::uint64_t mask = access.lanes; mask != 0; mask &= mask - 1) {
      const int lane = __builtin_ctzll(mask);
      if (step.shadow.lds_arriving.any(access.at(lane), access.bytes) && !fault_lds_copy(step, access, lane))
        return false;
    }
  }
  return true;
}

/// The bytes of LDS that a copy from global memory will write, neighbours joined.
void add_lds_ranges(const Step& step, OutstandingLoad& load) {
  if (step.instruction->op_class != OpClass::global_load) return;
  for (const AccessRange& range : step.accesses.ranges)
    if (range.space == Space::lds && range.begin + range.bytes <= step.wave.group->lds_bytes)
      load.lds.emplace_back(static_cast<std::uint32_t>(range.begin),
                            static_cast<std::uint32_t>(range.begin + range.bytes));
  for (const Access& access : step.accesses) {
    if (access.space != Space::lds || access.kind != AccessKind::store) continue;
    for (std::uint64_t mask = access.lanes; mask != 0; mask &= mask - 1) {
      const std::uint64_t at = access.at(__builtin_ctzll(mask));
      if (at + access.bytes > step.wave.group->lds_bytes) continue;  // the handler's own fault
      const auto begin = static_cast<std::uint32_t>(at);
      if (!load.lds.empty() && load.lds.back().second == begin)
        load.lds.back().second += access.bytes;
      else
        load.lds.emplace_back(begin, begin + access.bytes);
    }
  }
}

void issue(const Step& step, WaveWaits& waits) {
  const Wave& wave = step.wave;
  OutstandingLoad load;
  load.id = waits.next_id++;
  load.instruction = step.instruction->index;
  load.any_order = step.plan.wait.any_order;
  load.lanes = wave.lanes == 64 ? wave.exec() : wave.exec() & 0xffffffffu;
  // With no lane active it still counts, but writes nothing.
  if (load.any_order || load.lanes != 0) {
    load.rows = step.plan.registers.rows_written;
    load.scalars = step.plan.registers.scalars_written;
    add_lds_ranges(step, load);
  }
  if (load.rows.count + load.scalars.count != 0) {
    ++waits.with_registers;
    for (const RegisterSpan& span : load.rows)
      mark(span, step.moved(span), load.id, waits.pending_rows, waits.row_owner);
    for (const RegisterSpan& span : load.scalars) mark(span, ~0u, load.id, waits.pending_scalars, waits.scalar_owner);
  }
  if (!load.lds.empty()) {
    ++step.shadow.copies_to_lds;
    for (const Range& range : load.lds) change_lds(step.shadow.lds_arriving, range, true);
  }
  waits.queues[static_cast<int>(counter_of(step))].push_back(std::move(load));
}

}  // namespace

void WaveWaits::begin() {
  for (auto& queue : queues) queue.clear();
  pending_rows.fill(0);
  pending_scalars.fill(0);
  row_owner.assign(vector_rows, 0);
  scalar_owner.assign(scalar_count, 0);
  next_id = 1;
  with_registers = 0;
}

bool wait_step(const Step& step) {
  WaveWaits& waits = step.shadow.waits[static_cast<std::size_t>(step.wave.id)];
  const WaitPlan& plan = step.plan.wait;
  if (plan.waits) {
    for (int counter = 0; counter < wait_counters; ++counter)
      if (plan.limit[counter] >= 0)
        wait_until(step.shadow, waits, static_cast<WaitCounter>(counter),
                   static_cast<std::size_t>(plan.limit[counter]));
    return true;
  }
  if (waits.with_registers != 0 && !check_registers(step, waits)) return false;
  if (step.shadow.copies_to_lds != 0 && !check_lds(step)) return false;
  if (plan.issues) issue(step, waits);
  return true;
}

}  // namespace zellige::sim
