// Device properties and attributes, all from the one device table.
//
// The structs are those of the HIP headers that the library is built with; the assertions hold the offsets that
// programs compiled with ROCm 7 rely on.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "simulator/hip/runtime.hpp"

static_assert(sizeof(hipDeviceProp_tR0600) == 1472);
static_assert(offsetof(hipDeviceProp_tR0600, totalGlobalMem) == 288 &&
              offsetof(hipDeviceProp_tR0600, sharedMemPerBlock) == 296);
static_assert(offsetof(hipDeviceProp_tR0600, regsPerBlock) == 304 && offsetof(hipDeviceProp_tR0600, warpSize) == 308);
static_assert(offsetof(hipDeviceProp_tR0600, maxThreadsPerBlock) == 320 &&
              offsetof(hipDeviceProp_tR0600, clockRate) == 348);
static_assert(offsetof(hipDeviceProp_tR0600, major) == 360 &&
              offsetof(hipDeviceProp_tR0600, multiProcessorCount) == 388);
static_assert(offsetof(hipDeviceProp_tR0600, memoryClockRate) == 608 &&
              offsetof(hipDeviceProp_tR0600, memoryBusWidth) == 612);
static_assert(offsetof(hipDeviceProp_tR0600, l2CacheSize) == 616 &&
              offsetof(hipDeviceProp_tR0600, maxThreadsPerMultiProcessor) == 624);
static_assert(offsetof(hipDeviceProp_tR0600, sharedMemPerMultiprocessor) == 640 &&
              offsetof(hipDeviceProp_tR0600, gcnArchName) == 1160);
static_assert(sizeof(hipFuncAttributes) == 56 && sizeof(hipPointerAttribute_t) == 32);
static_assert(sizeof(HIP_LAUNCH_CONFIG) == 56 && offsetof(HIP_LAUNCH_CONFIG, hStream) == 32 &&
              offsetof(HIP_LAUNCH_CONFIG, attrs) == 40);
static_assert(sizeof(hipLaunchConfig_t) == 56 && offsetof(hipLaunchConfig_t, stream) == 32 &&
              sizeof(hipLaunchAttribute) == 72);

using namespace zellige::sim;
using zellige::ArchTraits;

