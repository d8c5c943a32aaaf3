// What gfx1250 has alone: the register window over 1024 registers, transposed loads, async copies, the tensor mover,
// arrivals at barriers in LDS, scaled and signed offsets.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>

#include "simulator/execute/lds_exchange.hpp"
#include "simulator/execute/tensor_copy.hpp"
#include "simulator/test/execute/assembly_machine.hpp"
#include "simulator/test/execute/memory_machine.hpp"

namespace zellige::sim::test {
namespace {

constexpr int lanes = 32;

struct Gfx1250 : AssemblyMachine {
  explicit Gfx1250(std::uint32_t lds_bytes = 8192) : AssemblyMachine("gfx1250", 32), lds(lds_bytes + 64) {
    set_exec(0xffffffff);
    group().lds = lds.data() + (64 - reinterpret_cast<std::uintptr_t>(lds.data()) % 64) % 64;
    group().lds_bytes = lds_bytes;
    std::mt19937 generator(11);
    for (std::uint32_t i = 0; i < lds_bytes; ++i) group().lds[i] = static_cast<std::uint8_t>(generator());
  }
  std::uint32_t word(std::uint32_t at) {
    std::uint32_t value;
    std::memcpy(&value, group().lds + at, 4);
    return value;
  }
  std::vector<std::uint8_t> lds;
};

// --- The register window ---

TEST(RegisterWindow, EveryFieldOfVectorInstructions) {
  Gfx1250 machine;
  for (int lane = 0; lane < lanes; ++lane) {
    machine.v(256 + 1, lane) = 3;
    machine.v(512 + 2, lane) = 5;
    machine.v(768 + 3, lane) = 7;
  }
  // src0 in the second quarter, src1 in the third, src2 in the fourth, the destination in the second.
  machine.run("s_set_vgpr_msb 0x79\nv_mad_u32_u24 v9, v1, v2, v3");
  EXPECT_EQ(22u, machine.v(256 + 9, 5));
  EXPECT_EQ(0u, machine.v(9, 5));
  machine.run("s_set_vgpr_msb 0x79\nv_mov_b32 v4, v1\ns_set_vgpr_msb 0x7900\nv_mov_b32 v4, v1");
  EXPECT_EQ(3u, machine.v(256 + 4, 0));
  EXPECT_EQ(0u, machine.v(4, 0)) << "v1 of the first quarter is 0";
  // What VOP2 accumulates into is the destination's, whatever src2's field says.
  machine.v(512 + 7, 0) = bits(10.0f);
  machine.v(8, 0) = bits(2.0f), machine.v(9, 0) = bits(4.0f);
  machine.run("s_set_vgpr_msb 0x90\nv_fmac_f32 v7, v8, v9");
  EXPECT_EQ(18.0f, as_float(machine.v(512 + 7, 0)));
}

TEST(RegisterWindow, BothHalvesOfDualInstructions) {
  Gfx1250 machine;
  machine.v(256 + 2, 1) = 42, machine.v(256 + 5, 1) = 43;
  machine.run("s_set_vgpr_msb 0x81\nv_dual_mov_b32 v10, v2 :: v_dual_mov_b32 v11, v5");
  EXPECT_EQ(42u, machine.v(512 + 10, 1));
  EXPECT_EQ(43u, machine.v(512 + 11, 1));
}

TEST(RegisterWindow, MemoryInstructions) {
  Gfx1250 machine;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    machine.v(256 + 1, lane) = 4 * lane;    // addresses in the second quarter
    machine.v(512 + 2, lane) = 100 + lane;  // data in the third
    machine.v(768 + 3, lane) = 200 + lane;  // second data in the fourth
  }
  machine.run("s_set_vgpr_msb 0x39\nds_store_2addr_b32 v1, v2, v3 offset0:0 offset1:32");
  EXPECT_EQ(107u, machine.word(28));
  EXPECT_EQ(207u, machine.word(128 + 28));
  machine.run("s_set_vgpr_msb 0xc1\nds_load_b32 v4, v1");
  EXPECT_EQ(107u, machine.v(768 + 4, 7));

