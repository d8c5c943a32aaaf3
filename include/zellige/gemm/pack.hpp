// From a problem to a GEMM kernel's arguments. Needs supports(config, arch, problem).ok.
#pragma once

#include "zellige/gemm/args.hpp"
#include "zellige/gemm/config.hpp"

namespace zellige {

/// The arguments apart from the pointers.
constexpr GemmArgs pack_args(const GemmConfig& c, const GemmProblem& p, int dies) {
  GemmArgs args;
  const std::int64_t bytes_in = bytes_of(p.input);
  args.bytes_a = static_cast<std::uint32_t>(bytes_a(p).value);
  args.bytes_b = static_cast<std::uint32_t>(bytes_b(p).value);
  args.bytes_c = static_cast<std::uint32_t>(bytes_c(p).value);
  args.m = static_cast<std::uint32_t>(p.m);
  args.n = static_cast<std::uint32_t>(p.n);
  args.k = static_cast<std::uint32_t>(p.k);
  args.k_tiles = ceil_div(args.k, static_cast<std::uint32_t>(c.tiling.block.k));
  args.run = args.k;
  args.row_bytes_c = static_cast<std::uint32_t>(p.stride_c() * bytes_of(p.output));
  args.schedule = make_schedule(ceil_div(args.m, static_cast<std::uint32_t>(c.tiling.block.m)),
                                ceil_div(args.n, static_cast<std::uint32_t>(c.tiling.block.n)), 1, static_cast<std::uint32_t>(dies));
  const std::int64_t step_a = p.stride_a() * bytes_in, step_b = p.stride_b() * bytes_in;
  args.view_a = p.order_a == MatrixOrder::row ? matrix_params(p.m, p.k, step_a, bytes_in) : matrix_params(p.m, p.k, bytes_in, step_a);
  args.view_b = p.order_b == MatrixOrder::column ? matrix_params(p.n, p.k, step_b, bytes_in) : matrix_params(p.n, p.k, bytes_in, step_b);
  return args;
}

}  // namespace zellige
