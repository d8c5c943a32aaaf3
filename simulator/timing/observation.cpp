// The clocks of an observed workgroup; observation.hpp states the model.
#include "simulator/timing/observation.hpp"

#include <algorithm>
#include <memory>

#include "simulator/execute/pattern_cache.hpp"

namespace zellige::sim {
namespace {

constexpr std::uint32_t scalar_cache_bytes = 16384, scalar_line_bytes = 64, scalar_ways = 4;
// A matrix result is read by other instructions about three passes after the last one (LLVM's hazard recognizer asks
// for 5, 11 and 19 slots behind 2, 8 and 16 passes); the next matrix instruction may add to it at once.
constexpr std::uint64_t matrix_read_clocks = 12;
constexpr std::uint64_t taken_branch_clocks = 16;
constexpr std::uint64_t barrier_clocks = 32;  // an estimate: message to the barrier unit and back

template <class Visit>
void for_rows(const Operand& operand, Visit visit) {
  if (operand.kind != OperandKind::vector) return;
  const int end = std::min<int>(operand.index + std::max<int>(operand.words, 1), allocated_rows);
  for (int row = operand.index; row < end; ++row) visit(static_cast<std::size_t>(row));
}

thread_local Observation* this_threads = nullptr;

}  // namespace

Observation* Observation::current() { return this_threads; }
Observation::Scope::Scope(Observation* observation) { this_threads = observation; }
Observation::Scope::~Scope() { this_threads = nullptr; }

void Observation::begin(const ObservationSetup& setup, std::size_t waves) {
  setup_ = setup;
  l1_ = CacheTags(setup.memory.l1_bytes, setup.memory.line_bytes, setup.memory.l1_ways);
  scalar_ = CacheTags(scalar_cache_bytes, scalar_line_bytes, scalar_ways);
  touched_.loaded.clear(), touched_.stored.clear();
  waves_.assign(waves, {});
  for (WaveClock& wave : waves_) wave.readable.assign(allocated_rows, 0), wave.accumulated.assign(allocated_rows, 0);
  wave_ = nullptr, instruction_ = nullptr;
  phase_ = {}, last_ = {}, counts_ = {};
  released_ = arrived_ = barriers_ = 0;
}

std::uint64_t Observation::ready_at(const WaveClock& wave, const Instruction& instruction, bool matrix) const {
  std::uint64_t ready = 0;
  for (int k = 0; k < 4; ++k) {
    const std::vector<std::uint64_t>& when = matrix && k == 2 ? wave.accumulated : wave.readable;
    for_rows(instruction.src[k], [&](std::size_t row) { ready = std::max(ready, when[row]); });
  }
  return ready;
}

void Observation::drain(WaveClock& wave, const IssueInfo& info) {
  std::uint64_t done = 0;
  for (int counter = 0; counter < wait_counters; ++counter) {
    if (info.outstanding[counter] < 0) continue;
    auto& queue = wave.outstanding[counter];
    while (queue.size() > static_cast<std::size_t>(info.outstanding[counter])) {
      done = std::max(done, queue.front());
      queue.pop_front();
    }
  }
  if (done <= wave.now) return;
  ++counts_.stalled_waits;
  counts_.wait_clocks += done - wave.now;
  wave.now = done;
}

void Observation::before(const Wave& wave, const Instruction* instruction) {
  WaveClock& clock = waves_[static_cast<std::size_t>(wave.id)];
  const IssueInfo& info = setup_.issue->instructions[instruction->index];
  wave_ = &wave;
  instruction_ = instruction;
  last_ = {};
  if (info.kind == IssueKind::wait) drain(clock, info);
  const bool matrix = info.kind == IssueKind::matrix;
  std::uint64_t start = std::max(clock.now, ready_at(clock, *instruction, matrix));
  if (matrix) start = std::max(start, clock.matrix_free);
  counts_.dependency_clocks += start - clock.now;
  clock.issued = start;
  clock.now = start + info.clocks;
}

void Observation::after(const Wave& wave, const Instruction* next) {
  WaveClock& clock = waves_[static_cast<std::size_t>(wave.id)];
  const Instruction& instruction = *instruction_;
  const IssueInfo& info = setup_.issue->instructions[instruction.index];
  const auto add = [&](std::uint64_t when) {
    auto& queue = clock.outstanding[static_cast<int>(info.counter)];
    if (!queue.empty()) when = std::max(when, queue.back());  // they complete in order
    queue.push_back(when);
  };
  switch (info.kind) {
    case IssueKind::matrix: {
      const std::uint64_t done = clock.issued + 4ull * instruction.passes;
      clock.matrix_free = done;
      phase_.matrix += 4ull * instruction.passes;
      for_rows(instruction.dst, [&](std::size_t row) {
        clock.readable[row] = done + matrix_read_clocks;
        clock.accumulated[row] = done;
      });
      break;
    }
    case IssueKind::vector:
      phase_.vector += info.clocks;
      for_rows(instruction.dst, [&](std::size_t row) {
        clock.readable[row] = clock.accumulated[row] = clock.issued + info.result_clocks;
      });
      break;
    case IssueKind::load:
    case IssueKind::store:
    case IssueKind::async:
      phase_.l1 += last_.clocks;
      phase_.lds += last_.lds_cycles;
      add(clock.issued + static_cast<std::uint64_t>(last_.level) + last_.clocks + last_.lds_cycles);
      break;
    case IssueKind::lds:
      phase_.lds += last_.lds_cycles;
      add(clock.issued + static_cast<std::uint64_t>(setup_.memory.lds_latency) + last_.lds_cycles);
      break;
    case IssueKind::scalar_load:
      add(clock.issued + static_cast<std::uint64_t>(last_.level));
      break;
    case IssueKind::branch:
      // Code that nothing reaches is not decoded: the target of a taken branch may be the next instruction.
      if (next != instruction_ + 1 || instruction_->target == next) clock.now += taken_branch_clocks;
      break;
    case IssueKind::barrier_wait:
      // The last wave to signal does not stop at its wait.
      if (wave.state == WaveState::ready && next != nullptr) arrive(clock), enter(wave);
      break;
    default:
      break;
  }
}

namespace {

/// The distinct lines of an access whose lanes lie relative to the first one as they were found before.
struct RelativeLines {
  std::int64_t lowest = 0, highest = 0;  ///< of the lanes' differences to the first
  std::vector<std::int64_t> lines;       ///< counted from the first lane's
};

}  // namespace

void Observation::access_rows(std::uint64_t mask, std::uint32_t bytes, std::uint64_t base,
                              const std::uint32_t* offsets) {
  if (wave_ == nullptr) return;
  static thread_local const auto cache = std::make_unique<PatternCache<RelativeLines>>();
  const std::uint32_t line_bytes = setup_.memory.line_bytes, own = offsets[__builtin_ctzll(mask)];
  const std::uint64_t first = base + own;
  const AccessPattern pattern{mask, std::uint64_t{bytes} << 32 | line_bytes,
                              static_cast<std::uint32_t>(first % line_bytes), offsets};
  const RelativeLines& found = cache->get(pattern, [&] {
    RelativeLines result;
    Lines lines(line_bytes);
    for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
      const std::uint64_t at = base + offsets[__builtin_ctzll(rest)];
      result.lowest = std::min(result.lowest, static_cast<std::int64_t>(at - first));
      result.highest = std::max(result.highest, static_cast<std::int64_t>(at - first));
      lines.add(at, bytes);
    }
    for (int i = 0; i < lines.count(); ++i)
      result.lines.push_back(static_cast<std::int64_t>(lines.data()[i] - first / line_bytes));
    return result;
  });
  // Differences are told modulo 2^32, and LDS and scratch have rules of their own.
  const std::uint64_t low = first + static_cast<std::uint64_t>(found.lowest),
                      high = first + static_cast<std::uint64_t>(found.highest) + bytes;
  const auto meets = [&](const void* begin, std::uint64_t size) {
    const auto at = reinterpret_cast<std::uint64_t>(begin);
    return low < at + size && at < high;
  };
  const Workgroup& group = *wave_->group;
  const bool wraps = std::int64_t{own} + found.lowest < 0 || std::int64_t{own} + found.highest > 0xffffffff;
  if (wraps || found.lines.size() > Lines::most || meets(group.lds, group.lds_bytes) ||
      meets(wave_->scratch, std::uint64_t{wave_->scratch_bytes} * row_lanes))
    return access(mask, bytes, [&](int lane) { return base + offsets[lane]; });
  std::uint64_t lines[Lines::most];
  int count = 0;
  for (const std::int64_t line : found.lines) lines[count++] = first / line_bytes + static_cast<std::uint64_t>(line);
  touch(lines, count, static_cast<std::uint64_t>(__builtin_popcountll(mask)) * bytes);
}

