// Every main loop beside the plain ones, executed on ragged problems: whole numbers, compared exactly.
//
// Built once for each target, with ZELLIGE_TEST_ARCH, and run twice: plainly, and under the simulator's checks, which
// find LDS that is read before a copy has arrived, or written while another wave reads.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "zellige/host/gemm.hpp"

namespace zellige {
namespace {

constexpr Arch arch = Arch::ZELLIGE_TEST_ARCH;

struct Choice {
  const char* layout = "rc";
  DataType type = DataType::f16;
  Tiling tiling{};
};

constexpr MatrixOrder order_of(char c) { return c == 'r' ? MatrixOrder::row : MatrixOrder::column; }

constexpr GemmConfig config_of(const Choice& c) {
  return {.input = c.type,
          .output = DataType::f32,
          .order_a = order_of(c.layout[0]),
          .order_b = order_of(c.layout[1]),
          .tiling = c.tiling};
}

constexpr Tiling tile_32x32x8{.block = {128, 64, 32}, .waves = {2, 2}, .atom = {32, 32, 8}};

/// `tiling`, with changes.
template <class Change>
constexpr Tiling with(Tiling tiling, Change change) {
  change(tiling);
  return tiling;
}

constexpr Tiling direct(Tiling tiling, int vector) {
  tiling.staging = Staging::direct_to_lds;
  tiling.vector_a = tiling.vector_b = vector;
  return tiling;
}

constexpr Tiling on_read(Mnk block, Mnk atom, bool copies = false) {
  Tiling t{.block = block, .waves = {2, 2}, .atom = atom, .transpose = Transpose::on_read};
  if (copies) t.staging = Staging::direct_to_lds;
  return t;
}

/// A target runs those of these that its check accepts.
constexpr Choice choices[] = {
    // interleaved
    {.tiling = with(tile_32x32x8, [](Tiling& t) { t.scheduling = Scheduling::interleaved; })},
    {.layout = "cc",
     .type = DataType::bf16,
     .tiling = with(tile_32x32x8,
                    [](Tiling& t) {
                      t.scheduling = Scheduling::interleaved, t.pipeline = Pipeline::single_buffer,
                      t.vector_a = t.vector_b = 4;
                    })},
    // ping-pong
    {.tiling = {.block = {256, 128, 32},
                .waves = {4, 2},
                .atom = {32, 32, 8},
                .walk = Walk::run,
                .scheduling = Scheduling::ping_pong}},
    {.layout = "rr",
     .type = DataType::bf16,
     .tiling = {.block = {128, 128, 32}, .waves = {2, 4}, .atom = {16, 16, 16}, .scheduling = Scheduling::ping_pong}},
    // wavelet, on targets of waves of 32
    {.tiling = {.block = {64, 64, 32},
                .waves = {2, 2},
                .atom = {16, 16, 32},
                .pipeline = Pipeline::wavelet,
                .vector_c = 4,
                .store = Store::lds_shuffle,
                .load_waves = 4}},
    {.layout = "cr",
     .type = DataType::bf16,
     .tiling = {.block = {128, 64, 32},
                .waves = {4, 2},
                .atom = {16, 16, 32},
                .pipeline = Pipeline::wavelet,
                .load_waves = 2}},
    {.layout = "rr",
     .tiling = {.block = {64, 64, 32},
                .waves = {4, 2},
                .atom = {16, 16, 32},
                .pipeline = Pipeline::wavelet,
                .walk = Walk::run,
                .transpose = Transpose::on_read,
                .load_waves = 1}},
    {.layout = "cc",
     .type = DataType::bf16,
     .tiling = {.block = {64, 64, 32},
                .waves = {2, 2},
                .atom = {16, 16, 16},
                .pipeline = Pipeline::wavelet,
                .vector_c = 4,
                .store = Store::lds_shuffle,
                .load_waves = 2}},
    // direct copies of 4 bytes
    {.tiling = direct(tile_32x32x8, 2)},
    {.type = DataType::bf16,
     .tiling =
         with(direct(tile_32x32x8, 2), [](Tiling& t) { t.pipeline = Pipeline::single_buffer, t.walk = Walk::run; })},
    {.type = DataType::f32, .tiling = direct({.block = {64, 64, 16}, .waves = {2, 2}, .atom = {16, 16, 4}}, 1)},
    // direct copies of 8 and of 16 bytes
    {.tiling = direct({.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}}, 4)},
    {.tiling = with(direct({.block = {64, 64, 64}, .waves = {2, 2}, .atom = {32, 32, 16}}, 8),
                    [](Tiling& t) { t.scheduling = Scheduling::interleaved; })},
    {.type = DataType::bf16, .tiling = direct({.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}}, 8)},
    // transposed reads
    {.layout = "rr", .tiling = on_read({64, 64, 32}, {32, 32, 16})},
    {.layout = "cr", .type = DataType::bf16, .tiling = on_read({64, 128, 64}, {32, 32, 16})},
    {.layout = "cc", .tiling = on_read({256, 64, 32}, {16, 16, 32})},
    {.layout = "rr", .type = DataType::bf16, .tiling = on_read({32, 32, 64}, {16, 16, 32})},
    {.layout = "cr", .tiling = on_read({64, 64, 32}, {32, 32, 8})},
    {.layout = "rr", .tiling = on_read({128, 128, 16}, {16, 16, 16})},
    {.layout = "cc", .tiling = with(on_read({64, 64, 32}, {32, 32, 16}), [](Tiling& t) { t.lds = LdsLayout::padded; })},
    // both
    {.layout = "cr", .tiling = on_read({64, 64, 64}, {16, 16, 32}, true)},
    {.layout = "rr", .type = DataType::bf16, .tiling = on_read({128, 128, 32}, {32, 32, 16}, true)},
    {.layout = "cc",
     .tiling = with(on_read({128, 64, 64}, {32, 32, 16}, true),
                    [](Tiling& t) { t.pipeline = Pipeline::single_buffer, t.walk = Walk::run; })},
    // slices of the reduction, some of them empty
    {.tiling =
         with(tile_32x32x8, [](Tiling& t) { t.scheduling = Scheduling::interleaved, t.split_k = SplitK::two_stage; })},
    {.tiling = {.block = {256, 128, 32},
                .waves = {4, 2},
                .atom = {32, 32, 8},
                .scheduling = Scheduling::ping_pong,
                .split_k = SplitK::two_stage}},
    {.layout = "rr",
     .tiling = with(on_read({64, 64, 64}, {16, 16, 32}, true), [](Tiling& t) { t.split_k = SplitK::two_stage; })},
    {.layout = "cr",
     .tiling = {.block = {64, 64, 32},
                .waves = {2, 2},
                .atom = {16, 16, 32},
                .pipeline = Pipeline::wavelet,
                .vector_c = 4,
                .store = Store::lds_shuffle,
                .load_waves = 4,
                .split_k = SplitK::two_stage}},
    {.layout = "cr",
     .tiling = with(on_read({64, 64, 64}, {16, 16, 32}, true),
                    [](Tiling& t) { t.split_k = SplitK::cluster, t.cluster = 3, t.walk = Walk::run; })},
};
constexpr int choice_count = sizeof choices / sizeof *choices;

