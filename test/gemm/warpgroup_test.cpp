#include <gtest/gtest.h>

#include <set>

#include "zellige/conv/check.hpp"
#include "zellige/conv/warpgroup_pack.hpp"
#include "zellige/gemm/name.hpp"
#include "zellige/gemm/warpgroup_check.hpp"
#include "zellige/gemm/warpgroup_pack.hpp"

namespace zellige {
namespace {

GemmConfig config(Mnk block = {128, 128, 64}, int stages = 4) {
  return {.input = DataType::bf16,
          .output = DataType::bf16,
          .tiling = {.block = block,
                     .waves = {block.m / 16, 1},
                     .atom = {64, block.n, 16},
                     .pipeline = Pipeline::tensor_copy,
                     .vector_c = 8,
                     .store = Store::lds_shuffle,
                     .stages = stages}};
}

TEST(Warpgroup, BlocksOfManyShapesAreAccepted) {
  for (const Mnk block : {Mnk{64, 16, 16}, Mnk{64, 64, 64}, Mnk{128, 192, 32}, Mnk{128, 256, 64}, Mnk{192, 128, 64}}) {
    const Verdict v = check(config(block), Arch::sm_90);
    EXPECT_TRUE(v.ok) << v.why.view();
  }
}

/// Sums stored element by element.
GemmConfig any_row(Mnk block, int stages = 4) {
  GemmConfig c = config(block, stages);
  c.tiling.store = Store::direct, c.tiling.vector_c = 1;
  return c;
}

TEST(Warpgroup, RowsOfCBeginAnywhereWhereSumsAreStoredDirectly) {
  for (const Mnk block : {Mnk{256, 8, 64}, Mnk{64, 8, 16}, Mnk{128, 32, 64}, Mnk{128, 128, 64}}) {
    const Verdict v = check(any_row(block), Arch::sm_90);
    EXPECT_TRUE(v.ok) << v.why.view();
  }
  GemmProblem p{.m = 65,
                .n = 1001,
                .k = 64,
                .input = DataType::bf16,
                .output = DataType::bf16,
                .order_b = MatrixOrder::column,
                .ld_c = 1003};
  EXPECT_TRUE(supports(any_row({128, 128, 64}), Arch::sm_90, p).ok);
  const Verdict rows = supports(config(), Arch::sm_90, p);
  EXPECT_EQ(rows.code, Reason::channels_not_divisible);
  EXPECT_NE(rows.why.view().find("n = 1001 is not a multiple of vector_c = 8"), std::string_view::npos);
  p.n = 1000;
  EXPECT_NE(supports(config(), Arch::sm_90, p).why.view().find("the leading dimension of C = 1003"),
            std::string_view::npos);
  p.k = 63;  // copies still move 16 bytes
  EXPECT_EQ(supports(any_row({128, 128, 64}), Arch::sm_90, p).code, Reason::channels_not_divisible);
}

TEST(Warpgroup, DirectStoresNeedFewBuffers) {
  const WarpgroupShape with = warpgroup_shape(config({128, 16, 64}), false),
                       without = warpgroup_shape(any_row({128, 16, 64}), false);
  EXPECT_EQ(with.lds_bytes() - without.lds_bytes(), 2 * 64 * 32);  // a buffer a consumer: warps store by themselves
  EXPECT_EQ(warpgroup_shape(any_row({128, 128, 64}), false).store_bytes(), 64 * 64);  // chunks of 32 columns
}

TEST(Warpgroup, NarrowBlocksAreStoredByWarpsAndWideOnesByTheCopyEngine) {
  for (const auto& [n, packets] :
       {std::pair{16, true}, {32, true}, {48, true}, {64, true}, {96, false}, {144, false}}) {
    const WarpgroupShape s = warpgroup_shape(config({64, n, 32}), false);
    EXPECT_EQ(s.stores_packets(), packets) << n;
    EXPECT_EQ(s.maps_c(), !packets) << n;
    EXPECT_EQ(s.store_buffers(), packets ? 1 : 2) << n;
  }
}

TEST(Warpgroup, RegistersMoveOnlyToThoseWhoCanUseMore) {
  EXPECT_FALSE(warpgroup_shape(config({64, 64, 64}), false).moves_registers());
  EXPECT_TRUE(warpgroup_shape(config({128, 128, 64}), false).moves_registers());
}

TEST(Warpgroup, TilesOfBStayWhereAllBlocksHaveTheSame) {
  GemmProblem p{
      .m = 4096, .n = 128, .k = 256, .input = DataType::bf16, .output = DataType::bf16, .order_b = MatrixOrder::column};
  const auto keeps = [&](const GemmConfig& c, int slices = 1) {
    return pack_warpgroups(c, warpgroup_shape(c, false), p, slices).args.keeps_b;
  };
  EXPECT_EQ(keeps(config()), 1u);  // four steps, four stages
  p.k = 257 * 8;
  EXPECT_EQ(keeps(config()), 0u);
  p.k = 256, p.n = 136;
  EXPECT_EQ(keeps(config()), 0u);
  p.n = 128;
  GemmConfig sliced = config();
  sliced.tiling.split_k = SplitK::two_stage;
  EXPECT_EQ(keeps(sliced, 2), 0u);
  p.n = 3, p.k = 18 * 64;
  EXPECT_EQ(keeps(any_row({128, 8, 64})), 1u);
  EXPECT_EQ(keeps(any_row({128, 16, 64})), 0u);
}

TEST(Warpgroup, RowsThatAreNoPowerOfTwoAreStoredUnswizzled) {
  EXPECT_EQ(warpgroup_shape(config({64, 144, 32}), false).store_row_bytes(), 288);
  EXPECT_EQ(swizzled_offset(3, 16, 288), 3u * 288 + 16);
  EXPECT_EQ(warpgroup_shape(config({64, 192, 32}), false).store_row_bytes(), 128);
  EXPECT_EQ(warpgroup_shape(config({64, 96, 32}), false).store_row_bytes(), 64);
}

TEST(Warpgroup, NamesParseBack) {
  const std::string name = name_of(Arch::sm_90, config());
  EXPECT_EQ(name, "gemm_sm_90_bf16_b128x128x64_w8x1_a64x128x16_tensor_vc8_shuffle_st4");
  const auto parsed = parse_gemm_name(name);
  EXPECT_TRUE(parsed.ok()) << parsed.error;
  EXPECT_EQ(parsed.config, config());
  const std::string direct = name_of(Arch::sm_90, any_row({128, 8, 64}, 6));
  EXPECT_EQ(direct, "gemm_sm_90_bf16_b128x8x64_w8x1_a64x8x16_tensor_st6");
  EXPECT_EQ(parse_gemm_name(direct).config, any_row({128, 8, 64}, 6));
}

TEST(Warpgroup, ThreadsCountTheFeeder) { EXPECT_EQ(threads_of(config().tiling, Arch::sm_90), 3 * 128); }

struct Refused {
  const char* what;
  void (*spoil)(GemmConfig&);
  Reason reason;
  const char* says;
};

TEST(Warpgroup, EveryMisfitIsRefusedWithItsNumbers) {
  const Refused cases[] = {
      {"rows of warps", [](GemmConfig& c) { c.tiling.waves.m = 4; }, Reason::config_value, "waves.m = 4 must be 8"},
      {"columns of warps", [](GemmConfig& c) { c.tiling.waves.n = 2; }, Reason::config_value, "waves.n = 2 must be 1"},
      {"atom", [](GemmConfig& c) { c.tiling.atom.n = 64; }, Reason::config_value, "atom.n = 64 must be 128"},
      {"no such atom",
       [](GemmConfig& c) {
         c.tiling.atom = {64, 40, 16};
       },
       Reason::no_such_atom, "64x40x16"},
      {"an atom of single warps",
       [](GemmConfig& c) {
         c.tiling.atom = {16, 8, 16};
       },
       Reason::no_such_atom, "16x8x16"},
      {"mixed weights",
       [](GemmConfig& c) {
         c.input = DataType::f8e4m3, c.output = DataType::f32, c.weight = WeightType::mixed;
         c.tiling.atom.k = 32, c.tiling.vector_a = c.tiling.vector_b = 16, c.tiling.vector_c = 4;
       },
       Reason::no_such_atom, "f8e4m3 by f8e5m2"},
      {"more rows than a copy moves",
       [](GemmConfig& c) {
         c.tiling.block = {320, 64, 64}, c.tiling.waves.m = 20, c.tiling.atom.n = 64, c.tiling.stages = 2;
       },
       Reason::config_value, "block.m = 320 is over the 256"},
      {"a cluster without a ring",
       [](GemmConfig& c) {
         c.tiling.split_k = SplitK::cluster, c.tiling.cluster = 4, c.tiling.vector_c = 4, c.tiling.stages = 0;
       },
       Reason::config_value, "stages = 0 must be from 2 to 16"},
      {"a cluster too large", [](GemmConfig& c) { c.tiling.split_k = SplitK::cluster, c.tiling.cluster = 12; },
       Reason::cluster_unsupported, "from 2 to 8"},
      {"half a warpgroup", [](GemmConfig& c) { c.tiling.block.m = 96, c.tiling.waves.m = 6; }, Reason::config_value,
       "block.m % 64 = 32"},
      {"transposed A", [](GemmConfig& c) { c.order_a = MatrixOrder::column; }, Reason::config_value, "order_a = 1"},
      {"padded", [](GemmConfig& c) { c.tiling.lds = LdsLayout::padded; }, Reason::config_value, "lds = 1"},
      {"narrow loads", [](GemmConfig& c) { c.tiling.vector_a = 4; }, Reason::config_value, "vector_a = 4 must be 8"},
      {"narrow stores", [](GemmConfig& c) { c.tiling.vector_c = 1; }, Reason::config_value, "vector_c = 1 must be 8"},
      {"vectors stored directly", [](GemmConfig& c) { c.tiling.store = Store::direct; }, Reason::config_value,
       "vector_c = 8 must be 1: Store::direct"},
      {"slices stored directly",
       [](GemmConfig& c) {
         c.tiling.split_k = SplitK::two_stage, c.tiling.store = Store::direct, c.tiling.vector_c = 1;
       },
       Reason::config_value, "store = 0 must be 1: the sums of slices"},
      {"store rows of 16 bytes", [](GemmConfig& c) { c.tiling.block.n = 8, c.tiling.atom.n = 8; },
       Reason::epilogue_shape, "block.n = 8 makes rows of 16 bytes"},
      {"long rows", [](GemmConfig& c) { c.tiling.block.k = 128; }, Reason::lds_layout, "rows of 256 bytes"},
      {"no ring", [](GemmConfig& c) { c.tiling.stages = 0; }, Reason::config_value, "stages = 0 must be from 2 to 16"},
      {"a ring too long", [](GemmConfig& c) { c.tiling.stages = 8; }, Reason::lds_too_small, "over the 232448"},
      {"shared twice", [](GemmConfig& c) { c.tiling.min_blocks = 2, c.tiling.stages = 2; }, Reason::too_many_registers,
       "over the 80 of 384 threads in 2 workgroups"},
      {"fewer registers than the feeders keep",
       [](GemmConfig& c) {
         c = any_row({64, 8, 16}, 2);
         c.tiling.min_blocks = 8;
       },
       Reason::too_many_registers, "about 40 registers, over the 32 of 256 threads in 8 workgroups"},
  };
  for (const Refused& refused : cases) {
    GemmConfig c = config();
    refused.spoil(c);
    const Verdict v = check(c, Arch::sm_90);
    EXPECT_EQ(v.code, refused.reason) << refused.what << ": " << v.why.view();
    EXPECT_NE(v.why.view().find(refused.says), std::string_view::npos) << refused.what << ": " << v.why.view();
  }
}

TEST(Warpgroup, OtherTargetsRefuseThePipelineAndOtherPipelinesTheRing) {
  EXPECT_EQ(check(config(), Arch::gfx942).code, Reason::no_such_atom);
  GemmConfig c{.tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16}, .stages = 3}};
  EXPECT_EQ(check(c, Arch::gfx942).code, Reason::config_value);
}

