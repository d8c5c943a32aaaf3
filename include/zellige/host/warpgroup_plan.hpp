// The dispatch of a kernel that multiplies by warpgroups.
#pragma once

#include "zellige/gemm/warpgroup_pack.hpp"
#include "zellige/host/tensor_map.hpp"
#include "zellige/host/tiled_plan.hpp"

namespace zellige::detail {

/// Adds one launch: as many workgroups as the device holds at once, which take tiles in turn. The maps hold addresses
/// and so are encoded at each run.
inline void add_warpgroup_dispatch(Plan& plan, const void* entry, const WarpgroupShape& s,
                                   const WarpgroupPacked& packed, int compute_units) {
  const auto resident = static_cast<std::uint32_t>(compute_units * s.min_blocks);
  const LaunchShape shape{.workgroups = min_of(packed.args.tiles, resident),
                          .threads = static_cast<std::uint32_t>(s.threads()),
                          .dynamic_lds = static_cast<std::uint32_t>(s.lds_bytes())};
  Dispatch dispatch = make_dispatch(entry, shape, packed.args);
#if defined(ZELLIGE_PLATFORM_NVIDIA)
  dispatch.finish = [a = packed.a, b = packed.b, c = packed.c](std::byte* bytes) {
    auto& args = *reinterpret_cast<WarpgroupArgs*>(bytes);
    args.a = encode(a, args.pointers.a, "the map of a");
    args.b = encode(b, args.pointers.b, "the map of b");
    args.c = encode(c, args.pointers.c, "the map of c");
  };
#endif
  plan.dispatches.push_back(std::move(dispatch));
}

}  // namespace zellige::detail