void Observation::touch(const std::uint64_t* lines, int line_count, std::uint64_t bytes) {
  const MemoryShape& memory = setup_.memory;
  const IssueInfo& info = setup_.issue->instructions[instruction_->index];
  const bool store = info.kind == IssueKind::store;
  const auto count = static_cast<std::uint64_t>(line_count);
  (store ? counts_.store_lines : counts_.load_lines) += count;
  (store ? counts_.store_bytes : counts_.load_bytes) += bytes;
  int level = memory.l1_latency;
  for (int i = 0; i < line_count; ++i) {
    const std::uint64_t line = lines[i];
    const bool fresh = (store ? touched_.stored : touched_.loaded).insert(line);
    // Stores go through to the L2, and atomics are done there.
    if (store || info.atomic) {
      level = std::max(level, memory.l2_latency);
    } else if (l1_.touch(line)) {
      ++counts_.l1_hits;
    } else if (!fresh || touched_.stored.contains(line)) {
      level = std::max(level, memory.l2_latency);
    } else {
      level =
          std::max(level, memory.far_cache_bytes > 0 && !setup_.far ? memory.far_cache_latency : memory.memory_latency);
    }
  }
  last_.level = std::max(last_.level, level);
  last_.clocks += static_cast<std::uint32_t>(count) * std::max(1u, memory.line_bytes / memory.l1_bytes_per_clock);
}

