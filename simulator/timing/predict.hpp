// The predicted time of a launch: what the counts of the executed code cost at the target's rates.
//
// Law: the time is a launch overhead plus the largest of the bounds below. Each bound but `wave` is the time that one
// resource of the busiest compute unit (or the memory system) is occupied; they assume that the resources overlap
// perfectly. `wave` is the latency of one workgroup alone on a compute unit, as its observation gives it, times the
// rounds of workgroups that the busiest unit runs one after another: it is what launches of few workgroups cost, and
// what occupancy does not hide. It is always labelled predicted. Rates come from arch_traits, make_device and
// memory_shape; the constants with their reasons stand in predict.cpp.
#pragma once

#include <array>
#include <cstdint>

#include "simulator/dispatch/device.hpp"
#include "simulator/dispatch/occupancy.hpp"
#include "simulator/execute/workgroup.hpp"
#include "simulator/timing/memory_estimate.hpp"

namespace zellige::sim {

enum class Bound : int { matrix, vector, issue, wave, lds, l2, memory, l1, count };
inline constexpr int bound_count = static_cast<int>(Bound::count);

/// "matrix", "vector", "issue", "wave", "lds", "l2", "memory", "l1".
const char* bound_name(Bound bound);

struct Prediction {
  double seconds = 0;  ///< overhead plus the largest bound
  double overhead_seconds = 0;
  Bound bound = Bound::issue;                    ///< which bound is the largest
  std::array<double, bound_count> seconds_of{};  ///< every bound, in seconds
  MemoryEstimate memory;                         ///< what the bounds l1, l2 and memory rest on
};

struct PredictionInput {
  Counts counts;            ///< of the whole grid
  ObservedCounts observed;  ///< of counts.observed_workgroups workgroups
  Occupancy occupancy;
  int lanes = 64;  ///< of a wave
  std::uint64_t workgroups = 0;
  SharedLines loads, stores;          ///< of the observed workgroups
  std::uint64_t footprint_bytes = 0;  ///< bytes of the allocations that the kernel was given; 0: unknown
};

Prediction predict(const Device& device, const PredictionInput& input);

/// Predicted seconds of a copy or fill: bytes that memory moves over its rate. `over_bus`: between host and device.
double predict_copy(const Device& device, std::uint64_t bytes, bool over_bus);

}  // namespace zellige::sim
