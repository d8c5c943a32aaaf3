// From instructions to the events of the race check's model, and its reports; race.hpp states what they are.
#include "simulator/check/race.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

#include "simulator/check/shadow.hpp"

namespace zellige::sim {
namespace {

/// Keys of LDS locations lie beyond all addresses.
constexpr std::uint64_t lds_keys = std::uint64_t{1} << 62;

const char* verb(RaceUse use) { return use == RaceUse::read ? "reads" : use == RaceUse::write ? "writes" : "updates"; }
const char* past(RaceUse use) { return use == RaceUse::read ? "read" : use == RaceUse::write ? "wrote" : "updated"; }

RaceUse use_of(AccessKind kind) {
  return kind == AccessKind::load ? RaceUse::read : kind == AccessKind::store ? RaceUse::write : RaceUse::atomic;
}

/// Calls body(lane, address) for every address that differs from that of the lane before.
template <class Body>
void for_each_location(const Access& access, Body body) {
  std::uint64_t last = 0;
  for (std::uint64_t mask = access.lanes; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    if (access.at(lane) == last) continue;
    last = access.at(lane);
    body(lane, last);
  }
}

/// Who touches a byte, as reports say it: "lane 7", or "the wave" or "the copy" where that is no lane's doing.
struct Accessor {
  std::string name;
  std::uint64_t address, bytes;
};

/// Of the lane whose bytes hold `byte`.
Accessor accessor(const Access& access, std::uint64_t byte) {
  for (std::uint64_t mask = access.lanes; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    if (byte - access.at(lane) < access.bytes)
      return {access.scalar ? "the wave" : "lane " + std::to_string(lane), access.at(lane), access.bytes};
  }
  return {"lane 0", access.at(0), access.bytes};
}
Accessor accessor(const AccessRange& range, std::uint64_t) { return {"the copy", range.begin, range.bytes}; }

/// "`ds_write_b32 v0, v1` of file.hip:12 at address 0x1234"
std::string place_of(const Program& program, std::uint32_t instruction) {
  if (instruction >= program.texts.size()) return "an instruction too long ago to be named";
  char address[40];
  std::snprintf(address, sizeof address, " at address 0x%" PRIx64, program.addresses[instruction]);
  const bool has_line = instruction < program.lines.size() && !program.lines[instruction].empty();
  return "`" + program.texts[instruction] + "`" + (has_line ? " of " + program.lines[instruction] : "") + address;
}

const char* unwaited(bool is) { return is ? ", which that wave had not waited for" : ""; }

void report_lds(const Step& step, const Accessor& accessor, RaceUse use, const LdsConflict& conflict,
                std::uint64_t byte) {
  RaceGroup& group = step.shadow.race;
  RaceWave& other = group.waves[static_cast<std::size_t>(conflict.wave)];
  const std::uint32_t instruction =
      conflict.instruction == no_instruction ? other.noted(conflict.number) : conflict.instruction;
  const Program& program = *step.wave.group->program;
  const bool own = conflict.wave == step.wave.id;
  const std::string who = own ? "the wave itself" : "wave " + std::to_string(conflict.wave);
  raise_fault(step.wave, step.instruction,
              "data race: %s %s %" PRIu64 " bytes at LDS address 0x%" PRIx64 ", and %s %s byte 0x%" PRIx64
              " in %s%s; nothing orders the two",
              accessor.name.c_str(), verb(use), accessor.bytes, accessor.address, who.c_str(), past(conflict.use), byte,
              place_of(program, instruction).c_str(), unwaited(conflict.number > other.done(conflict.part)));
}

void report_global(const Step& step, const Accessor& accessor, RaceUse use, const Mark& earlier, std::uint64_t byte) {
  const RaceGroup& group = step.shadow.race;
  const Program& program = *step.wave.group->program;
  const RaceLaunch& launch = group.launch();
  const std::uint32_t other = earlier.wave / launch.waves, position = earlier.wave % launch.waves;
  std::string who = "wave " + std::to_string(position);
  bool late = false;
  if (other == group.index()) {
    late = earlier.number > group.waves[position].done(static_cast<Part>(earlier.part));
    if (static_cast<int>(position) == step.wave.id) who = "the wave itself";
  } else {
    const auto& groups = launch.groups;
    who += " of workgroup (" + std::to_string(other % groups[0]) + ", " +
           std::to_string(other / groups[0] % groups[1]) + ", " + std::to_string(other / groups[0] / groups[1]) + ")";
  }
  raise_fault(step.wave, step.instruction,
              "data race: %s %s %" PRIu64 " bytes at global address 0x%" PRIx64 ", and %s %s byte 0x%" PRIx64
              " in %s%s; nothing orders the two",
              accessor.name.c_str(), verb(use), accessor.bytes, accessor.address, who.c_str(),
              past(static_cast<RaceUse>(earlier.use)), byte, place_of(program, earlier.instruction).c_str(),
              unwaited(late));
}

/// False after a report.
bool check_divergence(const Step& step) {
  const Workgroup& group = *step.wave.group;
  const RaceGroup& race = step.shadow.race;
  const std::uint32_t own = race.waves[static_cast<std::size_t>(step.wave.id)].barriers();
  const bool ends = step.plan.race.event == RaceEvent::end;
  for (const Wave& other : group.waves) {
    if (&other == &step.wave) continue;
    const std::uint32_t others = race.waves[static_cast<std::size_t>(other.id)].barriers();
    if (!ends && other.state == WaveState::ended && others <= own) {
      raise_fault(step.wave, step.instruction,
                  "diverged barrier: the wave comes to its barrier number %u, and wave %d has ended after %u", own + 1,
                  other.id, others);
      return false;
    }
    if (ends && other.state != WaveState::ended && others > own) {
      raise_fault(step.wave, step.instruction,
                  "diverged barrier: the wave ends after %u barriers, and wave %d has come to number %u", own, other.id,
                  others);
      return false;
    }
  }
  return true;
}

/// False after a report.
bool event_step(const Step& step, RaceWave& wave) {
  switch (step.plan.race.event) {
    case RaceEvent::none:
      break;
    case RaceEvent::barrier:
      if (!check_divergence(step)) return false;
      wave.signal_barrier(-1);
      wave.pass_barrier(-1);
      break;
    case RaceEvent::signal: {
      const Operand& operand = step.instruction->src[0];
      const auto id = static_cast<std::int32_t>(operand.kind == OperandKind::scalar
                                                    ? step.wave.scalar[operand.index]
                                                    : static_cast<std::uint32_t>(operand.constant()));
      if (id == -1 && !check_divergence(step)) return false;
      if (id == -3)
        wave.signal_cluster();
      else
        wave.signal_barrier(id);
      break;
    }
    case RaceEvent::pass:
      if (step.instruction->offset == -3)
        wave.pass_cluster();
      else
        wave.pass_barrier(step.instruction->offset);
      break;
    case RaceEvent::write_back:
      wave.write_back();
      break;
    case RaceEvent::invalidate_near:
      wave.invalidate(Invalidation::near);
      break;
    case RaceEvent::invalidate_outer:
      wave.invalidate_outer();
      break;
    case RaceEvent::invalidate_far:
      wave.invalidate(Invalidation::far);
      break;
    case RaceEvent::end:
      return check_divergence(step);
  }
  return true;
}

void apply_waits(const WaitPlan& plan, RaceWave& wave) {
  constexpr std::pair<WaitCounter, Queue> queues[] = {{WaitCounter::load, Queue::load},
                                                      {WaitCounter::store, Queue::store},
                                                      {WaitCounter::lds, Queue::lds},
                                                      {WaitCounter::async, Queue::async},
                                                      {WaitCounter::tensor, Queue::tensor}};
  for (const auto& [counter, queue] : queues)
    if (const int limit = plan.limit[static_cast<int>(counter)]; limit >= 0)
      wave.wait(queue, static_cast<std::uint32_t>(limit));
}

/// Whether the compare of a compare-and-swap fails in `lane`, so that nothing is written.
bool compare_fails(const Step& step, int lane, std::uint64_t address) {
  const Operand& data = step.instruction->src[step.plan.access.data];
  const std::uint32_t bytes = step.plan.access.bytes, words = bytes / 4;
  if (data.kind != OperandKind::vector || !find_allocation(*step.wave.group, address, address + bytes)) return false;
  for (std::uint32_t word = 0; word < words; ++word) {
    std::uint32_t value;
    std::memcpy(&value, reinterpret_cast<const void*>(address + 4 * word), 4);
    if (value != step.wave.vector[(data.index + words + word) * row_lanes + static_cast<std::uint32_t>(lane)])
      return true;
  }
  return false;
}

/// Of the instruction's operations, where they have begun.
struct Numbers {
  std::uint32_t lds = 0, global = 0;
  Part part = Part::load;  ///< of `global`
};

bool lds_step(const Step& step, const Access& access, RaceWave& wave, Numbers& numbers) {
  const WaitPlan& wait = step.plan.wait;
  const RacePlan& plan = step.plan.race;
  LdsUse use{.use = use_of(access.kind), .instruction = step.instruction->index};
  if (wait.counter == WaitCounter::async || wait.counter == WaitCounter::tensor) {
    use.part = wait.counter == WaitCounter::async ? Part::async : Part::tensor;
    use.number = numbers.global;
  } else if (wait.counter == WaitCounter::load && !wait.by_space) {
    use.part = Part::lds_copy;
    use.number = numbers.global;
  } else {
    if (numbers.lds == 0) numbers.lds = wave.issue(Queue::lds);
    use.number = numbers.lds;
    wave.note(use.number, use.instruction);
  }
  LdsConflict conflict;
  std::uint64_t byte = 0;
  const std::uint64_t size = step.wave.group->lds_bytes;
  const bool free = access.shape != nullptr && wave.note_lds(*access.shape, access.first(), use);
  const bool found = !free && for_each_run(access, [&](std::uint64_t at, std::uint64_t bytes) {
    if (at >= size) return false;  // the handler's own fault
    conflict = wave.access_lds(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(bytes), use);
    byte = conflict.address;
    return conflict.found;
  });
  if (found) {
    report_lds(step, accessor(access, byte), use.use, conflict, byte);
    return false;
  }
  if (access.kind == AccessKind::atomic && step.shadow.race.launch().synchronises)
    for_each_location(access, [&](int, std::uint64_t address) {
      const std::uint64_t key = lds_keys | std::uint64_t{step.shadow.race.index()} << 20 | address;
      wave.release(key, false);
      if (plan.synchronises) wave.acquire(key, 0);
    });
  return true;
}

Numbers begin_global(const Step& step, RaceWave& wave, std::uint32_t lds) {
  const AccessKind kind = step.plan.access.kind;
  switch (step.plan.wait.counter) {
    case WaitCounter::load: {
      const bool returns =
          kind == AccessKind::load || (kind == AccessKind::atomic && (step.instruction->flags & flag_glc));
      return {lds, wave.issue(Queue::load), returns ? Part::load : Part::store};
    }
    case WaitCounter::store:
      return {lds, wave.issue(Queue::store), Part::store};
    case WaitCounter::async:
      return {lds, wave.issue(Queue::async), Part::async};
    case WaitCounter::tensor:
      return {lds, wave.issue(Queue::tensor), Part::tensor};
    default:  // scalar memory: waited for before anything can depend on it
      return {lds, wave.done(Part::load), Part::load};
  }
}

Mark mark_of(const Step& step, AccessKind kind, const Numbers& numbers) {
  Mark mark;
  mark.number = numbers.global;
  mark.instruction = step.instruction->index;
  mark.part = static_cast<unsigned>(numbers.part);
  mark.scope = static_cast<unsigned>(step.plan.race.scope);
  mark.use = static_cast<unsigned>(use_of(kind));
  mark.maybe_atomic = step.plan.race.maybe_atomic;
  return mark;
}

bool global_step(const Step& step, const Access& access, RaceWave& wave, Numbers& numbers) {
  const RacePlan& plan = step.plan.race;
  const bool follows = step.shadow.race.launch().synchronises;
  const bool may_release = access.kind == AccessKind::atomic ||
                           (access.kind == AccessKind::store && (plan.scope > Scope::wave || plan.maybe_atomic));
  if (follows && may_release)
    for_each_location(access, [&](int lane, std::uint64_t address) {
      if (!plan.compares || !compare_fails(step, lane, address))
        wave.release(address, access.kind == AccessKind::store);
    });
  if (numbers.global == 0) numbers = begin_global(step, wave, numbers.lds);
  const Mark mark = mark_of(step, access.kind, numbers);
  Mark earlier;
  std::uint64_t byte = 0;
  const auto look = [&](std::uint64_t at, std::uint64_t bytes) {
    byte = wave.access_global(at, bytes, mark, earlier);
    return byte != 0;
  };
  const std::uint64_t first = access.first();
  const bool found = access.shape == nullptr
                         ? for_each_run(access, look)
                         : std::ranges::any_of(access.shape->runs, [&](const AccessShape::Run& run) {
                             return look(first + static_cast<std::uint64_t>(run.begin), run.bytes);
                           });
  if (found) {
    report_global(step, accessor(access, byte), use_of(access.kind), earlier, byte);
    return false;
  }
  if (follows && plan.synchronises)
    for_each_location(access, [&](int, std::uint64_t address) { wave.acquire(address, wave.issued(Queue::load)); });
  return true;
}

/// A part of a tensor copy.
bool range_step(const Step& step, const AccessRange& range, RaceWave& wave, const Numbers& numbers) {
  const RaceUse use = use_of(range.kind);
  if (range.space == Space::lds) {
    if (range.begin + range.bytes > step.wave.group->lds_bytes) return true;  // the handler's own fault
    const LdsConflict conflict = wave.access_lds(
        static_cast<std::uint32_t>(range.begin), static_cast<std::uint32_t>(range.bytes),
        {.use = use, .part = Part::tensor, .number = numbers.global, .instruction = step.instruction->index});
    if (conflict.found) report_lds(step, accessor(range, conflict.address), use, conflict, conflict.address);
    return !conflict.found;
  }
  Mark earlier;
  const std::uint64_t byte = wave.access_global(range.begin, range.bytes, mark_of(step, range.kind, numbers), earlier);
  if (byte != 0) report_global(step, accessor(range, byte), use, earlier, byte);
  return byte == 0;
}

}  // namespace

bool race_wants(const CheckedInstruction& plan) {
  return plan.access.producer != nullptr || plan.wait.waits || plan.race.event != RaceEvent::none;
}

bool race_step(const Step& step) {
  RaceWave& wave = step.shadow.race.waves[static_cast<std::size_t>(step.wave.id)];
  wave.settle();
  if (step.plan.race.event != RaceEvent::none && !event_step(step, wave)) return false;
  if (step.plan.wait.waits) apply_waits(step.plan.wait, wave);
  Numbers numbers;
  const WaitCounter counter = step.plan.wait.counter;
  if (counter == WaitCounter::async || counter == WaitCounter::tensor) numbers = begin_global(step, wave, 0);
  for (const Access& access : step.accesses) {
    if (access.space == Space::lds && !lds_step(step, access, wave, numbers)) return false;
    if (access.space == Space::global && !global_step(step, access, wave, numbers)) return false;
  }
  for (const AccessRange& range : step.accesses.ranges)
    if (!range_step(step, range, wave, numbers)) return false;
  return true;
}

}  // namespace zellige::sim
