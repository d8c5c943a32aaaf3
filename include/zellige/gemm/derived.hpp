// Everything that follows from a tiling: one constexpr place that kernel, checks and host code share.
#pragma once

#include "zellige/core/arch.hpp"
#include "zellige/gemm/config.hpp"
#include "zellige/tile/shape.hpp"

namespace zellige {

struct Derived {
  int wave_size = 0, threads = 0;
  int bytes_in = 0, bytes_out = 0;
  int wave_m = 0, wave_n = 0;               ///< elements of C a wave
  WaveShape wave{};
  StageShape stage_a{}, stage_b{};
  int stage_bytes = 0;                      ///< one LDS buffer: A's tile, then B's
  int buffers = 0;
  int shuffle_rows = 0, shuffle_pitch = 0;  ///< the slab of C that passes through LDS at once: rows, and bytes between them
  int lds_bytes = 0;
};

/// Needs a tiling whose block, waves and atom are positive and whose atom exists; check() refuses others first.
ZELLIGE_HD constexpr Derived derive(Arch arch, DataType input, DataType output, MatrixOrder order_a, MatrixOrder order_b, const Tiling& t) {
  const ArchTraits traits = arch_traits(arch);
  const Mma mma = find_mma(arch, input, t.atom);
  Derived d;
  d.wave_size = traits.wave_size;
  d.threads = t.waves.m * t.waves.n * d.wave_size;
  d.bytes_in = bytes_of(input);
  d.bytes_out = bytes_of(output);
  d.wave_m = t.block.m / t.waves.m;
  d.wave_n = t.block.n / t.waves.n;
  const LdsTile tile_a = make_lds_tile(t.lds, t.block.m, t.block.k * d.bytes_in, traits.lds_banks);
  const LdsTile tile_b = make_lds_tile(t.lds, t.block.n, t.block.k * d.bytes_in, traits.lds_banks);
  const int pack = k_pack(mma, t.block.k, d.bytes_in);
  d.wave = {mma, d.bytes_in, d.wave_m / t.atom.m, d.wave_n / t.atom.n, pack, t.block.k / (t.atom.k * pack), tile_a, tile_b};
  d.stage_a = {t.block.m, t.block.k, t.vector_a, d.bytes_in, d.threads, order_a == MatrixOrder::column, tile_a};
  d.stage_b = {t.block.n, t.block.k, t.vector_b, d.bytes_in, d.threads, order_b == MatrixOrder::row, tile_b};
  d.stage_bytes = tile_a.bytes() + tile_b.bytes();
  d.buffers = t.pipeline == Pipeline::double_buffer ? 2 : 1;
  if (t.store == Store::lds_shuffle) {
    d.shuffle_rows = t.waves.m * t.atom.m;
    d.shuffle_pitch = t.block.n * d.bytes_out + 16;  // 16 bytes apart, so that the rows of a lane's accumulator miss each other's banks
  }
  d.lds_bytes = max_of(d.buffers * d.stage_bytes, d.shuffle_rows * d.shuffle_pitch);
  return d;
}

}  // namespace zellige
