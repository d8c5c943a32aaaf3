# The handler files, compiled once per host instruction set and wave size. Add a file here and its table to isa.hpp and
# tables.cpp.
set(ZELLIGE_SIM_HANDLER_SOURCES
  tables.cpp
  control.cpp
  scalar.cpp
  scalar_float.cpp
  scalar_memory.cpp
  split_barrier.cpp
  valu_float.cpp
  valu_integer.cpp
  valu_double.cpp
  valu_half.cpp
  valu_packed.cpp
  valu_convert.cpp
  valu_compare.cpp
  valu_lane.cpp
  valu_dual.cpp
  valu_minimum.cpp
  valu_permute.cpp
  valu_bf16.cpp
  valu_scalar.cpp
  valu_modifiers.cpp
  valu_narrow.cpp
  atomic.cpp
  buffer.cpp
  flat.cpp
  global.cpp
  lds.cpp
  lds_atomic.cpp
  lds_exchange.cpp
  scratch.cpp
  swmmac.cpp
  wmma.cpp
  wmma_narrow.cpp
)
# Of these there are waves of 64 lanes only.
set(ZELLIGE_SIM_WAVE64_SOURCES
  matrix.cpp
  matrix_narrow.cpp
  matrix_scaled.cpp
  matrix_sparse.cpp
)
# And of these waves of 32 lanes only.
set(ZELLIGE_SIM_WAVE32_SOURCES
  wmma_scaled.cpp
)
# Compiled once, for any machine.
set(ZELLIGE_SIM_COMMON_SOURCES
  barrier.cpp
  control_flow.cpp
  executor.cpp
  global_bounds.cpp
  memory_lines.cpp
  lds_banks.cpp
  matrix_formats.cpp
  operations.cpp
)
