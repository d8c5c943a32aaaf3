// The arguments of a GEMM-shaped kernel: a plain struct, packed once on the host.
#pragma once

#include "zellige/core/kernel_pointers.hpp"
#include "zellige/gemm/epilogue_op.hpp"
#include "zellige/gemm/schedule.hpp"
#include "zellige/layout/transform.hpp"

namespace zellige {

/// How the reduction is split: slice s takes K tiles [s * tiles, (s + 1) * tiles) of those that there are, and its part
/// of C goes to slab s of the workspace, a packed matrix of args.m rows of all batches' columns.
struct SplitArgs {
  std::uint32_t degree = 1;      ///< slices
  std::uint32_t tiles = 0;       ///< K tiles of a slice; the last slices may be left with fewer, or none
  std::uint32_t slab_bytes = 0;  ///< from one slab to the next
  std::uint32_t row_bytes = 0;   ///< of a slab
  MagicDivider by_degree{1}, by_run{1};
};

/// C = A B over views. The pointers come first: a plan writes them for each run, everything else is packed once.
struct GemmArgs {
  KernelPointers pointers{};
  std::uint32_t bytes_a = 0, bytes_b = 0, bytes_c = 0;  ///< sizes of the tensors: accesses past them read 0 or vanish
  std::uint32_t batch_a = 0, batch_b = 0, batch_c = 0;  ///< bytes from one batch (convolution group) to the next
  std::uint32_t m = 0, n = 0, k = 0;                    ///< extents of one batch
  std::uint32_t k_tiles = 0;                            ///< steps of the reduction
  std::uint32_t run = 0;                                ///< Walk::run: elements of k over which A's offsets are linear
  std::uint32_t row_bytes_c = 0;                        ///< bytes between rows of C
  Schedule schedule{};  ///< its batches are (batch, slice) pairs where SplitK::two_stage splits
  ViewParams view_a{}, view_b{};  ///< A: (m, k); B: (n, k)
  SplitArgs split{};
  EpilogueArgs epilogue{};
};

}  // namespace zellige
