// The arguments of the second stage of split-K: a plain struct, packed once on the host.
#pragma once

#include "zellige/core/kernel_pointers.hpp"
#include "zellige/core/math.hpp"
#include "zellige/gemm/epilogue_op.hpp"

namespace zellige {

struct ReduceArgs {
  KernelPointers pointers{};
  std::uint32_t degree = 1, slab_bytes = 0;  ///< slabs, and bytes from one to the next
  std::uint32_t vectors = 0;                 ///< of a slab: rows times vectors of a row
  std::uint32_t row_bytes_c = 0, bytes_c = 0;
  EpilogueArgs epilogue{};
  MagicDivider by_row{1};  ///< vectors of a row
};

/// Threads of a workgroup: few, since split problems have few outputs, which should reach many CUs.
inline constexpr int reduce_threads = 64;

}  // namespace zellige
