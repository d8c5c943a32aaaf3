// From a convolution to the arguments of a kernel with Pipeline::few_channels. Needs supports(config, arch,
// problem).ok.
#pragma once

#include "zellige/atom/tensor_map_shape.hpp"
#include "zellige/conv/few_channels_args.hpp"
#include "zellige/conv/few_channels_check.hpp"

namespace zellige {

/// The arguments apart from the pointers and the maps, what the maps say, and the launch.
struct FewChannelsPacked {
  FewChannelsArgs args{};
  TensorMapShape a{}, c{};
  std::uint32_t workgroups = 1;
  std::uint32_t lds_bytes = 0;
};

namespace detail {

/// How tiles of output pixels are numbered, and where a tile's copies begin.
constexpr void pack_tiles(FewChannelsArgs& args, const FewChannelsShape& s, const FewChannelsTile& t,
                          const ConvProblem& p) {
  const ConvAxis &h = p.axis[0], &w = p.axis[1];
  const auto u32 = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
  const auto i32 = [](std::int64_t value) { return static_cast<std::int32_t>(value); };
  const int across = t.across(s.consumers()), down = t.down(s.consumers());
  const std::int64_t tiles_w = ceil_div<std::int64_t>(w.outputs(), across);
  const std::int64_t tiles_h = ceil_div<std::int64_t>(h.outputs(), down);
  args.column_tiles = u32(ceil_div<std::int64_t>(p.k, s.block.block_n));
  args.pixel_tiles = u32(tiles_w * tiles_h * p.n);
  args.by_column_tiles = MagicDivider(args.column_tiles);
  args.by_tiles_w = MagicDivider(u32(tiles_w));
  args.by_tiles_h = MagicDivider(u32(tiles_h));
  args.across = u32(across);
  args.down = u32(down);
  args.log_tile_w = u32(log2_floor(static_cast<std::uint64_t>(t.tile_w)));
  args.next_w = t.beside ? u32(t.tile_w) : 0;
  args.next_h = t.beside ? 0 : u32(t.tile_h);
  args.out_w = u32(w.outputs());
  args.out_h = u32(h.outputs());
  args.x_step = i32(across * w.stride * p.c / t.unit);
  args.x_first = i32((-w.pad_before * p.c - t.shift) / t.unit);
  args.y_step = t.apart ? 0 : i32(down * h.stride);
  args.y_first = t.apart ? 0 : i32(-h.pad_before);
  args.z_step = t.apart ? down : 0;
}

/// Where everything lies in shared memory, and the pairs of k in a stage.
constexpr void pack_windows(FewChannelsArgs& args, const FewChannelsShape& s, const FewChannelsTile& t,
                            const ConvProblem& p) {
  const ConvAxis &h = p.axis[0], &w = p.axis[1];
  const auto u32 = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
  const std::int64_t staged_row = t.row_elements * 2;
  args.stages = u32(t.stages);
  args.stages_of_tile = u32(t.stages_of_tile);
  args.stage_bytes = u32(t.stage_bytes);
  args.stores_at = u32(t.steps * s.step_weight_bytes());
  args.stages_at = args.stores_at + u32(s.store_bytes());
  args.table_at = args.stages_at + args.stages * args.stage_bytes;
  args.vectors_at = args.table_at + u32(t.steps * s.step_table_bytes());
  args.barriers_at = args.vectors_at + u32(s.vector_bytes());
  args.pixel_elements = u32(w.stride * p.c);
  args.first_element = u32(t.shift - t.lead);
  args.odd_step = t.odd_step ? 1 : 0;
  args.out_row_bytes = u32(t.apart ? t.rows * staged_row : h.stride * staged_row);
  args.filter_row_bytes = u32(t.apart ? staged_row : h.dilation * staged_row);
  args.steps = u32(t.steps);
  args.filter_rows_all = u32(h.filter);
  args.filter_rows = u32(t.filter_rows);
  args.run = u32(w.filter * p.c);
  args.lead = u32(t.lead);
  args.by_row_pairs = MagicDivider(u32(t.row_pairs));
  args.by_filter_rows = MagicDivider(u32(t.filter_rows));
}

/// The input: elements of a row, rows, nothing and images; where filter rows lie apart those, output rows and images.
constexpr TensorMapShape map_of_rows(const FewChannelsTile& t, const ConvProblem& p, int down) {
  const ConvAxis &h = p.axis[0], &w = p.axis[1];
  const std::int64_t row = w.size * p.c * 2, unit = t.unit;
  TensorMapShape map{.type = unit == 1   ? p.input
                             : unit == 2 ? DataType::f32
                                         : DataType::f64,
                     .rank = 4,
                     .extent = {w.size * p.c / unit, h.size, 1, p.n},
                     .stride = {2 * unit, row, h.size * row, h.size * row},
                     .box = {static_cast<int>(t.row_elements / unit), t.rows, 1, 1},
                     .swizzled = false};
  if (t.apart) {
    map.extent[1] = h.filter;
    map.extent[2] = h.outputs();
    map.stride[1] = h.dilation * row;
    map.stride[2] = h.stride * row;
    map.box[2] = down;
  }
  return map;
}

}  // namespace detail

/// `resident` workgroups run at once.
constexpr FewChannelsPacked pack_few_channels(const FewChannelsShape& s, Arch arch, const ConvProblem& problem,
                                              int resident) {
  const ConvProblem p = with_spatial(problem, 2);
  const ConvAxis &h = p.axis[0], &w = p.axis[1];
  const FewChannelsTile t = few_channels_tile(s, arch, problem);
  const auto u32 = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
  FewChannelsPacked packed;
  FewChannelsArgs& args = packed.args;
  detail::pack_tiles(args, s, t, p);
  detail::pack_windows(args, s, t, p);
  args.n = u32(p.k);
  args.row_bytes_c = u32(p.k * bytes_of(p.output));
  args.bytes_c = u32(output_bytes(p).value);

  packed.a = detail::map_of_rows(t, p, t.down(s.consumers()));
  args.box_bytes = u32(std::int64_t{packed.a.box[1]} * packed.a.box[2] * t.row_elements * 2);
  const std::int64_t out = bytes_of(p.output);
  packed.c = {.type = p.output,
              .rank = 4,
              .extent = {p.k, w.outputs(), h.outputs(), p.n},
              .stride = {out, p.k * out, w.outputs() * p.k * out, p.output_pixels() * p.k * out},
              .box = {s.block.store_columns(), t.tile_w, t.tile_h, 1}};
  // As many for each block of filters as take equal numbers of tiles in the fewest rounds.
  const std::uint32_t most = max_of<std::uint32_t>(1, min_of(args.pixel_tiles, u32(resident) / args.column_tiles));
  const std::uint32_t rounds = ceil_div(args.pixel_tiles, most);
  packed.workgroups = args.column_tiles * ceil_div(args.pixel_tiles, rounds);
  packed.lds_bytes = u32(t.lds_bytes);
  return packed;
}

}  // namespace zellige
