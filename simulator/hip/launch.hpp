// From the launch calls' arguments to kernel work.
#pragma once

#include <span>

#include "simulator/hip/runtime.hpp"

namespace zellige::sim {

struct LaunchShape {
  std::array<std::uint64_t, 3> grid;  ///< in work-items
  std::array<std::uint64_t, 3> block;
  std::size_t dynamic_lds = 0;
  bool cooperative = false;
  std::array<std::uint32_t, 3> cluster{};  ///< workgroups of a cluster; zeros: not asked for
};

/// The launch attribute of clusters: the shape is three unsigned numbers at the beginning of its value. HIP's enum has no
/// such name before its release after 7.2; the value is that of later releases, and of CUDA's attribute.
inline constexpr int launch_attribute_cluster_dimension = 4;

/// Work-items of `blocks` blocks of `block` work-items.
LaunchShape shape_of(dim3 blocks, dim3 block, std::size_t dynamic_lds);

/// Checks the shape, packs the arguments (`parameters`: a pointer for each explicit argument; or `extra`: a buffer in
/// HIP_LAUNCH_PARAM_* form). Failures: hipErrorInvalidConfiguration, hipErrorLaunchOutOfResources,
/// hipErrorInvalidValue, hipErrorCooperativeLaunchTooLarge, each with a sentence.
KernelWork make_kernel_work(ihipModuleSymbol_t& function, const LaunchShape& shape, void** parameters, void** extra);

/// Enqueues it on a stream of the function's device, between two events where they are given.
void launch_on(ihipStream_t& stream, KernelWork work, hipEvent_t start, hipEvent_t stop);

/// A live hipFunction_t; Failure hipErrorInvalidHandle.
ihipModuleSymbol_t& function_of(hipFunction_t handle);

}  // namespace zellige::sim
