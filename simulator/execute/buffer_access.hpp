// The bounds rule of buffer_* instructions, and where their lanes go; buffer_descriptor.hpp states the descriptors'
// law.
//
// Each dword of a wider access is checked by itself (elements of 1, 2 or 4 bytes). An out-of-range load gives 0, an
// out-of-range store is dropped; atomics and formatted accesses are all or nothing. Sums do not wrap. gfx9's private
// segment (add_tid_enable) addresses each lane's scratch: soffset is in bytes of the whole wave.
#pragma once

#include <cstdint>

#include "simulator/execute/buffer_descriptor.hpp"
#include "simulator/execute/global_access.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// The operands of a buffer instruction.
struct BufferOperands {
  const Operand& address;
  const Operand& descriptor;
  const Operand& soffset;
};

/// One buffer access: LaneTargets plus which lanes and dwords are in range.
struct BufferTargets : LaneTargets {
  alignas(64) std::uint32_t
      in_range_mask[row_lanes];  ///< rows: all ones in lanes wholly in range (valid if !all_in_range)
  std::uint64_t in_range;        ///< the same as bits
  bool all_in_range;
  std::uint8_t parts[row_lanes];  ///< lanes: how many leading elements of each active lane are in range
};

/// The nearest value that a vector offset can have.
inline std::uint32_t clamped_offset(std::int64_t value) {
  return value < 0 ? 0 : value > 0xffffffff ? 0xffffffffu : static_cast<std::uint32_t>(value);
}

inline Reach resolve_private(Wave& wave, const Instruction* instruction, BufferTargets& targets,
                             const BufferOperands& operands, std::uint32_t bytes, AccessKind kind);
inline Reach resolve_buffer_lanes(Wave& wave, const Instruction* instruction, BufferTargets& targets,
                                  const BufferOperands& operands, const BufferDescriptor& descriptor,
                                  std::uint32_t bytes, std::uint32_t element, AccessKind kind);

/// Resolves an access of `bytes` a lane that is checked in units of `element` bytes (element == bytes: all or nothing).
inline Reach resolve_buffer(Wave& wave, const Instruction* instruction, BufferTargets& targets,
                            const BufferOperands& operands, std::uint32_t bytes, std::uint32_t element,
                            AccessKind kind) {
  targets.active = active_lanes(wave);
  targets.mask = wave.exec_mask;
  if (targets.active == 0) return Reach::none;
  const BufferDescriptor descriptor = buffer_descriptor(&wave.scalar[operands.descriptor.index], instruction->flags);
  if (descriptor.private_segment) return resolve_private(wave, instruction, targets, operands, bytes, kind);
  if (descriptor.unsupported_swizzle) {
    fault_wave(wave, instruction, "swizzled buffer descriptors are supported only for the private segment");
    return Reach::fault;
  }
  if ((instruction->flags & flag_idxen) || descriptor.adds_lane || descriptor.element_bytes != 0)
    return resolve_buffer_lanes(wave, instruction, targets, operands, descriptor, bytes, element, kind);

  const std::uint32_t* offsets = instruction->flags & flag_offen ? wave.row(operands.address.index) : zero_row;
  if (!wave.exec_full) offsets = fill_inactive(wave, targets, offsets);
  const std::uint32_t soffset = scalar_value(wave, operands.soffset);
  const std::int64_t room = offset_limit(descriptor, 0, soffset) - instruction->offset;
  targets.base = descriptor.base + soffset + sign_extended(instruction->offset);
  OffsetSpan span = offset_span(offsets);
  targets.all_in_range = std::int64_t{span.high} + bytes <= room;
  targets.in_range = targets.active;
  if (!targets.all_in_range) {
    // Lanes that are wholly out of range get the offset of one in range, so that reading them is harmless.
    std::uint32_t low = ~0u, high = 0;
    bool partly = false;
    std::uint64_t in_range = 0;
    const std::int64_t last_whole = room - bytes, last_first = room - element;
    const std::uint32_t whole = clamped_offset(last_whole), first = clamped_offset(last_first);
    const std::uint32_t any_whole = last_whole < 0 ? 0 : ~0u, any_first = last_first < 0 ? 0 : ~0u;
    std::uint32_t straddles = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      const std::uint32_t offset = offsets[lane];
      const std::uint32_t in = (offset <= whole ? ~0u : 0u) & any_whole;
      straddles |= ((offset <= first ? ~0u : 0u) & any_first) & ~in;
      targets.in_range_mask[lane] = in;
      low = (offset | ~in) < low ? (offset | ~in) : low;
      high = (offset & in) > high ? (offset & in) : high;
    }
    partly = straddles != 0;
    if (partly) return resolve_buffer_lanes(wave, instruction, targets, operands, descriptor, bytes, element, kind);
    for (int lane = 0; lane < lanes; ++lane) in_range |= std::uint64_t{targets.in_range_mask[lane] & 1} << lane;
    targets.in_range = in_range & targets.active;
    for (int lane = 0; lane < lanes; ++lane) {
      const std::uint32_t in = targets.in_range_mask[lane];
      targets.storage[lane] = (offsets[lane] & in) | (low & ~in);
    }
    offsets = targets.storage;
    span = {low, high};
  }
  targets.offsets = offsets;
  if (targets.in_range == 0) return Reach::rows;
  if (in_one_allocation(*wave.group, targets.base + span.low, targets.base + span.high + bytes)) return Reach::rows;
  return resolve_buffer_lanes(wave, instruction, targets, operands, descriptor, bytes, element, kind);
}

