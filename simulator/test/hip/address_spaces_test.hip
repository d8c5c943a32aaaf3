// Every address space from HIP: raw buffers, flat pointers into LDS and private memory, scratch arrays, elements of 1
// to 16 bytes, and atomics of each type. Results are known exactly.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "support.hpp"

using zellige::test::DeviceVector;

namespace {

constexpr int threads = 128;

// Word 3 of a raw descriptor: 32-bit data, and on gfx11 and later bounds by bytes (OOB_SELECT 3).
#if defined(__gfx1250__)
constexpr int buffer_flags = 0;
#elif defined(__GFX11__) || defined(__GFX12__)
constexpr int buffer_flags = 0x31014000;
#else
constexpr int buffer_flags = 0x00027000;
#endif

__global__ void raw_buffers(const std::uint8_t* in, int in_bytes, std::uint8_t* out, int out_bytes) {
  const int i = static_cast<int>(threadIdx.x);
  const auto from = __builtin_amdgcn_make_buffer_rsrc(const_cast<std::uint8_t*>(in), 0, in_bytes, buffer_flags);
  const auto to = __builtin_amdgcn_make_buffer_rsrc(out, 0, out_bytes, buffer_flags);
  const int row = i * 64;
  __builtin_amdgcn_raw_buffer_store_b8(__builtin_amdgcn_raw_buffer_load_b8(from, i * 31, 1, 0), to, row, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b16(__builtin_amdgcn_raw_buffer_load_b16(from, i * 31, 3, 0), to, row, 2, 0);
  __builtin_amdgcn_raw_buffer_store_b32(__builtin_amdgcn_raw_buffer_load_b32(from, i * 32, 4, 0), to, row + 4, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b64(__builtin_amdgcn_raw_buffer_load_b64(from, i * 32, 8, 0), to, row + 8, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b96(__builtin_amdgcn_raw_buffer_load_b96(from, i * 32, 0, 0), to, row, 16, 0);
  __builtin_amdgcn_raw_buffer_store_b128(__builtin_amdgcn_raw_buffer_load_b128(from, i * 32, 16, 0), to, row + 32, 0,
                                         0);
}

TEST(AddressSpaces, RawBuffersStopAtTheirEnds) {
  constexpr int in_bytes = 3001, out_bytes = 7000;
  std::vector<std::uint8_t> in(8192);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
  std::vector<std::uint8_t> expected(threads * 64, 0xee);
  // A part of up to 4 bytes moves when it lies inside whole; outside it reads 0 and is not written.
  const auto move = [&](int source, int target, int bytes) {
    for (int part = 0; part < bytes; part += 4) {
      const int width = std::min(4, bytes - part);
      for (int byte = 0; byte < width && target + part + width <= out_bytes; ++byte)
        expected[static_cast<std::size_t>(target + part + byte)] =
            source + part + width <= in_bytes ? in[static_cast<std::size_t>(source + part + byte)] : 0;
    }
  };
  for (int i = 0; i < threads; ++i) {
    move(i * 31 + 1, i * 64, 1);
    move(i * 31 + 3, i * 64 + 2, 2);
    move(i * 32 + 4, i * 64 + 4, 4);
    move(i * 32 + 8, i * 64 + 8, 8);
    move(i * 32, i * 64 + 16, 12);
    move(i * 32 + 16, i * 64 + 32, 16);
  }
  DeviceVector<std::uint8_t> source(in), target(std::vector<std::uint8_t>(threads * 64, 0xee));
  raw_buffers<<<1, threads>>>(source.data(), in_bytes, target.data(), out_bytes);
  HIP_OK(hipDeviceSynchronize());
  EXPECT_EQ(target.read(), expected);
}

__device__ __attribute__((noinline)) int sum_of(const int* values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i] * (i + 1);
  return sum;
}

__device__ __attribute__((noinline)) void fill(int* values, int count, int first) {
  for (int i = 0; i < count; ++i) values[i] = first + 3 * i;
}

// One pointer, in three address spaces by lane.
__global__ void flat_pointers(int* global, int* sums) {
  __shared__ int shared[threads * 5];
  int own[5];
  const int i = static_cast<int>(threadIdx.x);
  int* place = i % 3 == 0 ? own : i % 3 == 1 ? shared + 5 * i : global + 5 * i;
  fill(place, 5, i);
  sums[i] = sum_of(place, 5);
  if (i % 3 == 1) atomicAdd(place + 2, 1000);
  sums[threads + i] = place[2];
}

TEST(AddressSpaces, FlatPointersReachLdsPrivateAndGlobalMemory) {
  DeviceVector<int> global(std::vector<int>(threads * 5, -1)), sums(2 * threads);
  flat_pointers<<<1, threads>>>(global.data(), sums.data());
  HIP_OK(hipDeviceSynchronize());
  const auto found = sums.read(), written = global.read();
  for (int i = 0; i < threads; ++i) {
    EXPECT_EQ(found[i], 15 * i + 3 * (0 + 2 + 6 + 12 + 20)) << i;
    EXPECT_EQ(found[threads + i], i + 6 + (i % 3 == 1 ? 1000 : 0)) << i;
    for (int k = 0; k < 5; ++k) EXPECT_EQ(written[5 * i + k], i % 3 == 2 ? i + 3 * k : -1);
  }
}

template <class T>
__global__ void scratch_arrays(const T* in, T* out, const int* order, int count) {
  T values[40];
  const int i = static_cast<int>(threadIdx.x);
  for (int k = 0; k < 40; ++k) values[(k + i) % 40] = in[40 * i + k];
  for (int k = 0; k < count; ++k) out[40 * i + k] = values[order[k]];
}

template <class T>
void check_scratch() {
  std::vector<T> in(threads * 40);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * 2654435761u >> 3);
  std::vector<int> order(40);
  for (int k = 0; k < 40; ++k) order[k] = k * 7 % 40;
  DeviceVector<T> source(in), target(in.size());
  DeviceVector<int> places(order);
  scratch_arrays<T><<<1, threads>>>(source.data(), target.data(), places.data(), 40);
  HIP_OK(hipDeviceSynchronize());
  const auto found = target.read();
  for (int i = 0; i < threads; ++i)
    for (int k = 0; k < 40; ++k)
      ASSERT_EQ(found[40 * i + k], in[40 * i + (order[k] + 40 - i % 40) % 40]) << i << " " << k;
}

TEST(AddressSpaces, ScratchArraysOfEveryWidth) {
  check_scratch<std::uint8_t>();
  check_scratch<std::int16_t>();
  check_scratch<std::uint32_t>();
  check_scratch<std::uint64_t>();
}

// Through LDS, reversed within the block.
template <class T>
__global__ void reverse(const T* in, T* out) {
  __shared__ T values[threads];
  values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = values[threads - 1 - threadIdx.x];
}

template <class T>
void check_reverse() {
  std::vector<std::uint8_t> bytes(threads * sizeof(T));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 11 + i / 256);
  DeviceVector<std::uint8_t> source(bytes), target(bytes.size());
  reverse<T><<<1, threads>>>(reinterpret_cast<const T*>(source.data()), reinterpret_cast<T*>(target.data()));
  HIP_OK(hipDeviceSynchronize());
  const auto found = target.read();
  for (std::size_t i = 0; i < threads; ++i)
    ASSERT_EQ(0, std::memcmp(&found[i * sizeof(T)], &bytes[(threads - 1 - i) * sizeof(T)], sizeof(T)))
        << sizeof(T) << " " << i;
}

TEST(AddressSpaces, ElementsOfOneToSixteenBytes) {
  check_reverse<std::uint8_t>();
  check_reverse<std::int16_t>();
  check_reverse<uchar3>();
  check_reverse<float>();
  check_reverse<short3>();
  check_reverse<float2>();
  check_reverse<float3>();
  check_reverse<double2>();
  check_reverse<int4>();
}

struct Totals {
  std::uint32_t added, subtracted, least, most, ored, anded, xored, wrapped, exchanged;
  std::int32_t least_signed, most_signed;
  std::uint64_t added_wide, least_wide, most_wide, swapped_wide;
  float added_float;
  double added_double;
};

__device__ void update(Totals& totals, unsigned i) {
  atomicAdd(&totals.added, i);
  atomicSub(&totals.subtracted, i);
  atomicMin(&totals.least, 1000 - i);
  atomicMax(&totals.most, 7 * i);
  atomicOr(&totals.ored, 1u << i % 32);
  atomicAnd(&totals.anded, ~(1u << i % 16));
  atomicXor(&totals.xored, i * 0x1003u);
  atomicInc(&totals.wrapped, 100);
  atomicExch(&totals.exchanged, 77);
  atomicMin(&totals.least_signed, static_cast<int>(i) - 50);
  atomicMax(&totals.most_signed, static_cast<int>(i) - 50);
  atomicAdd(reinterpret_cast<unsigned long long*>(&totals.added_wide), 0x1'0000'0001ull * i);
  atomicMin(reinterpret_cast<unsigned long long*>(&totals.least_wide), 0x5'0000'0000ull - i);
  atomicMax(reinterpret_cast<unsigned long long*>(&totals.most_wide), 0x5'0000'0000ull + i);
  atomicAdd(&totals.added_float, 0.5f * static_cast<float>(i));
  atomicAdd(&totals.added_double, 0.25 * i);
  // One thread after another counts by compare-and-swap.
  auto* cell = reinterpret_cast<unsigned long long*>(&totals.swapped_wide);
  unsigned long long seen = *cell, expected;
  do expected = seen;
  while ((seen = atomicCAS(cell, expected, expected + 0x1'0000'0001ull)) != expected);
}

constexpr Totals start = {0, 0, ~0u, 0, 0, ~0u, 0, 0, 0, 1 << 30, -(1 << 30), 0, ~0ull, 0, 0, 0.0f, 0.0};

__global__ void totals_of(Totals* global, Totals* from_lds) {
  __shared__ Totals shared;
  if (threadIdx.x == 0) shared = *from_lds;
  __syncthreads();
  update(*global, threadIdx.x + blockDim.x * blockIdx.x);
  if (blockIdx.x == 0) update(shared, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == 0) *from_lds = shared;
}

void check_totals(const Totals& found, unsigned count) {
  const std::uint32_t sum = count * (count - 1) / 2;
  std::uint32_t xored = 0;
  for (unsigned i = 0; i < count; ++i) xored ^= i * 0x1003u;
  EXPECT_EQ(found.added, sum);
  EXPECT_EQ(found.subtracted, 0u - sum);
  EXPECT_EQ(found.least, 1000 - (count - 1));
  EXPECT_EQ(found.most, 7 * (count - 1));
  EXPECT_EQ(found.ored, ~0u);
  EXPECT_EQ(found.anded, 0xffff0000u);
  EXPECT_EQ(found.xored, xored);
  EXPECT_EQ(found.wrapped, count % 101);
  EXPECT_EQ(found.exchanged, 77u);
  EXPECT_EQ(found.least_signed, -50);
  EXPECT_EQ(found.most_signed, static_cast<int>(count) - 51);
  EXPECT_EQ(found.added_wide, 0x1'0000'0001ull * sum);
  EXPECT_EQ(found.least_wide, 0x5'0000'0000ull - (count - 1));
  EXPECT_EQ(found.most_wide, 0x5'0000'0000ull + (count - 1));
  EXPECT_EQ(found.swapped_wide, 0x1'0000'0001ull * count);
  EXPECT_EQ(found.added_float, 0.5f * static_cast<float>(sum));
  EXPECT_EQ(found.added_double, 0.25 * sum);
}

TEST(AddressSpaces, AtomicsOfEveryTypeInGlobalMemoryAndLds) {
  DeviceVector<Totals> global(std::vector<Totals>{start}), shared(std::vector<Totals>{start});
  totals_of<<<4, threads>>>(global.data(), shared.data());
  HIP_OK(hipDeviceSynchronize());
  check_totals(global.read()[0], 4 * threads);
  check_totals(shared.read()[0], threads);
}

}  // namespace
