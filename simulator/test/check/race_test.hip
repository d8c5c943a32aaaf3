// Data races planted in kernels, each with its clean twin, run under ZELLIGE_SIM_CHECK=race.
#include <string>

#include "../hip/support.hpp"

using zellige::test::DeviceVector;
using zellige::test::last_text;

namespace {

constexpr int items = 256;  // of a workgroup: four waves, or eight

/// Memory operations stay on their sides; no instruction.
__device__ void keep_order() { asm volatile("" ::: "memory"); }
/// A barrier alone: nothing is waited for and no cache invalidated.
__device__ void bare_barrier() {
  keep_order();
  __builtin_amdgcn_s_barrier();
  keep_order();
}

enum class Sync { none, bare, full };
template <Sync sync>
__device__ void meet() {
  if constexpr (sync == Sync::none) keep_order();
  if constexpr (sync == Sync::bare) bare_barrier();
  if constexpr (sync == Sync::full) __syncthreads();
}

template <Sync sync>
__global__ void lds_pass(int* out) {
  __shared__ int values[items];
  values[threadIdx.x] = threadIdx.x;
  meet<sync>();
  out[threadIdx.x] = values[(threadIdx.x + items - 64) % items];
}

template <Sync sync>
__global__ void lds_reuse(int* out) {
  __shared__ int values[items];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int mine = values[items - 1 - threadIdx.x];
  meet<sync>();
  values[threadIdx.x] = mine + 1;
  out[threadIdx.x] = values[threadIdx.x];
}

template <Sync sync>
__global__ void lds_dynamic(int* out) {
  extern __shared__ short halves[];
  halves[threadIdx.x] = static_cast<short>(threadIdx.x);
  meet<sync>();
  out[threadIdx.x] = halves[(threadIdx.x + 64) % items];
}

template <bool overlaps>
__global__ void lds_write_write(int* out) {
  __shared__ int values[2 * items];
  values[overlaps ? threadIdx.x % 128 : threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x % 128];
}

__global__ void lds_same_value(int* out, int same) {
  __shared__ int value;
  value = same;
  __syncthreads();
  out[threadIdx.x] = value;
}

template <int buffers>
__global__ void lds_buffers(int* out, int steps) {
  __shared__ int values[buffers][items];
  int sum = 0;
  for (int step = 0; step < steps; ++step) {
    values[step % buffers][threadIdx.x] = step + threadIdx.x;
    __syncthreads();
    sum += values[step % buffers][items - 1 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

__global__ void lds_atomics(int* out, bool plain_too) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  if (plain_too && threadIdx.x == items - 1) count = 5;
  __syncthreads();
  out[threadIdx.x] = count;
}

__global__ void bytes_side_by_side(char* out) { out[blockIdx.x + gridDim.x * threadIdx.x] = 1; }
__global__ void blocks_overlap(char* out) { out[threadIdx.x] = 1; }

template <bool in_place>
__global__ void shift(int* values, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int next = values[i + 1];
  (in_place ? values : out)[i] = next;
}

__global__ void count_items(int* count, int* out, bool reads) {
  atomicAdd(count, 1);
  if (reads && blockIdx.x == 1) out[threadIdx.x] = *count;
}

template <bool releases, bool acquires>
__global__ void pass_flag(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x + 1;
    keep_order();
    if (releases) __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    __hip_atomic_store(flag, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  } else {
    while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) __builtin_amdgcn_s_sleep(1);
    if (acquires) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    keep_order();
    out[threadIdx.x] = data[threadIdx.x];
  }
}

template <bool releases, bool acquires>
__global__ void last_block(int* partial, int* count, int* out) {
  __shared__ bool last;
  partial[blockIdx.x * items + threadIdx.x] = blockIdx.x + threadIdx.x;
  keep_order();
  if (releases) __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(count, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  if (!last) return;
  if (acquires) __threadfence();
  keep_order();
  int sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) sum += partial[block * items + threadIdx.x];
  out[threadIdx.x] = sum;
}

/// A lock of compare-and-swap around plain memory.
template <bool locks>
__global__ void locked_sum(int* sum, int* lock) {
  if (threadIdx.x != 0) return;
  if (locks) {
    while (atomicCAS(lock, 0, 1) != 0) __builtin_amdgcn_s_sleep(1);
    __threadfence();
  }
  *sum += 1;
  keep_order();
  if (locks) {
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void early_end(int* out, unsigned end) {
  if (threadIdx.x >= end) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}

template <bool waits>
__global__ void copy_to_lds(int* in, int* out) {
#if defined(__gfx942__) || defined(__gfx950__)
  __shared__ int values[items];
  const unsigned wave = threadIdx.x / 64 * 64;
  __builtin_amdgcn_global_load_lds(in + threadIdx.x, values + wave, 4, 0, 0);
  if (waits) asm volatile("s_waitcnt vmcnt(0)" ::: "memory");
  bare_barrier();
  out[threadIdx.x] = values[items - 1 - threadIdx.x];
#else
  out[threadIdx.x] = in[items - 1 - threadIdx.x];
#endif
}

bool contains(const std::string& part) { return std::string(last_text()).find(part) != std::string::npos; }

std::string target() {
  hipDeviceProp_t properties;
  EXPECT_EQ(hipSuccess, hipGetDeviceProperties(&properties, 0));
  return std::string(properties.gcnArchName).substr(0, std::string(properties.gcnArchName).find(':'));
}
bool is_gfx9() { return target().size() == 6; }

void expect_clean() { EXPECT_EQ(hipSuccess, hipDeviceSynchronize()) << last_text(); }
void expect_report(const std::string& kernel, const std::string& what) {
  EXPECT_EQ(hipErrorLaunchFailure, hipDeviceSynchronize());
  EXPECT_EQ(hipErrorLaunchFailure, hipGetLastError());
  EXPECT_TRUE(contains(kernel)) << last_text();
  EXPECT_TRUE(contains(what)) << last_text();
}

class Race : public testing::Test {
 protected:
  DeviceVector<int> out{1 << 14}, data{1 << 14}, count{64};
  void SetUp() override {
    EXPECT_EQ(hipSuccess, hipMemset(out.data(), 0, 4 << 14));
    EXPECT_EQ(hipSuccess, hipMemset(data.data(), 0, 4 << 14));
    EXPECT_EQ(hipSuccess, hipMemset(count.data(), 0, 256));
  }
};

TEST_F(Race, LdsNeedsABarrier) {
  lds_pass<Sync::full><<<1, items>>>(out.data());
  expect_clean();
  lds_pass<Sync::none><<<1, items>>>(out.data());
  expect_report("lds_pass", "data race: lane ");
  EXPECT_TRUE(contains("reads 4 bytes at LDS address 0x")) << last_text();
  EXPECT_TRUE(contains("wrote byte 0x")) << last_text();
  EXPECT_TRUE(contains("` at address 0x")) << last_text();
  lds_dynamic<Sync::full><<<1, items, 2 * items>>>(out.data());
  expect_clean();
  lds_dynamic<Sync::none><<<1, items, 2 * items>>>(out.data());
  expect_report("lds_dynamic", "data race: lane ");
}

TEST_F(Race, LdsNeedsTheWaitBeforeTheBarrier) {
  lds_pass<Sync::bare><<<1, items>>>(out.data());
  expect_report("lds_pass", "data race: lane ");
  EXPECT_TRUE(contains("which that wave had not waited for")) << last_text();
}

TEST_F(Race, LdsReadThenWrite) {
  lds_reuse<Sync::full><<<1, items>>>(out.data());
  expect_clean();
  lds_reuse<Sync::none><<<1, items>>>(out.data());
  expect_report("lds_reuse", "data race: lane ");
}

TEST_F(Race, LdsWriteWrite) {
  lds_write_write<false><<<1, items>>>(out.data());
  expect_clean();
  lds_write_write<true><<<1, items>>>(out.data());
  expect_report("lds_write_write", "writes 4 bytes at LDS address 0x");
  lds_same_value<<<1, items>>>(out.data(), 7);
  expect_report("lds_same_value", "wrote byte 0x");
  lds_same_value<<<1, 32>>>(out.data(), 7);  // one wave
  expect_clean();
}

TEST_F(Race, LdsDoubleBuffer) {
  lds_buffers<2><<<1, items>>>(out.data(), 6);
  expect_clean();
  lds_buffers<1><<<1, items>>>(out.data(), 6);
  expect_report("lds_buffers", "data race: lane ");
}

TEST_F(Race, LdsAtomics) {
  lds_atomics<<<1, items>>>(out.data(), false);
  expect_clean();
  lds_atomics<<<1, items>>>(out.data(), true);
  expect_report("lds_atomics", "ds_add_u32");  // the earlier or the later one: the compiler decides which wave is first
}

TEST_F(Race, GlobalBetweenWorkgroups) {
  bytes_side_by_side<<<7, items>>>(reinterpret_cast<char*>(out.data()));
  expect_clean();
  blocks_overlap<<<7, items>>>(reinterpret_cast<char*>(out.data()));
  expect_report("blocks_overlap", "writes 1 bytes at global address 0x");
  EXPECT_TRUE(contains("of workgroup (")) << last_text();
  shift<false><<<16, items>>>(data.data(), out.data());
  expect_clean();
  shift<true><<<16, items>>>(data.data(), out.data());
  expect_report("shift", "data race: lane ");
}

TEST_F(Race, GlobalAtomics) {
  count_items<<<8, items>>>(count.data(), out.data(), false);
  expect_clean();
  count_items<<<8, items>>>(count.data(), out.data(), true);
  expect_report("count_items", "4 bytes at global address 0x");
}

TEST_F(Race, FlagNeedsReleaseAndAcquire) {
  pass_flag<true, true><<<2, 32>>>(data.data(), count.data(), out.data());
  expect_clean();
  EXPECT_EQ(32, out.read()[31]);
  SetUp();
  pass_flag<false, true><<<2, 32>>>(data.data(), count.data(), out.data());
  expect_report("pass_flag", "reads 4 bytes at global address 0x");
  SetUp();
  pass_flag<true, false><<<2, 32>>>(data.data(), count.data(), out.data());
  expect_report("pass_flag", "reads 4 bytes at global address 0x");
}

TEST_F(Race, LastBlockNeedsBothFences) {
  last_block<true, true><<<20, items>>>(data.data(), count.data(), out.data());
  expect_clean();
  EXPECT_EQ(190, out.read()[0]);
  SetUp();
  last_block<true, false><<<20, items>>>(data.data(), count.data(), out.data());
  expect_report("last_block", "reads 4 bytes at global address 0x");
  SetUp();
  last_block<false, true><<<20, items>>>(data.data(), count.data(), out.data());
  // The barrier's own waits make stores visible to the device on targets whose caches write through.
  if (is_gfx9() || target() == "gfx1250")
    expect_report("last_block", "reads 4 bytes at global address 0x");
  else
    expect_clean();
}

TEST_F(Race, Lock) {
  locked_sum<true><<<8, 64>>>(data.data(), count.data());
  expect_clean();
  EXPECT_EQ(8, data.read()[0]);
  locked_sum<false><<<8, 64>>>(data.data(), count.data());
  expect_report("locked_sum", "data race: ");
}

TEST_F(Race, DivergedBarrier) {
  early_end<<<1, items>>>(out.data(), items);
  expect_clean();
  early_end<<<1, items>>>(out.data(), 0);
  expect_clean();
  early_end<<<1, items>>>(out.data(), items - 1);  // a part of a wave
  expect_clean();
  early_end<<<1, items>>>(out.data(), items / 2);
  expect_report("early_end", "diverged barrier: ");
}

TEST_F(Race, CopyToLdsNeedsItsWait) {
  if (target() != "gfx942" && target() != "gfx950") GTEST_SKIP() << "no such copy";
  copy_to_lds<true><<<1, items>>>(data.data(), out.data());
  expect_clean();
  copy_to_lds<false><<<1, items>>>(data.data(), out.data());
  expect_report("copy_to_lds", "reads 4 bytes at LDS address 0x");
}

}  // namespace
