// A pixel that is not finite spoils the outputs whose windows hold it, and no others: what a kernel reads beside a
// window, or past its end, may be anything.
#include <gtest/gtest.h>

#include <cstring>

#include "device_memory.hpp"
#include "targets.hpp"
#include "use_device.hpp"

namespace zellige {
namespace {

/// A tensor on the device.
struct DeviceBytes : DeviceMemory {
  explicit DeviceBytes(const std::vector<std::byte>& bytes) : DeviceMemory(bytes.size()) {
    upload(bytes.data(), bytes.size());
  }
};

/// The highest bits of a number of a type of 2 or 4 bytes, as an element.
void put(std::vector<std::byte>& tensor, std::int64_t index, DataType type, std::uint32_t bits) {
  const auto size = static_cast<std::size_t>(bytes_of(type));
  std::memcpy(tensor.data() + static_cast<std::size_t>(index) * size, &bits, size);
}
std::uint32_t one(DataType type) {
  return type == DataType::f16 ? 0x3c00 : type == DataType::bf16 ? 0x3f80 : 0x3f800000;
}
std::uint32_t infinity(DataType type) {
  return type == DataType::f16 ? 0x7c00 : type == DataType::bf16 ? 0x7f80 : 0x7f800000;
}
bool finite(const std::vector<std::byte>& tensor, std::int64_t index, DataType type) {
  std::uint32_t bits = 0;
  const auto size = static_cast<std::size_t>(bytes_of(type));
  std::memcpy(&bits, tensor.data() + static_cast<std::size_t>(index) * size, size);
  return (bits & infinity(type)) != infinity(type);
}

/// What is wrong with the result where only pixel (`at_h`, `at_w`) is infinite; empty where nothing is.
std::string failure_beside(const Operation& operation, const ConvProblem& p, std::int64_t at_h, std::int64_t at_w) {
  const ConvAxis &h = p.axis[0], &w = p.axis[1];
  std::vector<std::byte> input(static_cast<std::size_t>(input_bytes(p).value)),
      weight(static_cast<std::size_t>(weight_bytes(p).value)), output(static_cast<std::size_t>(output_bytes(p).value));
  for (std::int64_t i = 0; i < p.input_pixels() * p.c; ++i) {
    const bool there = i / p.c == at_h * w.size + at_w;
    put(input, i, p.input, there ? infinity(p.input) : one(p.input));
  }
  for (std::int64_t i = 0; i < p.taps() * p.c * p.k; ++i) put(weight, i, p.weight, one(p.weight));
  for (std::int64_t i = 0; i < p.output_pixels() * p.k; ++i) put(output, i, p.output, infinity(p.output));
  const DeviceBytes a(input), b(weight), c(output);
  const Planned planned = operation.plan(p);
  if (!planned.verdict.ok) return std::string(planned.verdict.why.view());
  const std::int64_t workspace_bytes = planned.plan.workspace_bytes + 16;
  const DeviceMemory workspace(static_cast<std::size_t>(workspace_bytes));
  workspace.poison();
  const Verdict run =
      planned.plan.run(nullptr, {a.data(), b.data(), c.data()}, workspace.data(), workspace_bytes);
  if (!run.ok) return std::string(run.why.view());
  c.download(output.data(), output.size());
  for (std::int64_t i = 0; i < p.output_pixels() * p.k; ++i) {
    const std::int64_t pixel = i / p.k, out_h = pixel / w.outputs(), out_w = pixel % w.outputs();
    const auto holds = [](const ConvAxis& axis, std::int64_t out, std::int64_t at) {
      const std::int64_t begin = out * axis.stride - axis.pad_before;
      return at >= begin && at < begin + axis.filter;
    };
    if (finite(output, i, p.output) == (holds(h, out_h, at_h) && holds(w, out_w, at_w)))
      return "output " + std::to_string(out_h) + " " + std::to_string(out_w) + " of filter " + std::to_string(i % p.k);
  }
  return {};
}

class Neighbours : public testing::TestWithParam<Arch> {};

TEST_P(Neighbours, APixelThatIsNotFiniteSpoilsItsWindowsAlone) {
  if (!use_device(GetParam())) GTEST_SKIP() << "no device of " << arch_traits(GetParam()).name;
  ASSERT_EQ(target_library(GetParam()).error, "");
  const ConvAxis shapes[][2] = {
      {{.size = 11, .filter = 3, .pad_before = 1, .pad_after = 1}, {.size = 24, .filter = 3, .pad_before = 1}},
      {{.size = 13, .filter = 7, .stride = 2, .pad_before = 3, .pad_after = 3},
       {.size = 32, .filter = 7, .stride = 2, .pad_before = 3, .pad_after = 3}},
      {{.size = 9, .filter = 2, .stride = 3}, {.size = 40, .filter = 3, .stride = 5}}};
  int ran = 0, few = 0;
  for (const Operation& operation : operations(GetParam())) {
    const auto* const kernel = std::get_if<ConvKernel>(&operation.kernel);
    if (kernel == nullptr || bytes_of(kernel->config.input) != 2) continue;
    for (const auto& shape : shapes) {
      const ConvProblem p{.input = kernel->config.input,
                          .weight = kernel->config.input,
                          .output = kernel->config.output,
                          .c = 3,
                          .k = 16,
                          .spatial = 2,
                          .axis = {{shape[0], shape[1]}}};
      if (!operation.supports(p).ok) continue;
      for (const std::int64_t at_w : {std::int64_t{0}, std::int64_t{7}, p.axis[1].size - 1}) {
        ASSERT_EQ(failure_beside(operation, p, 5, at_w), "") << operation.name << ", pixel 5 " << at_w;
        ++ran;
        few += kernel->config.tiling.pipeline == Pipeline::few_channels;
      }
    }
  }
  EXPECT_GT(ran, 0);
  // The kernels that this is most about: they read whole rows of the image.
  if (arch_traits(GetParam()).tensor_copies) EXPECT_GT(few, 0);
}

INSTANTIATE_TEST_SUITE_P(Every, Neighbours, testing::ValuesIn(built_targets()),
                         [](const auto& info) { return std::string(arch_traits(info.param).name); });

}  // namespace
}  // namespace zellige
