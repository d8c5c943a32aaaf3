// From a problem to a GEMM kernel's arguments. Needs supports(config, arch, problem).ok.
#pragma once

#include "zellige/gemm/args.hpp"
#include "zellige/gemm/split_k.hpp"

namespace zellige {

namespace detail {

/// What the extents say: steps and the order of blocks. k becomes one run.
constexpr GemmArgs pack_extents(const Tiling& t, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batches,
                                int dies) {
  GemmArgs args;
  args.m = static_cast<std::uint32_t>(m);
  args.n = static_cast<std::uint32_t>(n);
  args.k = static_cast<std::uint32_t>(k);
  args.k_tiles = ceil_div(args.k, static_cast<std::uint32_t>(t.block.k));
  args.run = args.k;
  args.schedule = make_schedule(ceil_div(args.m, static_cast<std::uint32_t>(t.block.m)),
                                ceil_div(args.n, static_cast<std::uint32_t>(t.block.n)),
                                static_cast<std::uint32_t>(batches), static_cast<std::uint32_t>(dies));
  return args;
}

}  // namespace detail

/// Splits packed arguments into `degree` slices. Needs check_split_k().ok.
constexpr void split_args(GemmArgs& args, const Tiling& t, DataType accumulator, int degree, int dies) {
  const std::uint32_t batches = args.schedule.batches;
  const SplitExtents extents{args.m, args.n, args.k, batches};
  SplitArgs& split = args.split;
  split.degree = static_cast<std::uint32_t>(degree);
  split.tiles = ceil_div(args.k_tiles, split.degree);
  split.slab_bytes = static_cast<std::uint32_t>(split_workspace_bytes(extents, accumulator, 1).value);
  split.row_bytes = args.n * batches * static_cast<std::uint32_t>(bytes_of(accumulator));
  split.by_degree = MagicDivider(split.degree);
  split.by_run = MagicDivider(args.run);
  if (t.split_k == SplitK::two_stage) {
    args.schedule = make_schedule(args.schedule.tiles_m, args.schedule.tiles_n, batches * split.degree,
                                  static_cast<std::uint32_t>(dies));
  }
}

/// The arguments apart from the pointers. `dies` is ArchTraits::dies.
constexpr GemmArgs pack_args(const GemmConfig& c, const GemmProblem& p, int dies) {
  GemmArgs args = detail::pack_extents(c.tiling, p.m, p.n, p.k, 1, dies);
  args.bytes_a = static_cast<std::uint32_t>(bytes_a(p).value);
  args.bytes_b = static_cast<std::uint32_t>(bytes_b(p).value);
  args.bytes_c = static_cast<std::uint32_t>(bytes_c(p).value);
  args.row_bytes_c = static_cast<std::uint32_t>(p.stride_c() * bytes_of(p.output));
  const std::int64_t element = bytes_of(p.input), line_a = p.stride_a() * element, line_b = p.stride_b() * element;
  const bool a_along_k = p.order_a == MatrixOrder::row, b_along_k = p.order_b == MatrixOrder::column;
  args.view_a = matrix_params(p.m, p.k, a_along_k ? line_a : element, a_along_k ? element : line_a);
  args.view_b = matrix_params(p.n, p.k, b_along_k ? line_b : element, b_along_k ? element : line_b);
  return args;
}

}  // namespace zellige
