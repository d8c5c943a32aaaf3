// Programs of gfx1250 alone, built with the compiler's own functions: workgroup clusters, more than 256 registers,
// transposed loads, async and tensor copies.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "support.hpp"

namespace zellige::test {
namespace {

constexpr unsigned tile = 64;  // floats that one cluster folds

// --- Clusters ---

// Every member of a cluster adds its own slice of the reduction into a slab, then folds its share of the tile over all
// slabs.
__device__ void fold_slices(const float* values, float* slabs, float* result, unsigned depth, unsigned slice,
                            unsigned slices, unsigned group) {
  float* own = slabs + (group * slices + slice) * tile;
  const unsigned share = (depth + slices - 1) / slices, begin = slice * share;
  const unsigned end = begin + share < depth ? begin + share : depth;
  float sum = 0;
  for (unsigned k = begin; k < end; ++k) sum += values[(group * depth + k) * tile + threadIdx.x];
  own[threadIdx.x] = sum;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "cluster");
  __builtin_amdgcn_s_cluster_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "cluster");
  const unsigned rows = (tile + slices - 1) / slices, first = slice * rows;
  if (threadIdx.x < rows && first + threadIdx.x < tile) {
    float total = 0;
    for (unsigned s = 0; s < slices; ++s) total += slabs[(group * slices + s) * tile + first + threadIdx.x];
    result[group * tile + first + threadIdx.x] = total;
  }
}

// The cluster's shape comes with the launch.
__global__ void fold_any(const float* values, float* slabs, float* result, unsigned depth, unsigned slices) {
  fold_slices(values, slabs, result, depth, __builtin_amdgcn_cluster_workgroup_id_z(), slices,
              blockIdx.x + gridDim.x * __builtin_amdgcn_cluster_id_z());
}

__global__ __attribute__((cluster_dims(1, 1, 3))) void fold_three(const float* values, float* slabs, float* result,
                                                                  unsigned depth, unsigned slices) {
  fold_slices(values, slabs, result, depth, __builtin_amdgcn_cluster_workgroup_id_z(), slices,
              blockIdx.x + gridDim.x * (blockIdx.z / 3));
}

// What the compiler's functions and HIP's say of a workgroup, 12 numbers each.
__device__ void describe(unsigned* out) {
  const unsigned group = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  if (threadIdx.x != 0) return;
  unsigned* to = out + 12 * group;
  to[0] = blockIdx.x, to[1] = blockIdx.y, to[2] = blockIdx.z;
  to[3] = __builtin_amdgcn_cluster_id_x(), to[4] = __builtin_amdgcn_cluster_id_y();
  to[5] = __builtin_amdgcn_cluster_id_z();
  to[6] = __builtin_amdgcn_cluster_workgroup_id_x(), to[7] = __builtin_amdgcn_cluster_workgroup_id_y();
  to[8] = __builtin_amdgcn_cluster_workgroup_id_z();
  to[9] = __builtin_amdgcn_cluster_workgroup_flat_id();
  to[10] = __builtin_amdgcn_cluster_workgroup_max_id_y();
  to[11] = __builtin_amdgcn_cluster_workgroup_max_flat_id();
}
__global__ void describe_any(unsigned* out) { describe(out); }
__global__ __attribute__((cluster_dims(2, 3, 2))) void describe_fixed(unsigned* out) { describe(out); }

__global__ void signals_twice() {
  __builtin_amdgcn_s_barrier_signal(-3);
  __builtin_amdgcn_s_barrier_signal(-3);
}
__global__ void waits_unsignalled() {
  if (__builtin_amdgcn_cluster_workgroup_flat_id() != 0) __builtin_amdgcn_s_barrier_signal(-3);
  __builtin_amdgcn_s_barrier_wait(-3);
}
// One workgroup ends without a signal.
__global__ void ends_early(unsigned* out) {
  if (__builtin_amdgcn_cluster_workgroup_flat_id() == 1) return;
  __builtin_amdgcn_s_cluster_barrier();
  if (threadIdx.x == 0) atomicAdd(out, 1u);
}

template <class... Arguments>
hipError_t launch(dim3 grid, dim3 block, dim3 cluster, void (*kernel)(Arguments...), Arguments... arguments) {
  hipLaunchAttribute attribute{};
  attribute.id = static_cast<hipLaunchAttributeID>(4);
  const unsigned shape[3] = {cluster.x, cluster.y, cluster.z};
  std::memcpy(&attribute.val, shape, sizeof shape);
  hipLaunchConfig_t config{};
  config.gridDim = grid, config.blockDim = block, config.attrs = &attribute, config.numAttrs = 1;
  void* pointers[] = {&arguments..., nullptr};
  return hipLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), pointers);
}

