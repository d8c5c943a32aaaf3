// The library's one launch helper.
#pragma once

#include <string>

#include "zellige/host/error.hpp"

namespace zellige {

/// Where and how wide a kernel runs: workgroups and threads are linear in x.
struct LaunchShape {
  std::uint32_t workgroups = 1, threads = 1;
  std::uint32_t dynamic_lds = 0;  ///< bytes of LDS beside what the kernel declares (ArchTraits::static_lds_bytes)
};

/// Enqueues `kernel` with one by-value argument struct at `args`. Only enqueues; throws RuntimeError naming `instance`.
inline void launch(const void* kernel, LaunchShape shape, const void* args, hipStream_t stream,
                   const std::string& instance) {
#if defined(ZELLIGE_PLATFORM_NVIDIA)
  if (shape.dynamic_lds != 0) {  // CUDA refuses more than 48 KB unless the kernel was told before
    require_success(
        hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shape.dynamic_lds)),
        "hipFuncSetAttribute", instance);
  }
#endif
  void* arguments[] = {const_cast<void*>(args)};
  require_success(
      hipLaunchKernel(kernel, dim3(shape.workgroups), dim3(shape.threads), arguments, shape.dynamic_lds, stream),
      "hipLaunchKernel", instance);
}

}  // namespace zellige
