// A kernel of one's own from the installed headers, without the instance library: a GEMM of 64x64 tiles in bf16.
#include <cstdio>
#include <vector>

#include "zellige/core/convert.hpp"
#include "zellige/host/gemm.hpp"

using namespace zellige;

constexpr GemmConfig config{.input = DataType::bf16,
                            .output = DataType::f32,
                            .tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16}}};

int main() {
  constexpr int m = 96, n = 80, k = 64;
  const Planned planned = plan_gemm(gemm_kernel<Arch::gfx942, config>(),
                                    {.m = m, .n = n, .k = k, .input = DataType::bf16, .output = DataType::f32});
  if (!planned.verdict.ok) return std::printf("refused: %s\n", planned.verdict.why.data()), 3;

  // Row i of A holds i % 3, column j of B holds j % 5: each element of C is their product, k times.
  std::vector<bf16> a(m * k), b(n * k);
  std::vector<float> c(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = from_float<bf16>(static_cast<float>(i / k % 3));
  for (int i = 0; i < n * k; ++i) b[i] = from_float<bf16>(static_cast<float>(i / k % 5));
  void *device_a, *device_b, *device_c;
  require_success(hipMalloc(&device_a, a.size() * sizeof(bf16)), "hipMalloc");
  require_success(hipMalloc(&device_b, b.size() * sizeof(bf16)), "hipMalloc");
  require_success(hipMalloc(&device_c, c.size() * sizeof(float)), "hipMalloc");
  require_success(hipMemcpy(device_a, a.data(), a.size() * sizeof(bf16), hipMemcpyHostToDevice), "hipMemcpy");
  require_success(hipMemcpy(device_b, b.data(), b.size() * sizeof(bf16), hipMemcpyHostToDevice), "hipMemcpy");
  if (const Verdict v = planned.plan.run(nullptr, {device_a, device_b, device_c}); !v.ok) {
    return std::printf("refused: %s\n", v.why.data()), 3;
  }
  require_success(hipMemcpy(c.data(), device_c, c.size() * sizeof(float), hipMemcpyDeviceToHost), "hipMemcpy");

  int wrong = 0;
  for (int i = 0; i < m * n; ++i) wrong += c[i] != static_cast<float>((i / n % 3) * (i % n % 5) * k);
  std::printf("%s: %d of %d elements wrong\n", planned.plan.instance.c_str(), wrong, m * n);
  return wrong == 0 ? 0 : 1;
}
