// A program whose output order_test compares over orders and host threads: prints one hash of everything it computed.
//
// Integer atomics, LDS with barriers, waves that end early, and a flag that workgroups wait for: the result does not
// depend on the order. With the argument "racy" it runs a kernel whose result does.
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#define OK(call)                                              \
  if (const hipError_t error = (call); error != hipSuccess) { \
    std::printf("%s: %s\n", #call, hipGetErrorString(error)); \
    return 1;                                                 \
  }

__global__ void mix(const std::uint32_t* in, std::uint32_t* out, std::uint32_t* sum, int rounds) {
  __shared__ std::uint32_t buffer[256];
  std::uint32_t value = in[blockIdx.x * 256 + threadIdx.x];
  for (int round = 0; round < rounds; ++round) {
    buffer[threadIdx.x] = value;
    __syncthreads();
    value = value * 1664525u + buffer[(threadIdx.x * 7 + 3) % 256];
    __syncthreads();
  }
  atomicAdd(sum, value);
  if (threadIdx.x >= 128 && blockIdx.x % 2) return;  // whole waves end before the barrier
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = value ^ __shfl_xor(static_cast<int>(value), 5);
}

// The last workgroup to arrive folds what the others wrote; the first waits until it has.
__global__ void fold(const std::uint32_t* values, std::uint32_t* partial, unsigned* arrived, std::uint32_t* result) {
  if (threadIdx.x != 0) return;
  std::uint32_t sum = 0;
  for (int i = 0; i < 256; ++i) sum += values[blockIdx.x * 256 + i];
  partial[blockIdx.x] = sum;
  __threadfence();
  if (blockIdx.x == 0) {
    while (__hip_atomic_load(arrived, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != gridDim.x - 1) {
    }
    for (unsigned i = 0; i < gridDim.x; ++i) *result = *result * 31 + partial[i];
  } else {
    __hip_atomic_fetch_add(arrived, 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  }
}

__global__ void racy(std::uint32_t* last) {
  if (threadIdx.x == 0) *last = blockIdx.x;
}

int main(int count, char** arguments) {
  constexpr int groups = 37;
  std::uint32_t *in, *out, *small;
  OK(hipMalloc(&in, groups * 1024));
  OK(hipMalloc(&out, groups * 1024));
  OK(hipMalloc(&small, 1024));
  std::vector<std::uint32_t> host(groups * 256);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<std::uint32_t>(i * 2654435761u);
  OK(hipMemcpy(in, host.data(), groups * 1024, hipMemcpyHostToDevice));
  OK(hipMemset(out, 0, groups * 1024));
  OK(hipMemset(small, 0, 1024));
  if (count > 1 && std::strcmp(arguments[1], "racy") == 0) {
    racy<<<groups, 64>>>(small);
  } else {
    mix<<<groups, 256>>>(in, out, small, 9);
    fold<<<groups, 64>>>(out, small + 64, small + 1, small + 2);
  }
  OK(hipGetLastError());
  OK(hipDeviceSynchronize());
  std::vector<std::uint32_t> rest(256);
  OK(hipMemcpy(host.data(), out, groups * 1024, hipMemcpyDeviceToHost));
  OK(hipMemcpy(rest.data(), small, 1024, hipMemcpyDeviceToHost));
  host.insert(host.end(), rest.begin(), rest.end());
  std::uint64_t hash = 1469598103934665603u;
  for (const std::uint32_t value : host) hash = (hash ^ value) * 1099511628211u;
  std::printf("%016llx\n", static_cast<unsigned long long>(hash));
  return 0;
}
