// Memory calls: allocation kinds, copies and fills of every shape, and what is known of pointers.
#include <cstring>
#include <numeric>

#include "support.hpp"

using zellige::test::DeviceVector;

namespace {

__global__ void double_all(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= 2;
}

std::vector<int> counting(int count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

}  // namespace

TEST(Memory, PinnedMemoryIsSharedWithKernels) {
  int* host = nullptr;
  HIP_OK(hipHostMalloc(reinterpret_cast<void**>(&host), 400, hipHostMallocMapped));
  for (int i = 0; i < 100; ++i) host[i] = i;
  int* device = nullptr;
  HIP_OK(hipHostGetDevicePointer(reinterpret_cast<void**>(&device), host, 0));
  double_all<<<1, 128>>>(device, 100);
  HIP_OK(hipDeviceSynchronize());
  for (int i = 0; i < 100; ++i) ASSERT_EQ(2 * i, host[i]);
  hipPointerAttribute_t attributes;
  HIP_OK(hipPointerGetAttributes(&attributes, host + 3));
  EXPECT_EQ(hipMemoryTypeHost, attributes.type);
  EXPECT_EQ(host + 3, attributes.hostPointer);
  unsigned flags = 0;
  HIP_OK(hipHostGetFlags(&flags, host));
  EXPECT_EQ(unsigned{hipHostMallocMapped}, flags);
  EXPECT_EQ(hipErrorInvalidValue, hipFree(host));
  HIP_OK(hipHostFree(host));
  EXPECT_EQ(hipErrorInvalidValue, hipHostFree(host));
  (void)hipGetLastError();
}

TEST(Memory, RegisteredAndManagedMemory) {
  std::vector<int> host = counting(100);
  HIP_OK(hipHostRegister(host.data(), 400, hipHostRegisterDefault));
  EXPECT_EQ(hipErrorHostMemoryAlreadyRegistered, hipHostRegister(host.data() + 10, 40, hipHostRegisterDefault));
  double_all<<<1, 128>>>(host.data(), 100);
  HIP_OK(hipDeviceSynchronize());
  EXPECT_EQ(200, host[99]);
  HIP_OK(hipHostUnregister(host.data()));
  EXPECT_EQ(hipErrorHostMemoryNotRegistered, hipHostUnregister(host.data()));
  (void)hipGetLastError();
  double_all<<<1, 128>>>(host.data(), 100);
  EXPECT_EQ(hipErrorLaunchFailure, hipGetLastError());

  int* managed = nullptr;
  HIP_OK(hipMallocManaged(reinterpret_cast<void**>(&managed), 400));
  for (int i = 0; i < 100; ++i) managed[i] = i;
  double_all<<<1, 128>>>(managed, 100);
  HIP_OK(hipDeviceSynchronize());
  EXPECT_EQ(198, managed[99]);
  hipPointerAttribute_t attributes;
  HIP_OK(hipPointerGetAttributes(&attributes, managed));
  EXPECT_EQ(hipMemoryTypeManaged, attributes.type);
  EXPECT_EQ(1, attributes.isManaged);
  HIP_OK(hipFree(managed));
}

TEST(Memory, CopiesOfRowsAndVolumes) {
  constexpr std::size_t width = 40, height = 6;
  std::vector<unsigned char> host(width * height), back(width * height);
  std::iota(host.begin(), host.end(), 0);
  unsigned char* device = nullptr;
  std::size_t pitch = 0;
  HIP_OK(hipMallocPitch(reinterpret_cast<void**>(&device), &pitch, width, height));
  EXPECT_GE(pitch, width);
  HIP_OK(hipMemset2D(device, pitch, 0xaa, width, height));
  HIP_OK(hipMemcpy2D(device, pitch, host.data(), width, width, height, hipMemcpyHostToDevice));
  HIP_OK(hipMemcpy2DAsync(back.data(), width, device, pitch, width, height, hipMemcpyDeviceToHost, nullptr));
  EXPECT_EQ(host, back);

  // The middle 10 x 2 x 2 bytes of a 40 x 3 x 2 volume.
  hipMemcpy3DParms parameters{};
  parameters.srcPtr = make_hipPitchedPtr(host.data(), width, width, 3);
  parameters.srcPos = make_hipPos(5, 1, 0);
  std::vector<unsigned char> piece(40);
  parameters.dstPtr = make_hipPitchedPtr(piece.data(), 10, 10, 2);
  parameters.extent = make_hipExtent(10, 2, 2);
  parameters.kind = hipMemcpyHostToHost;
  HIP_OK(hipMemcpy3D(&parameters));
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 10; ++x) ASSERT_EQ(host[(z * 3 + y + 1) * width + 5 + x], piece[(z * 2 + y) * 10 + x]);
  HIP_OK(hipFree(device));
}