TEST(Warpgroup, SwizzledRowsAreAPermutationThatKeeps16Bytes) {
  for (const std::uint32_t row_bytes : {32u, 64u, 128u}) {
    std::set<std::uint32_t> seen;
    for (std::uint32_t row = 0; row < 64; ++row) {
      for (std::uint32_t byte = 0; byte < row_bytes; ++byte) {
        const std::uint32_t at = swizzled_offset(row, byte, row_bytes);
        EXPECT_EQ(at / 1024, (row * row_bytes + byte) / 1024);
        EXPECT_EQ(at % 16, byte % 16);
        seen.insert(at);
      }
    }
    EXPECT_EQ(seen.size(), 64u * row_bytes);
    // Eight rows of one column lie in eight different groups of four banks.
    std::set<std::uint32_t> banks;
    for (std::uint32_t row = 0; row < 8; ++row) banks.insert(swizzled_offset(row, 0, row_bytes) % 128 / 16);
    EXPECT_EQ(banks.size(), 8u) << row_bytes;
  }
}

TEST(Warpgroup, AnImageMapWalksEveryOutputPixelAndNoOther) {
  const ConvConfig c{.input = DataType::bf16, .output = DataType::bf16, .tiling = config().tiling};
  ConvProblem p{.input = DataType::bf16, .weight = DataType::bf16, .output = DataType::bf16, .n = 3, .c = 16, .k = 24};
  p.axis[0] = {.size = 13, .filter = 3, .stride = 2, .dilation = 2, .pad_before = 2, .pad_after = 1};
  p.axis[1] = {.size = 17, .filter = 2, .stride = 3, .dilation = 1, .pad_before = 1, .pad_after = 0};
  ASSERT_TRUE(supports(c, Arch::sm_90, p).ok) << supports(c, Arch::sm_90, p).why.view();
  const WarpgroupPacked packed = pack_warpgroups(c, warpgroup_shape(lowered(c), true), p, 1);
  for (int i = 0; i < 2; ++i) {  // axis 0 of the map's corners is w
    const ConvAxis& axis = p.axis[1 - i];
    int positions = 0;
    for (std::int64_t at = packed.a.first[i]; at < axis.size + packed.a.past_last[i]; at += packed.a.step[i])
      ++positions;
    EXPECT_EQ(positions, axis.outputs());
  }
  EXPECT_EQ(packed.args.k_steps, 6u);
  EXPECT_EQ(packed.b.extent[1], 6);
  EXPECT_EQ(packed.c.extent[2], 3 * p.output_pixels());
}

