// Workgroups in flight; resident.hpp says what they do.
#include "simulator/dispatch/resident.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <new>
#include <numeric>

#include "simulator/check/checked_program.hpp"
#include "simulator/decode/program.hpp"
#include "simulator/dispatch/order.hpp"
#include "simulator/execute/barrier.hpp"
#include "simulator/execute/executor.hpp"
#include "simulator/memory/arena.hpp"

namespace zellige::sim {
namespace {

// The odd 65 lines keep equal rows of the waves out of equal sets of the host's caches.
constexpr std::size_t wave_row_bytes = std::size_t{allocated_rows} * row_lanes * sizeof(std::uint32_t) + 65 * 64;
constexpr std::size_t lds_slack = 64;  // handlers may read a whole host vector at the last legal address

/// "at `s_barrier_wait -1` of kernel.hip:12 at address 0x1234 for its workgroup"
std::string waiting_place(const Program& program, const Wave& wave) {
  const std::uint32_t index = wave.next == nullptr ? 0 : wave.next->index;
  if (index == 0 || index > program.texts.size()) return "at an unknown place";
  const std::uint32_t at = index - 1;  // a wave goes on behind what it waits at
  char address[40];
  std::snprintf(address, sizeof address, " at address 0x%" PRIx64, program.addresses[at]);
  const bool has_line = at < program.lines.size() && !program.lines[at].empty();
  return "at `" + program.texts[at] + "`" + (has_line ? " of " + program.lines[at] : "") + address +
         (wave.barrier == barrier_of_cluster ? " for its cluster" : " for its workgroup");
}

}  // namespace

PagedBuffer::~PagedBuffer() {
  if (data_) munmap(data_, bytes_);
}

std::uint8_t* PagedBuffer::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return data_;
  if (data_) munmap(data_, bytes_);
  data_ = nullptr, bytes_ = 0;
  const std::size_t whole = (bytes + 65535) / 65536 * 65536;
  void* memory = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::uint8_t*>(memory), bytes_ = whole;
  return data_;
}

void Resident::begin(const ResidentSetup& setup, std::uint64_t index, Cluster* cluster, std::uint32_t rank,
                     const ResidentResults& results) {
  setup_ = setup;
  index_ = index;
  pass_ = 0;
  const LaunchRequest& request = *setup.request;
  const auto groups = request.workgroups();
  group_.id = {static_cast<std::uint32_t>(index % groups[0]), static_cast<std::uint32_t>(index / groups[0] % groups[1]),
               static_cast<std::uint32_t>(index / groups[0] / groups[1])};
  group_.cluster = cluster;
  group_.cluster_rank = rank;
  group_.barrier_signals = 0;
  group_.program = setup.program;
  group_.arena = &Arena::instance();
  group_.counts = &results.counts;
  group_.observe = results.observe;
  group_.fault = &results.fault;
  group_.clock = 0;
  group_.lds_bytes = setup.lds_bytes;
  group_.lds = lds_.reserve(setup.lds_bytes + lds_slack);
  std::fill_n(reinterpret_cast<std::uint32_t*>(group_.lds), (setup.lds_bytes + 3) / 4, poison);

  std::array<std::uint32_t, 3> items;
  for (int axis = 0; axis < 3; ++axis)
    items[axis] = std::min(request.block[axis], request.grid[axis] - group_.id[axis] * request.block[axis]);
  const std::uint64_t count = std::uint64_t{items[0]} * items[1] * items[2];
  const auto waves = static_cast<std::size_t>((count + setup.start->lanes - 1) / setup.start->lanes);
  std::uint8_t* rows = rows_.reserve(waves * wave_row_bytes);
  const std::size_t scratch_wave = std::size_t{setup.scratch_bytes} * row_lanes;
  std::uint8_t* scratch = setup.scratch_bytes ? scratch_.reserve(waves * scratch_wave + lds_slack) : nullptr;
  if (scratch) std::fill_n(reinterpret_cast<std::uint32_t*>(scratch), waves * scratch_wave / 4, poison);
  group_.waves.resize(waves);
  order_.resize(waves);
  std::iota(order_.begin(), order_.end(), 0);
  for (std::size_t i = 0; i < waves; ++i) {
    Wave& wave = group_.waves[i];
    wave.id = static_cast<int>(i);
    wave.group = &group_;
    wave.vector = reinterpret_cast<std::uint32_t*>(rows + i * wave_row_bytes);
    wave.scratch = scratch ? scratch + i * scratch_wave : nullptr;
    wave.scratch_bytes = setup.scratch_bytes;
    start_wave(*setup.start, items, wave);
  }
  if (setup.program->checked) {
    if (!shadow_) shadow_ = std::make_unique<GroupShadow>();
    shadow_->begin(group_, setup.program->checked->checks);
    if (setup.race)
      shadow_->race.begin(*setup.race, static_cast<std::uint32_t>(index), static_cast<int>(waves), setup.lds_bytes,
                          setup.program->checked->lds_atomics);
  }
  group_.shadow = setup.program->checked ? shadow_.get() : nullptr;
  results.counts.workgroups += 1;
  results.counts.waves += waves;
  observed_ = &results.observed;
  lines_ = results.lines;
  if (results.observe) {
    results.counts.observed_workgroups += 1;
    if (!observation_) observation_ = std::make_unique<Observation>();
    observation_->begin(*setup.observation, waves);
  }
}

