// From a problem to a forward convolution kernel's arguments. Needs supports(config, arch, problem).ok.
#pragma once

#include "zellige/conv/config.hpp"
#include "zellige/conv/lower.hpp"
#include "zellige/gemm/args.hpp"

namespace zellige {

/// The arguments apart from the pointers: a is the input, b the weight, c the output.
constexpr GemmArgs pack_args(const ConvConfig& c, const ConvProblem& problem, int dies) {
  const ConvProblem p = with_spatial(problem, c.spatial);
  const std::int64_t channels = p.channels_per_group(), filters = p.filters_per_group(), depth = p.taps() * channels;
  const std::int64_t bytes_in = bytes_of(p.input), bytes_out = bytes_of(p.output);
  GemmArgs args;
  args.bytes_a = static_cast<std::uint32_t>(input_bytes(p).value);
  args.bytes_b = static_cast<std::uint32_t>(weight_bytes(p).value);
  args.bytes_c = static_cast<std::uint32_t>(output_bytes(p).value);
  args.batch_a = static_cast<std::uint32_t>(channels * bytes_in);
  args.batch_b = static_cast<std::uint32_t>(filters * depth * bytes_in);
  args.batch_c = static_cast<std::uint32_t>(filters * bytes_out);
  args.m = static_cast<std::uint32_t>(p.n * p.output_pixels());
  args.n = static_cast<std::uint32_t>(filters);
  args.k = static_cast<std::uint32_t>(depth);
  args.k_tiles = ceil_div(args.k, static_cast<std::uint32_t>(c.tiling.block.k));
  args.run = static_cast<std::uint32_t>(channels);
  args.row_bytes_c = static_cast<std::uint32_t>(p.k * bytes_out);
  args.schedule = make_schedule(ceil_div(args.m, static_cast<std::uint32_t>(c.tiling.block.m)),
                                ceil_div(args.n, static_cast<std::uint32_t>(c.tiling.block.n)), static_cast<std::uint32_t>(p.groups),
                                static_cast<std::uint32_t>(dies));
  args.view_a = conv_input_params(p);
  args.view_b = matrix_params(filters, depth, depth * bytes_in, bytes_in);
  return args;
}

}  // namespace zellige
