// global_atomic_*, flat_atomic_*, buffer_atomic_* that gfx9 lacks, under the spelling of the first target that has
// them; memory_atomic.hpp states the law.
#include "simulator/execute/memory_atomic.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// Its order is that of geometry waves, which do not exist here.
const Instruction* ordered_add(Wave& wave, const Instruction* instruction) {
  return fault_wave(wave, instruction, "ordered atomics count geometry waves, which are not simulated");
}

constexpr Operation table[] = {
    row_32<Space::global, Atomic::subtract_clamped>("global_atomic_csub_u32"),
    row_32<Space::global, Atomic::subtract_conditional>("global_atomic_cond_sub_u32"),
    row_32<Space::global, Atomic::compare_swap_float>("global_atomic_cmpswap_f32"),
    row_32<Space::global, Atomic::min_lesser>("global_atomic_min_f32"),
    row_32<Space::global, Atomic::max_greater>("global_atomic_max_f32"),
    row_32<Space::global, Atomic::min_number>("global_atomic_min_num_f32"),
    row_32<Space::global, Atomic::max_number>("global_atomic_max_num_f32"),
    row_64<Space::global, Atomic::min_number>("global_atomic_min_num_f64"),
    row_64<Space::global, Atomic::max_number>("global_atomic_max_num_f64"),
    row_32<Space::flat, Atomic::subtract_clamped>("flat_atomic_csub_u32"),
    row_32<Space::flat, Atomic::subtract_conditional>("flat_atomic_cond_sub_u32"),
    row_32<Space::flat, Atomic::compare_swap_float>("flat_atomic_cmpswap_f32"),
    row_32<Space::flat, Atomic::min_lesser>("flat_atomic_min_f32"),
    row_32<Space::flat, Atomic::max_greater>("flat_atomic_max_f32"),
    row_32<Space::flat, Atomic::min_number>("flat_atomic_min_num_f32"),
    row_32<Space::flat, Atomic::max_number>("flat_atomic_max_num_f32"),
    row_64<Space::flat, Atomic::min_number>("flat_atomic_min_num_f64"),
    row_64<Space::flat, Atomic::max_number>("flat_atomic_max_num_f64"),
    row_32<Space::buffer, Atomic::subtract_clamped>("buffer_atomic_csub_u32"),
    row_32<Space::buffer, Atomic::subtract_conditional>("buffer_atomic_cond_sub_u32"),
    row_32<Space::buffer, Atomic::compare_swap_float>("buffer_atomic_cmpswap_f32"),
    row_32<Space::buffer, Atomic::min_lesser>("buffer_atomic_min_f32"),
    row_32<Space::buffer, Atomic::max_greater>("buffer_atomic_max_f32"),
    row_32<Space::buffer, Atomic::min_number>("buffer_atomic_min_num_f32"),
    row_32<Space::buffer, Atomic::max_number>("buffer_atomic_max_num_f32"),
    row_64<Space::buffer, Atomic::min_number>("buffer_atomic_min_num_f64"),
    row_64<Space::buffer, Atomic::max_number>("buffer_atomic_max_num_f64"),
    atomic_row<Space::global>("global_atomic_ordered_add_b64", ValueType::b64, ValueType::b64, ordered_add, 8),
};

}  // namespace

OperationTable atomic_gfx11_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
