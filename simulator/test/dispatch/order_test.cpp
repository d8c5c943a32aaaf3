// Permutations: bijective for every size, the identity without a seed, different for different seeds.
#include "simulator/dispatch/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace zellige::sim {
namespace {

TEST(Permutation, IsBijectiveForEverySize) {
  for (std::uint64_t count = 1; count < 300; ++count) {
    for (const std::uint64_t seed : {0, 1, 77}) {
      const Permutation order(count, seed);
      std::vector<bool> seen(count);
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t value = order(i);
        ASSERT_LT(value, count);
        ASSERT_FALSE(seen[value]) << count << " " << seed;
        seen[value] = true;
        if (seed == 0) ASSERT_EQ(i, value);
      }
    }
  }
}

TEST(Permutation, LargeGridsStayInRange) {
  for (const std::uint64_t count : {(std::uint64_t{1} << 32) - 1, (std::uint64_t{1} << 40) + 7}) {
    const Permutation order(count, 5);
    for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_LT(order(count - 1 - i), count);
  }
}

TEST(Permutation, SeedsDiffer) {
  const Permutation first(1000, 1), second(1000, 2);
  int equal = 0, fixed = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) equal += first(i) == second(i), fixed += first(i) == i;
  EXPECT_LT(equal, 20);
  EXPECT_LT(fixed, 20);
}

TEST(Shuffle, PermutesWaves) {
  std::vector<int> order(16);
  std::iota(order.begin(), order.end(), 0);
  const std::vector<int> sorted = order;
  shuffle(order, 0);
  EXPECT_EQ(sorted, order);
  shuffle(order, 3);
  EXPECT_NE(sorted, order);
  std::ranges::sort(order);
  EXPECT_EQ(sorted, order);
}

}  // namespace
}  // namespace zellige::sim
