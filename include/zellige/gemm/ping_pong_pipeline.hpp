// Scheduling::ping_pong: two groups of waves, one of each on every SIMD, take turns. While one reads LDS, writes the
// next tile and starts loads, the other has the matrix cores; then they change places.
//
// The groups run the same loop, the second one phase behind; two barriers a tile keep them in step. Tile t is read in
// the phases 2t (first group) and 2t + 1 (second), in which t+1 is written to the other buffer. So it is complete, and
// its buffer's former tile t-1 read by all, before anybody reads or writes there: the barrier at the end of each phase
// orders them.
#pragma once

#include "zellige/gemm/pipeline.hpp"

namespace zellige {

template <Derived d, Walk walk, class StageA, class StageB>
ZELLIGE_DEVICE void run_ping_pong(const GemmArgs& args, const KRange& range, const Buffer& a, const Buffer& b,
                                  char* lds, StageA& stage_a, StageB& stage_b, WaveMma<d.wave>& wave,
                                  std::uint32_t wave_index) {
  constexpr int bytes_a = d.stage_a.lds.bytes(), stage_bytes = d.stage_bytes, steps = d.wave.steps;
  constexpr auto waves_of_group = static_cast<std::uint32_t>(d.multiply_threads / d.wave_size / 2);
  KWalk<walk, d.sliced, d.stage_a.depth, StageA, StageB> tiles{args,    stage_a,      stage_b,
                                                               range.k, range.within, range.tiles};
  auto commit = [&](char* buffer) { stage_a.commit(buffer), stage_b.commit(buffer + bytes_a); };
  const bool behind = wave_index >= waves_of_group;

  tiles.fetch(a, b);
  tiles.advance();
  commit(lds);
  tiles.fetch(a, b);
  tiles.advance();
  barrier_lds();
  if (behind) barrier_lds();
  std::uint32_t current = 0;  // bytes to the buffer that is multiplied
  ZELLIGE_NO_UNROLL
  for (std::uint32_t tile = 0; tile < range.tiles; ++tile) {
    typename WaveMma<d.wave>::FragmentsA from_a[steps];
    typename WaveMma<d.wave>::FragmentsB from_b[steps];
    ZELLIGE_UNROLL
    for (int step = 0; step < steps; ++step)
      wave.read(lds + current, lds + current + bytes_a, step, from_a[step], from_b[step]);
    commit(lds + (stage_bytes - current));
    tiles.fetch(a, b);
    schedule_fence();
    barrier_lds();
    set_priority<1>();
    ZELLIGE_UNROLL
    for (int step = 0; step < steps; ++step) wave.multiply(from_a[step], from_b[step]);
    set_priority<0>();
    schedule_fence();
    barrier_lds();
    tiles.advance();
    current = stage_bytes - current;
  }
  if (!behind) barrier_lds();
}

}  // namespace zellige
