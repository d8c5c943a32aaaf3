// The order that interleaved loops ask for: every instruction of a tile once, and the order that the config implies.
#include "zellige/gemm/interleave.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace zellige {
namespace {

std::string text_of(const InterleavePlan& plan) {
  std::string text;
  for (int i = 0; i < plan.count; ++i) {
    const InstructionGroup group = plan.group[i];
    text += group.kind == InstructionClass::matrix     ? 'M'
            : group.kind == InstructionClass::load     ? 'G'
            : group.kind == InstructionClass::lds_read ? 'R'
                                                       : 'W';
    if (group.count > 1) text += std::to_string(group.count);
    text += ' ';
  }
  return text;
}

constexpr GemmConfig config{
    .tiling = {.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}, .scheduling = Scheduling::interleaved}};

TEST(Interleave, MemoryInstructionsGoBetweenMatrixInstructions) {
  EXPECT_EQ(text_of(interleave_plan(derive(config, Arch::gfx942))), "W4 R4 G M G M G M G M R M R M R M R M M8 ");
}

// A single buffer's writes come before a barrier, and direct copies are started where the loop says: neither is here.
TEST(Interleave, OnlyWhatTheBasicBlockHolds) {
  GemmConfig c = config;
  c.tiling.pipeline = Pipeline::single_buffer;
  EXPECT_EQ(text_of(interleave_plan(derive(c, Arch::gfx942))), "R4 G M G M G M G M R M R M R M R M M8 ");
  c.tiling.staging = Staging::direct_to_lds;
  c.tiling.vector_a = c.tiling.vector_b = 2;
  EXPECT_EQ(text_of(interleave_plan(derive(c, Arch::gfx942))), "R4 R M R M R M R M M4 M8 ");
}

TEST(Interleave, CountsEveryInstructionOnce) {
  for (Mnk block : {Mnk{64, 64, 32}, Mnk{128, 64, 64}, Mnk{256, 128, 32}, Mnk{64, 128, 128}}) {
    for (MatrixOrder order_b : {MatrixOrder::row, MatrixOrder::column}) {
      GemmConfig c = config;
      c.tiling.block = block;
      c.order_b = order_b;
      const Derived d = derive(c, Arch::gfx942);
      std::map<InstructionClass, int> count;
      const InterleavePlan plan = interleave_plan(d);
      for (int i = 0; i < plan.count; ++i) count[plan.group[i].kind] += plan.group[i].count;
      EXPECT_EQ(count[InstructionClass::matrix], d.wave_m * d.wave_n * block.k / (32 * 32 * 8));
      EXPECT_EQ(count[InstructionClass::lds_read], (d.wave_m + d.wave_n) * block.k / (64 * 8));  // 16 bytes a lane
      EXPECT_EQ(count[InstructionClass::load], (block.m + block.n) * block.k / (256 * 8));
      EXPECT_EQ(count[InstructionClass::lds_write], d.stage_a.writes() + d.stage_b.writes());
    }
  }
}

}  // namespace
}  // namespace zellige
