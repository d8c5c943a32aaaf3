// How many workgroups of a kernel a compute unit holds at a time, and what limits them.
#pragma once

#include <cstdint>

#include "simulator/code_object/kernel_info.hpp"
#include "simulator/dispatch/device.hpp"

namespace zellige::sim {

struct Occupancy {
  int waves_per_workgroup = 0;
  int workgroups_per_cu = 0;  ///< 0: the kernel cannot run with this block or LDS
  /// Compute units whose SIMDs and LDS a workgroup may use: 2 for RDNA kernels in WGP mode (COMPUTE_PGM_RSRC1, bit 29),
  /// else 1; and the workgroups that they hold together, which need not be a multiple.
  int processor_cus = 1;
  int workgroups_per_processor = 0;
  int waves_per_simd = 0;     ///< that the registers allow
  /// Workgroups that a device of so many compute units holds.
  std::uint64_t of_device(int compute_units) const {
    return static_cast<std::uint64_t>(workgroups_per_processor) * static_cast<std::uint64_t>(compute_units) /
           static_cast<std::uint64_t>(processor_cus);
  }
  const char* limit = "";     ///< "waves", "vgprs", "sgprs", "lds" or "workgroups"
};

/// Checked against what LLVM prints (-Rpass-analysis=kernel-resource-usage). `workgroup_items` work-items a workgroup, `lds_bytes` of LDS (static and dynamic).
Occupancy occupancy(const Device& device, const KernelInfo& kernel, std::uint64_t workgroup_items,
                    std::uint64_t lds_bytes);

}  // namespace zellige::sim
