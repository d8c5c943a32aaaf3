// What goes wrong: each with the error code of HIP and a sentence with the numbers.
#include <string>

#include "support.hpp"

using zellige::test::DeviceVector;
using zellige::test::last_text;

namespace {

__global__ void store_at(int* values, long index) { values[index + threadIdx.x] = 7; }
__global__ void load_at(const int* values, long index, int* out) { out[threadIdx.x] = values[index + threadIdx.x]; }
__global__ void touch(int* values) { values[threadIdx.x] += 1; }
__global__ void __launch_bounds__(128) small_blocks(int* values) { values[threadIdx.x] = 1; }
__global__ void big_lds(int* values) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = 1;
  __syncthreads();
  values[threadIdx.x] = buffer[threadIdx.x ^ 1];
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A fault leaves the launch's error once, and the runtime goes on.
void expect_fault(const std::string& kernel, const std::string& part) {
  EXPECT_EQ(hipErrorLaunchFailure, hipGetLastError());
  EXPECT_EQ(hipSuccess, hipGetLastError());
  EXPECT_EQ(hipSuccess, hipDeviceSynchronize());
  EXPECT_TRUE(contains(last_text(), kernel)) << last_text();
  EXPECT_TRUE(contains(last_text(), part)) << last_text();
  DeviceVector<int> data(64);
  EXPECT_EQ(hipSuccess, hipMemset(data.data(), 0, 256));
  touch<<<1, 64>>>(data.data());
  EXPECT_EQ(hipSuccess, hipGetLastError());
  EXPECT_EQ(std::vector<int>(64, 1), data.read());
}

}  // namespace

TEST(Errors, StorePastTheEnd) {
  DeviceVector<int> data(100);
  store_at<<<1, 64>>>(data.data(), 40);  // threads 60 to 63 are outside
  expect_fault("store_at", "lane " + std::to_string(60 % zellige::test::wave_lanes()) + " stores 4 bytes");
}

TEST(Errors, FaultNamesInstructionAllocationAndDistance) {
  DeviceVector<int> data(100);
  store_at<<<1, 1>>>(data.data(), 103);
  EXPECT_EQ(hipErrorLaunchFailure, hipDeviceSynchronize());
  EXPECT_EQ(hipErrorLaunchFailure, hipGetLastError());
  const std::string text = last_text();
  EXPECT_TRUE(contains(text, "12 bytes past the end of allocation")) << text;
  EXPECT_TRUE(contains(text, "of 400 bytes")) << text;
  EXPECT_TRUE(contains(text, "global_store")) << text;
  EXPECT_TRUE(contains(text, "workgroup (0, 0, 0)")) << text;
}

TEST(Errors, LoadBeforeTheBeginning) {
  DeviceVector<int> data(100), out(64);
  load_at<<<1, 1>>>(data.data(), -2, out.data());
  expect_fault("load_at", "lane 0 loads 4 bytes");
}

TEST(Errors, UseAfterFree) {
  int* data = nullptr;
  HIP_OK(hipMalloc(reinterpret_cast<void**>(&data), 4096));
  HIP_OK(hipFree(data));
  touch<<<1, 64>>>(data);
  expect_fault("touch", "which was freed");
}

TEST(Errors, HostPointerInAKernel) {
  std::vector<int> host(64);
  touch<<<1, 64>>>(host.data());
  expect_fault("touch", "live allocations");
}

TEST(Errors, FreeOfWhatIsNoAllocation) {
  int* data = nullptr;
  HIP_OK(hipMalloc(reinterpret_cast<void**>(&data), 4096));
  EXPECT_EQ(hipErrorInvalidValue, hipFree(data + 1));
  EXPECT_TRUE(contains(last_text(), "byte 4 of allocation")) << last_text();
  EXPECT_EQ(hipSuccess, hipFree(data));
  EXPECT_EQ(hipErrorInvalidValue, hipFree(data));
  EXPECT_TRUE(contains(last_text(), "which was freed")) << last_text();
  int on_stack = 0;
  EXPECT_EQ(hipErrorInvalidValue, hipFree(&on_stack));
  EXPECT_EQ(hipSuccess, hipFree(nullptr));
  (void)hipGetLastError();
}

