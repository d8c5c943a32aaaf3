// Occupancy against the compiler's: every row is what clang 22 prints for a kernel
// (-Rpass-analysis=kernel-resource-usage), whose registers grow with the number of values that it keeps, or whose LDS
// grows.
#include "simulator/dispatch/occupancy.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace zellige::sim {
namespace {

struct Row {
  Arch arch;
  int lanes;
  bool wgp_mode;  ///< of RDNA: the compiler's default, -mcumode turns it off
  int vgprs;      ///< with AGPRs
  int lds, items;
  int waves_per_simd;  ///< what the compiler prints
};

constexpr Row rows[] = {
    {Arch::gfx90a, 64, false, 6, 0, 256, 8},
    {Arch::gfx90a, 64, false, 30, 0, 256, 8},
    {Arch::gfx90a, 64, false, 60, 0, 256, 8},
    {Arch::gfx90a, 64, false, 90, 0, 256, 5},
    {Arch::gfx90a, 64, false, 108, 0, 256, 4},
    {Arch::gfx90a, 64, false, 136, 0, 256, 3},
    {Arch::gfx90a, 64, false, 166, 0, 256, 3},
    {Arch::gfx90a, 64, false, 226, 0, 256, 2},
    {Arch::gfx90a, 64, false, 455, 0, 256, 1},
    {Arch::gfx90a, 64, false, 9, 8192, 256, 8},
    {Arch::gfx90a, 64, false, 9, 16384, 256, 4},
    {Arch::gfx90a, 64, false, 9, 24000, 256, 2},
    {Arch::gfx90a, 64, false, 9, 32768, 256, 2},
    {Arch::gfx90a, 64, false, 9, 64000, 256, 1},
    {Arch::gfx90a, 64, false, 6, 0, 1024, 8},
    {Arch::gfx90a, 64, false, 60, 0, 1024, 8},
    {Arch::gfx942, 64, false, 6, 0, 256, 8},
    {Arch::gfx942, 64, false, 90, 0, 256, 5},
    {Arch::gfx942, 64, false, 108, 0, 256, 4},
    {Arch::gfx942, 64, false, 136, 0, 256, 3},
    {Arch::gfx942, 64, false, 9, 8192, 256, 8},
    {Arch::gfx942, 64, false, 9, 16384, 256, 4},
    {Arch::gfx942, 64, false, 9, 24000, 256, 2},
    {Arch::gfx942, 64, false, 9, 32768, 256, 2},
    {Arch::gfx942, 64, false, 9, 64000, 256, 1},
    {Arch::gfx942, 64, false, 6, 0, 1024, 8},
    {Arch::gfx950, 64, false, 6, 0, 256, 8},
    {Arch::gfx950, 64, false, 30, 0, 256, 8},
    {Arch::gfx950, 64, false, 60, 0, 256, 8},
    {Arch::gfx950, 64, false, 90, 0, 256, 5},
    {Arch::gfx950, 64, false, 108, 0, 256, 4},
    {Arch::gfx950, 64, false, 136, 0, 256, 3},
    {Arch::gfx950, 64, false, 166, 0, 256, 3},
    {Arch::gfx950, 64, false, 226, 0, 256, 2},
    {Arch::gfx950, 64, false, 456, 0, 256, 1},
    {Arch::gfx950, 64, false, 9, 8192, 256, 8},
    {Arch::gfx950, 64, false, 9, 16384, 256, 8},
    {Arch::gfx950, 64, false, 9, 24000, 256, 6},
    {Arch::gfx950, 64, false, 9, 32768, 256, 5},
    {Arch::gfx950, 64, false, 9, 64000, 256, 2},
    {Arch::gfx950, 64, false, 6, 0, 1024, 8},
    {Arch::gfx950, 64, false, 60, 0, 1024, 8},
    {Arch::gfx1100, 32, true, 6, 0, 256, 16},
    {Arch::gfx1100, 32, true, 34, 0, 256, 16},
    {Arch::gfx1100, 32, true, 68, 0, 256, 16},
    {Arch::gfx1100, 32, true, 107, 0, 256, 12},
    {Arch::gfx1100, 32, true, 126, 0, 256, 10},
    {Arch::gfx1100, 32, true, 162, 0, 256, 9},
    {Arch::gfx1100, 32, true, 192, 0, 256, 8},
    {Arch::gfx1100, 32, true, 256, 0, 256, 5},
    {Arch::gfx1100, 32, true, 9, 8192, 256, 16},
    {Arch::gfx1100, 32, true, 9, 16384, 256, 16},
    {Arch::gfx1100, 32, true, 9, 24000, 256, 10},
    {Arch::gfx1100, 32, true, 9, 32768, 256, 8},
    {Arch::gfx1100, 32, true, 9, 64000, 256, 4},
    {Arch::gfx1100, 32, true, 6, 0, 1024, 16},
    {Arch::gfx1100, 32, true, 68, 0, 1024, 16},
    {Arch::gfx1100, 64, true, 6, 0, 256, 16},
    {Arch::gfx1100, 64, true, 34, 0, 256, 16},
    {Arch::gfx1100, 64, true, 68, 0, 256, 10},
    {Arch::gfx1100, 64, true, 104, 0, 256, 7},
    {Arch::gfx1100, 64, true, 126, 0, 256, 5},
    {Arch::gfx1100, 64, true, 162, 0, 256, 4},
    {Arch::gfx1100, 64, true, 192, 0, 256, 4},
    {Arch::gfx1100, 64, true, 256, 0, 256, 2},
    {Arch::gfx1100, 64, true, 9, 8192, 256, 16},
    {Arch::gfx1100, 64, true, 9, 16384, 256, 8},
    {Arch::gfx1100, 64, true, 9, 24000, 256, 5},
    {Arch::gfx1100, 64, true, 9, 32768, 256, 4},
    {Arch::gfx1100, 64, true, 9, 64000, 256, 2},
    {Arch::gfx1100, 64, true, 6, 0, 1024, 16},
    {Arch::gfx1100, 64, true, 68, 0, 1024, 10},
    {Arch::gfx1100, 32, false, 6, 0, 256, 16},
    {Arch::gfx1100, 32, false, 34, 0, 256, 16},
    {Arch::gfx1100, 32, false, 68, 0, 256, 16},
    {Arch::gfx1100, 32, false, 107, 0, 256, 12},
    {Arch::gfx1100, 32, false, 126, 0, 256, 10},
    {Arch::gfx1100, 32, false, 162, 0, 256, 9},
    {Arch::gfx1100, 32, false, 192, 0, 256, 8},
    {Arch::gfx1100, 32, false, 256, 0, 256, 5},
    {Arch::gfx1100, 32, false, 9, 8192, 256, 16},
    {Arch::gfx1100, 32, false, 9, 16384, 256, 16},
    {Arch::gfx1100, 32, false, 9, 24000, 256, 8},
    {Arch::gfx1100, 32, false, 9, 32768, 256, 8},
    {Arch::gfx1100, 32, false, 9, 64000, 256, 4},
    {Arch::gfx1100, 32, false, 6, 0, 1024, 16},
    {Arch::gfx1100, 32, false, 68, 0, 1024, 16},
    {Arch::gfx1151, 32, true, 162, 0, 256, 9},
    {Arch::gfx1151, 32, true, 9, 24000, 256, 10},
    {Arch::gfx1201, 32, true, 6, 0, 256, 16},
    {Arch::gfx1201, 32, true, 22, 0, 256, 16},
    {Arch::gfx1201, 32, true, 42, 0, 256, 16},
    {Arch::gfx1201, 32, true, 62, 0, 256, 16},
    {Arch::gfx1201, 32, true, 74, 0, 256, 16},
    {Arch::gfx1201, 32, true, 92, 0, 256, 16},
    {Arch::gfx1201, 32, true, 112, 0, 256, 12},
    {Arch::gfx1201, 32, true, 152, 0, 256, 9},
    {Arch::gfx1201, 32, true, 202, 0, 256, 7},
    {Arch::gfx1201, 32, true, 9, 8192, 256, 16},
    {Arch::gfx1201, 32, true, 9, 16384, 256, 16},
    {Arch::gfx1201, 32, true, 9, 24000, 256, 10},
    {Arch::gfx1201, 32, true, 9, 32768, 256, 8},
    {Arch::gfx1201, 32, true, 9, 64000, 256, 4},
    {Arch::gfx1201, 32, true, 6, 0, 1024, 16},
    {Arch::gfx1201, 32, true, 42, 0, 1024, 16},
    {Arch::gfx1250, 32, false, 6, 0, 256, 16},
    {Arch::gfx1250, 32, false, 22, 0, 256, 16},
    {Arch::gfx1250, 32, false, 42, 0, 256, 16},
    {Arch::gfx1250, 32, false, 62, 0, 256, 16},
    {Arch::gfx1250, 32, false, 74, 0, 256, 12},
    {Arch::gfx1250, 32, false, 92, 0, 256, 10},
    {Arch::gfx1250, 32, false, 112, 0, 256, 9},
    {Arch::gfx1250, 32, false, 152, 0, 256, 6},
    {Arch::gfx1250, 32, false, 202, 0, 256, 4},
    {Arch::gfx1250, 32, false, 10, 8192, 256, 16},
    {Arch::gfx1250, 32, false, 10, 16384, 256, 16},
    {Arch::gfx1250, 32, false, 10, 24000, 256, 16},
    {Arch::gfx1250, 32, false, 10, 32768, 256, 16},
    {Arch::gfx1250, 32, false, 10, 64000, 256, 10},
    {Arch::gfx1250, 32, false, 6, 0, 1024, 16},
    {Arch::gfx1250, 32, false, 42, 0, 1024, 16},
};

TEST(Occupancy, AgreesWithTheCompiler) {
  for (const Row& row : rows) {
    KernelInfo kernel;
    kernel.vgprs = row.vgprs;
    kernel.sgprs = 10;
    kernel.lanes = row.lanes;
    kernel.descriptor.rsrc1 = row.wgp_mode ? 1u << 29 : 0;
    const Device device = make_device(row.arch, 0);
    const Occupancy result =
        occupancy(device, kernel, static_cast<std::uint64_t>(row.items), static_cast<std::uint64_t>(row.lds));
    // The compiler does not round to whole workgroups where registers limit.
    const int simds = device.traits.simds * result.processor_cus;
    const int by_lds = row.lds == 0 ? 1000 : result.workgroups_per_processor * result.waves_per_workgroup / simds;
    EXPECT_EQ(row.waves_per_simd, std::min(result.waves_per_simd, by_lds))
        << device.traits.name << " wave" << row.lanes << (row.wgp_mode ? " WGP" : "") << ", " << row.vgprs
        << " VGPRs, " << row.lds << " bytes of LDS";
  }
}

TEST(Occupancy, WgpModeHoldsWhatOneComputeUnitCannot) {
  // 32 waves of 160 VGPRs (granule 24: 168, 9 a SIMD): 18 on the two SIMDs of a unit, 36 on a processor's four.
  KernelInfo kernel;
  kernel.vgprs = 160;
  kernel.lanes = 32;
  const Device device = make_device(Arch::gfx1100, 0);
  EXPECT_EQ(0, occupancy(device, kernel, 1024, 0).workgroups_per_cu);
  kernel.descriptor.rsrc1 = 1u << 29;
  const Occupancy result = occupancy(device, kernel, 1024, 0);
  EXPECT_EQ(1, result.workgroups_per_processor);
  EXPECT_EQ(1, result.workgroups_per_cu);
  EXPECT_EQ(48u, result.of_device(device.traits.compute_units)) << "one on each pair of the 96 units";
  EXPECT_EQ(0, occupancy(device, kernel, 1024, 65537).workgroups_per_cu) << "a workgroup's LDS is 64 KiB at most";
}

}  // namespace
}  // namespace zellige::sim
