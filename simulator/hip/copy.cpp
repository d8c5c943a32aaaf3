// Copies and fills, of all shapes.
//
// The calling thread and a stream see the same memory, so a copy's direction changes its predicted time alone; an
// undefined direction is refused. Calls without a stream use the legacy default stream and report what is pending on
// it.
#include "simulator/hip/copy.hpp"

#include "simulator/hip/runtime.hpp"
#include "simulator/memory/arena.hpp"

namespace zellige::sim {

CopyWork volume_of(const hipMemcpy3DParms& p) {
  require(!p.srcArray && !p.dstArray, hipErrorNotSupported,
          "copies of volumes: arrays (image memory) are not supported");
  require(p.extent.width <= p.dstPtr.pitch && p.extent.width <= p.srcPtr.pitch, hipErrorInvalidPitchValue);
  const std::size_t to_slice = p.dstPtr.pitch * p.dstPtr.ysize, from_slice = p.srcPtr.pitch * p.srcPtr.ysize;
  return {.to = static_cast<char*>(p.dstPtr.ptr) + p.dstPos.x + p.dstPos.y * p.dstPtr.pitch + p.dstPos.z * to_slice,
          .from = static_cast<const char*>(p.srcPtr.ptr) + p.srcPos.x + p.srcPos.y * p.srcPtr.pitch +
                  p.srcPos.z * from_slice,
          .width = p.extent.width,
          .height = p.extent.height,
          .depth = p.extent.depth,
          .to_pitch = p.dstPtr.pitch,
          .from_pitch = p.srcPtr.pitch,
          .to_slice = to_slice,
          .from_slice = from_slice};
}

}  // namespace zellige::sim

using namespace zellige::sim;

namespace {

Runtime& runtime() { return Runtime::instance(); }

void check_kind(hipMemcpyKind kind) {
  require(kind == hipMemcpyHostToHost || kind == hipMemcpyHostToDevice || kind == hipMemcpyDeviceToHost ||
              kind == hipMemcpyDeviceToDevice || kind == hipMemcpyDefault || kind == hipMemcpyDeviceToDeviceNoCU,
          hipErrorInvalidMemcpyDirection);
}

void copy_on(hipStream_t handle, CopyWork work, hipMemcpyKind kind) {
  check_kind(kind);
  ihipStream_t& stream = runtime().stream(handle);
  if (work.width == 0 || work.height == 0 || work.depth == 0) return;
  require(work.to && work.from, hipErrorInvalidValue);
  enqueue(stream, work);
}

hipError_t copy(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return api([&] { copy_on(stream, {.to = to, .from = from, .width = bytes}, kind); });
}

/// The same on the default stream, and only when no capture forbids it.
hipError_t copy_now(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  return api([&] {
    forbid_in_capture();
    copy_on(nullptr, {.to = to, .from = from, .width = bytes}, kind);
    synchronize(runtime().stream(nullptr));
  });
}

CopyWork rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height) {
  require(width <= to_pitch && width <= from_pitch, hipErrorInvalidPitchValue);
  return {.to = to, .from = from, .width = width, .height = height, .to_pitch = to_pitch, .from_pitch = from_pitch};
}

void fill_on(hipStream_t handle, FillWork work) {
  ihipStream_t& stream = runtime().stream(handle);
  if (work.width == 0 || work.height == 0 || work.depth == 0) return;
  require(work.to, hipErrorInvalidValue);
  require(reinterpret_cast<std::uint64_t>(work.to) % work.element == 0, hipErrorInvalidValue);
  require(Arena::instance().find(reinterpret_cast<std::uint64_t>(work.to)).has_value(), hipErrorInvalidValue,
          "a fill was given no device memory: " + Arena::instance().describe(reinterpret_cast<std::uint64_t>(work.to)));
  enqueue(stream, work);
}

hipError_t fill(void* to, std::uint32_t value, size_t element, size_t count, hipStream_t stream) {
  return api([&] { fill_on(stream, {.to = to, .value = value, .element = element, .width = count}); });
}

