// From a GEMM problem to the arguments of a kernel that multiplies by warpgroups. Needs supports(config, arch,
// problem).ok.
#pragma once

#include "zellige/atom/tensor_map_shape.hpp"
#include "zellige/gemm/config.hpp"
#include "zellige/gemm/warpgroup_args.hpp"
#include "zellige/gemm/warpgroup_shape.hpp"

namespace zellige {

/// The arguments apart from the pointers and the maps, and what the maps say.
struct WarpgroupPacked {
  WarpgroupArgs args{};
  TensorMapShape a{}, b{}, c{};
};

namespace detail {

/// What both families have in common: the grid, the slices, and C and B as tensors. B is n rows for each of `groups`,
/// of `taps` runs of `run` elements; C has n columns of each group in a row of `row_elements`.
constexpr WarpgroupPacked pack_warpgroups(const WarpgroupShape& s, std::int64_t m, std::int64_t n, std::int64_t groups,
                                          std::int64_t taps, std::int64_t run, std::int64_t row_elements_b,
                                          std::int64_t row_elements_c, std::int64_t slab_elements, int slices) {
  WarpgroupPacked p;
  WarpgroupArgs& args = p.args;
  const std::uint32_t tiles_m = ceil_div(static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(s.block_m));
  const std::uint32_t tiles_n = ceil_div(static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(s.block_n));
  const auto batches = static_cast<std::uint32_t>(s.cluster > 1 ? groups : groups * slices);
  args.schedule = make_schedule(tiles_m, tiles_n, batches, 1);
  args.tiles = tiles_m * tiles_n * batches;
  args.m = static_cast<std::uint32_t>(m);
  args.n = static_cast<std::uint32_t>(n);
  args.k_steps = static_cast<std::uint32_t>(taps * ceil_div<std::int64_t>(run, s.block_k));
  args.slice_steps = ceil_div(args.k_steps, static_cast<std::uint32_t>(slices));
  args.by_groups = MagicDivider(static_cast<std::uint32_t>(groups));
  const std::int64_t in = bytes_of(s.input), out = bytes_of(s.stored);
  args.row_bytes_c = static_cast<std::uint32_t>(row_elements_c * out);
  p.b = {.type = s.input,
         .rank = 3,
         .extent = {run, taps, n * groups},
         .stride = {in, taps > 1 ? run * in : row_elements_b * in, row_elements_b * in},
         .box = {s.block_k, 1, s.block_n}};
  p.c = {.type = s.stored,
         .rank = 4,
         .extent = {n, groups, m, slices},
         .stride = {out, groups > 1 ? n * out : row_elements_c * out, row_elements_c * out,
                    slices > 1 ? slab_elements * out : row_elements_c * out},
         .box = {s.store_columns(), 1, wgmma_rows, 1}};
  return p;
}

}  // namespace detail

constexpr WarpgroupPacked pack_warpgroups(const GemmConfig& c, const WarpgroupShape& s, const GemmProblem& p,
                                          int slices, std::int64_t slab_elements) {
  const std::int64_t row_c = slices > 1 && s.cluster == 1 ? p.n : p.stride_c();
  WarpgroupPacked packed = detail::pack_warpgroups(s, p.m, p.n, 1, 1, p.k, p.stride_b(), row_c, slab_elements, slices);
  const std::int64_t in = bytes_of(c.input);
  packed.a = {.type = c.input,
              .rank = 2,
              .extent = {p.k, p.m},
              .stride = {in, p.stride_a() * in},
              .box = {s.block_k, s.block_m}};
  return packed;
}

}  // namespace zellige
