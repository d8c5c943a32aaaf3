// Forward convolutions by WMMA of gfx1250: waves of 32.
// Blocks of 128x128 take 8 waves: with 4, a wave's tile of 64x64 takes over 200 registers, which costs occupancy.
#pragma once

#include "tables/rows.hpp"

namespace zellige::library::gfx1250 {

/// In every build: few, but every type, pipeline, LDS layout, walk, store, vector width and atom.
inline constexpr ConvRow conv_smoke[] = {
  // 16-bit, C/g a multiple of 32: whole runs of channels
  {.types = half, .tiling = {.block = {128, 128, 32}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  // 16-bit, C/g a multiple of 8
  {.types = half, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 8,
    .store = lds_shuffle}},
  {.types = only_f16, .tiling = {.block = {128, 128, 32}, .waves = {4, 2}, .atom = {16, 16, 32}}},
  {.types = only_f16, .tiling = {.block = {128, 256, 32}, .waves = {4, 4}, .atom = {16, 16, 32},
    .pipeline = single_buffer, .lds = padded, .vector_c = 8, .store = lds_shuffle}},
  {.types = only_bf16, .wide_output = true, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32},
    .vector_c = 4, .store = lds_shuffle}},
  // 16-bit, narrower vectors
  {.types = only_bf16, .tiling = {.block = {64, 32, 32}, .waves = {2, 1}, .atom = {16, 16, 32}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = only_f16, .tiling = {.block = {32, 64, 32}, .waves = {1, 2}, .atom = {16, 16, 32},
    .pipeline = single_buffer, .vector_a = 2, .vector_b = 2, .vector_c = 2, .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {64, 64, 32}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_a = 1,
    .vector_b = 1}},
  {.types = only_bf16, .tiling = {.block = {64, 64, 32}, .waves = {4, 2}, .atom = {16, 16, 32}, .lds = padded,
    .vector_a = 1, .vector_b = 1, .vector_c = 8, .store = lds_shuffle}},
  // 16-bit, one and three axes
  {.types = only_bf16, .spatial = 1, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = only_f16, .spatial = 3, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}}},
  {.types = only_bf16, .spatial = 3, .tiling = {.block = {64, 64, 32}, .waves = {4, 2}, .atom = {16, 16, 32},
    .vector_a = 1, .vector_b = 1}},
  // other main loops
  {.types = only_bf16, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}, .pipeline = wavelet,
    .vector_c = 8, .store = lds_shuffle, .load_waves = 4}},
  {.types = only_f16, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32},
    .pipeline = single_buffer, .vector_c = 8, .walk = run, .store = lds_shuffle, .staging = direct_to_lds}},
  // f32
  {.types = single, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 4}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {128, 128, 16}, .waves = {4, 2}, .atom = {16, 16, 4}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {32, 64, 16}, .waves = {1, 2}, .atom = {16, 16, 4}, .pipeline = single_buffer,
    .lds = padded, .vector_a = 2, .vector_b = 2, .vector_c = 2, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 4}, .vector_a = 1,
    .vector_b = 1}},
};

/// What ships beside them.
inline constexpr ConvRow conv_full[] = {
  {.types = half, .tiling = {.block = {128, 64, 32}, .waves = {4, 2}, .atom = {16, 16, 32}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  // wavelet
  {.types = half, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 32}, .pipeline = wavelet,
    .vector_c = 8, .walk = run, .store = lds_shuffle, .load_waves = 4}},
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .pipeline = wavelet,
    .vector_c = 8, .walk = run, .store = lds_shuffle, .load_waves = 4}},
};

}  // namespace zellige::library::gfx1250