namespace {

constexpr int wall_clock_khz = 100000;  // s_memrealtime of these targets ticks at 100 MHz

Runtime& runtime() { return Runtime::instance(); }

template <std::size_t N>
void copy_text(char (&to)[N], const std::string& text) {
  const std::size_t length = std::min(text.size(), N - 1);
  std::memcpy(to, text.data(), length);
  to[length] = 0;
}

int threads_per_cu(const Device& device) {
  const ArchTraits& traits = device.traits;
  return traits.simds * traits.waves_per_simd * traits.wave_size;
}

int registers_per_cu(const Device& device) {
  return device.traits.vgpr_file * device.traits.wave_size * device.traits.simds;
}

hipDeviceProp_tR0600 properties_of(const Device& device) {
  const ArchTraits& traits = device.traits;
  hipDeviceProp_tR0600 p{};
  copy_text(p.name, device.name);
  copy_text(p.gcnArchName, device.target_id);
  copy_text(p.uuid.bytes, "zellige-sim-" + std::to_string(device.index));
  p.totalGlobalMem = device.memory_bytes;
  p.sharedMemPerBlock = static_cast<std::size_t>(traits.lds_bytes);
  p.sharedMemPerBlockOptin = p.sharedMemPerBlock;
  p.sharedMemPerMultiprocessor = p.sharedMemPerBlock;
  p.maxSharedMemoryPerMultiProcessor = p.sharedMemPerBlock;
  p.regsPerBlock = registers_per_cu(device);
  p.regsPerMultiprocessor = p.regsPerBlock;
  p.warpSize = traits.wave_size;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = 1024;
  for (int axis = 0; axis < 3; ++axis) p.maxThreadsDim[axis] = 1024;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65536;
  p.clockRate = static_cast<int>(traits.clock_ghz * 1e6);
  p.totalConstMem = 0x7fffffff;
  p.major = device.major;
  p.minor = device.minor;
  p.textureAlignment = p.texturePitchAlignment = p.surfaceAlignment = 256;
  p.deviceOverlap = 1;
  p.multiProcessorCount = traits.compute_units;
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.ECCEnabled = device.major == 9;
  p.pciBusID = device.index + 1;
  p.asyncEngineCount = 1;
  p.unifiedAddressing = 1;
  p.memoryClockRate = device.memory_clock_khz;
  p.memoryBusWidth = device.memory_bus_bits;
  p.l2CacheSize = static_cast<int>(device.l2_bytes);
  p.maxThreadsPerMultiProcessor = threads_per_cu(device);
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.managedMemory = p.concurrentManagedAccess = 1;
  p.hostNativeAtomicSupported = 1;
  p.directManagedMemAccessFromHost = 1;
  p.canUseHostPointerForRegisteredMem = p.hostRegisterSupported = 1;
  p.cooperativeLaunch = 1;
  p.maxBlocksPerMultiProcessor = device.max_workgroups_per_cu;
  p.memoryPoolsSupported = 0;
  p.clusterLaunch = traits.clusters;
  p.clockInstructionRate = wall_clock_khz;
  p.arch.hasGlobalInt32Atomics = p.arch.hasGlobalFloatAtomicExch = p.arch.hasSharedInt32Atomics = 1;
  p.arch.hasSharedFloatAtomicExch = p.arch.hasFloatAtomicAdd = 1;
  p.arch.hasGlobalInt64Atomics = p.arch.hasSharedInt64Atomics = p.arch.hasDoubles = 1;
  p.arch.hasWarpVote = p.arch.hasWarpBallot = p.arch.hasWarpShuffle = 1;
  p.arch.hasThreadFenceSystem = p.arch.has3dGrid = 1;
  p.isLargeBar = 1;
  return p;
}

int attribute_of(const Device& device, hipDeviceAttribute_t attribute) {
  const hipDeviceProp_tR0600 p = properties_of(device);
  constexpr auto fit = [](std::size_t value) { return static_cast<int>(std::min<std::size_t>(value, 0x7fffffff)); };
  switch (attribute) {
    case hipDeviceAttributeEccEnabled:
      return p.ECCEnabled;
    case hipDeviceAttributeAsyncEngineCount:
      return p.asyncEngineCount;
    case hipDeviceAttributeCanMapHostMemory:
      return 1;
    case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
      return 1;
    case hipDeviceAttributeClockRate:
      return p.clockRate;
    case hipDeviceAttributeComputeMode:
      return hipComputeModeDefault;
    case hipDeviceAttributeConcurrentKernels:
      return 1;
    case hipDeviceAttributeConcurrentManagedAccess:
      return 1;
    case hipDeviceAttributeCooperativeLaunch:
      return 1;
    case hipDeviceAttributeDeviceOverlap:
      return 1;
    case hipDeviceAttributeDirectManagedMemAccessFromHost:
      return 1;
    case hipDeviceAttributeGlobalL1CacheSupported:
      return 1;
    case hipDeviceAttributeHostNativeAtomicSupported:
      return 1;
    case hipDeviceAttributeL2CacheSize:
      return p.l2CacheSize;
    case hipDeviceAttributeLocalL1CacheSupported:
      return 1;
    case hipDeviceAttributeComputeCapabilityMajor:
      return p.major;
    case hipDeviceAttributeComputeCapabilityMinor:
      return p.minor;
    case hipDeviceAttributeManagedMemory:
      return 1;
    case hipDeviceAttributeMaxBlocksPerMultiProcessor:
      return p.maxBlocksPerMultiProcessor;
    case hipDeviceAttributeMaxBlockDimX:
    case hipDeviceAttributeMaxBlockDimY:
    case hipDeviceAttributeMaxBlockDimZ:
      return 1024;
    case hipDeviceAttributeMaxThreadsDim:
      return 1024;
    case hipDeviceAttributeMaxGridDimX:
      return p.maxGridSize[0];
    case hipDeviceAttributeMaxGridDimY:
      return p.maxGridSize[1];
    case hipDeviceAttributeMaxGridDimZ:
      return p.maxGridSize[2];
    case hipDeviceAttributeMaxThreadsPerBlock:
      return 1024;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
      return p.maxThreadsPerMultiProcessor;
    case hipDeviceAttributeMaxPitch:
      return fit(p.memPitch);
    case hipDeviceAttributeMemoryBusWidth:
      return p.memoryBusWidth;
    case hipDeviceAttributeMemoryClockRate:
      return p.memoryClockRate;
    case hipDeviceAttributeMultiprocessorCount:
      return p.multiProcessorCount;
    case hipDeviceAttributePhysicalMultiProcessorCount:
      return p.multiProcessorCount;
    case hipDeviceAttributePciBusId:
      return p.pciBusID;
    case hipDeviceAttributeMaxRegistersPerBlock:
      return p.regsPerBlock;
    case hipDeviceAttributeMaxRegistersPerMultiprocessor:
      return p.regsPerMultiprocessor;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
      return fit(p.sharedMemPerBlock);
    case hipDeviceAttributeSharedMemPerBlockOptin:
      return fit(p.sharedMemPerBlockOptin);
    case hipDeviceAttributeSharedMemPerMultiprocessor:
      return fit(p.sharedMemPerMultiprocessor);
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
      return fit(p.maxSharedMemoryPerMultiProcessor);
    case hipDeviceAttributeStreamPrioritiesSupported:
      return 1;
    case hipDeviceAttributeSurfaceAlignment:
      return fit(p.surfaceAlignment);
    case hipDeviceAttributeTextureAlignment:
      return fit(p.textureAlignment);
    case hipDeviceAttributeTexturePitchAlignment:
      return fit(p.texturePitchAlignment);
    case hipDeviceAttributeTotalConstantMemory:
      return fit(p.totalConstMem);
    case hipDeviceAttributeTotalGlobalMem:
      return fit(p.totalGlobalMem);
    case hipDeviceAttributeUnifiedAddressing:
      return 1;
    case hipDeviceAttributeWarpSize:
      return p.warpSize;
    case hipDeviceAttributeHostRegisterSupported:
      return 1;
    case hipDeviceAttributeClockInstructionRate:
      return wall_clock_khz;
    case hipDeviceAttributeWallClockRate:
      return wall_clock_khz;
    case hipDeviceAttributeIsLargeBar:
      return 1;
    case hipDeviceAttributeFineGrainSupport:
      return 1;
    case hipDeviceAttributeNumberOfXccs:
      return device.traits.dies;
    case hipDeviceAttributeMaxAvailableVgprsPerThread:
      return device.traits.vgprs + device.traits.agprs;
    default:
      break;
  }
  // The rest is what these devices lack (textures, surfaces, memory pools, WDDM) or numbers without a meaning here: 0.
  // What the header does not list is an error.
  const int value = static_cast<int>(attribute);
  const bool listed = (value >= 0 && value <= hipDeviceAttributeHostNumaId) ||
                      (value >= hipDeviceAttributeAmdSpecificBegin && value <= hipDeviceAttributePciChipId);
  require(listed, hipErrorInvalidValue);
  return 0;
}

}  // namespace

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* properties, int index) {
  return api([&] {
    require(properties, hipErrorInvalidValue);
    *properties = properties_of(runtime().device(index).device);
  });
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int index) {
  return api([&] {
    require(value, hipErrorInvalidValue);
    *value = attribute_of(runtime().device(index).device, attribute);
  });
}

/// The device whose target and memory fit `wanted`; zero fields are not asked for.
hipError_t hipChooseDeviceR0600(int* index, const hipDeviceProp_tR0600* wanted) {
  return api([&] {
    require(index && wanted, hipErrorInvalidValue);
    *index = 0;
    int best = -1;
    for (const auto& state : runtime().devices()) {
      const hipDeviceProp_tR0600 p = properties_of(state->device);
      int score = 0;
      const auto count = [&](auto asked, auto has) { score += asked != 0 && has >= asked; };
      count(wanted->totalGlobalMem, p.totalGlobalMem);
      count(wanted->sharedMemPerBlock, p.sharedMemPerBlock);
      count(wanted->major, p.major);
      count(wanted->multiProcessorCount, p.multiProcessorCount);
      score += wanted->gcnArchName[0] && std::strncmp(wanted->gcnArchName, p.gcnArchName, sizeof p.gcnArchName) == 0;
      if (score > best) best = score, *index = state->device.index;
    }
  });
}
