// A first analytic time of an instance: the largest of its bounds (with a share of the others), from the config, the
// problem and the target's table.
//
// It is a ranking aid, not a measurement: constants are public figures or stated assumptions, and only those of sm_90
// were fitted to measured times. Execution on the simulator gives exact counts.
#pragma once

#include <string_view>

#include "zellige/conv/config.hpp"
#include "zellige/gemm/plan_options.hpp"

namespace zellige {

/// Clocks are those of the target's peak frequency.
struct Estimate {
  double time_us = 0;
  std::string_view bound = "";  ///< of time_us: "matrix", "vector", "lds", "cache", "latency" or "memory"
  std::int64_t workgroups = 0;
  int workgroups_per_cu = 0;  ///< resident at once, by LDS, registers and wave slots
  double use = 0;             ///< share of the CUs' time in which there is a workgroup to run
  // Clocks that one workgroup keeps each part of its CU busy, for one step of the reduction:
  double matrix_clocks = 0, vector_clocks = 0, lds_clocks = 0, cache_clocks = 0;
  double latency_clocks = 0;   ///< of one step of a workgroup that has the CU for itself
  double epilogue_clocks = 0;  ///< of one workgroup
  double memory_us = 0;        ///< the tensors' bytes at the target's bandwidth
  double reduce_us = 0;        ///< of time_us: the second stage of a split reduction
};

/// Needs check(config, arch).ok and supports(config, arch, problem, options).ok. Of a problem that takes several chunks,
/// `time_us`, `memory_us` and `workgroups` are those of all, the rest is of the first.
[[gnu::visibility("default")]] Estimate estimate(const GemmConfig& config, Arch arch, const GemmProblem& problem,
                                                 const PlanOptions& options = {});
[[gnu::visibility("default")]] Estimate estimate(const ConvConfig& config, Arch arch, const ConvProblem& problem,
                                                 const PlanOptions& options = {});

}  // namespace zellige
