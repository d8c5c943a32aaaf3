// What gfx1250 has alone, run under ZELLIGE_SIM_CHECK=race and ZELLIGE_SIM_CLUSTERS=metadata: a fold over the
// workgroups of a cluster with and without its fences, and tensor copies with and without what must order them.
#include <cstdint>
#include <string>
#include <vector>

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

using Int4 = int __attribute__((ext_vector_type(4)));
using Int8 = int __attribute__((ext_vector_type(8)));

/// The first wave copies a tile of 16 x 8 floats to LDS, and each of two waves writes a half of it out; `meets`: after
/// a barrier before the copy, which comes after both have cleared their halves.
template <bool meets, bool waits>
__global__ void copy_tile(const float* in, float* out) {
  __shared__ float tile_of_both[128];
  for (int i = 0; i < 2; ++i) tile_of_both[threadIdx.x + 64 * i] = 0;
  if constexpr (meets) __syncthreads();
  const auto lds_at =
      static_cast<int>(reinterpret_cast<std::uintptr_t>((__attribute__((address_space(3))) float*)tile_of_both));
  const auto from = reinterpret_cast<std::uint64_t>(in);
  const Int4 group0{1, lds_at, static_cast<int>(from), static_cast<int>((from >> 32 & 0x1ffffff) | 2u << 30)};
  const Int8 group1{2 << 16, 16 << 16, 8 << 16, 16 << 16, 8, 16, 0, 0};
  if (__builtin_amdgcn_readfirstlane(threadIdx.x) == 0) {
    __builtin_amdgcn_tensor_load_to_lds_d2(group0, group1, 0);
    if constexpr (waits) __builtin_amdgcn_s_wait_tensorcnt(0);
  }
  __syncthreads();
  for (int i = 0; i < 2; ++i) out[threadIdx.x + 64 * i] = tile_of_both[threadIdx.x + 64 * i];
}

TEST(RaceOfTensorCopies, NeedTheirWaitAndTheBarrier) {
  std::vector<float> values(128);
  for (int i = 0; i < 128; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(i + 1);
  DeviceVector<float> in(values), out(128);
  copy_tile<true, true><<<1, 64>>>(in.data(), out.data());
  ASSERT_EQ(hipSuccess, hipGetLastError()) << last_text();
  EXPECT_EQ(values, out.read());
  copy_tile<true, false><<<1, 64>>>(in.data(), out.data());
  EXPECT_EQ(hipErrorLaunchFailure, hipGetLastError()) << "without the wait";
  EXPECT_NE(std::string::npos, std::string(last_text()).find("reads 4 bytes at LDS address")) << last_text();
  EXPECT_NE(std::string::npos, std::string(last_text()).find("wrote byte")) << last_text();
  EXPECT_NE(std::string::npos, std::string(last_text()).find("tensor_load_to_lds")) << last_text();
  copy_tile<false, true><<<1, 64>>>(in.data(), out.data());
  EXPECT_EQ(hipErrorLaunchFailure, hipGetLastError()) << "without the barrier";
  EXPECT_NE(std::string::npos, std::string(last_text()).find(" bytes at LDS address")) << last_text();
}

/// A wave copies a tile out while the other one goes on to write the same memory.
template <bool waits>
__global__ void copy_out(float* out) {
  __shared__ float tile_of_both[128];
  for (int i = 0; i < 2; ++i) tile_of_both[threadIdx.x + 64 * i] = 1;
  __syncthreads();
  const auto lds_at =
      static_cast<int>(reinterpret_cast<std::uintptr_t>((__attribute__((address_space(3))) float*)tile_of_both));
  const auto to = reinterpret_cast<std::uint64_t>(out);
  const Int4 group0{1, lds_at, static_cast<int>(to), static_cast<int>((to >> 32 & 0x1ffffff) | 2u << 30)};
  const Int8 group1{2 << 16, 16 << 16, 8 << 16, 16 << 16, 8, 16, 0, 0};
  if (__builtin_amdgcn_readfirstlane(threadIdx.x) == 0) {
    __builtin_amdgcn_tensor_store_from_lds_d2(group0, group1, 0);
    if constexpr (waits) __builtin_amdgcn_s_wait_tensorcnt(0);
  }
  __syncthreads();
  if (__builtin_amdgcn_readfirstlane(threadIdx.x) != 0) out[threadIdx.x] = 2;
}

TEST(RaceOfTensorCopies, StoresToo) {
  DeviceVector<float> out(128);
  copy_out<true><<<1, 64>>>(out.data());
  ASSERT_EQ(hipSuccess, hipGetLastError()) << last_text();
  EXPECT_EQ(2, out.read()[40]);
  EXPECT_EQ(1, out.read()[127]);
  copy_out<false><<<1, 64>>>(out.data());
  EXPECT_EQ(hipErrorLaunchFailure, hipGetLastError()) << "without the wait";
  EXPECT_NE(std::string::npos, std::string(last_text()).find("writes 4 bytes at global address")) << last_text();
  EXPECT_NE(std::string::npos, std::string(last_text()).find("tensor_store_from_lds")) << last_text();
}

}  // namespace
