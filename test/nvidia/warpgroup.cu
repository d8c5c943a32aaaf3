// Kernels that multiply by warpgroups, fed by tensor copies: GEMMs and convolutions, rows of C multiples of 16 bytes or
// not.
#include "zellige/host/conv.hpp"
#include "zellige/host/gemm.hpp"

namespace zellige {

constexpr Tiling warpgroup_tiling{.block = {128, 128, 64}, .waves = {8, 1}, .atom = {64, 128, 16},
                                  .pipeline = Pipeline::tensor_copy, .vector_c = 8, .store = Store::lds_shuffle, .stages = 4};
constexpr GemmConfig warpgroup_gemm_config{.input = DataType::bf16, .output = DataType::bf16, .tiling = warpgroup_tiling};
constexpr ConvConfig warpgroup_conv_config{.input = DataType::bf16, .output = DataType::bf16, .tiling = warpgroup_tiling};

constexpr Tiling narrow_tiling{.block = {64, 8, 64}, .waves = {4, 1}, .atom = {64, 8, 16}, .pipeline = Pipeline::tensor_copy,
                               .min_blocks = 3, .stages = 6};
constexpr Tiling any_row_tiling{.block = {128, 128, 64}, .waves = {8, 1}, .atom = {64, 128, 16},
                                .pipeline = Pipeline::tensor_copy, .stages = 6};
constexpr ConvConfig narrow_conv_config{.input = DataType::bf16, .output = DataType::bf16, .tiling = narrow_tiling};
constexpr GemmConfig any_row_gemm_config{.input = DataType::f16, .output = DataType::f32, .order_b = MatrixOrder::column,
                                         .tiling = any_row_tiling};

GemmKernel warpgroup_gemm() { return gemm_kernel<Arch::sm_90, warpgroup_gemm_config>(); }
ConvKernel warpgroup_conv() { return conv_fwd_kernel<Arch::sm_90, warpgroup_conv_config>(); }
ConvKernel narrow_conv() { return conv_fwd_kernel<Arch::sm_90, narrow_conv_config>(); }
GemmKernel any_row_gemm() { return gemm_kernel<Arch::sm_90, any_row_gemm_config>(); }

}  // namespace zellige
