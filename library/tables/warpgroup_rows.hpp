// Rows of targets whose warpgroups are fed by tensor copies (Pipeline::tensor_copy, Pipeline::few_channels).
#pragma once

#include "tables/rows.hpp"

namespace zellige::library {

/// A block of m x n by k, its ring, and the workgroups that share an SM. Everything else follows.
constexpr Tiling warpgroups(Mnk block, int bytes_in, int bytes_out, int stages, int min_blocks = 1,
                            SplitK split_k = SplitK::none, int cluster = 1) {
  return {.block = block,
          .waves = {block.m / 16, 1},
          .atom = {wgmma_rows, block.n, wgmma_depth_bytes / bytes_in},
          .pipeline = Pipeline::tensor_copy,
          .vector_a = 16 / bytes_in,
          .vector_b = 16 / bytes_in,
          .vector_c = split_k == SplitK::none ? 16 / bytes_out : 4,
          .store = Store::lds_shuffle,
          .min_blocks = min_blocks,
          .stages = stages,
          .split_k = split_k,
          .cluster = cluster};
}

/// The same for C whose rows begin anywhere: 3 filters, odd sizes.
constexpr Tiling warpgroups_any_row(Mnk block, int bytes_in, int stages, int min_blocks = 1) {
  Tiling t = warpgroups(block, bytes_in, bytes_in, stages, min_blocks);
  t.vector_c = 1;
  t.store = Store::direct;
  return t;
}

/// The same for convolutions of few channels, of 16-bit types: a step of k, the most stages of the ring.
constexpr Tiling few_channels_rows(Mnk block, int stages, int min_blocks) {
  Tiling t = warpgroups(block, 2, 2, stages, min_blocks);
  t.pipeline = Pipeline::few_channels;
  return t;
}

}  // namespace zellige::library
