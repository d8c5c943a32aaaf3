// From a problem to a forward convolution kernel's arguments. Needs supports(config, arch, problem).ok.
#pragma once

#include "zellige/conv/config.hpp"
#include "zellige/conv/lower.hpp"
#include "zellige/gemm/pack.hpp"

namespace zellige {

/// The arguments apart from the pointers: a is the input, b the weight, c the output. A group is a batch.
constexpr GemmArgs pack_args(const ConvConfig& c, const ConvProblem& problem, int dies) {
  const ConvProblem p = with_spatial(problem, c.spatial);
  const std::int64_t channels = p.channels_per_group(), filters = p.filters_per_group();
  const std::int64_t depth = p.taps() * channels;
  const std::int64_t bytes_in = bytes_of(p.input), bytes_out = bytes_of(p.output);
  GemmArgs args = detail::pack_extents(c.tiling, p.n * p.output_pixels(), filters, depth, p.groups, dies);
  args.bytes_a = static_cast<std::uint32_t>(input_bytes(p).value);
  args.bytes_b = static_cast<std::uint32_t>(weight_bytes(p).value);
  args.bytes_c = static_cast<std::uint32_t>(output_bytes(p).value);
  args.batch_a = static_cast<std::uint32_t>(channels * bytes_in);
  args.batch_b = static_cast<std::uint32_t>(filters * depth * bytes_in);
  args.batch_c = static_cast<std::uint32_t>(filters * bytes_out);
  args.run = static_cast<std::uint32_t>(channels);
  args.row_bytes_c = static_cast<std::uint32_t>(p.k * bytes_out);
  args.view_a = conv_input_params(p);
  args.view_b = matrix_params(filters, depth, depth * bytes_in, bytes_in);
  return args;
}

}  // namespace zellige
