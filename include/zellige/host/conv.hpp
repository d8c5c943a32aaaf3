// A forward convolution instance on the host: its kernel, and plans for problems. Used like host/gemm.hpp.
#pragma once

#include "zellige/conv/check.hpp"
#include "zellige/conv/name.hpp"
#include "zellige/conv/pack.hpp"
#include "zellige/conv/warpgroup_pack.hpp"
#include "zellige/host/few_channels_plan.hpp"
#include "zellige/host/warpgroup_plan.hpp"

#if defined(__HIP__) || defined(__CUDACC__)
#include "zellige/conv/kernel.hpp"
#include "zellige/host/reduce_entries.hpp"
#endif

namespace zellige {

using ConvKernel = Kernel<ConvConfig>;

namespace detail {

/// Adds what computes one chunk.
inline void add_dispatches(Plan& plan, const ConvKernel& kernel, const GemmConfig& config, const ConvProblem& chunk) {
  const ArchTraits traits = arch_traits(kernel.arch);
  if (config.tiling.pipeline == Pipeline::few_channels) {
    add_few_channels_dispatch(plan, kernel, chunk);
  } else if (config.tiling.pipeline == Pipeline::tensor_copy) {
    const WarpgroupShape shape = warpgroup_shape(config, true);
    add_warpgroup_dispatches(plan, kernel, config, shape, pack_warpgroups(kernel.config, shape, chunk, plan.split_k),
                             pack_args(kernel.config, chunk, traits.dies));
  } else {
    add_tiled_dispatches(plan, kernel, config, pack_args(kernel.config, chunk, traits.dies));
  }
}

}  // namespace detail

/// The plan that solves `problem` with `kernel`, or why it cannot. Tensors: a the input, b the weight, c the output.
/// What passes options.dispatch_limit() takes a dispatch (or a list of them) for each chunk of images or of output
/// rows.
inline Planned plan_conv(const ConvKernel& kernel, const ConvProblem& problem, const PlanOptions& options = {}) {
  if (Verdict v = supports(kernel.config, kernel.arch, problem, options); !v.ok) return {v, {}};
  const GemmConfig config = lowered(kernel.config);
  Planned planned{{},
                  detail::begin_plan(kernel.arch, name_of(kernel.arch, kernel.config), config,
                                     split_extents(config.tiling, problem, options), options)};
  const ConvProblem p = as_run(problem, options);
  const ConvSplit split = split_problem(p, options.dispatch_limit());
  planned.plan.fold = p.c / problem.c;
  planned.plan.chunks = split.chunks();
  for (std::int64_t i = 0; i < split.chunks(); ++i) {
    const ConvChunk chunk = chunk_of(p, split, i);
    const std::size_t first = planned.plan.dispatches.size();
    detail::add_dispatches(planned.plan, kernel, config, chunk.problem);
    detail::move_dispatches(planned.plan, first, chunk.offset_input, chunk.offset_output);
  }
  return planned;
}

#if defined(__HIP__) || defined(__CUDACC__)
/// The kernel of a config of your own. A config that the target cannot run stops the compilation with the reason.
template <Arch A, ConvConfig C>
ConvKernel conv_fwd_kernel() {
  ZELLIGE_REQUIRE(check(C, A));
  return {entry_of<ConvFwd<A, C>>(), A, C, detail::reduce_entries<A, lowered(C)>()};
}
#endif

}  // namespace zellige