Turn Resident::take_turn() {
  const Observation::Scope scope(group_.observe ? observation_.get() : nullptr);
  while (true) {
    shuffle(order_, setup_.order_seed ? mix(setup_.order_seed ^ mix(index_) ^ ++pass_) : 0);
    bool yielded = false;
    for (const int i : order_) {
      Wave& wave = group_.waves[i];
      if (wave.state != WaveState::ready) continue;
      wave.budget = setup_.branch_budget;
      run(wave);
      if (wave.state == WaveState::faulted) return Turn::faulted;
      yielded |= wave.state == WaveState::ready;
    }
    if (yielded) return Turn::yielded;
    // A split barrier that a later wave's signal completed lets waves go on that had their turn before it.
    if (std::ranges::any_of(group_.waves, [](const Wave& wave) { return wave.state == WaveState::ready; })) continue;
    if (std::ranges::all_of(group_.waves, [](const Wave& wave) { return wave.state == WaveState::ended; })) {
      if (group_.observe) end_observation();
      return Turn::ended;
    }
    if (release_workgroup_barriers(group_)) continue;
    const bool needs_cluster = std::ranges::any_of(group_.waves, [](const Wave& wave) {
      return wave.state == WaveState::at_barrier && wave.barrier == barrier_of_cluster;
    });
    if (needs_cluster && group_.cluster != nullptr) return Turn::waits;
    Workgroup* const alone = &group_;
    fault_deadlock({&alone, 1});
    return Turn::faulted;
  }
}

void Resident::end_observation() {
  observation_->finish(*observed_);
  if (lines_) *lines_ = std::move(observation_->touched());
}

void fault_deadlock(std::span<Workgroup* const> groups) {
  const Program& program = *groups[0]->program;
  std::string text = "kernel " + program.kernel + " on " + program.target + ": deadlock";
  for (const Workgroup* group : groups) {
    std::string waits, ended;
    for (const Wave& wave : group->waves) {
      if (wave.state == WaveState::ended)
        ended += (ended.empty() ? "" : ", ") + std::to_string(wave.id);
      else
        waits += " wave " + std::to_string(wave.id) + " waits " + waiting_place(program, wave) + ";";
    }
    if (waits.empty()) continue;
    text += " in workgroup (" + std::to_string(group->id[0]) + ", " + std::to_string(group->id[1]) + ", " +
            std::to_string(group->id[2]) + "), where no wave can go on:" + waits;
    if (group->barrier_signals != 0)
      text += " " + std::to_string(group->barrier_signals) + " of " + std::to_string(group->waves.size()) +
              " waves have signalled its barrier;";
    if (!ended.empty()) text += " ended: " + ended + ";";
  }
  if (const Cluster* cluster = groups[0]->cluster) {
    std::string missing;
    for (const Workgroup* group : cluster->groups)
      if (!(cluster->signalled >> group->cluster_rank & 1))
        missing += (missing.empty() ? "" : ", ") + std::to_string(group->cluster_rank);
    if (!missing.empty()) text += " workgroups of the cluster that have not signalled its barrier: " + missing + ";";
  }
  text.back() = '.';
  *groups[0]->fault = {true, text};
}

}  // namespace zellige::sim
