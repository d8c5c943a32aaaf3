// The addresses of one memory instruction: resolved, checked against the allocations, and counted.
//
// Most accesses are one base plus a 32-bit offset a lane, inside one allocation: Reach::rows. What is not (lanes on
// both sides of a 4 GiB boundary, in different allocations, in apertures) becomes one host pointer a lane:
// Reach::lanes.
#pragma once

#include <cstdint>

#include "simulator/execute/global_bounds.hpp"
#include "simulator/execute/global_lanes.hpp"
#include "simulator/execute/memory_lines.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

enum class Reach : std::uint8_t { none, rows, lanes, fault };

/// Where the lanes of one access go. Members that the Reach does not use are left uninitialised: this is 1.5 KB of
/// stack.
struct LaneTargets {
  std::uint64_t base;            ///< rows: host address of offset 0
  const std::uint32_t* offsets;  ///< rows: offset of each lane; inactive lanes repeat an active one's
  const std::uint32_t* mask;     ///< lanes that are active: all ones
  std::uint64_t active;          ///< the same as bits
  alignas(64) std::uint32_t storage[row_lanes];
  std::uint64_t at[row_lanes];  ///< lanes: host address of each active lane
};

alignas(64) inline constexpr std::uint32_t zero_row[row_lanes] = {};

inline std::uint64_t active_lanes(const Wave& wave) { return lanes == 64 ? wave.exec() : wave.exec() & 0xffffffffu; }

/// Calls body(lane) for the bits of `mask` in ascending order.
template <class Body>
inline void for_each_lane(std::uint64_t mask, Body body) {
  for (; mask != 0; mask &= mask - 1) body(__builtin_ctzll(mask));
}

inline bool in_one_allocation(Workgroup& group, std::uint64_t begin, std::uint64_t end) {
  const AllocationCache& cache = group.allocations;
  if (cache.epoch == allocation_epoch(group)) {
    for (int slot = 0; slot < AllocationCache::slots; ++slot)
      if (begin >= cache.begin[slot] && end <= cache.end[slot] && begin <= end) return true;
  }
  return find_allocation(group, begin, end);
}

inline std::uint64_t sign_extended(std::int32_t value) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

/// Checks targets.at of the active lanes.
inline Reach check_lanes(Wave& wave, const Instruction* instruction, const LaneTargets& targets, std::uint32_t bytes,
                         AccessKind kind) {
  for (std::uint64_t mask = targets.active; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    if (!in_one_allocation(*wave.group, targets.at[lane], targets.at[lane] + bytes)) {
      fault_global(wave, instruction, lane, targets.at[lane], bytes, kind);
      return Reach::fault;
    }
  }
  return Reach::lanes;
}

/// Copies `offsets` with those of inactive lanes replaced by an active one's.
inline const std::uint32_t* fill_inactive(const Wave& wave, LaneTargets& targets, const std::uint32_t* offsets) {
  const std::uint32_t filler = offsets[__builtin_ctzll(targets.active)];
  for (int lane = 0; lane < row_lanes; ++lane)
    targets.storage[lane] = (offsets[lane] & wave.exec_mask[lane]) | (filler & ~wave.exec_mask[lane]);
  return targets.storage;
}

/// Lanes at base + offsets[lane].
inline Reach resolve_rows(Wave& wave, const Instruction* instruction, LaneTargets& targets, std::uint64_t base,
                          const std::uint32_t* offsets, std::uint32_t bytes, AccessKind kind) {
  targets.active = active_lanes(wave);
  targets.mask = wave.exec_mask;
  if (!wave.exec_full) {
    if (targets.active == 0) return Reach::none;
    offsets = fill_inactive(wave, targets, offsets);
  }
  targets.base = base;
  targets.offsets = offsets;
  const OffsetSpan span = offset_span(offsets);
  if (in_one_allocation(*wave.group, base + span.low, base + span.high + bytes)) return Reach::rows;
  for (int lane = 0; lane < lanes; ++lane) targets.at[lane] = base + offsets[lane];
  return check_lanes(wave, instruction, targets, bytes, kind);
}

/// Lanes at the 64-bit addresses in rows low and high, plus the instruction's offset.
inline Reach resolve_wide(Wave& wave, const Instruction* instruction, LaneTargets& targets, const std::uint32_t* low,
                          std::uint32_t bytes, AccessKind kind) {
  const std::uint32_t* high = low + row_lanes;
  const std::uint64_t active = active_lanes(wave);
  if (active == 0) return Reach::none;
  const std::uint32_t first = high[__builtin_ctzll(active)];
  std::uint32_t differences = 0;
  for (int lane = 0; lane < lanes; ++lane) differences |= (high[lane] ^ first) & wave.exec_mask[lane];
  const std::uint64_t offset = sign_extended(instruction->offset);
  if (differences == 0)
    return resolve_rows(wave, instruction, targets, (std::uint64_t{first} << 32) + offset, low, bytes, kind);
  targets.active = active;
  targets.mask = wave.exec_mask;
  for (int lane = 0; lane < lanes; ++lane) targets.at[lane] = (low[lane] | std::uint64_t{high[lane]} << 32) + offset;
  return check_lanes(wave, instruction, targets, bytes, kind);
}

/// The value of a scalar pair operand (saddr).
inline std::uint64_t scalar_pair(const Wave& wave, const Operand& operand) {
  return operand.kind == OperandKind::constant ? operand.constant() : wave.scalar64(operand.index);
}

