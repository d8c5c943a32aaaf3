// What follows from a config: against the plain arithmetic that its comments state.
#include "zellige/gemm/check.hpp"

#include <gtest/gtest.h>

namespace zellige {
namespace {

constexpr GemmConfig config{
    .tiling = {.block = {128, 256, 32}, .waves = {2, 4}, .atom = {32, 32, 8}, .vector_c = 8, .min_blocks = 2}};

TEST(Derived, WavesAndAtomsCoverTheBlock) {
  const Derived d = derive(config, Arch::gfx942);
  EXPECT_EQ(d.threads, 2 * 4 * 64);
  EXPECT_EQ(d.threads, threads_of(config.tiling, Arch::gfx942));
  EXPECT_EQ(d.wave.atoms_m * 32 * 2, 128);
  EXPECT_EQ(d.wave.atoms_n * 32 * 4, 256);
  EXPECT_EQ(d.wave.steps * d.wave.pack * 8, 32);
  EXPECT_EQ(d.multiply_threads, d.threads);
  EXPECT_EQ(waves_per_simd(config.tiling, Arch::gfx942), 4);  // 8 waves on 4 SIMDs, two workgroups
}

TEST(Derived, LdsHoldsTheBuffersOrTheSlab) {
  GemmConfig c = config;
  const int one = (128 + 256) * 32 * 2;
  EXPECT_EQ(derive(c, Arch::gfx942).stage_bytes, one);
  EXPECT_EQ(derive(c, Arch::gfx942).lds_bytes, 2 * one);
  c.tiling.pipeline = Pipeline::single_buffer;
  EXPECT_EQ(derive(c, Arch::gfx942).lds_bytes, one);
  c.tiling.store = Store::lds_shuffle;  // 64 rows of 256 f16 and 16 bytes are more than one buffer
  EXPECT_EQ(derive(c, Arch::gfx942).lds_bytes, 64 * (256 * 2 + 16));
}

TEST(Derived, TransposedOperandsAreThoseThatMemoryHoldsAlongRows) {
  for (const MatrixOrder a : {MatrixOrder::row, MatrixOrder::column}) {
    for (const MatrixOrder b : {MatrixOrder::row, MatrixOrder::column}) {
      GemmConfig c = config;
      c.order_a = a;
      c.order_b = b;
      const Derived d = derive(c, Arch::gfx942);
      EXPECT_EQ(d.stage_a.along_rows, a == MatrixOrder::column);
      EXPECT_EQ(d.stage_b.along_rows, b == MatrixOrder::row);
    }
  }
}

// One tiling on waves of 64 and of 32: threads, lanes of the instruction and what a lane holds follow from the target's
// wave, and nothing assumes 64.
TEST(Derived, lesson43_lanes_follow_the_wave_size) {
  for (Arch arch : {Arch::gfx942, Arch::gfx1100, Arch::gfx1151, Arch::gfx1201}) {
    const Tiling tiling{.block = {64, 64, 32}, .waves = {2, 2}, .atom = {16, 16, 16}};
    const Derived d = derive(GemmConfig{.tiling = tiling}, arch);
    const int lanes = arch == Arch::gfx942 ? 64 : 32;
    SCOPED_TRACE(arch_traits(arch).name);
    EXPECT_TRUE(check(GemmConfig{.tiling = tiling}, arch).ok);
    EXPECT_EQ(d.wave_size, lanes);
    EXPECT_EQ(d.threads, 4 * lanes);
    for (const LaneMap& map : {d.wave.mma.a, d.wave.mma.b, d.wave.mma.c}) EXPECT_EQ(map.lanes(), lanes);
    EXPECT_EQ(d.wave.atoms_m * d.wave.atoms_n * d.wave.mma.c.slots() * lanes, 32 * 32);
    EXPECT_EQ(d.stage_a.thread_map().lanes(), 4 * lanes);
    EXPECT_EQ(d.stage_a.loads() * 8 * 4 * lanes, 64 * 32);
  }
}

TEST(LaneRegisters, CountTheBlockOnceOverItsLanes) {
  const Derived d = derive(config, Arch::gfx942);
  const LaneRegisters r = lane_registers(d);
  EXPECT_EQ(r.accumulators * d.threads, 128 * 256);
  EXPECT_EQ(r.staged * 4 * d.threads, (128 + 256) * 32 * 2);
  // Two rows and two columns of atoms, each two atoms' worth of k: 4 halves an atom are 2 registers.
  EXPECT_EQ(r.fragments, (2 + 2) * 2 * 2);
  EXPECT_EQ(r.total(), r.accumulators + r.staged + r.fragments + r.other);
}

}  // namespace
}  // namespace zellige
