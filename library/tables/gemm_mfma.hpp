// GEMMs by MFMA: waves of 64, gfx90a, gfx942 and gfx950.
#pragma once

#include "tables/rows.hpp"

namespace zellige::library::mfma {

/// In every build: few, but every type, layout, pipeline, LDS layout, walk, store, vector width and atom.
inline constexpr GemmRow gemm_smoke[] = {
  // 16-bit
  {.types = only_bf16, .tiling = {.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_c = 8,
    .walk = run, .store = lds_shuffle}},
  {.types = only_f16, .layouts = all_layouts, .tiling = {.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = only_bf16, .layouts = only_cr, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = only_f16, .layouts = only_cc, .tiling = {.block = {64, 128, 32}, .waves = {1, 4}, .atom = {32, 32, 8},
    .lds = padded, .vector_a = 4, .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = only_bf16, .layouts = only_rr, .tiling = {.block = {32, 32, 32}, .waves = {1, 1}, .atom = {16, 16, 16},
    .pipeline = single_buffer, .lds = padded, .vector_a = 2, .vector_b = 2}},
  {.types = only_f16, .layouts = only_cr, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 16},
    .vector_a = 1, .vector_b = 1}},
  {.types = only_bf16, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_a = 1,
    .vector_b = 1}},
  // f32
  {.types = single, .layouts = {.rc = true, .cr = true}, .tiling = {.block = {64, 64, 16}, .waves = {2, 2},
    .atom = {16, 16, 4}, .vector_a = 4, .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = single, .layouts = only_cr, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 4},
    .pipeline = single_buffer, .vector_a = 1, .vector_b = 1}},
  // other main loops
  {.types = only_f16, .tiling = {.block = {256, 128, 32}, .waves = {4, 2}, .atom = {32, 32, 8}, .vector_c = 8,
    .store = lds_shuffle, .scheduling = ping_pong}},
  {.types = only_f16, .layouts = only_rr, .tiling = {.block = {128, 128, 64}, .waves = {2, 2}, .atom = {32, 32, 16},
    .vector_c = 8, .walk = run, .store = lds_shuffle, .transpose = on_read, .scheduling = interleaved}},
  {.types = only_bf16, .layouts = only_cr, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32},
    .vector_c = 8, .store = lds_shuffle, .staging = direct_to_lds, .transpose = on_read}},
  // wide atoms: gfx950
  {.types = only_f16, .tiling = {.block = {128, 128, 64}, .waves = {2, 2}, .atom = {32, 32, 16}, .vector_c = 8,
    .store = lds_shuffle}},
  {.types = only_bf16, .layouts = only_rr, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32},
    .vector_c = 8, .store = lds_shuffle}},
};

/// What ships beside them.
inline constexpr GemmRow gemm_full[] = {
  // 16-bit, every layout, from the largest tile to the smallest
  {.types = half, .layouts = all_layouts, .tiling = {.block = {256, 128, 32}, .waves = {4, 2}, .atom = {32, 32, 8},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .layouts = all_layouts, .tiling = {.block = {128, 128, 64}, .waves = {2, 2}, .atom = {32, 32, 8},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .layouts = all_layouts, .tiling = {.block = {128, 64, 32}, .waves = {2, 2}, .atom = {32, 32, 8},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .layouts = all_layouts, .tiling = {.block = {64, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .layouts = all_layouts, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {32, 32, 8},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .layouts = all_layouts, .tiling = {.block = {32, 64, 64}, .waves = {1, 2}, .atom = {16, 16, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .layouts = all_layouts, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16},
    .vector_a = 4, .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  // 16-bit, whole runs of k, A and B contiguous along it
  {.types = half, .tiling = {.block = {256, 256, 32}, .waves = {2, 4}, .atom = {32, 32, 8}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {256, 128, 32}, .waves = {4, 2}, .atom = {32, 32, 8}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 256, 32}, .waves = {2, 4}, .atom = {32, 32, 8}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 128, 64}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}, .pipeline = single_buffer,
    .vector_c = 8, .walk = run, .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 64, 64}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {64, 128, 64}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {32, 64, 64}, .waves = {1, 2}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {32, 128, 64}, .waves = {1, 4}, .atom = {32, 32, 8}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {32, 32, 64}, .waves = {1, 1}, .atom = {16, 16, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .wide_output = true, .tiling = {.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8},
    .vector_c = 4, .walk = run, .store = lds_shuffle}},
  // f32
  {.types = single, .layouts = all_layouts, .tiling = {.block = {128, 128, 16}, .waves = {2, 2}, .atom = {32, 32, 2},
    .vector_a = 4, .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = single, .layouts = all_layouts, .tiling = {.block = {128, 64, 16}, .waves = {2, 2}, .atom = {32, 32, 2},
    .vector_a = 4, .vector_b = 4, .vector_c = 4, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {256, 128, 16}, .waves = {2, 4}, .atom = {32, 32, 2}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 2}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 4}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {32, 64, 32}, .waves = {1, 2}, .atom = {16, 16, 4}, .vector_a = 4,
    .vector_b = 4, .vector_c = 4, .walk = run, .store = lds_shuffle}},
  {.types = single, .tiling = {.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 4}, .vector_a = 2,
    .vector_b = 2, .vector_c = 2, .store = lds_shuffle}},
  // wide atoms: gfx950
  {.types = half, .layouts = all_layouts, .tiling = {.block = {256, 128, 64}, .waves = {4, 2}, .atom = {32, 32, 16},
    .vector_c = 8, .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {256, 256, 64}, .waves = {2, 4}, .atom = {32, 32, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {256, 128, 64}, .waves = {4, 2}, .atom = {32, 32, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 256, 64}, .waves = {2, 4}, .atom = {32, 32, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 128, 64}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {128, 64, 64}, .waves = {2, 2}, .atom = {32, 32, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  {.types = half, .tiling = {.block = {64, 64, 128}, .waves = {2, 2}, .atom = {16, 16, 32}, .vector_c = 8, .walk = run,
    .store = lds_shuffle}},
  // other main loops: operands along rows (gfx950), few workgroups
  {.types = half, .layouts = along_rows, .tiling = {.block = {256, 128, 64}, .waves = {4, 2}, .atom = {32, 32, 16},
    .vector_c = 8, .store = lds_shuffle, .transpose = on_read}},
  {.types = half, .layouts = along_rows, .tiling = {.block = {128, 128, 64}, .waves = {2, 2}, .atom = {32, 32, 16},
    .vector_c = 8, .store = lds_shuffle, .transpose = on_read}},
  {.types = half, .layouts = along_rows, .tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32},
    .vector_c = 8, .store = lds_shuffle, .transpose = on_read}},
  {.types = half, .tiling = {.block = {128, 128, 64}, .waves = {2, 2}, .atom = {32, 32, 16}, .vector_c = 8, .walk = run,
    .store = lds_shuffle, .scheduling = interleaved}},
  {.types = half, .tiling = {.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_c = 8, .walk = run,
    .store = lds_shuffle, .scheduling = interleaved}},
};

}  // namespace zellige::library::mfma
