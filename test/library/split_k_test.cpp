// Split-K and epilogues on the device: right, equal bit for bit whatever the order of workgroups, and no less exact for
// many slices. Workspaces and outputs are NaN before every run, between guard zones. On a GPU, whose order of
// workgroups is its own, ZELLIGE_TEST_REPETITIONS runs take the place of the orders that the simulator is asked for.
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <sstream>

#include "device_run.hpp"
#include "random_problem.hpp"
#include "use_device.hpp"

namespace zellige {
namespace {

/// Sets a variable of the environment while it lives; the simulator reads it at each launch.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Setting() { unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
};

class SplitK : public testing::TestWithParam<Arch> {
 protected:
  void SetUp() override {
    if (!use_device(GetParam())) GTEST_SKIP() << "no device of " << arch_traits(GetParam()).name;
    ASSERT_EQ(target_library(GetParam()).error, "");
    ASSERT_FALSE(splitting().empty());
  }

  /// Instances of the target that split, and that `kept` keeps.
  template <class Kept>
  static std::vector<const Operation*> splitting(Kept kept) {
    std::vector<const Operation*> found;
    for (const Operation& operation : operations(GetParam())) {
      if (operation.tiling().split_k != zellige::SplitK::none && kept(operation)) found.push_back(&operation);
    }
    return found;
  }
  static std::vector<const Operation*> splitting() {
    return splitting([](const Operation&) { return true; });
  }
  static bool two_stage(const Operation& operation) { return needs_second_stage(operation.tiling()); }
  /// "conv_fwd bf16 to bf16", "gemm bf16 to f32 layout rc": instances of one kind solve one problem.
  static std::string kind_of(const Operation& operation) {
    const auto types = [&](const auto& kernel) {
      return std::string(family_name(operation.family)) + " " + name_of(kernel.config.input) + " to " +
             name_of(kernel.config.output);
    };
    std::string kind = std::visit(types, operation.kernel);
    if (const auto* gemm = std::get_if<GemmKernel>(&operation.kernel)) {
      kind += " layout ";
      for (MatrixOrder order : {gemm->config.order_a, gemm->config.order_b})
        kind += order == MatrixOrder::row ? 'r' : 'c';
    }
    return kind;
  }

