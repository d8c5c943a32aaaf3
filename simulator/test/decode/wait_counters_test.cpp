// What waits wait for: assembled texts against the ISA documents' encodings.
#include "simulator/decode/wait_counters.hpp"

#include <gtest/gtest.h>

#include <string>

#include "simulator/decode/program.hpp"
#include "simulator/test/execute/assembly_machine.hpp"

namespace zellige::sim::test {
namespace {

using enum WaitCounter;

WaitLimits limits(WaitCounter counter, int value, WaitCounter second = count, int value2 = 0) {
  WaitLimits result = no_wait;
  result[static_cast<std::size_t>(counter)] = static_cast<std::int16_t>(value);
  if (second != count) result[static_cast<std::size_t>(second)] = static_cast<std::int16_t>(value2);
  return result;
}

std::optional<WaitLimits> waits(const std::string& target, const std::string& text) {
  const int lanes = target.starts_with("gfx9") ? 64 : 32;
  const auto code = assemble(target, text + "\ns_endpgm\n", lanes);
  constexpr std::uint64_t base = 0x10000;
  const auto program = decode(target, lanes, code.data(), base, code.size(), base, "test");
  return wait_limits(text.substr(0, text.find(' ')), program->instructions.front(), generation_of(target));
}

TEST(Waits, Gfx9AndGfx11) {
  for (const std::string target : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1151"}) {
    EXPECT_EQ(limits(load, 3), waits(target, "s_waitcnt vmcnt(3)")) << target;
    EXPECT_EQ(limits(load, 50), waits(target, "s_waitcnt vmcnt(50)")) << target;
    EXPECT_EQ(limits(load, 0, lds, 0), waits(target, "s_waitcnt vmcnt(0) lgkmcnt(0)")) << target;
    EXPECT_EQ(limits(lds, 7), waits(target, "s_waitcnt lgkmcnt(7)")) << target;
    EXPECT_EQ(limits(load, 0, lds, 0), waits(target, "s_waitcnt 0")) << target;
    EXPECT_EQ(no_wait, waits(target, "s_waitcnt vmcnt(63) expcnt(0)")) << target << ": all ones";
    EXPECT_EQ(std::nullopt, waits(target, "s_nop 0")) << target;
  }
  EXPECT_EQ(no_wait, waits("gfx942", "s_waitcnt lgkmcnt(15)"));
  EXPECT_EQ(limits(lds, 15), waits("gfx1100", "s_waitcnt lgkmcnt(15)"));
  EXPECT_EQ(limits(store, 0), waits("gfx1100", "s_waitcnt_vscnt null, 0x0"));
  EXPECT_EQ(limits(store, 2), waits("gfx1100", "s_waitcnt_vscnt null, 0x2"));
  EXPECT_EQ(limits(load, 5), waits("gfx1151", "s_waitcnt_vmcnt null, 0x5"));
  EXPECT_EQ(limits(lds, 0), waits("gfx1151", "s_waitcnt_lgkmcnt null, 0x0"));
}

TEST(Waits, Gfx12) {
  for (const std::string target : {"gfx1201", "gfx1250"}) {
    EXPECT_EQ(limits(load, 5), waits(target, "s_wait_loadcnt 0x5")) << target;
    EXPECT_EQ(limits(store, 0), waits(target, "s_wait_storecnt 0x0")) << target;
    EXPECT_EQ(limits(lds, 1), waits(target, "s_wait_dscnt 0x1")) << target;
    EXPECT_EQ(limits(scalar, 0), waits(target, "s_wait_kmcnt 0x0")) << target;
    EXPECT_EQ(limits(load, 3, lds, 7), waits(target, "s_wait_loadcnt_dscnt 0x307")) << target;
    EXPECT_EQ(limits(store, 1, lds, 0), waits(target, "s_wait_storecnt_dscnt 0x100")) << target;
    EXPECT_EQ(std::nullopt, waits(target, "s_add_co_u32 s0, s1, s2")) << target;
  }
  EXPECT_EQ(limits(sample, 2), waits("gfx1201", "s_wait_samplecnt 0x2"));
  EXPECT_EQ(limits(ray, 0), waits("gfx1201", "s_wait_bvhcnt 0x0"));
  EXPECT_EQ(WaitLimits{}, waits("gfx1201", "s_wait_idle")) << "all, none outstanding";
  EXPECT_EQ(limits(async, 0), waits("gfx1250", "s_wait_asynccnt 0x0"));
  EXPECT_EQ(limits(tensor, 1), waits("gfx1250", "s_wait_tensorcnt 0x1"));
  EXPECT_EQ(std::nullopt, waits("gfx1250", "s_wait_xcnt 0x0"));
}

TEST(Waits, CountersByGeneration) {
  EXPECT_EQ(load, store_counter(generation_gfx9));
  EXPECT_EQ(store, store_counter(generation_gfx11));
  EXPECT_EQ(store, store_counter(generation_gfx1250));
  EXPECT_EQ(lds, scalar_counter(generation_gfx9));
  EXPECT_EQ(lds, scalar_counter(generation_gfx11));
  EXPECT_EQ(scalar, scalar_counter(generation_gfx12));
  EXPECT_EQ(scalar, scalar_counter(generation_gfx1250));
}

}  // namespace
}  // namespace zellige::sim::test
