// GEMMs and convolutions of the other types by WMMA of gfx1250: tf32 (split, atom/split_tf32.hpp), i8 and 8-bit floats.
#pragma once

#include "tables/rows.hpp"

namespace zellige::library::gfx1250 {

/// In every build: for each type a vector of its widest and one of a single element.
inline constexpr ConvRow conv_types_smoke[] = {
  {.types = only_tf32, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = only_tf32, .tiling = {.block = {64, 64, 32}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_a = 1,
    .vector_b = 1}},
  // 8-bit
  {.types = only_i8, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {64, 64, 64}, .waves = {4, 4}, .atom = {16, 16, 64},
    .pipeline = single_buffer, .vector_a = 1, .vector_b = 1}},
  {.types = only_fp8, .brain_output = true, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 64},
    .vector_a = 16, .vector_b = 16, .vector_c = 8, .store = lds_shuffle}},
};

inline constexpr GemmRow gemm_types_smoke[] = {
  {.types = only_i8, .layouts = only_cr, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 64},
    .vector_a = 4, .vector_b = 4}},
  {.types = only_bf8, .layouts = only_cc, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 64},
    .lds = padded, .vector_a = 16, .vector_b = 16, .vector_c = 4, .store = lds_shuffle}},
};

/// What ships beside them.
inline constexpr ConvRow conv_types_full[] = {
  // tf32
  {.types = only_tf32, .tiling = {.block = {128, 64, 32}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = only_tf32, .tiling = {.block = {128, 64, 32}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = only_tf32, .tiling = {.block = {64, 128, 32}, .waves = {2, 4}, .atom = {16, 16, 32}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = only_tf32, .tiling = {.block = {64, 128, 32}, .waves = {2, 4}, .atom = {16, 16, 32}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = only_tf32, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = only_tf32, .tiling = {.block = {32, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = only_tf32, .tiling = {.block = {32, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = only_tf32, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_a = 2,
    .vector_b = 2, .vector_c = 2, .store = lds_shuffle}},
  {.types = only_tf32, .spatial = 3, .tiling = {.block = {64, 64, 32}, .waves = {4, 2}, .atom = {16, 16, 32},
    .vector_a = 1, .vector_b = 1}},
  // 8-bit
  {.types = eight_bit, .tiling = {.block = {256, 128, 64}, .waves = {4, 4}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {256, 128, 64}, .waves = {4, 4}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .store = lds_shuffle}},
  {.types = float8, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .store = lds_shuffle}},
  {.types = float8, .brain_output = true, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 64},
    .vector_a = 16, .vector_b = 16, .vector_c = 8, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {128, 64, 64}, .waves = {4, 2}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {128, 64, 64}, .waves = {4, 2}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .store = lds_shuffle}},
  {.types = float8, .brain_output = true, .tiling = {.block = {128, 64, 64}, .waves = {4, 2}, .atom = {16, 16, 64},
    .vector_a = 16, .vector_b = 16, .vector_c = 8, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {64, 128, 64}, .waves = {2, 4}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {64, 128, 64}, .waves = {2, 4}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .store = lds_shuffle}},
  {.types = float8, .brain_output = true, .tiling = {.block = {64, 128, 64}, .waves = {2, 4}, .atom = {16, 16, 64},
    .vector_a = 16, .vector_b = 16, .vector_c = 8, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {64, 64, 128}, .waves = {2, 2}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {64, 64, 128}, .waves = {2, 2}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .store = lds_shuffle}},
  {.types = float8, .brain_output = true, .tiling = {.block = {64, 64, 128}, .waves = {2, 2}, .atom = {16, 16, 64},
    .vector_a = 16, .vector_b = 16, .vector_c = 8, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .store = lds_shuffle}},
  {.types = float8, .brain_output = true, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 64},
    .vector_a = 16, .vector_b = 16, .vector_c = 8, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 64}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = eight_bit, .spatial = 3, .tiling = {.block = {64, 64, 64}, .waves = {4, 4}, .atom = {16, 16, 64},
    .vector_a = 1, .vector_b = 1}},
  {.types = float8, .brain_output = true, .weight = WeightType::mixed, .tiling = {.block = {128, 128, 64},
    .waves = {4, 2}, .atom = {16, 16, 64}, .vector_a = 16, .vector_b = 16, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = float8, .weight = WeightType::mixed, .tiling = {.block = {64, 64, 64}, .waves = {2, 2},
    .atom = {16, 16, 64}, .vector_a = 4, .vector_b = 4}},
  {.types = float8, .brain_output = true, .tiling = {.block = {128, 128, 128}, .waves = {4, 2},
    .atom = {16, 16, 128}, .vector_a = 16, .vector_b = 16, .vector_c = 8, .walk = run, .store = lds_shuffle}},
  // a split reduction
  {.types = only_tf32, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle, .split_k = two_stage}},
  {.types = eight_bit, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .store = lds_shuffle, .split_k = two_stage}},
};

inline constexpr GemmRow gemm_types_full[] = {
  // tf32
  {.types = only_tf32, .tiling = {.block = {128, 64, 32}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = only_tf32, .layouts = all_layouts, .tiling = {.block = {64, 64, 32}, .waves = {2, 2},
    .atom = {16, 16, 32}, .vector_a = 4, .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = only_tf32, .layouts = all_layouts, .tiling = {.block = {64, 64, 32}, .waves = {4, 2},
    .atom = {16, 16, 32}, .vector_a = 1, .vector_b = 1}},
  // 8-bit
  {.types = eight_bit, .tiling = {.block = {256, 128, 64}, .waves = {4, 4}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .tiling = {.block = {64, 64, 128}, .waves = {2, 2}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .layouts = all_layouts, .tiling = {.block = {128, 128, 64}, .waves = {4, 2},
    .atom = {16, 16, 64}, .vector_a = 4, .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = float8, .layouts = all_layouts, .brain_output = true, .tiling = {.block = {128, 128, 64},
    .waves = {4, 2}, .atom = {16, 16, 64}, .vector_a = 4, .vector_b = 4, .vector_c = 8, .store = lds_shuffle}},
  {.types = float8, .brain_output = true, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 64},
    .vector_a = 16, .vector_b = 16, .vector_c = 8, .walk = run, .store = lds_shuffle}},
  {.types = eight_bit, .layouts = all_layouts, .tiling = {.block = {64, 64, 64}, .waves = {4, 4},
    .atom = {16, 16, 64}, .vector_a = 1, .vector_b = 1}},
  {.types = float8, .brain_output = true, .tiling = {.block = {128, 128, 128}, .waves = {4, 2},
    .atom = {16, 16, 128}, .vector_a = 16, .vector_b = 16, .vector_c = 8, .walk = run, .store = lds_shuffle}},
  // a split reduction
  {.types = only_tf32, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle, .split_k = two_stage}},
  {.types = eight_bit, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 64}, .vector_a = 16,
    .vector_b = 16, .vector_c = 4, .store = lds_shuffle, .split_k = two_stage}},
};

}  // namespace zellige::library::gfx1250
