// Everything that follows from a tiling: one constexpr place that kernel, checks and host code share.
#pragma once

#include "zellige/atom/mma.hpp"
#include "zellige/core/arch.hpp"
#include "zellige/gemm/config.hpp"
#include "zellige/layout/swizzle.hpp"

namespace zellige {

/// How one operand's tile (rows by block.k) is carried from global memory to LDS by all threads.
struct StageShape {
  int rows = 0, depth = 0;    ///< the tile: elements
  int vector = 0, bytes = 0;  ///< elements a load, bytes an element
  int threads = 0;
  bool along_rows = false;    ///< memory is contiguous along rows instead of k: the tile is transposed on its way
  LdsTile lds{};              ///< where it goes

  bool operator==(const StageShape&) const = default;

  // Memory contiguous along k: a lane loads `vector` elements of a row.
  ZELLIGE_HD constexpr int lanes_along_k() const { return along_rows ? threads / lanes_along_rows() : depth / vector; }
  ZELLIGE_HD constexpr int lanes_along_rows() const { return along_rows ? rows / vector : threads / lanes_along_k(); }
  /// Elements of k that a lane gathers for one LDS write when it transposes: as many as fill 16 bytes, while all lanes have work.
  ZELLIGE_HD constexpr int gather() const {
    int n = 16 / bytes;
    while (n > 1 && lanes_along_k() * n > depth) n /= 2;
    return n;
  }
  /// Times that all threads together load, to cover the tile.
  ZELLIGE_HD constexpr int passes() const { return along_rows ? depth / (lanes_along_k() * gather()) : rows / lanes_along_rows(); }
};

/// Atoms along k whose operands one 16-byte LDS read of a lane holds, as far as they divide block.k.
ZELLIGE_HD constexpr int k_pack(const Mma& mma, int block_k, int bytes) {
  int pack = 1;
  while (pack * 2 * k_slots(mma.a) * bytes <= 16 && block_k % (mma.shape.k * pack * 2) == 0) pack *= 2;
  return pack;
}

struct Derived {
  Mma mma{};
  int wave_size = 0, threads = 0;
  int bytes_in = 0, bytes_out = 0;
  int wave_m = 0, wave_n = 0;    ///< elements of C a wave
  int atoms_m = 0, atoms_n = 0;  ///< atoms a wave
  int pack = 0;                  ///< atoms that one LDS read of an operand feeds, along k
  int steps = 0;                 ///< LDS reads along k
  StageShape stage_a{}, stage_b{};
  int stage_bytes = 0;           ///< one LDS buffer: A's tile, then B's
  int buffers = 0;
  int shuffle_rows = 0, shuffle_pitch = 0;  ///< the slab of C that passes through LDS at once: rows, and bytes between them
  int lds_bytes = 0;
};

/// Needs a tiling whose block, waves and atom are positive and whose atom exists; check() refuses others first.
ZELLIGE_HD constexpr Derived derive(Arch arch, DataType input, DataType output, MatrixOrder order_a, MatrixOrder order_b, const Tiling& t) {
  Derived d;
  d.mma = find_mma(arch, input, t.atom);
  const ArchTraits traits = arch_traits(arch);
  d.wave_size = traits.wave_size;
  d.threads = t.waves.m * t.waves.n * d.wave_size;
  d.bytes_in = bytes_of(input);
  d.bytes_out = bytes_of(output);
  d.wave_m = t.block.m / t.waves.m;
  d.wave_n = t.block.n / t.waves.n;
  d.atoms_m = d.wave_m / t.atom.m;
  d.atoms_n = d.wave_n / t.atom.n;
  d.pack = k_pack(d.mma, t.block.k, d.bytes_in);
  d.steps = t.block.k / (t.atom.k * d.pack);
  d.stage_a = {t.block.m, t.block.k, t.vector_a, d.bytes_in, d.threads, order_a == MatrixOrder::column,
               make_lds_tile(t.lds, t.block.m, t.block.k * d.bytes_in, arch_traits(arch).lds_banks)};
  d.stage_b = {t.block.n, t.block.k, t.vector_b, d.bytes_in, d.threads, order_b == MatrixOrder::row,
               make_lds_tile(t.lds, t.block.n, t.block.k * d.bytes_in, arch_traits(arch).lds_banks)};
  d.stage_bytes = d.stage_a.lds.bytes() + d.stage_b.lds.bytes();
  d.buffers = t.pipeline == Pipeline::double_buffer ? 2 : 1;
  if (t.store == Store::lds_shuffle) {
    d.shuffle_rows = t.waves.m * t.atom.m;
    d.shuffle_pitch = t.block.n * d.bytes_out + 16;  // 16 bytes apart, so that the rows of a lane's accumulator miss each other's banks
  }
  d.lds_bytes = max_of(d.buffers * d.stage_bytes, d.shuffle_rows * d.shuffle_pitch);
  return d;
}

}  // namespace zellige
