// Launching a grid: from a kernel, its arguments and a shape to counts and memory effects, or a fault.
//
// Law: what a launch writes depends only on the kernel, its arguments and memory, not on the number of host threads;
// the order of workgroups and waves is fixed by ZELLIGE_SIM_ORDER (unset: ascending) up to what runs in parallel, so a
// kernel whose result depends on the order is at fault, not the simulator.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "simulator/code_object/code_object.hpp"
#include "simulator/dispatch/device.hpp"
#include "simulator/dispatch/occupancy.hpp"
#include "simulator/execute/workgroup.hpp"
#include "simulator/timing/memory_estimate.hpp"
#include "simulator/timing/observed_counts.hpp"

namespace zellige::sim {

struct LaunchRequest {
  CodeObject* object = nullptr;
  const KernelInfo* kernel = nullptr;
  const Device* device = nullptr;
  std::array<std::uint32_t, 3> grid{1, 1, 1};   ///< in work-items; need not be a multiple of the block
  std::array<std::uint32_t, 3> block{1, 1, 1};  ///< work-items of a workgroup
  std::array<std::uint32_t, 3> cluster{};       ///< workgroups of a cluster that the launch asks for; zeros: it does not
  std::uint32_t dynamic_lds = 0;                ///< bytes beyond the kernel's static LDS
  /// The argument segment as the caller laid it out; what is shorter than the kernel's explicit arguments is padded
  /// with zeros, and the hidden arguments are filled by the launch.
  std::span<const std::uint8_t> arguments;
  bool cooperative = false;  ///< all workgroups must be resident at a time
  std::uint64_t sample = 0;  ///< run about so many workgroups for their counts, see Selection (0: all)

  std::uint64_t workgroup_items() const { return std::uint64_t{block[0]} * block[1] * block[2]; }
  std::array<std::uint32_t, 3> workgroups() const {
    std::array<std::uint32_t, 3> result;
    for (int i = 0; i < 3; ++i)
      result[i] = static_cast<std::uint32_t>((std::uint64_t{grid[i]} + block[i] - 1) / block[i]);
    return result;
  }
};

struct LaunchResult {
  bool ok = true;
  std::string fault;  ///< a sentence when not ok
  Counts counts;      ///< of the whole grid; scaled from the workgroups that ran when it was sampled
  ObservedCounts observed;  ///< of the observed workgroups, unscaled
  Occupancy occupancy;
  std::uint64_t workgroups = 0, executed = 0;
  std::uint64_t footprint_bytes = 0;  ///< bytes of the allocations that the arguments point into
  SharedLines loads, stores;          ///< what the observed workgroups touched
};

/// Why a launch cannot begin. `why` is a sentence with the numbers.
struct Refusal {
  enum class Kind { none, shape, cluster, resources, cooperative } kind = Kind::none;
  std::string why;
};
Refusal refuse_launch(const LaunchRequest& request);

/// "4x2x1": the dimensions of a grid, a block or a cluster.
std::string shape_text(const std::array<std::uint32_t, 3>& shape);

/// Runs the launch to its end on all host threads (ZELLIGE_SIM_THREADS=N limits them). One launch runs at a time.
LaunchResult launch(const LaunchRequest& request);

}  // namespace zellige::sim
