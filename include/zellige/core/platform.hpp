// What differs between the compilers that read these headers: attributes and the compilation pass.
//
// These are the library's only macros, besides ZELLIGE_REQUIRE in verdict.hpp and the runtime's names on NVIDIA. Plain
// host compilers (g++) see ordinary functions; clang in HIP mode and nvcc see device functions. No HIP or CUDA header
// is needed.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define ZELLIGE_HD __host__ __device__
#define ZELLIGE_DEVICE __device__ __forceinline__
#define ZELLIGE_GLOBAL __global__
#define ZELLIGE_GRID_CONSTANT __grid_constant__
#elif defined(__HIP__)
#define ZELLIGE_HD __attribute__((host)) __attribute__((device))
#define ZELLIGE_DEVICE __attribute__((device)) __attribute__((always_inline)) inline
#define ZELLIGE_GLOBAL __attribute__((global))
#define ZELLIGE_GRID_CONSTANT
#else
#define ZELLIGE_HD
#define ZELLIGE_DEVICE inline
#define ZELLIGE_GLOBAL
#define ZELLIGE_GRID_CONSTANT
#endif

// 1 while the device's code is compiled, 0 in a host pass.
#if defined(__HIP_DEVICE_COMPILE__) || defined(__CUDA_ARCH__)
#define ZELLIGE_DEVICE_PASS 1
#else
#define ZELLIGE_DEVICE_PASS 0
#endif

// Bounds of a kernel's launch: `threads` of a workgroup at most, and at least `blocks` workgroups resident on a CU or
// SM. The second value of launch_bounds is blocks per SM in CUDA, but waves per SIMD in HIP: `waves` is that number.
#if defined(__CUDACC__)
#define ZELLIGE_LAUNCH_BOUNDS(threads, blocks, waves) __launch_bounds__(threads, blocks)
#elif defined(__HIP__)
// AMD's compilers ignore launch_bounds: HIP's own macro spells it so, too.
#define ZELLIGE_LAUNCH_BOUNDS(threads, blocks, waves) \
  __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#else
#define ZELLIGE_LAUNCH_BOUNDS(threads, blocks, waves)
#endif

// A kernel whose workgroups form clusters of `size` along z. Empty where the pass has no clusters: the attribute is an
// error there, even for a size of 1.
#if defined(__CUDACC__)
#define ZELLIGE_CLUSTER(size) __cluster_dims__(1, 1, size)
#elif defined(__gfx1250__)
#define ZELLIGE_CLUSTER(size) __attribute__((cluster_dims(1, 1, size)))
#else
#define ZELLIGE_CLUSTER(size)
#endif

// Loops over what a config fixes: nvcc unrolls only where it is told to, clang does it anyway. Host passes take the
// same functions with run-time values, where a loop stays a loop.
#if ZELLIGE_DEVICE_PASS
#define ZELLIGE_UNROLL _Pragma("unroll")
#define ZELLIGE_NO_UNROLL _Pragma("unroll 1")
#else
#define ZELLIGE_UNROLL
#define ZELLIGE_NO_UNROLL
#endif