hipError_t fill_now(void* to, std::uint32_t value, size_t element, size_t count) {
  return api([&] {
    forbid_in_capture();
    fill_on(nullptr, {.to = to, .value = value, .element = element, .width = count});
  });
}

FillWork fill_rows(void* to, size_t pitch, std::uint32_t value, size_t element, size_t width, size_t height) {
  require(width * element <= pitch, hipErrorInvalidPitchValue);
  return {.to = to, .value = value, .element = element, .width = width, .height = height, .pitch = pitch};
}

Symbol range_of_variable(const void* symbol, size_t bytes, size_t offset) {
  require(symbol, hipErrorInvalidSymbol);
  const Symbol variable = runtime().variable(symbol, runtime().current_index());
  require(offset <= variable.size && bytes <= variable.size - offset, hipErrorInvalidValue,
          "bytes " + std::to_string(offset) + "+" + std::to_string(bytes) + " of a device variable of " +
              std::to_string(variable.size) + " bytes");
  return {variable.address + offset, bytes};
}

void* pointer_of(const Symbol& symbol) { return reinterpret_cast<void*>(symbol.address); }

CopyWork rows_of(const hip_Memcpy2D& p) {
  require(p.srcMemoryType != hipMemoryTypeArray && p.dstMemoryType != hipMemoryTypeArray, hipErrorNotSupported,
          "hipMemcpyParam2D: arrays (image memory) are not supported");
  const void* from = p.srcMemoryType == hipMemoryTypeHost ? p.srcHost : p.srcDevice;
  void* to = p.dstMemoryType == hipMemoryTypeHost ? p.dstHost : p.dstDevice;
  const std::size_t from_pitch = p.srcPitch ? p.srcPitch : p.WidthInBytes,
                    to_pitch = p.dstPitch ? p.dstPitch : p.WidthInBytes;
  return rows(static_cast<char*>(to) + p.dstY * to_pitch + p.dstXInBytes, to_pitch,
              static_cast<const char*>(from) + p.srcY * from_pitch + p.srcXInBytes, from_pitch, p.WidthInBytes,
              p.Height);
}

}  // namespace

hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  return copy_now(to, from, bytes, kind);
}
hipError_t hipMemcpyWithStream(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return copy(to, from, bytes, kind, stream);
}
hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return copy(to, from, bytes, kind, stream);
}
hipError_t hipMemcpyHtoD(hipDeviceptr_t to, const void* from, size_t bytes) {
  return copy_now(to, from, bytes, hipMemcpyHostToDevice);
}
hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, size_t bytes) {
  return copy_now(to, from, bytes, hipMemcpyDeviceToHost);
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes) {
  return copy_now(to, from, bytes, hipMemcpyDeviceToDevice);
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, const void* from, size_t bytes, hipStream_t stream) {
  return copy(to, from, bytes, hipMemcpyHostToDevice, stream);
}
hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
  return copy(to, from, bytes, hipMemcpyDeviceToHost, stream);
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
  return copy(to, from, bytes, hipMemcpyDeviceToDevice, stream);
}
hipError_t hipMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return api([&] {
    runtime().device(to_device);
    runtime().device(from_device);
    forbid_in_capture();
    copy_on(nullptr, {.to = to, .from = from, .width = bytes}, hipMemcpyDeviceToDevice);
  });
}
hipError_t hipMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                              hipStream_t stream) {
  return api([&] {
    runtime().device(to_device);
    runtime().device(from_device);
    copy_on(stream, {.to = to, .from = from, .width = bytes}, hipMemcpyDeviceToDevice);
  });
}