/// The value of a scalar operand, 0 if absent.
inline std::uint32_t scalar_value(const Wave& wave, const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::scalar:
      return wave.scalar[operand.index];
    case OperandKind::constant:
      return operand.rows[0];
    default:
      return 0;
  }
}

/// Lanes at base + offsets[lane] with signed offsets, times the access's bytes with scale_offset.
inline Reach resolve_signed_rows(Wave& wave, const Instruction* instruction, LaneTargets& targets, std::uint64_t base,
                                 const std::uint32_t* offsets, std::uint32_t bytes, AccessKind kind) {
  targets.active = active_lanes(wave);
  targets.mask = wave.exec_mask;
  if (targets.active == 0) return Reach::none;
  const std::int64_t scale = instruction->flags & flag_scale_offset ? bytes : 1;
  std::int64_t low = std::int64_t{1} << 62, high = -low;
  for_each_lane(targets.active, [&](int lane) {
    const std::int64_t offset = static_cast<std::int32_t>(offsets[lane]) * scale;
    low = offset < low ? offset : low;
    high = offset > high ? offset : high;
    targets.at[lane] = base + static_cast<std::uint64_t>(offset);
  });
  const std::uint64_t first = base + static_cast<std::uint64_t>(low), span = static_cast<std::uint64_t>(high - low);
  if (span > 0xffff'ffffu || !in_one_allocation(*wave.group, first, first + span + bytes))
    return check_lanes(wave, instruction, targets, bytes, kind);
  targets.base = first;
  for (int lane = 0; lane < row_lanes; ++lane) targets.storage[lane] = 0;
  for_each_lane(targets.active,
                [&](int lane) { targets.storage[lane] = static_cast<std::uint32_t>(targets.at[lane] - first); });
  targets.offsets = targets.storage;
  return Reach::rows;
}

/// The address operands of global_*: vector address (64 bits, or a 32-bit offset when there is a scalar base).
inline Reach resolve_global(Wave& wave, const Instruction* instruction, LaneTargets& targets, const Operand& address,
                            const Operand& base, std::uint32_t bytes, AccessKind kind) {
  if (base.kind == OperandKind::none)
    return resolve_wide(wave, instruction, targets, wave.row(address.index), bytes, kind);
  const std::uint32_t* offsets = address.kind == OperandKind::vector ? wave.row(address.index) : zero_row;
  const std::uint64_t common = scalar_pair(wave, base) + sign_extended(instruction->offset);
  if (instruction->flags & flag_signed_rows)
    return resolve_signed_rows(wave, instruction, targets, common, offsets, bytes, kind);
  return resolve_rows(wave, instruction, targets, common, offsets, bytes, kind);
}

inline std::uint64_t lane_address(const LaneTargets& targets, Reach reach, int lane) {
  return reach == Reach::rows ? targets.base + targets.offsets[lane] : targets.at[lane];
}

/// Distinct 128-byte lines that the lanes of `mask` touch.
inline std::uint32_t count_lines(const LaneTargets& targets, Reach reach, std::uint64_t mask, std::uint32_t bytes) {
  if (mask == 0) return 0;
  if (reach == Reach::rows) return touched_lines(mask, targets.base, targets.offsets, bytes);
  return touched_lines(mask, targets.at, bytes);
}

/// Counts a load of the lanes of `mask`. Call it before the load: the offsets may lie in rows that the load overwrites.
inline void count_load(Wave& wave, const LaneTargets& targets, Reach reach, std::uint64_t mask, std::uint32_t bytes) {
  Counts& counts = *wave.group->counts;
  counts.load_bytes += static_cast<std::uint64_t>(__builtin_popcountll(mask)) * bytes;
  if (wave.group->observe) counts.load_lines += count_lines(targets, reach, mask, bytes);
}

inline void count_store(Wave& wave, const LaneTargets& targets, Reach reach, std::uint64_t mask, std::uint32_t bytes) {
  Counts& counts = *wave.group->counts;
  counts.store_bytes += static_cast<std::uint64_t>(__builtin_popcountll(mask)) * bytes;
  if (wave.group->observe) counts.store_lines += count_lines(targets, reach, mask, bytes);
}

inline std::uint8_t* host_bytes(std::uint64_t address) { return reinterpret_cast<std::uint8_t*>(address); }

/// Loads element E of every active lane into `rows`.
template <Element E>
inline void load_targets(const Wave& wave, const LaneTargets& targets, Reach reach, std::uint32_t* rows) {
  if (reach == Reach::lanes) {
    for_each_lane(targets.active, [&](int lane) { load_element<E>(rows, lane, host_bytes(targets.at[lane])); });
  } else if (wave.exec_full) {
    load_all<E>(rows, host_bytes(targets.base), targets.offsets);
  } else {
    alignas(64) std::uint32_t values[element_words<E> * row_lanes];
    if constexpr (element_partial<E>) __builtin_memcpy(values, rows, sizeof values);
    load_all<E>(values, host_bytes(targets.base), targets.offsets);
    write_masked(rows, values, element_words<E>, targets.mask);
  }
}

template <Element E>
inline void store_targets(const Wave& wave, const LaneTargets& targets, Reach reach, const std::uint32_t* rows) {
  if (reach == Reach::lanes) {
    for_each_lane(targets.active, [&](int lane) { store_element<E>(rows, lane, host_bytes(targets.at[lane])); });
  } else if (wave.exec_full) {
    store_all<E>(rows, host_bytes(targets.base), targets.offsets);
  } else {
    for_each_lane(targets.active,
                  [&](int lane) { store_element<E>(rows, lane, host_bytes(targets.base + targets.offsets[lane])); });
  }
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
