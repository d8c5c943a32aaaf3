// The C interface from a unit in C, on a device of each target.
#include <gtest/gtest.h>

#include <vector>

#include "c_api_unit.h"
#include "use_device.hpp"

namespace zellige {
namespace {

class CApiRuns : public testing::TestWithParam<Arch> {};

/// Device memory with the bytes of `host`.
void* on_device(const std::vector<f16>& host) {
  void* device = nullptr;
  require_success(hipMalloc(&device, host.size() * sizeof(f16)), "hipMalloc");
  require_success(hipMemcpy(device, host.data(), host.size() * sizeof(f16), hipMemcpyHostToDevice), "hipMemcpy");
  return device;
}

TEST_P(CApiRuns, AGemmFromAUnitInC) {
  if (!use_device(GetParam())) GTEST_SKIP() << "no device of " << arch_traits(GetParam()).name;
  std::int32_t current = 0;
  ASSERT_EQ(zellige_current_arch(&current, nullptr), ZELLIGE_OK);
  EXPECT_EQ(current, static_cast<int>(GetParam()));
  constexpr std::int64_t m = 37, n = 72, k = 64;
  std::vector<f16> a(m * k), b(n * k), c(m * n, f16{0x7fff});
  for (std::int64_t i = 0; i < m * k; ++i)
    a[static_cast<std::size_t>(i)] = from_float<f16>(static_cast<float>(i % 5 - 2));
  for (std::int64_t i = 0; i < n * k; ++i)
    b[static_cast<std::size_t>(i)] = from_float<f16>(static_cast<float>(i % 7 - 3));
  void *device_a = on_device(a), *device_b = on_device(b), *device_c = on_device(c);
  constexpr std::int64_t workspace_bytes = 1 << 20;  // for a split reduction, where one is chosen
  void* workspace = nullptr;
  require_success(hipMalloc(&workspace, workspace_bytes), "hipMalloc");
  char name[200] = {};
  zellige_verdict v =
      multiply_in_c(current, m, n, k, device_a, device_b, device_c, workspace, workspace_bytes, name, sizeof name);
  ASSERT_EQ(v.status, ZELLIGE_OK) << v.text;
  EXPECT_NE(find_operation(name), nullptr) << name;
  require_success(hipMemcpy(c.data(), device_c, c.size() * sizeof(f16), hipMemcpyDeviceToHost), "hipMemcpy");
  int wrong = 0;
  for (std::int64_t i = 0; i < m * n; ++i) {
    float sum = 0;
    for (std::int64_t j = 0; j < k; ++j) {
      sum +=
          to_float(a[static_cast<std::size_t>(i / n * k + j)]) * to_float(b[static_cast<std::size_t>(i % n * k + j)]);
    }
    wrong += to_float(c[static_cast<std::size_t>(i)]) != sum;
  }
  EXPECT_EQ(wrong, 0) << name;

  v = multiply_in_c(current, m, n, k, device_a, nullptr, device_c, workspace, workspace_bytes, name, sizeof name);
  EXPECT_EQ(v.status, ZELLIGE_REFUSED);
  EXPECT_STREQ(zellige_reason_name(v.reason), "null_pointer") << v.text;
  for (void* pointer : {device_a, device_b, device_c, workspace}) require_success(hipFree(pointer), "hipFree");
}

INSTANTIATE_TEST_SUITE_P(Every, CApiRuns, testing::ValuesIn(built_targets()),
                         [](const auto& info) { return std::string(arch_traits(info.param).name); });

}  // namespace
}  // namespace zellige
