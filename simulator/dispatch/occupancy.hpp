// How many workgroups of a kernel a compute unit holds at a time, and what limits them.
#pragma once

#include <cstdint>

#include "simulator/code_object/kernel_info.hpp"
#include "simulator/dispatch/device.hpp"

namespace zellige::sim {

struct Occupancy {
  int waves_per_workgroup = 0;
  int workgroups_per_cu = 0;  ///< 0: the kernel cannot run with this block or LDS
  int waves_per_simd = 0;     ///< that the registers allow
  const char* limit = "";     ///< "waves", "vgprs", "sgprs", "lds" or "workgroups"
};

/// `workgroup_items` work-items a workgroup, `lds_bytes` of LDS (static and dynamic).
Occupancy occupancy(const Device& device, const KernelInfo& kernel, std::uint64_t workgroup_items,
                    std::uint64_t lds_bytes);

}  // namespace zellige::sim
