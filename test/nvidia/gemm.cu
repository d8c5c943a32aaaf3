// One GEMM on HIP's other platform: the same headers, through an mma.sync atom. Compiled where nvcc is found; run it on a GPU
// with the tests of a build for that platform.
#include "zellige/host/gemm.hpp"

namespace zellige {

constexpr GemmConfig gemm_sm90{.tiling = {.block = {128, 128, 32}, .waves = {2, 4}, .atom = {16, 8, 16}, .vector_c = 8, .store = Store::lds_shuffle}};

GemmKernel nvidia_gemm_kernel() { return gemm_kernel<Arch::sm_90, gemm_sm90>(); }

}  // namespace zellige
