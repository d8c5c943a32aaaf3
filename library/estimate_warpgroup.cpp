// See estimate_warpgroup.hpp. Unlike the other model, this one was fitted: to 3300 measured times on an H200 (bf16; the
// layers of five networks at their batch and at 1, and GEMMs, by every instance that applies, single launches after an
// L2 flush). It meets them within a factor of 1.17 (one standard deviation), and the instance that it picks is 1.4 %
// slower than the fastest measurement in the geometric mean, 23 % at worst. Constants are therefore of that device.
#include "estimate_warpgroup.hpp"

#include <algorithm>
#include <cmath>

#include "estimate_parts.hpp"

namespace zellige {

namespace {

constexpr double clocks_a_us = 1755;         // of an SM under load
constexpr double multiplies_a_clock = 2069;  // of an SM, 16-bit inputs; 8-bit inputs twice as many. The peak is
                                             // 2048, at a clock that clocks_a_us only guesses
constexpr double shared_bytes = 107.8;       // a clock that warpgroup instructions read, while copies write
constexpr double copy_bytes = 71.1;          // a clock that an SM's tensor copies bring, from L2
constexpr double l2_bytes = 7113;            // a clock that L2 gives to all SMs
constexpr double copy_latency = 1780;        // clocks of a copy; a ring of `stages` hides all but its share
constexpr double copy_shows = 0.02;          // of such a share, in every step; chosen, so that of blocks alike the
                                             // deeper ring is picked (1024 channels of 14x14 to 256 filters at n=32:
                                             // 128x128 of 6 stages 12.2 us, of 4 13.2)
constexpr double step_clocks = 152;          // that a step takes at least: its barriers
constexpr double tile_clocks = 430;          // from one tile's last step to the next one's first
constexpr double output_clocks = 0.114;      // of 2 bytes of an output
constexpr double element_clocks = 0.62;      // of an output that a thread stores by itself, half where it gathers()
constexpr double start_clocks = 573;         // of a workgroup
constexpr double sent_byte_clocks = 0.204;   // of a byte that a workgroup sends to its cluster
constexpr double launch_us = 4.15;  // of a launch and what every kernel waits for; an empty one takes 2.7 to 3.5
constexpr double reduce_us = 1.21;  // of a second stage that has nothing to do
constexpr double memory_bytes_a_us = 4.26e6, slab_bytes_a_us = 0.867e6;

/// Clusters of `size` workgroups that an H200 holds at once: what its runtime answers (cudaOccupancyMaxActiveClusters,
/// one workgroup an SM). A cluster lies in one group of SMs, and their last SMs stay idle.
constexpr std::int64_t clusters_held(int size) {
  constexpr std::int64_t held[] = {132, 132, 66, 39, 30, 22, 17, 15, 15};
  return held[size];
}

}  // namespace

Estimate estimate_warpgroups(const WarpgroupShape& s, Arch arch, const WarpgroupProduct& p, int compute_units) {
  const double sms = compute_units > 0 ? compute_units : arch_traits(arch).compute_units;
  Estimate e;
  e.workgroups = ceil_div<std::int64_t>(p.m, s.block_m) * ceil_div<std::int64_t>(p.n, s.block_n) * p.groups * p.slices;
  e.workgroups_per_cu = s.min_blocks;
  const double of_sm = std::ceil(static_cast<double>(e.workgroups) / sms);
  const double resident = std::min<double>(s.min_blocks, of_sm);
  const std::int64_t clusters = e.workgroups / s.cluster;
  const bool folds = s.cluster > 1;
  const double rounds =
      folds ? static_cast<double>(ceil_div(clusters, clusters_held(s.cluster))) : std::ceil(of_sm / s.min_blocks);
  e.use = static_cast<double>(e.workgroups) / (of_sm * sms);

  const double outputs = static_cast<double>(s.block_m) * s.block_n;
  const double rate = multiplies_a_clock * (bytes_of(s.input) == 1 ? 2 : 1);
  e.matrix_clocks = outputs * s.block_k / rate;
  // A warpgroup's instructions read its rows of A and all of B.
  e.lds_clocks = (s.block_m + static_cast<double>(s.block_n) * s.consumers()) * s.row_bytes() / shared_bytes;
  const double rows = std::min<double>(s.block_m, static_cast<double>(p.m)),
               columns = std::min<double>(s.block_n, static_cast<double>(p.n));
  const bool keeps_b = s.keeps_b(ceil_div<std::int64_t>(p.n, s.block_n) * p.groups * p.slices, p.steps);
  const double active = std::min(sms, static_cast<double>(e.workgroups));
  e.cache_clocks = (rows + (keeps_b ? 0 : columns)) * s.row_bytes() / std::min(copy_bytes, l2_bytes / active);
  e.latency_clocks = std::max(copy_latency / s.stages, step_clocks);
  const double store_clocks = s.gathers() ? element_clocks / 2
                              : s.direct  ? element_clocks
                                          : output_clocks * (bytes_of(s.stored) / 2.0);
  e.epilogue_clocks = tile_clocks + (folds ? 0 : outputs * store_clocks * resident);
  // Nothing overlaps it: each workgroup of a cluster has one tile.
  const double fold_clocks = folds ? rows * s.block_n * 4 * sent_byte_clocks : 0;

  const BusyPart busiest = busiest_of({{e.matrix_clocks * resident, "matrix"},
                                       {e.lds_clocks * resident, "lds"},
                                       {e.cache_clocks * resident, "cache"},
                                       {e.latency_clocks, "latency"}});
  const auto steps = static_cast<double>(ceil_div<std::int64_t>(p.steps, p.slices));
  const double step = busiest.clocks + copy_shows * copy_latency / s.stages;
  const double clocks = start_clocks + rounds * (steps * step + e.epilogue_clocks);
  const double compute_us = clocks / clocks_a_us;
  e.memory_us = p.tensor_bytes / memory_bytes_a_us;
  if (s.slabs) {
    const double elements = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.groups);
    e.reduce_us = reduce_us + elements * (p.slices * 4.0 + bytes_of(s.output)) / slab_bytes_a_us;
  }
  e.time_us = launch_us + overlapped(compute_us, e.memory_us) + rounds * fold_clocks / clocks_a_us + e.reduce_us;
  e.bound = e.memory_us >= compute_us ? "memory" : busiest.name;
  return e;
}

}  // namespace zellige