struct Fold {
  static constexpr unsigned groups = 3, depth = 47;
  std::vector<float> values = std::vector<float>(groups * depth * tile), expected = std::vector<float>(groups * tile);
  Fold() {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 2654435761u % 2003) - 1001;
    for (unsigned g = 0; g < groups; ++g)
      for (unsigned k = 0; k < depth; ++k)
        for (unsigned x = 0; x < tile; ++x) expected[g * tile + x] += values[(g * depth + k) * tile + x];
  }
};

TEST(Cluster, FoldsSplitReductionsInEveryOrder) {
  const Fold fold;
  DeviceVector<float> values(fold.values);
  for (unsigned slices = 2; slices <= 15; ++slices) {
    for (const char* seed : {"0", "1", "2", "77"}) {
      setenv("ZELLIGE_SIM_ORDER", seed, 1);
      DeviceVector<float> slabs(Fold::groups * slices * tile), result(Fold::groups * tile);
      HIP_OK(launch({1, 1, slices * Fold::groups}, {tile}, {1, 1, slices}, fold_any,
                    static_cast<const float*>(values.data()), slabs.data(), result.data(), Fold::depth + 0u,
                    slices + 0u));
      HIP_OK(hipDeviceSynchronize());
      ASSERT_EQ(fold.expected, result.read()) << slices << " slices, order " << seed;
    }
  }
  unsetenv("ZELLIGE_SIM_ORDER");
}

TEST(Cluster, KernelsCompiledForAShape) {
  const Fold fold;
  DeviceVector<float> values(fold.values), slabs(Fold::groups * 3 * tile), result(Fold::groups * tile);
  HIP_OK(launch({1, 1, 3 * Fold::groups}, {tile}, {1, 1, 3}, fold_three, static_cast<const float*>(values.data()),
                slabs.data(), result.data(), Fold::depth + 0u, 3u));
  ASSERT_EQ(fold.expected, result.read());
  // Without the attribute, and the shape taken from the kernel.
  DeviceVector<float> again(Fold::groups * tile);
  setenv("ZELLIGE_SIM_CLUSTERS", "metadata", 1);
  fold_three<<<dim3(1, 1, 3 * Fold::groups), tile>>>(values.data(), slabs.data(), again.data(), Fold::depth, 3);
  unsetenv("ZELLIGE_SIM_CLUSTERS");
  HIP_OK(hipGetLastError());
  ASSERT_EQ(fold.expected, again.read());
}

TEST(Cluster, PlacesAsTheCompilerReadsThem) {
  const auto check = [](void (*kernel)(unsigned*), dim3 cluster) {
    const dim3 grid(4, 6, 4);
    const unsigned count = grid.x * grid.y * grid.z;
    DeviceVector<unsigned> out(12 * count);
    HIP_OK(launch(grid, {32}, cluster, kernel, out.data()));
    const std::vector<unsigned> numbers = out.read();
    const unsigned size = cluster.x * cluster.y * cluster.z;
    for (unsigned group = 0; group < count; ++group) {
      const unsigned x = group % grid.x, y = group / grid.x % grid.y, z = group / grid.x / grid.y;
      const unsigned place[3] = {x % cluster.x, y % cluster.y, z % cluster.z};
      const std::vector<unsigned> expected = {x,
                                              y,
                                              z,
                                              x / cluster.x,
                                              y / cluster.y,
                                              z / cluster.z,
                                              place[0],
                                              place[1],
                                              place[2],
                                              place[0] + cluster.x * (place[1] + cluster.y * place[2]),
                                              cluster.y - 1,
                                              size - 1};
      ASSERT_EQ(expected, std::vector<unsigned>(numbers.begin() + 12 * group, numbers.begin() + 12 * group + 12))
          << group;
    }
  };
  check(describe_any, dim3(2, 3, 2));
  check(describe_any, dim3(4, 2, 1));
  check(describe_any, dim3(1, 1, 1));
  check(describe_fixed, dim3(2, 3, 2));
}

