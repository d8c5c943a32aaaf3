// The handlers and rows of ds_* atomics. The waves of a workgroup share one host thread, so plain reads and writes are
// atomic; lanes go in order.
//
// ds_cmpst takes the comparand first and the new value second, ds_mskor the mask first and the bits second; ds_cmpstore
// of gfx11 and later has the new value first.
#pragma once

#include "simulator/execute/atomic_math.hpp"
#include "simulator/execute/lds_access.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

template <Atomic A, class T>
inline bool update_lds(Wave& wave, const Instruction* instruction, LaneTargets& targets, const std::uint32_t* offsets,
                       std::uint32_t offset, const std::uint32_t* data, const std::uint32_t* compare,
                       std::uint32_t* result) {
  constexpr std::uint32_t bytes = sizeof(T);
  if (!resolve_lds(wave, instruction, targets, offsets, offset, bytes, AccessKind::atomic)) return false;
  count_lds(wave, targets, offset, bytes, true);
  for (std::uint64_t mask = targets.active; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    std::uint8_t* cell = host_bytes(targets.base + targets.offsets[lane]);
    T old;
    __builtin_memcpy(&old, cell, bytes);
    const T updated = atomic_result<A, T>(old, row_value<T>(data, lane), compare ? row_value<T>(compare, lane) : 0);
    __builtin_memcpy(cell, &updated, bytes);
    if (result) set_row_value<T>(result, lane, old);
  }
  return true;
}

/// What the two data operands of an atomic that has two are.
enum class DataOrder : std::uint8_t { comparand_first, value_first };

template <Atomic A, class T, bool returns, DataOrder order = DataOrder::comparand_first>
const Instruction* ds_atomic(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  const std::uint32_t* first = wave.row(instruction->src[1].index);
  const std::uint32_t* second = needs_compare(A) ? wave.row(instruction->src[2].index) : nullptr;
  constexpr bool second_is_value = needs_compare(A) && order == DataOrder::comparand_first;
  const bool done =
      update_lds<A, T>(wave, instruction, targets, wave.row(instruction->src[0].index),
                       static_cast<std::uint32_t>(instruction->offset), second_is_value ? second : first,
                       second_is_value ? first : second, returns ? wave.row(instruction->dst.index) : nullptr);
  return done ? instruction + 1 : nullptr;
}

using Cell32 = std::uint32_t;
using Cell64 = std::uint64_t;

template <Atomic A, class T, bool returns, DataOrder order = DataOrder::comparand_first>
constexpr Operation lds_atomic_row(std::string_view mnemonic) {
  constexpr ValueType type = sizeof(T) == 8 ? ValueType::b64 : ValueType::b32;
  Operation operation{.mnemonic = mnemonic,
                      .op_class = OpClass::lds,
                      .dst = returns ? type : ValueType::none,
                      .src = {ValueType::b32, type},
                      .plain = ds_atomic<A, T, returns, order>,
                      .access_bytes = sizeof(T)};
  if (needs_compare(A)) operation.src[2] = type;
  return operation;
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
