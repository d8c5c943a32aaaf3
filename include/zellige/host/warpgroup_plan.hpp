// The dispatches of kernels that multiply by warpgroups.
#pragma once

#include "zellige/gemm/warpgroup_pack.hpp"
#include "zellige/host/tensor_map.hpp"
#include "zellige/host/tiled_plan.hpp"

namespace zellige::detail {

/// Adds the launches of one chunk: as many workgroups as the device holds at once take tiles in turn; a cluster's take
/// one. `tiled` is the same chunk packed for an unsplit run of the other kernels: the second stage's sizes. The maps
/// hold addresses and so are encoded at each run.
template <class Config>
void add_warpgroup_dispatches(Plan& plan, const Kernel<Config>& kernel, const GemmConfig& config,
                              const WarpgroupShape& s, WarpgroupPacked packed, GemmArgs tiled) {
  const ArchTraits traits = arch_traits(plan.arch);
  const DataType accumulator = accumulator_of(s.input);
  const bool two_stage = needs_second_stage(config.tiling);
  tiled.epilogue = pack_epilogue(plan.epilogue);
  if (two_stage) {
    split_args(tiled, config.tiling, accumulator, plan.split_k, traits.dies);
    plan.workspace_bytes =
        max_of(plan.workspace_bytes, static_cast<std::int64_t>(tiled.split.slab_bytes) * plan.split_k);
  }
  packed.args.epilogue = tiled.epilogue;
  packed.args.bytes_c = tiled.bytes_c;
  const auto resident = static_cast<std::uint32_t>(traits.compute_units * s.min_blocks);
  LaunchShape shape{.workgroups = s.cluster > 1 ? packed.args.tiles : min_of(packed.args.tiles, resident),
                    .threads = static_cast<std::uint32_t>(s.threads()),
                    .dynamic_lds = dynamic_lds_of(traits, s.lds_bytes())};
  shape.cluster = shape.workgroups_z = static_cast<std::uint32_t>(s.cluster);
  Dispatch dispatch = make_dispatch(kernel.entry, shape, packed.args);
#if defined(ZELLIGE_PLATFORM_NVIDIA)
  dispatch.finish = [two_stage, maps_c = s.maps_c(), a = packed.a, b = packed.b,
                     c = packed.c](std::byte* bytes) {
    auto& args = *reinterpret_cast<WarpgroupArgs*>(bytes);
    args.a = encode(a, args.pointers.a, "the map of a");
    args.b = encode(b, args.pointers.b, "the map of b");
    if (maps_c) args.c = encode(c, two_stage ? args.pointers.workspace : args.pointers.c, "the map of c");
  };
#endif
  plan.dispatches.push_back(std::move(dispatch));
  if (two_stage)
    plan.dispatches.push_back(make_reduction(kernel.reduce, accumulator, config.output, tiled, plan.align_c));
}

}  // namespace zellige::detail
