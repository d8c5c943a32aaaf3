// One forward convolution on HIP's other platform: the same headers, through an mma.sync atom.
#include "zellige/host/conv.hpp"

namespace zellige {

constexpr ConvConfig conv_sm90{.input = DataType::bf16, .output = DataType::bf16,
                               .tiling = {.block = {128, 64, 32}, .waves = {2, 2}, .atom = {16, 8, 16}, .walk = Walk::run}};

ConvKernel nvidia_conv_kernel() { return conv_fwd_kernel<Arch::sm_90, conv_sm90>(); }

}  // namespace zellige