  /// A problem of about `depth` products that the instance takes: one and a half tiles of rows and columns.
  static Problem problem_of(const Operation& operation, std::int64_t depth) {
    const Tiling& t = operation.tiling();
    if (const auto* gemm = std::get_if<GemmKernel>(&operation.kernel)) {
      const GemmConfig& c = gemm->config;
      return GemmProblem{.m = t.block.m * 3 / 2,
                         .n = t.block.n * 3 / 2,
                         .k = round_up<std::int64_t>(depth, t.block.k),
                         .input = c.input,
                         .output = c.output,
                         .order_a = c.order_a,
                         .order_b = c.order_b};
    }
    const ConvConfig& c = std::get<ConvKernel>(operation.kernel).config;
    ConvProblem p{.input = c.input, .weight = c.input, .output = c.output};
    p.spatial = c.spatial;
    for (int i = 0; i < p.spatial; ++i) p.axis[i] = {.size = i == 0 ? 13 : 1, .filter = 1};
    p.axis[0].filter = 3, p.axis[0].pad_before = 1, p.axis[0].pad_after = 1;
    p.c = round_up<std::int64_t>(ceil_div<std::int64_t>(depth, 3), t.block.k);
    p.k = t.block.n * 3 / 2;
    return p;
  }
};

// Each element of each slab is written once, by one workgroup, and the slabs are added up in their order: nothing is
// left for the order of workgroups or the number of host threads to decide.
TEST_P(SplitK, BitsDoNotDependOnTheOrder) {
  for (const Operation* operation : splitting()) {
    const Problem problem = problem_of(*operation, 512);
    const PlanOptions options{.split_k = two_stage(*operation) ? 5 : -1};
    GuardedRun run(*operation, problem, reference::Fill::reals, 7, options);
    const RunResult first = run.run();
    ASSERT_EQ(first.failure, "") << operation->name;
    for (int order = 1; order <= 20; ++order) {
      const Setting seed("ZELLIGE_SIM_ORDER", std::to_string(order)),
          threads("ZELLIGE_SIM_THREADS", order % 2 ? "1" : "2");
      const RunResult again = run.run();
      ASSERT_EQ(again.failure, "") << operation->name << ", order " << order;
      ASSERT_EQ(again.output, first.output) << operation->name << ", order " << order;
    }
  }
}

/// Runs `repetitions` times: each right, with the bits of the first. Returns the first's error.
double error_of_equal_runs(const Operation& operation, const Problem& problem, const PlanOptions& options,
                           int repetitions) {
  GuardedRun run(operation, problem, reference::Fill::reals, 3, options);
  const RunResult first = run.run();
  EXPECT_EQ(first.failure, "") << operation.name << ", " << describe(options);
  for (int i = 1; i < repetitions; ++i) {
    const RunResult again = run.run();
    EXPECT_EQ(again.failure, "") << operation.name << ", " << describe(options) << ", repetition " << i;
    EXPECT_EQ(again.output, first.output) << operation.name << ", " << describe(options) << ", repetition " << i;
  }
  return first.error;
}

// Partial sums are f32 whatever the output: within the bound of one unsplit sum at every degree, and rounded once. Had
// they been rounded to f16 or bf16, too, errors of norms would be 1.4 times as large.
constexpr double no_larger = 1.1;

TEST_P(SplitK, lesson35_errors_do_not_grow_with_the_degree) {
  for (const Operation* operation : splitting(two_stage)) {
    const Problem problem = problem_of(*operation, 128 * std::min(operation->tiling().block.k, 64));
    std::ostringstream errors;
    double unsplit = 0;
    for (int degree : {1, 2, 3, 4, 8, 16, 32, 64, 128}) {
      const double error = error_of_equal_runs(*operation, problem, {.split_k = degree}, ZELLIGE_TEST_REPETITIONS);
      if (degree == 1) unsplit = error;
      EXPECT_LE(error, no_larger * unsplit) << operation->name << " at " << degree;
      errors << "  " << degree << ": " << error;
    }
    std::printf("%s, errors of norms by degree:%s\n", operation->name.c_str(), errors.str().c_str());
  }
}

// The same of clusters, whose degree is their instance's.
TEST_P(SplitK, lesson35_errors_do_not_grow_with_the_cluster) {
  if (arch_traits(GetParam()).cluster_limit == 0) GTEST_SKIP() << "the target has no clusters";
  struct Kind {
    Problem problem;
    double least;
  };
  std::map<std::string, Kind> kinds;
  for (const Operation* operation : splitting([](const Operation& o) { return !two_stage(o); })) {
    const auto [at, is_new] =
        kinds.try_emplace(kind_of(*operation), Kind{problem_of(*operation, 4096), std::numeric_limits<double>::max()});
    Kind& kind = at->second;
    const double error = error_of_equal_runs(*operation, kind.problem, {}, ZELLIGE_TEST_REPETITIONS);
    EXPECT_LE(error, no_larger * kind.least) << operation->name;
    kind.least = std::min(kind.least, error);
    std::printf("%s, error of norms of its cluster of %d: %g\n", operation->name.c_str(), operation->tiling().cluster,
                error);
  }
}

// Stage 2 reads every slab, and nobody clears them: slices without tiles must write zeros over the NaN.
TEST_P(SplitK, lesson38_empty_slices_write_zeros) {
  for (const Operation* operation : splitting()) {
    const Problem problem = problem_of(*operation, 1);  // one tile of k (three of a convolution) for all slices
    for (int degree : two_stage(*operation) ? std::vector{2, 7, 33} : std::vector{-1}) {
      EXPECT_EQ(failure_of(*operation, problem, reference::Fill::integers, 5, {.split_k = degree}), "")
          << operation->name << " at " << degree;
    }
  }
}

// Sizes that no vector divides: taken by instances of narrow vectors and right, refused by the others.
TEST_P(SplitK, lesson09_odd_channels_are_right_or_refused) {
  for (const Operation* operation : splitting()) {
    Problem problem = problem_of(*operation, 600);
    for (std::int64_t columns : {10, 6, 33}) {
      if (auto* gemm = std::get_if<GemmProblem>(&problem)) {
        gemm->n = columns;
      } else {
        std::get<ConvProblem>(problem).k = columns;
      }
      const PlanOptions options{.split_k = two_stage(*operation) ? 4 : -1};
      const Verdict v = operation->supports(problem, options);
      if (v.ok) {
        EXPECT_EQ(failure_of(*operation, problem, reference::Fill::integers, 5, options), "") << operation->name;
      } else {
        EXPECT_EQ(v.code, Reason::channels_not_divisible) << operation->name << ": " << v.why.view();
        EXPECT_NE(columns % operation->tiling().vector_c, 0) << operation->name;
      }
    }
  }
}

// A cluster whose slices or shares of rows are empty still meets: 15 workgroups on 16 rows own 2 rows each, 7 of them
// none.
TEST_P(SplitK, lesson52_clusters_with_empty_shares_end) {
  if (arch_traits(GetParam()).cluster_limit == 0) GTEST_SKIP() << "the target has no clusters";
  const auto clusters = splitting([](const Operation& o) { return o.tiling().split_k == zellige::SplitK::cluster; });
  ASSERT_FALSE(clusters.empty());
  std::set<int> sizes;
  for (const Operation* operation : clusters) {
    sizes.insert(operation->tiling().cluster);
    for (std::int64_t depth : {1, 64, 700}) {
      EXPECT_EQ(failure_of(*operation, problem_of(*operation, depth), reference::Fill::integers, 5), "")
          << operation->name << " of depth " << depth;
    }
  }
  if (arch_traits(GetParam()).cluster_limit < 15) return;  // fewer sizes, and a table that need not have all
  for (int size : cluster_sizes) EXPECT_EQ(sizes.count(size), 1u) << size;
}

TEST_P(SplitK, lesson17_lesson36_dispatches_carry_their_shape_and_count_the_same_slabs) {
  for (const Operation* operation : splitting()) {
    const Planned planned = operation->plan(problem_of(*operation, 512), {.split_k = two_stage(*operation) ? 4 : -1});
    ASSERT_TRUE(planned.verdict.ok) << planned.verdict.why.view();
    const int size = operation->tiling().cluster;
    ASSERT_EQ(planned.plan.dispatches.size(), two_stage(*operation) ? 2u : 1u) << operation->name;
    EXPECT_EQ(planned.plan.dispatches[0].shape.cluster, static_cast<unsigned>(size));
    EXPECT_EQ(planned.plan.dispatches[0].shape.workgroups_z, static_cast<unsigned>(size));
    EXPECT_TRUE(planned.plan.deterministic);
    // lesson 36: both stages count the same slabs.
    EXPECT_EQ(planned.plan.workspace_bytes % planned.plan.split_k, 0);
    EXPECT_EQ(planned.plan.workspace_bytes > 0, needs_workspace(operation->tiling()));
  }
}

// Biases and activations of partial sums would be wrong: they move to where the slices are added up.
TEST_P(SplitK, lesson07_lesson20_epilogues_are_those_of_the_whole_sum) {
  std::vector<const Operation*> some = splitting();
  for (const Operation& operation : operations(GetParam())) {
    const bool floats = accumulator_of(operation.mma().input) != DataType::i32;
    if (operation.tiling().split_k == zellige::SplitK::none && floats && some.size() < 14) some.push_back(&operation);
  }
  std::size_t ran = 0;
  for (const Operation* operation : some) {
    const Problem problem = problem_of(*operation, 200);
    if (!operation->supports(problem).ok) continue;
    ++ran;
    for (int parts = 0; parts < 8; ++parts) {
      for (Activation activation : {Activation::none, Activation::relu, Activation::clamp}) {
        const PlanOptions options{.split_k = two_stage(*operation) ? 3 : -1,
                                  .epilogue = {.scale = (parts & 1) != 0,
                                               .bias = (parts & 2) != 0,
                                               .residual = (parts & 4) != 0,
                                               .activation = activation,
                                               .low = -3,
                                               .high = 40}};
        const auto fill = parts % 2 == 0 ? reference::Fill::integers : reference::Fill::reals;
        EXPECT_EQ(failure_of(*operation, problem, fill, 9, options), "")
            << operation->name << ", " << describe(options);
      }
    }
  }
  EXPECT_GT(ran, some.size() / 2);
}

// The fallback table of CUs, from which degrees follow, agrees with what the device says of itself.
TEST_P(SplitK, lesson51_the_table_of_compute_units_is_the_devices) {
  EXPECT_EQ(current_device().compute_units, arch_traits(GetParam()).compute_units);
}

INSTANTIATE_TEST_SUITE_P(Every, SplitK, testing::ValuesIn(built_targets()),
                         [](const auto& info) { return std::string(arch_traits(info.param).name); });

}  // namespace
}  // namespace zellige
