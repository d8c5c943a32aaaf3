// Which target a device is.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "zellige/core/arch.hpp"
#include "zellige/host/error.hpp"

namespace zellige {

struct Device {
  int index = 0;
  Arch arch = Arch::none;  ///< Arch::none: a target that the library does not know
  std::string arch_name;   ///< as the runtime reports it, without feature suffixes
  std::string name;        ///< the product's name
  int compute_units = 0;
};

/// Asks the runtime about device `index`. Throws RuntimeError.
inline Device device_of(int index) {
  hipDeviceProp_t properties;
  require_success(hipGetDeviceProperties(&properties, index), "hipGetDeviceProperties",
                  "device " + std::to_string(index));
#if defined(ZELLIGE_PLATFORM_NVIDIA)
  std::string arch_name = "sm_" + std::to_string(properties.major * 10 + properties.minor);
#else
  std::string arch_name = properties.gcnArchName;
  arch_name = arch_name.substr(0, arch_name.find(':'));
#endif
  return {index, arch_of_device(arch_name), arch_name, properties.name, properties.multiProcessorCount};
}

/// The device that launches of this host thread go to. The runtime is asked about each device once. Throws
/// RuntimeError.
inline const Device& current_device() {
  static std::mutex mutex;
  static std::map<int, Device> known;  // references into a map stay valid
  int index = 0;
  require_success(hipGetDevice(&index), "hipGetDevice");
  const std::lock_guard lock(mutex);
  const auto found = known.find(index);
  return found != known.end() ? found->second : known.emplace(index, device_of(index)).first->second;
}

}  // namespace zellige
