// Private memory: lane l owns [scratch + l * scratch_bytes, + scratch_bytes), and scratch offsets count within it.
#pragma once

#include <cstdint>

#include "simulator/execute/global_access.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// Resolves offsets (a row, or zeros) + common of every active lane within its own scratch. An inactive lane's target
/// repeats an active lane's offset in its own scratch, so reading it is harmless.
inline Reach resolve_scratch(Wave& wave, const Instruction* instruction, LaneTargets& targets,
                             const std::uint32_t* offsets, std::int64_t common, std::uint32_t bytes, AccessKind kind) {
  targets.active = active_lanes(wave);
  targets.mask = wave.exec_mask;
  if (targets.active == 0) return Reach::none;
  if (!wave.exec_full) offsets = fill_inactive(wave, targets, offsets);
  const OffsetSpan span = offset_span(offsets);
  if (common + span.low < 0 || common + span.high + bytes > wave.scratch_bytes) {
    const bool is_signed = instruction->flags & flag_signed_offsets;
    for (int lane = 0; lane < lanes; ++lane) {
      const std::int64_t own = is_signed ? std::int64_t{static_cast<std::int32_t>(offsets[lane])} : offsets[lane];
      const std::int64_t offset = common + own;
      if (!(targets.active >> lane & 1) || (offset >= 0 && offset + bytes <= wave.scratch_bytes)) continue;
      fault_scratch(wave, instruction, lane, offset, bytes, kind);
      return Reach::fault;
    }
  }
  const std::uint32_t step = wave.scratch_bytes;
  for (int lane = 0; lane < lanes; ++lane)
    targets.storage[lane] =
        offsets[lane] + static_cast<std::uint32_t>(common) + static_cast<std::uint32_t>(lane) * step;
  targets.base = reinterpret_cast<std::uint64_t>(wave.scratch);
  targets.offsets = targets.storage;
  return Reach::rows;
}

/// The same from an instruction's operands.
inline Reach resolve_scratch(Wave& wave, const Instruction* instruction, LaneTargets& targets, const Operand& address,
                             const Operand& base, std::uint32_t bytes, AccessKind kind) {
  const std::uint32_t* offsets = address.kind == OperandKind::vector ? wave.row(address.index) : zero_row;
  alignas(64) std::uint32_t scaled[row_lanes];
  if (instruction->flags & flag_scale_offset) {  // offsets in accesses
    for (int lane = 0; lane < row_lanes; ++lane) scaled[lane] = offsets[lane] * bytes;
    offsets = scaled;
  }
  const std::uint32_t scalar = scalar_value(wave, base);
  const std::int64_t common =
      instruction->flags & flag_signed_offsets ? std::int64_t{static_cast<std::int32_t>(scalar)} : scalar;
  return resolve_scratch(wave, instruction, targets, offsets, common + instruction->offset, bytes, kind);
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
