// Moves between lanes, pairs, counters in LDS, and scalar memory of gfx11, gfx12 and gfx1250 in waves of 32 and 64
// lanes.
#include "simulator/test/execute/memory_rig.hpp"

namespace zellige::sim::test {
namespace {

constexpr std::uint64_t active = 0xfffffff7ffffff0full;

bool is_active(int lane) { return active >> lane & 1; }

TEST(TargetLds, PermutesWithinTheWaveOrItsHalf) {
  for (const WaveTarget& target : rdna_targets) {
    // gfx11 names one of 32 lanes in waves of 64, too: of the same half.
    const int span = is_gfx11(target) ? 32 : target.lanes;
    MemoryRig rig(target);
    rig.set_exec(target.lanes == 64 ? active : active & 0xffffffffu);
    std::uint32_t source[64], old[64], pushed[64] = {};
    for (int lane = 0; lane < 64; ++lane) {
      source[lane] = rig.v(8, lane);
      old[lane] = rig.v(9, lane);
      rig.v(10, lane) = old[lane];
      rig.v(4, lane) = static_cast<std::uint32_t>(lane * 7 + 5) * 4 + 0x300;
    }
    const auto named = [&](int lane) { return (lane * 7 + 5 + 0x300 / 4 + 2) % span + lane / span * span; };
    for (int lane = 0; lane < target.lanes; ++lane)
      if (is_active(lane)) pushed[named(lane)] = source[lane];
    rig.run("ds_bpermute_b32 v9, v4, v8 offset:8\nds_permute_b32 v10, v4, v8 offset:8");
    for (int lane = 0; lane < target.lanes; ++lane) {
      const std::uint32_t pulled = is_active(named(lane)) ? source[named(lane)] : 0;
      EXPECT_EQ(rig.v(9, lane), is_active(lane) ? pulled : old[lane]) << target.target << target.lanes << " " << lane;
      EXPECT_EQ(rig.v(10, lane), is_active(lane) ? pushed[lane] : old[lane]) << target.target << " lane " << lane;
    }
    rig.judged();
    if (is_gfx11(target)) continue;
    rig.run("ds_bpermute_fi_b32 v9, v4, v8 offset:8");
    for (int lane = 0; lane < target.lanes; ++lane)
      EXPECT_EQ(rig.v(9, lane), is_active(lane) ? source[named(lane)] : old[lane]) << target.target << " lane " << lane;
    rig.judged();
  }
}

TEST(TargetLds, SwizzlesWithin32Lanes) {
  for (const WaveTarget& target : rdna_targets) {
    MemoryRig rig(target);
    rig.run(
        "ds_swizzle_b32 v9, v8 offset:swizzle(QUAD_PERM,3,0,2,1)\n"
        "ds_swizzle_b32 v10, v8 offset:swizzle(BITMASK_PERM,\"01pip\")\n"
        "ds_swizzle_b32 v11, v8 offset:swizzle(ROTATE,0,5)\nds_swizzle_b32 v12, v8 offset:swizzle(FFT,0)");
    constexpr int quad[] = {3, 0, 2, 1};
    for (int lane = 0; lane < target.lanes; ++lane) {
      const int half = lane & 32, l = lane & 31;
      int reversed = 0;
      for (int bit = 0; bit < 5; ++bit) reversed |= (l >> bit & 1) << (4 - bit);
      EXPECT_EQ(rig.v(9, lane), rig.v(8, (lane & ~3) + quad[lane & 3]));
      EXPECT_EQ(rig.v(10, lane), rig.v(8, half + (8 | (l & 4) | (~l & 2) | (l & 1)))) << lane;
      EXPECT_EQ(rig.v(11, lane), rig.v(8, half + (l + 5) % 32));
      EXPECT_EQ(rig.v(12, lane), rig.v(8, half + reversed));
    }
    rig.judged();
  }
}

TEST(TargetLds, PairsCountElementsOr64OfThem) {
  for (const WaveTarget& target : rdna_targets) {
    MemoryRig rig(target);
    for (int lane = 0; lane < 64; ++lane) rig.v(4, lane) = static_cast<std::uint32_t>(lane) * 8;
    rig.run(
        "ds_load_2addr_b32 v[20:21], v4 offset0:3 offset1:200\nds_load_2addr_stride64_b32 v[22:23], v4 offset0:1 "
        "offset1:9\n"
        "ds_load_2addr_b64 v[24:27], v4 offset0:5 offset1:100\nds_load_2addr_stride64_b64 v[28:31], v4 offset0:2 "
        "offset1:1");
    for (int lane = 0; lane < target.lanes; ++lane) {
      const std::uint8_t* at = rig.lds + lane * 8;
      EXPECT_EQ(rig.v(20, lane), dword(at + 12));
      EXPECT_EQ(rig.v(21, lane), dword(at + 800));
      EXPECT_EQ(rig.v(22, lane), dword(at + 256));
      EXPECT_EQ(rig.v(23, lane), dword(at + 9 * 256));
      for (int word = 0; word < 2; ++word) {
        EXPECT_EQ(rig.v(24 + word, lane), dword(at + 40 + 4 * word));
        EXPECT_EQ(rig.v(26 + word, lane), dword(at + 800 + 4 * word));
        EXPECT_EQ(rig.v(28 + word, lane), dword(at + 1024 + 4 * word));
        EXPECT_EQ(rig.v(30 + word, lane), dword(at + 512 + 4 * word));
      }
    }
    rig.judged();
    rig.run(
        "ds_store_2addr_b32 v4, v8, v9 offset0:1 offset1:250\nds_store_2addr_stride64_b64 v4, v[8:9], v[10:11] "
        "offset0:3 offset1:6");
    for (int lane = 0; lane < target.lanes; ++lane) {
      const std::uint8_t* at = rig.lds + lane * 8;
      EXPECT_EQ(dword(at + 4), rig.v(8, lane));
      EXPECT_EQ(dword(at + 1000), rig.v(9, lane));
      EXPECT_EQ(dword(at + 3 * 512 + 4), rig.v(9, lane));
      EXPECT_EQ(dword(at + 6 * 512), rig.v(10, lane));
    }
    rig.judged();
    rig.fill();
    rig.run("ds_storexchg_2addr_rtn_b32 v[20:21], v4, v8, v9 offset0:0 offset1:129");
    MemoryRig before(target);
    for (int lane = 0; lane < target.lanes; ++lane) {
      EXPECT_EQ(rig.v(20, lane), dword(before.lds + lane * 8));
      EXPECT_EQ(rig.v(21, lane), dword(before.lds + lane * 8 + 516));
      EXPECT_EQ(dword(rig.lds + lane * 8), rig.v(8, lane));
      EXPECT_EQ(dword(rig.lds + lane * 8 + 516), rig.v(9, lane));
    }
    rig.judged();
  }
}

TEST(TargetLds, AppendAndConsumeCountActiveLanes) {
  for (const WaveTarget& target : rdna_targets) {
    MemoryRig rig(target);
    std::memset(rig.lds, 0, 256);
    rig.lds[72] = 100;
    rig.s(scalar_m0) = 64;
    rig.set_exec(0x8000'0000'0000'0f0full);
    const std::uint32_t lanes = target.lanes == 64 ? 9 : 8;
    rig.run("ds_append v20 offset:8\nds_consume v21 offset:8\nds_consume v22 offset:8");
    for (int lane : {0, 3, 11}) {
      EXPECT_EQ(rig.v(20, lane), 100u);
      EXPECT_EQ(rig.v(21, lane), 100u + lanes);
      EXPECT_EQ(rig.v(22, lane), 100u);
    }
    EXPECT_EQ(dword(rig.lds + 72), 100u - lanes);
    rig.judged();
  }
}

TEST(TargetScalarMemory, LoadsEveryWidthAndOffset) {
  for (const WaveTarget& target : rdna_targets) {
    MemoryRig rig(target);
    const std::uint8_t* at = rig.memory.data();
    rig.set_s64(2, rig.memory.address() + 256);
    rig.s(4) = 64;
    rig.run(
        "s_load_b32 s8, s[2:3], -0x10\ns_load_b32 s9, s[2:3], s4 offset:0x8\ns_load_b32 s10, s[2:3], s4\n"
        "s_load_b64 s[12:13], s[2:3], 0x20\ns_load_b128 s[28:31], s[2:3], null\ns_load_b256 s[32:39], s[2:3], 0x42\n"
        "s_load_b512 s[40:55], s[2:3], 0x80");
    EXPECT_EQ(rig.s(8), dword(at + 240));
    EXPECT_EQ(rig.s(9), dword(at + 328));
    EXPECT_EQ(rig.s(10), dword(at + 320));
    for (int word = 0; word < 16; ++word) {
      if (word < 2) EXPECT_EQ(rig.s(12 + word), dword(at + 288 + 4 * word));
      if (word < 4) EXPECT_EQ(rig.s(28 + word), dword(at + 256 + 4 * word));
      if (word < 8)
        EXPECT_EQ(rig.s(32 + word), dword(at + 320 + 4 * word)) << "the low bits of the address are cleared";
      EXPECT_EQ(rig.s(40 + word), dword(at + 384 + 4 * word));
    }
    rig.judged();
    if (is_gfx11(target)) continue;
    rig.memory.data()[300] = 0x85, rig.memory.data()[301] = 0x96;
    rig.run(
        "s_load_b96 s[8:10], s[2:3], 0x10\ns_load_u8 s12, s[2:3], 0x2c\ns_load_i8 s13, s[2:3], 0x2c\n"
        "s_load_u16 s28, s[2:3], 0x2c\ns_load_i16 s29, s[2:3], -0x14\ns_load_u8 s30, s[2:3], s4 offset:-0x13");
    for (int word = 0; word < 3; ++word) EXPECT_EQ(rig.s(8 + word), dword(at + 272 + 4 * word));
    EXPECT_EQ(rig.s(12), 0x85u);
    EXPECT_EQ(rig.s(13), 0xffffff85u);
    EXPECT_EQ(rig.s(28), 0x9685u);
    EXPECT_EQ(rig.s(29), static_cast<std::uint32_t>(static_cast<std::int16_t>(half(at + 236))));
    EXPECT_EQ(rig.s(30), at[256 + 64 - 19]);
    rig.judged();
    rig.run(
        "s_prefetch_inst s[2:3], 0x100, s4, 7\ns_prefetch_inst_pc_rel 0x100, s4, 7\ns_prefetch_data s[2:3], 0x100, "
        "null, 7\n"
        "s_prefetch_data_pc_rel 0x100, s4, 7\ns_buffer_prefetch_data s[16:19], 0x100, s4, 7");
  }
}

TEST(TargetScalarMemory, BufferLoadsStopAtTheEnd) {
  for (const WaveTarget& target : rdna_targets) {
    MemoryRig rig(target);
    const std::uint8_t* at = rig.memory.data();
    rig.s(24) = 16;
    rig.set_buffer(at, 72);
    rig.run(
        "s_buffer_load_b32 s8, s[16:19], 0x10\ns_buffer_load_b128 s[12:15], s[16:19], s24 offset:0x2c\n"
        "s_buffer_load_b64 s[28:29], s[16:19], 0x48");
    EXPECT_EQ(rig.s(8), dword(at + 16));
    for (int word = 0; word < 4; ++word) EXPECT_EQ(rig.s(12 + word), word < 3 ? dword(at + 60 + 4 * word) : 0u);
    EXPECT_EQ(rig.s(28), 0u);
    EXPECT_EQ(rig.s(29), 0u);
    rig.set_buffer(at, 3, 3, 24);  // 72 bytes again
    rig.run("s_buffer_load_b64 s[28:29], s[16:19], 0x44");
    EXPECT_EQ(rig.s(28), dword(at + 68));
    EXPECT_EQ(rig.s(29), 0u);
    rig.judged();
    if (is_gfx11(target)) continue;
    rig.run(
        "s_buffer_load_b96 s[8:10], s[16:19], 0x40\ns_buffer_load_u8 s12, s[16:19], 0x47\n"
        "s_buffer_load_u8 s13, s[16:19], 0x48\ns_buffer_load_i16 s14, s[16:19], s24 offset:0x2\n"
        "s_buffer_load_i8 s15, s[16:19], 0x6\ns_buffer_load_u16 s28, s[16:19], 0x46");
    for (int word = 0; word < 3; ++word) EXPECT_EQ(rig.s(8 + word), word < 2 ? dword(at + 64 + 4 * word) : 0u);
    EXPECT_EQ(rig.s(12), at[71]);
    EXPECT_EQ(rig.s(13), 0u);
    EXPECT_EQ(rig.s(14), static_cast<std::uint32_t>(static_cast<std::int16_t>(half(at + 18))));
    EXPECT_EQ(rig.s(15), static_cast<std::uint32_t>(static_cast<std::int8_t>(at[6])));
    EXPECT_EQ(rig.s(28), half(at + 70));
    rig.judged();
  }
}

}  // namespace
}  // namespace zellige::sim::test
