// Example 02: a GEMM with a config of your own, without the instance library.
//
// Change one field to something the target cannot do (block.m = 48, say) and the compiler answers with one sentence.
#include <cstdio>
#include <vector>

#include "zellige/host/gemm.hpp"

using namespace zellige;

constexpr GemmConfig config{
    .tiling = {
        .block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_c = 8, .store = Store::lds_shuffle}};

int main() {
  const GemmProblem problem{.m = 200, .n = 136, .k = 96};
  const Planned planned = plan_gemm(gemm_kernel<Arch::gfx942, config>(), problem);
  if (!planned.verdict.ok) return std::printf("refused: %s\n", planned.verdict.why.data()), 3;

  // A is row-major, B column-major: both are contiguous along k. Every element is a small integer, so the result is
  // exact.
  std::vector<f16> a(200 * 96), b(136 * 96), c(200 * 136);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = from_float<f16>(static_cast<float>(i % 5) - 2);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = from_float<f16>(static_cast<float>(i % 3) - 1);
  void *device_a, *device_b, *device_c;
  require_success(hipMalloc(&device_a, a.size() * 2), "hipMalloc");
  require_success(hipMalloc(&device_b, b.size() * 2), "hipMalloc");
  require_success(hipMalloc(&device_c, c.size() * 2), "hipMalloc");
  require_success(hipMemcpy(device_a, a.data(), a.size() * 2, hipMemcpyHostToDevice), "hipMemcpy");
  require_success(hipMemcpy(device_b, b.data(), b.size() * 2, hipMemcpyHostToDevice), "hipMemcpy");

  if (Verdict v = planned.plan.run(nullptr, {device_a, device_b, device_c}); !v.ok)
    return std::printf("refused: %s\n", v.why.data()), 3;
  require_success(hipMemcpy(c.data(), device_c, c.size() * 2, hipMemcpyDeviceToHost), "hipMemcpy");

  int wrong = 0;
  for (int m = 0; m < 200; ++m) {
    for (int n = 0; n < 136; ++n) {
      float expected = 0;
      for (int k = 0; k < 96; ++k) expected += to_float(a[m * 96 + k]) * to_float(b[n * 96 + k]);
      wrong += to_float(c[m * 136 + n]) != expected;
    }
  }
  std::printf("%s: %d of %d elements wrong\n", planned.plan.instance.c_str(), wrong, 200 * 136);
  return wrong == 0 ? 0 : 1;
}
