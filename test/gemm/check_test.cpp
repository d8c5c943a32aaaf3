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
  expect_refused(with([](auto& c) { c.tiling.staging = Staging(2); }), Reason::config_value, "staging = 2");
  expect_refused(with([](auto& c) { c.tiling.transpose = Transpose(-1); }), Reason::config_value, "transpose = -1");
  expect_refused(with([](auto& c) { c.tiling.scheduling = Scheduling(3); }), Reason::config_value, "scheduling = 3");
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

TEST(GemmCheck, MixedWeightsAreOf8BitFloats) {
  const auto mixed = [](DataType input) {
    return with([&](auto& c) {
      c.input = input, c.output = DataType::f32, c.weight = WeightType::mixed;
      c.tiling.block.k = 64, c.tiling.atom = {32, 32, 16}, c.tiling.vector_a = c.tiling.vector_b = 16;
    });
  };
  EXPECT_TRUE(check(mixed(DataType::f8e4m3fnuz), Arch::gfx942).ok);
  EXPECT_TRUE(check(mixed(DataType::f8e5m2), Arch::gfx950).ok);
  expect_refused(mixed(DataType::f16), Reason::unsupported_type, "mixed is of 8-bit floats, not of f16");
  expect_refused(mixed(DataType::f8e4m3), Reason::no_such_atom, "instruction for f8e4m3 by f8e5m2; it has none");
  expect_refused(with([](auto& c) { c.weight = WeightType(2); }), Reason::config_value, "weight = 2");
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

constexpr GemmConfig direct(int vector) {
  GemmConfig c{.tiling = good};
  c.tiling.staging = Staging::direct_to_lds;
  c.tiling.vector_a = c.tiling.vector_b = vector;
  return c;
}

TEST(GemmCheck, DirectCopiesHaveTheTargetsWidths) {
  EXPECT_TRUE(check(direct(2), Arch::gfx942).ok);
  EXPECT_TRUE(check(direct(8), Arch::gfx950).ok);
  expect_refused(direct(8), Reason::staging_unsupported, "gfx942 copies no 16 bytes a lane, as A's vector of 8");
  expect_refused(direct(4), Reason::staging_unsupported, "gfx950 copies no 8 bytes", Arch::gfx950);
  expect_refused(direct(1), Reason::staging_unsupported, "copies no 2 bytes");
}

TEST(GemmCheck, lesson50_direct_copies_leave_no_room_for_padding) {
  GemmConfig c = direct(2);
  c.tiling.lds = LdsLayout::padded;
  expect_refused(c, Reason::staging_unsupported, "rows cannot be padded");
  c.tiling.staging = Staging::registers;
  EXPECT_TRUE(check(c, Arch::gfx942).ok);
}

TEST(GemmCheck, DirectCopiesDoNotTranspose) {
  GemmConfig c = direct(2);
  c.order_b = MatrixOrder::row;
  expect_refused(c, Reason::staging_unsupported, "cannot transpose B");
  c = direct(8);
  c.order_b = MatrixOrder::row;
  c.tiling.transpose = Transpose::on_read;
  EXPECT_TRUE(check(c, Arch::gfx950).ok);
}

TEST(GemmCheck, TransposedReadsAreForRowsOf16BitsOnTargetsThatHaveThem) {
  GemmConfig c{.tiling = good};
  c.tiling.transpose = Transpose::on_read;
  expect_refused(c, Reason::transpose_unsupported, "nothing to transpose", Arch::gfx950);
  c.order_a = MatrixOrder::column;
  EXPECT_TRUE(check(c, Arch::gfx950).ok);
  expect_refused(c, Reason::transpose_unsupported, "gfx942 has no transposed LDS reads");
  c.tiling.block.m = 192, c.tiling.waves = {3, 2};
  expect_refused(c, Reason::lds_layout, "block.m or block.n = 192 makes 384", Arch::gfx950);
  c = {.input = DataType::f32, .output = DataType::f32, .order_a = MatrixOrder::column, .tiling = good};
  c.tiling.atom = {32, 32, 2}, c.tiling.vector_a = c.tiling.vector_b = 4, c.tiling.transpose = Transpose::on_read;
  expect_refused(c, Reason::transpose_unsupported, "2 bytes, not of 4", Arch::gfx950);
}

TEST(GemmCheck, PingPongHasTwoWavesOnEachSimdAndTwoBuffers) {
  GemmConfig c{.tiling = good};
  c.tiling.scheduling = Scheduling::ping_pong;
  expect_refused(c, Reason::scheduling_unsupported, "two waves on each of 4 SIMDs, but there are 4");
  c.tiling.waves = {4, 2};
  EXPECT_TRUE(check(c, Arch::gfx942).ok);
  c.tiling.pipeline = Pipeline::single_buffer;
  expect_refused(c, Reason::scheduling_unsupported, "needs Pipeline::double_buffer");
  c.tiling.pipeline = Pipeline::double_buffer;
  c.tiling.staging = Staging::direct_to_lds;
  expect_refused(c, Reason::staging_unsupported, "still read");
}

TEST(GemmCheck, LoadWavesAreOfTheWaveletPipelineAndThatOfWmmaTargets) {
  expect_refused(with([](auto& c) { c.tiling.load_waves = 2; }), Reason::pipeline_unsupported, "load_waves = 2 belongs");
  expect_refused(with([](auto& c) { c.tiling.pipeline = Pipeline::wavelet; }), Reason::pipeline_unsupported, "load_waves = 0");
  expect_refused(with([](auto& c) { c.tiling.pipeline = Pipeline::wavelet, c.tiling.load_waves = 4; }),
                 Reason::pipeline_unsupported, "gfx942 is not");
  expect_refused(with([](auto& c) { c.tiling.pipeline = Pipeline::wavelet, c.tiling.load_waves = 4, c.tiling.atom = {16, 8, 16}; }),
                 Reason::pipeline_unsupported, "sm_90 is not", Arch::sm_90);
  expect_refused(with([](auto& c) { c.tiling.load_waves = -1; }), Reason::config_value, "load_waves = -1");
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
  EXPECT_TRUE(supports(c, Arch::gfx942, {.m = rows, .n = 1, .k = 8}).ok) << "in two chunks";
  expect_unsupported(c, {.m = 1, .n = rows, .k = 8}, Reason::tensor_too_large, "B has 2147483648 bytes");
  expect_unsupported(c, {.m = 1 << 20, .n = 1 << 20, .k = 8}, Reason::tensor_too_large, "dispatches, over the 1024");
}

TEST(GemmCheck, lesson24_compute_units_below_zero_are_refused) {
  const GemmConfig c{.tiling = good};
  for (int units : {-1, INT32_MIN})
    EXPECT_EQ(supports(c, Arch::gfx942, {.m = 128, .n = 128, .k = 32}, {.compute_units = units}).code, Reason::config_value);
  EXPECT_TRUE(supports(c, Arch::gfx942, {.m = 128, .n = 128, .k = 32}, {.compute_units = 1}).ok);
}

}  // namespace
}  // namespace zellige
