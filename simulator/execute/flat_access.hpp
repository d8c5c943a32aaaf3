// Flat addresses: the high word decides whether a lane goes to LDS, to its scratch or to global memory.
#pragma once

#include <cstdint>

#include "simulator/execute/global_access.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// Resolves 64-bit flat addresses plus the instruction's offset. Lanes in an aperture get host addresses of LDS or
/// scratch.
inline Reach resolve_flat(Wave& wave, const Instruction* instruction, LaneTargets& targets, const Operand& address,
                          std::uint32_t bytes, AccessKind kind) {
  const std::uint32_t* low = wave.row(address.index);
  const std::uint32_t* high = low + row_lanes;
  const std::uint32_t shared = wave.scalar[scalar_shared_base + 1], scratch = wave.scalar[scalar_private_base + 1];
  std::uint32_t in_aperture = 0;
  for (int lane = 0; lane < lanes; ++lane)
    in_aperture |= (high[lane] == shared || high[lane] == scratch ? ~0u : 0u) & wave.exec_mask[lane];
  if (in_aperture == 0) return resolve_wide(wave, instruction, targets, low, bytes, kind);

  targets.active = active_lanes(wave);
  targets.mask = wave.exec_mask;
  for (std::uint64_t mask = targets.active; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    const std::int64_t offset = std::int64_t{low[lane]} + instruction->offset;
    if (high[lane] == shared) {
      if (offset < 0 || offset + bytes > wave.group->lds_bytes) {
        fault_lds(wave, instruction, lane, static_cast<std::uint64_t>(offset), bytes, kind);
        return Reach::fault;
      }
      targets.at[lane] = reinterpret_cast<std::uint64_t>(wave.group->lds) + static_cast<std::uint64_t>(offset);
    } else if (high[lane] == scratch) {
      if (offset < 0 || offset + bytes > wave.scratch_bytes) {
        fault_scratch(wave, instruction, lane, offset, bytes, kind);
        return Reach::fault;
      }
      targets.at[lane] = reinterpret_cast<std::uint64_t>(wave.scratch) +
                         static_cast<std::uint64_t>(lane) * wave.scratch_bytes + static_cast<std::uint64_t>(offset);
    } else {
      targets.at[lane] = (low[lane] | std::uint64_t{high[lane]} << 32) + sign_extended(instruction->offset);
      if (!in_one_allocation(*wave.group, targets.at[lane], targets.at[lane] + bytes)) {
        fault_global(wave, instruction, lane, targets.at[lane], bytes, kind);
        return Reach::fault;
      }
    }
  }
  return Reach::lanes;
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
