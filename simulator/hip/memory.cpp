// Device, pinned and managed memory: allocation, and what is known of a pointer.
#include <algorithm>
#include <cstring>

#include "simulator/hip/runtime.hpp"
#include "simulator/memory/arena.hpp"

using namespace zellige::sim;

namespace {

Runtime& runtime() { return Runtime::instance(); }
std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

void* allocate_device(std::size_t bytes) {
  DeviceState& device = runtime().current();
  if (bytes == 0) return nullptr;
  void* pointer = Arena::instance().allocate(bytes, device.device.index);
  require(pointer, hipErrorOutOfMemory);
  return pointer;
}

void* allocate_pinned(std::size_t bytes, unsigned flags) {
  runtime().current();
  if (bytes == 0) return nullptr;
  void* pointer = Arena::instance().allocate_host(bytes);
  require(pointer, hipErrorOutOfMemory);
  const std::lock_guard guard(runtime().lock);
  runtime().host_flags[pointer] = flags;
  return pointer;
}

void free_device(void* pointer, const char* call) {
  if (!pointer) return;
  {
    const std::lock_guard guard(runtime().lock);
    require(!runtime().host_flags.contains(pointer) && !runtime().registered.contains(pointer), hipErrorInvalidValue,
            std::string(call) + " was given pinned host memory, which hipHostFree and hipHostUnregister take");
    runtime().managed.erase(pointer);
  }
  require(Arena::instance().release(pointer), hipErrorInvalidValue,
          std::string(call) + " was given no live allocation: " + Arena::instance().describe(address_of(pointer)));
}

void free_pinned(void* pointer) {
  if (!pointer) return;
  const std::lock_guard guard(runtime().lock);
  require(runtime().host_flags.erase(pointer), hipErrorInvalidValue,
          "hipHostFree was given no live pinned allocation: " + Arena::instance().describe(address_of(pointer)));
  Arena::instance().release(pointer);
}

constexpr unsigned known_host_flags = hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined |
                                      hipHostMallocNumaUser | hipHostMallocCoherent | hipHostMallocNonCoherent |
                                      hipHostMallocUncached;

}  // namespace

hipError_t hipMalloc(void** pointer, size_t bytes) {
  return api([&] {
    require(pointer, hipErrorInvalidValue);
    *pointer = nullptr;
    forbid_in_capture();
    *pointer = allocate_device(bytes);
  });
}

hipError_t hipExtMallocWithFlags(void** pointer, size_t bytes, unsigned flags) {
  return api([&] {
    require(pointer, hipErrorInvalidValue);
    require(flags == hipDeviceMallocDefault || flags == hipDeviceMallocFinegrained || flags == hipMallocSignalMemory ||
                flags == hipDeviceMallocUncached || flags == hipDeviceMallocContiguous,
            hipErrorInvalidValue);
    forbid_in_capture();
    *pointer = allocate_device(bytes);
  });
}

hipError_t hipFree(void* pointer) {
  return api([&] {
    forbid_in_capture();
    runtime().current();
    free_device(pointer, "hipFree");
  });
}

hipError_t hipMallocAsync(void** pointer, size_t bytes, hipStream_t handle) {
  return api([&] {
    require(pointer, hipErrorInvalidValue);
    ihipStream_t& stream = runtime().stream(handle);
    require(!stream.capture, hipErrorStreamCaptureUnsupported);
    *pointer = allocate_device(bytes);
  });
}

hipError_t hipFreeAsync(void* pointer, hipStream_t handle) {
  return api([&] {
    require(pointer, hipErrorInvalidValue);
    ihipStream_t& stream = runtime().stream(handle);
    require(!stream.capture, hipErrorStreamCaptureUnsupported);
    free_device(pointer, "hipFreeAsync");
  });
}

hipError_t hipMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  return api([&] {
    require(pointer && bytes && (flags == hipMemAttachGlobal || flags == hipMemAttachHost), hipErrorInvalidValue);
    forbid_in_capture();
    runtime().current();
    *pointer = Arena::instance().allocate_host(bytes);
    require(*pointer, hipErrorOutOfMemory);
    const std::lock_guard guard(runtime().lock);
    runtime().managed.insert(*pointer);
  });
}