TEST(Memory, FillsOfEveryElement) {
  DeviceVector<std::uint32_t> data(64);
  HIP_OK(hipMemset(data.data(), 0x11, 256));
  EXPECT_EQ(std::vector<std::uint32_t>(64, 0x11111111u), data.read());
  HIP_OK(hipMemsetD16(data.data(), 0x1234, 128));
  EXPECT_EQ(std::vector<std::uint32_t>(64, 0x12341234u), data.read());
  HIP_OK(hipMemsetD32Async(data.data() + 1, -2, 2, nullptr));
  const std::vector<std::uint32_t> values = data.read();
  EXPECT_EQ(0x12341234u, values[0]);
  EXPECT_EQ(0xfffffffeu, values[2]);
  EXPECT_EQ(0x12341234u, values[3]);
}

TEST(Memory, CopiesBetweenAllocations) {
  const std::vector<int> values = counting(1000);
  DeviceVector<int> a(values), b(1000);
  HIP_OK(hipMemcpyDtoD(b.data(), a.data(), 4000));
  EXPECT_EQ(values, b.read());
  std::vector<int> back(1000);
  HIP_OK(hipMemcpyDtoH(back.data(), b.data(), 4000));
  EXPECT_EQ(values, back);
  HIP_OK(hipMemcpy(back.data(), values.data() + 1, 3996, hipMemcpyDefault));
  EXPECT_EQ(values[1], back[0]);
}

TEST(Memory, WhatIsKnownOfPointers) {
  std::size_t free_before = 0, free_after = 0, total = 0, bytes = 0;
  HIP_OK(hipMemGetInfo(&free_before, &total));
  void* data = nullptr;
  HIP_OK(hipMalloc(&data, 12345));
  HIP_OK(hipMemGetInfo(&free_after, &total));
  EXPECT_EQ(12345u, free_before - free_after);
  EXPECT_EQ(0u, reinterpret_cast<std::uintptr_t>(data) % 256);
  HIP_OK(hipMemPtrGetInfo(data, &bytes));
  EXPECT_EQ(12345u, bytes);
  void* base = nullptr;
  HIP_OK(hipMemGetAddressRange(&base, &bytes, static_cast<char*>(data) + 777));
  EXPECT_EQ(data, base);
  hipPointerAttribute_t attributes;
  HIP_OK(hipPointerGetAttributes(&attributes, data));
  EXPECT_EQ(hipMemoryTypeDevice, attributes.type);
  EXPECT_EQ(0, attributes.device);
  int on_stack = 0;
  HIP_OK(hipPointerGetAttributes(&attributes, &on_stack));
  EXPECT_EQ(hipMemoryTypeUnregistered, attributes.type);
  HIP_OK(hipFree(data));
}

TEST(Memory, LargeAllocationsCostNothingUntilTouched) {
  void* data = nullptr;
  std::size_t free = 0, total = 0;
  HIP_OK(hipMemGetInfo(&free, &total));
  const std::size_t bytes = free / 2;
  ASSERT_GT(bytes, std::size_t{4} << 30);
  HIP_OK(hipMalloc(&data, bytes));
  HIP_OK(hipMemset(static_cast<char*>(data) + bytes - 16, 1, 16));
  HIP_OK(hipFree(data));
}

TEST(Memory, StreamOrderedAllocation) {
  hipStream_t stream;
  HIP_OK(hipStreamCreate(&stream));
  int* data = nullptr;
  HIP_OK(hipMallocAsync(reinterpret_cast<void**>(&data), 400, stream));
  HIP_OK(hipMemsetAsync(data, 0, 400, stream));
  HIP_OK(hipFreeAsync(data, stream));
  HIP_OK(hipStreamDestroy(stream));
}
