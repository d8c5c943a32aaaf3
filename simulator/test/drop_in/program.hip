// An ordinary HIP program: nothing in it, nor in how it is built, knows of the simulator.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = a * x[i] + y[i];
}

static bool ok(hipError_t status, const char* what) {
  if (status != hipSuccess) std::printf("%s: %s\n", what, hipGetErrorString(status));
  return status == hipSuccess;
}

int main() {
  constexpr int n = 1000;
  std::vector<float> x(n), y(n, 1.0f);
  for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = static_cast<float>(i);
  float *device_x = nullptr, *device_y = nullptr;
  if (!ok(hipMalloc(&device_x, n * sizeof(float)), "hipMalloc") || !ok(hipMalloc(&device_y, n * sizeof(float)), "hipMalloc") ||
      !ok(hipMemcpy(device_x, x.data(), n * sizeof(float), hipMemcpyHostToDevice), "hipMemcpy") ||
      !ok(hipMemcpy(device_y, y.data(), n * sizeof(float), hipMemcpyHostToDevice), "hipMemcpy"))
    return 1;
  saxpy<<<(n + 255) / 256, 256>>>(2.0f, device_x, device_y, n);
  if (!ok(hipGetLastError(), "launch") ||
      !ok(hipMemcpy(y.data(), device_y, n * sizeof(float), hipMemcpyDeviceToHost), "hipMemcpy"))
    return 1;
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += y[static_cast<std::size_t>(i)] != 2.0f * static_cast<float>(i) + 1.0f;
  hipDeviceProp_t device{};
  if (!ok(hipGetDeviceProperties(&device, 0), "hipGetDeviceProperties") || !ok(hipFree(device_x), "hipFree") ||
      !ok(hipFree(device_y), "hipFree"))
    return 1;
  std::printf("%s: %d wrong\n", device.name, wrong);
  return wrong != 0;
}
