// Folded and split problems on every instance: the same bits as without, all of them right, nothing else touched.
//
// Small artificial limits make tiny tensors take many dispatches; outputs are NaN before each run, so that an output
// that no chunk writes shows, and guard zones and poisoned gaps show what is read or written elsewhere.
#include <gtest/gtest.h>

#include "device_run.hpp"
#include "random_problem.hpp"
#include "targets.hpp"
#include "use_device.hpp"

namespace zellige {
namespace {

class Chunks : public testing::TestWithParam<Arch> {
 protected:
  void SetUp() override {
    if (!use_device(GetParam())) GTEST_SKIP() << "no device of " << arch_traits(GetParam()).name;
    ASSERT_EQ(target_library(GetParam()).error, "");
  }

  /// Calls body(operation) for the instances of one family.
  template <class Body>
  static void for_each_of(Family family, Body body) {
    for (const Operation& operation : operations(GetParam())) {
      if (operation.family == family) body(operation);
    }
  }
};

std::int64_t most_bytes(const ConvProblem& p) {
  return std::max({input_bytes(p).value, weight_bytes(p).value, output_bytes(p).value});
}
std::int64_t most_bytes(const GemmProblem& p) {
  return std::max({bytes_a(p).value, bytes_b(p).value, bytes_c(p).value});
}

/// Whether Pipeline::few_channels computes it: it takes neither the channels of a folded image nor those that suit the
/// others.
bool of_few_channels(const Operation& operation) { return operation.tiling().pipeline == Pipeline::few_channels; }

/// The least limit of [low, high] at which the instance takes the problem, and `high` where there is none below.
std::int64_t least_limit(const Operation& operation, const Problem& problem, std::int64_t low, std::int64_t high) {
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (operation.supports(problem, {.limit_bytes = middle}).ok)
      high = middle;
    else
      low = middle + 1;
  }
  return high;
}

/// Runs with a limit; the bits must be `expected`. Returns the plan's chunks.
std::int64_t expect_same_bits(const Operation& operation, const Problem& problem, std::uint64_t seed,
                              std::int64_t limit, const std::vector<std::byte>& expected) {
  const PlanOptions options{.limit_bytes = limit};
  const RunResult split = run_and_check(operation, problem, reference::Fill::integers, seed, options);
  EXPECT_EQ(split.failure, "") << operation.name << "\n  " << describe(problem) << "\n  limit " << limit;
  EXPECT_TRUE(split.output == expected) << operation.name << "\n  " << describe(problem) << "\n  limit " << limit;
  return operation.plan(problem, options).plan.chunks;
}

/// The innermost axis of a problem that the unfolded instance supports, made foldable.
ConvProblem foldable(ConvProblem p, Random& random) {
  const auto pick = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  p.c /= p.groups, p.k /= p.groups, p.groups = 1;
  const std::int64_t f = pick(2, 4);
  ConvAxis& a = p.axis[p.spatial - 1];
  do {
    a = {.size = f * pick(1, 4),
         .filter = f * pick(1, 2),
         .stride = f * pick(1, 2),
         .pad_before = f * pick(0, 2),
         .pad_after = pick(0, 5)};
  } while (a.outputs() < 1);
  return p;
}

TEST_P(Chunks, lesson03_small_limits_give_the_bits_of_one_dispatch) {
  Random random(11);
  std::int64_t by_images = 0, by_rows = 0, folded_too = 0, of_few = 0;
  for_each_of(Family::conv_fwd, [&](const Operation& operation) {
    for (std::uint64_t round = 0; round < 4; ++round) {
      auto p = std::get<ConvProblem>(random_problem(operation, random));
      const std::int64_t n[] = {1, 2, 5, 7};  // primes above all: no equal chunks
      p.n = n[round];
      p.axis[0].size += 10 + 10 * static_cast<std::int64_t>(round);  // images larger than the weight
      if (round % 2 == 1 && !of_few_channels(operation)) p = foldable(p, random);
      if (of_few_channels(operation) && !operation.supports(p).ok) continue;  // longer rows of one axis
      const RunResult whole = run_and_check(operation, p, reference::Fill::integers, round);
      ASSERT_EQ(whole.failure, "") << operation.name << " on " << describe(p);
      const std::int64_t image = std::max(input_bytes(p).value, output_bytes(p).value) / p.n,
                         least = least_limit(operation, p, 1, most_bytes(p));
      for (const std::int64_t limit : {std::max(least, image * 2), std::max(least, image), least}) {
        const std::int64_t chunks = expect_same_bits(operation, p, round, limit, whole.output);
        by_images += chunks > 1 && limit >= image ? 1 : 0;
        by_rows += chunks > 1 && limit < image ? 1 : 0;
        folded_too += chunks > 1 && fold_factor(p) > 1 ? 1 : 0;
        of_few += chunks > 1 && of_few_channels(operation) ? 1 : 0;
      }
    }
  });
  EXPECT_GT(by_images, 10);
  EXPECT_GT(by_rows, 10);
  EXPECT_GT(folded_too, 0);
  if (arch_traits(GetParam()).tensor_copies) EXPECT_GT(of_few, 0);
}

TEST_P(Chunks, RowsOfProductsGiveTheBitsOfOneDispatch) {
  Random random(12);
  std::int64_t split = 0;
  for_each_of(Family::gemm, [&](const Operation& operation) {
    for (std::uint64_t round = 0; round < 3; ++round) {
      auto p = std::get<GemmProblem>(random_problem(operation, random));
      p.m += 2 * operation.tiling().block.m;
      if (p.ld_a != 0 && p.order_a == MatrixOrder::column) p.ld_a += 2 * operation.tiling().block.m;
      const RunResult whole = run_and_check(operation, p, reference::Fill::integers, round);
      ASSERT_EQ(whole.failure, "") << operation.name << " on " << describe(p);
      const std::int64_t least = least_limit(operation, p, 1, most_bytes(p));
      for (const std::int64_t limit : {least, (least + most_bytes(p)) / 2})
        split += expect_same_bits(operation, p, round, limit, whole.output) > 1 ? 1 : 0;
    }
  });
  EXPECT_GT(split, 10);
}

TEST_P(Chunks, FoldedProblemsGiveTheBitsOfUnfoldedOnes) {
  Random random(13);
  int problems = 0, ranks[max_spatial + 1] = {};
  for_each_of(Family::conv_fwd, [&](const Operation& operation) {
    if (of_few_channels(operation)) return;
    for (std::uint64_t round = 0; round < 8; ++round, ++problems) {
      const ConvProblem p = foldable(std::get<ConvProblem>(random_problem(operation, random)), random);
      ++ranks[p.spatial];
      const auto fill = round % 4 == 3 ? reference::Fill::reals : reference::Fill::integers;
      const RunResult folded = run_and_check(operation, p, fill, round),
                      plain = run_and_check(operation, p, fill, round, {.fold = false});
      EXPECT_EQ(folded.failure, "") << operation.name << "\n  " << describe(p);
      EXPECT_EQ(plain.failure, "") << operation.name << "\n  " << describe(p);
      // Of reals where taps end between two instructions: else an instruction adds other products up at a time.
      const int depth = std::visit([](const auto& kernel) { return kernel.config.tiling.atom.k; }, operation.kernel);
      if (fill == reference::Fill::integers || p.c % depth == 0)
        EXPECT_TRUE(folded.output == plain.output) << operation.name << "\n  " << describe(p);
      EXPECT_GT(operation.plan(p).plan.fold, 1);
      EXPECT_EQ(operation.plan(p, {.fold = false}).plan.fold, 1);
    }
  });
  for (int rank = 1; rank <= max_spatial; ++rank) EXPECT_GT(ranks[rank], 0) << rank << " axes";
}

TEST_P(Chunks, FoldingLetsWideVectorsReadNarrowPixels) {
  int wide = 0;
  for_each_of(Family::conv_fwd, [&](const Operation& operation) {
    const ConvConfig& config = std::get<ConvKernel>(operation.kernel).config;
    // Tensor copies take strides of 8 at most, and few channels are no matter of vectors.
    if (config.spatial < 2 || by_warpgroups(config.tiling.pipeline)) return;
    ConvProblem p{.input = config.input,
                  .weight = weight_of(config.input, config.weight),
                  .output = config.output,
                  .n = 2,
                  .c = 3,
                  .k = 128,
                  .spatial = 2};
    p.axis[0] = {.size = 4, .filter = 2, .stride = 2};
    p.axis[1] = {.size = 128, .filter = 64, .stride = 64};  // 192 channels: whole steps of every Walk::run
    if (config.spatial < 2 || operation.supports(p, {.fold = false}).ok) return;
    ASSERT_TRUE(operation.supports(p).ok) << operation.name << ": " << operation.supports(p).why.view();
    EXPECT_EQ(failure_of(operation, p, reference::Fill::integers, 1), "") << operation.name;
    p.c = 6, p.groups = 2;  // channels of a group would not stay together
    EXPECT_FALSE(operation.supports(p).ok);
    ++wide;
  });
  EXPECT_GT(wide, 3);
}

TEST_P(Chunks, lesson46_every_run_of_every_chunk_begins_at_zero) {
  // Sums of a chunk must not begin with those of the chunk before, nor a second run with those of the first.
  for_each_of(Family::conv_fwd, [&](const Operation& operation) {
    const ConvConfig& config = std::get<ConvKernel>(operation.kernel).config;
    ConvProblem p{.input = config.input,
                  .weight = weight_of(config.input, config.weight),
                  .output = config.output,
                  .n = 2,
                  .c = of_few_channels(operation) ? 4 : 64,
                  .k = 128,
                  .spatial = 1};
    p.axis[0] = {.size = 6, .filter = 3};
    const std::int64_t least = least_limit(operation, p, 1, 1 << 20);
    for (std::uint64_t seed : {1, 2})
      EXPECT_EQ(failure_of(operation, p, reference::Fill::integers, seed, {.limit_bytes = least}), "")
          << operation.name;
  });
}

INSTANTIATE_TEST_SUITE_P(Every, Chunks, testing::ValuesIn(built_targets()),
                         [](const auto& info) { return std::string(arch_traits(info.param).name); });

}  // namespace
}  // namespace zellige
