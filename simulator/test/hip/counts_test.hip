// Counts per cache level, and the time of launches whose waves wait for one another: against sums worked out by hand.
#include <cstring>

#include "support.hpp"
#include "zellige_sim.h"

using zellige::test::DeviceVector;

namespace {

/// Every workgroup of 256 loads 1 KiB of its own and 128 bytes that all share, and stores 1 KiB.
__global__ void own_and_shared(const float* own, const float* shared, float* out) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = own[at] + shared[threadIdx.x % 32];
}

/// A chain of `length` dependent loads.
__global__ void chase(const int* next, int* out, int length) {
  int at = 0;
  for (int i = 0; i < length; ++i) at = next[at + static_cast<int>(threadIdx.x)];
  out[threadIdx.x] = at;
}

ZelligeSimLaunch last_launch() {
  ZelligeSimLaunch launch{};
  launch.struct_size = sizeof launch;
  EXPECT_EQ(0, zelligeSimLastLaunch(&launch));
  return launch;
}

bool device_is(const char* target) {
  hipDeviceProp_t properties;
  EXPECT_EQ(hipSuccess, hipGetDeviceProperties(&properties, 0));
  return std::strncmp(properties.gcnArchName, target, std::strlen(target)) == 0;
}

}  // namespace

TEST(Counts, EachLevelOfTheHierarchy) {
  if (!device_is("gfx942")) GTEST_SKIP() << "the sums below are gfx942's: lines of 128 bytes, 8 dies";
  constexpr int groups = 64, items = 256;
  // The allocations are large enough for no cap to hold.
  DeviceVector<float> own(std::size_t{1} << 21), shared(32), out(groups * items);
  HIP_OK(hipMemset(own.data(), 0, own.size() * sizeof(float)));
  HIP_OK(hipMemset(shared.data(), 0, shared.size() * sizeof(float)));
  own_and_shared<<<groups, items>>>(own.data(), shared.data(), out.data());
  HIP_OK(hipDeviceSynchronize());
  const ZelligeSimLaunch launch = last_launch();
  EXPECT_EQ(4u, launch.observed_workgroups);
  EXPECT_EQ(128u, launch.line_bytes);
  // A wave of 64 loads two lines of its own and the shared one, which the cache has for the workgroup's later waves.
  EXPECT_DOUBLE_EQ(groups * 4 * 3, launch.l1_load_requests);
  EXPECT_DOUBLE_EQ(groups * 3, launch.l1_load_hits);
  EXPECT_DOUBLE_EQ(groups * 9, launch.l2_load_requests);
  EXPECT_DOUBLE_EQ(groups * 4 * 2, launch.l2_store_requests);
  // 8 workgroups on each of 8 dies: the shared line once a die.
  EXPECT_DOUBLE_EQ(8 * (8 * 8 + 1) * 128, launch.l2_fill_bytes);
  EXPECT_DOUBLE_EQ(groups * 8 * 128, launch.l2_write_bytes);
  EXPECT_DOUBLE_EQ(512.0 / (3 * 128), launch.load_coalescing);
  EXPECT_DOUBLE_EQ(1, launch.store_coalescing);
}

TEST(Counts, AChainOfLoadsTakesTheLatencyOfEach) {
  if (!device_is("gfx942")) GTEST_SKIP() << "the latencies are gfx942's";
  constexpr int items = 64;
  std::vector<int> zeros(items, 0);
  DeviceVector<int> next(zeros), out(items);
  const auto seconds = [&](int length) {
    chase<<<1, items>>>(next.data(), out.data(), length);
    EXPECT_EQ(hipSuccess, hipDeviceSynchronize());
    const ZelligeSimLaunch launch = last_launch();
    EXPECT_STREQ("wave", launch.bound);
    return launch.seconds;
  };
  const double many = seconds(1100), few = seconds(100);
  // Each of a thousand loads hits the vector cache (116 clocks), and needs a few slots of 4 clocks for its address.
  const double clocks = (many - few) * 2.1e9 / 1000;
  EXPECT_GT(clocks, 116);
  EXPECT_LT(clocks, 116 + 64);
}

TEST(Counts, ASampleOfPairsEstimatesTheSame) {
  if (!device_is("gfx942")) GTEST_SKIP();
  constexpr int groups = 4096, items = 256;
  DeviceVector<float> own(std::size_t{1} << 21), shared(32), out(groups * items);
  HIP_OK(hipMemset(own.data(), 0, own.size() * sizeof(float)));
  HIP_OK(hipMemset(shared.data(), 0, shared.size() * sizeof(float)));
  own_and_shared<<<groups, items>>>(own.data(), shared.data(), out.data());
  const ZelligeSimLaunch whole = last_launch();
  zelligeSimSetSampling(32);
  own_and_shared<<<groups, items>>>(own.data(), shared.data(), out.data());
  zelligeSimSetSampling(0);
  const ZelligeSimLaunch sampled = last_launch();
  EXPECT_EQ(32u, sampled.executed);
  EXPECT_DOUBLE_EQ(whole.l1_load_hits, sampled.l1_load_hits);
  EXPECT_DOUBLE_EQ(whole.l2_fill_bytes, sampled.l2_fill_bytes);
  EXPECT_EQ(whole.load_bytes, sampled.load_bytes);
  EXPECT_DOUBLE_EQ(whole.seconds, sampled.seconds);
}
