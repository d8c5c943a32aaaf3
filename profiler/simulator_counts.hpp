// What the simulator counted in the last launch, found with dlsym so that the program also runs on a real runtime.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace zellige::profiler {

struct SimulatorCounts {
  std::uint64_t sequence = 0;     ///< launches of this process so far
  std::string bound;              ///< what limits the predicted time
  nlohmann::ordered_json counts;  ///< instructions by class, bytes, bank conflicts, occupancy, registers
};

/// Nothing on a real runtime, or when nothing was launched yet.
std::optional<SimulatorCounts> last_launch_counts();

/// The text of the last fault of the simulator, "" when there was none or the runtime is real.
std::string last_fault();

/// While it lives, the simulator executes at most `workgroups` of a launch and scales its counts: results are
/// incomplete.
class SampledLaunches {
 public:
  explicit SampledLaunches(std::uint64_t workgroups);
  ~SampledLaunches();
  SampledLaunches(const SampledLaunches&) = delete;
  SampledLaunches& operator=(const SampledLaunches&) = delete;
};

}  // namespace zellige::profiler
