// From a convolution to the arguments of a kernel that multiplies by warpgroups. Needs supports(config, arch,
// problem).ok.
//
// The input is an image tensor: the copy engine walks its pixels by itself, zero where a tap falls outside.
#pragma once

#include "zellige/conv/config.hpp"
#include "zellige/conv/image_map.hpp"
#include "zellige/conv/lower.hpp"
#include "zellige/gemm/warpgroup_pack.hpp"

namespace zellige {

constexpr WarpgroupPacked pack_warpgroups(const ConvConfig& c, const WarpgroupShape& s, const ConvProblem& problem,
                                          int slices) {
  const ConvProblem p = with_spatial(problem, 2);
  const ConvAxis &h = p.axis[0], &w = p.axis[1];
  const std::int64_t channels = p.channels_per_group(), filters = p.filters_per_group();
  const detail::WarpgroupExtents extents{.m = p.n * p.output_pixels(),
                                         .n = filters,
                                         .groups = p.groups,
                                         .taps = p.taps(),
                                         .run = channels,
                                         .row_b = p.taps() * channels,
                                         .row_c = p.k};
  WarpgroupPacked packed = detail::pack_warpgroups(s, extents, slices);
  const auto u32 = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
  const auto i32 = [](std::int64_t value) { return static_cast<std::int32_t>(value); };
  const bool apart = rows_apart(problem);
  packed.args.conv = {.by_out_w = MagicDivider(u32(w.outputs())),
                      .by_out_h = MagicDivider(u32(h.outputs())),
                      .by_channel_steps = MagicDivider(u32(ceil_div<std::int64_t>(channels, s.block_k))),
                      .by_filter_w = MagicDivider(u32(w.filter)),
                      .channels = u32(channels),
                      .rows_apart = apart,
                      .stride_w = i32(w.stride),
                      .stride_h = apart ? 1 : i32(h.stride),
                      .pad_w = i32(w.pad_before),
                      .pad_h = i32(h.pad_before),
                      .dilation_w = i32(w.dilation),
                      .dilation_h = i32(h.dilation)};
  const std::int64_t in = bytes_of(c.input);
  const auto past_last = [](const ConvAxis& a) { return static_cast<int>(a.pad_after - a.dilation * (a.filter - 1)); };
  packed.a = {.type = c.input,
              .rank = 4,
              .extent = {p.c, w.size, h.size, p.n},
              .stride = {in, p.c * in, p.c * w.size * in, p.c * w.size * h.size * in},
              .box = {s.block_k},
              .image = true,
              .pixels = detail::copied_rows(s.block_m, extents.m),
              .first = {static_cast<int>(-w.pad_before), static_cast<int>(-h.pad_before)},
              .past_last = {past_last(w), past_last(h)},
              .step = {static_cast<int>(w.stride), static_cast<int>(h.stride)}};
  if (apart) {
    const std::int64_t row = packed.a.stride[2];
    packed.a.rank = 5;
    packed.a.extent = {p.c, w.size, h.outputs(), p.n, h.filter};
    packed.a.stride = {in, p.c * in, h.stride * row, h.size * row, row};
    packed.a.first[1] = packed.a.past_last[1] = 0;
    packed.a.step[1] = 1;
  }
  return packed;
}

}  // namespace zellige
