// ds_* atomics. The waves of a workgroup share one host thread, so plain reads and writes are atomic; lanes go in
// order.
//
// ds_cmpst takes the comparand first and the new value second; ds_mskor the mask first and the bits second.
#include "simulator/execute/atomic_math.hpp"
#include "simulator/execute/lds_access.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

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

template <Atomic A, class T, bool returns>
const Instruction* ds_atomic(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  const std::uint32_t* first = wave.row(instruction->src[1].index);
  const std::uint32_t* second = needs_compare(A) ? wave.row(instruction->src[2].index) : nullptr;
  const bool done =
      update_lds<A, T>(wave, instruction, targets, wave.row(instruction->src[0].index),
                       static_cast<std::uint32_t>(instruction->offset), needs_compare(A) ? second : first,
                       needs_compare(A) ? first : nullptr, returns ? wave.row(instruction->dst.index) : nullptr);
  return done ? instruction + 1 : nullptr;
}

/// Two exchanges a lane.
template <class T>
const Instruction* ds_exchange2(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  alignas(64) std::uint32_t offsets[row_lanes];  // results may overwrite the operands
  alignas(64) std::uint32_t second[sizeof(T) / 4 * row_lanes];
  __builtin_memcpy(offsets, wave.row(instruction->src[0].index), sizeof offsets);
  __builtin_memcpy(second, wave.row(instruction->src[2].index), sizeof second);
  std::uint32_t* result = wave.row(instruction->dst.index);
  const bool done =
      update_lds<Atomic::swap, T>(wave, instruction, targets, offsets, static_cast<std::uint32_t>(instruction->offset),
                                  wave.row(instruction->src[1].index), nullptr, result) &&
      update_lds<Atomic::swap, T>(wave, instruction, targets, offsets, static_cast<std::uint32_t>(instruction->offset2),
                                  second, nullptr, result + sizeof(T) / 4 * row_lanes);
  return done ? instruction + 1 : nullptr;
}

using enum ValueType;
using Cell32 = std::uint32_t;
using Cell64 = std::uint64_t;

template <Atomic A, class T, bool returns>
constexpr Operation row(std::string_view mnemonic) {
  constexpr ValueType type = sizeof(T) == 8 ? b64 : b32;
  Operation operation{.mnemonic = mnemonic,
                      .op_class = OpClass::lds,
                      .dst = returns ? type : none,
                      .src = {b32, type},
                      .plain = ds_atomic<A, T, returns>,
                      .access_bytes = sizeof(T)};
  if (needs_compare(A)) operation.src[2] = type;
  return operation;
}

