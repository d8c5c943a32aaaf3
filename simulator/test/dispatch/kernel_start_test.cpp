// The start of a wave, against the order of registers in LLVM's AMDGPU usage guide.
#include "simulator/dispatch/kernel_start.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "simulator/decode/program.hpp"
#include "simulator/dispatch/arguments.hpp"
#include "simulator/execute/workgroup.hpp"

namespace zellige::sim {
namespace {

struct Start {
  KernelInfo kernel;
  Device device = make_device(Arch::gfx942, 0);
  LaunchRequest request;
  std::vector<std::uint8_t> segment = std::vector<std::uint8_t>(512);
  LaunchAddresses addresses{.kernarg = reinterpret_cast<std::uint64_t>(segment.data()),
                            .packet = 0x1111222233334444,
                            .queue = 0x5555666677778888};
  Program program;
  Workgroup group;
  std::vector<std::uint32_t> rows = std::vector<std::uint32_t>(vector_rows * row_lanes + 16);

  Start() {
    request.kernel = &kernel;
    request.device = &device;
    request.block = {8, 4, 4};
    request.grid = {20, 4, 4};
    kernel.lanes = 64;
    kernel.kernarg_bytes = 512;
    for (std::size_t i = 0; i < segment.size(); ++i) segment[i] = static_cast<std::uint8_t>(i * 7);
    group.program = &program;
    group.id = {2, 5, 9};
  }
  Wave start_wave_of(const KernelStart& start, int id, const std::array<std::uint32_t, 3>& items) {
    Wave wave;
    wave.group = &group;
    wave.id = id;
    // 64-byte aligned inside the vector.
    wave.vector = rows.data() + (64 - reinterpret_cast<std::uint64_t>(rows.data()) % 64) % 64 / 4;
    EXPECT_TRUE(start_wave(start, items, wave));
    return wave;
  }
};

TEST(KernelStart, UserAndSystemRegistersFollowEachOther) {
  Start setup;
  setup.kernel.descriptor.properties = 2 | 4 | 8 | 16 | 64;  // dispatch, queue, kernarg, dispatch id, private size
  setup.kernel.descriptor.rsrc2 = 9 << 1 | 1 << 7 | 1 << 9;  // nine user registers, then the x and z ids
  const KernelStart start = kernel_start(setup.request, setup.addresses, 48);
  const Wave wave = setup.start_wave_of(start, 0, {8, 4, 4});
  EXPECT_EQ(setup.addresses.packet, wave.scalar64(0));
  EXPECT_EQ(setup.addresses.queue, wave.scalar64(2));
  EXPECT_EQ(setup.addresses.kernarg, wave.scalar64(4));
  EXPECT_EQ(0u, wave.scalar64(6));
  EXPECT_EQ(48u, wave.scalar[8]);
  EXPECT_EQ(2u, wave.scalar[9]);
  EXPECT_EQ(9u, wave.scalar[10]);
  EXPECT_EQ(poison, wave.scalar[11]);
  EXPECT_EQ(std::uint64_t{shared_aperture_high} << 32, wave.scalar64(scalar_shared_base));
}

TEST(KernelStart, PreloadedArguments) {
  Start setup;
  setup.kernel.descriptor.properties = 8;
  setup.kernel.descriptor.kernarg_preload = 3 | 4 << 7;  // three dwords from dword 4 on
  setup.kernel.descriptor.rsrc2 = 5 << 1 | 1 << 7;
  const Wave wave = setup.start_wave_of(kernel_start(setup.request, setup.addresses, 0), 0, {8, 4, 4});
  for (int i = 0; i < 3; ++i) {
    std::uint32_t expected;
    std::memcpy(&expected, setup.segment.data() + 16 + 4 * i, 4);
    EXPECT_EQ(expected, wave.scalar[2 + i]);
  }
  EXPECT_EQ(2u, wave.scalar[5]);
}

TEST(KernelStart, WorkItemIdsAndExec) {
  Start setup;
  const KernelStart start = kernel_start(setup.request, setup.addresses, 0);
  Wave wave = setup.start_wave_of(start, 1, {8, 4, 4});
  EXPECT_EQ(~std::uint64_t{0}, wave.exec());
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    const std::uint32_t item = 64 + lane;
    ASSERT_EQ(item % 8 | (item / 8 % 4) << 10 | item / 32 << 20, wave.row(0)[lane]);
  }
  // At the grid's edge the workgroup is 3 x 4 x 4 = 48 work-items.
  wave = setup.start_wave_of(start, 0, {3, 4, 4});
  EXPECT_EQ((std::uint64_t{1} << 48) - 1, wave.exec());
  EXPECT_EQ(2u | 3u << 10 | 3u << 20, wave.row(0)[47]);
  Wave none;
  none.group = &setup.group;
  none.id = 1;
  EXPECT_FALSE(start_wave(start, {3, 4, 4}, none));
}

TEST(KernelStart, ModeAndRegisterFiles) {
  Start setup;
  // Denormals kept (0xf0), IEEE and DX10 clamp; 10 granules of 8 registers, AGPRs from 48 on.
  setup.kernel.descriptor.rsrc1 = 9 | 0xfu << 16 | 1u << 21 | 1u << 23;
  setup.kernel.descriptor.rsrc3 = 11;
  const KernelStart start = kernel_start(setup.request, setup.addresses, 0);
  EXPECT_EQ(0x3f0u, start.mode);
  EXPECT_EQ(48, start.vgpr_rows);
  EXPECT_EQ(32, start.agpr_rows);
}

TEST(KernelStart, TrapRegistersOnGfx12) {
  Start setup;
  setup.device = make_device(Arch::gfx1201, 0);
  setup.kernel.lanes = 32;
  setup.kernel.descriptor.rsrc2 = 2 << 1 | 7 << 7;
  const Wave wave = setup.start_wave_of(kernel_start(setup.request, setup.addresses, 0), 0, {8, 4, 4});
  EXPECT_EQ(2u, wave.scalar[scalar_ttmp0 + 9]);
  EXPECT_EQ(5u | 9u << 16, wave.scalar[scalar_ttmp0 + 7]);
  EXPECT_EQ(poison, wave.scalar[2]);
  EXPECT_EQ(0xffffffffu, wave.exec());
}

TEST(Arguments, HiddenOnesDescribeTheGrid) {
  Start setup;
  const auto add = [&](ArgumentKind kind, std::uint32_t offset, std::uint32_t size) {
    setup.kernel.arguments.push_back({kind, offset, size, ""});
  };
  add(ArgumentKind::by_value, 0, 8);
  add(ArgumentKind::hidden_block_count_x, 16, 4);
  add(ArgumentKind::hidden_group_size_y, 20, 2);
  add(ArgumentKind::hidden_remainder_x, 22, 2);
  add(ArgumentKind::hidden_grid_dims, 24, 2);
  add(ArgumentKind::hidden_dynamic_lds_size, 28, 4);
  add(ArgumentKind::hidden_shared_base, 32, 4);
  add(ArgumentKind::hidden_global_offset_x, 40, 8);
  setup.request.dynamic_lds = 777;
  const std::vector<std::uint8_t> given = {1, 2, 3, 4, 5, 6, 7, 8};
  setup.request.arguments = given;
  fill_arguments(setup.request, {}, setup.segment);
  const auto at = [&](std::size_t offset, std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, setup.segment.data() + offset, bytes);
    return value;
  };
  EXPECT_EQ(0x0807060504030201u, at(0, 8));
  EXPECT_EQ(2u, at(16, 4)) << "whole blocks of 20 work-items in blocks of 8";
  EXPECT_EQ(4u, at(20, 2));
  EXPECT_EQ(4u, at(22, 2)) << "and the rest";
  EXPECT_EQ(3u, at(24, 2));
  EXPECT_EQ(777u, at(28, 4));
  EXPECT_EQ(shared_aperture_high, at(32, 4));
  EXPECT_EQ(0u, at(40, 8));
}

}  // namespace
}  // namespace zellige::sim
