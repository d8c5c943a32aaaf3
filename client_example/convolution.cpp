// A forward convolution through the installed library: the best instance for the problem, and what the others say.
#include <cstdio>
#include <vector>

#include "zellige/core/convert.hpp"
#include "zellige/host/device.hpp"
#include "zellige/select.hpp"

int main() {
  using namespace zellige;
  // 1 image of 14x14 with 64 channels, 96 filters of 3x3, padding 1 all around.
  ConvProblem problem{.n = 1, .c = 64, .k = 96};
  for (int i = 0; i < 2; ++i) problem.axis[i] = {.size = 14, .filter = 3, .pad_before = 1, .pad_after = 1};

  // The current device's target decides which library is opened.
  const Ranking ranking = rank(problem, current_device().arch);
  std::printf("%zu of %zu instances apply\n", ranking.applicable, ranking.candidates.size());
  if (ranking.applicable < ranking.candidates.size()) {
    const Candidate& refused = ranking.candidates.back();
    std::printf("for one, %s: %s\n", refused.operation->name.c_str(), refused.verdict.why.data());
  }
  if (!ranking.verdict.ok) return std::printf("refused: %s\n", ranking.verdict.why.data()), 3;
  const Planned planned = ranking.candidates.front().operation->plan(problem);
  if (!planned.verdict.ok) return std::printf("refused: %s\n", planned.verdict.why.data()), 3;

  // Ones everywhere: an output counts the taps that fall inside the image, times 64 channels.
  const std::vector<f16> x(14 * 14 * 64, from_float<f16>(1)), w(96 * 3 * 3 * 64, from_float<f16>(1));
  std::vector<f16> y(14 * 14 * 96);
  const std::int64_t workspace_bytes = planned.plan.workspace_bytes;
  void *device_x, *device_w, *device_y, *workspace = nullptr;
  require_success(hipMalloc(&device_x, x.size() * sizeof(f16)), "hipMalloc");
  require_success(hipMalloc(&device_w, w.size() * sizeof(f16)), "hipMalloc");
  require_success(hipMalloc(&device_y, y.size() * sizeof(f16)), "hipMalloc");
  require_success(hipMemcpy(device_x, x.data(), x.size() * sizeof(f16), hipMemcpyHostToDevice), "hipMemcpy");
  require_success(hipMemcpy(device_w, w.data(), w.size() * sizeof(f16), hipMemcpyHostToDevice), "hipMemcpy");
  if (workspace_bytes > 0) require_success(hipMalloc(&workspace, workspace_bytes), "hipMalloc");
  if (const Verdict v = planned.plan.run(nullptr, {device_x, device_w, device_y}, workspace, workspace_bytes); !v.ok) {
    return std::printf("refused: %s\n", v.why.data()), 3;
  }
  require_success(hipMemcpy(y.data(), device_y, y.size() * sizeof(f16), hipMemcpyDeviceToHost), "hipMemcpy");

  int wrong = 0;
  for (int h = 0; h < 14; ++h) {
    for (int v = 0; v < 14; ++v) {
      const int rows = h == 0 || h == 13 ? 2 : 3, columns = v == 0 || v == 13 ? 2 : 3;
      for (int k = 0; k < 96; ++k)
        wrong += to_float(y[(h * 14 + v) * 96 + k]) != static_cast<float>(rows * columns * 64);
    }
  }
  std::printf("%s: %d of %zu outputs wrong\n", planned.plan.instance.c_str(), wrong, y.size());
  return wrong == 0 ? 0 : 1;
}
