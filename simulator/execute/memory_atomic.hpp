// The handlers and rows of atomics in global, flat and buffer memory: host atomics, lane after lane.
//
// Compare-and-swap takes two values: the new one first, the comparand behind it. With glc (sc0, TH_ATOMIC_RETURN) the
// old value returns: to dst for global and flat, to the data registers for buffers. An atomic wants its natural
// alignment, and a buffer's is all or nothing: out of range it changes nothing and returns 0.
#pragma once

#include "simulator/execute/atomic_math.hpp"
#include "simulator/execute/buffer_access.hpp"
#include "simulator/execute/flat_access.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

enum class Space : std::uint8_t { global, flat, buffer };

template <Atomic A, class T>
inline T update_cell(std::uint8_t* at, T data, T compare) {
  T* cell = reinterpret_cast<T*>(at);
  T old = __atomic_load_n(cell, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(cell, &old, atomic_result<A, T>(old, data, compare), false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED)) {
  }
  return old;
}

template <Space S>
inline Reach resolve_atomic(Wave& wave, const Instruction* instruction, BufferTargets& targets, std::uint32_t bytes) {
  if constexpr (S == Space::global)
    return resolve_global(wave, instruction, targets, instruction->src[0], instruction->src[2], bytes,
                          AccessKind::atomic);
  else if constexpr (S == Space::flat)
    return resolve_flat(wave, instruction, targets, instruction->src[0], instruction->src[2], bytes,
                        AccessKind::atomic);
  else
    return resolve_buffer(wave, instruction, targets, {instruction->src[1], instruction->src[2], instruction->src[3]},
                          bytes, bytes, AccessKind::atomic);
}

template <Space S, Atomic A, class T>
const Instruction* memory_atomic(Wave& wave, const Instruction* instruction) {
  constexpr std::uint32_t bytes = sizeof(T);
  BufferTargets targets;
  const Reach reach = resolve_atomic<S>(wave, instruction, targets, bytes);
  if (reach == Reach::fault) return nullptr;
  if (reach == Reach::none) return instruction + 1;
  const std::uint64_t reached = S == Space::buffer ? targets.in_range : targets.active;
  const bool returns = instruction->flags & flag_glc;
  const Operand& data = instruction->src[S == Space::buffer ? 0 : 1];
  const std::uint32_t* rows = wave.row(data.index);
  std::uint32_t* result = wave.row(S == Space::buffer ? data.index : instruction->dst.index);
  count_load(wave, targets, reach, returns ? reached : 0, bytes);
  count_store(wave, targets, reach, reached, bytes);
  for (std::uint64_t mask = targets.active; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    T old = 0;
    if (reached >> lane & 1) {
      const std::uint64_t address = lane_address(targets, reach, lane);
      if (address % bytes != 0) return fault_lane(wave, instruction, lane, "misaligned atomic", address);
      const T value = row_value<T>(rows, lane);
      const T compare = needs_compare(A) ? row_value<T>(rows + bytes / 4 * row_lanes, lane) : 0;
      old = update_cell<A, T>(host_bytes(address), value, compare);
    }
    if (returns) set_row_value<T>(result, lane, old);
  }
  return instruction + 1;
}

using Cell32 = std::uint32_t;
using Cell64 = std::uint64_t;

template <Space S>
constexpr Operation atomic_row(std::string_view mnemonic, ValueType cell, ValueType data, Handler handler, int bytes) {
  Operation operation{.mnemonic = mnemonic,
                      .op_class = OpClass::atomic,
                      .plain = handler,
                      .access_bytes = static_cast<std::uint8_t>(bytes)};
  if (S == Space::buffer) {
    operation.src[0] = data, operation.src[1] = ValueType::address, operation.src[2] = ValueType::descriptor;
    operation.src[3] = ValueType::b32;
  } else {
    operation.dst = cell;
    operation.src[0] = ValueType::address, operation.src[1] = data, operation.src[2] = ValueType::b64;
    if (S == Space::flat) operation.flags = flag_optional_sources;
  }
  return operation;
}

template <Space S, Atomic A>
constexpr Operation row_32(std::string_view mnemonic) {
  return atomic_row<S>(mnemonic, ValueType::b32, needs_compare(A) ? ValueType::b64 : ValueType::b32,
                       memory_atomic<S, A, Cell32>, 4);
}

template <Space S, Atomic A>
constexpr Operation row_64(std::string_view mnemonic) {
  return atomic_row<S>(mnemonic, ValueType::b64, needs_compare(A) ? ValueType::b128 : ValueType::b64,
                       memory_atomic<S, A, Cell64>, 8);
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
