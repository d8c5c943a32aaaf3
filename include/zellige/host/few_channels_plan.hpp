// The dispatches of convolutions with Pipeline::few_channels.
#pragma once

#include "zellige/conv/few_channels_pack.hpp"
#include "zellige/host/tensor_map.hpp"
#include "zellige/host/tiled_plan.hpp"

namespace zellige::detail {

/// Adds the launch of one chunk: as many workgroups as the device holds at once take tiles in turn. The maps hold
/// addresses and so are encoded at each run.
inline void add_few_channels_dispatch(Plan& plan, const Kernel<ConvConfig>& kernel, const ConvProblem& chunk) {
  const FewChannelsShape s = few_channels_shape(kernel.config);
  const ArchTraits traits = arch_traits(plan.arch);
  FewChannelsPacked packed = pack_few_channels(s, plan.arch, chunk, traits.compute_units * s.block.min_blocks);
  packed.args.epilogue = pack_epilogue(plan.epilogue);
  Dispatch dispatch =
      make_dispatch(kernel.entry,
                    {.workgroups = packed.workgroups,
                     .threads = static_cast<std::uint32_t>(s.threads()),
                     .dynamic_lds = packed.lds_bytes,
                     .most_dynamic_lds = static_cast<std::uint32_t>(shared_bytes_of_one(traits, s.block.min_blocks))},
                    packed.args);
#if defined(ZELLIGE_PLATFORM_NVIDIA)
  dispatch.finish = [a = packed.a, c = packed.c](std::byte* bytes) {
    auto& args = *reinterpret_cast<FewChannelsArgs*>(bytes);
    args.a = encode(a, args.pointers.a, "the map of a");
    args.c = encode(c, args.pointers.c, "the map of c");
  };
#endif
  plan.dispatches.push_back(std::move(dispatch));
}

}  // namespace zellige::detail
