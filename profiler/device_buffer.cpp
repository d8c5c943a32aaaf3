// See device_buffer.hpp.
#include "device_buffer.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace zellige::profiler {
namespace {

constexpr int guard_byte = 0xff;

}  // namespace

DeviceBuffer::DeviceBuffer(std::int64_t bytes, std::int64_t guard, const char* subject) : bytes_(bytes), guard_(guard) {
  const std::size_t total = static_cast<std::size_t>(bytes) + 2 * static_cast<std::size_t>(guard);
  require_success(hipMalloc(&allocation_, total), "hipMalloc", std::to_string(total) + " bytes for " + subject);
  if (guard == 0) return;
  for (std::byte* zone : {static_cast<std::byte*>(allocation_), static_cast<std::byte*>(data()) + bytes}) {
    require_success(hipMemset(zone, guard_byte, static_cast<std::size_t>(guard)), "hipMemset", subject);
  }
}

DeviceBuffer::~DeviceBuffer() {
  if (allocation_ != nullptr) static_cast<void>(hipFree(allocation_));  // a failed device has nothing more to tell here
}

void DeviceBuffer::upload(const void* from, std::int64_t bytes) {
  require_success(hipMemcpy(data(), from, static_cast<std::size_t>(bytes), hipMemcpyHostToDevice), "hipMemcpy",
                  "to the device");
}

void DeviceBuffer::download(void* to, std::int64_t bytes) const {
  require_success(hipMemcpy(to, data(), static_cast<std::size_t>(bytes), hipMemcpyDeviceToHost), "hipMemcpy",
                  "from the device");
}

void DeviceBuffer::poison() {
  require_success(hipMemset(data(), 0xff, static_cast<std::size_t>(bytes_)), "hipMemset", "poison");
}

bool DeviceBuffer::guards_intact() const {
  if (guard_ == 0) return true;
  std::vector<unsigned char> zone(static_cast<std::size_t>(guard_));
  for (const std::byte* at :
       {static_cast<const std::byte*>(allocation_), static_cast<const std::byte*>(data()) + bytes_}) {
    require_success(hipMemcpy(zone.data(), at, zone.size(), hipMemcpyDeviceToHost), "hipMemcpy", "guard zone");
    if (!std::all_of(zone.begin(), zone.end(), [](unsigned char byte) { return byte == guard_byte; })) return false;
  }
  return true;
}

void DeviceBuffer::swap(DeviceBuffer& other) noexcept {
  std::swap(allocation_, other.allocation_);
  std::swap(bytes_, other.bytes_);
  std::swap(guard_, other.guard_);
}

Stopwatch::Stopwatch() {
  require_success(hipStreamCreate(&stream_), "hipStreamCreate");
  require_success(hipEventCreate(&begin_), "hipEventCreate");
  require_success(hipEventCreate(&end_), "hipEventCreate");
}

Stopwatch::~Stopwatch() {
  static_cast<void>(hipEventDestroy(begin_));
  static_cast<void>(hipEventDestroy(end_));
  static_cast<void>(hipStreamDestroy(stream_));
}

void Stopwatch::start() { require_success(hipEventRecord(begin_, stream_), "hipEventRecord"); }

double Stopwatch::stop() {
  require_success(hipEventRecord(end_, stream_), "hipEventRecord");
  require_success(hipEventSynchronize(end_), "hipEventSynchronize");
  float milliseconds = 0;
  require_success(hipEventElapsedTime(&milliseconds, begin_, end_), "hipEventElapsedTime");
  return milliseconds;
}

}  // namespace zellige::profiler
