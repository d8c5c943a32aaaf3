// Plain HIP programs: what every first HIP program does, with results that are known exactly.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>

#include "support.hpp"

using zellige::test::DeviceVector;

namespace {

__global__ void vector_add(const float* a, const float* b, float* sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sum[i] = a[i] + b[i];
}

// One sum a block: shuffles inside a wave, LDS between waves.
__global__ void block_sums(const int* values, int* sums, int count) {
  __shared__ int partial[32];  // waves of a block of 1024: 16 of 64 lanes, 32 of 32
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < count ? values[i] : 0;
  for (int step = warpSize / 2; step > 0; step /= 2) value += __shfl_down(value, step);
  if (threadIdx.x % warpSize == 0) partial[threadIdx.x / warpSize] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    int total = 0;
    for (unsigned wave = 0; wave < (blockDim.x + warpSize - 1) / warpSize; ++wave) total += partial[wave];
    sums[blockIdx.x] = total;
  }
}

__global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int step = 0; step < 32; step += 8)
    if (x < columns && y + step < rows) tile[threadIdx.y + step][threadIdx.x] = in[(y + step) * columns + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int step = 0; step < 32; step += 8)
    if (x < rows && y + step < columns) out[(y + step) * rows + x] = tile[threadIdx.x][threadIdx.y + step];
}

__global__ void histogram(const std::uint8_t* values, unsigned* bins, int count) {
  __shared__ unsigned local[256];
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) local[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&local[values[i]], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) atomicAdd(&bins[bin], local[bin]);
}

__global__ void where_am_i(std::uint32_t* out) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  std::uint32_t* mine = out + 8 * (block * blockDim.x * blockDim.y * blockDim.z + thread);
  mine[0] = blockIdx.x, mine[1] = blockIdx.y, mine[2] = blockIdx.z;
  mine[3] = threadIdx.x, mine[4] = threadIdx.y, mine[5] = threadIdx.z;
  mine[6] = gridDim.x | gridDim.y << 8 | gridDim.z << 16;
  mine[7] = blockDim.x | blockDim.y << 8 | blockDim.z << 16;
}

__global__ void reverse_in_dynamic_lds(int* values) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}

struct Argument {
  double scale;
  int shift[3];
  char tag;
};

__global__ void by_value(Argument argument, short small, double* out) {
  out[threadIdx.x] = argument.scale * argument.shift[threadIdx.x % 3] + small + argument.tag;
}

__device__ int device_counter;
__device__ int device_table[16] = {1, 2, 3, 4};
__constant__ float constants[4];
__managed__ int managed_value = 17;

__global__ void use_globals(float* out) {
  atomicAdd(&device_counter, 1);
  if (blockIdx.x == 0 && threadIdx.x < 4) out[threadIdx.x] = constants[threadIdx.x] + device_table[threadIdx.x];
  if (threadIdx.x == 0) atomicAdd(&managed_value, 1);
}

// Needs scratch: an array that is indexed at run time.
__global__ void sort_in_scratch(const int* in, int* out, int each) {
  int values[24];
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (int i = 0; i < each; ++i) values[i] = in[first + i];
  for (int i = 1; i < each; ++i) {
    const int value = values[i];
    int at = i;
    for (; at > 0 && values[at - 1] > value; --at) values[at] = values[at - 1];
    values[at] = value;
  }
  for (int i = 0; i < each; ++i) out[first + i] = values[i];
}

}  // namespace

TEST(Kernels, VectorAddOfARaggedSize) {
  constexpr int count = 10007;
  std::vector<float> a(count), b(count);
  for (int i = 0; i < count; ++i) a[i] = i, b[i] = 2 * i + 0.5f;
  DeviceVector<float> da(a), db(b), sum(count);
  vector_add<<<(count + 255) / 256, 256>>>(da.data(), db.data(), sum.data(), count);
  HIP_OK(hipGetLastError());
  HIP_OK(hipDeviceSynchronize());
  const std::vector<float> result = sum.read();
  for (int i = 0; i < count; ++i) ASSERT_EQ(a[i] + b[i], result[i]) << i;
}

TEST(Kernels, ReductionWithShufflesAndLds) {
  for (const int block : {64, 96, 256, 1000, 1024}) {
    constexpr int count = 50000;
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), -1234);
    const int blocks = (count + block - 1) / block;
    DeviceVector<int> in(values), sums(blocks);
    block_sums<<<blocks, block>>>(in.data(), sums.data(), count);
    HIP_OK(hipGetLastError());
    const std::vector<int> result = sums.read();
    for (int i = 0; i < blocks; ++i) {
      const auto first = values.begin() + i * block, last = values.begin() + std::min((i + 1) * block, count);
      // Lanes of a last, partial wave do not exist: what a shuffle reads of them is not defined. Blocks of whole waves
      // only.
      if (block % 64 == 0) ASSERT_EQ(std::accumulate(first, last, 0), result[i]) << block << " " << i;
    }
  }
}

TEST(Kernels, TransposeThroughLds) {
  constexpr int rows = 100, columns = 67;
  std::vector<float> in(rows * columns);
  std::iota(in.begin(), in.end(), 0.0f);
  DeviceVector<float> din(in), dout(rows * columns);
  transpose<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(din.data(), dout.data(), rows, columns);
  HIP_OK(hipGetLastError());
  const std::vector<float> out = dout.read();
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) ASSERT_EQ(in[y * columns + x], out[x * rows + y]);
}

