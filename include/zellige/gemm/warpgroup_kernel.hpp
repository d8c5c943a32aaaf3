// The GEMM-shaped kernel of targets with warpgroup matrix instructions and a tensor copy engine: one warpgroup
// feeds, the others multiply.
//
// A persistent workgroup walks output tiles. The four warps of its last warpgroup issue the copies of A's and B's tiles
// into a ring of stages; each of the other warpgroups multiplies 64 rows of A by all of B's tile and stores its part of
// C. Two barriers a stage say 'filled' and 'free': the feeders run ahead of the multipliers, over the ends of tiles, so
// that a tile's store overlaps the next one's copies.
//
// One thread frees a stage for its warpgroup once wgmma_wait() says so to its own warp. This takes an instruction to be
// of all four warps: that it ends for one of them when all have begun it, and so have waited for the stage, and none
// reads the stage any more. The PTX manual calls wgmma collective but does not say this.
#pragma once

#include "zellige/atom/copy.hpp"
#include "zellige/gemm/warpgroup_feed.hpp"
#include "zellige/gemm/warpgroup_store.hpp"

namespace zellige {

#if defined(__CUDACC__)

/// One warpgroup's share of every tile that its workgroup takes.
template <Arch arch, WarpgroupShape shape>
ZELLIGE_DEVICE void multiply_and_store(const WarpgroupArgs& args, const WarpgroupShared<shape>& shared,
                                       std::uint32_t warpgroup) {
  constexpr WarpgroupShape t = shape;
  constexpr int parts = t.row_bytes() / wgmma_depth_bytes;
  RingPosition at;
  std::uint32_t stores = 0;
  const bool leads = thread_index() % warpgroup_threads == 0;
  for (std::uint32_t index = workgroup_index(); index < args.tiles; index += gridDim.x) {
    const WarpgroupWork work = WarpgroupWork::at<(t.cluster > 1)>(args, index);
    float c[t.block_n / 2];
    ZELLIGE_UNROLL
    for (int i = 0; i < t.block_n / 2; ++i) c[i] = 0;
    std::uint32_t previous = 0;
    if (index == workgroup_index()) shared.meet();
    for (std::uint32_t step = work.first; step < work.last; ++step) {
      barrier_wait(shared.filled + at.stage * 8, at.parity);
      const std::uint32_t a = shared.tiles_a + at.stage * t.bytes_a();
      const std::uint32_t b = shared.tiles_b + (args.keeps_b != 0 ? step : at.stage) * t.bytes_b();
      const std::uint64_t tile_a = shared_tile<t.row_bytes()>(a + warpgroup * wgmma_rows * t.row_bytes());
      const std::uint64_t tile_b = shared_tile<t.row_bytes()>(b);
      wgmma_fence();
      ZELLIGE_UNROLL
      for (int part = 0; part < parts; ++part) wgmma<t.input, t.block_n>(c, tile_a + part * 2, tile_b + part * 2);
      wgmma_commit();
      wgmma_wait<1>();
      if (step != work.first && leads) barrier_arrive(shared.free + previous * 8);
      previous = at.stage;
      at.advance(t.stages);
    }
    wgmma_wait<0>();
    if (work.first != work.last && leads) barrier_arrive(shared.free + previous * 8);
    WarpgroupPlace at_c{work.tile.m * t.block_m, work.tile.n * t.block_n, work.group, work.slice};
    if constexpr (t.cluster > 1) {
      fold_slices<arch, shape>(args, shared, at_c, c);
    } else {
      at_c.row += warpgroup * wgmma_rows;
      if constexpr (!t.slabs && t.finishes()) {
        if (args.epilogue.flags != 0) [[unlikely]]
          finish_sums<arch, shape>(args, at_c, c);
      }
      const std::uint32_t buffers = shared.results + warpgroup * t.store_buffers() * t.store_bytes();
      if constexpr (t.direct) {
        store_elements<arch, shape>(args, buffers, at_c, c);
      } else if constexpr (t.stores_packets()) {
        store_packets<arch, shape>(args, buffers, at_c, c);
      } else {
        const StoreCorner corner{static_cast<int>(at_c.column), static_cast<int>(at_c.group),
                                 static_cast<int>(at_c.row), static_cast<int>(at_c.slice)};
        store_rows<shape>(args.c, buffers, stores, static_cast<int>(1 + warpgroup), corner, c);
      }
    }
  }
  if (t.maps_c() && leads) store_wait_read<0>();  // the buffers must outlive the copy engine's reading
}

template <Arch arch, WarpgroupShape shape>
ZELLIGE_DEVICE void multiply_warpgroups(const WarpgroupArgs& args) {
  constexpr WarpgroupShape t = shape;
  const WarpgroupShared<shape> shared(lds_pool<t.lds_bytes()>());
  constexpr std::uint32_t multipliers = t.consumers() * 4;  // warps
  const std::uint32_t warp = uniform(thread_index() / 32);
  if (thread_index() == 0) shared.init_barriers();
  __syncwarp();  // what follows is of whole warps
  if (warp < multipliers) {
    if constexpr (t.moves_registers()) claim_registers<t.consumer_registers()>();
    multiply_and_store<arch, shape>(args, shared, warp / 4);
  } else {
    if constexpr (t.moves_registers()) release_registers<t.feeder_registers()>();
    if (warp % 2 == 0)
      feed<shape, true>(args, shared, warp - multipliers);
    else
      feed<shape, false>(args, shared, warp - multipliers);
  }
}

#else

template <Arch arch, WarpgroupShape shape>
ZELLIGE_DEVICE void multiply_warpgroups(const WarpgroupArgs&) {}

#endif

}  // namespace zellige
