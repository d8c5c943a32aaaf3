// GEMMs of sm_90 (waves of 32): rows of every build, and what ships beside them.
//
// There are no rows of 8-bit floats: this target's instructions add their products up with fewer bits than f32 has. On
// an H200, sums of 64 products of e4m3 missed the bound of f32 sums (0.197266 for 0.196594, both in bf16).
#pragma once

#include "tables/warpgroup_rows.hpp"

namespace zellige::library::sm90 {

inline constexpr GemmRow gemm_smoke[] = {
  // warpgroups
  {.types = half, .tiling = warpgroups({128, 128, 64}, 2, 2, 4)},
  {.types = only_bf16, .tiling = warpgroups({64, 64, 32}, 2, 2, 4)},
  {.types = only_bf16, .tiling = warpgroups_any_row({64, 64, 64}, 2, 3, 3)},
  {.types = only_bf16, .tiling = warpgroups({64, 64, 64}, 2, 2, 6, 1, two_stage)},
  {.types = only_bf16, .tiling = warpgroups({64, 64, 64}, 2, 2, 6, 1, cluster, 4)},
  // mma.sync
  {.types = only_tf32, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 8, 8}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 128, 32}, .waves = {2, 4}, .atom = {16, 8, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = only_f16, .layouts = all_layouts, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 8, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = only_bf16, .layouts = only_rr, .tiling = {.block = {64, 32, 32}, .waves = {2, 1}, .atom = {16, 8, 16},
    .pipeline = single_buffer, .lds = padded, .vector_a = 4, .vector_b = 4}},
  {.types = only_bf16, .wide_output = true, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 8, 16},
    .pipeline = single_buffer, .vector_c = 4, .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 8, 16}, .vector_a = 1,
    .vector_b = 1}},
  {.types = only_bf16, .layouts = {.rr = true, .cr = true, .cc = true}, .tiling = {.block = {64, 64, 32},
    .waves = {2, 2}, .atom = {16, 8, 16}, .vector_a = 1, .vector_b = 1}},
};

inline constexpr GemmRow gemm_full[] = {
  // warpgroups
  {.types = half, .tiling = warpgroups({128, 256, 64}, 2, 2, 4)},
  {.types = half, .tiling = warpgroups({128, 192, 64}, 2, 2, 4)},
  {.types = half, .tiling = warpgroups({192, 128, 64}, 2, 2, 4)},
  {.types = half, .tiling = warpgroups({128, 128, 64}, 2, 2, 6)},
  {.types = half, .tiling = warpgroups({64, 256, 64}, 2, 2, 4)},
  {.types = half, .tiling = warpgroups({64, 128, 64}, 2, 2, 8)},
  {.types = half, .tiling = warpgroups({64, 64, 64}, 2, 2, 12)},
  {.types = half, .tiling = warpgroups({64, 32, 64}, 2, 2, 16)},
  {.types = half, .tiling = warpgroups({64, 32, 64}, 2, 2, 3, 4)},
  {.types = half, .tiling = warpgroups({64, 128, 64}, 2, 2, 5, 1, two_stage)},
  {.types = half, .tiling = warpgroups({64, 128, 64}, 2, 2, 3, 2, two_stage)},
  {.types = half, .tiling = warpgroups({64, 32, 64}, 2, 2, 16, 1, cluster, 4)},
  {.types = half, .tiling = warpgroups({64, 64, 64}, 2, 2, 11, 1, cluster, 2)},
  {.types = half, .tiling = warpgroups({64, 64, 64}, 2, 2, 11, 1, cluster, 4)},
  {.types = half, .tiling = warpgroups({64, 64, 64}, 2, 2, 9, 1, cluster, 8)},
  {.types = half, .tiling = warpgroups({64, 128, 64}, 2, 2, 7, 1, cluster, 2)},
  // Warpgroups whose output rows begin anywhere (odd n or leading dimensions of C). On an H200, us of this library and
  // of cuBLAS: 128x128 takes 221 / 502 for 4096x4098x4096 (64x128: 304, mma.sync: 3323) and 17.9 / 52.9 for
  // 4096x1001x512, 64x128 11.0 / 36.5 for 1001x1001x1024 and 23.2 / 50.3 for 77x4097x4096 (128x128: 13.1 and 28.2;
  // mma.sync: 64 and 212).
  {.types = half, .tiling = warpgroups_any_row({128, 128, 64}, 2, 6)},
  {.types = half, .tiling = warpgroups_any_row({64, 128, 64}, 2, 8)},
  {.types = half, .tiling = warpgroups_any_row({128, 32, 64}, 2, 4, 2)},
  {.types = half, .tiling = warpgroups_any_row({128, 16, 64}, 2, 6, 2)},
  {.types = half, .tiling = warpgroups_any_row({128, 8, 64}, 2, 5, 2)},
  // mma.sync: what the tensor copies do not take (other layouts, leading dimensions of A and B, odd k)
  {.types = half, .layouts = all_layouts, .tiling = {.block = {128, 128, 32}, .waves = {2, 4}, .atom = {16, 8, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .layouts = all_layouts, .tiling = {.block = {64, 128, 32}, .waves = {2, 2}, .atom = {16, 8, 16},
    .vector_c = 8, .store = lds_shuffle}},
};

}  // namespace zellige::library::sm90