TEST(Warpgroup, RowsThatDoNotExistAreNotCopied) {
  const GemmProblem few{.m = 16, .n = 24, .k = 640, .input = DataType::bf16, .output = DataType::bf16};
  const WarpgroupPacked packed = pack_warpgroups(config(), warpgroup_shape(config(), false), few, 1);
  EXPECT_EQ(packed.a.box[1], 16);
  EXPECT_EQ(packed.b.box[2], 24);
  EXPECT_EQ(packed.args.step_bytes_a, 16u * 128);
  EXPECT_EQ(packed.args.step_bytes_b, 24u * 128);
  GemmProblem many = few;
  many.m = many.n = 129;
  const WarpgroupPacked whole = pack_warpgroups(config(), warpgroup_shape(config(), false), many, 1);
  EXPECT_EQ(whole.args.step_bytes_a + whole.args.step_bytes_b, 2u * 128 * 128);
}

TEST(Warpgroup, ClustersHaveRoomForEverybodysSumsOfTheRowsThatASliceOwns) {
  for (int cluster : {2, 3, 8}) {
    GemmConfig c = config({64, 64, 64}, 6);
    c.tiling.split_k = SplitK::cluster, c.tiling.cluster = cluster, c.tiling.vector_c = 4;
    const WarpgroupShape s = warpgroup_shape(c, false);
    EXPECT_GE(s.fold_rows() * cluster, 64);
    EXPECT_EQ(s.result_bytes(), cluster * s.fold_rows() * (64 * 4 + 16));
  }
}

