// Devices: how many, which one is current, limits and versions. Their properties are in device_properties.cpp.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "simulator/hip/runtime.hpp"

using namespace zellige::sim;

namespace {

Runtime& runtime() { return Runtime::instance(); }

void synchronize_device(int index) {
  hipError_t pending = hipSuccess;
  const std::lock_guard guard(runtime().lock);
  for (ihipStream_t* stream : runtime().streams) {
    if (stream->device != index || stream->pending == hipSuccess) continue;
    if (pending == hipSuccess) pending = stream->pending;
    stream->pending = hipSuccess;
  }
  require(pending == hipSuccess, pending);
}

std::size_t& limit_of(DeviceState& device, hipLimit_t limit) {
  switch (limit) {
    case hipLimitStackSize:
      return device.stack_limit;
    case hipLimitMallocHeapSize:
      return device.heap_limit;
    default:
      throw Failure{hipErrorUnsupportedLimit, {}};
  }
}

}  // namespace

hipError_t hipInit(unsigned flags) {
  return api([&] {
    require(flags == 0, hipErrorInvalidValue);
    runtime().devices();
  });
}

hipError_t hipGetDeviceCount(int* count) {
  return api([&] {
    require(count, hipErrorInvalidValue);
    *count = 0;
    *count = static_cast<int>(runtime().devices().size());
  });
}

hipError_t hipSetDevice(int index) {
  return api([&] { runtime().set_current(index); });
}

hipError_t hipGetDevice(int* index) {
  return api([&] {
    require(index, hipErrorInvalidValue);
    *index = runtime().current().device.index;
  });
}

hipError_t hipDeviceGet(hipDevice_t* device, int index) {
  return api([&] {
    require(device, hipErrorInvalidValue);
    *device = runtime().device(index).device.index;
  });
}

hipError_t hipSetValidDevices(int* devices, int count) {
  return api([&] {
    require(devices || count == 0, hipErrorInvalidValue);
    for (int i = 0; i < count; ++i) runtime().device(devices[i]);
  });
}

hipError_t hipDeviceGetName(char* name, int length, hipDevice_t index) {
  return api([&] {
    require(name && length > 0, hipErrorInvalidValue);
    std::snprintf(name, static_cast<std::size_t>(length), "%s", runtime().device(index).device.name.c_str());
  });
}

hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t index) {
  return api([&] {
    require(bytes, hipErrorInvalidValue);
    *bytes = runtime().device(index).device.memory_bytes;
  });
}

hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t index) {
  return api([&] {
    require(major && minor, hipErrorInvalidValue);
    *major = runtime().device(index).device.major;
    *minor = runtime().device(index).device.minor;
  });
}

hipError_t hipDeviceGetPCIBusId(char* text, int length, int index) {
  return api([&] {
    require(text && length > 0, hipErrorInvalidValue);
    std::snprintf(text, static_cast<std::size_t>(length), "0000:%02x:00.0", runtime().device(index).device.index + 1);
  });
}

hipError_t hipDeviceGetByPCIBusId(int* index, const char* text) {
  return api([&] {
    require(index && text, hipErrorInvalidValue);
    unsigned domain = 0, bus = 0;
    require(std::sscanf(text, "%x:%x", &domain, &bus) == 2 && bus > 0, hipErrorInvalidValue);
    *index = runtime().device(static_cast<int>(bus) - 1).device.index;
  });
}

hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t index) {
  return api([&] {
    require(uuid, hipErrorInvalidValue);
    runtime().device(index);
    std::snprintf(uuid->bytes, sizeof uuid->bytes, "zellige-sim-%03d", index);
  });
}

hipError_t hipDeviceSynchronize() {
  return api([&] {
    forbid_in_capture();
    synchronize_device(runtime().current().device.index);
  });
}

/// Errors are forgotten; memory and streams stay, as a program that goes on would expect of its own objects.
hipError_t hipDeviceReset() {
  return api([&] {
    const int index = runtime().current().device.index;
    const std::lock_guard guard(runtime().lock);
    for (ihipStream_t* stream : runtime().streams)
      if (stream->device == index) stream->pending = hipSuccess;
  });
}

hipError_t hipDriverGetVersion(int* version) {
  return api([&] {
    require(version, hipErrorInvalidValue);
    *version = HIP_VERSION;
  });
}
hipError_t hipRuntimeGetVersion(int* version) { return hipDriverGetVersion(version); }

hipError_t hipDeviceGetLimit(size_t* value, hipLimit_t limit) {
  return api([&] {
    require(value, hipErrorInvalidValue);
    *value = limit_of(runtime().current(), limit);
  });
}

hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value) {
  return api([&] { limit_of(runtime().current(), limit) = value; });
}

hipError_t hipSetDeviceFlags(unsigned flags) {
  return api([&] {
    constexpr unsigned known = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
    require((flags & ~known) == 0, hipErrorInvalidValue);
    runtime().current().flags = flags;
  });
}

hipError_t hipGetDeviceFlags(unsigned* flags) {
  return api([&] {
    require(flags, hipErrorInvalidValue);
    *flags = runtime().current().flags;
  });
}

hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api([&] {
    runtime().current();
    if (least) *least = 1;
    if (greatest) *greatest = -1;
  });
}

hipError_t hipDeviceCanAccessPeer(int* can, int index, int peer) {
  return api([&] {
    require(can, hipErrorInvalidValue);
    runtime().device(index);
    runtime().device(peer);
    *can = index != peer;  // one arena: every device reaches all memory
  });
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  return api([&] {
    require(flags == 0, hipErrorInvalidValue);
    runtime().device(peer);
    require(peer != runtime().current().device.index, hipErrorInvalidDevice);
  });
}

hipError_t hipDeviceDisablePeerAccess(int peer) {
  return api([&] { runtime().device(peer); });
}

hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attribute, int from, int to) {
  return api([&] {
    require(value && from != to, hipErrorInvalidValue);
    runtime().device(from);
    runtime().device(to);
    *value = attribute == hipDevP2PAttrAccessSupported || attribute == hipDevP2PAttrNativeAtomicSupported;
  });
}

hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
  return api([&] {
    require(config, hipErrorInvalidValue);
    *config = hipFuncCachePreferNone;
  });
}
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t) { return hipSuccess; }
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
  return api([&] {
    require(config, hipErrorInvalidValue);
    *config = hipSharedMemBankSizeFourByte;
  });
}
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig) { return hipSuccess; }
hipError_t hipProfilerStart() { return hipSuccess; }
hipError_t hipProfilerStop() { return hipSuccess; }
