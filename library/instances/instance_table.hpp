// What an instance library exports: one C function, zellige_instances_<target>, that returns its table.
//
// The library that opens it may be of another build, so the table says what it is made of before it is read.
#pragma once

#include "zellige/host/conv.hpp"
#include "zellige/host/gemm.hpp"

namespace zellige::library {

struct InstanceTable {
  std::uint32_t table_bytes = sizeof(InstanceTable);  ///< stays the first member
  std::uint32_t gemm_bytes = sizeof(GemmKernel), conv_bytes = sizeof(ConvKernel), args_bytes = sizeof(GemmArgs),
                reduce_bytes = sizeof(ReduceArgs);
  Arch arch = Arch::none;
  std::uint32_t gemm_count = 0, conv_count = 0;
  const GemmKernel* gemm = nullptr;
  const ConvKernel* conv = nullptr;
};

using InstanceTableFunction = const InstanceTable*();

}  // namespace zellige::library
