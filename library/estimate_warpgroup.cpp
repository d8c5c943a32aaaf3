// See estimate_warpgroup.hpp. Unlike the other model, this one was fitted: to 1738 measured times on an H200 (bf16; the
// layers of five networks at their batch and at 1, and GEMMs, by every instance that applies, single launches after an
// L2 flush). It meets them within a factor of 1.21 (one standard deviation), and the instance that it picks is 1.2 %
// slower than the best in the geometric mean, 19 % at worst. Constants are therefore of that device.
#include "estimate_warpgroup.hpp"

#include <algorithm>
#include <cmath>

#include "estimate_parts.hpp"

namespace zellige {

namespace {

constexpr double clocks_a_us = 1755;         // of an SM under load
constexpr double multiplies_a_clock = 1893;  // of an SM, 16-bit inputs; 8-bit inputs twice as many
constexpr double shared_bytes = 128;         // a clock that warpgroup instructions read
constexpr double copy_bytes = 68.4;          // a clock that an SM's tensor copies bring, from L2
constexpr double copy_latency = 2483;        // clocks of a copy; a ring of `stages` hides all but its share
constexpr double step_clocks = 192;          // that a step takes at least: its barriers
constexpr double tile_clocks = 662;          // from one tile's last step to the next one's first
constexpr double output_clocks = 0.0894;     // of 2 bytes of an output
constexpr double element_clocks = 0.54;      // of an output that a thread stores by itself, half where warps store rows
constexpr double start_clocks = 269;         // of a workgroup
constexpr double fold_clocks = 2417;         // of a cluster that meets and adds up
constexpr double sent_byte_clocks = 0.069;   // of a byte that a workgroup sends to its cluster
constexpr double launch_us = 4.36;  // of a launch and what every kernel waits for; an empty one takes 2.7 to 3.3
constexpr double reduce_us = 1.57;  // of a second stage that has nothing to do
constexpr double memory_bytes_a_us = 3.18e6, slab_bytes_a_us = 2.07e6;

/// Clusters of `size` workgroups that an H200 holds at once: what its runtime answers. A cluster lies in one group of
/// SMs, and their last SMs stay idle.
constexpr std::int64_t clusters_held(int size) {
  constexpr std::int64_t held[] = {132, 132, 64, 40, 30, 24, 18, 16, 14};
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
  const double rounds = s.cluster > 1 ? static_cast<double>(ceil_div(clusters, clusters_held(s.cluster)))
                                      : std::ceil(of_sm / s.min_blocks);
  e.use = static_cast<double>(e.workgroups) / (of_sm * sms);

  const double outputs = static_cast<double>(s.block_m) * s.block_n;
  const double rate = multiplies_a_clock * (bytes_of(s.input) == 1 ? 2 : 1);
  e.matrix_clocks = outputs * s.block_k / rate;
  // A warpgroup's instructions read its rows of A and all of B.
  e.lds_clocks = (s.block_m + static_cast<double>(s.block_n) * s.consumers()) * s.row_bytes() / shared_bytes;
  const double rows = std::min<double>(s.block_m, static_cast<double>(p.m)),
               columns = std::min<double>(s.block_n, static_cast<double>(p.n));
  const bool keeps_b = s.keeps_b(ceil_div<std::int64_t>(p.n, s.block_n) * p.groups * p.slices, p.steps);
  e.cache_clocks = (rows + (keeps_b ? 0 : columns)) * s.row_bytes() / copy_bytes;
  e.latency_clocks = std::max(copy_latency / s.stages, step_clocks);
  const double store_clocks = s.gathers() ? element_clocks / 2
                              : s.direct  ? element_clocks
                                          : output_clocks * (bytes_of(s.stored) / 2.0);
  e.epilogue_clocks = tile_clocks + outputs * store_clocks * resident;
  if (s.cluster > 1) e.epilogue_clocks = tile_clocks + fold_clocks + rows * s.block_n * 4 * sent_byte_clocks;

  const BusyPart busiest = busiest_of({{e.matrix_clocks * resident, "matrix"},
                                       {e.lds_clocks * resident, "lds"},
                                       {e.cache_clocks * resident, "cache"},
                                       {e.latency_clocks, "latency"}});
  const auto steps = static_cast<double>(ceil_div<std::int64_t>(p.steps, p.slices));
  const double clocks = start_clocks + rounds * (steps * busiest.clocks + e.epilogue_clocks);
  const double compute_us = clocks / clocks_a_us;
  e.memory_us = p.tensor_bytes / memory_bytes_a_us;
  if (s.slabs) {
    const double elements = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.groups);
    e.reduce_us = reduce_us + elements * (p.slices * 4.0 + bytes_of(s.output)) / slab_bytes_a_us;
  }
  e.time_us = launch_us + overlapped(compute_us, e.memory_us) + e.reduce_us;
  e.bound = e.memory_us >= compute_us ? "memory" : busiest.name;
  return e;
}

}  // namespace zellige
