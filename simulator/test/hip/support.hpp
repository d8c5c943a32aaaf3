// What the HIP programs of the simulator's tests share: checked calls, and a device vector.
#pragma once

#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <cstddef>
#include <span>
#include <vector>

#define HIP_OK(call) ASSERT_EQ(hipSuccess, (call)) << #call << ": " << zellige::test::last_text()
#define HIP_EXPECT(code, call) EXPECT_EQ(code, (call)) << #call

extern "C" const char* zelligeSimLastFault(void);

namespace zellige::test {

inline const char* last_text() { return zelligeSimLastFault(); }

/// Lanes of a wave on the current device: 32 or 64.
inline int wave_lanes() {
  int lanes = 0;
  EXPECT_EQ(hipSuccess, hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0));
  return lanes;
}

/// Device memory of `count` elements, freed at the end of its scope. Failures are fatal to the test.
template <class T>
class DeviceVector {
 public:
  explicit DeviceVector(std::size_t count) : count_(count) {
    if (hipMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)) != hipSuccess) data_ = nullptr;
    EXPECT_NE(nullptr, data_);
  }
  explicit DeviceVector(std::span<const T> values) : DeviceVector(values.size()) {
    EXPECT_EQ(hipSuccess, hipMemcpy(data_, values.data(), values.size_bytes(), hipMemcpyHostToDevice));
  }
  explicit DeviceVector(const std::vector<T>& values) : DeviceVector(std::span<const T>(values)) {}
  ~DeviceVector() { EXPECT_EQ(hipSuccess, hipFree(data_)); }
  DeviceVector(const DeviceVector&) = delete;
  DeviceVector& operator=(const DeviceVector&) = delete;

  T* data() { return data_; }
  std::size_t size() const { return count_; }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    EXPECT_EQ(hipSuccess, hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

}  // namespace zellige::test
