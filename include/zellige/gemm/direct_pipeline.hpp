// The main loops of Staging::direct_to_lds: copies go from memory to LDS while other tiles are multiplied, and take
// neither registers nor LDS writes.
#pragma once

#include "zellige/gemm/pipeline.hpp"
#include "zellige/tile/direct_stage.hpp"

namespace zellige {

/// Two LDS buffers, one barrier a tile: tile t is multiplied while t+1 is copied. A wave waits for its own copies
/// before the barrier, so that after it the tile is there for all.
template <Derived d, Walk walk, class StageA, class StageB>
ZELLIGE_DEVICE void run_direct_double_buffer(const GemmArgs& args, const KRange& range, const Buffer& a,
                                             const Buffer& b, char* lds, StageA& stage_a, StageB& stage_b,
                                             WaveMma<d.wave>& wave) {
  constexpr int bytes_a = d.stage_a.lds.bytes(), stage_bytes = d.stage_bytes, steps = d.wave.steps;
  KWalk<walk, d.sliced, d.stage_a.depth, StageA, StageB> tiles{args,    stage_a,      stage_b,
                                                               range.k, range.within, range.tiles};
  auto copy = [&](char* buffer) { tiles.copy(a, b, buffer, buffer + bytes_a); };

  copy(lds);
  tiles.advance();
  wait_copies_to_lds();
  barrier_lds();
  std::uint32_t current = 0;  // bytes to the buffer that is multiplied
  ZELLIGE_NO_UNROLL
  for (std::uint32_t tile = 0; tile < range.tiles; ++tile) {
    copy(lds + (stage_bytes - current));
    ZELLIGE_UNROLL
    for (int step = 0; step < steps; ++step) {
      wave.multiply(lds + current, lds + current + bytes_a, step);
      if constexpr (d.scheduling == Scheduling::compiler) schedule_fence();
    }
    if constexpr (d.scheduling == Scheduling::interleaved) interleave<interleave_plan(d)>();
    wait_copies_to_lds();
    barrier_lds();
    tiles.advance();
    current = stage_bytes - current;
  }
}

/// One LDS buffer, two barriers a tile. Nothing of a workgroup overlaps its copies: other workgroups of the CU do.
template <Derived d, Walk walk, class StageA, class StageB>
ZELLIGE_DEVICE void run_direct_single_buffer(const GemmArgs& args, const KRange& range, const Buffer& a,
                                             const Buffer& b, char* lds, StageA& stage_a, StageB& stage_b,
                                             WaveMma<d.wave>& wave) {
  constexpr int bytes_a = d.stage_a.lds.bytes(), steps = d.wave.steps;
  KWalk<walk, d.sliced, d.stage_a.depth, StageA, StageB> tiles{args,    stage_a,      stage_b,
                                                               range.k, range.within, range.tiles};
  ZELLIGE_NO_UNROLL
  for (std::uint32_t tile = 0; tile < range.tiles; ++tile) {
    tiles.copy(a, b, lds, lds + bytes_a);
    tiles.advance();
    wait_copies_to_lds();
    barrier_lds();
    ZELLIGE_UNROLL
    for (int step = 0; step < steps; ++step) {
      wave.multiply(lds, lds + bytes_a, step);
      if constexpr (d.scheduling == Scheduling::compiler) schedule_fence();
    }
    if constexpr (d.scheduling == Scheduling::interleaved) interleave<interleave_plan(d)>();
    barrier_lds();
  }
}

}  // namespace zellige
