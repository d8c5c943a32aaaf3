// The names of the GPU runtime that the library and its programs call: HIP's, mapped to CUDA's where HIP's other
// platform is compiled (ZELLIGE_PLATFORM_NVIDIA). A name that is missing here has no caller.
#pragma once

#if defined(ZELLIGE_PLATFORM_NVIDIA)
#include <cuda_runtime_api.h>

#include <cstddef>

using hipError_t = cudaError_t;
using hipStream_t = cudaStream_t;
using hipEvent_t = cudaEvent_t;
using hipDeviceProp_t = cudaDeviceProp;
using hipGraph_t = cudaGraph_t;
using hipGraphExec_t = cudaGraphExec_t;
inline constexpr hipError_t hipSuccess = cudaSuccess, hipErrorInvalidValue = cudaErrorInvalidValue;
inline constexpr auto hipMemcpyHostToDevice = cudaMemcpyHostToDevice;
inline constexpr auto hipMemcpyDeviceToHost = cudaMemcpyDeviceToHost;
#define hipGetDeviceCount cudaGetDeviceCount
#define hipGetDevice cudaGetDevice
#define hipSetDevice cudaSetDevice
#define hipGetDeviceProperties cudaGetDeviceProperties
#define hipGetErrorName cudaGetErrorName
#define hipGetErrorString cudaGetErrorString
#define hipGetLastError cudaGetLastError
#define hipMalloc cudaMalloc
#define hipFree cudaFree
#define hipMemcpy cudaMemcpy
#define hipMemset cudaMemset
#define hipDeviceSynchronize cudaDeviceSynchronize
#define hipStreamCreate cudaStreamCreate
#define hipStreamDestroy cudaStreamDestroy
#define hipStreamSynchronize cudaStreamSynchronize
#define hipStreamBeginCapture cudaStreamBeginCapture
#define hipStreamEndCapture cudaStreamEndCapture
#define hipStreamCaptureModeGlobal cudaStreamCaptureModeGlobal
#define hipGraphLaunch cudaGraphLaunch
#define hipGraphDestroy cudaGraphDestroy
#define hipGraphExecDestroy cudaGraphExecDestroy
#define hipEventCreate cudaEventCreate
#define hipEventDestroy cudaEventDestroy
#define hipEventRecord cudaEventRecord
#define hipEventSynchronize cudaEventSynchronize
#define hipEventElapsedTime cudaEventElapsedTime
#define hipLaunchKernel cudaLaunchKernel
#define hipLaunchKernelExC cudaLaunchKernelExC
#define hipLaunchConfig_t cudaLaunchConfig_t
#define hipLaunchAttribute cudaLaunchAttribute
#define hipLaunchAttributeID cudaLaunchAttributeID
#define hipFuncSetAttribute cudaFuncSetAttribute
#define hipFuncAttributeMaxDynamicSharedMemorySize cudaFuncAttributeMaxDynamicSharedMemorySize

/// CUDA's takes flags where HIP's has room for a message.
inline hipError_t hipGraphInstantiate(hipGraphExec_t* executable, hipGraph_t graph, void*, char*, std::size_t) {
  return cudaGraphInstantiate(executable, graph, 0);
}
#else
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
#include <hip/hip_runtime_api.h>
#endif