/// The general form: one lane after another.
inline Reach resolve_buffer_lanes(Wave& wave, const Instruction* instruction, BufferTargets& targets,
                                  const BufferOperands& operands, const BufferDescriptor& descriptor,
                                  std::uint32_t bytes, std::uint32_t element, AccessKind kind) {
  const bool has_index = instruction->flags & flag_idxen, has_offset = instruction->flags & flag_offen;
  const std::uint32_t* index_row = has_index ? wave.row(operands.address.index) : zero_row;
  const std::uint32_t* offset_row = has_offset ? wave.row(operands.address.index + (has_index ? 1 : 0)) : zero_row;
  const std::uint32_t soffset = scalar_value(wave, operands.soffset);
  targets.in_range = 0;
  targets.all_in_range = false;
  for (std::uint64_t mask = targets.active; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    const std::uint64_t index =
        std::uint64_t{index_row[lane]} + (descriptor.adds_lane ? static_cast<std::uint64_t>(lane) : 0);
    const std::uint64_t offset = std::uint64_t{offset_row[lane]} + sign_extended(instruction->offset);
    const std::uint64_t address = descriptor.base + soffset + buffer_position(descriptor, index, offset);
    const std::int64_t limit = offset_limit(descriptor, index, soffset);
    std::uint32_t parts = 0;
    while (parts * element < bytes && static_cast<std::int64_t>(offset + (parts + 1) * element) <= limit) ++parts;
    targets.at[lane] = address;
    targets.parts[lane] = static_cast<std::uint8_t>(parts);
    if (parts * element == bytes) targets.in_range |= std::uint64_t{1} << lane;
    if (parts != 0 && !in_one_allocation(*wave.group, address, address + parts * element)) {
      fault_global(wave, instruction, lane, address, parts * element, kind);
      return Reach::fault;
    }
  }
  return Reach::lanes;
}

/// Scratch through the private segment's descriptor: swizzled so that soffset advances all lanes at once.
inline Reach resolve_private(Wave& wave, const Instruction* instruction, BufferTargets& targets,
                             const BufferOperands& operands, std::uint32_t bytes, AccessKind kind) {
  const std::uint32_t* offset_row = instruction->flags & flag_offen ? wave.row(operands.address.index) : zero_row;
  const std::int64_t common =
      scalar_value(wave, operands.soffset) / static_cast<std::uint32_t>(lanes) + instruction->offset;
  targets.in_range = targets.active;
  targets.all_in_range = false;
  for (std::uint64_t mask = targets.active; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    const std::int64_t offset = common + offset_row[lane];
    if (offset + bytes > wave.scratch_bytes) {
      fault_scratch(wave, instruction, lane, offset, bytes, kind);
      return Reach::fault;
    }
    targets.at[lane] = reinterpret_cast<std::uint64_t>(wave.scratch) +
                       static_cast<std::uint64_t>(lane) * wave.scratch_bytes + static_cast<std::uint64_t>(offset);
    targets.parts[lane] = static_cast<std::uint8_t>(bytes);  // at least the number of elements
  }
  return Reach::lanes;
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
