// Example 03: a convolution through the instance library: which instances apply, why the others do not, and a run of
// the best.
//
// This is plain C++: it contains no kernel, and any C++20 compiler builds it.
#include <zellige/select.hpp>

#include <cstdio>
#include <map>
#include <vector>

using namespace zellige;

int main() {
  // ResNet-50's 3x3 layer with 64 channels, one image: x is 1x56x56x64, w is 64x3x3x64, y is 1x56x56x64.
  const ConvAxis axis{.size = 56, .filter = 3, .pad_before = 1, .pad_after = 1};
  const ConvProblem problem{.n = 1, .c = 64, .k = 64, .spatial = 2, .axis = {{axis, axis}}};
  const Arch arch = current_device().arch;

  const Ranking ranking = rank(problem, arch);
  std::map<std::string_view, int> refused;
  for (const Candidate& candidate : ranking.candidates) {
    if (!candidate.verdict.ok) ++refused[candidate.verdict.why.view()];
  }
  std::printf("%zu instances apply on %s\n", ranking.applicable, arch_traits(arch).name);
  for (const auto& [why, count] : refused)
    std::printf("%3d do not: %.*s\n", count, static_cast<int>(why.size()), why.data());
  if (ranking.applicable == 0) return std::printf("%s\n", ranking.verdict.why.data()), 3;

  const Planned planned = ranking.candidates.front().operation->plan(problem);
  if (!planned.verdict.ok) return std::printf("refused: %s\n", planned.verdict.why.data()), 3;

  // All ones: an output is the number of its taps inside the image times the channels.
  const std::vector<f16> x(56 * 56 * 64, from_float<f16>(1.0f)), w(64 * 9 * 64, from_float<f16>(1.0f));
  std::vector<f16> y(56 * 56 * 64);
  const std::int64_t workspace_bytes = planned.plan.workspace_bytes;  // of a reduction that is split, else 0
  void *device_x, *device_w, *device_y, *workspace = nullptr;
  require_success(hipMalloc(&device_x, x.size() * 2), "hipMalloc");
  require_success(hipMalloc(&device_w, w.size() * 2), "hipMalloc");
  require_success(hipMalloc(&device_y, y.size() * 2), "hipMalloc");
  require_success(hipMemcpy(device_x, x.data(), x.size() * 2, hipMemcpyHostToDevice), "hipMemcpy");
  require_success(hipMemcpy(device_w, w.data(), w.size() * 2, hipMemcpyHostToDevice), "hipMemcpy");
  if (workspace_bytes > 0) require_success(hipMalloc(&workspace, workspace_bytes), "hipMalloc");
  if (Verdict v = planned.plan.run(nullptr, {device_x, device_w, device_y}, workspace, workspace_bytes); !v.ok)
    return std::printf("refused: %s\n", v.why.data()), 3;
  require_success(hipMemcpy(y.data(), device_y, y.size() * 2, hipMemcpyDeviceToHost), "hipMemcpy");

  int wrong = 0;
  for (int h = 0; h < 56; ++h) {
    for (int v = 0; v < 56; ++v) {
      const int taps = (3 - (h == 0) - (h == 55)) * (3 - (v == 0) - (v == 55));
      for (int k = 0; k < 64; ++k) wrong += to_float(y[(h * 56 + v) * 64 + k]) != static_cast<float>(taps * 64);
    }
  }
  std::printf("%s: %d of %zu elements wrong\n", planned.plan.instance.c_str(), wrong, y.size());
  return wrong == 0 ? 0 : 1;
}
