// Rows of split reductions by WMMA of gfx1250: small tiles, since few output tiles are why a reduction is split.
// Slabs hold accumulators, so that vector_c is at most 16 bytes of those.
#pragma once

#include "tables/rows.hpp"

namespace zellige::library::gfx1250 {

/// In every build: every type, walk, pipeline and store.
inline constexpr ConvRow conv_split_smoke[] = {
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = only_bf16, .tiling = {.block = {64, 64, 32}, .waves = {4, 2}, .atom = {16, 16, 32},
    .pipeline = single_buffer, .vector_a = 1, .vector_b = 1, .split_k = two_stage}},
  // clusters
  {.types = only_bf16, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 2}},
  {.types = only_bf16, .tiling = {.block = {32, 32, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .store = lds_shuffle, .split_k = cluster, .cluster = 4}},
  {.types = only_bf16, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .split_k = cluster,
    .cluster = 8}},
  {.types = only_bf16, .tiling = {.block = {16, 32, 64}, .waves = {1, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 12}},
  {.types = only_bf16, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 15}},
};

inline constexpr GemmRow gemm_split_smoke[] = {
  {.types = only_f16, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = two_stage}},
  {.types = only_bf16, .layouts = only_cr, .wide_output = true, .tiling = {.block = {64, 64, 32}, .waves = {2, 2},
    .atom = {16, 16, 32}, .pipeline = single_buffer, .vector_a = 1, .vector_b = 1, .split_k = two_stage}},
};

/// What ships beside them.
inline constexpr ConvRow conv_split_full[] = {
  {.types = half, .tiling = {.block = {16, 32, 64}, .waves = {1, 2}, .atom = {16, 16, 32}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {64, 64, 128}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = single, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 4}, .vector_a = 4,
    .vector_b = 4, .vector_c = 2, .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {32, 32, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {64, 32, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {128, 64, 32}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .spatial = 3, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32},
    .vector_c = 4, .store = lds_shuffle, .split_k = two_stage}},
  // clusters
  {.types = half, .tiling = {.block = {16, 32, 64}, .waves = {1, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 2}},
  {.types = half, .tiling = {.block = {16, 32, 64}, .waves = {1, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 4}},
  {.types = half, .tiling = {.block = {16, 32, 64}, .waves = {1, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 8}},
  {.types = only_f16, .tiling = {.block = {16, 32, 64}, .waves = {1, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 12}},
  {.types = half, .tiling = {.block = {16, 32, 64}, .waves = {1, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 15}},
  {.types = half, .tiling = {.block = {32, 32, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 2}},
  {.types = half, .tiling = {.block = {32, 32, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 4}},
  {.types = half, .tiling = {.block = {32, 32, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 8}},
  {.types = half, .tiling = {.block = {32, 32, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 12}},
  {.types = half, .tiling = {.block = {32, 32, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 15}},
  {.types = only_f16, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 2}},
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 4}},
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 8}},
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 12}},
  {.types = only_f16, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 15}},
  {.types = half, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 2}},
  {.types = half, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 4}},
  {.types = half, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 8}},
  {.types = half, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 12}},
  {.types = half, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 15}},
};

inline constexpr GemmRow gemm_split_full[] = {
  {.types = half, .layouts = all_layouts, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32},
    .vector_c = 4, .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {32, 32, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  // clusters
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 2}},
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 4}},
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 8}},
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 12}},
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = cluster, .cluster = 15}},
};

}  // namespace zellige::library::gfx1250
