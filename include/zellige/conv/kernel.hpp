// Forward convolution: the GEMM-shaped kernel over the input's im2col view and the weight as a matrix.
#pragma once

#include "zellige/conv/check.hpp"
#include "zellige/conv/few_channels_kernel.hpp"
#include "zellige/gemm/kernel.hpp"

namespace zellige {

/// A forward convolution instance. Use it through conv_fwd_kernel<A, C>() in host/conv.hpp.
template <Arch A, ConvConfig C>
struct ConvFwd : KernelTraits<A, check(C, A).ok, C.tiling> {
  using Args =
      std::conditional_t<C.tiling.pipeline == Pipeline::few_channels, FewChannelsArgs, TilingArgs<C.tiling>>;
  static ZELLIGE_DEVICE void run(const Args& args) {
    if constexpr (C.tiling.pipeline == Pipeline::few_channels)
      convolve_few_channels<A, few_channels_shape(C)>(args);
    else if constexpr (C.tiling.pipeline == Pipeline::tensor_copy)
      multiply_warpgroups<A, warpgroup_shape(lowered(C), true)>(args);
    else
      multiply_views<A, lowered(C), conv_input_view(C.spatial), matrix_view()>(args);
  }
};

}  // namespace zellige
