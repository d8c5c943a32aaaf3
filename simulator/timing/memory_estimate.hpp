// Bytes and requests per level of the memory hierarchy for a whole grid, estimated from its observed workgroups.
//
// Law: every observed workgroup stands for equally many. Lines are what the vector cache works in.
//   L1   every distinct line of an instruction is a request; hits come from the tags of a cache that the workgroup has
//        to itself.
//   L2   lines loaded that missed the L1, and all lines stored (written through) or updated by atomics.
//   beyond the L2   one workgroup fetches `one` distinct lines, and two neighbours on a die `two`; so n of them fetch
//        one + (n - 1) * (two - one): what neighbours share is fetched once, as each new one brings the lines that the
//        one before lacks. A die fetches that much for its share of the grid, but not more than the launch's
//        allocations hold if these fit its L2.
//   memory   the same, but every byte of the launch's allocations once at most where those fit the far cache; without a
//        far cache what the dies fetch.
// Stores leave the L2 once, in whole lines.
#pragma once

#include <cstdint>

#include "simulator/dispatch/device.hpp"
#include "simulator/execute/workgroup.hpp"
#include "simulator/timing/memory_shape.hpp"
#include "simulator/timing/observed_counts.hpp"

namespace zellige::sim {

/// Distinct lines of an observed workgroup, and of it and its neighbour together: means. 0: not observed.
struct SharedLines {
  double one = 0, two = 0;
};

struct MemoryEstimate {
  std::uint32_t line_bytes = 0;
  double l1_load_requests = 0, l1_hits = 0;            ///< lines
  double l2_load_requests = 0, l2_store_requests = 0;  ///< lines
  double l2_fill_bytes = 0;                            ///< that the dies fetch from beyond their L2s
  double write_bytes = 0;                              ///< that leave the L2s
  double memory_bytes = 0;                             ///< that memory moves, both ways
};

struct MemoryEstimateInput {
  const Counts* counts = nullptr;
  const ObservedCounts* observed = nullptr;
  SharedLines loads, stores;
  std::uint64_t workgroups = 0;
  std::uint64_t footprint_bytes = 0;  ///< 0: unknown
};

MemoryEstimate estimate_memory(const Device& device, const MemoryShape& shape, const MemoryEstimateInput& input);

}  // namespace zellige::sim
