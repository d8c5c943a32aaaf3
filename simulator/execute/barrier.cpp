// Split barriers; barrier.hpp states the law.
#include "simulator/execute/barrier.hpp"

#include <algorithm>

namespace zellige::sim {
namespace {

std::uint8_t bit_of(int barrier) { return barrier == barrier_of_cluster ? 2 : 1; }

std::size_t waves_left(const Workgroup& group) {
  return static_cast<std::size_t>(
      std::ranges::count_if(group.waves, [](const Wave& wave) { return wave.state != WaveState::ended; }));
}

/// Every wave may pass one wait; those that wait go on. Whether there are any.
bool let_pass(Workgroup& group, int barrier) {
  bool released = false;
  for (Wave& wave : group.waves) {
    if (wave.state == WaveState::at_barrier && wave.barrier == barrier) {
      wave.state = WaveState::ready;
      released = true;
    } else {
      wave.passes |= bit_of(barrier);
    }
  }
  return released;
}

}  // namespace

bool signal_barrier(Wave& wave, int barrier, bool& twice) {
  Workgroup& group = *wave.group;
  twice = false;
  if (barrier == barrier_of_workgroup) {
    const bool first = group.barrier_signals++ == 0;
    if (group.barrier_signals >= waves_left(group)) {
      group.barrier_signals = 0;
      let_pass(group, barrier);
    }
    return first;
  }
  if (group.cluster == nullptr) {
    let_pass(group, barrier);
    return true;
  }
  Cluster& cluster = *group.cluster;
  const std::uint32_t own = 1u << group.cluster_rank;
  const bool first = cluster.signalled == 0;
  twice = (cluster.signalled & own) != 0;
  cluster.signalled |= own;
  release_cluster_barrier(cluster);
  return first;
}

bool pass_barrier(Wave& wave, int barrier) {
  const std::uint8_t bit = bit_of(barrier);
  const bool passes = (wave.passes & bit) != 0;
  wave.passes = static_cast<std::uint8_t>(wave.passes & ~bit);
  return passes;
}

bool release_workgroup_barriers(Workgroup& group) {
  bool released = false;
  for (Wave& wave : group.waves)
    if (wave.state == WaveState::at_barrier && wave.barrier == 0) wave.state = WaveState::ready, released = true;
  if (group.barrier_signals != 0 && group.barrier_signals >= waves_left(group)) {
    group.barrier_signals = 0;
    released |= let_pass(group, barrier_of_workgroup);
  }
  return released;
}

bool release_cluster_barrier(Cluster& cluster) {
  if (cluster.signalled == 0) return false;
  for (const Workgroup* group : cluster.groups)
    if (!(cluster.signalled >> group->cluster_rank & 1) && waves_left(*group) != 0) return false;
  cluster.signalled = 0;
  bool released = false;
  for (Workgroup* group : cluster.groups) released |= let_pass(*group, barrier_of_cluster);
  return released;
}

}  // namespace zellige::sim
