// What is known of a kernel before it runs: attributes and occupancy.
#include <algorithm>
#include <climits>

#include "simulator/hip/launch.hpp"
#include "simulator/hip/runtime.hpp"

using namespace zellige::sim;

namespace {

Runtime& runtime() { return Runtime::instance(); }

const Device& device_of(const ihipModuleSymbol_t& function) { return runtime().device(function.module->device).device; }

ihipModuleSymbol_t& host_function(const void* pointer) {
  require(pointer, hipErrorInvalidDeviceFunction);
  return runtime().function(pointer, runtime().current().device.index);
}

Occupancy occupancy_of(const ihipModuleSymbol_t& function, int block, std::size_t dynamic_lds) {
  require(block > 0 && block <= static_cast<int>(std::min(1024u, function.kernel->max_workgroup_size)),
          hipErrorInvalidValue);
  return occupancy(device_of(function), *function.kernel, static_cast<std::uint64_t>(block),
                   function.kernel->lds_bytes + dynamic_lds);
}

/// The smallest grid and the largest block that fill the device best: the block with most waves resident, larger ones
/// first.
void best_block(const ihipModuleSymbol_t& function, int* grid, int* block, std::size_t dynamic_lds, int limit) {
  require(grid && block, hipErrorInvalidValue);
  const KernelInfo& kernel = *function.kernel;
  int largest = static_cast<int>(std::min(1024u, kernel.max_workgroup_size));
  if (limit > 0) largest = std::min(largest, limit);
  int best_waves = 0;
  *grid = *block = 0;
  for (int size = (largest + kernel.lanes - 1) / kernel.lanes * kernel.lanes; size > 0; size -= kernel.lanes) {
    const int items = std::min(size, largest);
    const Occupancy held = occupancy_of(function, items, dynamic_lds);
    const int waves = held.workgroups_per_cu * held.waves_per_workgroup;
    if (waves <= best_waves) continue;
    best_waves = waves;
    *block = items;
    *grid = held.workgroups_per_cu * device_of(function).traits.compute_units;
  }
}

int max_dynamic_lds(const ihipModuleSymbol_t& function) {
  if (function.max_dynamic_lds >= 0) return function.max_dynamic_lds;
  return device_of(function).traits.lds_bytes - static_cast<int>(function.kernel->lds_bytes);
}

void count_blocks(int* blocks, const ihipModuleSymbol_t& function, int block, std::size_t dynamic_lds) {
  require(blocks, hipErrorInvalidValue);
  *blocks = occupancy_of(function, block, dynamic_lds).workgroups_per_cu;
}

}  // namespace

hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* pointer) {
  return api([&] {
    require(attributes, hipErrorInvalidValue);
    const ihipModuleSymbol_t& function = host_function(pointer);
    const KernelInfo& kernel = *function.kernel;
    const Device& device = device_of(function);
    *attributes = {};
    attributes->binaryVersion = device.major * 10 + device.minor;
    attributes->localSizeBytes = kernel.scratch_bytes;
    attributes->maxDynamicSharedSizeBytes = max_dynamic_lds(function);
    attributes->maxThreadsPerBlock = static_cast<int>(kernel.max_workgroup_size);
    attributes->numRegs = kernel.vgprs;
    attributes->ptxVersion = attributes->binaryVersion;
    attributes->sharedSizeBytes = kernel.lds_bytes;
  });
}

hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t handle) {
  return api([&] {
    require(value, hipErrorInvalidValue);
    const ihipModuleSymbol_t& function = function_of(handle);
    const KernelInfo& kernel = *function.kernel;
    const Device& device = device_of(function);
    switch (attribute) {
      case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = static_cast<int>(kernel.max_workgroup_size);
        break;
      case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = static_cast<int>(kernel.lds_bytes);
        break;
      case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = static_cast<int>(kernel.scratch_bytes);
        break;
      case HIP_FUNC_ATTRIBUTE_NUM_REGS:
        *value = kernel.vgprs;
        break;
      case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = max_dynamic_lds(function);
        break;
      case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
      case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = device.major * 10 + device.minor;
        break;
      case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = 0;
        break;
      default:
        throw Failure{hipErrorInvalidValue, {}};
    }
  });
}

hipError_t hipFuncSetAttribute(const void* pointer, hipFuncAttribute attribute, int value) {
  return api([&] {
    ihipModuleSymbol_t& function = host_function(pointer);
    if (attribute == hipFuncAttributePreferredSharedMemoryCarveout) return;  // a hint
    require(attribute == hipFuncAttributeMaxDynamicSharedMemorySize, hipErrorInvalidValue);
    const int room = device_of(function).traits.lds_bytes - static_cast<int>(function.kernel->lds_bytes);
    require(value >= 0 && value <= room, hipErrorInvalidValue,
            "kernel " + function.kernel->demangled + ": " + std::to_string(value) +
                " bytes of dynamic LDS; there are " + std::to_string(room) + " beside its static LDS");
    function.max_dynamic_lds = value;
  });
}

// Cache preferences mean nothing on these targets; the real runtime ignores them too.
hipError_t hipFuncSetCacheConfig(const void*, hipFuncCache_t) { return hipSuccess; }
hipError_t hipFuncSetSharedMemConfig(const void*, hipSharedMemConfig) { return hipSuccess; }

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* pointer, int block,
                                                        size_t dynamic_lds) {
  return api([&] { count_blocks(blocks, host_function(pointer), block, dynamic_lds); });
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* pointer, int block,
                                                                 size_t dynamic_lds, unsigned) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, pointer, block, dynamic_lds);
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t handle, int block,
                                                              size_t dynamic_lds) {
  return api([&] { count_blocks(blocks, function_of(handle), block, dynamic_lds); });
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, hipFunction_t handle, int block,
                                                                       size_t dynamic_lds, unsigned) {
  return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, handle, block, dynamic_lds);
}
hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* pointer, size_t dynamic_lds,
                                             int limit) {
  return api([&] { best_block(host_function(pointer), grid, block, dynamic_lds, limit); });
}
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t handle, size_t dynamic_lds,
                                                   int limit) {
  return api([&] { best_block(function_of(handle), grid, block, dynamic_lds, limit); });
}
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, hipFunction_t handle,
                                                            size_t dynamic_lds, int limit, unsigned) {
  return hipModuleOccupancyMaxPotentialBlockSize(grid, block, handle, dynamic_lds, limit);
}

hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* pointer, int blocks, int block) {
  return api([&] {
    require(bytes && blocks > 0, hipErrorInvalidValue);
    const ihipModuleSymbol_t& function = host_function(pointer);
    require(occupancy_of(function, block, 0).workgroups_per_cu >= blocks, hipErrorInvalidValue);
    const int share = device_of(function).traits.lds_bytes / blocks / 512 * 512;
    *bytes = static_cast<std::size_t>(std::max(0, share - static_cast<int>(function.kernel->lds_bytes)));
  });
}
