// Example 01: one matrix instruction.
//
// A wave multiplies a 32x8 tile of f16 by an 8x32 tile into 32x32 floats with one v_mfma_f32_32x32x8_f16. The lane maps
// say which element each lane holds in each of its slots; the kernel contains no lane arithmetic of its own.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

#include "zellige/atom/mma.hpp"
#include "zellige/host/error.hpp"

using namespace zellige;

constexpr Arch target = Arch::gfx942;
constexpr Mma atom = find_mma(target, DataType::f16, {32, 32, 8});
static_assert(atom.op != MmaOp::none);

/// a is 32x8 row-major, b is 32x8 (column n of B in row n), c is 32x32 row-major.
__global__ void multiply([[maybe_unused]] const f16* a, [[maybe_unused]] const f16* b, [[maybe_unused]] float* c) {
#if defined(__gfx942__)
  constexpr Mma mma = atom;
  const unsigned lane = threadIdx.x;
  vec<std::uint32_t, words_a(mma)> fragment_a{}, fragment_b{};
  for (unsigned slot = 0; slot < mma.a.slots(); ++slot) {
    const Coordinate at_a = mma.a.at(lane, slot), at_b = mma.b.at(lane, slot);
    fragment_a[slot / 2] |= std::uint32_t{a[at_a.row * 8 + at_a.column].bits} << slot % 2 * 16;
    fragment_b[slot / 2] |= std::uint32_t{b[at_b.row * 8 + at_b.column].bits} << slot % 2 * 16;
  }
  vec<float, mma.c.slots()> sum{};
  sum = fma<mma.op>(fragment_a, fragment_b, sum);
  for (unsigned slot = 0; slot < mma.c.slots(); ++slot) {
    const Coordinate at = mma.c.at(lane, slot);
    c[at.row * 32 + at.column] = sum[slot];
  }
#endif
}

int main() {
  std::vector<f16> a(32 * 8), b(32 * 8);
  for (int i = 0; i < 32 * 8; ++i) {
    a[i] = from_float<f16>(static_cast<float>(i % 7 - 3));
    b[i] = from_float<f16>(static_cast<float>(i % 5 - 2));
  }
  f16 *device_a, *device_b;
  float* device_c;
  require_success(hipMalloc(&device_a, a.size() * sizeof(f16)), "hipMalloc");
  require_success(hipMalloc(&device_b, b.size() * sizeof(f16)), "hipMalloc");
  require_success(hipMalloc(&device_c, 32 * 32 * sizeof(float)), "hipMalloc");
  require_success(hipMemcpy(device_a, a.data(), a.size() * sizeof(f16), hipMemcpyHostToDevice), "hipMemcpy");
  require_success(hipMemcpy(device_b, b.data(), b.size() * sizeof(f16), hipMemcpyHostToDevice), "hipMemcpy");

  multiply<<<1, 64>>>(device_a, device_b, device_c);

  std::vector<float> c(32 * 32);
  require_success(hipMemcpy(c.data(), device_c, c.size() * sizeof(float), hipMemcpyDeviceToHost), "hipMemcpy");
  int wrong = 0;
  for (int m = 0; m < 32; ++m) {
    for (int n = 0; n < 32; ++n) {
      float expected = 0;
      for (int k = 0; k < 8; ++k) expected += to_float(a[m * 8 + k]) * to_float(b[n * 8 + k]);
      wrong += c[m * 32 + n] != expected;
    }
  }
  std::printf("32x32x8 f16 atom: %d of %d elements wrong\n", wrong, 32 * 32);
  return wrong == 0 ? 0 : 1;
}