  DeviceBytes memory(4096);
  machine.set_s64(4, reinterpret_cast<std::uint64_t>(memory.data()));
  machine.run("s_set_vgpr_msb 0x09\nglobal_store_b32 v1, v2, s[4:5]");
  machine.run("s_set_vgpr_msb 0x81\nglobal_load_b32 v5, v1, s[4:5]");
  EXPECT_EQ(131u, machine.v(512 + 5, 31));
}

TEST(RegisterWindow, FollowsBranchesAndCalls) {
  Gfx1250 machine;
  // The loop's body runs in two windows: the second time round the destination lies in the second quarter.
  machine.run(R"(
    s_mov_b32 s0, 0
  loop:
    v_mov_b32 v20, 9
    s_add_co_i32 s0, s0, 1
    s_cmp_eq_u32 s0, 2
    s_cbranch_scc1 done
    s_set_vgpr_msb 0x40
    s_branch loop
  done:
    v_mov_b32 v21, 8)");
  EXPECT_EQ(9u, machine.v(20, 0));
  EXPECT_EQ(9u, machine.v(256 + 20, 0));
  EXPECT_EQ(8u, machine.v(256 + 21, 0)) << "the branch keeps the window";
  EXPECT_EQ(0u, machine.v(21, 0));

  machine.run(R"(
    s_set_vgpr_msb 0xc0
    s_get_pc_i64 s[2:3]
    s_add_nc_u64 s[2:3], s[2:3], 12
    s_swap_pc_i64 s[4:5], s[2:3]
    s_branch end
    v_mov_b32 v30, 77
    s_set_pc_i64 s[4:5]
  end:
    v_mov_b32 v31, 78)");
  EXPECT_EQ(77u, machine.v(768 + 30, 0));
  EXPECT_EQ(78u, machine.v(768 + 31, 0));
}

TEST(RegisterWindow, ModeDoesNotWriteIt) {
  Gfx1250 machine;
  machine.run("s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1");
  EXPECT_NE(std::string::npos,
            machine.fault("s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 12, 8), 0x41").find("not implemented"));
}

// --- Transposed loads ---

/// The 16 x 16 matrix of 16-bit elements that two of its rows' halves a lane cover, read as LLVM's users do: lane l of
/// group g = l / 8 fetches 8 elements; afterwards lane l holds element l % 8 of each lane of its group.
TEST(TransposedLoad, SixteenBitGroupsOfEight) {
  Gfx1250 machine;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) machine.v(1, lane) = lane * 48;
  machine.run("ds_load_tr16_b128 v[4:7], v1 offset:32");
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    for (std::uint32_t e = 0; e < 8; ++e) {
      const std::uint32_t source = lane / 8 * 8 + e, at = source * 48 + 32 + 2 * (lane % 8);
      std::uint16_t expected;
      std::memcpy(&expected, machine.group().lds + at, 2);
      ASSERT_EQ(expected, machine.v(static_cast<int>(4 + e / 2), lane) >> 16 * (e % 2) & 0xffff) << lane << " " << e;
    }
  }
  machine.judged();
}

TEST(TransposedLoad, EightBitRunsOfFour) {
  Gfx1250 machine;
  DeviceBytes memory(4096);
  std::memcpy(memory.data(), machine.group().lds, 4096);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) machine.v(1, lane) = lane * 40;
  machine.set_s64(4, reinterpret_cast<std::uint64_t>(memory.data()));
  machine.run("ds_load_tr8_b64 v[4:5], v1\nglobal_load_tr8_b64 v[6:7], v1, s[4:5]");
  // Lanes 0 to 7 of a group of 16 get the source lanes 0..3 and 8..11, lanes 8 to 15 get 4..7 and 12..15.
  constexpr std::uint32_t sources[2][8] = {{0, 1, 2, 3, 8, 9, 10, 11}, {4, 5, 6, 7, 12, 13, 14, 15}};
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    for (std::uint32_t e = 0; e < 8; ++e) {
      const std::uint32_t source = lane / 16 * 16 + sources[lane / 8 % 2][e];
      const std::uint32_t expected = machine.group().lds[source * 40 + lane % 8];
      ASSERT_EQ(expected, machine.v(static_cast<int>(4 + e / 4), lane) >> 8 * (e % 4) & 0xff) << lane << " " << e;
      ASSERT_EQ(expected, machine.v(static_cast<int>(6 + e / 4), lane) >> 8 * (e % 4) & 0xff) << lane << " " << e;
    }
  }
  machine.judged();
}

