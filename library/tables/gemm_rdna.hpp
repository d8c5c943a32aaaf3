// GEMMs by WMMA of RDNA 3 and 4: waves of 32, gfx1100, gfx1151 and gfx1201.
// Blocks of 128x128 take 8 waves: with 4, a wave's tile of 64x64 leaves too few registers (gfx11's operands, which both
// halves of a wave hold, then spill).
#pragma once

#include "tables/rows.hpp"

namespace zellige::library::rdna {

/// In every build: few, but every type, layout, pipeline, LDS layout, walk, store, vector width and atom.
inline constexpr GemmRow gemm_smoke[] = {
  // 16-bit
  {.types = only_bf16, .tiling = {.block = {128, 128, 32}, .waves = {4, 2}, .atom = {16, 16, 16}, .vector_c = 8,
    .walk = run, .store = lds_shuffle}},
  {.types = only_f16, .layouts = all_layouts, .tiling = {.block = {128, 128, 32}, .waves = {4, 2}, .atom = {16, 16, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = only_bf16, .layouts = only_cr, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = only_f16, .layouts = only_cc, .tiling = {.block = {64, 128, 32}, .waves = {1, 4}, .atom = {16, 16, 16},
    .lds = padded, .vector_a = 4, .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = only_bf16, .layouts = only_rr, .tiling = {.block = {32, 32, 32}, .waves = {1, 1}, .atom = {16, 16, 16},
    .pipeline = single_buffer, .lds = padded, .vector_a = 2, .vector_b = 2}},
  {.types = only_f16, .layouts = only_cr, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 16},
    .vector_a = 1, .vector_b = 1}},
  {.types = only_bf16, .tiling = {.block = {64, 64, 16}, .waves = {4, 2}, .atom = {16, 16, 16}, .vector_a = 1,
    .vector_b = 1}},
  // f32, by fused multiply-adds
  {.types = single, .layouts = {.rc = true, .cr = true}, .tiling = {.block = {64, 64, 16}, .waves = {2, 2},
    .atom = {32, 16, 1}, .vector_a = 4, .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = single, .layouts = only_cr, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {32, 16, 1},
    .pipeline = single_buffer, .vector_a = 1, .vector_b = 1}},
};

/// What ships beside them.
inline constexpr GemmRow gemm_full[] = {
  // 16-bit, every layout, from the largest tile to the smallest
  {.types = half, .layouts = all_layouts, .tiling = {.block = {256, 128, 32}, .waves = {4, 4}, .atom = {16, 16, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .layouts = all_layouts, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .layouts = all_layouts, .tiling = {.block = {128, 64, 32}, .waves = {4, 2}, .atom = {16, 16, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .layouts = all_layouts, .tiling = {.block = {64, 128, 32}, .waves = {2, 4}, .atom = {16, 16, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .layouts = all_layouts, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .layouts = all_layouts, .tiling = {.block = {32, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .layouts = all_layouts, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16},
    .vector_a = 4, .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  // 16-bit, whole runs of k, A and B contiguous along it
  {.types = half, .tiling = {.block = {256, 128, 32}, .waves = {4, 4}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 256, 32}, .waves = {4, 4}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 128, 64}, .waves = {4, 2}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 128, 32}, .waves = {2, 4}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 64, 64}, .waves = {4, 2}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {64, 128, 64}, .waves = {2, 4}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {32, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {32, 128, 64}, .waves = {2, 4}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {32, 32, 64}, .waves = {2, 1}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {16, 64, 64}, .waves = {1, 4}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 128, 32}, .waves = {4, 2}, .atom = {16, 16, 16}, .pipeline = single_buffer,
    .vector_c = 8, .walk = run, .store = lds_shuffle}},
  {.types = half, .wide_output = true, .tiling = {.block = {128, 128, 32}, .waves = {4, 2}, .atom = {16, 16, 16},
    .vector_c = 4, .walk = run, .store = lds_shuffle}},
  // f32, by fused multiply-adds
  {.types = single, .layouts = all_layouts, .tiling = {.block = {128, 128, 16}, .waves = {2, 4}, .atom = {32, 16, 1},
    .vector_a = 4, .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = single, .layouts = all_layouts, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {32, 16, 1},
    .pipeline = single_buffer, .vector_a = 4, .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {128, 128, 16}, .waves = {2, 4}, .atom = {32, 16, 1}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {128, 64, 16}, .waves = {4, 2}, .atom = {32, 16, 1}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {32, 16, 1}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {32, 64, 32}, .waves = {1, 2}, .atom = {32, 16, 1}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {32, 16, 1}, .vector_a = 2,
    .vector_b = 2, .vector_c = 2, .store = lds_shuffle}},
};

}  // namespace zellige::library::rdna
