// The caches of an observed workgroup, and what they say of a grid, against values worked out by hand.
#include "simulator/timing/cache.hpp"

#include <gtest/gtest.h>

#include <set>

#include "simulator/timing/memory_estimate.hpp"

namespace zellige::sim {
namespace {

TEST(CacheTags, AWayForEachLineAndTheOldestGoes) {
  CacheTags cache(8 * 128, 128, 2);  // 4 sets of 2 ways: lines 0, 4, 8 share a set
  EXPECT_FALSE(cache.touch(0));
  EXPECT_FALSE(cache.touch(4));
  EXPECT_TRUE(cache.touch(0));
  EXPECT_FALSE(cache.touch(8)) << "replaces 4, which was used before 0";
  EXPECT_TRUE(cache.touch(0));
  EXPECT_FALSE(cache.touch(4));
  EXPECT_FALSE(cache.touch(1)) << "another set";
  EXPECT_TRUE(cache.touch(4));
}

TEST(CacheTags, AStreamTwiceTheCacheNeverHits) {
  CacheTags cache(32768, 128, 64);
  for (int pass = 0; pass < 2; ++pass)
    for (std::uint64_t line = 0; line < 512; ++line) EXPECT_FALSE(cache.touch(line));
  CacheTags fits(32768, 128, 64);
  for (std::uint64_t line = 0; line < 256; ++line) EXPECT_FALSE(fits.touch(line));
  for (std::uint64_t line = 0; line < 256; ++line) EXPECT_TRUE(fits.touch(line));
}

TEST(LineSet, AgreesWithASet) {
  LineSet a, b;
  std::set<std::uint64_t> in_a, both;
  std::uint64_t x = 12345;
  for (int i = 0; i < 5000; ++i) {
    x = x * 6364136223846793005ull + 1442695040888963407ull;
    const std::uint64_t line = x >> 52;
    EXPECT_EQ(in_a.insert(line).second, a.insert(line));
    both.insert(line), both.insert(line + 1000);
    b.insert(line + 1000);
  }
  EXPECT_EQ(in_a.size(), a.size());
  EXPECT_EQ(both.size(), LineSet::union_size(a, b));
  EXPECT_EQ(both.size(), LineSet::union_size(b, a));
  EXPECT_TRUE(a.contains(*in_a.begin()));
  EXPECT_FALSE(a.contains(5000));
}

struct Grid {
  Device device = make_device(Arch::gfx942, 0);
  Counts counts;
  ObservedCounts observed;
  MemoryEstimateInput input;
  explicit Grid(std::uint64_t workgroups) {
    counts.observed_workgroups = 8;
    input.workgroups = workgroups;
  }
  MemoryEstimate estimate() {
    input.counts = &counts, input.observed = &observed;
    return estimate_memory(device, memory_shape(device), input);
  }
};

TEST(MemoryEstimate, RequestsAreScaledFromTheObserved) {
  Grid grid(800);
  grid.observed.load_lines = 8 * 50, grid.observed.l1_hits = 8 * 20, grid.observed.store_lines = 8 * 3;
  const MemoryEstimate result = grid.estimate();
  EXPECT_DOUBLE_EQ(800 * 50, result.l1_load_requests);
  EXPECT_DOUBLE_EQ(800 * 20, result.l1_hits);
  EXPECT_DOUBLE_EQ(800 * 30, result.l2_load_requests);
  EXPECT_DOUBLE_EQ(800 * 3, result.l2_store_requests);
}

TEST(MemoryEstimate, WhatNeighboursShareIsFetchedOnceADie) {
  Grid grid(800);                             // 100 on each of 8 dies
  grid.input.loads = {.one = 64, .two = 80};  // 48 lines shared, 16 of its own
  EXPECT_DOUBLE_EQ(8 * (64 + 99 * 16) * 128.0, grid.estimate().l2_fill_bytes);
  grid.input.loads = {.one = 64, .two = 128};  // nothing shared
  EXPECT_DOUBLE_EQ(800 * 64 * 128.0, grid.estimate().l2_fill_bytes);
  grid.input.loads = {.one = 64, .two = 64};  // all shared
  EXPECT_DOUBLE_EQ(8 * 64 * 128.0, grid.estimate().l2_fill_bytes);
}

TEST(MemoryEstimate, AllocationsThatFitACacheAreFetchedOnce) {
  Grid grid(800);
  grid.input.loads = {.one = 640, .two = 1280};  // 100 workgroups of a die: 8 MB
  grid.input.footprint_bytes = 1 << 20;          // fits the 4 MiB of a die: each die fetches it once, memory once
  EXPECT_DOUBLE_EQ(8.0 * (1 << 20), grid.estimate().l2_fill_bytes);
  EXPECT_DOUBLE_EQ(1 << 20, grid.estimate().memory_bytes);
  grid.input.footprint_bytes = 16 << 20;  // fits the far cache alone
  EXPECT_DOUBLE_EQ(800 * 640 * 128.0, grid.estimate().l2_fill_bytes);
  EXPECT_DOUBLE_EQ(16 << 20, grid.estimate().memory_bytes);
  grid.input.footprint_bytes = std::uint64_t{1} << 30;  // fits neither
  EXPECT_DOUBLE_EQ(800 * 640 * 128.0, grid.estimate().memory_bytes);
}

}  // namespace
}  // namespace zellige::sim
