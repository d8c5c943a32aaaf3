// What kernels ask of the host and of the whole grid: printf, and barriers of a cooperative launch.
#include <hip/hip_cooperative_groups.h>

#include <cstring>

#include "support.hpp"

using zellige::test::DeviceVector;

namespace {

__global__ void say(const char* name, double value) {
  if (threadIdx.x < 3) printf("lane %u of %s: %.3f\n", threadIdx.x, "a constant string", value * threadIdx.x);
  if (threadIdx.x == 70) printf("%s says %d%%\n", name, -12);
}

// Every workgroup adds up what all of them wrote in the step before.
__global__ void add_all(unsigned* values, unsigned* next, int steps) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int step = 0; step < steps; ++step) {
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += values[i];
    atomicAdd(&next[blockIdx.x], sum);
    grid.sync();
    if (threadIdx.x == 0) values[blockIdx.x] = next[blockIdx.x] + blockIdx.x, next[blockIdx.x] = 0;
    grid.sync();
  }
}

}  // namespace

TEST(HostServices, Printf) {
  const std::string text = "the device";
  DeviceVector<char> name(std::span<const char>(text.c_str(), text.size() + 1));
  testing::internal::CaptureStdout();
  say<<<1, 128>>>(name.data(), 1.5);
  const hipError_t error = hipDeviceSynchronize();
  const std::string output = testing::internal::GetCapturedStdout();
  ASSERT_EQ(hipSuccess, error) << zellige::test::last_text();
  // Lanes of a wave print in order; waves among each other in any.
  const std::string lanes =
      "lane 0 of a constant string: 0.000\nlane 1 of a constant string: 1.500\n"
      "lane 2 of a constant string: 3.000\n";
  const std::string other = "the device says -12%\n";
  EXPECT_TRUE(output == lanes + other || output == other + lanes) << output;
}

TEST(HostServices, GridBarriersOfACooperativeLaunch) {
  hipDeviceProp_t properties;
  HIP_OK(hipGetDeviceProperties(&properties, 0));
  if (std::strncmp(properties.gcnArchName, "gfx90a", 6) == 0)
    GTEST_SKIP() << "the device library's grid barrier of gfx90a is a global wave sync instruction";
  constexpr unsigned groups = 50;
  int steps = 4;
  std::vector<unsigned> values(groups, 1);
  DeviceVector<unsigned> in(values), next(groups);
  HIP_OK(hipMemset(next.data(), 0, groups * sizeof(unsigned)));
  unsigned *in_pointer = in.data(), *next_pointer = next.data();
  void* arguments[] = {&in_pointer, &next_pointer, &steps};
  HIP_OK(hipLaunchCooperativeKernel(reinterpret_cast<const void*>(add_all), dim3(groups), dim3(128), arguments, 0,
                                    nullptr));
  HIP_OK(hipDeviceSynchronize());
  for (int step = 0; step < steps; ++step) {
    unsigned sum = 0;
    for (const unsigned value : values) sum += value;
    for (unsigned i = 0; i < groups; ++i) values[i] = sum + i;
  }
  EXPECT_EQ(values, in.read());
}
