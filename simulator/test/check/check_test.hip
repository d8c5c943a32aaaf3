// Planted faults in HIP kernels and their clean twins, run with ZELLIGE_SIM_CHECK=uninit,wait: what the compiler made
// of a kernel, from the launch to the sentence with kernel, instruction, lane, address and source line.
#include <cstdlib>
#include <string>

#include "../hip/support.hpp"

using zellige::test::DeviceVector;
using zellige::test::last_text;

namespace {

constexpr int lanes = 64;

__global__ void copy(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1;
}
constexpr int line_of_copy = __LINE__ - 2;

/// The first `written` work-items of a block put a number into LDS, and all read one.
__global__ void through_lds(int* out, int written) {
  __shared__ int cell[2 * lanes];
  const int i = static_cast<int>(threadIdx.x);
  if (i < written) cell[i] = i;
  __syncthreads();
  out[i] = cell[2 * lanes - 1 - i];
}

__global__ void fill(int* out, int count) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < count) out[i] = i;
}

/// Stores what no instruction wrote, or 5.
template <bool planted>
__global__ void store_open_register(int* out) {
  int value;
  if constexpr (planted)
    asm volatile("; %0 is left as it is" : "=v"(value));
  else
    asm volatile("v_mov_b32 %0, 5" : "=v"(value));
  out[threadIdx.x] = value;
}

/// The compiler does not know that the text is a load, so that only the text's own wait is there.
template <bool planted>
__global__ void load_without_wait(const int* in, int* out) {
  const int* at = in + threadIdx.x;
  int value;
  if constexpr (planted)
    asm volatile("global_load_dword %0, %1, off" : "=v"(value) : "v"(at));
  else
    asm volatile("global_load_dword %0, %1, off\n s_waitcnt vmcnt(0)" : "=v"(value) : "v"(at));
  out[threadIdx.x] = value + 1;
}

/// A stack array of which only the elements below `written` are set.
__global__ void through_stack(int* out, int written, int which) {
  volatile int cells[32];
  for (int k = 0; k < written; ++k) cells[k] = 3 * k;
  out[threadIdx.x] = cells[which + static_cast<int>(threadIdx.x % 2)];
}

/// The launch that was just made has failed, with a sentence that has all `parts`.
void expect_fault(std::initializer_list<std::string> parts) {
  EXPECT_EQ(hipErrorLaunchFailure, hipGetLastError());
  const std::string text = last_text();
  for (const std::string& part : parts) EXPECT_NE(std::string::npos, text.find(part)) << part << " is not in: " << text;
}
void expect_clean() { EXPECT_EQ(hipSuccess, hipGetLastError()) << last_text(); }

class Checks : public testing::Test {
 protected:
  void SetUp() override {
    const char* checks = std::getenv("ZELLIGE_SIM_CHECK");
    ASSERT_TRUE(checks && std::string(checks) == "uninit,wait") << "these tests want ZELLIGE_SIM_CHECK=uninit,wait";
  }
};

TEST_F(Checks, MemoryThatNothingWrote) {
  DeviceVector<int> in(2 * lanes), out(2 * lanes);
  HIP_OK(hipMemset(in.data(), 0, 4 * (lanes + 3)));
  copy<<<2, lanes>>>(in.data(), out.data());
  char address[32];
  std::snprintf(address, sizeof address, "0x%llx", reinterpret_cast<unsigned long long>(in.data() + lanes + 3));
  expect_fault({"uninitialised memory", "copy(int const*, int*)", "lane 3 reads 4 bytes", address, "global_load_dword",
                "check_test.hip:" + std::to_string(line_of_copy), "workgroup (1, 0, 0)", "is byte 268 of allocation"});
  HIP_OK(hipMemset(in.data(), 0, 4 * 2 * lanes));
  copy<<<2, lanes>>>(in.data(), out.data());
  expect_clean();
}

TEST_F(Checks, KernelsAndCopiesDefineMemory) {
  DeviceVector<int> first(lanes), second(lanes), out(lanes);
  fill<<<1, lanes>>>(first.data(), 40);
  HIP_OK(hipMemcpy(second.data(), first.data(), 4 * lanes, hipMemcpyDeviceToDevice));
  copy<<<1, 40>>>(second.data(), out.data());
  expect_clean();
  copy<<<1, lanes>>>(second.data(), out.data());
  expect_fault({"uninitialised memory", "lane 40 reads"});
  fill<<<1, lanes>>>(second.data(), lanes);
  copy<<<1, lanes>>>(second.data(), out.data());
  expect_clean();
}

TEST_F(Checks, MemoryIsOpenAgainAfterItWasFreed) {
  int* in = nullptr;
  DeviceVector<int> out(lanes);
  void* host = nullptr;
  HIP_OK(hipHostMalloc(&host, 4 * lanes));
  copy<<<1, lanes>>>(static_cast<int*>(host), out.data());
  expect_clean();
  HIP_OK(hipHostFree(host));
  HIP_OK(hipMalloc(reinterpret_cast<void**>(&in), 4 * lanes));
  HIP_OK(hipMemset(in, 0, 4 * lanes));
  HIP_OK(hipFree(in));
  copy<<<1, lanes>>>(in, out.data());
  expect_fault({"which was freed"});
}

TEST_F(Checks, LdsThatNothingWrote) {
  DeviceVector<int> out(2 * lanes);
  through_lds<<<1, 2 * lanes>>>(out.data(), 2 * lanes);
  expect_clean();
  through_lds<<<1, 2 * lanes>>>(out.data(), 120);
  expect_fault({"uninitialised LDS", "through_lds", "lane 0 reads 4 bytes at LDS address 0x1fc", "wave 0", "ds_read"});
}

TEST_F(Checks, RegisterThatNothingWrote) {
  DeviceVector<int> out(lanes);
  store_open_register<false><<<1, lanes>>>(out.data());
  expect_clean();
  store_open_register<true><<<1, lanes>>>(out.data());
  expect_fault({"uninitialised register", "lane 0 uses v", "as data to store", "global_store_dword"});
}

TEST_F(Checks, StackThatNothingWrote) {
  DeviceVector<int> out(lanes);
  through_stack<<<1, lanes>>>(out.data(), 12, 10);
  expect_clean();
  through_stack<<<1, lanes>>>(out.data(), 11, 10);
  expect_fault({"uninitialised register", "lane 1 uses v", "as data to store"});
}

TEST_F(Checks, ResultUsedBeforeItsWait) {
  DeviceVector<int> in(lanes), out(lanes);
  HIP_OK(hipMemset(in.data(), 0, 4 * lanes));
  load_without_wait<false><<<1, lanes>>>(in.data(), out.data());
  expect_clean();
  load_without_wait<true><<<1, lanes>>>(in.data(), out.data());
  expect_fault({"missing wait", "load_without_wait<true>", "lane 0 reads v", "`global_load_dword", "vmcnt(0) is needed",
                "check_test.hip:"});
}

}  // namespace
