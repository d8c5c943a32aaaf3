// Forward convolutions by WMMA of RDNA 3 and 4: waves of 32, gfx1100, gfx1151 and gfx1201.
// Blocks of 128x128 take 8 waves: with 4, a wave's tile of 64x64 leaves too few registers (gfx11's operands, which both
// halves of a wave hold, then spill).
#pragma once

#include "tables/rows.hpp"

namespace zellige::library::rdna {

/// In every build: few, but every type, pipeline, LDS layout, walk, store, vector width and atom.
inline constexpr ConvRow conv_smoke[] = {
  // 16-bit, C/g a multiple of 32: whole runs of channels
  {.types = half, .tiling = {.block = {128, 128, 32}, .waves = {4, 2}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  // 16-bit, C/g a multiple of 8
  {.types = half, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_c = 8,
    .store = lds_shuffle}},
  {.types = only_f16, .tiling = {.block = {128, 128, 32}, .waves = {4, 2}, .atom = {16, 16, 16}}},
  {.types = only_f16, .tiling = {.block = {128, 256, 32}, .waves = {4, 4}, .atom = {16, 16, 16},
    .pipeline = single_buffer, .lds = padded, .vector_c = 8, .store = lds_shuffle}},
  {.types = only_bf16, .wide_output = true, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16},
    .vector_c = 4, .store = lds_shuffle}},
  // 16-bit, narrower vectors
  {.types = only_bf16, .tiling = {.block = {64, 32, 32}, .waves = {2, 1}, .atom = {16, 16, 16}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = only_f16, .tiling = {.block = {32, 64, 32}, .waves = {1, 2}, .atom = {16, 16, 16},
    .pipeline = single_buffer, .vector_a = 2, .vector_b = 2, .vector_c = 2, .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {64, 64, 16}, .waves = {4, 2}, .atom = {16, 16, 16}, .vector_a = 1,
    .vector_b = 1}},
  {.types = only_bf16, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 16}, .lds = padded,
    .vector_a = 1, .vector_b = 1, .vector_c = 8, .store = lds_shuffle}},
  // wavelet
  {.types = only_f16, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16}, .pipeline = wavelet,
    .vector_c = 8, .walk = run, .store = lds_shuffle, .load_waves = 4}},
  // 16-bit, one and three axes
  {.types = only_bf16, .spatial = 1, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = only_f16, .spatial = 3, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16}}},
  {.types = only_bf16, .spatial = 3, .tiling = {.block = {64, 64, 16}, .waves = {4, 2}, .atom = {16, 16, 16},
    .vector_a = 1, .vector_b = 1}},
};

/// What ships beside them.
inline constexpr ConvRow conv_full[] = {
  {.types = half, .tiling = {.block = {128, 64, 32}, .waves = {4, 2}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
};

}  // namespace zellige::library::rdna