hipError_t hipHostMalloc(void** pointer, size_t bytes, unsigned flags) {
  return api([&] {
    require(pointer && (flags & ~known_host_flags) == 0, hipErrorInvalidValue);
    forbid_in_capture();
    *pointer = allocate_pinned(bytes, flags);
  });
}

hipError_t hipHostAlloc(void** pointer, size_t bytes, unsigned flags) { return hipHostMalloc(pointer, bytes, flags); }
hipError_t hipExtHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return hipHostMalloc(pointer, bytes, flags);
}
hipError_t hipMallocHost(void** pointer, size_t bytes) { return hipHostMalloc(pointer, bytes, 0); }
hipError_t hipMemAllocHost(void** pointer, size_t bytes) { return hipHostMalloc(pointer, bytes, 0); }

hipError_t hipHostFree(void* pointer) {
  return api([&] {
    forbid_in_capture();
    runtime().current();
    free_pinned(pointer);
  });
}
hipError_t hipFreeHost(void* pointer) { return hipHostFree(pointer); }

hipError_t hipMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return api([&] {
    require(pointer && pitch && width, hipErrorInvalidValue);
    forbid_in_capture();
    *pitch = (width + 255) / 256 * 256;
    require(height == 0 || *pitch <= ~std::size_t{0} / height, hipErrorOutOfMemory);
    *pointer = allocate_device(*pitch * height);
  });
}

hipError_t hipMemAllocPitch(hipDeviceptr_t* pointer, size_t* pitch, size_t width, size_t height, unsigned /*element*/) {
  return hipMallocPitch(pointer, pitch, width, height);
}

hipError_t hipMalloc3D(hipPitchedPtr* pointer, hipExtent extent) {
  return api([&] {
    require(pointer && extent.width && extent.height && extent.depth, hipErrorInvalidValue);
    forbid_in_capture();
    const std::size_t pitch = (extent.width + 255) / 256 * 256;
    require(extent.height <= ~std::size_t{0} / pitch && extent.depth <= ~std::size_t{0} / (pitch * extent.height),
            hipErrorOutOfMemory);
    void* memory = allocate_device(pitch * extent.height * extent.depth);
    *pointer = hipPitchedPtr{memory, pitch, extent.width, extent.height};
  });
}

hipError_t hipHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return api([&] {
    require(pointer && bytes, hipErrorInvalidValue);
    constexpr unsigned known = hipHostRegisterPortable | hipHostRegisterMapped | hipHostRegisterIoMemory |
                               hipHostRegisterReadOnly | hipExtHostRegisterCoarseGrained | hipExtHostRegisterUncached;
    require((flags & ~known) == 0, hipErrorInvalidValue);
    forbid_in_capture();
    runtime().current();
    require(Arena::instance().adopt(pointer, bytes, 0), hipErrorHostMemoryAlreadyRegistered);
    const std::lock_guard guard(runtime().lock);
    runtime().registered.insert(pointer);
  });
}

hipError_t hipHostUnregister(void* pointer) {
  return api([&] {
    require(pointer, hipErrorInvalidValue);
    forbid_in_capture();
    const std::lock_guard guard(runtime().lock);
    require(runtime().registered.erase(pointer), hipErrorHostMemoryNotRegistered);
    Arena::instance().abandon(pointer);
  });
}

hipError_t hipHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags) {
  return api([&] {
    require(device_pointer && host_pointer && flags == 0, hipErrorInvalidValue);
    const auto allocation = Arena::instance().find(address_of(host_pointer));
    require(allocation && allocation->host, hipErrorInvalidValue);
    *device_pointer = host_pointer;
  });
}

hipError_t hipHostGetFlags(unsigned* flags, void* pointer) {
  return api([&] {
    require(flags && pointer, hipErrorInvalidValue);
    const std::lock_guard guard(runtime().lock);
    const auto it = runtime().host_flags.find(pointer);
    require(it != runtime().host_flags.end(), hipErrorInvalidValue);
    *flags = it->second;
  });
}

hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  return api([&] {
    require(free || total, hipErrorInvalidValue);
    const Device& device = runtime().current().device;
    if (total) *total = device.memory_bytes;
    if (free) *free = device.memory_bytes - std::min(device.memory_bytes, Arena::instance().bytes_in_use(device.index));
  });
}

hipError_t hipMemPtrGetInfo(void* pointer, size_t* bytes) {
  return api([&] {
    require(pointer && bytes, hipErrorInvalidValue);
    const auto allocation = Arena::instance().find(address_of(pointer));
    require(allocation.has_value(), hipErrorInvalidValue);
    *bytes = allocation->end - allocation->begin;
  });
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* bytes, hipDeviceptr_t pointer) {
  return api([&] {
    const auto allocation = Arena::instance().find(address_of(pointer));
    require(allocation.has_value(), hipErrorNotFound);
    if (base) *base = reinterpret_cast<void*>(allocation->begin);
    if (bytes) *bytes = allocation->end - allocation->begin;
  });
}

namespace {

hipPointerAttribute_t attributes_of(const void* pointer) {
  hipPointerAttribute_t result{};
  result.type = hipMemoryTypeUnregistered;
  result.device = -2;  // hipInvalidDeviceId: what the real runtime gives for memory that it does not know
  const auto allocation = Arena::instance().find(address_of(pointer));
  if (!allocation) return result;
  auto* base = reinterpret_cast<void*>(allocation->begin);
  result.device = allocation->device;
  result.devicePointer = const_cast<void*>(pointer);
  const std::lock_guard guard(runtime().lock);
  if (runtime().managed.contains(base)) {
    result.type = hipMemoryTypeManaged;
    result.isManaged = 1;
    result.hostPointer = const_cast<void*>(pointer);
  } else if (const auto flags = runtime().host_flags.find(base); flags != runtime().host_flags.end()) {
    result.type = hipMemoryTypeHost;
    result.allocationFlags = flags->second;
    result.hostPointer = const_cast<void*>(pointer);
  } else if (runtime().registered.contains(base)) {
    result.type = hipMemoryTypeHost;
    result.hostPointer = const_cast<void*>(pointer);
  } else {
    result.type = hipMemoryTypeDevice;  // also the globals of modules
  }
  return result;
}

}  // namespace

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
  return api([&] {
    require(attributes && pointer, hipErrorInvalidValue);
    *attributes = attributes_of(pointer);
  });
}

hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute, hipDeviceptr_t pointer) {
  return api([&] {
    require(data && pointer, hipErrorInvalidValue);
    const auto allocation = Arena::instance().find(address_of(pointer));
    require(allocation.has_value(), hipErrorInvalidValue);
    const hipPointerAttribute_t known = attributes_of(pointer);
    const auto put = [&](auto value) { std::memcpy(data, &value, sizeof value); };
    switch (attribute) {
      case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
        put(static_cast<unsigned>(known.type));
        break;
      case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
        put(known.devicePointer);
        break;
      case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
        put(known.hostPointer);
        break;
      case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
        put(static_cast<unsigned>(known.isManaged));
        break;
      case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        put(known.device);
        break;
      case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        put(reinterpret_cast<void*>(allocation->begin));
        break;
      case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
        put(static_cast<std::size_t>(allocation->end - allocation->begin));
        break;
      case HIP_POINTER_ATTRIBUTE_MAPPED:
        put(1u);
        break;
      case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
        put(std::uint64_t{allocation->id});
        break;
      default:
        throw Failure{hipErrorNotSupported, {}};
    }
  });
}

// Hints about where managed memory should live change nothing here: there is one memory.
hipError_t hipMemAdvise(const void* pointer, size_t bytes, hipMemoryAdvise, int) {
  return api([&] { require(pointer && bytes, hipErrorInvalidValue); });
}
hipError_t hipMemPrefetchAsync(const void* pointer, size_t bytes, int, hipStream_t stream) {
  return api([&] {
    require(pointer && bytes, hipErrorInvalidValue);
    runtime().stream(stream);
  });
}
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* pointer, size_t, unsigned) {
  return api([&] {
    require(pointer, hipErrorInvalidValue);
    runtime().stream(stream);
  });
}
