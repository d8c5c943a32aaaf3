// ds_* atomics that gfx9 lacks or defines in another way; lds_update.hpp states the law. "@gfx11" is the meaning that
// gfx11 gives to a name of gfx9.
#include "simulator/execute/lds_update.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// Each dword of the aligned pair at the address takes the data's low 31 bits where the data's bit 31 is set.
const Instruction* ds_conditional_exchange(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  alignas(64) std::uint32_t addresses[row_lanes];
  const std::uint32_t* row = wave.row(instruction->src[0].index);
  for (int lane = 0; lane < row_lanes; ++lane)
    addresses[lane] = (row[lane] + static_cast<std::uint32_t>(instruction->offset)) & 0xfff8u;
  std::uint32_t offset = 0;
  if (!resolve_lds(wave, instruction, targets, addresses, offset, 8, AccessKind::atomic)) return nullptr;
  count_lds(wave, targets, offset, 8, true);
  const std::uint32_t* data = wave.row(instruction->src[1].index);
  std::uint32_t* result = wave.row(instruction->dst.index);
  for_each_lane(targets.active, [&](int lane) {
    std::uint32_t pair[2], wanted[2] = {data[lane], data[row_lanes + lane]};
    std::uint8_t* cell = host_bytes(targets.base + targets.offsets[lane]);
    __builtin_memcpy(pair, cell, sizeof pair);
    for (int half = 0; half < 2; ++half) {
      result[half * row_lanes + lane] = pair[half];
      if (wanted[half] >> 31) pair[half] = wanted[half] & 0x7fffffffu;
    }
    __builtin_memcpy(cell, pair, sizeof pair);
  });
  return instruction + 1;
}

const Instruction* ray_stack(Wave& wave, const Instruction* instruction) {
  return fault_wave(wave, instruction, "ray tracing (a stack of a bounding volume hierarchy) is not simulated");
}

const Instruction* geometry_registers(Wave& wave, const Instruction* instruction) {
  return fault_wave(wave, instruction, "the registers of geometry shaders are not simulated");
}

using enum ValueType;

constexpr Operation fault_row(std::string_view mnemonic, ValueType data, Handler handler, ValueType first,
                              ValueType second = none, ValueType third = none) {
  return {.mnemonic = mnemonic, .op_class = OpClass::lds, .dst = data, .src = {first, second, third}, .plain = handler};
}

constexpr Operation table[] = {
    lds_atomic_row<Atomic::compare_swap, Cell32, false, DataOrder::value_first>("ds_cmpstore_b32"),
    lds_atomic_row<Atomic::compare_swap, Cell32, true, DataOrder::value_first>("ds_cmpstore_rtn_b32"),
    lds_atomic_row<Atomic::compare_swap_float, Cell32, false, DataOrder::value_first>("ds_cmpstore_f32"),
    lds_atomic_row<Atomic::compare_swap_float, Cell32, true, DataOrder::value_first>("ds_cmpstore_rtn_f32"),
    lds_atomic_row<Atomic::min_lesser, Cell32, false>("ds_min_f32@gfx11"),
    lds_atomic_row<Atomic::min_lesser, Cell32, true>("ds_min_rtn_f32@gfx11"),
    lds_atomic_row<Atomic::max_greater, Cell32, false>("ds_max_f32@gfx11"),
    lds_atomic_row<Atomic::max_greater, Cell32, true>("ds_max_rtn_f32@gfx11"),
    lds_atomic_row<Atomic::min_number, Cell32, false>("ds_min_num_f32"),
    lds_atomic_row<Atomic::min_number, Cell32, true>("ds_min_num_rtn_f32"),
    lds_atomic_row<Atomic::max_number, Cell32, false>("ds_max_num_f32"),
    lds_atomic_row<Atomic::max_number, Cell32, true>("ds_max_num_rtn_f32"),
    lds_atomic_row<Atomic::compare_swap, Cell64, false, DataOrder::value_first>("ds_cmpstore_b64"),
    lds_atomic_row<Atomic::compare_swap, Cell64, true, DataOrder::value_first>("ds_cmpstore_rtn_b64"),
    lds_atomic_row<Atomic::compare_swap_float, Cell64, false, DataOrder::value_first>("ds_cmpstore_f64"),
    lds_atomic_row<Atomic::compare_swap_float, Cell64, true, DataOrder::value_first>("ds_cmpstore_rtn_f64"),
    lds_atomic_row<Atomic::min_lesser, Cell64, false>("ds_min_f64@gfx11"),
    lds_atomic_row<Atomic::min_lesser, Cell64, true>("ds_min_rtn_f64@gfx11"),
    lds_atomic_row<Atomic::max_greater, Cell64, false>("ds_max_f64@gfx11"),
    lds_atomic_row<Atomic::max_greater, Cell64, true>("ds_max_rtn_f64@gfx11"),
    lds_atomic_row<Atomic::min_number, Cell64, false>("ds_min_num_f64"),
    lds_atomic_row<Atomic::min_number, Cell64, true>("ds_min_num_rtn_f64"),
    lds_atomic_row<Atomic::max_number, Cell64, false>("ds_max_num_f64"),
    lds_atomic_row<Atomic::max_number, Cell64, true>("ds_max_num_rtn_f64"),
    lds_atomic_row<Atomic::subtract_clamped, Cell32, false>("ds_sub_clamp_u32"),
    lds_atomic_row<Atomic::subtract_clamped, Cell32, true>("ds_sub_clamp_rtn_u32"),
    lds_atomic_row<Atomic::subtract_conditional, Cell32, false>("ds_cond_sub_u32"),
    lds_atomic_row<Atomic::subtract_conditional, Cell32, true>("ds_cond_sub_rtn_u32"),
    {.mnemonic = "ds_condxchg32_rtn_b64",
     .op_class = OpClass::lds,
     .dst = b64,
     .src = {b32, b64},
     .plain = ds_conditional_exchange,
     .access_bytes = 8},
    fault_row("ds_bvh_stack_rtn_b32", b32, ray_stack, b32, b32, b128),
    fault_row("ds_bvh_stack_push4_pop1_rtn_b32", b32, ray_stack, b32, b32, b128),
    fault_row("ds_bvh_stack_push8_pop1_rtn_b32", b32, ray_stack, b32, b32, b256),
    fault_row("ds_bvh_stack_push8_pop2_rtn_b64", b64, ray_stack, b32, b32, b256),
    fault_row("ds_add_gs_reg_rtn", b64, geometry_registers, b32),
    fault_row("ds_sub_gs_reg_rtn", b64, geometry_registers, b32),
};

}  // namespace

OperationTable lds_atomic_gfx11_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