hipError_t hipMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                       hipMemcpyKind kind) {
  return api([&] {
    forbid_in_capture();
    copy_on(nullptr, rows(to, to_pitch, from, from_pitch, width, height), kind);
  });
}
hipError_t hipMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  return api([&] { copy_on(stream, rows(to, to_pitch, from, from_pitch, width, height), kind); });
}
hipError_t hipMemcpyParam2D(const hip_Memcpy2D* p) {
  return api([&] {
    require(p, hipErrorInvalidValue);
    forbid_in_capture();
    copy_on(nullptr, rows_of(*p), hipMemcpyDefault);
  });
}
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* p, hipStream_t stream) {
  return api([&] {
    require(p, hipErrorInvalidValue);
    copy_on(stream, rows_of(*p), hipMemcpyDefault);
  });
}
hipError_t hipMemcpy3D(const hipMemcpy3DParms* p) {
  return api([&] {
    require(p, hipErrorInvalidValue);
    forbid_in_capture();
    copy_on(nullptr, volume_of(*p), p->kind);
  });
}
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* p, hipStream_t stream) {
  return api([&] {
    require(p, hipErrorInvalidValue);
    copy_on(stream, volume_of(*p), p->kind);
  });
}

hipError_t hipMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, hipMemcpyKind kind) {
  return api([&] {
    forbid_in_capture();
    copy_on(nullptr, {.to = pointer_of(range_of_variable(symbol, bytes, offset)), .from = from, .width = bytes}, kind);
  });
}
hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset, hipMemcpyKind kind,
                                  hipStream_t stream) {
  return api([&] {
    copy_on(stream, {.to = pointer_of(range_of_variable(symbol, bytes, offset)), .from = from, .width = bytes}, kind);
  });
}
hipError_t hipMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, hipMemcpyKind kind) {
  return api([&] {
    forbid_in_capture();
    copy_on(nullptr, {.to = to, .from = pointer_of(range_of_variable(symbol, bytes, offset)), .width = bytes}, kind);
  });
}
hipError_t hipMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream) {
  return api([&] {
    copy_on(stream, {.to = to, .from = pointer_of(range_of_variable(symbol, bytes, offset)), .width = bytes}, kind);
  });
}
hipError_t hipGetSymbolAddress(void** pointer, const void* symbol) {
  return api([&] {
    require(pointer && symbol, hipErrorInvalidValue);
    *pointer = pointer_of(runtime().variable(symbol, runtime().current().device.index));
  });
}
hipError_t hipGetSymbolSize(size_t* bytes, const void* symbol) {
  return api([&] {
    require(bytes && symbol, hipErrorInvalidValue);
    *bytes = runtime().variable(symbol, runtime().current().device.index).size;
  });
}

hipError_t hipMemset(void* to, int value, size_t bytes) {
  return fill_now(to, static_cast<unsigned char>(value), 1, bytes);
}
hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t count) { return fill_now(to, value, 1, count); }
hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, size_t count) { return fill_now(to, value, 2, count); }
hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t count) {
  return fill_now(to, static_cast<std::uint32_t>(value), 4, count);
}
hipError_t hipMemsetAsync(void* to, int value, size_t bytes, hipStream_t stream) {
  return fill(to, static_cast<unsigned char>(value), 1, bytes, stream);
}
hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, size_t count, hipStream_t stream) {
  return fill(to, value, 1, count, stream);
}
hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short value, size_t count, hipStream_t stream) {
  return fill(to, value, 2, count, stream);
}
hipError_t hipMemsetD32Async(hipDeviceptr_t to, int value, size_t count, hipStream_t stream) {
  return fill(to, static_cast<std::uint32_t>(value), 4, count, stream);
}
hipError_t hipMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return api([&] {
    forbid_in_capture();
    fill_on(nullptr, fill_rows(to, pitch, static_cast<unsigned char>(value), 1, width, height));
  });
}
hipError_t hipMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return api([&] { fill_on(stream, fill_rows(to, pitch, static_cast<unsigned char>(value), 1, width, height)); });
}
hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent) {
  return hipMemset3DAsync(to, value, extent, nullptr);
}
hipError_t hipMemset3DAsync(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream) {
  return api([&] {
    FillWork work = fill_rows(to.ptr, to.pitch, static_cast<unsigned char>(value), 1, extent.width, extent.height);
    work.depth = extent.depth;
    work.slice = to.pitch * to.ysize;
    fill_on(stream, work);
  });
}
