// Forward convolutions of sm_90 (waves of 32): rows of every build, and what ships beside them.
#pragma once

#include "tables/warpgroup_rows.hpp"

namespace zellige::library::sm90 {

inline constexpr ConvRow conv_smoke[] = {
  // warpgroups
  {.types = half, .tiling = warpgroups({128, 128, 64}, 2, 2, 4)},
  {.types = only_bf16, .tiling = warpgroups({64, 64, 64}, 2, 2, 4)},
  {.types = only_bf16, .tiling = warpgroups({128, 32, 32}, 2, 2, 4, 3)},
  {.types = only_bf16, .tiling = warpgroups({64, 48, 64}, 2, 2, 6)},
  {.types = only_bf16, .tiling = warpgroups_any_row({64, 8, 64}, 2, 6, 3)},
  {.types = only_bf16, .tiling = warpgroups({64, 64, 64}, 2, 2, 6, 1, two_stage)},
  {.types = only_bf16, .tiling = warpgroups({64, 64, 64}, 2, 2, 6, 1, cluster, 4)},
  // warpgroups of few channels
  {.types = half, .tiling = few_channels_rows({128, 64, 32}, 4, 2)},
  {.types = only_bf16, .tiling = few_channels_rows({64, 32, 16}, 4, 4)},
  // mma.sync
  {.types = only_tf32, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 8, 8}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = only_tf32, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 8, 8}, .vector_a = 1,
    .vector_b = 1}},
  {.types = half, .tiling = {.block = {128, 128, 32}, .waves = {2, 4}, .atom = {16, 8, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 8, 16}, .vector_c = 8,
    .store = lds_shuffle}},
  {.types = only_f16, .wide_output = true, .tiling = {.block = {64, 32, 32}, .waves = {2, 1}, .atom = {16, 8, 16},
    .pipeline = single_buffer, .lds = padded, .vector_a = 4, .vector_b = 4}},
  {.types = half, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 8, 16}, .vector_a = 1,
    .vector_b = 1}},
  {.types = only_f16, .spatial = 1, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 8, 16},
    .vector_a = 2, .vector_b = 2, .vector_c = 2, .store = lds_shuffle}},
  {.types = half, .spatial = 3, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 8, 16}, .vector_a = 1,
    .vector_b = 1}},
  {.types = only_bf16, .spatial = 3, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 8, 16},
    .vector_c = 8, .store = lds_shuffle}},
};

