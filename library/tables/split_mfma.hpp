// Rows of split reductions by MFMA: small tiles, since few output tiles are why a reduction is split.
// Slabs hold accumulators, so that vector_c is at most 16 bytes of those.
#pragma once

#include "tables/rows.hpp"

namespace zellige::library::mfma {

/// In every build: every type, walk, pipeline and store.
inline constexpr ConvRow conv_split_smoke[] = {
  {.types = half, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = only_bf16, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {32, 32, 8},
    .pipeline = single_buffer, .vector_a = 1, .vector_b = 1, .split_k = two_stage}},
  {.types = single, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 4}, .vector_a = 4,
    .vector_b = 4, .vector_c = 2, .store = lds_shuffle, .split_k = two_stage}},
};

inline constexpr GemmRow gemm_split_smoke[] = {
  {.types = only_f16, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = two_stage}},
  {.types = only_bf16, .layouts = only_cr, .wide_output = true, .tiling = {.block = {64, 64, 16}, .waves = {2, 2},
    .atom = {16, 16, 16}, .pipeline = single_buffer, .vector_a = 1, .vector_b = 1, .split_k = two_stage}},
};

/// What ships beside them.
inline constexpr ConvRow conv_split_full[] = {
  {.types = half, .tiling = {.block = {32, 32, 64}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {32, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {128, 64, 32}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_c = 4,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .spatial = 3, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16},
    .vector_c = 4, .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .wide_output = true, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16},
    .vector_c = 4, .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = single, .tiling = {.block = {32, 32, 32}, .waves = {2, 2}, .atom = {16, 16, 4}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle, .split_k = two_stage}},
  {.types = single, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 4}, .vector_a = 1,
    .vector_b = 1, .split_k = two_stage}},
};

inline constexpr GemmRow gemm_split_full[] = {
  {.types = half, .layouts = all_layouts, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16},
    .vector_c = 4, .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {32, 32, 64}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_c = 4, .walk = run,
    .store = lds_shuffle, .split_k = two_stage}},
  {.types = half, .tiling = {.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_c = 4,
    .walk = run, .store = lds_shuffle, .split_k = two_stage}},
  {.types = single, .layouts = all_layouts, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 4},
    .vector_a = 4, .vector_b = 4, .vector_c = 4, .store = lds_shuffle, .split_k = two_stage}},
};

}  // namespace zellige::library::mfma
