# The handler files, compiled once per host instruction set. Add a file here and its table to isa.hpp and tables.cpp.
set(ZELLIGE_SIM_HANDLER_SOURCES
  tables.cpp
  control.cpp
  scalar.cpp
  scalar_memory.cpp
  valu_float.cpp
  valu_integer.cpp
  valu_double.cpp
  valu_half.cpp
  valu_packed.cpp
  valu_convert.cpp
  valu_compare.cpp
  valu_lane.cpp
  valu_modifiers.cpp
)
# Compiled once, for any machine.
set(ZELLIGE_SIM_COMMON_SOURCES
  control_flow.cpp
  executor.cpp
  operations.cpp
)
