// Even splits: the postconditions, for every small count and limit.
#include "zellige/core/even_split.hpp"

#include <gtest/gtest.h>

namespace zellige {
namespace {

TEST(EvenSplit, ChunksFollowEachOtherAndAreTheFewestThatFit) {
  for (std::int64_t count = 1; count <= 512; ++count) {
    for (std::int64_t most = 1; most <= 64; ++most) {
      const EvenSplit s = split_evenly(count, most);
      ASSERT_TRUE(s.ok());
      std::int64_t next = 0, shortest = count;
      for (std::int64_t i = 0; i < s.chunks; ++i) {
        const EvenSplit::Range chunk = s.chunk(i);
        ASSERT_EQ(chunk.first, next) << count << " by " << most;
        ASSERT_GE(chunk.size, 1);
        ASSERT_LE(chunk.size, most);
        ASSERT_LE(chunk.size, s.longest());
        shortest = min_of(shortest, chunk.size);
        next += chunk.size;
      }
      ASSERT_EQ(next, count);
      ASSERT_LE(s.longest() - shortest, 1);
      ASSERT_LT((s.chunks - 1) * most, count) << "one chunk fewer would do";
    }
  }
}

TEST(EvenSplit, AnItemThatDoesNotFitIsAStatusOfItsOwn) {
  for (std::int64_t most : {std::int64_t{0}, std::int64_t{-1}}) {
    const EvenSplit s = split_evenly(7, most);
    EXPECT_FALSE(s.ok());
    EXPECT_EQ(s.status, SplitStatus::item_too_large);
    EXPECT_EQ(s.chunks, 0);
  }
}

TEST(EvenSplit, CountsBeyond32Bits) {
  const EvenSplit s = split_evenly((std::int64_t{1} << 40) + 1, std::int64_t{1} << 38);
  EXPECT_EQ(s.chunks, 5);
  EXPECT_EQ(s.chunk(4).first + s.chunk(4).size, (std::int64_t{1} << 40) + 1);
  EXPECT_EQ(s.longest(), ((std::int64_t{1} << 40) + 1 + 4) / 5);
}

}  // namespace
}  // namespace zellige
