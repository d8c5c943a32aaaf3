// Every instance of every target of the build solves random problems: exactly on whole numbers, within the derived
// bound on reals. ZELLIGE_TEST_SEED=n draws others, ZELLIGE_TEST_ROUNDS=n more of them; a problem that fails is shrunk
// first.
#include <gtest/gtest.h>

#include <cstdlib>

#include "device_run.hpp"
#include "random_problem.hpp"
#include "targets.hpp"
#include "use_device.hpp"

namespace zellige {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Problems an instance: with the smoke tables of three targets, over 3,000 in all.
constexpr std::uint64_t default_rounds = 20;

struct Failure {
  Problem problem;
  std::string text;
};

/// The simplest problem on the way down from `failure` that still fails.
Failure shrunk(const Operation& operation, Failure failure, reference::Fill fill, std::uint64_t seed,
               const PlanOptions& options) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Problem& candidate : simpler(operation, failure.problem)) {
      std::string text = failure_of(operation, candidate, fill, seed, options);
      if (text.empty()) continue;
      failure = {candidate, std::move(text)};
      smaller = true;
      break;
    }
  }
  return failure;
}

class Instances : public testing::TestWithParam<std::tuple<Arch, Family>> {};

TEST_P(Instances, SolveRandomProblems) {
  const auto [arch, family] = GetParam();
  const std::uint64_t seed = number_from("ZELLIGE_TEST_SEED", 1),
                      rounds = number_from("ZELLIGE_TEST_ROUNDS", default_rounds);
  if (!use_device(arch)) GTEST_SKIP() << "no device of " << arch_traits(arch).name;
  ASSERT_EQ(target_library(arch).error, "");
  Random random(seed * 1000003 + static_cast<std::uint64_t>(arch) * 101 + static_cast<std::uint64_t>(family));
  int problems = 0, failures = 0;
  for (const Operation& operation : operations(arch)) {
    if (operation.family != family) continue;
    for (std::uint64_t round = 0; round < rounds && failures < 5; ++round, ++problems) {
      const Problem problem = random_problem(operation, random);
      const PlanOptions options = random_options(operation, problem, random);
      const auto fill = round % 4 == 3 ? reference::Fill::reals : reference::Fill::integers;
      SCOPED_TRACE(operation.name + " on " + describe(problem));
      std::string text =
          failure_of(operation, problem, fill, seed + round, options);  // a fault throws, and ends this test
      if (text.empty()) continue;
      ++failures;
      const Failure failure = shrunk(operation, {problem, std::move(text)}, fill, seed + round, options);
      ADD_FAILURE() << operation.name << "\n  " << describe(failure.problem) << "\n  " << failure.text
                    << "\n  first seen on " << describe(problem) << "\n  " << describe(options) << ", seed " << seed
                    << ", round " << round;
    }
  }
  EXPECT_GT(problems, 0);
  std::printf("seed %llu: %d random problems on %s\n", static_cast<unsigned long long>(seed), problems,
              arch_traits(arch).name);
}

