// Everything that follows from a config and its target: one constexpr place that kernel, checks, host and model share.
#pragma once

#include "zellige/core/arch.hpp"
#include "zellige/gemm/config.hpp"
#include "zellige/gemm/warpgroup_shape.hpp"
#include "zellige/tile/shape.hpp"

namespace zellige {

/// Threads of a workgroup.
ZELLIGE_HD constexpr int threads_of(const Tiling& t, Arch arch) {
  const int feeders = t.pipeline == Pipeline::tensor_copy ? warpgroup_threads : 0;
  return t.waves.m * t.waves.n * arch_traits(arch).wave_size + feeders;
}

/// Waves that each SIMD holds while min_blocks workgroups share a CU.
ZELLIGE_HD constexpr int waves_per_simd(const Tiling& t, Arch arch) {
  return ceil_div(t.waves.m * t.waves.n, arch_traits(arch).simds) * t.min_blocks;
}

struct Derived {
  int wave_size = 0, threads = 0;
  int bytes_in = 0, bytes_out = 0;
  // What follows is of the pipelines that stage tiles by threads (of others: warpgroup_shape.hpp), but for lds_bytes.
  int wave_m = 0, wave_n = 0;  ///< elements of C a wave
  WaveShape wave{};
  StageShape stage_a{}, stage_b{};
  int stage_bytes = 0;    ///< one LDS buffer: A's tile, then B's
  int buffers = 0;        ///< of LDS
  int shuffle_rows = 0;   ///< rows of the slab of C that passes through LDS at once
  int shuffle_pitch = 0;  ///< bytes between them
  int lds_bytes = 0;      ///< the workgroup's whole pool: the buffers, then the slab in their place
};

/// Needs a config whose block, waves and atom are positive and whose atom exists; check() refuses others first.
ZELLIGE_HD constexpr Derived derive(const GemmConfig& c, Arch arch) {
  const Tiling& t = c.tiling;
  const ArchTraits traits = arch_traits(arch);
  const Mma mma = find_mma(arch, c.input, t.atom);
  Derived d;
  d.wave_size = traits.wave_size;
  d.threads = threads_of(t, arch);
  d.bytes_in = bytes_of(c.input);
  d.bytes_out = bytes_of(c.output);
  if (t.pipeline == Pipeline::tensor_copy) {
    d.lds_bytes = warpgroup_shape(c, false).lds_bytes();
    return d;
  }
  d.wave_m = t.block.m / t.waves.m;
  d.wave_n = t.block.n / t.waves.n;
  const LdsTile tile_a = make_lds_tile(t.lds, t.block.m, t.block.k * d.bytes_in, traits.lds_banks);
  const LdsTile tile_b = make_lds_tile(t.lds, t.block.n, t.block.k * d.bytes_in, traits.lds_banks);
  const int pack = k_pack(mma, t.block.k, d.bytes_in);
  d.wave = {.mma = mma,
            .bytes = d.bytes_in,
            .atoms_m = d.wave_m / t.atom.m,
            .atoms_n = d.wave_n / t.atom.n,
            .pack = pack,
            .steps = t.block.k / (t.atom.k * pack),
            .tile_a = tile_a,
            .tile_b = tile_b};
  d.stage_a = {.rows = t.block.m,
               .depth = t.block.k,
               .vector = t.vector_a,
               .bytes = d.bytes_in,
               .threads = d.threads,
               .along_rows = c.order_a == MatrixOrder::column,
               .lds = tile_a};
  d.stage_b = {.rows = t.block.n,
               .depth = t.block.k,
               .vector = t.vector_b,
               .bytes = d.bytes_in,
               .threads = d.threads,
               .along_rows = c.order_b == MatrixOrder::row,
               .lds = tile_b};
  d.stage_bytes = tile_a.bytes() + tile_b.bytes();
  d.buffers = t.pipeline == Pipeline::double_buffer ? 2 : 1;
  if (t.store == Store::lds_shuffle) {
    d.shuffle_rows = t.waves.m * t.atom.m;
    d.shuffle_pitch = t.block.n * d.bytes_out + 16;  // so that the rows of a lane's accumulator miss each other's banks
  }
  d.lds_bytes = max_of(d.buffers * d.stage_bytes, d.shuffle_rows * d.shuffle_pitch);
  return d;
}

/// About how many registers a lane needs: what check() refuses by and the modelled occupancy counts with.
struct LaneRegisters {
  int accumulators = 0;
  int staged = 0;     ///< both operands' tiles on their way from memory to LDS
  int fragments = 0;  ///< both operands of one k step
  int other = 24;     ///< addresses and counters, as compiled main loops have them

  ZELLIGE_HD constexpr int total() const { return accumulators + staged + fragments + other; }
};

ZELLIGE_HD constexpr LaneRegisters lane_registers(const Derived& d) {
  const WaveShape& w = d.wave;
  return {.accumulators = d.wave_m * d.wave_n / d.wave_size * bytes_of(w.mma.accumulator) / 4,
          .staged = (d.stage_a.rows + d.stage_b.rows) * d.stage_a.depth * d.bytes_in / (4 * d.threads),
          .fragments = w.pack * (w.atoms_m * words_a(w.mma) + w.atoms_n * words_b(w.mma))};
}

}  // namespace zellige
