// global_atomic_*, flat_atomic_*, buffer_atomic_*: host atomics, lane after lane.
//
// Compare-and-swap takes two values: the new one first, the comparand behind it. With glc (sc0) the old value returns:
// to dst for global and flat, to the data registers for buffers. An atomic wants its natural alignment, and a buffer's
// is all or nothing: out of range it changes nothing and returns 0.
#include "simulator/execute/atomic_math.hpp"
#include "simulator/execute/buffer_access.hpp"
#include "simulator/execute/flat_access.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

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
    return resolve_flat(wave, instruction, targets, instruction->src[0], bytes, AccessKind::atomic);
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

using enum ValueType;
using Cell32 = std::uint32_t;
using Cell64 = std::uint64_t;

template <Space S>
constexpr Operation row(std::string_view mnemonic, ValueType cell, ValueType data, Handler handler, int bytes) {
  Operation operation{.mnemonic = mnemonic,
                      .op_class = OpClass::atomic,
                      .plain = handler,
                      .access_bytes = static_cast<std::uint8_t>(bytes)};
  if (S == Space::buffer) {
    operation.src[0] = data, operation.src[1] = address, operation.src[2] = descriptor, operation.src[3] = b32;
  } else {
    operation.dst = cell;
    operation.src[0] = address, operation.src[1] = data;
    if (S == Space::global) operation.src[2] = b64;
  }
  return operation;
}

template <Space S, Atomic A>
constexpr Operation row_32(std::string_view mnemonic) {
  return row<S>(mnemonic, b32, needs_compare(A) ? b64 : b32, memory_atomic<S, A, Cell32>, 4);
}

template <Space S, Atomic A>
constexpr Operation row_64(std::string_view mnemonic) {
  return row<S>(mnemonic, b64, needs_compare(A) ? b128 : b64, memory_atomic<S, A, Cell64>, 8);
}

