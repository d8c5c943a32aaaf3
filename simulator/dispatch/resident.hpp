// A workgroup in flight on a host thread: the memory of its waves, and how it takes turns.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "simulator/check/shadow.hpp"
#include "simulator/dispatch/kernel_start.hpp"
#include "simulator/execute/workgroup.hpp"
#include "simulator/timing/observation.hpp"

namespace zellige::sim {

/// Memory that is kept from launch to launch: pages come zeroed when first touched, and are not touched before they are
/// used.
class PagedBuffer {
 public:
  PagedBuffer() = default;
  ~PagedBuffer();
  PagedBuffer(const PagedBuffer&) = delete;
  PagedBuffer& operator=(const PagedBuffer&) = delete;
  /// At least `bytes`, page-aligned; the content is kept only when it need not grow. Throws std::bad_alloc.
  std::uint8_t* reserve(std::size_t bytes);

 private:
  std::uint8_t* data_ = nullptr;
  std::size_t bytes_ = 0;
};

enum class Turn { ended, yielded, waits /* for its cluster */, faulted };

class RaceLaunch;

/// What a resident workgroup needs of its launch.
struct ResidentSetup {
  const LaunchRequest* request = nullptr;
  const KernelStart* start = nullptr;
  const Program* program = nullptr;
  std::uint32_t lds_bytes = 0;
  std::uint32_t scratch_bytes = 0;  ///< of a lane
  std::uint64_t order_seed = 0;     ///< 0: waves run in ascending order
  const ObservationSetup* observation = nullptr;  ///< of observed workgroups
  std::uint64_t branch_budget = 0;  ///< branches that a wave takes before others run
  RaceLaunch* race = nullptr;       ///< if the check of races runs
};

/// Where a workgroup leaves what is known of it.
struct ResidentResults {
  Counts& counts;
  Fault& fault;
  bool observe;              ///< closely: it adds to `observed`,
  ObservedCounts& observed;
  TouchedLines* lines;       ///< and leaves the lines that it touched here where that is not nullptr
};

class Resident {
 public:
  /// Begins workgroup `index` (x fastest), which is number `rank` of `cluster` (nullptr: launched by itself).
  void begin(const ResidentSetup& setup, std::uint64_t index, Cluster* cluster, std::uint32_t rank,
             const ResidentResults& results);
  /// Runs every wave that can run, through as many barriers as can be passed, until the workgroup has ended, a wave
  /// faulted, waves used up their budget of branches (others should run before it goes on), or all that can help is the
  /// rest of its cluster.
  Turn take_turn();

  std::uint64_t index() const { return index_; }
  Workgroup& group() { return group_; }

 private:
  void end_observation();

  Workgroup group_;
  std::unique_ptr<Observation> observation_;  ///< if a workgroup was ever observed
  ObservedCounts* observed_ = nullptr;
  TouchedLines* lines_ = nullptr;
  std::unique_ptr<GroupShadow> shadow_;  ///< if any check runs
  std::vector<int> order_;
  PagedBuffer rows_, lds_, scratch_;
  ResidentSetup setup_;
  std::uint64_t index_ = 0, pass_ = 0;
};

/// Records that no wave of `groups` can go on, and where each waits.
void fault_deadlock(std::span<Workgroup* const> groups);

}  // namespace zellige::sim
