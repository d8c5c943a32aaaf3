// Device memory of a test, freed at the end.
#pragma once

#include <cstddef>

#include "zellige/library.hpp"

namespace zellige {

/// It holds anything at first. Members throw RuntimeError where the runtime fails.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes) : bytes_(bytes) {
    require_success(hipMalloc(&data_, bytes), "hipMalloc", "a test's tensor");
  }
  DeviceMemory(const DeviceMemory&) = delete;
  ~DeviceMemory() { static_cast<void>(hipFree(data_)); }

  void* data() const { return data_; }
  /// Sets all bits: NaN in every floating type.
  void poison() const { require_success(hipMemset(data_, 0xff, bytes_), "hipMemset"); }
  void upload(const void* from, std::size_t bytes, std::size_t offset = 0) const {
    require_success(hipMemcpy(static_cast<std::byte*>(data_) + offset, from, bytes, hipMemcpyHostToDevice),
                    "hipMemcpy");
  }
  void download(void* to, std::size_t bytes) const {
    require_success(hipMemcpy(to, data_, bytes, hipMemcpyDeviceToHost), "hipMemcpy");
  }

 private:
  std::size_t bytes_;
  void* data_ = nullptr;
};

}  // namespace zellige