TEST(Warpgroup, BlocksWhoseSumsFillTheRegistersRefuseEpilogues) {
  const PlanOptions relu{.epilogue = {.activation = Activation::relu}};
  const GemmProblem p{.m = 64, .n = 64, .k = 64, .input = DataType::bf16, .output = DataType::bf16};
  EXPECT_TRUE(supports(config(), Arch::sm_90, p, relu).ok);
  EXPECT_TRUE(supports(config({128, 256, 64}), Arch::sm_90, p).ok);
  EXPECT_EQ(supports(config({128, 256, 64}), Arch::sm_90, p, relu).code, Reason::epilogue_unsupported);
}

TEST(Warpgroup, RowsThatLieFarApartAreAnAxisOfTheirOwn) {
  const ConvConfig c{.input = DataType::bf16, .output = DataType::bf16, .tiling = config().tiling};
  ConvProblem p{.input = DataType::bf16, .weight = DataType::bf16, .output = DataType::bf16, .n = 5, .c = 48, .k = 64};
  p.axis[0] = {.size = 230, .filter = 14, .stride = 16};
  p.axis[1] = {.size = 14};
  ASSERT_TRUE(supports(c, Arch::sm_90, p).ok) << supports(c, Arch::sm_90, p).why.view();
  const TensorMapShape a = pack_warpgroups(c, warpgroup_shape(lowered(c), true), p, 1).a;
  ASSERT_EQ(a.rank, 5);
  const std::int64_t row = 14 * 48 * 2;
  for (const std::int64_t image : {0, 4}) {
    for (const std::int64_t out : {std::int64_t{0}, p.axis[0].outputs() - 1}) {
      for (const std::int64_t tap : {0, 13}) {
        const std::int64_t at = out * a.stride[2] + image * a.stride[3] + tap * a.stride[4];
        EXPECT_EQ(at, (image * 230 + out * 16 + tap) * row);
      }
    }
  }
  EXPECT_EQ(a.extent[2], p.axis[0].outputs());
  p.axis[0].pad_after = 8;  // one more output, whose taps pass the image
  EXPECT_FALSE(supports(c, Arch::sm_90, p).ok);
}

