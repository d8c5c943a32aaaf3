// Which target a device is.
#pragma once

#include <string>

#include "zellige/core/arch.hpp"
#include "zellige/host/error.hpp"

namespace zellige {

struct Device {
  int index = 0;
  Arch arch = Arch::none;      ///< Arch::none: a target that the library does not know
  std::string arch_name;       ///< as the runtime reports it, without feature suffixes
  std::string name;            ///< the product's name
  int compute_units = 0;
};

/// Asks the runtime about device `index`. Throws RuntimeError.
inline Device device_of(int index) {
  hipDeviceProp_t properties;
  require_success(hipGetDeviceProperties(&properties, index), "hipGetDeviceProperties", "device " + std::to_string(index));
#if defined(ZELLIGE_PLATFORM_NVIDIA)
  std::string arch_name = "sm_" + std::to_string(properties.major * 10 + properties.minor);
#else
  std::string arch_name = properties.gcnArchName;
  arch_name = arch_name.substr(0, arch_name.find(':'));
#endif
  return {index, parse_arch(arch_name), arch_name, properties.name, properties.multiProcessorCount};
}

/// The device that launches of this host thread go to. Throws RuntimeError.
inline Device current_device() {
  int index = 0;
  require_success(hipGetDevice(&index), "hipGetDevice");
  return device_of(index);
}

}  // namespace zellige