TEST(Kernels, HistogramWithAtomicsInLdsAndMemory) {
  std::mt19937 random(7);
  std::vector<std::uint8_t> values(30000);
  std::vector<unsigned> expected(256);
  for (auto& value : values) ++expected[value = random() % 200];
  DeviceVector<std::uint8_t> in(values);
  DeviceVector<unsigned> bins(256);
  HIP_OK(hipMemset(bins.data(), 0, 256 * sizeof(unsigned)));
  histogram<<<13, 192>>>(in.data(), bins.data(), static_cast<int>(values.size()));
  HIP_OK(hipGetLastError());
  EXPECT_EQ(expected, bins.read());
}

TEST(Kernels, IdsInThreeDimensions) {
  const dim3 grid(3, 4, 2), block(5, 3, 7);
  const std::size_t count = 24 * 105;
  DeviceVector<std::uint32_t> out(count * 8);
  where_am_i<<<grid, block>>>(out.data());
  HIP_OK(hipGetLastError());
  const std::vector<std::uint32_t> ids = out.read();
  std::size_t at = 0;
  for (unsigned gz = 0; gz < 2; ++gz)
    for (unsigned gy = 0; gy < 4; ++gy)
      for (unsigned gx = 0; gx < 3; ++gx)
        for (unsigned z = 0; z < 7; ++z)
          for (unsigned y = 0; y < 3; ++y)
            for (unsigned x = 0; x < 5; ++x, at += 8) {
              const std::vector<std::uint32_t> expected = {
                  gx, gy, gz, x, y, z, 3 | 4 << 8 | 2 << 16, 5 | 3 << 8 | 7 << 16};
              ASSERT_EQ(expected, std::vector<std::uint32_t>(ids.begin() + at, ids.begin() + at + 8)) << at / 8;
            }
}

TEST(Kernels, DynamicLds) {
  std::vector<int> values(300);
  std::iota(values.begin(), values.end(), 0);
  DeviceVector<int> data(values);
  reverse_in_dynamic_lds<<<1, 300, 300 * sizeof(int)>>>(data.data());
  HIP_OK(hipGetLastError());
  std::ranges::reverse(values);
  EXPECT_EQ(values, data.read());
}

TEST(Kernels, ArgumentsByValue) {
  DeviceVector<double> out(6);
  by_value<<<1, 6>>>(Argument{0.25, {8, -4, 1000}, 3}, short(-7), out.data());
  HIP_OK(hipGetLastError());
  EXPECT_EQ((std::vector<double>{-2, -5, 246, -2, -5, 246}), out.read());
}

TEST(Kernels, DeviceGlobalsConstantsAndManagedVariables) {
  const std::vector<float> values = {10, 20, 30, 40};
  HIP_OK(hipMemcpyToSymbol(HIP_SYMBOL(constants), values.data(), 16));
  int zero = 0;
  HIP_OK(hipMemcpyToSymbol(HIP_SYMBOL(device_counter), &zero, sizeof zero));
  const int managed_before = managed_value;
  DeviceVector<float> out(4);
  use_globals<<<2, 64>>>(out.data());
  HIP_OK(hipDeviceSynchronize());
  EXPECT_EQ((std::vector<float>{11, 22, 33, 44}), out.read());
  int count = 0;
  HIP_OK(hipMemcpyFromSymbol(&count, HIP_SYMBOL(device_counter), sizeof count));
  EXPECT_EQ(128, count);
  EXPECT_EQ(managed_before + 2, managed_value);
  int patch[2] = {-1, -2};
  HIP_OK(hipMemcpyToSymbol(HIP_SYMBOL(device_table), patch, sizeof patch, 4));
  use_globals<<<1, 64>>>(out.data());
  EXPECT_EQ((std::vector<float>{11, 19, 28, 44}), out.read());
  void* address = nullptr;
  std::size_t bytes = 0;
  HIP_OK(hipGetSymbolAddress(&address, HIP_SYMBOL(device_table)));
  HIP_OK(hipGetSymbolSize(&bytes, HIP_SYMBOL(device_table)));
  EXPECT_EQ(64u, bytes);
  int table[16] = {};
  HIP_OK(hipMemcpy(table, address, sizeof table, hipMemcpyDeviceToHost));
  EXPECT_EQ(-2, table[2]);
  EXPECT_EQ(hipErrorInvalidValue, hipMemcpyToSymbol(HIP_SYMBOL(constants), values.data(), 16, 4));
  EXPECT_EQ(hipErrorInvalidValue, hipGetLastError());
}

TEST(Kernels, ScratchMemory) {
  constexpr int each = 24, threads = 200;
  std::mt19937 random(3);
  std::vector<int> values(each * threads);
  for (int& value : values) value = static_cast<int>(random() % 1000);
  DeviceVector<int> in(values), out(values.size());
  sort_in_scratch<<<2, 100>>>(in.data(), out.data(), each);
  HIP_OK(hipGetLastError());
  for (int i = 0; i < threads; ++i) std::sort(values.begin() + i * each, values.begin() + (i + 1) * each);
  EXPECT_EQ(values, out.read());
}
