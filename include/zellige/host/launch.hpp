// The library's one launch helper: every launch, of a cluster or not, direct or of a plan, goes through it.
#pragma once

#include <cstring>
#include <string>

#include "zellige/core/math.hpp"
#include "zellige/host/error.hpp"

namespace zellige {

/// Where and how wide a kernel runs: workgroups and threads are linear in x; only clusters use z.
struct LaunchShape {
  std::uint32_t workgroups = 1, threads = 1;
  std::uint32_t dynamic_lds = 0;   ///< bytes of LDS beside what the kernel declares (ArchTraits::static_lds_bytes)
  std::uint32_t workgroups_z = 1;  ///< a multiple of `cluster`
  std::uint32_t cluster = 1;       ///< workgroups of a cluster, along z; 1: none
  /// Where dynamic_lds depends on the problem: the most that any launch of the kernel asks for.
  std::uint32_t most_dynamic_lds = 0;
};

namespace detail {

// The launch attribute of a cluster's dimensions: three unsigned numbers at the beginning of its value. HIP's enum has
// no name for it up to release 7.2; the number is that of later releases and of CUDA.
#if !defined(ZELLIGE_PLATFORM_NVIDIA) && (HIP_VERSION_MAJOR < 7 || (HIP_VERSION_MAJOR == 7 && HIP_VERSION_MINOR <= 2))
inline constexpr auto cluster_dimension_attribute = static_cast<hipLaunchAttributeID>(4);
#elif defined(ZELLIGE_PLATFORM_NVIDIA)
inline constexpr auto cluster_dimension_attribute = cudaLaunchAttributeClusterDimension;
#else
inline constexpr auto cluster_dimension_attribute = hipLaunchAttributeClusterDimension;
#endif

inline hipError_t launch_clusters(const void* kernel, const LaunchShape& shape, void** arguments, hipStream_t stream) {
  hipLaunchAttribute attribute{};
  attribute.id = cluster_dimension_attribute;
  const unsigned dimensions[3] = {1, 1, shape.cluster};
  std::memcpy(&attribute.val, dimensions, sizeof dimensions);
  hipLaunchConfig_t config{};
  config.gridDim = dim3(shape.workgroups, 1, shape.workgroups_z);
  config.blockDim = dim3(shape.threads);
  config.dynamicSmemBytes = shape.dynamic_lds;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return hipLaunchKernelExC(&config, kernel, arguments);
}

}  // namespace detail

/// Enqueues `kernel` with one by-value argument struct at `args`. Only enqueues; throws RuntimeError naming `instance`.
inline void launch(const void* kernel, const LaunchShape& shape, const void* args, hipStream_t stream,
                   const std::string& instance) {
#if defined(ZELLIGE_PLATFORM_NVIDIA)
  // CUDA refuses more than 48 KB unless the kernel was told before. That is a state of the kernel, which threads and
  // captured graphs share: every launch tells it the same number.
  if (shape.dynamic_lds != 0) {
    const auto most = static_cast<int>(max_of(shape.dynamic_lds, shape.most_dynamic_lds));
    require_success(hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, most),
                    "hipFuncSetAttribute", instance);
  }
#endif
  void* arguments[] = {const_cast<void*>(args)};
  if (shape.cluster > 1) {  // a plain launch would form no clusters, and their barrier would order nothing
    return require_success(detail::launch_clusters(kernel, shape, arguments, stream), "hipLaunchKernelExC", instance);
  }
  require_success(hipLaunchKernel(kernel, dim3(shape.workgroups, 1, shape.workgroups_z), dim3(shape.threads), arguments,
                                  shape.dynamic_lds, stream),
                  "hipLaunchKernel", instance);
}

}  // namespace zellige