void Observation::scalar_access(std::uint64_t address, std::uint32_t bytes) {
  counts_.scalar_bytes += bytes;
  const bool hit = scalar_.touch(address / scalar_line_bytes);
  last_.level = std::max(last_.level, hit ? setup_.memory.scalar_hit_latency : setup_.memory.scalar_miss_latency);
}

void Observation::arrive(WaveClock& clock) {
  clock.at_barrier = true;
  clock.arrived = clock.now;
  arrived_ = std::max(arrived_, clock.now);
}

void Observation::leave(const Wave& wave) {
  if (wave.state == WaveState::at_barrier) arrive(waves_[static_cast<std::size_t>(wave.id)]);
}

/// The time at which all waves have done what they did since the last barrier.
void Observation::release() {
  const auto simds = static_cast<std::uint64_t>(std::clamp<int>(static_cast<int>(waves_.size()), 1, setup_.simds));
  const std::uint64_t work = std::max({phase_.lds, phase_.l1, phase_.matrix / simds, phase_.vector / simds});
  released_ = std::max(arrived_, released_ + work);
  phase_ = {};
  arrived_ = 0;
  ++barriers_;
}

void Observation::enter(const Wave& wave) {
  WaveClock& clock = waves_[static_cast<std::size_t>(wave.id)];
  if (!clock.at_barrier) return;
  clock.at_barrier = false;
  if (clock.barriers == barriers_) release();
  clock.barriers = barriers_;
  counts_.barrier_clocks += released_ - std::min(released_, clock.arrived);
  clock.now = std::max(clock.now, released_) + barrier_clocks;
}

void Observation::finish(ObservedCounts& counts) {
  for (const WaveClock& wave : waves_) arrived_ = std::max(arrived_, wave.now);
  release();
  counts_.alone_clocks = released_;
  counts += counts_;
}

}  // namespace zellige::sim