TEST(TransposedLoad, NarrowElementsAreMovedNotLost) {
  for (const int bits : {4, 6, 8, 16}) {
    const int per_lane = bits == 8 || bits == 16 ? 8 : 16;
    std::array<int, 32 * 16> taken{};
    for (int lane = 0; lane < lanes; ++lane)
      for (int e = 0; e < per_lane; ++e) {
        const TransposeSource from = wmma_transpose_source(bits, lane, e);
        ASSERT_TRUE(from.lane >= 0 && from.lane < lanes && from.element >= 0 && from.element < per_lane);
        ++taken[static_cast<std::size_t>(from.lane * per_lane + from.element)];
      }
    for (int i = 0; i < lanes * per_lane; ++i) ASSERT_EQ(1, taken[static_cast<std::size_t>(i)]) << bits;
  }
}

TEST(TransposedLoad, NeedsEveryLane) {
  Gfx1250 machine;
  machine.set_exec(0x7fffffff);
  EXPECT_NE(std::string::npos,
            machine.fault("ds_load_tr16_b128 v[4:7], v1").find("needs every lane of the wave active"));
}

// --- Async copies ---

TEST(AsyncCopy, LoadsAndStoresWithALdsAddressALane) {
  Gfx1250 machine;
  DeviceBytes memory(8192);
  for (int i = 0; i < 8192; ++i) memory.data()[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
  machine.set_s64(4, reinterpret_cast<std::uint64_t>(memory.data()));
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    machine.v(1, lane) = (31 - lane) * 32;  // LDS
    machine.v(2, lane) = lane * 16;         // global
  }
  machine.set_exec(0x0fffffff);
  const std::uint32_t before = machine.word((31 - 30) * 32 + 64);
  machine.run("global_load_async_to_lds_b128 v1, v2, s[4:5] offset:64\ns_wait_asynccnt 0x0");
  for (std::uint32_t lane = 0; lane < 28; ++lane)
    ASSERT_EQ(0, std::memcmp(machine.group().lds + (31 - lane) * 32 + 64, memory.data() + lane * 16 + 64, 16)) << lane;
  EXPECT_EQ(before, machine.word((31 - 30) * 32 + 64)) << "an inactive lane moves nothing";
  machine.run("global_load_async_to_lds_b8 v1, v2, s[4:5]");
  for (std::uint32_t lane = 0; lane < 28; ++lane)
    ASSERT_EQ(memory.data()[lane * 16], machine.group().lds[(31 - lane) * 32]);

  for (std::uint32_t lane = 0; lane < lanes; ++lane) machine.v(2, lane) = 4096 + lane * 8;
  machine.run("global_store_async_from_lds_b64 v2, v1, s[4:5] offset:64");
  for (std::uint32_t lane = 0; lane < 28; ++lane)
    ASSERT_EQ(0, std::memcmp(machine.group().lds + (31 - lane) * 32 + 64, memory.data() + 4096 + lane * 8 + 64, 8));
}

