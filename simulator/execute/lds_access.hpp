// The addresses of one LDS instruction: checked against the workgroup's LDS, and counted.
#pragma once

#include <cstdint>

#include "simulator/execute/global_access.hpp"
#include "simulator/execute/lds_banks.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// Checks address row + offset of the active lanes against the LDS; false after a fault. targets: as Reach::rows.
///
/// The sum wraps in 32 bits: compilers fold constants into `offset` with bases below zero. Where it wraps (or an access is out
/// of bounds) the sums replace the offsets, and `offset` becomes 0.
inline bool resolve_lds(Wave& wave, const Instruction* instruction, LaneTargets& targets, const std::uint32_t* offsets,
                        std::uint32_t& offset, std::uint32_t bytes, AccessKind kind) {
  Workgroup& group = *wave.group;
  if (!wave.exec_full) offsets = fill_inactive(wave, targets, offsets);
  targets.base = reinterpret_cast<std::uint64_t>(group.lds) + offset;
  targets.offsets = offsets;
  const OffsetSpan span = offset_span(offsets);
  if (std::uint64_t{span.high} + offset + bytes <= group.lds_bytes) return true;
  for (int lane = 0; lane < row_lanes; ++lane) targets.storage[lane] = offsets[lane] + offset;
  targets.base = reinterpret_cast<std::uint64_t>(group.lds);
  targets.offsets = targets.storage;
  offset = 0;
  if (std::uint64_t{offset_span(targets.storage).high} + bytes <= group.lds_bytes) return true;
  for (int lane = 0; lane < lanes; ++lane) {
    const std::uint64_t address = targets.storage[lane];
    if (!(targets.active >> lane & 1) || address + bytes <= group.lds_bytes) continue;
    fault_lds(wave, instruction, lane, address, bytes, kind);
    return false;
  }
  return true;
}

/// The active lanes; false when there are none, so that the instruction does nothing.
inline bool begin_lds(const Wave& wave, LaneTargets& targets) {
  targets.active = active_lanes(wave);
  targets.mask = wave.exec_mask;
  return targets.active != 0;
}

/// Counts one access of `bytes` a lane. Call it before a read: the offsets may lie in rows that the read overwrites.
inline void count_lds(Wave& wave, const LaneTargets& targets, std::uint32_t offset, std::uint32_t bytes, bool store) {
  wave.group->counts->lds_bytes += static_cast<std::uint64_t>(__builtin_popcountll(targets.active)) * bytes;
  if (wave.group->observe) observe_lds(*wave.group, targets.active, targets.offsets, offset, bytes, store);
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
