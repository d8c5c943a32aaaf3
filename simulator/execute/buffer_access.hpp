// Buffer descriptors and the bounds rule of buffer_* instructions.
//
// Raw rule: the offset o = vector offset + instruction offset (+ index * stride) is out of range when
// o + element > num_records - soffset, with element = 1, 2 or 4 bytes: each dword of a wider access is checked by
// itself. An out-of-range load gives 0, an out-of-range store is dropped, an atomic is all or nothing. With idxen and a
// stride num_records counts records and the index alone is checked (GFX9's vector memory). Sums do not wrap. The
// private segment's descriptor (add_tid_enable) addresses each lane's scratch: soffset is in bytes of the whole wave.
#pragma once

#include <cstdint>

#include "simulator/execute/global_access.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

struct BufferDescriptor {
  std::uint64_t base;
  std::uint32_t stride, records;
  bool swizzled, add_lane;
};

/// The four words of a GFX9 V#: base[47:0], stride[61:48], swizzle enable 63, num_records 64..95, add_tid_enable 119.
inline BufferDescriptor buffer_descriptor(const Wave& wave, const Operand& operand) {
  const std::uint32_t* words = &wave.scalar[operand.index];
  return {words[0] | std::uint64_t{words[1] & 0xffffu} << 32, words[1] >> 16 & 0x3fffu, words[2], (words[1] >> 31) != 0,
          (words[3] >> 23 & 1) != 0};
}

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
  const BufferDescriptor descriptor = buffer_descriptor(wave, operands.descriptor);
  if (descriptor.add_lane) return resolve_private(wave, instruction, targets, operands, bytes, kind);
  if (descriptor.swizzled && descriptor.stride != 0) {
    fault_wave(wave, instruction, "swizzled buffer descriptors are supported only for the private segment");
    return Reach::fault;
  }
  if (instruction->flags & flag_idxen)
    return resolve_buffer_lanes(wave, instruction, targets, operands, descriptor, bytes, element, kind);

  const std::uint32_t* offsets = instruction->flags & flag_offen ? wave.row(operands.address.index) : zero_row;
  if (!wave.exec_full) offsets = fill_inactive(wave, targets, offsets);
  const std::int64_t soffset = scalar_value(wave, operands.soffset);
  const std::int64_t room = std::int64_t{descriptor.records} - soffset - instruction->offset;
  targets.base = descriptor.base + static_cast<std::uint64_t>(soffset + instruction->offset);
  OffsetSpan span = offset_span(offsets);
  targets.all_in_range = std::int64_t{span.high} + bytes <= room;
  targets.in_range = targets.active;
  if (!targets.all_in_range) {
    // Lanes that are wholly out of range get the offset of one in range, so that reading them is harmless.
    std::uint32_t low = ~0u, high = 0;
    bool partly = false;
    std::uint64_t in_range = 0;
    const std::int64_t last_whole = room - bytes, last_first = room - element;
    const std::uint32_t whole = last_whole < 0 ? 0 : static_cast<std::uint32_t>(last_whole);
    const std::uint32_t first = last_first < 0 ? 0 : static_cast<std::uint32_t>(last_first);
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
  const std::uint64_t soffset = scalar_value(wave, operands.soffset);
  const bool structured = has_index && descriptor.stride != 0;
  targets.in_range = 0;
  targets.all_in_range = false;
  for (std::uint64_t mask = targets.active; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    const std::uint64_t offset = std::uint64_t{offset_row[lane]} + static_cast<std::uint64_t>(instruction->offset) +
                                 std::uint64_t{index_row[lane]} * descriptor.stride;
    const std::uint64_t address = descriptor.base + soffset + offset;
    std::uint32_t parts = 0;
    if (structured) {
      parts = index_row[lane] < descriptor.records ? bytes / element : 0;
    } else {
      while (parts * element < bytes && offset + soffset + (parts + 1) * element <= descriptor.records) ++parts;
    }
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
