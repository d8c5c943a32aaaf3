// The clocks of a lone wave, each against a sum worked out by hand from the figures of memory_shape.hpp: on gfx942 a
// slot is 4 clocks, s_endpgm one slot.
#include "simulator/timing/observation.hpp"

#include <gtest/gtest.h>

#include "simulator/dispatch/device.hpp"
#include "simulator/memory/arena.hpp"
#include "simulator/test/execute/assembly_machine.hpp"

namespace zellige::sim::test {
namespace {

constexpr std::uint64_t slot = 4;

struct Alone {
  explicit Alone(Arch arch = Arch::gfx942)
      : device(make_device(arch, 0)), machine(device.traits.name, device.traits.wave_size) {}
  Device device;
  AssemblyMachine machine;
  ObservedCounts counts;

  /// Clocks of the workgroup whose only wave runs `text`.
  std::uint64_t clocks(const std::string& text, bool far = false) {
    machine.prepare(text);
    const IssuePlan plan = issue_plan(machine.program());
    Observation observation;
    observation.begin({.memory = memory_shape(device), .issue = &plan, .simds = 4, .far = far}, 1);
    machine.group().observe = true;
    {
      const Observation::Scope scope(&observation);
      EXPECT_EQ("", machine.execute());
    }
    counts = {};
    observation.finish(counts);
    return counts.alone_clocks;
  }
};

class Memory {
 public:
  explicit Memory(std::size_t bytes) : data_(Arena::instance().allocate(bytes, 0)) {}
  ~Memory() { Arena::instance().release(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(data_); }

 private:
  void* data_;
};

TEST(Observation, InstructionsIssueInOrder) {
  Alone alone;
  EXPECT_EQ(4 * slot, alone.clocks("s_add_u32 s0, s1, s2\nv_add_u32 v0, v1, v2\nv_add_u32 v3, v0, v2"));
  EXPECT_EQ(4 * slot + slot, alone.clocks("s_nop 3"));
  EXPECT_EQ(16 + slot, alone.clocks("v_exp_f32 v0, v1")) << "a quarter of the rate";
}

TEST(Observation, MatrixResultsAreWaitedFor) {
  Alone alone;
  // 8 passes of 4 clocks each. The second adds to the first's result as soon as that is there.
  const std::string one = "v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]\n";
  EXPECT_EQ(64u, alone.clocks(one + one));
  // Another reader waits for three passes more, and its slot follows.
  EXPECT_EQ(64 + 12 + 2 * slot, alone.clocks(one + one + "v_accvgpr_read_b32 v9, a0"));
  // 28 clocks between the first one's slot and its result, and 40 from the second's slot to what the reader may read.
  EXPECT_EQ(28u + 40u, alone.counts.dependency_clocks);
}

TEST(Observation, LoadsTakeAsLongAsTheLevelThatHasTheLine) {
  Memory memory(4096);
  Alone alone;
  alone.machine.set_s64(2, memory.address());
  for (int lane = 0; lane < 64; ++lane) alone.machine.v(1, lane) = static_cast<std::uint32_t>(lane) * 4;
  // 256 bytes: two lines, which the vector cache delivers in 4 clocks.
  const std::string load = "global_load_dword v0, v1, s[2:3]\n", wait = "s_waitcnt vmcnt(0)\n";
  EXPECT_EQ(497 + 4 + 2 * slot, alone.clocks(load + wait)) << "the far cache's 497 clocks";
  EXPECT_EQ(1u, alone.counts.stalled_waits);
  EXPECT_EQ(497u + 4 - slot, alone.counts.wait_clocks);
  EXPECT_EQ(900 + 4 + 2 * slot, alone.clocks(load + wait, true)) << "memory";
  // Once more from the vector cache.
  EXPECT_EQ(497 + 4 + slot + 116 + 4 + 2 * slot, alone.clocks(load + wait + load + wait));
  EXPECT_EQ(2u, alone.counts.l1_hits);
  // The older of two loads is there when one is outstanding: the wait lets go at its time.
  EXPECT_EQ(497 + 4 + 2 * slot, alone.clocks(load + load + "s_waitcnt vmcnt(1)\n"));
  EXPECT_EQ(2 * slot, alone.clocks(load)) << "nothing waits";
  EXPECT_EQ(0u, alone.counts.stalled_waits);
}

TEST(Observation, EveryFormOfAWaitHolds) {
  Memory memory(4096);
  const auto clocks = [&](Arch target, const std::string& wait) {
    Alone alone(target);
    alone.machine.set_s64(2, memory.address());
    for (int lane = 0; lane < 32; ++lane) alone.machine.v(1, lane) = static_cast<std::uint32_t>(lane) * 4;
    return alone.clocks("global_load_b32 v0, v1, s[2:3]\n" + wait);
  };
  const std::uint64_t none = clocks(Arch::gfx1100, ""), waited = clocks(Arch::gfx1100, "s_waitcnt vmcnt(0)");
  EXPECT_GT(waited, none + 100);
  EXPECT_EQ(waited, clocks(Arch::gfx1100, "s_waitcnt_vmcnt null, 0x0"));
  EXPECT_EQ(none + 1, clocks(Arch::gfx1100, "s_waitcnt_vmcnt null, 0x1"));
  EXPECT_EQ(clocks(Arch::gfx1201, "s_wait_loadcnt 0x0"), clocks(Arch::gfx1201, "s_wait_idle"));
}

TEST(Observation, ConflictsDelayTheLds) {
  Alone alone;
  alignas(16) std::uint8_t lds[16384] = {};
  alone.machine.group().lds = lds;
  alone.machine.group().lds_bytes = sizeof lds - 64;
  const std::string read = "ds_read_b32 v0, v1\ns_waitcnt lgkmcnt(0)\n";
  for (int lane = 0; lane < 64; ++lane) alone.machine.v(1, lane) = static_cast<std::uint32_t>(lane) * 4;
  EXPECT_EQ(51 + 2 + 2 * slot, alone.clocks(read)) << "two halves of the wave, a cycle each";
  for (int lane = 0; lane < 64; ++lane) alone.machine.v(1, lane) = static_cast<std::uint32_t>(lane) * 128;
  EXPECT_EQ(51 + 64 + 2 * slot, alone.clocks(read)) << "every lane in bank 0";
}

TEST(Observation, ATakenBranchCostsItsFetch) {
  Alone alone;
  EXPECT_EQ(2 * slot + 16, alone.clocks("s_branch after\ns_nop 7\nafter:"));
}

TEST(Observation, RdnaIssuesAnInstructionAClock) {
  Alone alone(Arch::gfx1201);
  EXPECT_EQ(3u, alone.clocks("v_add_nc_u32 v0, v1, v2\nv_add_nc_u32 v3, v1, v2")) << "and s_endpgm";
  EXPECT_EQ(5u + 2, alone.clocks("v_add_nc_u32 v0, v1, v2\nv_add_nc_u32 v3, v0, v2")) << "the second reads the first's";
}

TEST(Observation, TheLastWaveToSignalPaysForTheBarrierToo) {
  Alone alone(Arch::gfx1201);
  EXPECT_EQ(2u + 32 + 1, alone.clocks("s_barrier_signal -1\ns_barrier_wait -1"));
}

}  // namespace
}  // namespace zellige::sim::test
