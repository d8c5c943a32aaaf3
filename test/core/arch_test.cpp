// The table of targets: names that parse back, values that never change, and facts that must agree with each other.
#include "zellige/core/arch.hpp"

#include <gtest/gtest.h>

#include <string>

namespace zellige {
namespace {

TEST(Arch, NamesParseBack) {
  for (Arch arch : all_arches) {
    EXPECT_EQ(parse_arch(arch_traits(arch).name), arch) << arch_traits(arch).name;
    EXPECT_EQ(arch_traits(arch).arch, arch);
  }
}

TEST(Arch, DeviceNamesCarryFeatures) {
  EXPECT_EQ(parse_arch("gfx942:sramecc+:xnack-"), Arch::gfx942);
  EXPECT_EQ(parse_arch("gfx90a:xnack+"), Arch::gfx90a);
}

TEST(Arch, OtherNamesAreNone) {
  for (const char* name : {"", "gfx", "gfx9", "gfx9420", "gfx94", "GFX942", "gfx1200", ":", "sm_9"}) {
    EXPECT_EQ(parse_arch(name), Arch::none) << name;
  }
}

TEST(Arch, DevicesTakeTheirOwnKernelsOrGenericOnes) {
  for (Arch arch : all_arches) EXPECT_EQ(arch_of_device(arch_traits(arch).name), arch);
  EXPECT_EQ(arch_of_device("gfx1200"), Arch::gfx1201);
  EXPECT_EQ(arch_of_device("gfx1101:xnack-"), Arch::gfx1100);
  EXPECT_EQ(arch_of_device("gfx1153"), Arch::gfx1100);
  for (const char* name : {"", " ", "gfx12", "gfx120", "gfx1036", "gfx1154", "gfx1100 gfx1101", "1100", "gfx1202"}) {
    EXPECT_EQ(arch_of_device(name), Arch::none) << name;
  }
  for (Arch arch : all_arches) {
    const ArchTraits t = arch_traits(arch);
    EXPECT_EQ(std::string_view(t.generic).empty(), std::string_view(t.runs_on).empty()) << t.name;
    const bool listed = std::string_view(t.runs_on).find(t.name) != std::string_view::npos;
    EXPECT_EQ(listed, !std::string_view(t.generic).empty()) << t.name;
  }
}

TEST(Arch, ValuesNeverChange) {
  const Arch in_order[] = {Arch::none,    Arch::gfx90a,  Arch::gfx942,  Arch::gfx950, Arch::gfx1100,
                           Arch::gfx1151, Arch::gfx1201, Arch::gfx1250, Arch::sm_90};
  for (int i = 0; i <= arch_count; ++i) EXPECT_EQ(static_cast<int>(in_order[i]), i);
}

TEST(Arch, TraitsAreConsistent) {
  for (Arch arch : all_arches) {
    const ArchTraits t = arch_traits(arch);
    SCOPED_TRACE(t.name);
    EXPECT_EQ(t.wave_size, t.matrix == MatrixPath::mfma ? 64 : 32);
    EXPECT_EQ(t.agprs > 0, t.matrix == MatrixPath::mfma);
    EXPECT_EQ(t.compute_units % t.dies, 0);
    EXPECT_TRUE(t.lds_banks == 32 || t.lds_banks == 64);
    EXPECT_EQ(t.vgpr_file % t.vgpr_granule, 0);
    EXPECT_GE(t.lds_bytes, 65536);
    EXPECT_GT(t.memory_gbps, 0);
    EXPECT_LE(t.static_lds_bytes, t.lds_bytes);
  }
}

TEST(Arch, DirectToLdsWidthsAreSingleBits) {
  const auto loads = [](Arch arch, int bytes) { return (arch_traits(arch).direct_to_lds_widths >> bytes & 1u) != 0; };
  EXPECT_TRUE(loads(Arch::gfx942, 4));
  EXPECT_FALSE(loads(Arch::gfx942, 12) || loads(Arch::gfx942, 16));
  EXPECT_TRUE(loads(Arch::gfx950, 12) && loads(Arch::gfx950, 16));
  EXPECT_FALSE(loads(Arch::gfx950, 8));
  EXPECT_TRUE(loads(Arch::gfx1250, 4) && loads(Arch::gfx1250, 8) && loads(Arch::gfx1250, 16));
}

// Peak = CUs * matrix cores * flops an instruction / (4 clocks * passes) * clock, of the 32x32x8 (gfx950: x16) or
// 16x16x16 f16 atom.
TEST(Arch, PeaksFollowFromInstructionDurations) {
  const auto peak = [](Arch arch, double flops, int passes) {
    const ArchTraits t = arch_traits(arch);
    return t.compute_units * t.simds * flops / (4 * passes) * t.clock_ghz * 1e-3;
  };
  EXPECT_NEAR(peak(Arch::gfx90a, 2 * 32 * 32 * 8, 16), arch_traits(Arch::gfx90a).f16_tflops, 1);
  EXPECT_NEAR(peak(Arch::gfx942, 2 * 32 * 32 * 8, 8), arch_traits(Arch::gfx942).f16_tflops, 1);
  EXPECT_NEAR(peak(Arch::gfx950, 2 * 32 * 32 * 16, 8), arch_traits(Arch::gfx950).f16_tflops, 1);
  EXPECT_NEAR(peak(Arch::gfx1100, 2 * 16 * 16 * 16, 8), arch_traits(Arch::gfx1100).f16_tflops, 1);
  EXPECT_NEAR(peak(Arch::gfx1151, 2 * 16 * 16 * 16, 8), arch_traits(Arch::gfx1151).f16_tflops, 1);
  EXPECT_NEAR(peak(Arch::gfx1201, 2 * 16 * 16 * 16, 4), arch_traits(Arch::gfx1201).f16_tflops, 1);
  EXPECT_NEAR(peak(Arch::gfx942, 2 * 32 * 32 * 2, 16), arch_traits(Arch::gfx942).f32_tflops, 1);
  EXPECT_NEAR(peak(Arch::gfx950, 2 * 32 * 32 * 2, 16), arch_traits(Arch::gfx950).f32_tflops, 1);
}

TEST(Arch, HostPassHasNoTarget) { EXPECT_EQ(this_arch(), Arch::none); }

}  // namespace
}  // namespace zellige
