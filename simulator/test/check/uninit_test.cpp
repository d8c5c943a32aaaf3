// Uninitialised registers: uses that matter are faults, and what compilers do with open registers is none.
#include <gtest/gtest.h>

#include "simulator/memory/arena.hpp"
#include "simulator/test/check/check_machine.hpp"

namespace zellige::sim::test {
namespace {

/// One wave with device memory at s[2:3], v0 = 4 * lane and v1 = 7; other registers were never written.
class UninitCheck : public testing::Test {
 protected:
  static std::string run(const std::string& text, std::uint64_t exec = ~std::uint64_t{0},
                         const std::string& target = "gfx942") {
    void* memory = Arena::instance().allocate(65536, 0);
    CheckMachine machine(target, check_uninit);
    machine.set_scalar_pair(2, reinterpret_cast<std::uint64_t>(memory));
    machine.set_row(0, [](int lane) { return 4 * static_cast<std::uint32_t>(lane); });
    machine.set_row(1, [](int) { return 7u; });
    machine.set_exec(exec);
    const std::string message = machine.run(text);
    Arena::instance().release(memory);
    return message;
  }
};

TEST_F(UninitCheck, DataToStore) {
  EXPECT_TRUE(says(run("global_store_dword v0, v5, s[2:3]"),
                   {"uninitialised register", "lane 0 uses v5 as data to store", "`global_store_dword v0, v5, s[2:3]`",
                    "at address 0x10000", "workgroup (0, 0, 0)", "kernel test on gfx942"}));
  EXPECT_EQ("", run("v_mov_b32 v5, v1\nglobal_store_dword v0, v5, s[2:3]"));
  EXPECT_TRUE(says(run("ds_write_b32 v0, v5"), {"v5 as data to store"}));
  EXPECT_TRUE(says(run("v_mov_b32 v4, v1\nglobal_store_dwordx2 v0, v[4:5], s[2:3]"), {"v5 as data to store"}));
}

TEST_F(UninitCheck, OnlyLanesThatMatter) {
  // Lanes 0 to 7 define v5; the store has those, or one more.
  const std::string some = "v_mov_b32 v5, v1\n";
  EXPECT_EQ("", run(some + "global_store_dword v0, v5, s[2:3]", 0xff));
  EXPECT_TRUE(says(run(some + "s_mov_b64 exec, 0x1ff\nglobal_store_dword v0, v5, s[2:3]", 0xff), {"lane 8 uses v5"}));
}

TEST_F(UninitCheck, Addresses) {
  EXPECT_TRUE(says(run("global_load_dword v2, v6, s[2:3]"), {"lane 0 uses v6 as an address"}));
  EXPECT_TRUE(says(run("ds_write_b32 v6, v1"), {"v6 as an address"}));
  EXPECT_TRUE(says(run("s_load_dword s4, s[8:9], 0x0"), {"s8 is used as an address"}));
}

TEST_F(UninitCheck, ArithmeticCarriesIt) {
  EXPECT_TRUE(
      says(run("v_add_u32 v6, v1, v5\nv_lshlrev_b32 v7, 1, v6\nglobal_store_dword v0, v7, s[2:3]"), {"uses v7"}));
  EXPECT_TRUE(says(run("v_fma_f32 v6, v1, v1, v5\nglobal_store_dword v0, v6, s[2:3]"), {"uses v6"}));
  EXPECT_TRUE(says(run("v_mov_b32 v6, s9\nglobal_store_dword v0, v6, s[2:3]"), {"uses v6"}));
}

TEST_F(UninitCheck, CompilersLeaveThingsOpen) {
  EXPECT_EQ("", run("v_mov_b32 v6, v5\nv_add_u32 v6, v6, v1")) << "a move and a result that nothing uses";
  EXPECT_EQ("", run("v_perm_b32 v6, v1, v5, v1\nglobal_store_short v0, v6, s[2:3]")) << "packing with an open half";
  EXPECT_EQ("", run("v_mov_b32 v2, v1\nv_lshlrev_b64 v[6:7], 2, v[2:3]\nglobal_store_dword v0, v6, s[2:3]"))
      << "low word of a pair";
}

TEST_F(UninitCheck, SelectsTakeOneSide) {
  const std::string mask = "s_mov_b64 vcc, 0xff\nv_cndmask_b32 v6, v5, v1, vcc\n";  // v1 in lanes 0 to 7
  EXPECT_EQ("", run(mask + "s_mov_b64 exec, 0xff\nglobal_store_dword v0, v6, s[2:3]"));
  EXPECT_TRUE(says(run(mask + "global_store_dword v0, v6, s[2:3]"), {"lane 8 uses v6"}));
}

TEST_F(UninitCheck, BranchesAndExec) {
  EXPECT_TRUE(says(run("s_cmp_eq_u32 s9, 0\ns_cbranch_scc1 L\nL:"), {"scc is used as a branch condition"}));
  EXPECT_EQ("", run("s_cmp_eq_u32 s2, 0\ns_cbranch_scc1 L\nL:"));
  EXPECT_TRUE(says(run("v_cmp_gt_u32 vcc, v5, v1\ns_cbranch_vccnz L\nL:"), {"vcc_lo is used as a branch condition"}));
  EXPECT_TRUE(says(run("v_cmp_gt_u32 vcc, v5, v1\ns_and_saveexec_b64 s[10:11], vcc"), {"as a bit of EXEC"}));
  // Speculated: the open compare does not matter where the other says no.
  EXPECT_EQ("", run("v_cmp_gt_u32 vcc, v5, v1\ns_mov_b64 s[12:13], 0\ns_and_b64 vcc, vcc, s[12:13]\n"
                    "s_and_saveexec_b64 s[10:11], vcc"));
}

TEST_F(UninitCheck, LanesReadIntoScalars) {
  EXPECT_TRUE(says(run("v_readfirstlane_b32 s4, v5\ns_cmp_eq_u32 s4, 0\ns_cbranch_scc1 L\nL:"), {"branch condition"}));
  EXPECT_EQ("", run("v_readlane_b32 s4, v1, 3\ns_cmp_eq_u32 s4, 0\ns_cbranch_scc1 L\nL:"));
}

TEST_F(UninitCheck, ExchangesOfLanesAreFollowedOnEveryTarget) {
  for (const std::string target : {"gfx942", "gfx1100", "gfx1201", "gfx1250"}) {
    const std::string store = std::string("global_store_") + (target == "gfx942" ? "dword" : "b32") + " v0, v6, s[2:3]";
    const auto check = [&](const std::string& text, std::uint64_t exec = ~std::uint64_t{0}) {
      return run(text + store, exec, target);
    };
    EXPECT_TRUE(says(check("ds_bpermute_b32 v6, v0, v5\n"), {"uses v6 as data"})) << target;
    EXPECT_EQ("", check("ds_bpermute_b32 v6, v0, v1\n")) << target;
    EXPECT_TRUE(says(check("ds_bpermute_b32 v6, v5, v1\n"), {"v5 as the number of a lane"})) << target;
    // Lanes 0 to 7 define v5, and each asks for the lane eight further on, which is not active.
    const std::string some = "v_mov_b32 v5, v1\n";
    EXPECT_EQ("", check(some + "ds_bpermute_b32 v6, v0, v5 offset:32\n", 0xff)) << target << ": 0";
    if (target != "gfx1201") continue;
    EXPECT_TRUE(says(check(some + "ds_bpermute_fi_b32 v6, v0, v5 offset:32\n", 0xff), {"uses v6 as data"}));
    EXPECT_EQ("", check(some + "ds_bpermute_fi_b32 v6, v0, v5\n", 0xff));
  }
}

TEST_F(UninitCheck, MatrixInputs) {
  const std::string some = "v_mov_b32 v4, v1\nv_mov_b32 v5, v1\nv_mov_b32 v6, v1\nv_mov_b32 v7, v1\n";
  const std::string zeros = "v_mov_b32 v8, 0\nv_mov_b32 v9, 0\nv_mov_b32 v10, 0\n";
  const std::string matrix = "v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[6:7], v[8:11]";
  EXPECT_TRUE(says(run(some + zeros + matrix), {"v11 as an input of a matrix instruction"}));
  EXPECT_EQ("", run(some + zeros + "v_mov_b32 v11, 0\n" + matrix));
}

TEST_F(UninitCheck, LdsThatNothingWrote) {
  EXPECT_TRUE(
      says(run("ds_read_b32 v6, v0 offset:16"), {"uninitialised LDS", "lane 0 reads 4 bytes at LDS address 0x10"}));
  EXPECT_EQ("", run("ds_write_b32 v0, v1 offset:16\nds_read_b32 v6, v0 offset:16"));
  EXPECT_TRUE(says(run("ds_write_b8 v0, v1\nds_read_u16 v6, v0"), {"has written byte 0x1"}));
  EXPECT_EQ("", run("ds_write_b8 v0, v1\nds_read_u8 v6, v0"));
  EXPECT_TRUE(says(run("ds_add_u32 v0, v1"), {"uninitialised LDS"}));
}

TEST_F(UninitCheck, CopiesToLdsWriteIt) {
  EXPECT_EQ("", run("s_mov_b32 m0, 0\nglobal_load_lds_dword v0, s[2:3]\nds_read_b32 v6, v0"));
}

}  // namespace
}  // namespace zellige::sim::test
