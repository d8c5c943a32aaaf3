// The main loops: how staging, LDS and matrix instructions overlap.
//
// Both keep the next tile's loads in flight while the current tile is multiplied. Tiles past the end of the reduction
// are fetched (their elements do not exist, so they are zeros that cost no memory traffic) but never multiplied, so
// that the loops need neither a tail nor a condition.
#pragma once

#include "zellige/atom/sync.hpp"
#include "zellige/gemm/args.hpp"
#include "zellige/gemm/interleave.hpp"
#include "zellige/tile/mma.hpp"
#include "zellige/tile/stage.hpp"

namespace zellige {

/// The part of the reduction that a workgroup walks: `tiles` tiles from `within` elements into the run that begins at
/// k. The stages are located at k when a pipeline begins.
struct KRange {
  std::uint32_t k = 0, within = 0, tiles = 0;
};

/// The walk of both operands along k. In a run (a range of k over which both views are linear) only `within` moves, a
/// scalar; where a run ends the views are evaluated again. advance() is apart from the fetches on purpose: it may
/// branch, and a branch between the loads and the matrix instructions would end the basic block in which the scheduler
/// mixes them.
///
/// A slice of the reduction ends before the reduction does: the tiles past it are taken from past the reduction, where
/// nothing exists, so that they cost no memory traffic either.
template <Walk walk, bool sliced, int depth, class StageA, class StageB>
struct KWalk {
  const GemmArgs& args;
  StageA& stage_a;
  StageB& stage_b;
  std::uint32_t k = 0, within = 0, left = 0;  // left: tiles of the slice from the current one on

  ZELLIGE_DEVICE void fetch(const Buffer& a, const Buffer& b) const {
    stage_a.fetch(a, args.view_a, within);
    stage_b.fetch(b, args.view_b, within);
  }
  /// Of direct stages: starts the copies to the tiles at lds_a and lds_b.
  ZELLIGE_DEVICE void copy(const Buffer& a, const Buffer& b, char* lds_a, char* lds_b) const {
    stage_a.copy(a, args.view_a, within, lds_a);
    stage_b.copy(b, args.view_b, within, lds_b);
  }
  ZELLIGE_DEVICE void advance() {
    if constexpr (sliced) {
      if (left == 0) return;
      if (--left == 0) return locate_at(args.k);
    }
    if constexpr (walk == Walk::run) {
      within += depth;
      if (within != args.run) return;
      locate_at(k + args.run);
    } else {
      locate_at(k + depth);
    }
  }

 private:
  ZELLIGE_DEVICE void locate_at(std::uint32_t begin) {
    k = begin;
    within = 0;
    stage_a.locate(args.view_a, k);
    stage_b.locate(args.view_b, k);
  }
};

/// Two LDS buffers, one barrier a tile: tile t is multiplied while t+1 goes from registers to LDS and t+2 from memory
/// to registers.
template <Derived d, Walk walk, class StageA, class StageB>
ZELLIGE_DEVICE void run_double_buffer(const GemmArgs& args, const KRange& range, const Buffer& a, const Buffer& b,
                                      char* lds, StageA& stage_a, StageB& stage_b, WaveMma<d.wave>& wave) {
  constexpr int bytes_a = d.stage_a.lds.bytes(), stage_bytes = d.stage_bytes, steps = d.wave.steps;
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
    ZELLIGE_UNROLL
    for (int step = 0; step < steps; ++step) {
      wave.multiply(lds + current, lds + current + bytes_a, step);
      if constexpr (d.scheduling == Scheduling::compiler) schedule_fence();
    }
    if constexpr (d.scheduling == Scheduling::interleaved) interleave<interleave_plan(d)>();
    barrier_lds();
    tiles.advance();
    current = stage_bytes - current;
  }
}

/// One LDS buffer, two barriers a tile: half the LDS, so that more workgroups share a CU and hide each other's waits.
template <Derived d, Walk walk, class StageA, class StageB>
ZELLIGE_DEVICE void run_single_buffer(const GemmArgs& args, const KRange& range, const Buffer& a, const Buffer& b,
                                      char* lds, StageA& stage_a, StageB& stage_b, WaveMma<d.wave>& wave) {
  constexpr int bytes_a = d.stage_a.lds.bytes(), steps = d.wave.steps;
  KWalk<walk, d.sliced, d.stage_a.depth, StageA, StageB> tiles{args,    stage_a,      stage_b,
                                                               range.k, range.within, range.tiles};
  tiles.fetch(a, b);
  tiles.advance();
  ZELLIGE_NO_UNROLL
  for (std::uint32_t tile = 0; tile < range.tiles; ++tile) {
    stage_a.commit(lds);
    stage_b.commit(lds + bytes_a);
    barrier_lds();
    tiles.fetch(a, b);
    ZELLIGE_UNROLL
    for (int step = 0; step < steps; ++step) {
      wave.multiply(lds, lds + bytes_a, step);
      if constexpr (d.scheduling == Scheduling::compiler) schedule_fence();
    }
    if constexpr (d.scheduling == Scheduling::interleaved) interleave<interleave_plan(d)>();
    barrier_lds();
    tiles.advance();
  }
}

}  // namespace zellige