TEST(Cluster, RefusalsAndMisuse) {
  DeviceVector<unsigned> out(12 * 64);
  const auto refused = [&](dim3 grid, dim3 cluster, void (*kernel)(unsigned*), const char* sentence) {
    EXPECT_EQ(hipErrorInvalidConfiguration, launch(grid, {32}, cluster, kernel, out.data()));
    EXPECT_NE(std::string::npos, std::string(last_text()).find(sentence)) << last_text();
  };
  refused({4, 1, 1}, {3, 1, 1}, describe_any, "a grid of 4x1x1 workgroups is no multiple of clusters of 3x1x1");
  refused({32, 1, 1}, {16, 1, 1}, describe_any, "over 15 along an axis");
  refused({8, 6, 1}, {4, 6, 1}, describe_any, "are 24 workgroups, over 16");
  refused({4, 6, 4}, {2, 3, 1}, describe_fixed, "are not the 2x3x2 it was compiled for");

  const auto clear = [] {
    (void)hipDeviceSynchronize();
    (void)hipGetLastError();
  };
  EXPECT_EQ(hipErrorLaunchFailure, launch({4}, {32}, {2}, signals_twice));
  EXPECT_NE(std::string::npos, std::string(last_text()).find("signals its cluster's barrier again")) << last_text();
  clear();
  EXPECT_EQ(hipErrorLaunchFailure, launch({3}, {32}, {3}, waits_unsignalled));
  EXPECT_NE(std::string::npos, std::string(last_text()).find("deadlock in workgroup (0, 0, 0)")) << last_text();
  EXPECT_NE(std::string::npos, std::string(last_text()).find("in workgroup (2, 0, 0)")) << last_text();
  EXPECT_NE(std::string::npos, std::string(last_text()).find("waits at `s_barrier_wait 0xfffd`")) << last_text();
  EXPECT_NE(std::string::npos, std::string(last_text()).find("for its cluster")) << last_text();
  EXPECT_NE(std::string::npos, std::string(last_text()).find("have not signalled its barrier: 0.")) << last_text();

  clear();

  DeviceVector<unsigned> count(1);
  HIP_OK(hipMemset(count.data(), 0, 4));
  HIP_OK(launch({6}, {64}, {3}, ends_early, count.data()));
  EXPECT_EQ(4u, count.read()[0]);
}

// --- More than 256 registers ---

constexpr int held = 420;

__global__ __launch_bounds__(64) void hold_many(const std::uint32_t* in, std::uint32_t* out, int rounds) {
  std::uint32_t value[held];
#pragma unroll
  for (int i = 0; i < held; ++i) value[i] = in[i * 64 + threadIdx.x];
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int i = 0; i < held; ++i)
      value[i] = value[i] * 1664525u + (value[(i * 7 + 3) % held] ^ value[(i + 211) % held]);
  }
#pragma unroll
  for (int i = 0; i < held; ++i) out[i * 64 + threadIdx.x] = value[i];
}

TEST(Registers, MoreThanOneQuarter) {
  std::vector<std::uint32_t> values(held * 64);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i * 2654435761u);
  DeviceVector<std::uint32_t> in(values), out(values.size());
  hold_many<<<1, 64>>>(in.data(), out.data(), 3);
  HIP_OK(hipGetLastError());
  for (int lane = 0; lane < 64; ++lane) {
    std::uint32_t value[held];
    for (int i = 0; i < held; ++i) value[i] = values[i * 64 + lane];
    for (int round = 0; round < 3; ++round)
      for (int i = 0; i < held; ++i)
        value[i] = value[i] * 1664525u + (value[(i * 7 + 3) % held] ^ value[(i + 211) % held]);
    for (int i = 0; i < held; ++i) values[i * 64 + lane] = value[i];
  }
  EXPECT_EQ(values, out.read());
}

// --- Copies between global memory and LDS ---

using Global = __attribute__((address_space(1))) char;
using Shared = __attribute__((address_space(3))) char;
using Int2 = int __attribute__((ext_vector_type(2)));
using Int4 = int __attribute__((ext_vector_type(4)));
using Int8 = int __attribute__((ext_vector_type(8)));
using Half8 = short __attribute__((ext_vector_type(8)));

// Reverses the order of 16-byte pieces with async copies in both directions.
__global__ void reverse_pieces(char* in, char* out) {
  __shared__ __attribute__((aligned(16))) char lds[64 * 32];
  Shared* own = (Shared*)lds + threadIdx.x * 32;
  __builtin_amdgcn_global_load_async_to_lds_b128(
      (__attribute__((address_space(1))) Int4*)(in + 16 * (63 - threadIdx.x)),
      (__attribute__((address_space(3))) Int4*)own, 0, 0);
  __builtin_amdgcn_s_wait_asynccnt(0);
  __builtin_amdgcn_global_store_async_from_lds_b128((__attribute__((address_space(1))) Int4*)(out + 16 * threadIdx.x),
                                                    (__attribute__((address_space(3))) Int4*)own, 0, 0);
  __builtin_amdgcn_s_wait_asynccnt(0);
}

