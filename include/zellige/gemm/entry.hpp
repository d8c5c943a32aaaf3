// The library's one __global__ function, and its twin for clusters of workgroups.
//
// It is keyed by a type K (Gemm<arch, config>, ConvFwd<arch, config>, ...), never by the config value itself: nvcc's
// host stubs cannot print a namespaced structural value as a kernel's own template argument. A kernel whose config is
// refused, or that was built for another target, compiles to an empty body, so that one message stays one message and a
// unit may be compiled for several targets.
#pragma once

#include "zellige/core/arch.hpp"

namespace zellige {

template <class K>
ZELLIGE_GLOBAL void ZELLIGE_LAUNCH_BOUNDS(K::threads, K::min_blocks, K::min_waves)
    entry([[maybe_unused]] const ZELLIGE_GRID_CONSTANT typename K::Args args) {
#if ZELLIGE_DEVICE_PASS
  if constexpr (K::valid && K::arch == this_arch()) K::run(args);
#endif
}

/// The same for kernels whose workgroups form clusters of K::cluster; a plain launch of one would form none.
template <class K>
ZELLIGE_GLOBAL void ZELLIGE_LAUNCH_BOUNDS(K::threads, K::min_blocks, K::min_waves) ZELLIGE_CLUSTER(K::cluster)
    cluster_entry([[maybe_unused]] const ZELLIGE_GRID_CONSTANT typename K::Args args) {
#if ZELLIGE_DEVICE_PASS
  if constexpr (K::valid && K::arch == this_arch()) K::run(args);
#endif
}

/// The address that the runtime knows the kernel by.
template <class K>
const void* entry_of() {
  if constexpr (K::cluster > 1)
    return reinterpret_cast<const void*>(&cluster_entry<K>);
  else
    return reinterpret_cast<const void*>(&entry<K>);
}

}  // namespace zellige
