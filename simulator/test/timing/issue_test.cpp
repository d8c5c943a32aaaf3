// What instructions cost: kinds and clocks by the rates that issue.hpp states.
#include "simulator/timing/issue.hpp"

#include <gtest/gtest.h>

#include "simulator/decode/program.hpp"

namespace zellige::sim {
namespace {

IssueInfo info(const std::string& target, int lanes, OpClass op_class, const std::string& text, int immediate = 0) {
  Program program;
  program.target = target;
  program.lanes = lanes;
  program.instructions.resize(1);
  program.instructions[0].op_class = op_class;
  program.instructions[0].offset = immediate;
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
  EXPECT_EQ(12, info("gfx942", 64, OpClass::other, "s_nop 2", 2).clocks) << "three slots of 4";
  EXPECT_EQ(0, info("gfx1100", 32, OpClass::other, "s_delay_alu instid0(VALU_DEP_1)").clocks);
}

TEST(Issue, StoresHaveACounterOfTheirOwnFromGfx11On) {
  EXPECT_EQ(WaitCounter::load, info("gfx942", 64, OpClass::global_store, "global_store_dword v0, v1, s[0:1]").counter);
  EXPECT_EQ(WaitCounter::store, info("gfx1100", 32, OpClass::global_store, "global_store_b32 v0, v1, s[0:1]").counter);
  EXPECT_EQ(WaitCounter::lds, info("gfx1100", 32, OpClass::smem, "s_load_b64 s[0:1], s[2:3], 0x0").counter);
  EXPECT_EQ(WaitCounter::scalar, info("gfx1201", 32, OpClass::smem, "s_load_b64 s[0:1], s[2:3], 0x0").counter);
}

TEST(Issue, CopiesHaveTheCountersOfTheirKind) {
  EXPECT_EQ(WaitCounter::tensor,
            info("gfx1250", 32, OpClass::global_load, "tensor_load_to_lds s[0:3], s[4:11]").counter);
  EXPECT_EQ(WaitCounter::async,
            info("gfx1250", 32, OpClass::global_load, "global_load_async_to_lds_b32 v0, v[2:3], off").counter);
}

}  // namespace
}  // namespace zellige::sim
