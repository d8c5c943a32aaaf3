// Clusters; cluster.hpp states the law.
#include "simulator/dispatch/cluster.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "simulator/check/settings.hpp"
#include "simulator/dispatch/order.hpp"
#include "simulator/dispatch/setting.hpp"
#include "simulator/execute/barrier.hpp"

namespace zellige::sim {
namespace {

constexpr std::array<std::uint32_t, 3> single{1, 1, 1};

bool forms_from_metadata() {
  const char* text = std::getenv("ZELLIGE_SIM_CLUSTERS");
  if (!text || !*text) return false;
  if (std::strcmp(text, "metadata") == 0) return true;
  static std::atomic<bool> said = false;
  say_ignored(said, "ZELLIGE_SIM_CLUSTERS", text, "'metadata'");
  return false;
}

bool given(const std::array<std::uint32_t, 3>& shape) { return shape[0] != 0; }

}  // namespace

std::array<std::uint32_t, 3> cluster_shape(const LaunchRequest& request) {
  if (given(request.cluster)) return request.cluster;
  if (given(request.kernel->cluster_dims) && forms_from_metadata()) return request.kernel->cluster_dims;
  return single;
}

std::string refuse_cluster(const LaunchRequest& request) {
  const auto& asked = request.cluster;
  const auto& metadata = request.kernel->cluster_dims;
  if (asked != std::array<std::uint32_t, 3>{} && std::ranges::count(asked, 0u) != 0)
    return "a cluster of " + shape_text(asked) + " workgroups is empty";
  const auto shape = cluster_shape(request);
  if (given(metadata) && given(asked) && asked != metadata)
    return "clusters of " + shape_text(asked) + " workgroups are not the " + shape_text(metadata) + " it was compiled for";
  if (given(metadata) && shape != metadata && enabled_checks() != 0)
    return "it was compiled for clusters of " + shape_text(metadata) +
           " workgroups and is launched without the attribute of clusters (ZELLIGE_SIM_CLUSTERS=metadata forms them)";
  if (shape == single) return {};
  if (!request.device->traits.clusters)
    return std::string(request.device->traits.name) + " has no clusters of workgroups";
  const std::uint32_t longest = std::ranges::max(shape);
  if (longest > most_along_axis_of_cluster)
    return "clusters of " + shape_text(shape) + " workgroups are over " + std::to_string(most_along_axis_of_cluster) +
           " along an axis";
  if (volume(shape) > most_workgroups_of_cluster)
    return "clusters of " + shape_text(shape) + " are " + std::to_string(volume(shape)) + " workgroups, over " +
           std::to_string(most_workgroups_of_cluster);
  const auto groups = request.workgroups();
  for (int axis = 0; axis < 3; ++axis)
    if (groups[axis] % shape[axis] != 0)
      return "a grid of " + shape_text(groups) + " workgroups is no multiple of clusters of " + shape_text(shape);
  return {};
}

void ResidentCluster::begin(const ResidentSetup& setup, std::uint64_t index, const std::array<std::uint32_t, 3>& shape,
                            const ResidentResults& results) {
  setup_ = setup;
  index_ = index;
  pass_ = 0;
  const std::uint32_t size = volume(shape);
  while (residents_.size() < size) residents_.push_back(std::make_unique<Resident>());
  order_.resize(size);
  std::iota(order_.begin(), order_.end(), 0);
  cluster_.dims = shape;
  cluster_.signalled = 0;
  cluster_.groups.clear();  // all are known before the first begins: the start of a wave tells how many there are
  for (std::uint32_t rank = 0; rank < size; ++rank) cluster_.groups.push_back(&residents_[rank]->group());
  const auto groups = setup.request->workgroups();
  const std::uint64_t across = groups[0] / shape[0], down = groups[1] / shape[1];
  const std::uint64_t first[3] = {index % across * shape[0], index / across % down * shape[1],
                                  index / across / down * shape[2]};
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    const std::uint64_t x = first[0] + rank % shape[0], y = first[1] + rank / shape[0] % shape[1],
                        z = first[2] + rank / shape[0] / shape[1];
    residents_[rank]->begin(setup, x + groups[0] * (y + groups[1] * z), size > 1 ? &cluster_ : nullptr, rank,
                            {results.counts, results.fault, results.observe, results.observed,
                             rank == 0 ? results.lines : nullptr});
  }
  workgroup_ = residents_[0]->index();
}

Turn ResidentCluster::take_turn() { return order_.size() == 1 ? residents_[0]->take_turn() : take_turns(); }

Turn ResidentCluster::take_turns() {
  const auto can_go_on = [](const Workgroup* group) {
    return std::ranges::any_of(group->waves, [](const Wave& wave) { return wave.state == WaveState::ready; });
  };
  while (true) {
    shuffle(order_, setup_.order_seed ? mix(setup_.order_seed ^ mix(~index_) ^ ++pass_) : 0);
    bool yielded = false, ended = true;
    for (const int rank : order_) {
      Resident& resident = *residents_[rank];
      if (can_go_on(&resident.group())) {
        const Turn turn = resident.take_turn();
        if (turn == Turn::faulted) {
          workgroup_ = resident.index();
          return turn;
        }
        yielded |= turn == Turn::yielded;
      }
      ended &=
          std::ranges::all_of(resident.group().waves, [](const Wave& wave) { return wave.state == WaveState::ended; });
    }
    if (ended) return Turn::ended;
    // Whom a signal of this pass let go on, or the end of a peer does now.
    if (release_cluster_barrier(cluster_)) continue;
    if (yielded) return Turn::yielded;
    if (std::ranges::any_of(cluster_.groups, can_go_on)) continue;
    fault_deadlock(cluster_.groups);
    return Turn::faulted;
  }
}

}  // namespace zellige::sim
