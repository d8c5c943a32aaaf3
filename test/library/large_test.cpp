// Tensors that really pass 2^31 bytes, on the device: an input of 3.76 GB that is NaN except where taps fall, so that
// an offset that wrapped anywhere on the way would show.
#include <gtest/gtest.h>

#include <fstream>

#include "device_memory.hpp"
#include "targets.hpp"
#include "use_device.hpp"

namespace zellige {
namespace {

constexpr std::int64_t channels = 64, filters = 64;

/// Bytes of memory that a test may take; 0 where the system does not say.
std::int64_t available_bytes() {
  std::ifstream info("/proc/meminfo");
  std::string key, rest;
  std::int64_t kilobytes = 0;
  while (info >> key >> kilobytes) {
    if (key == "MemAvailable:") return kilobytes * 1024;
    std::getline(info, rest);
  }
  return 0;
}

float input_value(std::int64_t pixel, std::int64_t c) { return static_cast<float>((pixel * 7 + c * 3) % 5 - 2); }
float weight_value(std::int64_t k, std::int64_t tap, std::int64_t c) {
  return static_cast<float>((k * 5 + tap * 3 + c) % 3 - 1);
}

/// Device memory that is NaN at first.
struct Memory : DeviceMemory {
  explicit Memory(std::int64_t bytes) : DeviceMemory(static_cast<std::size_t>(bytes)) { poison(); }
};

/// Calls body(output pixel, tap, input pixel) for each tap that falls into an image; two axes.
template <class Body>
void for_each_tap(const ConvProblem& p, Body body) {
  const ConvAxis &h = p.axis[0], &w = p.axis[1];
  std::int64_t m = 0;
  for (std::int64_t n = 0; n < p.n; ++n) {
    for (std::int64_t y = 0; y < h.outputs(); ++y) {
      for (std::int64_t x = 0; x < w.outputs(); ++x, ++m) {
        for (std::int64_t tap = 0; tap < h.filter; ++tap) {
          const std::int64_t row = y * h.stride - h.pad_before + tap * h.dilation, column = x * w.stride;
          if (row >= 0 && row < h.size) body(m, tap, (n * h.size + row) * w.size + column);
        }
      }
    }
  }
}

void expect_right(const Operation& operation, const ConvProblem& p, std::int64_t chunks, const Memory& input) {
  const Planned planned = operation.plan(p);
  ASSERT_TRUE(planned.verdict.ok) << planned.verdict.why.view();
  EXPECT_EQ(planned.plan.chunks, chunks);
  const std::int64_t taps = p.taps(), outputs = p.n * p.output_pixels() * filters;
  std::vector<double> expected(static_cast<std::size_t>(outputs));
  for_each_tap(p, [&](std::int64_t m, std::int64_t tap, std::int64_t pixel) {
    std::vector<f16> line;
    for (std::int64_t c = 0; c < channels; ++c) line.push_back(from_float<f16>(input_value(pixel, c)));
    input.upload(line.data(), line.size() * sizeof(f16), static_cast<std::size_t>(pixel * channels) * sizeof(f16));
    for (std::int64_t k = 0; k < filters; ++k) {
      for (std::int64_t c = 0; c < channels; ++c)
        expected[static_cast<std::size_t>(m * filters + k)] += input_value(pixel, c) * weight_value(k, tap, c);
    }
  });
  std::vector<f16> weight;
  for (std::int64_t k = 0; k < filters; ++k) {
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      for (std::int64_t c = 0; c < channels; ++c) weight.push_back(from_float<f16>(weight_value(k, tap, c)));
    }
  }
  const Memory weights(weight_bytes(p).value), output(output_bytes(p).value);
  weights.upload(weight.data(), weight.size() * sizeof(f16));
  const Memory workspace(std::max<std::int64_t>(planned.plan.workspace_bytes, 16));
  const Verdict ran = planned.plan.run(nullptr, {input.data(), weights.data(), output.data()}, workspace.data(),
                                       planned.plan.workspace_bytes);
  ASSERT_TRUE(ran.ok) << ran.why.view();
  std::vector<f16> result(static_cast<std::size_t>(outputs));
  output.download(result.data(), result.size() * sizeof(f16));
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < result.size(); ++i) wrong += to_float(result[i]) == expected[i] ? 0 : 1;
  EXPECT_EQ(wrong, 0) << operation.name;
}

TEST(Large, BatchesAndImagesPast2GiBAreRight) {
  const Arch arch = built_targets().front();
  if (!use_device(arch)) GTEST_SKIP() << "no device of " << arch_traits(arch).name;
  if (available_bytes() < std::int64_t{6} << 30) GTEST_SKIP() << "needs 6 GB of memory";
  ConvProblem batch{.n = 7, .c = channels, .k = filters, .spatial = 2};
  batch.axis[0] = batch.axis[1] = {.size = 2048, .stride = 512};
  ConvProblem image = batch;  // the same bytes as one image, with taps that reach into the chunk before
  image.n = 1;
  image.axis[0] = {.size = 7 * 2048, .filter = 3, .stride = 512, .pad_before = 1, .pad_after = 1};
  ASSERT_EQ(input_bytes(image).value, 3758096384);
  const Memory input(input_bytes(batch).value);
  int ran = 0;
  for (const Operation& operation : operations(arch)) {
    if (!operation.supports(batch).ok || !operation.supports(image).ok) continue;
    expect_right(operation, batch, 3, input);
    expect_right(operation, image, 2, input);
    ++ran;
  }
  EXPECT_GT(ran, 1);
}

}  // namespace
}  // namespace zellige
