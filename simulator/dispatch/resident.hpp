// A workgroup in flight on a host thread: the memory of its waves, and how it takes turns.
#pragma once

#include <cstdint>
#include <memory>
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

enum class Turn { ended, yielded, faulted };

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
};

class Resident {
 public:
  /// Begins workgroup `index` (x fastest). An observed one adds to `observed`, and leaves the lines that it touched in
  /// `lines` where that is not nullptr.
  void begin(const ResidentSetup& setup, std::uint64_t index, Counts& counts, Fault& fault, bool observe,
             ObservedCounts& observed, TouchedLines* lines);
  /// Runs every wave that can run, through as many barriers as can be passed, until the workgroup has ended, a wave
  /// faulted, or waves used up their budget of branches (others should run before it goes on).
  Turn take_turn();

  std::uint64_t index() const { return index_; }

 private:
  void end_observation();
  bool release_barrier();
  void fault_deadlock();

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

}  // namespace zellige::sim
