// Pipeline::wavelet: some waves only load, all others only multiply. Loads, their addresses and LDS writes take issue
// slots of other waves than the matrix instructions do, and registers of waves that have no accumulators.
//
// Tile t is multiplied while the load waves write t+1 to the other buffer and t+2 is on its way to their registers. One
// barrier of all waves a tile orders both directions. After the last one, nobody reads or writes the buffers: the
// epilogue may use their place.
#pragma once

#include "zellige/gemm/pipeline.hpp"

namespace zellige {

/// What the load waves do.
template <Derived d, Walk walk, class StageA, class StageB>
ZELLIGE_DEVICE void run_wavelet_loads(const GemmArgs& args, const KRange& range, const Buffer& a, const Buffer& b,
                                      char* lds, StageA& stage_a, StageB& stage_b) {
  constexpr int bytes_a = d.stage_a.lds.bytes(), stage_bytes = d.stage_bytes;
  KWalk<walk, d.sliced, d.stage_a.depth, StageA, StageB> tiles{args,    stage_a,      stage_b,
                                                               range.k, range.within, range.tiles};
  auto commit = [&](char* buffer) { stage_a.commit(buffer), stage_b.commit(buffer + bytes_a); };

  tiles.fetch(a, b);
  tiles.advance();
  commit(lds);
  tiles.fetch(a, b);
  tiles.advance();
  barrier_lds();
  std::uint32_t current = 0;  // bytes to the buffer that is multiplied
  ZELLIGE_NO_UNROLL
  for (std::uint32_t tile = 0; tile < range.tiles; ++tile) {
    commit(lds + (stage_bytes - current));
    tiles.fetch(a, b);
    barrier_lds();
    tiles.advance();
    current = stage_bytes - current;
  }
}

/// What the other waves do.
template <Derived d>
ZELLIGE_DEVICE void run_wavelet_products(const KRange& range, const char* lds, WaveMma<d.wave>& wave) {
  constexpr int bytes_a = d.stage_a.lds.bytes(), stage_bytes = d.stage_bytes, steps = d.wave.steps;
  barrier_lds();
  std::uint32_t current = 0;
  ZELLIGE_NO_UNROLL
  for (std::uint32_t tile = 0; tile < range.tiles; ++tile) {
    ZELLIGE_UNROLL
    for (int step = 0; step < steps; ++step) {
      wave.multiply(lds + current, lds + current + bytes_a, step);
      schedule_fence();
    }
    barrier_lds();
    current = stage_bytes - current;
  }
}

}  // namespace zellige
