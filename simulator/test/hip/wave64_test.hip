// Waves of 64 lanes on a target whose waves have 32 unless the compiler is told otherwise (gfx1100), in CU mode.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <vector>

#include "simulator/test/hip/support.hpp"

namespace zellige::test {
namespace {

/// gfx11's permutes through LDS, which __shfl is made of, stay within a half of the wave: halves meet by v_permlane64.
__device__ int other_half(int value) {
  return static_cast<int>(__builtin_amdgcn_permlane64(static_cast<unsigned>(value)));
}

__global__ void across_halves(unsigned long long* ballots, int* swapped, int* sums) {
  const int item = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned long long ballot = __ballot(item % 3 == 0);
  if (threadIdx.x % 64 == 0) ballots[item / 64] = ballot;
  swapped[item] = other_half(item);
  int sum = item + other_half(item);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor(sum, distance);
  sums[item] = sum;
}

/// Divergent lanes and halves that share registers.
__global__ void halves(const _Float16* in, _Float16* out, int count) {
  const int item = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (item >= count) return;
  _Float16 low = in[item], high = in[(item + 1) % count];
  for (int step = 0; step < item % 4; ++step) {
    low = low * low + high;
    high = high - low;
  }
  out[2 * item] = low;
  out[2 * item + 1] = high;
}

TEST(Wave64, LanesReachBothHalves) {
  constexpr int count = 256;
  DeviceVector<unsigned long long> ballots(count / 64);
  DeviceVector<int> swapped(count), sums(count);
  across_halves<<<2, 128>>>(ballots.data(), swapped.data(), sums.data());
  HIP_OK(hipDeviceSynchronize());
  const auto host_ballots = ballots.read();
  const auto host_swapped = swapped.read(), host_sums = sums.read();
  for (int item = 0; item < count; ++item) {
    EXPECT_EQ(host_swapped[item], item ^ 32);
    const int first = item / 64 * 64;
    EXPECT_EQ(host_sums[item], 64 * first + 63 * 32) << item;
    EXPECT_EQ(host_ballots[item / 64] >> (item % 64) & 1, item % 3 == 0 ? 1u : 0u) << item;
  }
}

TEST(Wave64, HalfArithmetic) {
  constexpr int count = 150;
  std::vector<_Float16> in(count);
  for (int i = 0; i < count; ++i) in[i] = static_cast<_Float16>(i % 5 - 2);
  DeviceVector<_Float16> from(in), to(2 * count);
  halves<<<2, 128>>>(from.data(), to.data(), count);
  HIP_OK(hipDeviceSynchronize());
  const auto out = to.read();
  for (int item = 0; item < count; ++item) {
    // Small whole numbers: every step is exact.
    int low = item % 5 - 2, high = (item + 1) % count % 5 - 2;
    for (int step = 0; step < item % 4; ++step) {
      low = low * low + high;
      high = high - low;
    }
    EXPECT_EQ(static_cast<float>(out[2 * item]), static_cast<float>(low)) << item;
    EXPECT_EQ(static_cast<float>(out[2 * item + 1]), static_cast<float>(high)) << item;
  }
}

}  // namespace
}  // namespace zellige::test
