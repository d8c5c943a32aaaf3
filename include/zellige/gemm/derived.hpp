// Everything that follows from a config and its target: one constexpr place that kernel, checks, host and model share.
#pragma once

#include "zellige/core/arch.hpp"
#include "zellige/gemm/config.hpp"
#include "zellige/gemm/warpgroup_shape.hpp"
#include "zellige/tile/shape.hpp"

namespace zellige {

/// Waves of a workgroup.
ZELLIGE_HD constexpr int waves_of(const Tiling& t) { return t.waves.m * t.waves.n + t.load_waves; }

/// Threads of a workgroup.
ZELLIGE_HD constexpr int threads_of(const Tiling& t, Arch arch) {
  // Of few_channels one warp feeds: its consumers have the registers of the launch, and none to hand on.
  const int feeders = t.pipeline == Pipeline::tensor_copy    ? warpgroup_threads
                      : t.pipeline == Pipeline::few_channels ? arch_traits(arch).wave_size
                                                             : 0;
  return waves_of(t) * arch_traits(arch).wave_size + feeders;
}

/// Waves that each SIMD holds while min_blocks workgroups share a CU.
ZELLIGE_HD constexpr int waves_per_simd(const Tiling& t, Arch arch) {
  return ceil_div(waves_of(t), arch_traits(arch).simds) * t.min_blocks;
}

struct Derived {
  int wave_size = 0, threads = 0;
  int multiply_threads = 0, load_threads = 0;  ///< those of waves that multiply, and of waves that only load
  int bytes_in = 0, bytes_out = 0;
  bool sliced = false;  ///< the reduction is split
  DataType stored{};    ///< of the elements that leave the main loop: the output's, of slices the accumulator's
  int bytes_stored = 0;
  // What follows is of the pipelines that stage tiles by threads (of others: warpgroup_shape.hpp), but for lds_bytes.
  int wave_m = 0, wave_n = 0;  ///< elements of C a wave
  WaveShape wave{};
  StageShape stage_a{}, stage_b{};
  int stage_bytes = 0;    ///< one LDS buffer: A's tile, then B's
  int buffers = 0;        ///< of LDS
  int shuffle_rows = 0;   ///< rows of the slab of C that passes through LDS at once
  int shuffle_pitch = 0;  ///< bytes between them
  int lds_bytes = 0;      ///< the workgroup's whole pool: the buffers, then the slab in their place
  Staging staging = Staging::registers;
  Scheduling scheduling = Scheduling::compiler;
};

namespace detail {

/// An operand's tile in LDS: lines along k, or along its rows where these are read by transposed loads.
ZELLIGE_HD constexpr LdsTile operand_tile(const Tiling& t, int rows, int atom_rows, int owned_k, int bytes,
                                          bool keep_order, const ArchTraits& traits) {
  if (!keep_order) return make_lds_tile(t.lds, rows, t.block.k * bytes, traits.lds_banks);
  // A phase of 8-byte reads holds 32 lanes: two groups of a 16-row atom, as far apart in k as lanes own.
  const int elements = traits.transposed_lds_bytes / bytes;
  const bool apart = traits.transposed_lds_bytes == 8 && atom_rows == 16 && owned_k > elements;
  return make_transposed_lds_tile(t.lds, t.block.k, rows * bytes, traits.lds_banks, max_of(1, atom_rows * bytes / 16),
                                  apart ? log2_floor(static_cast<std::uint64_t>(elements)) : -1);
}

}  // namespace detail

/// Needs a config whose block, waves and atom are positive and whose atom exists; check() refuses others first.
ZELLIGE_HD constexpr Derived derive(const GemmConfig& c, Arch arch) {
  const Tiling& t = c.tiling;
  const ArchTraits traits = arch_traits(arch);
  const Mma mma = find_mma(arch, {c.input, weight_of(c.input, c.weight)}, t.atom);
  Derived d;
  d.wave_size = traits.wave_size;
  d.threads = threads_of(t, arch);
  d.multiply_threads = t.waves.m * t.waves.n * traits.wave_size;
  d.load_threads = t.load_waves * traits.wave_size;
  d.staging = t.staging;
  d.scheduling = t.scheduling;
  d.bytes_in = bytes_of(c.input);
  d.bytes_out = bytes_of(c.output);
  d.sliced = t.split_k != SplitK::none;
  d.stored = d.sliced ? mma.accumulator : c.output;
  d.bytes_stored = bytes_of(d.stored);
  if (by_warpgroups(t.pipeline)) {  // how much of it few_channels takes depends on the problem
    d.wave.mma = mma;
    d.lds_bytes = t.pipeline == Pipeline::tensor_copy ? warpgroup_shape(c, false).lds_bytes()
                                                      : shared_bytes_of_one(traits, t.min_blocks);
    return d;
  }
  d.wave_m = t.block.m / t.waves.m;
  d.wave_n = t.block.n / t.waves.n;
  const bool along_m = c.order_a == MatrixOrder::column, along_n = c.order_b == MatrixOrder::row;
  const bool keep_a = along_m && t.transpose == Transpose::on_read;
  const bool keep_b = along_n && t.transpose == Transpose::on_read;
  const int pack = k_pack(mma, t.block.k, d.bytes_in), owned_k = pack * k_slots(mma.a);
  const LdsTile tile_a = detail::operand_tile(t, t.block.m, t.atom.m, owned_k, d.bytes_in, keep_a, traits);
  const LdsTile tile_b = detail::operand_tile(t, t.block.n, t.atom.n, owned_k, d.bytes_in, keep_b, traits);
  d.wave = {.mma = mma,
            .bytes = d.bytes_in,
            .atoms_m = d.wave_m / t.atom.m,
            .atoms_n = d.wave_n / t.atom.n,
            .pack = pack,
            .steps = t.block.k / (t.atom.k * pack),
            .tile_a = tile_a,
            .tile_b = tile_b,
            .transposed_a = keep_a ? traits.transposed_lds_bytes : 0,
            .transposed_b = keep_b ? traits.transposed_lds_bytes : 0};
  const int stage_threads = d.load_threads > 0 ? d.load_threads : d.threads;
  d.stage_a = {.rows = t.block.m,
               .depth = t.block.k,
               .vector = t.vector_a,
               .bytes = d.bytes_in,
               .threads = stage_threads,
               .along_rows = along_m,
               .keep_order = keep_a,
               .lds = tile_a};
  d.stage_b = {.rows = t.block.n,
               .depth = t.block.k,
               .vector = t.vector_b,
               .bytes = d.bytes_in,
               .threads = stage_threads,
               .along_rows = along_n,
               .keep_order = keep_b,
               .lds = tile_b};
  d.stage_bytes = tile_a.bytes() + tile_b.bytes();
  d.buffers = t.pipeline == Pipeline::single_buffer ? 1 : 2;
  if (t.store == Store::lds_shuffle) {
    d.shuffle_rows = t.waves.m * t.atom.m;
    d.shuffle_pitch =
        t.block.n * d.bytes_stored + 16;  // so that the rows of a lane's accumulator miss each other's banks
  }
  d.lds_bytes = max_of(d.buffers * d.stage_bytes, d.shuffle_rows * d.shuffle_pitch);
  return d;
}

/// About how many registers a lane needs: what check() refuses by and the modelled occupancy counts with.
struct LaneRegisters {
  int accumulators = 0;
  int staged = 0;     ///< both operands' tiles on their way from memory to LDS, beside all else
  int fragments = 0;  ///< both operands of one k step, or of all where a phase reads them
  int other = 24;     ///< addresses and counters, as compiled main loops have them

  ZELLIGE_HD constexpr int total() const { return accumulators + staged + fragments + other; }
};

ZELLIGE_HD constexpr LaneRegisters lane_registers(const Derived& d) {
  const WaveShape& w = d.wave;
  const int parts = w.mma.products > 1 ? 2 : 1;  // split operands stand beside what was read
  LaneRegisters need{
      .accumulators = d.wave_m * d.wave_n / d.wave_size * bytes_of(w.mma.accumulator) / 4,
      .staged = (d.stage_a.rows + d.stage_b.rows) * d.stage_a.depth * d.bytes_in / (4 * max_of(1, d.stage_a.threads)),
      .fragments = parts * w.pack * (w.atoms_m * words_a(w.mma) + w.atoms_n * words_b(w.mma))};
  if (d.scheduling == Scheduling::ping_pong) need.fragments *= w.steps;
  if (d.staging == Staging::direct_to_lds) need.staged = 0;
  // Waves that only load have no accumulators: all of a kernel's waves get what the neediest wants.
  if (d.load_threads != 0) need.staged = max_of(0, need.staged - need.accumulators - need.fragments);
  return need;
}

}  // namespace zellige
