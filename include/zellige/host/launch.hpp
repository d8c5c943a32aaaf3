// The library's one launch helper.
#pragma once

#include <string>

#include "zellige/host/error.hpp"

namespace zellige {

/// Where and how wide a kernel runs: workgroups and threads are linear in x.
struct LaunchShape {
  std::uint32_t workgroups = 1, threads = 1;
  std::uint32_t dynamic_lds = 0;  ///< bytes beyond what the kernel declares itself (NVIDIA's shared memory above 48 KB)
};

/// Enqueues `kernel` with one by-value argument struct at `args`. Only enqueues; throws RuntimeError naming `instance`.
inline void launch(const void* kernel, LaunchShape shape, const void* args, hipStream_t stream, const std::string& instance) {
  void* arguments[] = {const_cast<void*>(args)};
  require_success(hipLaunchKernel(kernel, dim3(shape.workgroups), dim3(shape.threads), arguments, shape.dynamic_lds, stream),
                  "hipLaunchKernel", instance);
}

}  // namespace zellige
