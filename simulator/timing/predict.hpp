// The predicted time of a launch: what the counts of the executed code cost at the target's rates.
//
// Law: the time is a launch overhead plus the largest of the bounds below. Each bound is the time that one resource of
// the busiest compute unit (or the memory system) is occupied; the model assumes that the resources overlap perfectly,
// so it is a lower estimate of a kernel that is well pipelined, and blind to latencies that occupancy does not hide. It
// is always labelled predicted. Rates come from arch_traits and make_device; the constants with their reasons stand in
// predict.cpp.
#pragma once

#include <array>
#include <cstdint>

#include "simulator/dispatch/device.hpp"
#include "simulator/dispatch/occupancy.hpp"
#include "simulator/execute/workgroup.hpp"

namespace zellige::sim {

enum class Bound : int { matrix, vector, issue, wave, lds, l2, memory, count };
inline constexpr int bound_count = static_cast<int>(Bound::count);

/// "matrix", "vector", "issue", "wave", "lds", "l2", "memory".
const char* bound_name(Bound bound);

struct Prediction {
  double seconds = 0;  ///< overhead plus the largest bound
  double overhead_seconds = 0;
  Bound bound = Bound::issue;                    ///< which bound is the largest
  std::array<double, bound_count> seconds_of{};  ///< every bound, in seconds
};

struct PredictionInput {
  Counts counts;  ///< of the whole grid
  Occupancy occupancy;
  int lanes = 64;  ///< of a wave
  std::uint64_t workgroups = 0;
  std::uint64_t footprint_bytes = 0;  ///< bytes of the allocations that the kernel was given; 0: unknown
};

Prediction predict(const Device& device, const PredictionInput& input);

/// Predicted seconds of a copy or fill: bytes that memory moves over its rate. `over_bus`: between host and device.
double predict_copy(const Device& device, std::uint64_t bytes, bool over_bus);

}  // namespace zellige::sim
