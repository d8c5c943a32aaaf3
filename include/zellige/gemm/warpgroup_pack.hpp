// From a GEMM problem to the arguments of a kernel that multiplies by warpgroups. Needs supports(config, arch,
// problem).ok.
#pragma once

#include "zellige/atom/tensor_map_shape.hpp"
#include "zellige/gemm/config.hpp"
#include "zellige/gemm/split_k.hpp"
#include "zellige/gemm/warpgroup_args.hpp"
#include "zellige/gemm/warpgroup_shape.hpp"

namespace zellige {

/// The arguments apart from the pointers and the maps, and what the maps say.
struct WarpgroupPacked {
  WarpgroupArgs args{};
  TensorMapShape a{}, b{}, c{};
};

namespace detail {

/// What both families have in common. B is n rows for each group, of `taps` runs of `run` elements, a row every
/// `row_b`; C has n columns of each group in a row of `row_c` elements. Slabs are packed.
struct WarpgroupExtents {
  std::int64_t m = 1, n = 1, groups = 1;
  std::int64_t taps = 1, run = 1;
  std::int64_t row_b = 1, row_c = 1;
};

/// Rows that a copy brings: a problem's few rows leave the others of the tile, whose sums nobody stores, as they are.
constexpr int copied_rows(int block, std::int64_t rows) { return static_cast<int>(min_of<std::int64_t>(block, rows)); }

constexpr WarpgroupPacked pack_warpgroups(const WarpgroupShape& s, const WarpgroupExtents& e, int slices) {
  WarpgroupPacked p;
  WarpgroupArgs& args = p.args;
  const auto u32 = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
  const std::int64_t maps = s.slabs ? slices : 1, row_c = s.slabs ? e.n * e.groups : e.row_c;
  const std::int64_t slab = slab_elements({.m = e.m, .n = e.n, .batches = e.groups}).value;
  const std::uint32_t tiles_m = ceil_div(u32(e.m), u32(s.block_m)), tiles_n = ceil_div(u32(e.n), u32(s.block_n));
  const std::uint32_t batches = u32(e.groups * maps);
  args.schedule = make_schedule(tiles_m, tiles_n, batches, 1);
  args.tiles = tiles_m * tiles_n * batches;
  args.m = u32(e.m);
  args.n = u32(e.n);
  args.k_steps = u32(e.taps * ceil_div<std::int64_t>(e.run, s.block_k));
  args.slice_steps = ceil_div(args.k_steps, u32(slices));
  args.keeps_b = s.keeps_b(tiles_n * batches, args.k_steps);
  args.by_groups = MagicDivider(u32(e.groups));
  const int rows_a = copied_rows(s.block_m, e.m), rows_b = copied_rows(s.block_n, e.n);
  args.step_bytes_a = u32(rows_a * s.row_bytes());
  args.step_bytes_b = u32(rows_b * s.row_bytes());
  const std::int64_t in = bytes_of(s.input), out = bytes_of(s.stored);
  args.row_bytes_c = u32(e.row_c * bytes_of(s.output));
  p.b = {.type = s.input,
         .rank = 3,
         .extent = {e.run, e.taps, e.n * e.groups},
         .stride = {in, e.taps > 1 ? e.run * in : e.row_b * in, e.row_b * in},
         .box = {s.block_k, 1, rows_b}};
  p.c = {.type = s.stored,
         .rank = 4,
         .extent = {e.n, e.groups, e.m, maps},
         .stride = {out, e.groups > 1 ? e.n * out : row_c * out, row_c * out, maps > 1 ? slab * out : row_c * out},
         .box = {s.store_columns(), 1, wgmma_rows, 1}};
  return p;
}

}  // namespace detail

/// `slices` is the plan's resolved degree.
constexpr WarpgroupPacked pack_warpgroups(const GemmConfig& c, const WarpgroupShape& s, const GemmProblem& p,
                                          int slices) {
  WarpgroupPacked packed = detail::pack_warpgroups(
      s, {.m = p.m, .n = p.n, .run = p.k, .row_b = p.stride_b(), .row_c = p.stride_c()}, slices);
  const std::int64_t in = bytes_of(c.input);
  packed.a = {.type = c.input,
              .rank = 2,
              .extent = {p.k, p.m},
              .stride = {in, p.stride_a() * in},
              .box = {s.block_k, detail::copied_rows(s.block_m, p.m)}};
  return packed;
}

}  // namespace zellige