// A vector that hangs over a tile's border, a tile of one row or one vector of columns, a last step of the reduction
// that is one vector.
TEST_P(Instances, SolveSizesAtTheBordersOfTiles) {
  const auto [arch, family] = GetParam();
  if (!use_device(arch)) GTEST_SKIP() << "no device of " << arch_traits(arch).name;
  ASSERT_EQ(target_library(arch).error, "");
  for (const Operation& operation : operations(arch)) {
    if (operation.family != family) continue;
    for (int steps : {-1, 0, 1}) {
      const Problem problem = border_problem(operation, steps);
      EXPECT_EQ(failure_of(operation, problem, reference::Fill::integers, 2), "")
          << operation.name << " on " << describe(problem);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Instances,
                         testing::Combine(testing::ValuesIn(built_targets()),
                                          testing::Values(Family::gemm, Family::conv_fwd)),
                         [](const auto& info) {
                           return std::string(arch_traits(std::get<0>(info.param)).name) + "_" +
                                  std::string(family_name(std::get<1>(info.param)));
                         });

TEST(RandomProblems, AreSupportedAndVaried) {
  Random random(5);
  int problems = 0, ragged = 0, single_pixel = 0, padded = 0, strided = 0, uneven = 0, dilated = 0, grouped = 0,
      gaps = 0, of_three = 0;
  std::array<int, 4> spatial{};
  for (const Operation& operation : operations(built_targets().front())) {
    const auto* const conv = std::get_if<ConvKernel>(&operation.kernel);
    const bool three = conv != nullptr && conv->config.spatial == 3;
    for (int round = 0; round < (three ? 100 : 20); ++round, ++problems) {  // few instances have three axes
      const Problem problem = random_problem(operation, random);
      const Verdict v = operation.supports(problem);
      ASSERT_TRUE(v.ok) << operation.name << " on " << describe(problem) << ": " << v.why.view();
      for (const Problem& q : simpler(operation, problem)) ASSERT_TRUE(operation.supports(q).ok);
      if (const auto* gemm = std::get_if<GemmProblem>(&problem)) {
        gaps += gemm->stride_c() > gemm->n ? 1 : 0;
        continue;
      }
      const auto& p = std::get<ConvProblem>(problem);
      ++spatial[static_cast<std::size_t>(p.spatial)];
      of_three += three ? 1 : 0;
      grouped += p.groups > 1 ? 1 : 0;
      ragged += p.filters_per_group() % operation.tiling().block.n != 0 ? 1 : 0;
      for (int i = 0; i < p.spatial; ++i) {
        const ConvAxis& a = p.axis[i];
        single_pixel += a.size == 1 ? 1 : 0;
        padded += a.pad_before > a.filter ? 1 : 0;
        strided += a.stride > a.filter ? 1 : 0;
        uneven += a.pad_before != a.pad_after ? 1 : 0;
        dilated += a.dilation > 1 && a.filter > 1 ? 1 : 0;
      }
    }
  }
  const int convolutions = spatial[1] + spatial[2] + spatial[3];
  EXPECT_GT(gaps, (problems - convolutions) / 50);
  const std::pair<const char*, int> kinds[] = {{"ragged filters", ragged},
                                               {"axes of one pixel", single_pixel},
                                               {"pads past the filter", padded},
                                               {"strides past the filter", strided},
                                               {"uneven pads", uneven},
                                               {"dilated filters", dilated},
                                               {"groups", grouped},
                                               {"one axis", spatial[1]},
                                               {"two axes", spatial[2]}};
  for (const auto& [kind, seen] : kinds) EXPECT_GT(seen, convolutions / 50) << kind;
  EXPECT_GT(spatial[3], of_three / 5);  // a third of their problems do
}

/// Targets whose kernels are persistent: their workgroups take tile after tile.
std::vector<Arch> persistent_targets() {
  std::vector<Arch> list;
  for (const Arch arch : built_targets()) {
    if (arch_traits(arch).tensor_copies) list.push_back(arch);
  }
  return list;
}

class Persistent : public testing::TestWithParam<Arch> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Persistent);

// An odd number of steps a tile: which of two warps feeds first alternates, and buffers are used again.
TEST_P(Persistent, WorkgroupsTakeSeveralTiles) {
  if (!use_device(GetParam())) GTEST_SKIP() << "no device of " << arch_traits(GetParam()).name;
  ASSERT_EQ(target_library(GetParam()).error, "");
  int several = 0;
  for (const Operation& operation : operations(GetParam())) {
    const Pipeline pipeline = operation.tiling().pipeline;
    if (!by_warpgroups(pipeline)) continue;
    Problem problem;
    std::int64_t rows = 0, columns = 0;
    if (const auto* gemm = std::get_if<GemmKernel>(&operation.kernel)) {
      const GemmConfig& c = gemm->config;
      const GemmProblem p{.m = 1500,
                          .n = 2000,
                          .k = 72,
                          .input = c.input,
                          .output = c.output,
                          .order_a = c.order_a,
                          .order_b = c.order_b};
      problem = p, rows = p.m, columns = p.n;
    } else {
      const ConvConfig& c = std::get<ConvKernel>(operation.kernel).config;
      ConvProblem p{.input = c.input, .weight = c.input, .output = c.output, .n = 16, .k = 40};
      p.c = pipeline == Pipeline::few_channels ? 4 : 24;
      p.axis[0] = p.axis[1] = {.size = 56, .filter = 3, .pad_before = 1, .pad_after = 1};
      problem = p, rows = p.n * p.output_pixels(), columns = p.k;
    }
    EXPECT_EQ(failure_of(operation, problem, reference::Fill::integers, 1), "") << operation.name;
    const Tiling& t = operation.tiling();
    const std::int64_t tiles = ceil_div<std::int64_t>(rows, t.block.m) * ceil_div<std::int64_t>(columns, t.block.n);
    several += tiles > arch_traits(GetParam()).compute_units * t.min_blocks ? 1 : 0;
  }
  EXPECT_GT(several, 8);
}

INSTANTIATE_TEST_SUITE_P(Every, Persistent, testing::ValuesIn(persistent_targets()),
                         [](const auto& info) { return std::string(arch_traits(info.param).name); });

}  // namespace
}  // namespace zellige
