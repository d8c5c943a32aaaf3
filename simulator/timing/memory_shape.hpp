// The caches and latencies of a target: what the counts per cache level and the predicted time of a lone wave rest on.
//
// Law: every figure has its source in memory_shape.cpp; docs/simulator.md repeats them in a table.
#pragma once

#include <cstdint>

namespace zellige::sim {

struct Device;

/// Latencies are in shader clocks, from issue to the result of one access on an idle device.
struct MemoryShape {
  std::uint32_t l1_bytes = 0, l1_ways = 0;  ///< a compute unit's vector cache (RDNA's documents call it L0)
  std::uint32_t line_bytes = 128;           ///< of that cache, and of a request to the L2
  std::uint32_t l1_bytes_per_clock = 64;    ///< that the vector cache delivers to its compute unit
  std::uint64_t far_cache_bytes = 0;        ///< Infinity Cache; 0: none
  double far_cache_gbps = 0;                ///< its peak, 1e9 bytes/s
  int l1_latency = 0, l2_latency = 0, far_cache_latency = 0, memory_latency = 0;
  int scalar_hit_latency = 0, scalar_miss_latency = 0;  ///< of scalar loads: in the scalar cache, and in the L2
  int lds_latency = 0;                                  ///< of a conflict-free ds_read_b32
};

MemoryShape memory_shape(const Device& device);

}  // namespace zellige::sim
