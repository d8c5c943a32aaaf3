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

// Waves that only load have threads, and stage the tiles alone; registers are what the needier kind of wave wants.
TEST(Derived, LoadWavesStageTheTiles) {
  GemmConfig c{.tiling = {.block = {128, 128, 32},
                          .waves = {4, 2},
                          .atom = {16, 16, 32},
                          .pipeline = Pipeline::wavelet,
                          .load_waves = 4}};
  const Derived d = derive(c, Arch::gfx1250);
  EXPECT_EQ(d.threads, (8 + 4) * 32);
  EXPECT_EQ(d.multiply_threads, 8 * 32);
  EXPECT_EQ(d.load_threads, 4 * 32);
  EXPECT_EQ(d.stage_a.threads, d.load_threads);
  EXPECT_EQ(d.lds_bytes, 2 * (128 + 128) * 32 * 2);
  EXPECT_EQ(lane_registers(d).staged, 0);  // 64 staged registers beside 64 accumulators and their fragments elsewhere
  c.tiling.pipeline = Pipeline::double_buffer, c.tiling.load_waves = 0;
  EXPECT_EQ(lane_registers(derive(c, Arch::gfx1250)).staged, (128 + 128) * 32 * 2 / (4 * 256));
}

TEST(Derived, DirectCopiesTakeNoRegistersAndPingPongReadsAWholeTile) {
  GemmConfig c{.tiling = {.block = {128, 128, 32}, .waves = {4, 2}, .atom = {32, 32, 8}, .vector_a = 2, .vector_b = 2}};
  const LaneRegisters plain = lane_registers(derive(c, Arch::gfx942));
  c.tiling.scheduling = Scheduling::ping_pong;
  EXPECT_EQ(lane_registers(derive(c, Arch::gfx942)).fragments, 2 * plain.fragments);
  c.tiling.scheduling = Scheduling::compiler;
  c.tiling.staging = Staging::direct_to_lds;
  EXPECT_EQ(lane_registers(derive(c, Arch::gfx942)).staged, 0);
  EXPECT_GT(plain.staged, 0);
}

// Lines of k, as long as the tile has rows.
TEST(Derived, TransposedReadsKeepMemorysOrder) {
  GemmConfig c{
      .order_a = MatrixOrder::column,
      .tiling = {.block = {128, 64, 32}, .waves = {2, 2}, .atom = {32, 32, 16}, .transpose = Transpose::on_read}};
  const Derived d = derive(c, Arch::gfx950);
  EXPECT_EQ(d.stage_a.lds.rows, 32);
  EXPECT_EQ(d.stage_a.lds.row_bytes, 128 * 2);
  EXPECT_EQ(d.wave.transposed_a, 8);
  EXPECT_EQ(d.stage_b.lds.rows, 64);  // B runs along k: nothing to transpose
  EXPECT_EQ(d.wave.transposed_b, 0);
}

}  // namespace
}  // namespace zellige