/// Device memory that is freed at the end of its scope, with what is in it.
struct DeviceBytes {
  void* pointer = nullptr;
  explicit DeviceBytes(const std::vector<char>& bytes) {
    require_success(hipMalloc(&pointer, bytes.size()), "hipMalloc");
    require_success(hipMemcpy(pointer, bytes.data(), bytes.size(), hipMemcpyHostToDevice), "hipMemcpy");
  }
  ~DeviceBytes() { static_cast<void>(hipFree(pointer)); }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;
};

template <class T>
std::vector<char> bytes_as(const std::vector<float>& values) {
  std::vector<char> bytes(values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T value = from_float<T>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
  return bytes;
}

std::vector<char> bytes_of_type(DataType type, const std::vector<float>& values) {
  if (type == DataType::f16) return bytes_as<f16>(values);
  if (type == DataType::bf16) return bytes_as<bf16>(values);
  return bytes_as<float>(values);
}

void expect_product(const GemmKernel& kernel, const GemmProblem& p, unsigned seed) {
  PlanOptions options;
  if (kernel.config.tiling.split_k == SplitK::two_stage) options.split_k = 3;
  const Planned planned = plan_gemm(kernel, p, options);
  ASSERT_TRUE(planned.verdict.ok) << planned.verdict.why.view();
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> small(-3, 3);
  std::vector<float> a(static_cast<std::size_t>(p.m * p.k)), b(static_cast<std::size_t>(p.n * p.k));
  for (float& value : a) value = static_cast<float>(small(random));
  for (float& value : b) value = static_cast<float>(small(random));
  const auto at = [](bool row_order, std::int64_t row, std::int64_t column, std::int64_t rows, std::int64_t columns) {
    return static_cast<std::size_t>(row_order ? row * columns + column : column * rows + row);
  };
  const DeviceBytes device_a(bytes_of_type(p.input, a)), device_b(bytes_of_type(p.input, b));
  std::vector<float> c(static_cast<std::size_t>(p.m * p.n), NAN);
  const DeviceBytes device_c(bytes_as<float>(c));
  const std::int64_t workspace_bytes = planned.plan.workspace_bytes;
  const DeviceBytes workspace(
      std::vector<char>(static_cast<std::size_t>(workspace_bytes + 1), static_cast<char>(0xff)));
  const Verdict ran = planned.plan.run(nullptr, {device_a.pointer, device_b.pointer, device_c.pointer},
                                       workspace.pointer, workspace_bytes);
  ASSERT_TRUE(ran.ok) << ran.why.view();
  require_success(hipMemcpy(c.data(), device_c.pointer, c.size() * sizeof(float), hipMemcpyDeviceToHost), "hipMemcpy");
  for (std::int64_t m = 0; m < p.m; ++m) {
    for (std::int64_t n = 0; n < p.n; ++n) {
      float sum = 0;
      for (std::int64_t k = 0; k < p.k; ++k) {
        sum +=
            a[at(p.order_a == MatrixOrder::row, m, k, p.m, p.k)] * b[at(p.order_b == MatrixOrder::row, k, n, p.k, p.n)];
      }
      ASSERT_EQ(c[static_cast<std::size_t>(m * p.n + n)], sum) << "element (" << m << ", " << n << ")";
    }
  }
}

/// Problems of less than a tile, of ragged edges in every direction, and of many K tiles.
void expect_products(const GemmKernel& kernel) {
  int problems = 0;
  const std::int64_t sizes[][3] = {{8, 8, 8},      {136, 72, 200}, {72, 264, 328},
                                   {40, 136, 192}, {264, 8, 64},   {64, 64, 768}};
  for (const auto& size : sizes) {
    const GemmConfig& c = kernel.config;
    const GemmProblem p{.m = size[0],
                        .n = size[1],
                        .k = size[2],
                        .input = c.input,
                        .output = c.output,
                        .order_a = c.order_a,
                        .order_b = c.order_b};
    if (!supports(c, arch, p).ok) continue;  // a run of k must be whole tiles
    ++problems;
    SCOPED_TRACE(name_of(arch, c) + " on m = " + std::to_string(p.m) + ", n = " + std::to_string(p.n) +
                 ", k = " + std::to_string(p.k));
    expect_product(kernel, p, static_cast<unsigned>(problems));
  }
  EXPECT_GE(problems, 3) << name_of(arch, kernel.config);
}

/// Runs those choices, of which `wanted` says yes, that the target accepts; their number.
template <class Wanted, int index = 0>
int run_choices(const Wanted& wanted) {
  if constexpr (index == choice_count) {
    return 0;
  } else {
    constexpr GemmConfig config = config_of(choices[index]);
    int ran = 0;
    if constexpr (check(config, arch).ok) {
      if (wanted(config.tiling)) {
        expect_products(gemm_kernel<arch, config>());
        ran = 1;
      }
    }
    return ran + run_choices<Wanted, index + 1>(wanted);
  }
}

constexpr ArchTraits traits = arch_traits(arch);

TEST(MainLoops, EveryChoiceRunsOnSomeTarget) {
  for (const Choice& choice : choices) {
    int targets = 0;
    for (Arch target : all_arches) targets += check(config_of(choice), target).ok ? 1 : 0;
    EXPECT_GT(targets, 0) << name_of(Arch::gfx950, config_of(choice)) << ": "
                          << check(config_of(choice), Arch::gfx950).why.view();
  }
}

TEST(MainLoops, InterleavedOnes) {
  const int ran = run_choices([](const Tiling& t) { return t.scheduling == Scheduling::interleaved; });
  EXPECT_EQ(ran > 0, traits.matrix == MatrixPath::mfma);
}

TEST(MainLoops, PingPong) {
  const int ran = run_choices([](const Tiling& t) { return t.scheduling == Scheduling::ping_pong; });
  EXPECT_EQ(ran > 0, traits.matrix == MatrixPath::mfma);
}

TEST(MainLoops, Wavelet) {
  const int ran = run_choices([](const Tiling& t) { return t.pipeline == Pipeline::wavelet; });
  EXPECT_EQ(ran > 0, traits.matrix != MatrixPath::mfma);
}

// A tile's place in LDS is copied to again two tiles later: many K tiles, under the checks, show that each copy is
// waited for before its tile is read, and that nobody still reads where the next one goes.
TEST(MainLoops, lesson49_direct_copies_wait_before_lds_is_read_and_reused) {
  const int ran = run_choices([](const Tiling& t) { return t.staging == Staging::direct_to_lds; });
  EXPECT_EQ(ran > 0, traits.direct_to_lds_widths != 0);
}

TEST(MainLoops, TransposedReads) {
  const int ran = run_choices([](const Tiling& t) { return t.transpose == Transpose::on_read; });
  EXPECT_EQ(ran > 0, traits.transposed_lds_bytes != 0);
}

}  // namespace
}  // namespace zellige