constexpr Operation table[] = {
    row<Atomic::add, Cell32, false>("ds_add_u32"),
    row<Atomic::add, Cell32, true>("ds_add_rtn_u32"),
    row<Atomic::subtract, Cell32, false>("ds_sub_u32"),
    row<Atomic::subtract, Cell32, true>("ds_sub_rtn_u32"),
    row<Atomic::reverse_subtract, Cell32, false>("ds_rsub_u32"),
    row<Atomic::reverse_subtract, Cell32, true>("ds_rsub_rtn_u32"),
    row<Atomic::increment, Cell32, false>("ds_inc_u32"),
    row<Atomic::increment, Cell32, true>("ds_inc_rtn_u32"),
    row<Atomic::decrement, Cell32, false>("ds_dec_u32"),
    row<Atomic::decrement, Cell32, true>("ds_dec_rtn_u32"),
    row<Atomic::min_signed, Cell32, false>("ds_min_i32"),
    row<Atomic::min_signed, Cell32, true>("ds_min_rtn_i32"),
    row<Atomic::max_signed, Cell32, false>("ds_max_i32"),
    row<Atomic::max_signed, Cell32, true>("ds_max_rtn_i32"),
    row<Atomic::min_unsigned, Cell32, false>("ds_min_u32"),
    row<Atomic::min_unsigned, Cell32, true>("ds_min_rtn_u32"),
    row<Atomic::max_unsigned, Cell32, false>("ds_max_u32"),
    row<Atomic::max_unsigned, Cell32, true>("ds_max_rtn_u32"),
    row<Atomic::bit_and, Cell32, false>("ds_and_b32"),
    row<Atomic::bit_and, Cell32, true>("ds_and_rtn_b32"),
    row<Atomic::bit_or, Cell32, false>("ds_or_b32"),
    row<Atomic::bit_or, Cell32, true>("ds_or_rtn_b32"),
    row<Atomic::bit_xor, Cell32, false>("ds_xor_b32"),
    row<Atomic::bit_xor, Cell32, true>("ds_xor_rtn_b32"),
    row<Atomic::masked_or, Cell32, false>("ds_mskor_b32"),
    row<Atomic::masked_or, Cell32, true>("ds_mskor_rtn_b32"),
    row<Atomic::wrap, Cell32, true>("ds_wrap_rtn_b32"),
    row<Atomic::compare_swap, Cell32, false>("ds_cmpst_b32"),
    row<Atomic::compare_swap, Cell32, true>("ds_cmpst_rtn_b32"),
    row<Atomic::compare_swap_float, Cell32, false>("ds_cmpst_f32"),
    row<Atomic::compare_swap_float, Cell32, true>("ds_cmpst_rtn_f32"),
    row<Atomic::min_float, Cell32, false>("ds_min_f32"),
    row<Atomic::min_float, Cell32, true>("ds_min_rtn_f32"),
    row<Atomic::max_float, Cell32, false>("ds_max_f32"),
    row<Atomic::max_float, Cell32, true>("ds_max_rtn_f32"),
    row<Atomic::add_float, Cell32, false>("ds_add_f32"),
    row<Atomic::add_float, Cell32, true>("ds_add_rtn_f32"),
    row<Atomic::swap, Cell32, true>("ds_wrxchg_rtn_b32"),
    row<Atomic::add, Cell64, false>("ds_add_u64"),
    row<Atomic::add, Cell64, true>("ds_add_rtn_u64"),
    row<Atomic::subtract, Cell64, false>("ds_sub_u64"),
    row<Atomic::subtract, Cell64, true>("ds_sub_rtn_u64"),
    row<Atomic::reverse_subtract, Cell64, false>("ds_rsub_u64"),
    row<Atomic::reverse_subtract, Cell64, true>("ds_rsub_rtn_u64"),
    row<Atomic::increment, Cell64, false>("ds_inc_u64"),
    row<Atomic::increment, Cell64, true>("ds_inc_rtn_u64"),
    row<Atomic::decrement, Cell64, false>("ds_dec_u64"),
    row<Atomic::decrement, Cell64, true>("ds_dec_rtn_u64"),
    row<Atomic::min_signed, Cell64, false>("ds_min_i64"),
    row<Atomic::min_signed, Cell64, true>("ds_min_rtn_i64"),
    row<Atomic::max_signed, Cell64, false>("ds_max_i64"),
    row<Atomic::max_signed, Cell64, true>("ds_max_rtn_i64"),
    row<Atomic::min_unsigned, Cell64, false>("ds_min_u64"),
    row<Atomic::min_unsigned, Cell64, true>("ds_min_rtn_u64"),
    row<Atomic::max_unsigned, Cell64, false>("ds_max_u64"),
    row<Atomic::max_unsigned, Cell64, true>("ds_max_rtn_u64"),
    row<Atomic::bit_and, Cell64, false>("ds_and_b64"),
    row<Atomic::bit_and, Cell64, true>("ds_and_rtn_b64"),
    row<Atomic::bit_or, Cell64, false>("ds_or_b64"),
    row<Atomic::bit_or, Cell64, true>("ds_or_rtn_b64"),
    row<Atomic::bit_xor, Cell64, false>("ds_xor_b64"),
    row<Atomic::bit_xor, Cell64, true>("ds_xor_rtn_b64"),
    row<Atomic::masked_or, Cell64, false>("ds_mskor_b64"),
    row<Atomic::masked_or, Cell64, true>("ds_mskor_rtn_b64"),
    row<Atomic::compare_swap, Cell64, false>("ds_cmpst_b64"),
    row<Atomic::compare_swap, Cell64, true>("ds_cmpst_rtn_b64"),
    row<Atomic::compare_swap_float, Cell64, false>("ds_cmpst_f64"),
    row<Atomic::compare_swap_float, Cell64, true>("ds_cmpst_rtn_f64"),
    row<Atomic::min_float, Cell64, false>("ds_min_f64"),
    row<Atomic::min_float, Cell64, true>("ds_min_rtn_f64"),
    row<Atomic::max_float, Cell64, false>("ds_max_f64"),
    row<Atomic::max_float, Cell64, true>("ds_max_rtn_f64"),
    row<Atomic::add_float, Cell64, false>("ds_add_f64"),
    row<Atomic::add_float, Cell64, true>("ds_add_rtn_f64"),
    row<Atomic::swap, Cell64, true>("ds_wrxchg_rtn_b64"),
    row<Atomic::add_packed_f16, Cell32, false>("ds_pk_add_f16"),
    row<Atomic::add_packed_f16, Cell32, true>("ds_pk_add_rtn_f16"),
    row<Atomic::add_packed_bf16, Cell32, false>("ds_pk_add_bf16"),
    row<Atomic::add_packed_bf16, Cell32, true>("ds_pk_add_rtn_bf16"),
    {.mnemonic = "ds_wrxchg2_rtn_b32",
     .op_class = OpClass::lds,
     .dst = b64,
     .src = {b32, b32, b32},
     .plain = ds_exchange2<Cell32>,
     .access_bytes = 8},
    {.mnemonic = "ds_wrxchg2st64_rtn_b32",
     .op_class = OpClass::lds,
     .dst = b64,
     .src = {b32, b32, b32},
     .plain = ds_exchange2<Cell32>,
     .access_bytes = 8},
    {.mnemonic = "ds_wrxchg2_rtn_b64",
     .op_class = OpClass::lds,
     .dst = b128,
     .src = {b32, b64, b64},
     .plain = ds_exchange2<Cell64>,
     .access_bytes = 16},
    {.mnemonic = "ds_wrxchg2st64_rtn_b64",
     .op_class = OpClass::lds,
     .dst = b128,
     .src = {b32, b64, b64},
     .plain = ds_exchange2<Cell64>,
     .access_bytes = 16},
};

}  // namespace

OperationTable lds_atomic_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
