// How tiles reach the ring: one thread issues every copy of its workgroup.
#pragma once

#include "zellige/atom/sync.hpp"
#include "zellige/gemm/warpgroup_args.hpp"
#include "zellige/gemm/warpgroup_shape.hpp"

namespace zellige {

#if defined(__CUDACC__)

template <WarpgroupShape shape>
struct WarpgroupShared {
  std::uint32_t stages, stores, filled, free;

  ZELLIGE_DEVICE explicit WarpgroupShared(char* pool) {
    constexpr WarpgroupShape t = shape;
    stages = (shared_address(pool) + 1023) & ~1023u;
    stores = stages + t.stages * t.stage_bytes();
    filled = stores + t.consumers() * 2 * t.store_bytes();
    free = filled + t.stages * 8;
  }
};

/// A stage of the ring and the parity of its barriers' phase.
template <int stages>
struct RingPosition {
  std::uint32_t stage = 0, parity = 0;
  ZELLIGE_DEVICE void advance() {
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
    WarpgroupWork work{.tile = tile_of(args.schedule, index)};
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

template <WarpgroupShape shape>
ZELLIGE_DEVICE void feed(const WarpgroupArgs& args, const WarpgroupShared<shape>& shared) {
  constexpr WarpgroupShape t = shape;
  RingPosition<t.stages> at;
  for (std::uint32_t index = workgroup_index(); index < args.tiles; index += gridDim.x) {
    const WarpgroupWork work = WarpgroupWork::at<(t.cluster > 1)>(args, index);
    const std::uint32_t row = work.tile.m * t.block_m, column = work.tile.n * t.block_n;
    std::uint32_t tap_h = 0, tap_w = 0, channel_step = 0;
    std::int32_t w = 0, h = 0, image = 0;
    if constexpr (t.conv) {
      const std::uint32_t out_row = args.conv.by_out_w.divide(row);
      image = static_cast<std::int32_t>(args.conv.by_out_h.divide(out_row));
      w = static_cast<std::int32_t>(row - out_row * args.conv.by_out_w.divisor) * args.conv.stride_w - args.conv.pad_w;
      h = static_cast<std::int32_t>(out_row - image * args.conv.by_out_h.divisor) * args.conv.stride_h -
          args.conv.pad_h;
      const std::uint32_t tap = args.conv.by_channel_steps.divide(work.first);
      channel_step = work.first - tap * args.conv.by_channel_steps.divisor;
      tap_h = args.conv.by_filter_w.divide(tap);
      tap_w = tap - tap_h * args.conv.by_filter_w.divisor;
    }
    for (std::uint32_t step = work.first; step < work.last; ++step) {
      barrier_wait(shared.free + at.stage * 8, at.parity ^ 1);
      const std::uint32_t filled = shared.filled + at.stage * 8;
      const std::uint32_t a = shared.stages + at.stage * t.stage_bytes(), b = a + t.bytes_a();
      barrier_expect(filled, t.stage_bytes());
      int k = static_cast<int>(step * t.block_k), tap = 0;
      if constexpr (t.conv) {
        k = static_cast<int>(channel_step * t.block_k);
        tap = static_cast<int>(tap_h * args.conv.by_filter_w.divisor + tap_w);
        const int channel = static_cast<int>(work.group * args.conv.channels) + k;
        const auto offset_w = static_cast<std::uint16_t>(tap_w * args.conv.dilation_w);
        const auto offset_h = static_cast<std::uint16_t>(tap_h * args.conv.dilation_h);
        if (args.conv.rows_apart)
          copy_pixels(a, args.a, filled, channel, w, h, image, static_cast<int>(tap_h), offset_w);
        else
          copy_pixels(a, args.a, filled, channel, w, h, image, offset_w, offset_h);
        if (++channel_step == args.conv.by_channel_steps.divisor) {
          channel_step = 0;
          if (++tap_w == args.conv.by_filter_w.divisor) tap_w = 0, ++tap_h;
        }
      } else {
        copy_box(a, args.a, filled, k, static_cast<int>(row));
      }
      copy_box(b, args.b, filled, k, tap, static_cast<int>(work.group * args.n + column));
      at.advance();
    }
  }
}

#endif

}  // namespace zellige
