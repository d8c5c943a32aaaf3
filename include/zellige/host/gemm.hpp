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
#include "zellige/host/reduce_entries.hpp"
#endif

namespace zellige {

using GemmKernel = Kernel<GemmConfig>;

namespace detail {

/// Adds what computes one chunk.
inline void add_dispatches(Plan& plan, const GemmKernel& kernel, const GemmProblem& chunk) {
  const ArchTraits traits = arch_traits(kernel.arch);
  if (kernel.config.tiling.pipeline == Pipeline::tensor_copy) {
    const WarpgroupShape shape = warpgroup_shape(kernel.config, false);
    add_warpgroup_dispatches(plan, kernel, kernel.config, shape,
                             pack_warpgroups(kernel.config, shape, chunk, plan.split_k),
                             pack_args(kernel.config, chunk, traits.dies));
  } else {
    add_tiled_dispatches(plan, kernel, kernel.config, pack_args(kernel.config, chunk, traits.dies));
  }
}

}  // namespace detail

/// The plan that solves `problem` with `kernel`, or why it cannot. Sizes, layouts and types: GemmProblem. Where A or C
/// passes options.dispatch_limit(), it takes a dispatch (or a list of them) for each chunk of rows.
inline Planned plan_gemm(const GemmKernel& kernel, const GemmProblem& problem, const PlanOptions& options = {}) {
  if (Verdict v = supports(kernel.config, kernel.arch, problem, options); !v.ok) return {v, {}};
  Planned planned{{},
                  detail::begin_plan(kernel.arch, name_of(kernel.arch, kernel.config), kernel.config,
                                     split_extents(kernel.config.tiling, problem, options), options)};
  const GemmSplit split = split_rows(problem, kernel.config.tiling.block.m, options.dispatch_limit());
  planned.plan.chunks = split.chunks();
  for (std::int64_t i = 0; i < split.chunks(); ++i) {
    const GemmChunk chunk = chunk_of(problem, split, i);
    const std::size_t first = planned.plan.dispatches.size();
    detail::add_dispatches(planned.plan, kernel, chunk.problem);
    detail::move_dispatches(planned.plan, first, chunk.offset_a, chunk.offset_c);
  }
  return planned;
}

#if defined(__HIP__) || defined(__CUDACC__)
/// The kernel of a config of your own. A config that the target cannot run stops the compilation with the reason.
template <Arch A, GemmConfig C>
GemmKernel gemm_kernel() {
  ZELLIGE_REQUIRE(check(C, A));
  return {entry_of<Gemm<A, C>>(), A, C, detail::reduce_entries<A, C>()};
}
#endif

}  // namespace zellige
