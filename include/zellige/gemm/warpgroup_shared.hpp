// What the warps of a kernel that multiplies by warpgroups have in common: shared memory, how they begin, the ring's
// positions, the work.
#pragma once

#include "zellige/atom/sync.hpp"
#include "zellige/gemm/warpgroup_args.hpp"
#include "zellige/gemm/warpgroup_shape.hpp"

namespace zellige {

#if defined(__CUDACC__)

/// Addresses in shared memory: tiles of A and of B, results on their way out, and barriers. `filled` and `free` are one
/// a stage, `received` says that the sums of all slices have come.
template <WarpgroupShape shape>
struct WarpgroupShared {
  std::uint32_t tiles_a, tiles_b, results, filled, free, received;

  // A swizzle is by address: what is swizzled begins at a multiple of 8 of its rows.
  static_assert(shape.bytes_a() % (8 * shape.row_bytes()) == 0 && shape.bytes_b() % (8 * shape.row_bytes()) == 0);
  static_assert(!shape.maps_c() || !swizzles_rows(shape.store_row_bytes()) ||
                (shape.stages * shape.bytes_a() + shape.slots_b() * shape.bytes_b()) % (8 * shape.store_row_bytes()) ==
                    0);
  static_assert(shape.store_bytes() % 128 == 0 && shape.fold_pitch() % 16 == 0);

  ZELLIGE_DEVICE explicit WarpgroupShared(char* pool) {
    constexpr WarpgroupShape t = shape;
    tiles_a = (shared_address(pool) + 1023) & ~1023u;
    tiles_b = tiles_a + t.stages * t.bytes_a();
    results = tiles_b + t.slots_b() * t.bytes_b();
    filled = results + t.result_bytes();
    free = filled + t.stages * 8;
    received = free + t.stages * 8;
  }

  /// One thread calls this: of several each would wait for fences of its own (8 of them: 0.1 us, 32: 0.8 us).
  ZELLIGE_DEVICE void init_barriers() const {
    constexpr WarpgroupShape t = shape;
    ZELLIGE_UNROLL
    for (int i = 0; i < t.stages; ++i) {
      barrier_init(filled + i * 8, 2);
      barrier_init(free + i * 8, t.consumers());
    }
    if constexpr (t.cluster > 1) barrier_init(received, 1);
    barrier_init_fence();
  }
  /// All threads call this once, before they use a barrier and after what they can compute without. Warps call it at
  /// different places, which the PTX manual allows to barriers that are not `aligned`, as __syncthreads() is.
  ZELLIGE_DEVICE void meet() const {
    asm volatile("barrier.sync 0;" ::: "memory");
    if constexpr (shape.cluster > 1) cluster_arrive();
  }
};

/// A stage of a ring and the parity of its barriers' phase.
struct RingPosition {
  std::uint32_t stage = 0, parity = 0;
  ZELLIGE_DEVICE void advance(std::uint32_t stages) {
    if (++stage == stages) stage = 0, parity ^= 1;
  }
};

/// What workgroups compute one after the other: a slice of a tile of a group.
struct WarpgroupWork {
  TileIndex tile{};
  std::uint32_t group = 0, slice = 0;
  std::uint32_t first = 0, last = 0;  ///< steps of the reduction; a slice may have none

  template <bool clustered>
  static ZELLIGE_DEVICE WarpgroupWork at(const WarpgroupArgs& args, std::uint32_t index) {
    if (args.keeps_b != 0) return {.tile = {.m = index}, .last = args.k_steps};
    WarpgroupWork work{.tile = tile_of<false>(args.schedule, index)};
    if constexpr (clustered) {
      work.slice = blockIdx.z;
      work.group = work.tile.batch;
    } else {
      work.slice = args.by_groups.divide(work.tile.batch);
      work.group = work.tile.batch - work.slice * args.by_groups.divisor;
    }
    work.first = min_of(work.slice * args.slice_steps, args.k_steps);
    work.last = min_of(work.first + args.slice_steps, args.k_steps);
    return work;
  }
};

#endif

}  // namespace zellige
