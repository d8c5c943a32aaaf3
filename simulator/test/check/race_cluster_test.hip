// A fold over the workgroups of a cluster (gfx1250) with and without its fences, run under ZELLIGE_SIM_CHECK=race and
// ZELLIGE_SIM_CLUSTERS=metadata.
#include <string>

#include "../hip/support.hpp"

using zellige::test::DeviceVector;
using zellige::test::last_text;

namespace {

constexpr unsigned slices = 3, tile = 64;

/// Every workgroup of a cluster stores a slab, then folds its share of the tile over all of them.
template <bool releases, bool meets, bool acquires>
__global__ __attribute__((cluster_dims(1, 1, slices))) void fold(unsigned* slabs, unsigned* result) {
  const unsigned slice = __builtin_amdgcn_cluster_workgroup_id_z(), cluster = blockIdx.z / slices;
  unsigned* slab = slabs + cluster * slices * tile;
  slab[slice * tile + threadIdx.x] = slice + threadIdx.x;
  asm volatile("" ::: "memory");
  if constexpr (releases) __builtin_amdgcn_fence(__ATOMIC_RELEASE, "cluster");
  if constexpr (meets) __builtin_amdgcn_s_cluster_barrier();
  if constexpr (acquires) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "cluster");
  asm volatile("" ::: "memory");
  if (threadIdx.x % slices != slice) return;
  unsigned sum = 0;
  for (unsigned s = 0; s < slices; ++s) sum += slab[s * tile + threadIdx.x];
  result[cluster * tile + threadIdx.x] = sum;
}

template <bool releases, bool meets, bool acquires>
hipError_t run(DeviceVector<unsigned>& result) {
  DeviceVector<unsigned> slabs(4 * slices * tile);
  fold<releases, meets, acquires><<<dim3(1, 1, 4 * slices), tile>>>(slabs.data(), result.data());
  return hipGetLastError();
}

TEST(RaceOfClusters, FoldNeedsItsFences) {
  DeviceVector<unsigned> result(4 * tile);
  ASSERT_EQ(hipSuccess, (run<true, true, true>(result))) << last_text();
  EXPECT_EQ(3u + 3 * 10, result.read()[10]);
  EXPECT_EQ(3u + 3 * 63, result.read()[4 * tile - 1]);
  const auto expect_report = [] {
    const std::string text = last_text();
    EXPECT_NE(std::string::npos, text.find("data race: lane ")) << text;
    EXPECT_NE(std::string::npos, text.find("4 bytes at global address 0x")) << text;
    EXPECT_NE(std::string::npos, text.find(" of workgroup (0, 0, ")) << text;
  };
  EXPECT_EQ(hipErrorLaunchFailure, (run<false, true, true>(result))) << "without the release";
  expect_report();
  EXPECT_EQ(hipErrorLaunchFailure, (run<true, true, false>(result))) << "without the acquire";
  expect_report();
  EXPECT_EQ(hipErrorLaunchFailure, (run<true, false, true>(result))) << "without the barrier";
  expect_report();
}

}  // namespace
