// Forward convolutions of every build: few, but every type, pipeline, LDS layout, walk, store, vector width and atom.
#pragma once

#include "tables/rows.hpp"

namespace zellige::library {

inline constexpr ConvRow conv_smoke[] = {
  // 16-bit, C/g a multiple of 32: whole runs of channels
  {.types = half, .tiling = {.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = only_bf16, .tiling = {.block = {256, 128, 32}, .waves = {4, 2}, .atom = {32, 32, 8}, .vector_c = 8,
    .walk = run, .store = lds_shuffle}},
  // 16-bit, C/g a multiple of 8
  {.types = half, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_c = 8,
    .store = lds_shuffle}},
  {.types = only_f16, .tiling = {.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}}},
  {.types = only_f16, .tiling = {.block = {128, 256, 32}, .waves = {2, 4}, .atom = {32, 32, 8},
    .pipeline = single_buffer, .lds = padded, .vector_c = 8, .store = lds_shuffle}},
  {.types = only_bf16, .wide_output = true, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {32, 32, 8},
    .vector_c = 4, .store = lds_shuffle}},
  // 16-bit, narrower vectors
  {.types = only_bf16, .tiling = {.block = {64, 32, 32}, .waves = {2, 1}, .atom = {32, 32, 8}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = only_f16, .tiling = {.block = {32, 32, 32}, .waves = {1, 1}, .atom = {32, 32, 8}, .pipeline = single_buffer,
    .lds = padded, .vector_a = 4, .vector_b = 4}},
  {.types = only_f16, .tiling = {.block = {32, 64, 32}, .waves = {1, 2}, .atom = {16, 16, 16},
    .pipeline = single_buffer, .vector_a = 2, .vector_b = 2, .vector_c = 2, .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_a = 1,
    .vector_b = 1}},
  {.types = only_bf16, .tiling = {.block = {128, 64, 16}, .waves = {4, 2}, .atom = {32, 32, 8},
    .pipeline = single_buffer, .vector_a = 1, .vector_b = 1}},
  {.types = only_bf16, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {32, 32, 8}, .lds = padded,
    .vector_a = 1, .vector_b = 1, .vector_c = 8, .store = lds_shuffle}},
  // 16-bit, three axes
  {.types = half, .spatial = 3, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16}}},
  {.types = half, .spatial = 3, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_a = 1,
    .vector_b = 1}},
  // f32
  {.types = single, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 4}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {128, 128, 16}, .waves = {2, 2}, .atom = {32, 32, 2}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {32, 64, 16}, .waves = {1, 2}, .atom = {16, 16, 4}, .pipeline = single_buffer,
    .lds = padded, .vector_a = 2, .vector_b = 2, .vector_c = 2, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 4}, .vector_a = 1,
    .vector_b = 1}},
  {.types = single, .spatial = 3, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {32, 32, 2}, .vector_a = 1,
    .vector_b = 1}},
  // wide atoms
  {.types = half, .tiling = {.block = {128, 128, 64}, .waves = {2, 2}, .atom = {32, 32, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 8,
    .store = lds_shuffle}},
};

}  // namespace zellige::library
