// The device that a test of one target runs on.
#pragma once

#include "targets.hpp"
#include "zellige/library.hpp"

namespace zellige {

/// Makes the first device of that target current; false when there is none. Throws RuntimeError.
inline bool use_device(Arch arch) {
  for (Arch target : built_targets()) target_library(target);  // a simulated device is there for each target with code
  int count = 0;
  require_success(hipGetDeviceCount(&count), "hipGetDeviceCount");
  for (int i = 0; i < count; ++i) {
    if (device_of(i).arch != arch) continue;
    require_success(hipSetDevice(i), "hipSetDevice");
    return true;
  }
  return false;
}

}  // namespace zellige