TEST(AsyncCopy, BothSidesAreChecked) {
  Gfx1250 machine(1024);
  DeviceBytes memory(512);
  machine.set_s64(4, reinterpret_cast<std::uint64_t>(memory.data()));
  machine.v(1, 9) = 1021;
  const std::string lds = machine.fault("global_load_async_to_lds_b32 v1, v2, s[4:5]");
  EXPECT_NE(std::string::npos, lds.find("lane 9 stores 4 bytes at LDS address 0x3fd, but the workgroup has 1024 bytes"))
      << lds;
  machine.v(1, 9) = 0;
  machine.v(2, 3) = 509;
  const std::string global = machine.fault("global_load_async_to_lds_b32 v1, v2, s[4:5]");
  EXPECT_NE(std::string::npos, global.find("lane 3 loads 4 bytes at")) << global;
  const std::string store = machine.fault("global_store_async_from_lds_b32 v2, v1, s[4:5]");
  EXPECT_NE(std::string::npos, store.find("lane 3 stores 4 bytes at")) << store;
}

// --- Offsets to a scalar base ---

TEST(ScaledOffset, IsSignedAndCountsAccesses) {
  Gfx1250 machine;
  DeviceBytes memory(4096);
  auto* words = reinterpret_cast<std::uint32_t*>(memory.data());
  for (std::uint32_t i = 0; i < 1024; ++i) words[i] = i;
  machine.set_s64(4, reinterpret_cast<std::uint64_t>(memory.data() + 2048));
  for (std::uint32_t lane = 0; lane < lanes; ++lane) machine.v(1, lane) = 3 * lane - 40;
  machine.run("global_load_b64 v[2:3], v1, s[4:5] scale_offset\nglobal_load_b32 v4, v1, s[4:5] offset:8 scale_offset");
  for (int lane = 0; lane < lanes; ++lane) {
    ASSERT_EQ(static_cast<std::uint32_t>(512 + 2 * (3 * lane - 40)), machine.v(2, lane));
    ASSERT_EQ(static_cast<std::uint32_t>(513 + 2 * (3 * lane - 40)), machine.v(3, lane));
    ASSERT_EQ(static_cast<std::uint32_t>(514 + (3 * lane - 40)), machine.v(4, lane));
  }
  for (std::uint32_t lane = 0; lane < lanes; ++lane) machine.v(1, lane) = 4 * lane - 64;
  machine.run("global_load_b32 v4, v1, s[4:5]");
  for (int lane = 0; lane < lanes; ++lane) ASSERT_EQ(static_cast<std::uint32_t>(496 + lane), machine.v(4, lane));
}

// --- The tensor mover ---

/// Packs a descriptor from its fields' definition.
struct Pack {
  std::array<std::uint32_t, 4> group0{1, 0, 0, 2u << 30}, group2{}, group3{};
  std::array<std::uint32_t, 8> group1{};
  static void put(std::uint32_t& word, int first, std::uint64_t value) {
    word |= static_cast<std::uint32_t>(value << first);
  }
  void address(const void* global, std::uint32_t lds) {
    const auto value = reinterpret_cast<std::uint64_t>(global);
    group0[1] = lds, group0[2] = static_cast<std::uint32_t>(value),
    group0[3] |= static_cast<std::uint32_t>(value >> 32);
  }
  void element(std::uint32_t log2_bytes) { put(group1[0], 16, log2_bytes); }
  void tensor(std::uint32_t dim0, std::uint32_t dim1) {
    put(group1[1], 16, dim0 & 0xffff), put(group1[2], 0, dim0 >> 16);
    put(group1[2], 16, dim1 & 0xffff), put(group1[3], 0, dim1 >> 16);
  }
  void tile(std::uint32_t dim0, std::uint32_t dim1, std::uint32_t dim2 = 0) {
    put(group1[3], 16, dim0), put(group1[4], 0, dim1), put(group1[4], 16, dim2);
  }
  void strides(std::uint64_t first, std::uint64_t second = 0) {
    group1[5] = static_cast<std::uint32_t>(first), put(group1[6], 0, first >> 32 & 0xffff);
    put(group1[6], 16, second & 0xffff), group1[7] = static_cast<std::uint32_t>(second >> 16);
  }
  void padding(std::uint32_t interval, std::uint32_t amount) {
    put(group1[0], 20, 1), put(group1[0], 22, interval), put(group1[0], 25, amount);
  }
  void into(Gfx1250& machine) const {
    for (int i = 0; i < 4; ++i) machine.s(i) = group0[i], machine.s(12 + i) = group2[i], machine.s(16 + i) = group3[i];
    for (int i = 0; i < 8; ++i) machine.s(4 + i) = group1[i];
  }
};
constexpr const char* load_2d = "tensor_load_to_lds s[0:3], s[4:11]\ns_wait_tensorcnt 0x0";
constexpr const char* load_all = "tensor_load_to_lds s[0:3], s[4:11], s[12:15], s[16:19]";
constexpr const char* store_2d = "tensor_store_from_lds s[0:3], s[4:11]";

