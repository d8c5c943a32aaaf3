// What instructions cost: waits by the ISA documents' encodings, kinds and clocks by the rates that issue.hpp states.
#include "simulator/timing/issue.hpp"

#include <gtest/gtest.h>

#include "simulator/decode/program.hpp"

namespace zellige::sim {
namespace {

constexpr int load = static_cast<int>(IssueCounter::load), store = static_cast<int>(IssueCounter::store),
              lds = static_cast<int>(IssueCounter::lds), scalar = static_cast<int>(IssueCounter::scalar),
              async = static_cast<int>(IssueCounter::async);

std::array<std::int8_t, issue_counters> limits(int counter, int value, int counter2 = -1, int value2 = -1) {
  std::array<std::int8_t, issue_counters> result{-1, -1, -1, -1, -1};
  if (counter >= 0) result[counter] = static_cast<std::int8_t>(value);
  if (counter2 >= 0) result[counter2] = static_cast<std::int8_t>(value2);
  return result;
}

TEST(Waits, Gfx9AndGfx11) {
  EXPECT_EQ(limits(load, 3), waits_of("s_waitcnt vmcnt(3)"));
  EXPECT_EQ(limits(load, 0, lds, 0), waits_of("s_waitcnt vmcnt(0) lgkmcnt(0)"));
  EXPECT_EQ(limits(lds, 7), waits_of("s_waitcnt lgkmcnt(7)"));
  EXPECT_EQ(limits(load, 63), waits_of("s_waitcnt vmcnt(63) expcnt(0)"));
  EXPECT_EQ(limits(load, 0, lds, 0), waits_of("s_waitcnt 0"));
  EXPECT_EQ(limits(store, 0), waits_of("s_waitcnt_vscnt null, 0x0"));
  EXPECT_EQ(limits(store, 2), waits_of("s_waitcnt_vscnt null, 0x2"));
}

TEST(Waits, Gfx12) {
  EXPECT_EQ(limits(load, 5), waits_of("s_wait_loadcnt 0x5"));
  EXPECT_EQ(limits(store, 0), waits_of("s_wait_storecnt 0x0"));
  EXPECT_EQ(limits(lds, 1), waits_of("s_wait_dscnt 0x1"));
  EXPECT_EQ(limits(scalar, 0), waits_of("s_wait_kmcnt 0x0"));
  EXPECT_EQ(limits(load, 3, lds, 7), waits_of("s_wait_loadcnt_dscnt 0x307"));
  EXPECT_EQ(limits(store, 1, lds, 0), waits_of("s_wait_storecnt_dscnt 0x100"));
  EXPECT_EQ(limits(async, 0), waits_of("s_wait_asynccnt 0x0"));
  EXPECT_EQ(limits(async, 0), waits_of("s_wait_tensorcnt 0x0"));
  EXPECT_EQ(limits(-1, 0), waits_of("s_wait_xcnt 0x0"));
  EXPECT_EQ(limits(-1, 0), waits_of("s_add_u32 s0, s1, s2"));
}

IssueInfo info(const std::string& target, int lanes, OpClass op_class, const std::string& text) {
  Program program;
  program.target = target;
  program.lanes = lanes;
  program.instructions.resize(1);
  program.instructions[0].op_class = op_class;
  program.texts = {text};
  return issue_plan(program).instructions[0];
}

TEST(Issue, RatesOfCdnaAndRdna) {
  EXPECT_EQ(4, info("gfx942", 64, OpClass::valu, "v_add_u32 v0, v1, v2").clocks);
  EXPECT_EQ(16, info("gfx90a", 64, OpClass::valu_transcendental, "v_exp_f32 v0, v1").clocks);
  EXPECT_EQ(4, info("gfx950", 64, OpClass::salu, "s_add_u32 s0, s1, s2").clocks);
  EXPECT_EQ(1, info("gfx1100", 32, OpClass::valu, "v_add_nc_u32 v0, v1, v2").clocks);
  EXPECT_EQ(2, info("gfx1100", 64, OpClass::valu, "v_add_nc_u32 v0, v1, v2").clocks);
  EXPECT_EQ(5, info("gfx1201", 32, OpClass::valu, "v_add_nc_u32 v0, v1, v2").result_clocks);
  EXPECT_EQ(12, info("gfx942", 64, OpClass::other, "s_nop 2").clocks) << "three slots of 4";
  EXPECT_EQ(0, info("gfx1100", 32, OpClass::other, "s_delay_alu instid0(VALU_DEP_1)").clocks);
}

TEST(Issue, StoresHaveACounterOfTheirOwnFromGfx11On) {
  EXPECT_EQ(IssueCounter::load, info("gfx942", 64, OpClass::global_store, "global_store_dword v0, v1, s[0:1]").counter);
  EXPECT_EQ(IssueCounter::store, info("gfx1100", 32, OpClass::global_store, "global_store_b32 v0, v1, s[0:1]").counter);
  EXPECT_EQ(IssueCounter::lds, info("gfx1100", 32, OpClass::smem, "s_load_b64 s[0:1], s[2:3], 0x0").counter);
  EXPECT_EQ(IssueCounter::scalar, info("gfx1201", 32, OpClass::smem, "s_load_b64 s[0:1], s[2:3], 0x0").counter);
}

}  // namespace
}  // namespace zellige::sim
