// Split-K on the host: the policy's degrees, what is refused, and that slices and slabs cover a problem once.
#include "zellige/gemm/split_k.hpp"

#include <gtest/gtest.h>

#include <climits>

#include "zellige/conv/check.hpp"
#include "zellige/gemm/name.hpp"
#include "zellige/gemm/pack.hpp"

namespace zellige {
namespace {

/// n = 1, 512 channels of 7x7, 512 filters of 3x3: 49 rows by 512 columns of 4608 products.
constexpr SplitExtents small_layer{49, 512, 4608, 1};

Tiling block(int m, int n, int k) { return {.block = {m, n, k}, .split_k = SplitK::two_stage}; }

SplitChoice choose(const Tiling& t, Arch arch, const SplitExtents& e, int compute_units = 0) {
  return auto_split_k(t, arch, DataType::f32, e, compute_units);
}

TEST(SplitPolicy, DegreesOfNamedTilesOnGfx1250) {
  const struct {
    Mnk block;
    int degree;
  } named[] = {{{64, 64, 64}, 32}, {{16, 32, 64}, 32},   {{32, 32, 64}, 32}, {{64, 64, 128}, 16},
               {{16, 16, 64}, 16}, {{128, 128, 64}, 32}, {{64, 32, 64}, 32}, {{128, 128, 128}, 16}};
  for (const auto& n : named) {
    EXPECT_EQ(choose(block(n.block.m, n.block.n, n.block.k), Arch::gfx1250, small_layer).degree, n.degree)
        << n.block.m << "x" << n.block.n << "x" << n.block.k;
  }
  const SplitChoice c = choose(block(64, 64, 64), Arch::gfx1250, small_layer);
  EXPECT_EQ(c.blocks, 8);
  EXPECT_EQ(c.target, 2048);
  EXPECT_EQ(c.k_tiles, 72);
  EXPECT_EQ(describe(c, Arch::gfx1250).view(),
            "8 blocks, 2048 workgroups aimed at (8 a CU), k = 4608 in 72 tiles: 32 slices (no policy splits further)");
}

TEST(SplitPolicy, EngagesBelowHalfTheTargetAndFromItsLeastDepth) {
  const Tiling t = block(64, 64, 64);
  EXPECT_EQ(choose(t, Arch::gfx1250, {64 * 1023, 64, 4096, 1}).degree, 2);
  EXPECT_EQ(choose(t, Arch::gfx1250, {64 * 1024, 64, 4096, 1}).degree, 1);
  EXPECT_EQ(choose(t, Arch::gfx1250, {64, 64, 511, 1}).degree, 1);
  EXPECT_EQ(choose(t, Arch::gfx1250, {64, 64, 512, 1}).degree, 4);  // 8 tiles, two for each slice
  EXPECT_EQ(choose(t, Arch::gfx1250, {64, 64, 513, 1}).degree, 4);  // 9 tiles
  EXPECT_EQ(choose(t, Arch::gfx1250, small_layer, 2).degree, 1);    // 16 workgroups aimed at: 8 are half of them
  EXPECT_EQ(choose(t, Arch::gfx1250, small_layer, 16).degree, 16);  // 128 aimed at
}

TEST(SplitPolicy, KeepsItsBudgets) {
  const Tiling t = block(64, 64, 16);
  // 2^20 rows of 2 columns: 8 MiB a slab of f32, of which 255 fit 2^31 - 1 bytes; 64x2 blocks: too many to split.
  const SplitExtents wide{1 << 9, 1 << 17, 1 << 16, 1};
  const SplitChoice c = auto_split_k(block(4096, 4096, 16), Arch::gfx1250, DataType::f32, wide);
  EXPECT_EQ(c.blocks, 32);
  EXPECT_EQ(c.degree, 4);  // of slabs of 256 MiB, 7 fit
  EXPECT_EQ(std::string_view(c.limit), "the workspace's budget");
  EXPECT_LE(split_workspace_bytes(wide, DataType::f32, c.degree).value, max_buffer_bytes);
  (void)t;
}

// B.6: groups * degree must fit a grid axis of 65535.
TEST(SplitPolicy, lesson40_groups_times_degree_fit_a_grid_axis) {
  for (std::int64_t groups : {1, 7, 900, 1000}) {
    const SplitExtents e{1, 1, 1 << 20, groups};
    const SplitChoice c = choose(block(16, 16, 16), Arch::gfx1250, e, 100000);
    EXPECT_LE(groups * c.degree, 65535);
    EXPECT_GE(c.degree, 2);
  }
  // 4096 groups of 32 slices would be 131072 workgroups along z; ours lie along x, and the policy stays below.
  const SplitChoice c = choose(block(16, 16, 16), Arch::gfx1250, {1, 1, 1 << 20, 4096}, 100000);
  EXPECT_LE(4096 * c.degree, 65535);
}

TEST(SplitPolicy, IsMonotonousAndWithinItsBounds) {
  for (Arch arch : all_arches) {
    for (std::int64_t m : {1, 49, 196, 784, 3136, 12544}) {
      int before = 64;
      for (std::int64_t rows = m; rows <= m * 16; rows *= 4) {
        const SplitExtents e{rows, 256, 2304, 1};
        const SplitChoice c = choose(block(64, 64, 32), arch, e);
        EXPECT_TRUE(is_power_of_two(c.degree));
        EXPECT_LE(c.degree, split_policy(arch).most);
        EXPECT_LE(c.degree, before);
        if (c.degree > 1) EXPECT_GE(c.k_tiles / c.degree, split_policy(arch).least_tiles);
        before = c.degree;
      }
    }
    EXPECT_NE(std::string_view(split_policy(arch).reason), "") << arch_traits(arch).name;
  }
}

// The degree is validated whatever it is: 0 and negative numbers never fall into the unsplit path.
TEST(SplitK, lesson08_degrees_below_one_are_refused) {
  for (SplitK form : {SplitK::none, SplitK::two_stage, SplitK::cluster}) {
    Tiling t = block(64, 64, 32);
    t.split_k = form;
    if (form == SplitK::cluster) t.cluster = 4;
    for (int degree : {0, -2, -3, INT_MIN}) {
      const Verdict v = check_split_k(t, Arch::gfx1250, DataType::f32, small_layer, degree);
      EXPECT_EQ(v.code, Reason::split_k_unsupported) << degree;
      EXPECT_NE(v.why.view().find(std::to_string(degree)), std::string_view::npos) << v.why.view();
    }
    EXPECT_TRUE(check_split_k(t, Arch::gfx1250, DataType::f32, small_layer, -1).ok);
  }
}

TEST(SplitK, lesson19_only_the_two_stage_form_needs_a_second_stage) {
  Tiling t = block(64, 64, 32);
  EXPECT_TRUE(needs_second_stage(t));
  t.split_k = SplitK::none;
  EXPECT_FALSE(needs_second_stage(t));
  t.split_k = SplitK::cluster, t.cluster = 4;
  EXPECT_FALSE(needs_second_stage(t));
}

TEST(SplitK, ClustersOfEverySizeThatTheTargetHoldsCompeteWhereTheyWereMeasured) {
  const SplitChoice splits{.degree = 8, .blocks = 16, .target = 132}, stays{.degree = 1, .blocks = 16, .target = 132};
  Tiling t = block(64, 32, 64);
  t.split_k = SplitK::cluster;
  for (int size = 2; size <= 8; ++size) {
    t.cluster = size;
    EXPECT_TRUE(policy_takes(t, Arch::sm_90, splits)) << size;
    EXPECT_FALSE(policy_takes(t, Arch::sm_90, stays)) << size;
  }
  const SplitChoice many{.degree = 4, .blocks = 33, .target = 132};
  t.cluster = 4;
  EXPECT_TRUE(policy_takes(t, Arch::sm_90, many));
  t.cluster = 5;
  EXPECT_FALSE(policy_takes(t, Arch::sm_90, many));
}

TEST(SplitK, lesson12_the_policy_and_pinned_degrees_choose_instances) {
  const SplitChoice splits{.degree = 16}, stays{.degree = 1}, thirteen{.degree = 13};
  Tiling t = block(64, 64, 32);
  EXPECT_TRUE(policy_takes(t, Arch::gfx1250, splits));
  EXPECT_FALSE(policy_takes(t, Arch::gfx1250, stays));
  t.split_k = SplitK::none;
  EXPECT_TRUE(policy_takes(t, Arch::gfx1250, splits));
  EXPECT_TRUE(policy_takes(t, Arch::gfx1250, stays));
  t.split_k = SplitK::cluster;
  for (int size : cluster_sizes) {
    t.cluster = size;
    EXPECT_EQ(policy_takes(t, Arch::gfx1250, splits), size == 15) << size;
    EXPECT_EQ(policy_takes(t, Arch::gfx1250, thirteen), size == 12) << size;
    EXPECT_FALSE(policy_takes(t, Arch::gfx1250, stays)) << size;
    EXPECT_TRUE(check_split_k(t, Arch::gfx1250, DataType::f32, small_layer, size).ok);
    EXPECT_EQ(check_split_k(t, Arch::gfx1250, DataType::f32, small_layer, size + 1).code, Reason::split_k_unsupported);
    EXPECT_EQ(resolve_split_k(t, Arch::gfx1250, DataType::f32, small_layer, -1), size);
  }
}

TEST(SplitK, WorkspacesOverTheLimitAreRefusedInSixtyFourBits) {
  const Tiling t = block(64, 64, 32);
  const SplitExtents e{1 << 14, 1 << 13, 1 << 14, 1};  // 2^27 elements: 2^29 bytes a slab
  EXPECT_TRUE(check_split_k(t, Arch::gfx942, DataType::f32, e, 3).ok);
  for (int degree : {4, 8, 1 << 20, INT_MAX}) {  // 2^31 bytes and more, up to sums that pass 32 bits many times
    const Verdict v = check_split_k(t, Arch::gfx942, DataType::f32, e, degree);
    EXPECT_EQ(v.code, Reason::tensor_too_large) << degree;
    EXPECT_NE(v.why.view().find(std::to_string(std::int64_t{degree} << 29)), std::string_view::npos) << v.why.view();
  }
  EXPECT_EQ(check_split_k(t, Arch::gfx942, DataType::f32, {1 << 30, 1 << 30, 64, 8}, 2).code, Reason::tensor_too_large);
  EXPECT_EQ(split_workspace_bytes({49, 10, 64, 1}, DataType::f32, 3).value, 3 * 512 * 4);  // 490 elements end at 512
  EXPECT_EQ(split_workspace_bytes({49, 10, 64, 1}, DataType::f64, 3).value, 3 * 512 * 8);
}

// Slices cover every K tile once, and those past the end are empty, for every degree.
TEST(SplitK, SlicesCoverTheReductionOnce) {
  constexpr GemmConfig config{.tiling = {.block = {64, 64, 32},
                                         .waves = {2, 2},
                                         .atom = {32, 32, 8},
                                         .walk = Walk::run,
                                         .split_k = SplitK::two_stage}};
  for (int k_tiles = 1; k_tiles <= 40; ++k_tiles) {
    for (int degree = 1; degree <= 64; ++degree) {
      GemmArgs args = pack_args(config, {.m = 130, .n = 72, .k = k_tiles * 32}, 8);
      split_args(args, config.tiling, DataType::f32, degree, 8);
      std::int64_t covered = 0;
      for (int slice = 0; slice < degree; ++slice) {
        const std::int64_t begin = static_cast<std::int64_t>(slice) * args.split.tiles;
        covered += std::max<std::int64_t>(0, std::min<std::int64_t>(args.split.tiles, args.k_tiles - begin));
      }
      ASSERT_EQ(covered, k_tiles) << degree;
      ASSERT_EQ(args.schedule.batches, static_cast<unsigned>(degree));
      ASSERT_EQ(args.split.row_bytes, 72u * 4);
      ASSERT_EQ(args.split.slab_bytes, (130u * 72 + 63) / 64 * 64 * 4);
    }
  }
}

// Divisions by run-time invariants wrap nowhere up to the largest dividend (core/math_test.cpp has more divisors).
TEST(SplitK, lesson41_magic_divisions_are_exact_at_the_ends) {
  for (std::uint32_t divisor : {1u, 2u, 3u, 31u, 32u, 65535u, 0x7ffffffeu, 0x7fffffffu}) {
    const MagicDivider by(divisor);
    for (std::uint32_t n : {0u, 1u, divisor - 1, divisor, 0x7ffffffeu, 0x7fffffffu})
      ASSERT_EQ(by.divide(n), n / divisor) << n << " / " << divisor;
  }
}

TEST(SplitConfigs, lesson10_clusters_need_a_target_that_has_them) {
  for (Arch arch :
       {Arch::gfx90a, Arch::gfx942, Arch::gfx950, Arch::gfx1100, Arch::gfx1151, Arch::gfx1201, Arch::gfx1250}) {
    for (int size : {1, 2, 15, 16}) {
      const bool f16_32 = arch == Arch::gfx1250;
      GemmConfig c{.tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, f16_32 ? 32 : 16}}};
      ASSERT_TRUE(check(c, arch).ok) << check(c, arch).why.view();
      c.tiling.split_k = SplitK::cluster, c.tiling.cluster = size;
      const Verdict v = check(c, arch);
      EXPECT_EQ(v.ok, arch == Arch::gfx1250 && size >= 2 && size <= 15) << arch_traits(arch).name << " " << size;
      if (!v.ok) EXPECT_EQ(v.code, Reason::cluster_unsupported) << v.why.view();
    }
  }
  GemmConfig c{.tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16}}};
  c.tiling.cluster = 4;
  EXPECT_EQ(check(c, Arch::gfx942).code, Reason::config_value);
}

