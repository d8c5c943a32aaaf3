// Samples hold no workgroup twice, and the watched ones are pairs of neighbours on a die.
#include "simulator/dispatch/selection.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace zellige::sim {
namespace {

constexpr std::uint64_t grids[] = {1, 2, 7, 8, 9, 16, 17, 100, 392, 1000, 12544};

TEST(Selection, EveryPlaceOnceAndInTheGrid) {
  for (const std::uint64_t total : grids)
    for (const std::uint64_t executed :
         {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{10}, std::uint64_t{32}, total})
      for (const std::uint64_t seed : {0, 5}) {
        if (executed > total) continue;
        const Selection selection{total, executed, 8, Permutation(executed, seed)};
        std::set<std::uint64_t> places;
        for (std::uint64_t i = 0; i < executed; ++i) places.insert(selection.place(i));
        EXPECT_EQ(executed, places.size()) << total << " " << executed;
        EXPECT_LT(*places.rbegin(), total) << executed;
      }
}

TEST(Selection, UpToEightAreWatchedInPairs) {
  for (const std::uint64_t total : grids)
    for (const std::uint64_t executed : {std::uint64_t{32}, total}) {
      if (executed > total) continue;
      const Selection selection{total, executed, 8, Permutation(executed, 0)};
      std::map<std::uint64_t, std::uint64_t> watched;  // slot to place
      for (std::uint64_t i = 0; i < executed; ++i)
        if (const std::uint64_t slot = selection.slot(i); slot < Selection::watched)
          EXPECT_TRUE(watched.emplace(slot, selection.place(i)).second) << "slot " << slot << " twice";
      // Of samples eight; of whole grids a sixteenth in pairs, but one pair at least and not more than eight.
      const std::uint64_t share = total < 64 ? 2 : total < 96 ? 4 : total < 128 ? 6 : 8;
      EXPECT_EQ(std::min(executed, executed < total ? 8 : share), watched.size()) << total << " " << executed;
      EXPECT_EQ(selection.watching(), watched.size());
      // Where shares are large enough, neighbours are 8 dies apart.
      if (total < 100 || (executed < total && !selection.samples_pairs())) continue;
      for (std::uint64_t slot = 0; slot < selection.watching(); slot += 2)
        EXPECT_EQ(8u, watched[slot + 1] - watched[slot]) << total << " " << executed;
    }
}

TEST(Selection, MeansOfOneAndOfTwo) {
  WatchedLines lines;
  // Two workgroups of lines {1, 2, 3} and {3, 4}: 2.5 each, 4 together.
  for (const std::uint64_t line : {1, 2, 3}) lines[0].loaded.insert(line);
  for (const std::uint64_t line : {3, 4}) lines[1].loaded.insert(line);
  const SharedLines pair = shared_lines(lines, 2, &TouchedLines::loaded);
  EXPECT_DOUBLE_EQ(2.5, pair.one);
  EXPECT_DOUBLE_EQ(4, pair.two);
  const SharedLines alone = shared_lines(lines, 1, &TouchedLines::loaded);
  EXPECT_DOUBLE_EQ(3, alone.one);
  EXPECT_DOUBLE_EQ(6, alone.two) << "nothing is known to be shared";
}

}  // namespace
}  // namespace zellige::sim
