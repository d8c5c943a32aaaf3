// Memory, streams and events of the device, released by scope.
//
// On real devices a buffer stands between guard zones of NaN bytes: stray writes show as changed zones, stray reads as
// NaN in results. The simulator refuses accesses outside of an allocation itself, which zones would hide: none there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "zellige/host/error.hpp"

namespace zellige::profiler {

class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// `bytes` of device memory between zones of `guard` bytes. Throws RuntimeError naming `subject`.
  DeviceBuffer(std::int64_t bytes, std::int64_t guard, const char* subject);
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceBuffer();

  void* data() const { return static_cast<std::byte*>(allocation_) + guard_; }
  std::int64_t bytes() const { return bytes_; }
  void upload(const void* from, std::int64_t bytes);
  void download(void* to, std::int64_t bytes) const;
  /// Fills the buffer with NaN of every floating point type: bytes of 0xff.
  void poison();
  /// Whether both guard zones are as they were made.
  bool guards_intact() const;

 private:
  void swap(DeviceBuffer& other) noexcept;

  void* allocation_ = nullptr;
  std::int64_t bytes_ = 0, guard_ = 0;
};

/// A stream and the two events that time what is enqueued on it.
class Stopwatch {
 public:
  Stopwatch();
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  hipStream_t stream() const { return stream_; }
  void start();
  /// Waits for all that was enqueued since start(), and returns the milliseconds that it took.
  double stop();

 private:
  hipStream_t stream_ = nullptr;
  hipEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace zellige::profiler
