// The order of workgroups: every tile is taken once, bands stay together, and dies work on consecutive tiles.
#include "zellige/gemm/schedule.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace zellige {
namespace {

/// tile_of is a bijection from [0, tiles_m * tiles_n * batches) onto the tiles.
void expect_bijection(std::uint32_t tiles_m, std::uint32_t tiles_n, std::uint32_t batches, std::uint32_t dies) {
  const Schedule s = make_schedule(tiles_m, tiles_n, batches, dies);
  std::vector<bool> taken(std::size_t{tiles_m} * tiles_n * batches);
  for (std::uint32_t i = 0; i < taken.size(); ++i) {
    const TileIndex t = tile_of(s, i);
    ASSERT_TRUE(t.m < tiles_m && t.n < tiles_n && t.batch < batches) << t.m << " " << t.n << " " << t.batch;
    const std::size_t place = (std::size_t{t.batch} * tiles_m + t.m) * tiles_n + t.n;
    ASSERT_FALSE(taken[place]) << "tile " << t.m << ", " << t.n << " twice";
    taken[place] = true;
  }
}

TEST(Schedule, TakesEveryTileOnce) {
  for (std::uint32_t dies : {1u, 2u, 8u}) {
    for (std::uint32_t m : {1u, 2u, 7u, 8u, 9u, 16u, 31u, 33u}) {
      for (std::uint32_t n : {1u, 3u, 8u, 17u, 64u}) {
        for (std::uint32_t batches : {1u, 2u, 5u}) {
          SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << batches << " on " << dies);
          expect_bijection(m, n, batches, dies);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(Schedule, LargeGrids) {
  expect_bijection(4099, 17, 1, 8);
  expect_bijection(1, 65537, 1, 8);
  expect_bijection(65537, 1, 3, 8);
}

// Every workgroup number below 2^31 is legal: check the last ones, where products are largest.
TEST(Schedule, LastTilesOfTheLargestGrid) {
  const Schedule s = make_schedule(46340, 46340, 1, 1);
  const TileIndex last = tile_of(s, 46340u * 46340u - 1);
  EXPECT_EQ(last.m, 46339u);
  EXPECT_EQ(last.n, 46339u);
}

TEST(Schedule, NeighboursShareColumnsWithinABand) {
  const Schedule s = make_schedule(32, 10, 1, 1);
  for (std::uint32_t i = 0; i < 320; ++i) {
    const TileIndex t = tile_of(s, i);
    EXPECT_EQ(t.m / schedule_band, i / (schedule_band * 10));
    EXPECT_EQ(t.n, i / schedule_band % 10);
  }
}

// The runtime deals workgroup i to die i % dies: the tiles of a die must be consecutive in the order of one die.
TEST(Schedule, EachDieTakesConsecutiveTiles) {
  const std::uint32_t dies = 8, total = 24 * 10;
  const Schedule dealt = make_schedule(24, 10, 1, dies), plain = make_schedule(24, 10, 1, 1);
  for (std::uint32_t die = 0; die < dies; ++die) {
    for (std::uint32_t i = 0; i < total / dies; ++i) {
      const TileIndex t = tile_of(dealt, i * dies + die), expected = tile_of(plain, die * (total / dies) + i);
      EXPECT_EQ(t.m, expected.m);
      EXPECT_EQ(t.n, expected.n);
    }
  }
}

}  // namespace
}  // namespace zellige
