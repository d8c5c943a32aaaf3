// Counts that only closely observed workgroups have, beside those of execute/workgroup.hpp: what their cache did, and
// what their waves waited for.
#pragma once

#include <cstdint>

namespace zellige::sim {

/// Sums over the observed workgroups.
struct ObservedCounts {
  std::uint64_t load_bytes = 0, store_bytes = 0;  ///< that active lanes asked of global memory
  std::uint64_t scalar_bytes = 0;                 ///< that scalar loads and stores moved
  std::uint64_t load_lines = 0, store_lines = 0;  ///< lines of the target's vector cache, per instruction
  std::uint64_t l1_hits = 0;                      ///< of the lines loaded, those that the vector cache had
  std::uint64_t alone_clocks = 0;       ///< of each workgroup alone on a compute unit, from its start to its end
  std::uint64_t stalled_waits = 0;      ///< wait instructions that something outstanding held up
  std::uint64_t wait_clocks = 0;        ///< that they took, summed over waves; and the same of
  std::uint64_t dependency_clocks = 0;  ///< results of matrix and vector instructions that were read too early, and
  std::uint64_t barrier_clocks = 0;     ///< barriers

  ObservedCounts& operator+=(const ObservedCounts& other) {
    load_bytes += other.load_bytes, store_bytes += other.store_bytes;
    scalar_bytes += other.scalar_bytes;
    load_lines += other.load_lines, store_lines += other.store_lines;
    l1_hits += other.l1_hits;
    alone_clocks += other.alone_clocks;
    stalled_waits += other.stalled_waits;
    wait_clocks += other.wait_clocks;
    dependency_clocks += other.dependency_clocks;
    barrier_clocks += other.barrier_clocks;
    return *this;
  }
};

}  // namespace zellige::sim
