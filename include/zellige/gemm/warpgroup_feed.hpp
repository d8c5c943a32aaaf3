// How tiles reach the ring: four warps issue the copies, two of A's tiles and two of B's, in turns.
//
// The law: a stage is filled by one arrival of A's warps and one of B's, and the bytes that they announced. A warp
// waits on `free` at every second step alone, and where `stages` is odd at every second phase of a stage. Parity is
// enough: multipliers free stages in order, and with two stages or more what the warp waited for two steps ago was
// freed no earlier than this stage was the time before. A warp may end while its copies are under way, since the
// multipliers wait for all of them.
//
// A warp needs 100 clocks and more to issue a copy, as long as a small tile's multiplications take: with one thread for
// all of them, blocks of 64x64 and less waited for it (1280 channels, 8x8, 3x3, on an H200: 30.0 us; two warps 25.5,
// four 22.6).
#pragma once

#include "zellige/atom/sync.hpp"
#include "zellige/gemm/warpgroup_shared.hpp"

namespace zellige {

#if defined(__CUDACC__)

/// The first pixel of a tile, and the tap and the channels of the current step of the reduction.
struct WarpgroupPixels {
  std::int32_t w = 0, h = 0, image = 0;
  std::uint32_t tap = 0, tap_h = 0, tap_w = 0, channel_step = 0;

  ZELLIGE_DEVICE void start(const WarpgroupConvArgs& conv, std::uint32_t row, std::uint32_t step) {
    const std::uint32_t out_row = conv.by_out_w.divide(row);
    image = static_cast<std::int32_t>(conv.by_out_h.divide(out_row));
    w = static_cast<std::int32_t>(row - out_row * conv.by_out_w.divisor) * conv.stride_w - conv.pad_w;
    h = static_cast<std::int32_t>(out_row - image * conv.by_out_h.divisor) * conv.stride_h - conv.pad_h;
    tap = conv.by_channel_steps.divide(step);
    channel_step = step - tap * conv.by_channel_steps.divisor;
    tap_h = conv.by_filter_w.divide(tap);
    tap_w = tap - tap_h * conv.by_filter_w.divisor;
  }
  ZELLIGE_DEVICE void advance(const WarpgroupConvArgs& conv) {
    if (++channel_step != conv.by_channel_steps.divisor) return;
    channel_step = 0;
    ++tap;
    if (++tap_w == conv.by_filter_w.divisor) tap_w = 0, ++tap_h;
  }
  ZELLIGE_DEVICE void copy(const WarpgroupConvArgs& conv, const TensorMap& map, std::uint32_t tile,
                           std::uint32_t barrier, int channel) const {
    const auto offset_w = static_cast<std::uint16_t>(tap_w * conv.dilation_w);
    const auto offset_h = static_cast<std::uint16_t>(tap_h * conv.dilation_h);
    if (conv.rows_apart)
      copy_pixels(tile, map, barrier, channel, w, h, image, static_cast<int>(tap_h), offset_w);
    else
      copy_pixels(tile, map, barrier, channel, w, h, image, offset_w, offset_h);
  }
};

/// One of the feeding warps (0 to 3), all of it, so that what the copies are told stays in uniform registers: even ones
/// feed A, odd ones B, each every second step.
template <WarpgroupShape shape, bool feeds_a>
ZELLIGE_DEVICE void feed(const WarpgroupArgs& args, const WarpgroupShared<shape>& shared, std::uint32_t warp) {
  constexpr WarpgroupShape t = shape;
  static_assert(t.stages >= 2);
  RingPosition at;
  const bool issues = elect_one();
  std::uint32_t ahead = warp / 2;  // steps from the first of a tile to this warp's first
  if (ahead != 0) at.advance(t.stages);
  for (std::uint32_t index = workgroup_index(); index < args.tiles; index += gridDim.x) {
    const WarpgroupWork work = WarpgroupWork::at<(t.cluster > 1)>(args, index);
    const std::uint32_t row = work.tile.m * t.block_m, column = work.group * args.n + work.tile.n * t.block_n;
    WarpgroupPixels pixels;
    std::uint32_t step = work.first + ahead;
    if constexpr (t.conv) pixels.start(args.conv, row, step);
    if (index == workgroup_index()) shared.meet();
    ZELLIGE_NO_UNROLL
    for (; step < work.last; step += 2) {
      barrier_wait(shared.free + at.stage * 8, at.parity ^ 1);
      const std::uint32_t filled = shared.filled + at.stage * 8;
      const std::uint32_t a = shared.tiles_a + at.stage * t.bytes_a();
      const std::uint32_t b = shared.tiles_b + (args.keeps_b != 0 ? step : at.stage) * t.bytes_b();
      const bool lies_there = !feeds_a && args.keeps_b != 0 && index != workgroup_index();
      const int k = static_cast<int>((t.conv ? pixels.channel_step : step) * t.block_k);
      if (issues && lies_there) {
        barrier_arrive(filled);
      } else if (issues) {
        barrier_arrive_expect(filled, static_cast<int>(feeds_a ? args.step_bytes_a : args.step_bytes_b));
        if constexpr (!feeds_a)
          copy_box(b, args.b, filled, k, static_cast<int>(pixels.tap), static_cast<int>(column));
        else if constexpr (t.conv)
          pixels.copy(args.conv, args.a, a, filled, static_cast<int>(work.group * args.conv.channels) + k);
        else
          copy_box(a, args.a, filled, k, static_cast<int>(row));
      }
      for (int i = 0; i < 2; ++i) {
        if constexpr (t.conv) pixels.advance(args.conv);
        at.advance(t.stages);
      }
    }
    ahead = step - work.last;
  }
}

#endif

}  // namespace zellige
