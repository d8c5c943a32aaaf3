// Convolutions of few channels: a stem's kernel, and one of long filters with several stages to a tile.
#include "zellige/host/conv.hpp"

namespace zellige {

constexpr Tiling few_channels_tiling(Mnk block, int stages, int min_blocks) {
  return {.block = block, .waves = {block.m / 16, 1}, .atom = {64, block.n, 16}, .pipeline = Pipeline::few_channels,
          .vector_c = 8, .store = Store::lds_shuffle, .min_blocks = min_blocks, .stages = stages};
}
constexpr ConvConfig stem_config{.input = DataType::bf16, .output = DataType::bf16,
                                 .tiling = few_channels_tiling({128, 64, 32}, 4, 2)};
constexpr ConvConfig patches_config{.input = DataType::f16, .output = DataType::f16,
                                    .tiling = few_channels_tiling({128, 128, 16}, 8, 1)};

ConvKernel stem_conv() { return conv_fwd_kernel<Arch::sm_90, stem_config>(); }
ConvKernel patches_conv() { return conv_fwd_kernel<Arch::sm_90, patches_config>(); }

}  // namespace zellige
