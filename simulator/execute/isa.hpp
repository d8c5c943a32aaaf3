// The host instruction set and the wave size that a file of handlers is being compiled for.
//
// Each handler file is compiled once per host instruction set (generic, avx2, avx512, with the matching -m flags) and wave
// size (32, 64: -DZELLIGE_SIM_WAVE_LANES), and puts everything that it defines into `namespace
// zellige::sim::ZELLIGE_SIM_ISA`, which is called avx2_wave64 and so on. Law: such a file defines no symbol outside
// that namespace that the linker could merge with another file's (no out-of-line std:: templates, no shared inline
// functions that are not always_inline), or code for AVX-512 would run on machines that lack it. A test checks the objects.
//
// Compiled once, of the memory and matrix files: global_bounds.cpp, lds_banks.cpp, matrix_formats.cpp.
#pragma once

#include "simulator/execute/operation.hpp"

#if !defined(ZELLIGE_SIM_ISA)
#error "handler files are compiled with -DZELLIGE_SIM_ISA=<host set>_wave<lanes> and -DZELLIGE_SIM_WAVE_LANES=32|64"
#endif

/// Keeps GCC and clang from emitting a shared copy of a helper in a header.
#define ZELLIGE_SIM_INLINE [[gnu::always_inline]] inline

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// Lanes of a wave in this compilation.
inline constexpr int lanes = ZELLIGE_SIM_WAVE_LANES;

// The tables of the handler files, one function a file; tables.cpp lists them.
OperationTable control_operations();
OperationTable scalar_operations();
OperationTable scalar_float_operations();
OperationTable scalar_memory_operations();
OperationTable split_barrier_operations();
OperationTable valu_float_operations();
OperationTable valu_integer_operations();
OperationTable valu_double_operations();
OperationTable valu_half_operations();
OperationTable valu_packed_operations();
OperationTable valu_convert_operations();
OperationTable valu_compare_operations();
OperationTable valu_narrow_operations();
OperationTable valu_lane_operations();
OperationTable valu_dual_operations();
OperationTable valu_minimum_operations();
OperationTable valu_permute_operations();
OperationTable valu_bf16_operations();
OperationTable valu_scalar_operations();
OperationTable global_memory_operations();
OperationTable flat_operations();
OperationTable scratch_operations();
OperationTable memory_block_operations();
OperationTable buffer_operations();
OperationTable buffer_format_operations();
OperationTable atomic_operations();
OperationTable atomic_gfx11_operations();
OperationTable lds_operations();
OperationTable lds_atomic_operations();
OperationTable lds_atomic_gfx11_operations();
OperationTable lds_exchange_operations();
OperationTable async_copy_operations();
OperationTable transposed_load_operations();
OperationTable matrix_operations();
OperationTable matrix_narrow_operations();
OperationTable matrix_scaled_operations();
OperationTable matrix_sparse_operations();
OperationTable wmma_operations();
OperationTable wmma_narrow_operations();
OperationTable wmma_scaled_operations();
OperationTable swmmac_operations();

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