inline constexpr ConvRow conv_full[] = {
  // Warpgroups: each of these tilings was the fastest of all for some layer of five networks on an H200. Blocks of 192,
  // 96 and 48 fit where others leave a wave of tiles half empty; us of these, of the best of the others, of cuDNN:
  // 192x128 15.5 / 16.6 / 14.9 for 1024 channels of 14x14 to 512 filters at n=32, 17.3 / 18.8 / 21.8 for 128 of 28x28
  // to 128 of 3x3; 192x64 18.5 / 20.0 / 23.9 for 320 of 32x32 to 640 of 3x3 at n=2; 128x96 29.3 / 33.3 / 36.1 for 640
  // to 640 there; 64x192 12.4 / 13.9 / 17.1 for 384 of 14x14 to 768 of 2x2 at n=32; 64x48 15.0 / 15.3 / 17.6 for 640 of
  // 16x16 to 1280 of 3x3 at n=1.
  {.types = half, .tiling = warpgroups({128, 256, 64}, 2, 2, 4)},
  {.types = half, .tiling = warpgroups({128, 192, 64}, 2, 2, 4)},
  {.types = half, .tiling = warpgroups({192, 128, 64}, 2, 2, 4)},
  {.types = half, .tiling = warpgroups({192, 64, 64}, 2, 2, 6)},
  {.types = half, .tiling = warpgroups({64, 192, 64}, 2, 2, 6)},
  {.types = half, .tiling = warpgroups({128, 96, 64}, 2, 2, 7)},
  {.types = half, .tiling = warpgroups({64, 48, 64}, 2, 2, 13)},
  {.types = half, .tiling = warpgroups({128, 128, 64}, 2, 2, 6)},
  {.types = half, .tiling = warpgroups({128, 64, 64}, 2, 2, 8)},
  {.types = half, .tiling = warpgroups({128, 64, 64}, 2, 2, 3, 2)},
  {.types = half, .tiling = warpgroups({64, 256, 64}, 2, 2, 4)},
  {.types = half, .tiling = warpgroups({64, 128, 64}, 2, 2, 8)},
  {.types = half, .tiling = warpgroups({64, 64, 64}, 2, 2, 12)},
  {.types = half, .tiling = warpgroups({64, 64, 64}, 2, 2, 3, 3)},
  {.types = half, .tiling = warpgroups({64, 32, 64}, 2, 2, 3, 4)},
  {.types = half, .tiling = warpgroups({64, 32, 64}, 2, 2, 16)},
  {.types = half, .tiling = warpgroups({128, 32, 64}, 2, 2, 3, 2)},
  {.types = half, .tiling = warpgroups({128, 16, 32}, 2, 2, 4, 3)},
  {.types = half, .tiling = warpgroups({128, 64, 32}, 2, 2, 4, 2)},
  {.types = half, .tiling = warpgroups({128, 64, 16}, 2, 2, 4, 2)},
  {.types = half, .tiling = warpgroups({128, 32, 16}, 2, 2, 4, 3)},
  // warpgroups that split the reduction
  {.types = half, .tiling = warpgroups({64, 128, 64}, 2, 2, 5, 1, two_stage)},
  {.types = half, .tiling = warpgroups({64, 64, 64}, 2, 2, 12, 1, two_stage)},
  {.types = half, .tiling = warpgroups({64, 32, 64}, 2, 2, 16, 1, cluster, 2)},
  {.types = half, .tiling = warpgroups({64, 32, 64}, 2, 2, 16, 1, cluster, 3)},
  {.types = half, .tiling = warpgroups({64, 32, 64}, 2, 2, 16, 1, cluster, 4)},
  {.types = half, .tiling = warpgroups({64, 32, 64}, 2, 2, 16, 1, cluster, 6)},
  {.types = half, .tiling = warpgroups({64, 48, 64}, 2, 2, 13, 1, cluster, 4)},
  {.types = half, .tiling = warpgroups({64, 64, 64}, 2, 2, 11, 1, cluster, 2)},
  {.types = half, .tiling = warpgroups({64, 64, 64}, 2, 2, 11, 1, cluster, 4)},
  {.types = half, .tiling = warpgroups({64, 64, 64}, 2, 2, 9, 1, cluster, 8)},
  {.types = half, .tiling = warpgroups({128, 64, 64}, 2, 2, 7, 1, cluster, 4)},
  {.types = half, .tiling = warpgroups({64, 128, 64}, 2, 2, 7, 1, cluster, 2)},
  {.types = half, .tiling = warpgroups({64, 128, 64}, 2, 2, 7, 1, cluster, 4)},
  // Thin 1x1 layers, whose blocks take all columns and so keep B in shared memory. On an H200 at n=32, us of these, of
  // cuDNN, and of copying B for each tile: 128x144 takes 14.4 / 16.9 / 21.2 for 24 channels of 56x56 to 144 filters
  // (64x144: 15.7, 192x144: 14.1), 128x96 30.1 / 32.3 / 40.5 for 16 of 112x112 to 96 (128x144: 29.3, 256x96: 33.0),
  // 256x16 16.4 / 19.0 / 19.6 for 32 of 112x112 to 16 (256x32: 17.0, 128x16: 18.1).
  {.types = half, .tiling = warpgroups({128, 144, 32}, 2, 2, 4)},
  {.types = half, .tiling = warpgroups({128, 96, 16}, 2, 2, 4, 2)},
  {.types = half, .tiling = warpgroups({256, 16, 32}, 2, 2, 4, 2)},
  // Warpgroups whose output rows begin anywhere (3 filters, odd numbers of them). On an H200, us of this library and of
  // cuDNN: 64x8 takes 139 / 184 for 128 channels of 512x512 to 3 filters of 3x3 at n=2, 73.7 / 104.6 at n=1 (128x8: 136
  // and 71.2, 256x8: 138 and 72.9, 128x16: 180, 128x32: 255; mma.sync: 2057), 7.5 / 16.7 for 5 filters over small
  // images (128x8: 8.1, 256x8: 11.8); 128x32 5.8 / 7.2 for 1001 filters of 14x14 at n=2 (128x16: 7.1, 128x128: 7.9),
  // and with 128x128 10.5 / 25.0 for 1001 of 7x7 at n=32.
  {.types = only_f16, .tiling = warpgroups_any_row({64, 8, 64}, 2, 6, 3)},
  {.types = half, .tiling = warpgroups_any_row({128, 32, 64}, 2, 4, 2)},
  {.types = half, .tiling = warpgroups_any_row({128, 128, 64}, 2, 6)},
  // Warpgroups of few channels. On an H200, us of these (3 channels of 224x224, bf16) and of cuDNN: 256x64x32 takes
  // 34.7 / 224 for 64 filters of 7x7 at n=32 (128x64x32 of 2 workgroups an SM: 39.8), 42.1 / 257 for 1024 of 14x14
  // (128x128x32: 44.4); 128x128x32 53.0 / 318 for 1280 of 14x14 (128x96x16: 73.3); 64x96x16 14.6 / 68 for 96 of 4x4
  // (128x96x16: 16.6); 128x32x32 15.9 / 69 for 32 of 3x3 (64x32x32: 18.1) and 11.6 / 21.5 for 64 of 7x7 at n=1;
  // 128x64x32 13.2 / 73 for 1024 of 14x14 at n=1; 64x64x32 10.4 / 16.2 for 64 of 3x3 over 8 channels of 112x112 at
  // n=16.
  {.types = half, .tiling = few_channels_rows({256, 64, 32}, 4, 1)},
  {.types = half, .tiling = few_channels_rows({128, 128, 32}, 8, 1)},
  {.types = half, .tiling = few_channels_rows({64, 96, 16}, 4, 3)},
  {.types = half, .tiling = few_channels_rows({128, 32, 32}, 4, 3)},
  {.types = half, .tiling = few_channels_rows({128, 64, 32}, 8, 1)},
  {.types = half, .tiling = few_channels_rows({64, 64, 32}, 4, 3)},
  // mma.sync: what the tensor copies do not take (image rows of no multiple of 16 bytes, three axes)
  {.types = half, .tiling = {.block = {128, 64, 32}, .waves = {2, 2}, .atom = {16, 8, 16}, .vector_a = 2, .vector_b = 2,
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 8, 16}, .vector_a = 2, .vector_b = 2,
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 64, 32}, .waves = {2, 2}, .atom = {16, 8, 16}, .vector_a = 4, .vector_b = 4,
    .vector_c = 8, .store = lds_shuffle}},
  {.types = only_f16, .spatial = 3, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 8, 16},
    .vector_c = 8, .store = lds_shuffle}},
};

}  // namespace zellige::library::sm90
