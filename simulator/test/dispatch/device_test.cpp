// Devices and occupancy, against values worked out by hand from the targets' documents.
#include "simulator/dispatch/device.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "simulator/dispatch/occupancy.hpp"

namespace zellige::sim {
namespace {

TEST(Devices, NamesAndNumbers) {
  const Device device = make_device(Arch::gfx942, 3);
  EXPECT_EQ("Zellige simulator (gfx942)", device.name);
  EXPECT_EQ("gfx942:sramecc+:xnack-", device.target_id);
  EXPECT_EQ(3, device.index);
  EXPECT_EQ(std::uint64_t{192} << 30, device.memory_bytes);
  EXPECT_EQ(9, device.major);
  EXPECT_FALSE(make_device(Arch::gfx90a, 0).architected_flat_scratch);
  EXPECT_TRUE(make_device(Arch::gfx1201, 0).wave_ids_in_trap_registers);
  EXPECT_EQ("gfx1201", make_device(Arch::gfx1201, 0).target_id);
  // Bandwidth = bus x 2 transfers a clock.
  for (const Arch arch : amd_arches()) {
    const Device each = make_device(arch, 0);
    EXPECT_NEAR(each.traits.memory_gbps, each.memory_clock_khz * 1e3 * 2 * each.memory_bus_bits / 8 / 1e9, 0.1);
  }
}

TEST(Devices, Lists) {
  EXPECT_EQ((std::vector<Arch>{Arch::gfx942, Arch::gfx90a, Arch::gfx942}), parse_device_list("gfx942,gfx90a,gfx942"));
  for (const char* list : {"", "gfx942,", "gfx94", "sm_90", "gfx942 ", "gfx942:xnack-"}) {
    try {
      parse_device_list(list);
      ADD_FAILURE() << list;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string::npos, std::string(error.what()).find("known are gfx90a, gfx942, gfx950, gfx1100"))
          << error.what();
    }
  }
}

Occupancy occupancy_of(Arch arch, int vgprs, int sgprs, std::uint64_t items, std::uint64_t lds, int lanes = 64) {
  KernelInfo kernel;
  kernel.vgprs = vgprs;
  kernel.sgprs = sgprs;
  kernel.lanes = lanes;
  return occupancy(make_device(arch, 0), kernel, items, lds);
}

TEST(OccupancyOf, VgprsOnCdna) {
  // 512 registers a lane and SIMD in granules of 8; at most 8 waves.
  EXPECT_EQ(8, occupancy_of(Arch::gfx942, 64, 30, 256, 0).waves_per_simd);
  EXPECT_EQ(7, occupancy_of(Arch::gfx942, 65, 30, 256, 0).waves_per_simd);
  EXPECT_EQ(4, occupancy_of(Arch::gfx942, 128, 30, 256, 0).waves_per_simd);
  EXPECT_EQ(3, occupancy_of(Arch::gfx942, 129, 30, 256, 0).waves_per_simd);
  EXPECT_EQ(2, occupancy_of(Arch::gfx942, 256, 30, 256, 0).waves_per_simd);
  EXPECT_EQ(1, occupancy_of(Arch::gfx942, 512, 30, 256, 0).waves_per_simd);
  EXPECT_STREQ("vgprs", occupancy_of(Arch::gfx942, 512, 30, 256, 0).limit);
  EXPECT_EQ(0, occupancy_of(Arch::gfx942, 512, 30, 512, 0).workgroups_per_cu) << "8 waves, room for 4";
}

TEST(OccupancyOf, SgprsOnGfx9Only) {
  EXPECT_EQ(7, occupancy_of(Arch::gfx90a, 32, 102, 64, 0).waves_per_simd);  // 800 / 112
  EXPECT_EQ(8, occupancy_of(Arch::gfx90a, 32, 96, 64, 0).waves_per_simd);
  EXPECT_EQ(16, occupancy_of(Arch::gfx1201, 32, 106, 64, 0, 32).waves_per_simd);
}

TEST(OccupancyOf, LdsAndWorkgroups) {
  EXPECT_EQ(2, occupancy_of(Arch::gfx942, 32, 30, 256, 32768).workgroups_per_cu);
  EXPECT_EQ(1, occupancy_of(Arch::gfx942, 32, 30, 256, 32769).workgroups_per_cu);
  EXPECT_STREQ("lds", occupancy_of(Arch::gfx942, 32, 30, 256, 32769).limit);
  EXPECT_EQ(5, occupancy_of(Arch::gfx950, 32, 30, 256, 32768).workgroups_per_cu);
  EXPECT_EQ(8, occupancy_of(Arch::gfx942, 32, 30, 256, 0).workgroups_per_cu);
  EXPECT_EQ(32, occupancy_of(Arch::gfx942, 32, 30, 64, 0).workgroups_per_cu);
  EXPECT_EQ(2, occupancy_of(Arch::gfx942, 32, 30, 1024, 0).workgroups_per_cu);
  EXPECT_EQ(0, occupancy_of(Arch::gfx942, 32, 30, 256, 65537).workgroups_per_cu);
}

TEST(OccupancyOf, Wave64OnRdnaTakesTwoHalves) {
  EXPECT_EQ(16, occupancy_of(Arch::gfx1100, 96, 30, 32, 0, 32).waves_per_simd);
  EXPECT_EQ(12, occupancy_of(Arch::gfx1100, 120, 30, 32, 0, 32).waves_per_simd);  // 1536 / 120
  EXPECT_EQ(6, occupancy_of(Arch::gfx1100, 120, 30, 64, 0, 64).waves_per_simd);
}

}  // namespace
}  // namespace zellige::sim
