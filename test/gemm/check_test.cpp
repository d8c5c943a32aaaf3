// Every refusal of a GEMM config and of an instance for a problem: its code, and the numbers in its sentence.
#include "zellige/gemm/check.hpp"

#include <gtest/gtest.h>

#include <set>

namespace zellige {
namespace {

constexpr Tiling good{.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}};

/// `good`, with one change.
template <class Change>
constexpr GemmConfig with(Change change) {
  GemmConfig c{.tiling = good};
  change(c);
  return c;
}

void expect_refused(const GemmConfig& config, Reason code, std::string_view words, Arch arch = Arch::gfx942) {
  const Verdict v = check(config, arch);
  EXPECT_FALSE(v.ok);
  EXPECT_EQ(v.code, code) << v.why.view();
  EXPECT_NE(v.why.view().find(words), std::string_view::npos) << v.why.view();
}

TEST(GemmCheck, AcceptsAPlainConfigOnEveryMfmaTarget) {
  for (Arch arch : {Arch::gfx90a, Arch::gfx942, Arch::gfx950}) EXPECT_TRUE(check(GemmConfig{.tiling = good}, arch).ok);
}

TEST(GemmCheck, NamesTheAtomsThatTheTargetHas) {
  expect_refused(with([](auto& c) { c.tiling.atom = {32, 32, 16}; }), Reason::no_such_atom, "32x32x8");
  expect_refused(with([](auto&) {}), Reason::no_such_atom, "gfx1100", Arch::gfx1100);
}

TEST(GemmCheck, BlocksAreWholeAtoms) {
  expect_refused(with([](auto& c) { c.tiling.block.m = 96; }), Reason::block_not_whole_atoms, "block.m = 96 is not a multiple of waves.m * atom.m = 2 * 32");
  expect_refused(with([](auto& c) { c.tiling.block.n = 48; }), Reason::block_not_whole_atoms, "block.n = 48");
  expect_refused(with([](auto& c) { c.tiling.block.k = 20; }), Reason::block_not_whole_atoms, "block.k = 20 is not a multiple of atom.k = 8");
  expect_refused(with([](auto& c) { c.tiling.block = {}; }), Reason::config_value, "block.m = 0 must be from 1 to 4096");
  expect_refused(with([](auto& c) { c.tiling.waves.n = -1; }), Reason::config_value, "waves.n = -1 must be from 1 to 4096");
}

TEST(GemmCheck, NumbersBeyondAnyTargetOverflowNothing) {
  constexpr int most = INT32_MAX;
  expect_refused(with([](auto& c) { c.tiling.block = {65536, 65536, 65536}; }), Reason::config_value, "block.m = 65536");
  expect_refused(with([](auto& c) { c.tiling.block.m = most - 63; }), Reason::config_value, "block.m = 2147483584");
  expect_refused(with([](auto& c) { c.tiling.waves = {most, most}; }), Reason::config_value, "waves.m = 2147483647");
  expect_refused(with([](auto& c) { c.tiling.min_blocks = most; }), Reason::config_value, "min_blocks = 2147483647");
  expect_refused(with([](auto& c) { c.tiling.vector_c = 1 << 30; }), Reason::vector_width, "vector_c = 1073741824");
  // The largest that pass: no sum of the other checks overflows, which a constant expression would not compile.
  constexpr Verdict largest = check(with([](auto& c) { c.tiling.block = {4096, 4096, 4096}; }), Arch::gfx942);
  EXPECT_FALSE(largest.ok);
  constexpr Verdict slab = check(with([](auto& c) { c.tiling.block.n = 4096, c.tiling.store = Store::lds_shuffle; }), Arch::gfx942);
  EXPECT_FALSE(slab.ok);
  constexpr Verdict threads = check(with([](auto& c) { c.tiling.waves = {4096, 4096}; }), Arch::gfx942);
  EXPECT_FALSE(threads.ok);
}

TEST(GemmCheck, ValuesOutsideOfAnEnumerationAreNamed) {
  expect_refused(with([](auto& c) { c.tiling.pipeline = Pipeline(7); }), Reason::config_value, "pipeline = 7");
  expect_refused(with([](auto& c) { c.tiling.lds = LdsLayout(2); }), Reason::config_value, "lds = 2");
  expect_refused(with([](auto& c) { c.tiling.walk = Walk(-1); }), Reason::config_value, "walk = -1");
  expect_refused(with([](auto& c) { c.tiling.store = Store(5); }), Reason::config_value, "store = 5");
  expect_refused(with([](auto& c) { c.order_a = MatrixOrder(4); }), Reason::config_value, "order_a = 4");
  expect_refused(with([](auto&) {}), Reason::config_value, "arch = 0 is none of the targets", Arch::none);
}

TEST(GemmCheck, ThreadsFitAWorkgroup) {
  expect_refused(with([](auto& c) { c.tiling.block = {256, 512, 32}, c.tiling.waves = {4, 8}; }), Reason::too_many_threads, "2048 threads");
}

TEST(GemmCheck, LdsFitsTheTarget) {
  expect_refused(with([](auto& c) { c.tiling.block = {256, 256, 64}, c.tiling.waves = {4, 2}; }), Reason::lds_too_small, "131072 bytes of LDS, over the 65536");
  EXPECT_TRUE(check(with([](auto& c) { c.tiling.block = {256, 256, 64}, c.tiling.waves = {4, 2}; }), Arch::gfx950).ok);
}

TEST(GemmCheck, VectorsArePowersOfTwoUpTo16Bytes) {
  expect_refused(with([](auto& c) { c.tiling.vector_a = 16; }), Reason::vector_width, "vector_a = 16");
  expect_refused(with([](auto& c) { c.tiling.vector_b = 3; }), Reason::vector_width, "vector_b = 3");
  expect_refused(with([](auto& c) { c.tiling.vector_c = 0; }), Reason::vector_width, "vector_c = 0");
  expect_refused(with([](auto& c) { c.input = c.output = DataType::f32, c.tiling.atom = {32, 32, 2}; }), Reason::vector_width, "at most 4 elements");
}

TEST(GemmCheck, CopiesCoverTilesInWholePasses) {
  expect_refused(with([](auto& c) { c.tiling.block = {32, 32, 8}, c.tiling.waves = {1, 1}, c.tiling.vector_a = 8; c.tiling.block.k = 24; }),
                 Reason::copy_not_whole, "3 lanes a line");
  expect_refused(with([](auto& c) { c.tiling.block = {64, 64, 8}; }), Reason::copy_not_whole, "covers 256 lines");
}

TEST(GemmCheck, SwizzledRowsArePowersOfTwo) {
  const auto three_waves = [](auto& c) { c.tiling.block = {96, 64, 96}, c.tiling.waves = {3, 1}, c.tiling.pipeline = Pipeline::single_buffer; };
  expect_refused(with(three_waves), Reason::lds_layout, "block.k = 96 makes 192");
  EXPECT_TRUE(check(with([&](auto& c) { three_waves(c), c.tiling.lds = LdsLayout::padded; }), Arch::gfx942).ok);
}

TEST(GemmCheck, TypesAreThoseOfTheFamily) {
  expect_refused(with([](auto& c) { c.input = DataType::i8; }), Reason::unsupported_type, "outputs of i8 are i32 or f32, not f16");
  expect_refused(with([](auto& c) { c.output = DataType::bf16; }), Reason::unsupported_type, "outputs of f16 are f16 or f32, not bf16");
  expect_refused(with([](auto& c) { c.input = c.output = DataType::i32; }), Reason::unsupported_type, "no kernels that read i32");
}

TEST(GemmCheck, EveryTypeIsReadButI32AndNoneIsWrittenTwice) {
  std::set<std::pair<DataType, DataType>> pairs;
  std::set<DataType> inputs;
  for (const auto& pair : detail::type_pairs()) {
    EXPECT_TRUE(pairs.emplace(pair.input, pair.output).second) << name_of(pair.input) << " " << name_of(pair.output);
    inputs.insert(pair.input);
  }
  EXPECT_EQ(inputs.size(), std::size(all_data_types) - 1);
  EXPECT_FALSE(inputs.count(DataType::i32));
}

TEST(GemmCheck, EpiloguesCoverWholeRows) {
  expect_refused(with([](auto& c) { c.tiling.vector_c = 8; }), Reason::epilogue_shape, "vector_c must be 1");
}

TEST(GemmCheck, RegistersFitTheWave) {
  expect_refused(with([](auto& c) { c.tiling.block = {256, 256, 32}, c.tiling.min_blocks = 2; }), Reason::too_many_registers, "256 accumulators");
}

void expect_unsupported(const GemmConfig& config, const GemmProblem& problem, Reason code, std::string_view words, int split_k = -1) {
  const Verdict v = supports(config, Arch::gfx942, problem, {.split_k = split_k});
  EXPECT_FALSE(v.ok);
  EXPECT_EQ(v.code, code) << v.why.view();
  EXPECT_NE(v.why.view().find(words), std::string_view::npos) << v.why.view();
}

TEST(GemmSupports, SaysWhichSizeDoesNotDivide) {
  const GemmConfig c{.tiling = good};
  EXPECT_TRUE(supports(c, Arch::gfx942, {.m = 1, .n = 1, .k = 8}).ok);
  expect_unsupported(c, {.m = 8, .n = 8, .k = 12}, Reason::channels_not_divisible, "k = 12 is not a multiple of vector_a = 8");
  expect_unsupported(c, {.m = 8, .n = 8, .k = 8, .ld_a = 9}, Reason::channels_not_divisible, "leading dimension of A = 9");
  expect_unsupported(with([](auto& g) { g.tiling.walk = Walk::run; }), {.m = 8, .n = 8, .k = 40}, Reason::reduction_not_divisible, "block.k");
}

TEST(GemmSupports, TypesLayoutsAndSplitsMustMatch) {
  const GemmConfig c{.tiling = good};
  expect_unsupported(c, {.k = 8, .input = DataType::bf16, .output = DataType::bf16}, Reason::type_mismatch, "asks bf16");
  expect_unsupported(c, {.k = 8, .order_b = MatrixOrder::row}, Reason::layout_mismatch, "has rr");
  for (int split : {0, -2, 2, INT_MIN}) expect_unsupported(c, {.k = 8}, Reason::split_k_unsupported, "split", split);
}

TEST(GemmSupports, TensorsAtTheAddressLimit) {
  const GemmConfig c{.tiling = good};
  // A of 2^30 - 8 by 1 row of k = 8 f16: exactly at, just under and over 2^31 - 1 bytes.
  const std::int64_t rows = (std::int64_t{1} << 31) / 16;
  EXPECT_TRUE(supports(c, Arch::gfx942, {.m = rows - 1, .n = 1, .k = 8}).ok);
  expect_unsupported(c, {.m = rows, .n = 1, .k = 8}, Reason::tensor_too_large, "2147483648 bytes");
  expect_unsupported(c, {.m = 1 << 20, .n = 1 << 20, .k = 8}, Reason::tensor_too_large, "C has 2199023255552");
}

}  // namespace
}  // namespace zellige