TEST(TensorCopy, TwoDimensionsWithPaddingAndZerosOutside) {
  Gfx1250 machine;
  DeviceBytes memory(8192);
  auto* words = reinterpret_cast<std::uint16_t*>(memory.data());
  for (std::uint32_t i = 0; i < 4096; ++i) words[i] = static_cast<std::uint16_t>(i + 1);
  // A tile of 8 x 6 halves of a tensor that is 7 x 5 from there on, in rows of 40; two dwords of padding every four.
  Pack pack;
  pack.address(words + 100, 256);
  pack.element(1), pack.tensor(7, 5), pack.tile(8, 6), pack.strides(40), pack.padding(1, 1);
  pack.into(machine);
  machine.set_exec(0);  // the mover ignores EXEC
  machine.run(load_2d);
  for (std::uint32_t row = 0; row < 6; ++row) {
    for (std::uint32_t x = 0; x < 8; ++x) {
      std::uint16_t value;
      std::memcpy(&value, machine.group().lds + 256 + row * (16 + 8) + 2 * x, 2);
      ASSERT_EQ(x < 7 && row < 5 ? 101 + row * 40 + x : 0u, value) << row << " " << x;
    }
  }
  machine.judged();
}

TEST(TensorCopy, StoresDropWhatLiesOutside) {
  Gfx1250 machine;
  DeviceBytes memory(4096);
  Pack pack;
  pack.address(memory.data() + 64, 0);
  pack.element(2), pack.tensor(3, 2), pack.tile(4, 3), pack.strides(16);
  pack.into(machine);
  machine.run(store_2d);
  for (std::uint32_t row = 0; row < 3; ++row) {
    for (std::uint32_t x = 0; x < 4; ++x) {
      std::uint32_t value;
      std::memcpy(&value, memory.data() + 64 + 4 * (row * 16 + x), 4);
      ASSERT_EQ(x < 3 && row < 2 ? machine.word(4 * (row * 4 + x)) : 0u, value) << row << " " << x;
    }
  }
  machine.judged();
}

TEST(TensorCopy, FiveDimensions) {
  Gfx1250 machine;
  DeviceBytes memory(1 << 16);
  for (int i = 0; i < 1 << 16; ++i) memory.data()[i] = static_cast<std::uint8_t>(i * 31 + i / 251);
  Pack pack;
  pack.address(memory.data(), 0);
  pack.element(0), pack.tensor(100, 100), pack.tile(3, 2, 3), pack.strides(11, 70);
  pack.group2 = {2, 100, 500, 2u << 16};  // tensor dim 2 of 2, dim 3; stride 3; tile dim 3 of 2
  pack.group3 = {3000, 100u << 16, 2u << 16, 0};
  pack.into(machine);
  machine.run(load_all);
  int at = 0;
  for (int e = 0; e < 2; ++e)
    for (int d = 0; d < 2; ++d)
      for (int c = 0; c < 3; ++c)
        for (int b = 0; b < 2; ++b)
          for (int a = 0; a < 3; ++a, ++at)
            ASSERT_EQ(c < 2 ? memory.data()[a + 11 * b + 70 * c + 500 * d + 3000 * e] : 0, machine.group().lds[at])
                << at;
}