constexpr Operation table[] = {
    row_32<Space::global, Atomic::swap>("global_atomic_swap"),
    row_32<Space::global, Atomic::compare_swap>("global_atomic_cmpswap"),
    row_32<Space::global, Atomic::add>("global_atomic_add"),
    row_32<Space::global, Atomic::subtract>("global_atomic_sub"),
    row_32<Space::global, Atomic::min_signed>("global_atomic_smin"),
    row_32<Space::global, Atomic::min_unsigned>("global_atomic_umin"),
    row_32<Space::global, Atomic::max_signed>("global_atomic_smax"),
    row_32<Space::global, Atomic::max_unsigned>("global_atomic_umax"),
    row_32<Space::global, Atomic::bit_and>("global_atomic_and"),
    row_32<Space::global, Atomic::bit_or>("global_atomic_or"),
    row_32<Space::global, Atomic::bit_xor>("global_atomic_xor"),
    row_32<Space::global, Atomic::increment>("global_atomic_inc"),
    row_32<Space::global, Atomic::decrement>("global_atomic_dec"),
    row_64<Space::global, Atomic::swap>("global_atomic_swap_x2"),
    row_64<Space::global, Atomic::compare_swap>("global_atomic_cmpswap_x2"),
    row_64<Space::global, Atomic::add>("global_atomic_add_x2"),
    row_64<Space::global, Atomic::subtract>("global_atomic_sub_x2"),
    row_64<Space::global, Atomic::min_signed>("global_atomic_smin_x2"),
    row_64<Space::global, Atomic::min_unsigned>("global_atomic_umin_x2"),
    row_64<Space::global, Atomic::max_signed>("global_atomic_smax_x2"),
    row_64<Space::global, Atomic::max_unsigned>("global_atomic_umax_x2"),
    row_64<Space::global, Atomic::bit_and>("global_atomic_and_x2"),
    row_64<Space::global, Atomic::bit_or>("global_atomic_or_x2"),
    row_64<Space::global, Atomic::bit_xor>("global_atomic_xor_x2"),
    row_64<Space::global, Atomic::increment>("global_atomic_inc_x2"),
    row_64<Space::global, Atomic::decrement>("global_atomic_dec_x2"),
    row_32<Space::global, Atomic::add_float>("global_atomic_add_f32"),
    row_32<Space::global, Atomic::add_packed_f16>("global_atomic_pk_add_f16"),
    row_32<Space::global, Atomic::add_packed_bf16>("global_atomic_pk_add_bf16"),
    row_64<Space::global, Atomic::add_float>("global_atomic_add_f64"),
    row_64<Space::global, Atomic::min_float>("global_atomic_min_f64"),
    row_64<Space::global, Atomic::max_float>("global_atomic_max_f64"),
    row_32<Space::flat, Atomic::swap>("flat_atomic_swap"),
    row_32<Space::flat, Atomic::compare_swap>("flat_atomic_cmpswap"),
    row_32<Space::flat, Atomic::add>("flat_atomic_add"),
    row_32<Space::flat, Atomic::subtract>("flat_atomic_sub"),
    row_32<Space::flat, Atomic::min_signed>("flat_atomic_smin"),
    row_32<Space::flat, Atomic::min_unsigned>("flat_atomic_umin"),
    row_32<Space::flat, Atomic::max_signed>("flat_atomic_smax"),
    row_32<Space::flat, Atomic::max_unsigned>("flat_atomic_umax"),
    row_32<Space::flat, Atomic::bit_and>("flat_atomic_and"),
    row_32<Space::flat, Atomic::bit_or>("flat_atomic_or"),
    row_32<Space::flat, Atomic::bit_xor>("flat_atomic_xor"),
    row_32<Space::flat, Atomic::increment>("flat_atomic_inc"),
    row_32<Space::flat, Atomic::decrement>("flat_atomic_dec"),
    row_64<Space::flat, Atomic::swap>("flat_atomic_swap_x2"),
    row_64<Space::flat, Atomic::compare_swap>("flat_atomic_cmpswap_x2"),
    row_64<Space::flat, Atomic::add>("flat_atomic_add_x2"),
    row_64<Space::flat, Atomic::subtract>("flat_atomic_sub_x2"),
    row_64<Space::flat, Atomic::min_signed>("flat_atomic_smin_x2"),
    row_64<Space::flat, Atomic::min_unsigned>("flat_atomic_umin_x2"),
    row_64<Space::flat, Atomic::max_signed>("flat_atomic_smax_x2"),
    row_64<Space::flat, Atomic::max_unsigned>("flat_atomic_umax_x2"),
    row_64<Space::flat, Atomic::bit_and>("flat_atomic_and_x2"),
    row_64<Space::flat, Atomic::bit_or>("flat_atomic_or_x2"),
    row_64<Space::flat, Atomic::bit_xor>("flat_atomic_xor_x2"),
    row_64<Space::flat, Atomic::increment>("flat_atomic_inc_x2"),
    row_64<Space::flat, Atomic::decrement>("flat_atomic_dec_x2"),
    row_32<Space::flat, Atomic::add_float>("flat_atomic_add_f32"),
    row_32<Space::flat, Atomic::add_packed_f16>("flat_atomic_pk_add_f16"),
    row_32<Space::flat, Atomic::add_packed_bf16>("flat_atomic_pk_add_bf16"),
    row_64<Space::flat, Atomic::add_float>("flat_atomic_add_f64"),
    row_64<Space::flat, Atomic::min_float>("flat_atomic_min_f64"),
    row_64<Space::flat, Atomic::max_float>("flat_atomic_max_f64"),
    row_32<Space::buffer, Atomic::swap>("buffer_atomic_swap"),
    row_32<Space::buffer, Atomic::compare_swap>("buffer_atomic_cmpswap"),
    row_32<Space::buffer, Atomic::add>("buffer_atomic_add"),
    row_32<Space::buffer, Atomic::subtract>("buffer_atomic_sub"),
    row_32<Space::buffer, Atomic::min_signed>("buffer_atomic_smin"),
    row_32<Space::buffer, Atomic::min_unsigned>("buffer_atomic_umin"),
    row_32<Space::buffer, Atomic::max_signed>("buffer_atomic_smax"),
    row_32<Space::buffer, Atomic::max_unsigned>("buffer_atomic_umax"),
    row_32<Space::buffer, Atomic::bit_and>("buffer_atomic_and"),
    row_32<Space::buffer, Atomic::bit_or>("buffer_atomic_or"),
    row_32<Space::buffer, Atomic::bit_xor>("buffer_atomic_xor"),
    row_32<Space::buffer, Atomic::increment>("buffer_atomic_inc"),
    row_32<Space::buffer, Atomic::decrement>("buffer_atomic_dec"),
    row_64<Space::buffer, Atomic::swap>("buffer_atomic_swap_x2"),
    row_64<Space::buffer, Atomic::compare_swap>("buffer_atomic_cmpswap_x2"),
    row_64<Space::buffer, Atomic::add>("buffer_atomic_add_x2"),
    row_64<Space::buffer, Atomic::subtract>("buffer_atomic_sub_x2"),
    row_64<Space::buffer, Atomic::min_signed>("buffer_atomic_smin_x2"),
    row_64<Space::buffer, Atomic::min_unsigned>("buffer_atomic_umin_x2"),
    row_64<Space::buffer, Atomic::max_signed>("buffer_atomic_smax_x2"),
    row_64<Space::buffer, Atomic::max_unsigned>("buffer_atomic_umax_x2"),
    row_64<Space::buffer, Atomic::bit_and>("buffer_atomic_and_x2"),
    row_64<Space::buffer, Atomic::bit_or>("buffer_atomic_or_x2"),
    row_64<Space::buffer, Atomic::bit_xor>("buffer_atomic_xor_x2"),
    row_64<Space::buffer, Atomic::increment>("buffer_atomic_inc_x2"),
    row_64<Space::buffer, Atomic::decrement>("buffer_atomic_dec_x2"),
    row_32<Space::buffer, Atomic::add_float>("buffer_atomic_add_f32"),
    row_32<Space::buffer, Atomic::add_packed_f16>("buffer_atomic_pk_add_f16"),
    row_32<Space::buffer, Atomic::add_packed_bf16>("buffer_atomic_pk_add_bf16"),
    row_64<Space::buffer, Atomic::add_float>("buffer_atomic_add_f64"),
    row_64<Space::buffer, Atomic::min_float>("buffer_atomic_min_f64"),
    row_64<Space::buffer, Atomic::max_float>("buffer_atomic_max_f64"),
};

}  // namespace

OperationTable atomic_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
