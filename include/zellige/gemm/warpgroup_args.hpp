// The arguments of a kernel that multiplies by warpgroups: packed once on the host, the maps encoded at each run.
#pragma once

#include "zellige/atom/tensor_copy.hpp"
#include "zellige/core/kernel_pointers.hpp"
#include "zellige/gemm/epilogue_op.hpp"
#include "zellige/gemm/schedule.hpp"

namespace zellige {

/// Where the pixels of A's rows lie, and the order of the reduction: taps outside, channel steps inside.
struct WarpgroupConvArgs {
  MagicDivider by_out_w{1}, by_out_h{1}, by_channel_steps{1}, by_filter_w{1};
  std::uint32_t channels = 0;    ///< of a group
  std::uint32_t rows_apart = 0;  ///< 1: rows are numbered by stride, and taps of h choose between them
  std::int32_t stride_w = 1, stride_h = 1, pad_w = 0, pad_h = 0, dilation_w = 1, dilation_h = 1;
};

/// What the first copy waits for lies together, before the maps (1 to 2 % of a launch of 5 us on an H200).
struct WarpgroupArgs {
  KernelPointers pointers{};
  Schedule schedule{};         ///< its batches: slices, and in each all groups; of a cluster's kernel groups alone
  std::uint32_t tiles = 0;     ///< of all batches
  std::uint32_t m = 0, n = 0;  ///< extents of one group
  std::uint32_t row_bytes_c = 0, bytes_c = 0;        ///< bytes between rows of C, and of all of it
  std::uint32_t k_steps = 0;                         ///< of the whole reduction
  std::uint32_t slice_steps = 0;                     ///< of a slice
  std::uint32_t step_bytes_a = 0, step_bytes_b = 0;  ///< that the copies of a step bring
  std::uint32_t keeps_b = 0;  ///< 1: all tiles have the same tiles of B, which stay in shared memory
  MagicDivider by_groups{1};
  WarpgroupConvArgs conv{};
  TensorMap a{}, b{}, c{};  ///< c: where WarpgroupShape::maps_c()
  EpilogueArgs epilogue{};
};

}  // namespace zellige