TEST(Errors, BlocksThatCannotRun) {
  DeviceVector<int> data(2048);
  touch<<<1, 1025>>>(data.data());
  EXPECT_EQ(hipErrorInvalidConfiguration, hipGetLastError());
  EXPECT_TRUE(contains(last_text(), "a block of 1025 work-items is over 1024")) << last_text();
  small_blocks<<<1, 256>>>(data.data());
  EXPECT_EQ(hipErrorInvalidConfiguration, hipGetLastError());
  EXPECT_TRUE(contains(last_text(), "a block of 256 work-items is over 128, the kernel's launch bound")) << last_text();
  touch<<<0, 64>>>(data.data());
  EXPECT_EQ(hipErrorInvalidConfiguration, hipGetLastError());
  touch<<<1, 0>>>(data.data());
  EXPECT_EQ(hipErrorInvalidConfiguration, hipGetLastError());
}

TEST(Errors, TooMuchLds) {
  DeviceVector<int> data(64);
  int lds = 0;
  HIP_OK(hipDeviceGetAttribute(&lds, hipDeviceAttributeMaxSharedMemoryPerBlock, 0));
  big_lds<<<1, 64, lds>>>(data.data());
  HIP_OK(hipGetLastError());
  big_lds<<<1, 64, lds + 4>>>(data.data());
  EXPECT_EQ(hipErrorLaunchOutOfResources, hipGetLastError());
  EXPECT_TRUE(contains(last_text(), std::to_string(lds + 4))) << last_text();
}

TEST(Errors, DevicesAndSizes) {
  int count = 0;
  HIP_OK(hipGetDeviceCount(&count));
  EXPECT_EQ(hipErrorInvalidDevice, hipSetDevice(count));
  EXPECT_EQ(hipErrorInvalidDevice, hipSetDevice(-1));
  EXPECT_EQ(hipErrorInvalidValue, hipGetDeviceCount(nullptr));
  void* data = nullptr;
  EXPECT_EQ(hipErrorOutOfMemory, hipMalloc(&data, std::size_t{1} << 50));
  EXPECT_EQ(nullptr, data);
  EXPECT_EQ(hipErrorOutOfMemory, hipMalloc(&data, ~std::size_t{0}));
  EXPECT_EQ(hipErrorInvalidValue, hipMalloc(nullptr, 16));
  HIP_OK(hipMalloc(&data, 0));
  EXPECT_EQ(nullptr, data);
  (void)hipGetLastError();
}

TEST(Errors, CopiesAndFillsOutOfBounds) {
  DeviceVector<int> data(64);
  std::vector<int> host(128);
  EXPECT_EQ(hipErrorInvalidValue, hipMemcpy(data.data(), host.data(), 260, hipMemcpyHostToDevice));
  EXPECT_TRUE(contains(last_text(), "260 bytes")) << last_text();
  EXPECT_EQ(hipErrorInvalidValue, hipMemcpy(host.data(), data.data() + 60, 20, hipMemcpyDeviceToHost));
  EXPECT_EQ(hipErrorInvalidValue, hipMemset(data.data(), 0, 257));
  EXPECT_EQ(hipErrorInvalidMemcpyDirection, hipMemcpy(data.data(), host.data(), 4, static_cast<hipMemcpyKind>(77)));
  EXPECT_EQ(hipErrorInvalidValue, hipMemcpy(nullptr, host.data(), 4, hipMemcpyHostToDevice));
  EXPECT_EQ(hipErrorInvalidPitchValue, hipMemcpy2D(data.data(), 8, host.data(), 8, 16, 1, hipMemcpyHostToDevice));
  (void)hipGetLastError();
}

TEST(Errors, LastErrorIsReadOnce) {
  EXPECT_EQ(hipErrorInvalidDevice, hipSetDevice(99));
  EXPECT_EQ(hipErrorInvalidDevice, hipPeekAtLastError());
  EXPECT_EQ(hipErrorInvalidDevice, hipGetLastError());
  EXPECT_EQ(hipSuccess, hipGetLastError());
  EXPECT_STREQ("hipErrorInvalidDevice", hipGetErrorName(hipErrorInvalidDevice));
  EXPECT_STREQ("invalid device ordinal", hipGetErrorString(hipErrorInvalidDevice));
  EXPECT_STREQ("no error", hipGetErrorString(hipSuccess));
}

TEST(Errors, FunctionsThatAreNotSupportedSaySo) {
  hipArray_t array = nullptr;
  const hipChannelFormatDesc format = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  EXPECT_EQ(hipErrorNotSupported, hipMallocArray(&array, &format, 16, 16, 0));
  EXPECT_TRUE(contains(last_text(), "hipMallocArray")) << last_text();
  EXPECT_EQ(hipErrorNotSupported, hipGetLastError());
}
