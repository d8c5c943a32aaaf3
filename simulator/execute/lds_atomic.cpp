// ds_* atomics of gfx9; lds_update.hpp states the law.
#include "simulator/execute/lds_update.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

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

constexpr Operation table[] = {
    lds_atomic_row<Atomic::add, Cell32, false>("ds_add_u32"),
    lds_atomic_row<Atomic::add, Cell32, true>("ds_add_rtn_u32"),
    lds_atomic_row<Atomic::subtract, Cell32, false>("ds_sub_u32"),
    lds_atomic_row<Atomic::subtract, Cell32, true>("ds_sub_rtn_u32"),
    lds_atomic_row<Atomic::reverse_subtract, Cell32, false>("ds_rsub_u32"),
    lds_atomic_row<Atomic::reverse_subtract, Cell32, true>("ds_rsub_rtn_u32"),
    lds_atomic_row<Atomic::increment, Cell32, false>("ds_inc_u32"),
    lds_atomic_row<Atomic::increment, Cell32, true>("ds_inc_rtn_u32"),
    lds_atomic_row<Atomic::decrement, Cell32, false>("ds_dec_u32"),
    lds_atomic_row<Atomic::decrement, Cell32, true>("ds_dec_rtn_u32"),
    lds_atomic_row<Atomic::min_signed, Cell32, false>("ds_min_i32"),
    lds_atomic_row<Atomic::min_signed, Cell32, true>("ds_min_rtn_i32"),
    lds_atomic_row<Atomic::max_signed, Cell32, false>("ds_max_i32"),
    lds_atomic_row<Atomic::max_signed, Cell32, true>("ds_max_rtn_i32"),
    lds_atomic_row<Atomic::min_unsigned, Cell32, false>("ds_min_u32"),
    lds_atomic_row<Atomic::min_unsigned, Cell32, true>("ds_min_rtn_u32"),
    lds_atomic_row<Atomic::max_unsigned, Cell32, false>("ds_max_u32"),
    lds_atomic_row<Atomic::max_unsigned, Cell32, true>("ds_max_rtn_u32"),
    lds_atomic_row<Atomic::bit_and, Cell32, false>("ds_and_b32"),
    lds_atomic_row<Atomic::bit_and, Cell32, true>("ds_and_rtn_b32"),
    lds_atomic_row<Atomic::bit_or, Cell32, false>("ds_or_b32"),
    lds_atomic_row<Atomic::bit_or, Cell32, true>("ds_or_rtn_b32"),
    lds_atomic_row<Atomic::bit_xor, Cell32, false>("ds_xor_b32"),
    lds_atomic_row<Atomic::bit_xor, Cell32, true>("ds_xor_rtn_b32"),
    lds_atomic_row<Atomic::masked_or, Cell32, false>("ds_mskor_b32"),
    lds_atomic_row<Atomic::masked_or, Cell32, true>("ds_mskor_rtn_b32"),
    lds_atomic_row<Atomic::wrap, Cell32, true>("ds_wrap_rtn_b32"),
    lds_atomic_row<Atomic::compare_swap, Cell32, false>("ds_cmpst_b32"),
    lds_atomic_row<Atomic::compare_swap, Cell32, true>("ds_cmpst_rtn_b32"),
    lds_atomic_row<Atomic::compare_swap_float, Cell32, false>("ds_cmpst_f32"),
    lds_atomic_row<Atomic::compare_swap_float, Cell32, true>("ds_cmpst_rtn_f32"),
    lds_atomic_row<Atomic::min_float, Cell32, false>("ds_min_f32"),
    lds_atomic_row<Atomic::min_float, Cell32, true>("ds_min_rtn_f32"),
    lds_atomic_row<Atomic::max_float, Cell32, false>("ds_max_f32"),
    lds_atomic_row<Atomic::max_float, Cell32, true>("ds_max_rtn_f32"),
    lds_atomic_row<Atomic::add_float, Cell32, false>("ds_add_f32"),
    lds_atomic_row<Atomic::add_float, Cell32, true>("ds_add_rtn_f32"),
    lds_atomic_row<Atomic::swap, Cell32, true>("ds_wrxchg_rtn_b32"),
    lds_atomic_row<Atomic::add, Cell64, false>("ds_add_u64"),
    lds_atomic_row<Atomic::add, Cell64, true>("ds_add_rtn_u64"),
    lds_atomic_row<Atomic::subtract, Cell64, false>("ds_sub_u64"),
    lds_atomic_row<Atomic::subtract, Cell64, true>("ds_sub_rtn_u64"),
    lds_atomic_row<Atomic::reverse_subtract, Cell64, false>("ds_rsub_u64"),
    lds_atomic_row<Atomic::reverse_subtract, Cell64, true>("ds_rsub_rtn_u64"),
    lds_atomic_row<Atomic::increment, Cell64, false>("ds_inc_u64"),
    lds_atomic_row<Atomic::increment, Cell64, true>("ds_inc_rtn_u64"),
    lds_atomic_row<Atomic::decrement, Cell64, false>("ds_dec_u64"),
    lds_atomic_row<Atomic::decrement, Cell64, true>("ds_dec_rtn_u64"),
    lds_atomic_row<Atomic::min_signed, Cell64, false>("ds_min_i64"),
    lds_atomic_row<Atomic::min_signed, Cell64, true>("ds_min_rtn_i64"),
    lds_atomic_row<Atomic::max_signed, Cell64, false>("ds_max_i64"),
    lds_atomic_row<Atomic::max_signed, Cell64, true>("ds_max_rtn_i64"),
    lds_atomic_row<Atomic::min_unsigned, Cell64, false>("ds_min_u64"),
    lds_atomic_row<Atomic::min_unsigned, Cell64, true>("ds_min_rtn_u64"),
    lds_atomic_row<Atomic::max_unsigned, Cell64, false>("ds_max_u64"),
    lds_atomic_row<Atomic::max_unsigned, Cell64, true>("ds_max_rtn_u64"),
    lds_atomic_row<Atomic::bit_and, Cell64, false>("ds_and_b64"),
    lds_atomic_row<Atomic::bit_and, Cell64, true>("ds_and_rtn_b64"),
    lds_atomic_row<Atomic::bit_or, Cell64, false>("ds_or_b64"),
    lds_atomic_row<Atomic::bit_or, Cell64, true>("ds_or_rtn_b64"),
    lds_atomic_row<Atomic::bit_xor, Cell64, false>("ds_xor_b64"),
    lds_atomic_row<Atomic::bit_xor, Cell64, true>("ds_xor_rtn_b64"),
    lds_atomic_row<Atomic::masked_or, Cell64, false>("ds_mskor_b64"),
    lds_atomic_row<Atomic::masked_or, Cell64, true>("ds_mskor_rtn_b64"),
    lds_atomic_row<Atomic::compare_swap, Cell64, false>("ds_cmpst_b64"),
    lds_atomic_row<Atomic::compare_swap, Cell64, true>("ds_cmpst_rtn_b64"),
    lds_atomic_row<Atomic::compare_swap_float, Cell64, false>("ds_cmpst_f64"),
    lds_atomic_row<Atomic::compare_swap_float, Cell64, true>("ds_cmpst_rtn_f64"),
    lds_atomic_row<Atomic::min_float, Cell64, false>("ds_min_f64"),
    lds_atomic_row<Atomic::min_float, Cell64, true>("ds_min_rtn_f64"),
    lds_atomic_row<Atomic::max_float, Cell64, false>("ds_max_f64"),
    lds_atomic_row<Atomic::max_float, Cell64, true>("ds_max_rtn_f64"),
    lds_atomic_row<Atomic::add_float, Cell64, false>("ds_add_f64"),
    lds_atomic_row<Atomic::add_float, Cell64, true>("ds_add_rtn_f64"),
    lds_atomic_row<Atomic::swap, Cell64, true>("ds_wrxchg_rtn_b64"),
    lds_atomic_row<Atomic::add_packed_f16, Cell32, false>("ds_pk_add_f16"),
    lds_atomic_row<Atomic::add_packed_f16, Cell32, true>("ds_pk_add_rtn_f16"),
    lds_atomic_row<Atomic::add_packed_bf16, Cell32, false>("ds_pk_add_bf16"),
    lds_atomic_row<Atomic::add_packed_bf16, Cell32, true>("ds_pk_add_rtn_bf16"),
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
