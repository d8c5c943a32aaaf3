// Results used before their wait: each planted fault with its clean twin.
#include <gtest/gtest.h>

#include "simulator/memory/arena.hpp"
#include "simulator/test/check/check_machine.hpp"

namespace zellige::sim::test {
namespace {

/// One wave (or some) with device memory at s[2:3], v0 = 4 * lane, and v1 = 7.
class WaitCheck : public testing::Test {
 protected:
  static std::string run(const std::string& text, const std::string& target = "gfx942", int waves = 1) {
    void* memory = Arena::instance().allocate(65536, 0);
    CheckMachine machine(target, check_wait, waves);
    machine.set_scalar_pair(2, reinterpret_cast<std::uint64_t>(memory));
    machine.set_row(0, [](int lane) { return 4 * static_cast<std::uint32_t>(lane); });
    machine.set_row(1, [](int) { return 7u; });
    const std::string message = machine.run(text);
    Arena::instance().release(memory);
    return message;
  }
};

TEST_F(WaitCheck, LoadIsReadOnlyBehindItsWait) {
  const std::string load = "global_load_dword v2, v0, s[2:3]\n";
  const std::string message = run(load + "v_add_u32 v3, v2, v1");
  EXPECT_TRUE(says(message, {"missing wait", "reads v2", "`global_load_dword v2, v0, s[2:3]` at 0x10000",
                             "vmcnt(0) is needed", "in `v_add_u32", "at address 0x10008", "wave 0", "kernel test"}));
  EXPECT_EQ("", run(load + "s_waitcnt vmcnt(0)\nv_add_u32 v3, v2, v1"));
}

TEST_F(WaitCheck, MemoryReturnsInOrder) {
  const std::string loads =
      "global_load_dword v2, v0, s[2:3]\nglobal_load_dword v3, v0, s[2:3] offset:256\nglobal_store_dword v0, v1, "
      "s[2:3]\n";
  EXPECT_EQ("", run(loads + "s_waitcnt vmcnt(2)\nv_mov_b32 v4, v2"));
  EXPECT_TRUE(says(run(loads + "s_waitcnt vmcnt(2)\nv_mov_b32 v4, v3"), {"reads v3", "vmcnt(1) is needed"}));
  EXPECT_EQ("", run(loads + "s_waitcnt vmcnt(1)\nv_mov_b32 v4, v3"));
}

TEST_F(WaitCheck, ResultsMayNotBeOverwrittenUnlessBehindThem) {
  const std::string load = "global_load_dword v2, v0, s[2:3]\n";
  EXPECT_TRUE(says(run(load + "v_mov_b32 v2, 1"), {"writes v2"}));
  EXPECT_EQ("", run(load + "global_load_dword v2, v0, s[2:3] offset:4\ns_waitcnt vmcnt(0)\nv_mov_b32 v4, v2"));
  EXPECT_TRUE(says(run(load + "ds_read_b32 v2, v0"), {"writes v2"}));
}

TEST_F(WaitCheck, EveryRegisterOfAWideLoadMustBeBehindTheOlderOne) {
  // v2 comes from memory as well, v3 from LDS.
  const std::string older = "global_load_dword v2, v0, s[2:3]\nds_read_b32 v3, v0\n",
                    wide = "global_load_dwordx2 v[2:3], v0, s[2:3]\n";
  EXPECT_TRUE(says(run(older + wide), {"writes v3", "lgkmcnt(0) is needed"}));
  EXPECT_EQ("", run(older + "s_waitcnt lgkmcnt(0)\n" + wide));
}

TEST_F(WaitCheck, WordsOfAWideLoadAreAllOutstanding) {
  const std::string load = "global_load_dwordx4 v[4:7], v0, s[2:3]\n";
  EXPECT_EQ("", run(load + "v_mov_b32 v3, v0\nv_mov_b32 v8, v0"));
  EXPECT_TRUE(says(run(load + "v_mov_b32 v8, v7"), {"reads v7"}));
}

TEST_F(WaitCheck, ScalarMemoryReturnsInAnyOrder) {
  const std::string loads = "s_load_dword s4, s[2:3], 0x0\ns_load_dword s5, s[2:3], 0x4\n";
  EXPECT_TRUE(says(run(loads + "s_waitcnt lgkmcnt(1)\ns_mov_b32 s6, s4"), {"reads s4", "lgkmcnt(0) is needed"}));
  EXPECT_EQ("", run(loads + "s_waitcnt lgkmcnt(0)\ns_mov_b32 s6, s4"));
  EXPECT_TRUE(says(run(loads + "v_mov_b32 v3, s5"), {"reads s5"}));
}

TEST_F(WaitCheck, ScalarMemoryHidesHowFarLdsHasCome) {
  const std::string reads = "ds_read_b32 v2, v0\nds_read_b32 v3, v0 offset:4\n";
  EXPECT_EQ("", run(reads + "s_waitcnt lgkmcnt(1)\nv_mov_b32 v4, v2"));
  EXPECT_TRUE(says(run(reads + "s_waitcnt lgkmcnt(1)\nv_mov_b32 v4, v3"), {"reads v3", "lgkmcnt(0) is needed"}));
  // The scalar load may be the one that has returned.
  const std::string mixed = reads + "s_load_dword s4, s[2:3], 0x0\n";
  EXPECT_TRUE(says(run(mixed + "s_waitcnt lgkmcnt(2)\nv_mov_b32 v4, v2"), {"reads v2"}));
  EXPECT_EQ("", run(mixed + "s_waitcnt lgkmcnt(1)\nv_mov_b32 v4, v2"));
}

TEST_F(WaitCheck, LdsAndGlobalMemoryCountApart) {
  EXPECT_TRUE(says(run("ds_read_b32 v2, v0\ns_waitcnt vmcnt(0)\nv_mov_b32 v4, v2"), {"reads v2", "lgkmcnt(0)"}));
  EXPECT_TRUE(says(run("global_load_dword v2, v0, s[2:3]\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v4, v2"), {"vmcnt(0)"}));
}

TEST_F(WaitCheck, CopiesToLdsAreOutstandingThere) {
  const std::string copy = "s_mov_b32 m0, 0\nglobal_load_lds_dword v0, s[2:3]\n";
  EXPECT_TRUE(
      says(run(copy + "ds_read_b32 v2, v0"), {"lane 0 reads 4 bytes at LDS address 0x0",
                                              "`global_load_lds_dword v0, s[2:3]` at 0x10004 of wave 0", "vmcnt(0)"}));
  EXPECT_EQ("", run(copy + "s_waitcnt vmcnt(0)\nds_read_b32 v2, v0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v3, v2"));
  EXPECT_EQ("", run(copy + "ds_read_b32 v2, v0 offset:256")) << "other bytes";
}

TEST_F(WaitCheck, AnotherWavesCopyWantsItsWaitBeforeTheBarrier) {
  // Wave 0 copies, wave 1 reads behind the barrier.
  const std::string begin =
      "s_cmp_lg_u32 s30, 0\ns_cbranch_scc1 L1\ns_mov_b32 m0, 0\nglobal_load_lds_dword v0, s[2:3]\n";
  const std::string end = "L1:\ns_barrier\ns_cmp_eq_u32 s30, 0\ns_cbranch_scc1 L2\nds_read_b32 v2, v0\nL2:\n";
  EXPECT_TRUE(says(run(begin + end, "gfx942", 2), {"of wave 0 still copies", "and a barrier", "wave 1"}));
  EXPECT_EQ("", run(begin + "s_waitcnt vmcnt(0)\n" + end, "gfx942", 2));
}

TEST_F(WaitCheck, FlatGoesByWhereItsLanesReach) {
  const std::string to_v = "v_mov_b32 v4, s2\nv_mov_b32 v5, s3\n";
  EXPECT_EQ("", run(to_v + "flat_load_dword v6, v[4:5]\ns_waitcnt vmcnt(0)\nv_mov_b32 v7, v6"));
  EXPECT_TRUE(says(run(to_v + "flat_load_dword v6, v[4:5]\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v7, v6"), {"reads v6"}));
}

}  // namespace
}  // namespace zellige::sim::test
