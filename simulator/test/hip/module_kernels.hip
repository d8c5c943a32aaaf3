// Kernels that module_test loads from files: compiled to code objects only.
#include <hip/hip_runtime.h>

__device__ int module_table[8] = {5, 6, 7, 8};
__device__ int module_counter;

extern "C" __global__ void scale(float* values, float factor, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}

/// Its name holds a type of LLVM's own.
__global__ void halve(_Float16* values) { values[threadIdx.x] /= 2; }

extern "C" __global__ void count_items(int* out) {
  atomicAdd(&module_counter, 1);
  if (threadIdx.x == 0) atomicMax(out, static_cast<int>(blockIdx.x) * 1000 + static_cast<int>(blockDim.x));
}