// A 16 x 16 matrix of halves, transposed through LDS: two halves of rows a lane.
__global__ void transpose_tile(const short* in, short* out) {
  __shared__ __attribute__((aligned(16))) short lds[256];
  const int lane = threadIdx.x;
  for (int i = lane; i < 256; i += 32) lds[i] = in[i];
  __syncthreads();
  // Lanes 8g to 8g + 7 fetch rows 8 (g / 2) .. + 7, columns 8 (g % 2) .. + 7.
  const int row = lane / 16 * 8 + lane % 8, column = lane / 8 % 2 * 8;
  const Half8 got = __builtin_amdgcn_ds_load_tr16_b128_v8i16(
      (__attribute__((address_space(3))) Half8*)((__attribute__((address_space(3))) short*)lds + row * 16 + column));
  const int out_row = column + lane % 8, out_column = lane / 16 * 8;
  for (int e = 0; e < 8; ++e) out[out_row * 16 + out_column + e] = got[e];
}

// One tile of 16 x 8 floats at (row, column) of a matrix of `rows` x `columns`, to LDS and from there to `out`.
__global__ void copy_tile(const float* in, float* out, unsigned rows, unsigned columns, unsigned row, unsigned column) {
  __shared__ float lds[128];
  const auto from = reinterpret_cast<std::uint64_t>(in + row * columns + column),
             to = reinterpret_cast<std::uint64_t>(out);
  const auto lds_at = static_cast<int>(reinterpret_cast<std::uintptr_t>((__attribute__((address_space(3))) float*)lds));
  const auto group0 = [&](std::uint64_t address) {
    return Int4{1, lds_at, static_cast<int>(address), static_cast<int>((address >> 32 & 0x1ffffff) | 2u << 30)};
  };
  const auto group1 = [&](unsigned wide, unsigned high, unsigned pitch) {
    return Int8{2 << 16,
                static_cast<int>(wide << 16),
                static_cast<int>(wide >> 16 | high << 16),
                static_cast<int>(high >> 16 | 16u << 16),
                8,
                static_cast<int>(pitch),
                0,
                0};
  };
  __builtin_amdgcn_tensor_load_to_lds_d2(group0(from), group1(columns - column, rows - row, columns), 0);
  __builtin_amdgcn_s_wait_tensorcnt(0);
  __builtin_amdgcn_tensor_store_from_lds_d2(group0(to), group1(16, 8, 16), 0);
  __builtin_amdgcn_s_wait_tensorcnt(0);
}

TEST(Copies, AsyncInBothDirections) {
  std::vector<std::uint32_t> values(256), expected(256);
  for (std::uint32_t i = 0; i < 256; ++i) values[i] = i * 77 + 5, expected[(63 - i / 4) * 4 + i % 4] = values[i];
  DeviceVector<std::uint32_t> in(values), out(256);
  reverse_pieces<<<1, 64>>>(reinterpret_cast<char*>(in.data()), reinterpret_cast<char*>(out.data()));
  HIP_OK(hipGetLastError());
  EXPECT_EQ(expected, out.read());
}

TEST(Copies, TransposedLoads) {
  std::vector<short> values(256), expected(256);
  for (int i = 0; i < 256; ++i) values[i] = static_cast<short>(i * 3), expected[i % 16 * 16 + i / 16] = values[i];
  DeviceVector<short> in(values), out(256);
  transpose_tile<<<1, 32>>>(in.data(), out.data());
  HIP_OK(hipGetLastError());
  EXPECT_EQ(expected, out.read());
}

TEST(Copies, TensorTilesOverTheEdge) {
  constexpr unsigned rows = 30, columns = 50;
  std::vector<float> values(rows * columns);
  for (unsigned i = 0; i < rows * columns; ++i) values[i] = static_cast<float>(i + 1);
  DeviceVector<float> in(values);
  for (const auto& [row, column] : {std::pair{0u, 0u}, std::pair{8u, 16u}, std::pair{24u, 40u}}) {
    DeviceVector<float> out(128);
    copy_tile<<<1, 32>>>(in.data(), out.data(), rows, columns, row, column);
    HIP_OK(hipGetLastError());
    const std::vector<float> got = out.read();
    for (unsigned y = 0; y < 8; ++y)
      for (unsigned x = 0; x < 16; ++x)
        ASSERT_EQ(row + y < rows && column + x < columns ? values[(row + y) * columns + column + x] : 0.0f,
                  got[y * 16 + x])
            << row << "+" << y << ", " << column << "+" << x;
  }
}

}  // namespace
}  // namespace zellige::test
