// Flat addresses: the high word decides whether a lane goes to LDS, to its scratch or to global memory.
#pragma once

#include <cstdint>

#include "simulator/execute/global_access.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// On gfx1250 a flat pointer to private memory names the lane that owns it, above the aperture.
inline constexpr std::uint32_t aperture_bits = 0xfffffu;

/// Resolves the 64-bit flat addresses in rows low and high plus the instruction's offset. Lanes in an aperture get host
/// addresses of LDS or scratch.
inline Reach resolve_flat_rows(Wave& wave, const Instruction* instruction, LaneTargets& targets,
                               const std::uint32_t* low, std::uint32_t bytes, AccessKind kind) {
  const std::uint32_t* high = low + row_lanes;
  const std::uint32_t shared = wave.scalar[scalar_shared_base + 1], scratch = wave.scalar[scalar_private_base + 1];
  const bool names_owner = wave.scalar[scalar_flat_scratch_base + 1] != 0;
  const std::uint32_t aperture_of = names_owner ? aperture_bits : ~0u;
  std::uint32_t in_aperture = 0;
  for (int lane = 0; lane < lanes; ++lane)
    in_aperture |= (high[lane] == shared || (high[lane] & aperture_of) == scratch ? ~0u : 0u) & wave.exec_mask[lane];
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
    } else if ((high[lane] & aperture_of) == scratch) {
      const std::uint32_t owner = names_owner ? high[lane] >> 20 & 31 : static_cast<std::uint32_t>(lane);
      if (offset < 0 || offset + bytes > wave.scratch_bytes) {
        fault_scratch(wave, instruction, lane, offset, bytes, kind);
        return Reach::fault;
      }
      targets.at[lane] = reinterpret_cast<std::uint64_t>(wave.scratch) + std::uint64_t{owner} * wave.scratch_bytes +
                         static_cast<std::uint64_t>(offset);
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

/// The address operands of flat_*: a 64-bit vector address, or a signed 32-bit vector offset and a scalar
/// base (gfx1250).
inline Reach resolve_flat(Wave& wave, const Instruction* instruction, LaneTargets& targets, const Operand& address,
                          const Operand& base, std::uint32_t bytes, AccessKind kind) {
  if (base.kind == OperandKind::none)
    return resolve_flat_rows(wave, instruction, targets, wave.row(address.index), bytes, kind);
  alignas(64) std::uint32_t sums[2 * row_lanes];
  const std::uint32_t* offsets = address.kind == OperandKind::vector ? wave.row(address.index) : zero_row;
  const std::uint64_t common = scalar_pair(wave, base);
  const std::uint64_t scale = instruction->flags & flag_scale_offset ? bytes : 1;
  for (int lane = 0; lane < lanes; ++lane) {
    const std::uint64_t sum = common + sign_extended(static_cast<std::int32_t>(offsets[lane])) * scale;
    sums[lane] = static_cast<std::uint32_t>(sum);
    sums[row_lanes + lane] = static_cast<std::uint32_t>(sum >> 32);
  }
  const Reach reach = resolve_flat_rows(wave, instruction, targets, sums, bytes, kind);
  if (reach == Reach::rows && targets.offsets == sums) {
    __builtin_memcpy(targets.storage, sums, sizeof targets.storage);  // the sums do not outlive this function
    targets.offsets = targets.storage;
  }
  return reach;
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
