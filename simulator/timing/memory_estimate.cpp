// See memory_estimate.hpp.
#include "simulator/timing/memory_estimate.hpp"

#include <algorithm>

namespace zellige::sim {
namespace {

/// Distinct lines of n neighbours.
double distinct(const SharedLines& lines, double n) {
  return n < 1 ? n * lines.one : lines.one + (n - 1) * std::max(0.0, lines.two - lines.one);
}

}  // namespace

MemoryEstimate estimate_memory(const Device& device, const MemoryShape& shape, const MemoryEstimateInput& input) {
  MemoryEstimate result;
  result.line_bytes = shape.line_bytes;
  const Counts& counts = *input.counts;
  if (counts.observed_workgroups == 0 || input.workgroups == 0) return result;
  const auto workgroups = static_cast<double>(input.workgroups);
  const double scale = workgroups / static_cast<double>(counts.observed_workgroups);
  // Lines of 128 bytes that were counted without an observation serve where there is none.
  const bool seen = input.observed->load_lines + input.observed->store_lines > 0;
  result.l1_load_requests = static_cast<double>(seen ? input.observed->load_lines : counts.load_lines) * scale;
  result.l1_hits = static_cast<double>(input.observed->l1_hits) * scale;
  result.l2_load_requests = result.l1_load_requests - result.l1_hits;
  result.l2_store_requests = static_cast<double>(seen ? input.observed->store_lines : counts.store_lines) * scale;

  const double line = shape.line_bytes, footprint = static_cast<double>(input.footprint_bytes);
  // Consecutive workgroups go round robin over the dies.
  const double dies = std::min<double>(device.traits.dies, workgroups);
  double of_a_die = distinct(input.loads, workgroups / dies) * line;
  const bool fits_l2 = footprint > 0 && footprint <= static_cast<double>(device.l2_bytes);
  if (fits_l2) of_a_die = std::min(of_a_die, footprint);
  result.l2_fill_bytes = of_a_die * dies;
  result.write_bytes = distinct(input.stores, workgroups) * line;
  double reads = result.l2_fill_bytes, writes = result.write_bytes;
  const bool fits_far_cache = footprint > 0 && footprint <= static_cast<double>(shape.far_cache_bytes);
  if (fits_far_cache || fits_l2) reads = std::min(reads, footprint);
  if (footprint > 0) writes = std::min(writes, footprint);
  result.memory_bytes = reads + writes;
  return result;
}

}  // namespace zellige::sim
