// Kernels that multiply by warpgroups, fed by tensor copies: a GEMM and a convolution.
#include "zellige/host/conv.hpp"
#include "zellige/host/gemm.hpp"

namespace zellige {

constexpr Tiling warpgroup_tiling{.block = {128, 128, 64}, .waves = {8, 1}, .atom = {64, 128, 16},
                                  .pipeline = Pipeline::tensor_copy, .vector_c = 8, .store = Store::lds_shuffle, .stages = 4};
constexpr GemmConfig warpgroup_gemm_config{.input = DataType::bf16, .output = DataType::bf16, .tiling = warpgroup_tiling};
constexpr ConvConfig warpgroup_conv_config{.input = DataType::bf16, .output = DataType::bf16, .tiling = warpgroup_tiling};

GemmKernel warpgroup_gemm() { return gemm_kernel<Arch::sm_90, warpgroup_gemm_config>(); }
ConvKernel warpgroup_conv() { return conv_fwd_kernel<Arch::sm_90, warpgroup_conv_config>(); }

}  // namespace zellige