TEST(TensorCopy, GathersRowsByIndex) {
  Gfx1250 machine;
  DeviceBytes memory(4096);
  auto* words = reinterpret_cast<std::uint32_t*>(memory.data());
  for (std::uint32_t i = 0; i < 1024; ++i) words[i] = i;
  Pack pack;
  pack.address(words, 0);
  pack.group0[0] |= 1u << 31;  // 16-bit indices
  pack.element(2), pack.tensor(4, 30), pack.tile(4, 5), pack.strides(20);
  pack.group2 = {7 | 3 << 16, 29 | 30 << 16, 0, 0};
  pack.into(machine);
  machine.run(load_all);
  constexpr std::uint32_t rows[5] = {7, 3, 29, 30, 0};
  for (std::uint32_t row = 0; row < 5; ++row)
    for (std::uint32_t x = 0; x < 4; ++x)
      ASSERT_EQ(rows[row] < 30 ? rows[row] * 20 + x : 0, machine.word(4 * (row * 4 + x))) << row << " " << x;
}

TEST(TensorCopy, NullDescriptorsAndRefusals) {
  Gfx1250 machine(1024);
  DeviceBytes memory(256);
  const auto fault_of = [&](const Pack& pack, const char* text) {
    pack.into(machine);
    return machine.fault(text);
  };
  Pack good;
  good.address(memory.data(), 0);
  good.element(2), good.tensor(8, 4), good.tile(8, 4), good.strides(8);
  EXPECT_EQ("", fault_of(good, load_2d));
  Pack null = good;
  null.group0[0] = 0, null.group0[1] = 1 << 20;
  EXPECT_EQ("", fault_of(null, load_2d));
  const auto expect = [&](const Pack& pack, const char* text, const char* sentence) {
    const std::string fault = fault_of(pack, text);
    EXPECT_NE(std::string::npos, fault.find(sentence)) << fault;
  };
  Pack bad = good;
  bad.group0[1] = 960;
  expect(bad, load_2d, "the tile spans LDS addresses 0x3c0 to 0x43f, but the workgroup has 1024 bytes of LDS");
  bad = good, bad.group1[0] |= 1u << 19;
  expect(bad, load_2d, "iteration is not simulated");
  bad = good, bad.group1[0] |= 1u << 21;
  expect(bad, load_2d, "early timeout is not simulated");
  bad = good, bad.group0[3] &= ~(3u << 30);
  expect(bad, load_2d, "type is not 2");
  bad = good, bad.padding(0, 0);
  expect(bad, store_2d, "asks for padding, which only loads have");
  bad = good, bad.group1[5] = 80;
  expect(bad, load_2d, "loads 32 bytes at");
  expect(bad, store_2d, "stores 32 bytes at");
}

// --- Barriers in LDS ---

TEST(LdsBarrier, PhasesAdvanceWhenTheCountPassesBelowZero) {
  Gfx1250 machine;
  const std::uint64_t three = 2 | std::uint64_t{2} << 32;  // expects three arrivals: the count is one less
  std::memcpy(machine.group().lds + 64, &three, 8);
  machine.set_exec(3);
  machine.v(1, 0) = machine.v(1, 1) = 64;
  machine.set_v64(2, 0, 1), machine.set_v64(2, 1, 1);
  machine.run("ds_atomic_barrier_arrive_rtn_b64 v[4:5], v1, v[2:3]");
  EXPECT_EQ(three, machine.v64(4, 0));
  EXPECT_EQ(three - 1, machine.v64(4, 1));
  machine.set_exec(1);
  machine.run("ds_atomic_async_barrier_arrive_b64 v1");
  EXPECT_EQ(2u | 1u << 29, machine.word(64)) << "the next phase, with the count reloaded";
  EXPECT_EQ(2u, machine.word(68));
}

}  // namespace
}  // namespace zellige::sim::test
