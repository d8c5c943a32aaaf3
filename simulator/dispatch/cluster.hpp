// Clusters of workgroups: which shape a launch forms, and how the workgroups of one run.
//
// Law: the launch's own shape counts. A kernel with cluster metadata that is launched without one runs as clusters of
// one workgroup, which is a fault when checks run, unless ZELLIGE_SIM_CLUSTERS=metadata forms clusters from the
// metadata alone. The workgroups of a cluster take turns on one host thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simulator/dispatch/launch.hpp"
#include "simulator/dispatch/resident.hpp"

namespace zellige::sim {

inline constexpr std::uint32_t most_workgroups_of_cluster = 16;  ///< as many as 4-bit flat numbers tell apart
inline constexpr std::uint32_t most_along_axis_of_cluster = 15;  ///< what the compiler takes

/// The clusters' shape in workgroups.
std::array<std::uint32_t, 3> cluster_shape(const LaunchRequest& request);

/// Why the launch's clusters cannot be formed, or an empty text.
std::string refuse_cluster(const LaunchRequest& request);

inline std::uint32_t volume(const std::array<std::uint32_t, 3>& shape) { return shape[0] * shape[1] * shape[2]; }

/// A cluster in flight on a host thread; of one workgroup where the launch forms none.
class ResidentCluster {
 public:
  /// Begins cluster `index` (x fastest) of clusters of `shape` workgroups.
  void begin(const ResidentSetup& setup, std::uint64_t index, const std::array<std::uint32_t, 3>& shape,
             const ResidentResults& results);
  /// As Resident::take_turn(), for all its workgroups; never Turn::waits.
  Turn take_turn();

  /// The workgroup that faulted, or the first.
  std::uint64_t workgroup() const { return workgroup_; }

 private:
  Turn take_turns();

  std::vector<std::unique_ptr<Resident>> residents_;  ///< slots, reused; the first order_.size() are in use
  std::vector<int> order_;
  Cluster cluster_;
  ResidentSetup setup_;
  std::uint64_t index_ = 0, pass_ = 0, workgroup_ = 0;
};

}  // namespace zellige::sim
