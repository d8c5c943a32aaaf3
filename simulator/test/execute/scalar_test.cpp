// Scalar arithmetic, compares, bit operations, EXEC moves, control flow and hardware registers, against the ISA's
// definitions.
#include <gtest/gtest.h>

#include "simulator/test/execute/assembly_machine.hpp"

namespace zellige::sim::test {
namespace {

/// s4 (or s[4:5]) and s6 (or s[6:7]) go in; the result is s8 (or s[8:9]) and SCC. scc = -1: SCC must stay as it was.
struct Case {
  const char* text;
  std::uint64_t a, b, result;
  int scc = -1;
};

void check(const Case& c, bool wide) {
  for (const std::uint32_t scc_before : {0u, 1u}) {
    AssemblyMachine machine;
    machine.set_s64(4, c.a);
    machine.set_s64(6, c.b);
    machine.set_s64(8, 0);
    machine.wave().scc = scc_before;
    machine.run(c.text);
    EXPECT_EQ(machine.s64(8), wide ? c.result : c.result & 0xffffffff)
        << c.text << std::hex << " of " << c.a << ", " << c.b;
    EXPECT_EQ(machine.wave().scc, c.scc < 0 ? scc_before : static_cast<std::uint32_t>(c.scc))
        << c.text << std::hex << " of " << c.a << ", " << c.b;
    machine.judged();
  }
}

TEST(Scalar, Arithmetic32) {
  const Case cases[] = {
      {"s_add_u32 s8, s4, s6", 0xffffffff, 1, 0, 1},
      {"s_add_u32 s8, s4, s6", 0x7fffffff, 1, 0x80000000, 0},
      {"s_add_i32 s8, s4, s6", 0x7fffffff, 1, 0x80000000, 1},
      {"s_add_i32 s8, s4, s6", 0xffffffff, 1, 0, 0},
      {"s_sub_u32 s8, s4, s6", 0, 1, 0xffffffff, 1},
      {"s_sub_u32 s8, s4, s6", 5, 5, 0, 0},
      {"s_sub_i32 s8, s4, s6", 0x80000000, 1, 0x7fffffff, 1},
      {"s_sub_i32 s8, s4, s6", 0, 1, 0xffffffff, 0},
      {"s_min_i32 s8, s4, s6", 0xffffffff, 1, 0xffffffff, 1},
      {"s_min_u32 s8, s4, s6", 0xffffffff, 1, 1, 0},
      {"s_max_i32 s8, s4, s6", 0xffffffff, 1, 1, 0},
      {"s_max_u32 s8, s4, s6", 0xffffffff, 1, 0xffffffff, 1},
      {"s_mul_i32 s8, s4, s6", 0xffffffff, 3, 0xfffffffd},
      {"s_mul_hi_u32 s8, s4, s6", 0xffffffff, 0xffffffff, 0xfffffffe},
      {"s_mul_hi_i32 s8, s4, s6", 0xffffffff, 0xffffffff, 0},
      {"s_mul_hi_i32 s8, s4, s6", 0x80000000, 2, 0xffffffff},
      {"s_absdiff_i32 s8, s4, s6", 3, 10, 7, 1},
      {"s_absdiff_i32 s8, s4, s6", 4, 4, 0, 0},
      {"s_lshl1_add_u32 s8, s4, s6", 0x80000000, 1, 1, 1},
      {"s_lshl2_add_u32 s8, s4, s6", 3, 1, 13, 0},
      {"s_lshl3_add_u32 s8, s4, s6", 3, 1, 25, 0},
      {"s_lshl4_add_u32 s8, s4, s6", 0x10000000, 0xffffffff, 0xffffffff, 1},
      {"s_pack_ll_b32_b16 s8, s4, s6", 0x11112222, 0x33334444, 0x44442222},
      {"s_pack_lh_b32_b16 s8, s4, s6", 0x11112222, 0x33334444, 0x33332222},
      {"s_pack_hh_b32_b16 s8, s4, s6", 0x11112222, 0x33334444, 0x33331111},
      {"s_lshl_b32 s8, s4, s6", 1, 31, 0x80000000, 1},
      {"s_lshl_b32 s8, s4, s6", 1, 32, 1, 1},
      {"s_lshr_b32 s8, s4, s6", 0x80000000, 31, 1, 1},
      {"s_lshr_b32 s8, s4, s6", 1, 1, 0, 0},
      {"s_ashr_i32 s8, s4, s6", 0x80000000, 31, 0xffffffff, 1},
      {"s_bfm_b32 s8, s4, s6", 4, 8, 0xf00},
      {"s_bfe_u32 s8, s4, s6", 0x12345678, 8 << 16 | 4, 0x67, 1},
      {"s_bfe_u32 s8, s4, s6", 0xffffffff, 0, 0, 0},
      {"s_bfe_i32 s8, s4, s6", 0x00000f00, 4 << 16 | 8, 0xffffffff, 1},
      {"s_bfe_i32 s8, s4, s6", 0x80000000, 32 << 16 | 28, 0xfffffff8, 1},
      {"s_and_b32 s8, s4, s6", 0xf0, 0x0f, 0, 0},
      {"s_or_b32 s8, s4, s6", 0xf0, 0x0f, 0xff, 1},
      {"s_xor_b32 s8, s4, s6", 0xff, 0x0f, 0xf0, 1},
      {"s_andn2_b32 s8, s4, s6", 0xff, 0x0f, 0xf0, 1},
      {"s_orn2_b32 s8, s4, s6", 0, 0xffffffff, 0, 0},
      {"s_nand_b32 s8, s4, s6", 0xffffffff, 0xffffffff, 0, 0},
      {"s_nor_b32 s8, s4, s6", 0, 0, 0xffffffff, 1},
      {"s_xnor_b32 s8, s4, s6", 5, 5, 0xffffffff, 1},
      {"s_not_b32 s8, s4", 0xffffffff, 0, 0, 0},
      {"s_mov_b32 s8, s4", 7, 0, 7},
      {"s_mov_b32 s8, 0.5", 0, 0, 0x3f000000},
      {"s_movk_i32 s8, 0x8000", 0, 0, 0xffff8000},
      {"s_brev_b32 s8, s4", 1, 0, 0x80000000},
      {"s_bcnt0_i32_b32 s8, s4", 0xffffffff, 0, 0, 0},
      {"s_bcnt1_i32_b32 s8, s4", 0xf0f0, 0, 8, 1},
      {"s_ff0_i32_b32 s8, s4", 0xffffffff, 0, 0xffffffff},
      {"s_ff0_i32_b32 s8, s4", 0x7, 0, 3},
      {"s_ff1_i32_b32 s8, s4", 0x50, 0, 4},
      {"s_ff1_i32_b32 s8, s4", 0, 0, 0xffffffff},
      {"s_flbit_i32_b32 s8, s4", 0x00010000, 0, 15},
      {"s_flbit_i32_b32 s8, s4", 0, 0, 0xffffffff},
      {"s_flbit_i32 s8, s4", 0xffff0000, 0, 16},
      {"s_flbit_i32 s8, s4", 0xffffffff, 0, 0xffffffff},
      {"s_sext_i32_i8 s8, s4", 0x180, 0, 0xffffff80},
      {"s_sext_i32_i16 s8, s4", 0x18000, 0, 0xffff8000},
      {"s_abs_i32 s8, s4", 0xfffffffb, 0, 5, 1},
      {"s_abs_i32 s8, s4", 0x80000000, 0, 0x80000000, 1},
      {"s_wqm_b32 s8, s4", 0x00000102, 0, 0x00000f0f, 1},
      {"s_quadmask_b32 s8, s4", 0x80000010, 0, 0x82, 1},
      {"s_bitset0_b32 s8, s4", 3, 0, 0},
      {"s_bitset1_b32 s8, s4", 35, 0, 8},
  };
  for (const Case& c : cases) check(c, false);
}

TEST(Scalar, Arithmetic64) {
  const Case cases[] = {
      {"s_mov_b64 s[8:9], s[4:5]", 0x123456789abcdef0, 0, 0x123456789abcdef0},
      {"s_mov_b64 s[8:9], -1", 0, 0, ~0ull},
      {"s_mov_b64 s[8:9], 0x80000000", 0, 0, 0x80000000},
      {"s_mov_b64 s[8:9], 1.0", 0, 0, 0x3ff0000000000000},
      {"s_not_b64 s[8:9], s[4:5]", ~0ull, 0, 0, 0},
      {"s_and_b64 s[8:9], s[4:5], s[6:7]", 0xf000000000000000, 0x8000000000000001, 0x8000000000000000, 1},
      {"s_or_b64 s[8:9], s[4:5], s[6:7]", 1ull << 40, 1, 1ull << 40 | 1, 1},
      {"s_xor_b64 s[8:9], s[4:5], s[6:7]", 5, 5, 0, 0},
      {"s_andn2_b64 s[8:9], s[4:5], s[6:7]", ~0ull, 1, ~1ull, 1},
      {"s_orn2_b64 s[8:9], s[4:5], s[6:7]", 0, ~0ull, 0, 0},
      {"s_nand_b64 s[8:9], s[4:5], s[6:7]", ~0ull, ~0ull, 0, 0},
      {"s_nor_b64 s[8:9], s[4:5], s[6:7]", 0, 0, ~0ull, 1},
      {"s_xnor_b64 s[8:9], s[4:5], s[6:7]", 3, 3, ~0ull, 1},
      {"s_lshl_b64 s[8:9], s[4:5], s6", 1, 63, 1ull << 63, 1},
      {"s_lshl_b64 s[8:9], s[4:5], s6", 1, 64, 1, 1},
      {"s_lshr_b64 s[8:9], s[4:5], s6", 1ull << 63, 63, 1, 1},
      {"s_ashr_i64 s[8:9], s[4:5], s6", 1ull << 63, 62, ~1ull, 1},
      {"s_bfm_b64 s[8:9], s4, s6", 36, 4, 0xfffffffff0},
      {"s_bfe_u64 s[8:9], s[4:5], s6", 0x123456789abcdef0, 16 << 16 | 32, 0x5678, 1},
      {"s_bfe_i64 s[8:9], s[4:5], s6", 0x8000000000, 8 << 16 | 32, 0xffffffffffffff80, 1},
      {"s_brev_b64 s[8:9], s[4:5]", 1, 0, 1ull << 63},
      {"s_bcnt1_i32_b64 s8, s[4:5]", 0xff000000000000ff, 0, 16, 1},
      {"s_bcnt0_i32_b64 s8, s[4:5]", ~0ull, 0, 0, 0},
      {"s_ff1_i32_b64 s8, s[4:5]", 1ull << 40, 0, 40},
      {"s_ff0_i32_b64 s8, s[4:5]", 0xffffffffff, 0, 40},
      {"s_flbit_i32_b64 s8, s[4:5]", 1ull << 40, 0, 23},
      {"s_flbit_i32_i64 s8, s[4:5]", ~0ull << 32, 0, 32},
      {"s_wqm_b64 s[8:9], s[4:5]", 1ull << 62, 0, 0xf000000000000000, 1},
      {"s_quadmask_b64 s[8:9], s[4:5]", 0xf00000000000000f, 0, 0x8001, 1},
      {"s_bitset1_b64 s[8:9], s4", 40, 0, 1ull << 40},
      {"s_bitreplicate_b64_b32 s[8:9], s4", 0x80000001, 0, 0xc000000000000003},
      {"s_add_u32 s8, s4, s6\ns_addc_u32 s9, s5, s7", 0xffffffffffffffff, 2, 1, 1},
      {"s_sub_u32 s8, s4, s6\ns_subb_u32 s9, s5, s7", 0x100000000, 1, 0xffffffff, 0},
  };
  for (const Case& c : cases) check(c, true);
}

TEST(Scalar, ComparesSetScc) {
  struct Compare {
    const char* name;
    bool less, equal, greater;  // the answers for a < b, a == b, a > b
  };
  const Compare compares[] = {{"eq", false, true, false}, {"lg", true, false, true},  {"gt", false, false, true},
                              {"ge", false, true, true},  {"lt", true, false, false}, {"le", true, true, false}};
  for (const Compare& compare : compares) {
    for (const bool is_signed : {false, true}) {
      for (const std::uint32_t a : {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
        for (const std::uint32_t b : {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
          AssemblyMachine machine;
          machine.s(4) = a;
          machine.s(6) = b;
          machine.run(std::string("s_cmp_") + compare.name + (is_signed ? "_i32" : "_u32") + " s4, s6");
          // Signed order is unsigned order with the sign bits flipped.
          const std::uint32_t x = is_signed ? a ^ 0x80000000u : a, y = is_signed ? b ^ 0x80000000u : b;
          const bool expected = x < y ? compare.less : x == y ? compare.equal : compare.greater;
          ASSERT_EQ(machine.wave().scc, expected) << compare.name << is_signed << std::hex << " " << a << " " << b;
          machine.judged();
        }
      }
    }
  }
  AssemblyMachine machine;
  machine.set_s64(4, 1ull << 35);
  machine.set_s64(6, 0);
  machine.run("s_cmp_lg_u64 s[4:5], s[6:7]");
  EXPECT_EQ(machine.wave().scc, 1u);
  machine.run("s_bitcmp1_b64 s[4:5], 35");
  EXPECT_EQ(machine.wave().scc, 1u);
  machine.run("s_bitcmp0_b32 s5, 3");
  EXPECT_EQ(machine.wave().scc, 0u);
  machine.s(4) = 0xffffffff;
  machine.run("s_cmpk_eq_u32 s4, 0xffff");
  EXPECT_EQ(machine.wave().scc, 0u) << "unsigned constants are zero-extended";
  machine.run("s_cmpk_eq_i32 s4, -1");
  EXPECT_EQ(machine.wave().scc, 1u) << "signed constants are sign-extended";
  machine.s(4) = 0x7fffffff;
  machine.run("s_addk_i32 s4, 1");
  EXPECT_EQ(machine.s(4), 0x80000000u);
  EXPECT_EQ(machine.wave().scc, 1u);
  machine.s(4) = 7;
  machine.run("s_mulk_i32 s4, -3");
  EXPECT_EQ(machine.s(4), static_cast<std::uint32_t>(-21));
}

TEST(Scalar, SelectsBySccAndKeepsIt) {
  for (const std::uint32_t scc : {0u, 1u}) {
    AssemblyMachine machine;
    machine.s(4) = 11;
    machine.s(6) = 22;
    machine.s(9) = 33;
    machine.wave().scc = scc;
    machine.run("s_cselect_b32 s8, s4, s6\ns_cmov_b32 s9, s4\ns_cselect_b64 s[10:11], -1, 0");
    EXPECT_EQ(machine.s(8), scc ? 11u : 22u);
    EXPECT_EQ(machine.s(9), scc ? 11u : 33u);
    EXPECT_EQ(machine.s64(10), scc ? ~0ull : 0ull);
    EXPECT_EQ(machine.wave().scc, scc);
    machine.judged();
  }
}

TEST(Scalar, SaveExec) {
  struct Case {
    const char* name;
    std::uint64_t exec;
  };
  const std::uint64_t source = 0xff00ff00ff00ff00, exec = 0x0f0f0f0f0f0f0f0f;
  const Case cases[] = {{"and", source & exec},    {"or", source | exec},      {"xor", source ^ exec},
                        {"andn2", source & ~exec}, {"orn2", source | ~exec},   {"nand", ~(source & exec)},
                        {"nor", ~(source | exec)}, {"xnor", ~(source ^ exec)}, {"andn1", ~source & exec},
                        {"orn1", ~source | exec}};
  for (const Case& c : cases) {
    AssemblyMachine machine;
    machine.set_exec(exec);
    machine.set_s64(4, source);
    machine.run(std::string("s_") + c.name + "_saveexec_b64 s[8:9], s[4:5]\nv_mov_b32 v0, 1");
    EXPECT_EQ(machine.s64(8), exec) << c.name;
    EXPECT_EQ(machine.wave().exec(), c.exec) << c.name;
    EXPECT_EQ(machine.wave().scc, c.exec != 0) << c.name;
    for (int lane = 0; lane < 64; ++lane)
      EXPECT_EQ(machine.v(0, lane), c.exec >> lane & 1) << c.name << " lane " << lane;
    machine.judged();
  }
}

TEST(Scalar, WritesOfExecReachVectorInstructions) {
  AssemblyMachine machine;
  machine.run("s_mov_b64 exec, 0x10\nv_mov_b32 v0, 1\ns_mov_b32 exec_hi, 1\nv_mov_b32 v1, 2\ns_mov_b64 exec, -1");
  for (int lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(machine.v(0, lane), lane == 4 ? 1u : 0u);
    EXPECT_EQ(machine.v(1, lane), lane == 4 || lane == 32 ? 2u : 0u);
  }
}

TEST(Scalar, LoopsCallsAndCounts) {
  AssemblyMachine machine;
  machine.run(R"(
    s_mov_b32 s0, 10
    s_mov_b32 s1, 0
  loop:
    s_add_u32 s1, s1, s0
    s_sub_u32 s0, s0, 1
    s_cmp_lg_u32 s0, 0
    s_cbranch_scc1 loop)");
  EXPECT_EQ(machine.s(1), 55u);
  EXPECT_EQ(machine.counts().instructions[static_cast<int>(OpClass::salu)], 2u + 10 * 3);
  EXPECT_EQ(machine.counts().instructions[static_cast<int>(OpClass::branch)], 10u);

  AssemblyMachine caller;
  caller.run(R"(
    s_getpc_b64 s[4:5]
  after:
    s_add_u32 s4, s4, function-after
    s_addc_u32 s5, s5, 0
    s_swappc_b64 s[30:31], s[4:5]
    s_mov_b32 s9, s8
    s_endpgm
  function:
    s_mov_b32 s8, 77
    s_setpc_b64 s[30:31])");
  EXPECT_EQ(caller.s(9), 77u);
}

TEST(Scalar, BranchConditions) {
  AssemblyMachine machine;
  machine.run(R"(
    s_mov_b32 s0, 0
    s_mov_b64 vcc, 0
    s_cbranch_vccnz bad
    s_cbranch_vccz one
    s_branch bad
  one:
    s_or_b32 s0, s0, 1
    s_mov_b64 exec, 0
    s_cbranch_execz two
    s_branch bad
  two:
    s_or_b32 s0, s0, 2
    s_mov_b64 exec, 1
    s_cbranch_execz bad
    s_cbranch_execnz three
  bad:
    s_mov_b32 s0, 99
    s_endpgm
  three:
    s_or_b32 s0, s0, 4)");
  EXPECT_EQ(machine.s(0), 7u);
}

TEST(Scalar, HardwareRegistersAndStatusOperands) {
  AssemblyMachine machine;
  machine.set_s64(scalar_vcc, 0);
  machine.wave().scc = 1;
  machine.run(
      "s_mov_b32 s4, src_vccz\ns_mov_b32 s5, src_execz\ns_mov_b32 s6, src_scc\ns_getreg_b32 s7, hwreg(HW_REG_MODE, 4, "
      "4)");
  EXPECT_EQ(machine.s(4), 1u);
  EXPECT_EQ(machine.s(5), 0u);
  EXPECT_EQ(machine.s(6), 1u);
  EXPECT_EQ(machine.s(7), 0xfu);
  // 1 + 2^-24 rounds up only in round-up mode (MODE[3:0] = 5).
  for (int lane = 0; lane < 64; ++lane) {
    machine.v(0, lane) = bits(1.0f);
    machine.v(1, lane) = bits(0x1p-24f);
  }
  machine.run(
      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5\nv_add_f32 v2, v0, v1\ns_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, "
      "4), 0\nv_add_f32 v3, v0, v1");
  EXPECT_EQ(machine.v(2, 0), bits(1.0f + 0x1p-23f));
  EXPECT_EQ(machine.v(3, 0), bits(1.0f));
}

TEST(Scalar, FaultsNameKernelInstructionAndAddress) {
  AssemblyMachine machine;
  const std::string trap = machine.fault("s_nop 0\ns_trap 2");
  EXPECT_NE(trap.find("trap 2"), std::string::npos) << trap;
  EXPECT_NE(trap.find("kernel test on gfx942"), std::string::npos) << trap;
  EXPECT_NE(trap.find("`s_trap 2` at address 0x10004"), std::string::npos) << trap;
  const std::string unknown = machine.fault("s_cbranch_join s8");
  EXPECT_NE(unknown.find("not implemented"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("s_cbranch_join"), std::string::npos) << unknown;
  machine.set_s64(4, 0x1234);
  EXPECT_NE(machine.fault("s_setpc_b64 s[4:5]").find("0x1234"), std::string::npos);
  EXPECT_NE(machine.fault("s_load_dword s0, s[4:5], 0x0").find("0x1234"), std::string::npos);
}

}  // namespace
}  // namespace zellige::sim::test
