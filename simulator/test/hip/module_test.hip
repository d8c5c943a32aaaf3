// Modules loaded from files and from memory, every launch call, attributes and occupancy of their functions.
//
// MODULE_OBJECT, MODULE_BUNDLE and MODULE_COMPRESSED name code objects of module_kernels.hip for the device's target.
#include <hip/hip_ext.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "support.hpp"

using zellige::test::DeviceVector;
using zellige::test::last_text;

namespace {

std::vector<char> read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

__global__ void local_kernel(int* values, int amount) { values[blockIdx.x * blockDim.x + threadIdx.x] += amount; }

}  // namespace

class Modules : public testing::TestWithParam<const char*> {};

TEST_P(Modules, LoadLaunchAndUnload) {
  hipModule_t module;
  HIP_OK(hipModuleLoad(&module, GetParam()));
  hipFunction_t scale;
  HIP_OK(hipModuleGetFunction(&scale, module, "scale"));
  EXPECT_EQ(hipErrorNotFound, hipModuleGetFunction(&scale, module, "no_such_kernel"));
  HIP_OK(hipModuleGetFunction(&scale, module, "scale"));
  unsigned functions = 0;
  HIP_OK(hipModuleGetFunctionCount(&functions, module));
  EXPECT_EQ(3u, functions);
  EXPECT_STREQ("scale", hipKernelNameRef(scale));

  DeviceVector<float> data(std::vector<float>(200, 1.0f));
  float* pointer = data.data();
  float factor = 3;
  int count = 150;
  void* parameters[] = {&pointer, &factor, &count};
  HIP_OK(hipModuleLaunchKernel(scale, 4, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  struct {
    float* values;
    float factor;
    int count;
  } packed{pointer, 2, 200};
  std::size_t bytes = sizeof packed;
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   HIP_LAUNCH_PARAM_END};
  HIP_OK(hipModuleLaunchKernel(scale, 4, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  const std::vector<float> result = data.read();
  EXPECT_EQ(6, result[149]);
  EXPECT_EQ(2, result[150]);
  EXPECT_EQ(hipErrorInvalidValue, hipModuleLaunchKernel(scale, 4, 1, 1, 64, 1, 1, 0, nullptr, parameters, extra));

  void* table = nullptr;
  std::size_t size = 0;
  HIP_OK(hipModuleGetGlobal(&table, &size, module, "module_table"));
  EXPECT_EQ(32u, size);
  int values[8];
  HIP_OK(hipMemcpy(values, table, sizeof values, hipMemcpyDeviceToHost));
  EXPECT_EQ(8, values[3]);
  EXPECT_EQ(hipErrorNotFound, hipModuleGetGlobal(&table, &size, module, "no_such_variable"));
  HIP_OK(hipModuleUnload(module));
  EXPECT_EQ(hipErrorInvalidHandle, hipModuleUnload(module));
  (void)hipGetLastError();
}

INSTANTIATE_TEST_SUITE_P(Forms, Modules, testing::Values(MODULE_OBJECT, MODULE_BUNDLE, MODULE_COMPRESSED));

TEST(ModuleLaunches, GridsOfWorkItemsThatBlocksDoNotDivide) {
  const std::vector<char> image = read_file(MODULE_OBJECT);
  hipModule_t module;
  HIP_OK(hipModuleLoadData(&module, image.data()));
  hipFunction_t count_items;
  HIP_OK(hipModuleGetFunction(&count_items, module, "count_items"));
  DeviceVector<int> out(1);
  HIP_OK(hipMemset(out.data(), 0, 4));
  int* pointer = out.data();
  void* parameters[] = {&pointer};
  hipEvent_t start, stop;
  HIP_OK(hipEventCreate(&start));
  HIP_OK(hipEventCreate(&stop));
  // 1000 work-items in blocks of 96: ten whole blocks and one of 40.
  HIP_OK(hipExtModuleLaunchKernel(count_items, 1000, 1, 1, 96, 1, 1, 0, nullptr, parameters, nullptr, start, stop, 0));
  float milliseconds = 0;
  HIP_OK(hipEventElapsedTime(&milliseconds, start, stop));
  EXPECT_GT(milliseconds, 0);
  EXPECT_EQ(10096, out.read()[0]) << "blockDim is that of whole blocks: clang compiles for uniform ones";
  void* counter = nullptr;
  HIP_OK(hipModuleGetGlobal(&counter, nullptr, module, "module_counter"));
  int count = 0;
  HIP_OK(hipMemcpy(&count, counter, sizeof count, hipMemcpyDeviceToHost));
  EXPECT_EQ(1000, count);
  HIP_OK(hipEventDestroy(start));
  HIP_OK(hipEventDestroy(stop));
  HIP_OK(hipModuleUnload(module));
}

TEST(ModuleErrors, FilesAndImages) {
  hipModule_t module;
  EXPECT_EQ(hipErrorFileNotFound, hipModuleLoad(&module, "/no/such/file.hsaco"));
  EXPECT_EQ(hipErrorInvalidImage,
            hipModuleLoadData(&module, "this is no code object, whatever its extension says ......."));
  std::vector<char> image = read_file(MODULE_OBJECT);
  const std::string truncated = testing::TempDir() + "truncated.hsaco";
  std::ofstream(truncated, std::ios::binary).write(image.data(), static_cast<std::streamsize>(image.size() / 2));
  EXPECT_EQ(hipErrorInvalidImage, hipModuleLoad(&module, truncated.c_str()));
  EXPECT_NE(std::string::npos, std::string(last_text()).find("but there are")) << last_text();
  EXPECT_EQ(hipErrorNoBinaryForGpu, hipModuleLoad(&module, MODULE_OTHER_TARGET));
  EXPECT_NE(std::string::npos, std::string(last_text()).find("gfx1030")) << last_text();
  (void)hipGetLastError();
}

TEST(Launches, EveryCallRunsTheKernel) {
  DeviceVector<int> data(128);
  HIP_OK(hipMemset(data.data(), 0, 512));
  int* pointer = data.data();
  int amount = 1;
  void* arguments[] = {&pointer, &amount};
  const void* kernel = reinterpret_cast<const void*>(local_kernel);
  HIP_OK(hipLaunchKernel(kernel, dim3(2), dim3(64), arguments, 0, nullptr));
  HIP_OK(hipExtLaunchKernel(kernel, dim3(2), dim3(64), arguments, 0, nullptr, nullptr, nullptr, 0));
  HIP_OK(hipLaunchCooperativeKernel(kernel, dim3(2), dim3(64), arguments, 0, nullptr));
  hipLaunchConfig_t config{};
  config.gridDim = dim3(2), config.blockDim = dim3(64);
  hipLaunchAttribute attribute{};
  attribute.id = hipLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.attrs = &attribute, config.numAttrs = 1;
  HIP_OK(hipLaunchKernelExC(&config, kernel, arguments));
  hipFunction_t function;
  HIP_OK(hipGetFuncBySymbol(&function, kernel));
  HIP_LAUNCH_CONFIG driver{};
  driver.gridDimX = 2, driver.gridDimY = driver.gridDimZ = 1, driver.blockDimX = 64,
  driver.blockDimY = driver.blockDimZ = 1;
  HIP_OK(hipDrvLaunchKernelEx(&driver, function, arguments, nullptr));
  HIP_OK(hipModuleLaunchCooperativeKernel(function, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments));
  EXPECT_EQ(std::vector<int>(128, 6), data.read());
  EXPECT_EQ(hipErrorInvalidDeviceFunction, hipLaunchKernel(&amount, dim3(1), dim3(64), arguments, 0, nullptr));
  EXPECT_EQ(hipErrorCooperativeLaunchTooLarge,
            hipLaunchCooperativeKernel(kernel, dim3(1000000), dim3(64), arguments, 0, nullptr));
  (void)hipGetLastError();
}

TEST(Functions, AttributesAndOccupancy) {
  const void* kernel = reinterpret_cast<const void*>(local_kernel);
  hipFuncAttributes attributes;
  HIP_OK(hipFuncGetAttributes(&attributes, kernel));
  EXPECT_EQ(1024, attributes.maxThreadsPerBlock);
  EXPECT_EQ(0u, attributes.sharedSizeBytes);
  EXPECT_GT(attributes.numRegs, 0);
  int blocks = 0, lds = 0, cus = 0, grid = 0, block = 0;
  HIP_OK(hipDeviceGetAttribute(&lds, hipDeviceAttributeMaxSharedMemoryPerBlock, 0));
  HIP_OK(hipDeviceGetAttribute(&cus, hipDeviceAttributeMultiprocessorCount, 0));
  HIP_OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
  hipDeviceProp_t device;
  HIP_OK(hipGetDeviceProperties(&device, 0));
  EXPECT_EQ(device.maxThreadsPerMultiProcessor / 256, blocks);
  HIP_OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, static_cast<std::size_t>(lds) / 2));
  EXPECT_EQ(2, blocks);
  HIP_OK(hipOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
  EXPECT_EQ(1024, block);
  EXPECT_EQ(device.maxThreadsPerMultiProcessor / 1024 * cus, grid);
  EXPECT_EQ(hipErrorInvalidValue, hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 2000, 0));
  HIP_OK(hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, lds));
  EXPECT_EQ(hipErrorInvalidValue, hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, lds + 1));
  (void)hipGetLastError();
}

TEST(Devices, PropertiesOfTheTarget) {
  hipDeviceProp_t properties;
  HIP_OK(hipGetDeviceProperties(&properties, 0));
  EXPECT_EQ(64, properties.warpSize);
  EXPECT_EQ(1024, properties.maxThreadsPerBlock);
  EXPECT_EQ(9, properties.major);
  EXPECT_NE(std::string::npos, std::string(properties.gcnArchName).find(MODULE_TARGET)) << properties.gcnArchName;
  EXPECT_NE(std::string::npos, std::string(properties.name).find(MODULE_TARGET)) << properties.name;
  int chosen = -1;
  HIP_OK(hipChooseDevice(&chosen, &properties));
  EXPECT_EQ(0, chosen);
  int value = 0;
  EXPECT_EQ(hipErrorInvalidValue, hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(12345), 0));
  char name[8];
  HIP_OK(hipDeviceGetName(name, sizeof name, 0));
  EXPECT_EQ(7u, std::string(name).size());
  (void)hipGetLastError();
}