TEST(Warpgroup, NumbersThatAMapCannotHoldAreRefused) {
  const ConvConfig c{.input = DataType::bf16, .output = DataType::bf16, .tiling = config().tiling};
  const auto refusal = [&](auto change) {
    ConvProblem p{.input = DataType::bf16, .weight = DataType::bf16, .output = DataType::bf16, .c = 64, .k = 64};
    p.axis[0] = p.axis[1] = {.size = 600, .filter = 3, .pad_before = 1, .pad_after = 1};
    change(p);
    return supports(c, Arch::sm_90, p).code;
  };
  EXPECT_EQ(refusal([](ConvProblem&) {}), Reason::none);
  EXPECT_EQ(refusal([](ConvProblem& p) { p.axis[0].stride = 9; }), Reason::tensor_too_large);
  EXPECT_EQ(refusal([](ConvProblem& p) { p.axis[0].stride = 9, p.axis[0].pad_before = p.axis[0].pad_after = 0; }),
            Reason::none);
  EXPECT_EQ(refusal([](ConvProblem& p) { p.axis[1].stride = 10, p.axis[1].pad_before = p.axis[1].pad_after = 0; }),
            Reason::tensor_too_large);
  EXPECT_EQ(refusal([](ConvProblem& p) { p.axis[1].dilation = 128; }), Reason::tensor_too_large);
  EXPECT_EQ(refusal([](ConvProblem& p) { p.axis[1].pad_before = 129; }), Reason::tensor_too_large);
  EXPECT_EQ(refusal([](ConvProblem& p) { p.groups = 2; }), Reason::channels_not_divisible);
  EXPECT_EQ(refusal([](ConvProblem& p) { p.c = 12; }), Reason::channels_not_divisible);
}

}  // namespace
}  // namespace zellige