// Waves that leave before the cluster's barrier would hold it up for ever.
TEST(SplitConfigs, lesson52_load_waves_cannot_leave_a_cluster) {
  GemmConfig c{.tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 32}}};
  c.tiling.split_k = SplitK::cluster, c.tiling.cluster = 4;
  EXPECT_TRUE(check(c, Arch::gfx1250).ok);
  c.tiling.pipeline = Pipeline::wavelet, c.tiling.load_waves = 2;
  EXPECT_EQ(check(c, Arch::gfx1250).code, Reason::cluster_unsupported);
}

TEST(SplitConfigs, SlabsHoldAccumulators) {
  GemmConfig c{
      .tiling = {
          .block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16}, .vector_c = 8, .store = Store::lds_shuffle}};
  EXPECT_TRUE(check(c, Arch::gfx942).ok);
  const int plain = derive(c, Arch::gfx942).shuffle_pitch;
  c.tiling.split_k = SplitK::two_stage;
  EXPECT_EQ(check(c, Arch::gfx942).code, Reason::vector_width);  // 8 floats are more than a store takes
  c.tiling.vector_c = 4;
  EXPECT_TRUE(check(c, Arch::gfx942).ok);
  EXPECT_EQ(derive(c, Arch::gfx942).shuffle_pitch, plain + 64 * 2);  // the C tile in LDS is fp32
  EXPECT_EQ(derive(c, Arch::gfx942).stored, DataType::f32);
}

TEST(SplitConfigs, lesson15_names_say_the_form_and_parse_back) {
  GemmConfig c{.tiling = {.block = {64, 64, 64}, .waves = {2, 2}, .atom = {16, 16, 32}}};
  const std::string plain = name_of(Arch::gfx1250, c);
  for (SplitK form : {SplitK::two_stage, SplitK::cluster}) {
    for (int size : {1, 2, 4, 15, 16}) {
      c.tiling.split_k = form, c.tiling.cluster = size;
      const std::string name = name_of(Arch::gfx1250, c);
      if (form == SplitK::two_stage && size == 1) EXPECT_EQ(name, plain + "_sk2");
      if (form == SplitK::cluster && size > 1) EXPECT_EQ(name, plain + "_skc" + std::to_string(size));
      const auto parsed = parse_gemm_name(name);
      ASSERT_TRUE(parsed.ok()) << parsed.error;
      EXPECT_EQ(parsed.config, c) << name;
    }
  }
}

}  // namespace
}  // namespace zellige
