// The library's one __global__ function.
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

}  // namespace zellige
