// The kernel argument segment: explicit arguments as the caller gave them, hidden ones as the launch says.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "simulator/dispatch/launch.hpp"

namespace zellige::sim {

/// Addresses that hidden arguments may hand out; 0 where there is no such service.
struct HiddenServices {
  std::uint64_t hostcall = 0;  ///< buffer of the device-to-host calls (printf)
  std::uint64_t queue = 0;
  std::uint64_t grid_sync = 0;  ///< state of the grid-wide barrier of a cooperative launch
};

/// Fills `segment` (kernel.kernarg_bytes) from the request.
void fill_arguments(const LaunchRequest& request, const HiddenServices& services, std::span<std::uint8_t> segment);

/// True when the kernel's hidden arguments ask for `kind`.
bool asks_for(const KernelInfo& kernel, ArgumentKind kind);

}  // namespace zellige::sim
