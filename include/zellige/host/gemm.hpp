// A GEMM instance on the host: its kernel, and plans for problems.
//
//   constexpr zellige::GemmConfig config{.tiling = {.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}}};
//   const zellige::GemmKernel kernel = zellige::gemm_kernel<zellige::Arch::gfx942, config>();   // in a HIP unit
//   const zellige::Planned planned = zellige::plan_gemm(kernel, {.m = 512, .n = 512, .k = 256});
//   if (planned.verdict.ok) planned.plan.run(stream, {a, b, c});
#pragma once

#include "zellige/gemm/check.hpp"
#include "zellige/gemm/name.hpp"
#include "zellige/gemm/pack.hpp"
#include "zellige/host/warpgroup_plan.hpp"

#if defined(__HIP__) || defined(__CUDACC__)
#include "zellige/gemm/kernel.hpp"
#endif

namespace zellige {

using GemmKernel = Kernel<GemmConfig>;

/// The plan that solves `problem` with `kernel`, or why it cannot. Sizes, layouts and types: GemmProblem.
inline Planned plan_gemm(const GemmKernel& kernel, const GemmProblem& problem, const PlanOptions& options = {}) {
  if (Verdict v = supports(kernel.config, kernel.arch, problem, options); !v.ok) return {v, {}};
  Planned planned{{}, detail::begin_plan(kernel.arch, name_of(kernel.arch, kernel.config), kernel.config, options)};
  const ArchTraits traits = arch_traits(kernel.arch);
  if (kernel.config.tiling.pipeline == Pipeline::tensor_copy) {
    const WarpgroupShape shape = warpgroup_shape(kernel.config, false);
    detail::add_warpgroup_dispatch(planned.plan, kernel.entry, shape, pack_warpgroups(kernel.config, shape, problem, 1, 0),
                                   traits.compute_units);
    return planned;
  }
  detail::add_tiled_dispatches(planned.plan, kernel.entry, kernel.config,
                               pack_args(kernel.config, problem, traits.dies));
  return planned;
}

#if defined(__HIP__) || defined(__CUDACC__)
/// The kernel of a config of your own. A config that the target cannot run stops the compilation with the reason.
template <Arch A, GemmConfig C>
GemmKernel gemm_kernel() {
  ZELLIGE_REQUIRE(check(C, A));
  return {reinterpret_cast<const void*>(&entry<Gemm<A, C>>), A, C};
}
#endif

}  // namespace zellige
