// A forward convolution instance on the host: its kernel, and plans for problems. Used like host/gemm.hpp.
#pragma once

#include "zellige/conv/check.hpp"
#include "zellige/conv/name.hpp"
#include "zellige/conv/pack.hpp"
#include "zellige/conv/warpgroup_pack.hpp"
#include "zellige/host/warpgroup_plan.hpp"

#if defined(__HIP__) || defined(__CUDACC__)
#include "zellige/conv/kernel.hpp"
#endif

namespace zellige {

using ConvKernel = Kernel<ConvConfig>;

/// The plan that solves `problem` with `kernel`, or why it cannot. Tensors: a the input, b the weight, c the output.
inline Planned plan_conv(const ConvKernel& kernel, const ConvProblem& problem, const PlanOptions& options = {}) {
  if (Verdict v = supports(kernel.config, kernel.arch, problem, options); !v.ok) return {v, {}};
  const GemmConfig config = lowered(kernel.config);
  Planned planned{{}, detail::begin_plan(kernel.arch, name_of(kernel.arch, kernel.config), config, options)};
  const ArchTraits traits = arch_traits(kernel.arch);
  if (config.tiling.pipeline == Pipeline::tensor_copy) {
    const WarpgroupShape shape = warpgroup_shape(config, true);
    detail::add_warpgroup_dispatch(planned.plan, kernel.entry, shape, pack_warpgroups(kernel.config, shape, problem, 1, 0),
                                   traits.compute_units);
    return planned;
  }
  detail::add_tiled_dispatches(planned.plan, kernel.entry, config, pack_args(kernel.config, problem, traits.dies));
  return planned;
}

#if defined(__HIP__) || defined(__CUDACC__)
/// The kernel of a config of your own. A config that the target cannot run stops the compilation with the reason.
template <Arch A, ConvConfig C>
ConvKernel conv_fwd_kernel() {
  ZELLIGE_REQUIRE(check(C, A));
  return {reinterpret_cast<const void*>(&entry<ConvFwd<A, C>>), A, C};
}
#endif

}  // namespace zellige
