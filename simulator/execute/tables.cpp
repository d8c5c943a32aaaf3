// The tables of one host instruction set and wave size, in one list.
#include "simulator/execute/host_sets.hpp"
#include "simulator/execute/isa.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// Fills `tables` (room for most_tables) and returns how many there are.
int all_operations(OperationTable* tables) {
  int count = 0;
  using Function = OperationTable (*)();
  constexpr Function functions[] = {
    &control_operations,
    &scalar_operations,
    &scalar_float_operations,
    &scalar_memory_operations,
    &split_barrier_operations,
    &valu_float_operations,
    &valu_integer_operations,
    &valu_double_operations,
    &valu_half_operations,
    &valu_packed_operations,
    &valu_convert_operations,
    &valu_compare_operations,
    &valu_lane_operations,
    &valu_narrow_operations,
    &valu_dual_operations,
    &valu_minimum_operations,
    &valu_permute_operations,
    &valu_bf16_operations,
    &valu_scalar_operations,
    &global_memory_operations,
    &flat_operations,
    &scratch_operations,
    &memory_block_operations,
    &buffer_operations,
    &buffer_format_operations,
    &atomic_operations,
    &atomic_gfx11_operations,
    &lds_operations,
    &lds_atomic_operations,
    &lds_atomic_gfx11_operations,
    &lds_exchange_operations,
    &wmma_operations,
    &wmma_narrow_operations,
    &swmmac_operations,
#if ZELLIGE_SIM_WAVE_LANES == 64
    &matrix_operations,
    &matrix_narrow_operations,
    &matrix_scaled_operations,
    &matrix_sparse_operations,
#else
    &async_copy_operations,
    &transposed_load_operations,
    &wmma_scaled_operations,
#endif
  };
  static_assert(sizeof functions / sizeof *functions <= most_tables);
  for (const Function table : functions) tables[count++] = table();
  return count;
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
