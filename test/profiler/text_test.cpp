// Integers, extents and padding as typed on the command line.
#include "text.hpp"

#include <gtest/gtest.h>

#include "refusal.hpp"

namespace zellige::profiler {
namespace {

using Extents = std::vector<std::int64_t>;

TEST(ParseInteger, TakesTheWholeRange) {
  EXPECT_EQ(parse_integer("--n", "1", 1, 8), 1);
  EXPECT_EQ(parse_integer("--n", "8", 1, 8), 8);
  EXPECT_EQ(parse_integer("--split-k", "-1", -1, 8), -1);
  EXPECT_EQ(parse_integer("--seed", "9223372036854775807", 0, INT64_MAX), INT64_MAX);
}

TEST(ParseInteger, RefusesWithTheNumbers) {
  EXPECT_EQ(refusal([] { parse_integer("--n", "0", 1, 8); }), "--n must be from 1 to 8, but is 0");
  EXPECT_EQ(refusal([] { parse_integer("--n", "-3", 1, 8); }), "--n must be from 1 to 8, but is -3");
  EXPECT_EQ(refusal([] { parse_integer("--n", "9", 1, 8); }), "--n must be from 1 to 8, but is 9");
  EXPECT_EQ(refusal([] { parse_integer("--n", "99999999999999999999", 1, 8); }),
            "--n must be from 1 to 8, but is 99999999999999999999");
  EXPECT_EQ(refusal([] { parse_integer("--n", "4294967297", 1, INT32_MAX); }),
            "--n must be from 1 to 2147483647, but is 4294967297");
}

TEST(ParseInteger, RefusesWhatIsNoInteger) {
  for (const char* text : {"", " ", "x", "3.5", "3 ", " 3", "3x", "+3", "0x10", "1e3", "--3"}) {
    EXPECT_EQ(refusal([&] { parse_integer("--n", text, 1, 8); }),
              std::string("--n takes an integer from 1 to 8, not '") + text + "'");
  }
}

TEST(ParseExtents, OneToThreeAxes) {
  EXPECT_EQ(parse_extents("--in", "7", 1, 100), (Extents{7}));
  EXPECT_EQ(parse_extents("--in", "56x28", 1, 100), (Extents{56, 28}));
  EXPECT_EQ(parse_extents("--in", "1x2x3", 1, 100), (Extents{1, 2, 3}));
}

TEST(ParseExtents, RefusesMalformedOnes) {
  for (const char* text :
       {"", "x", "56x", "x56", "5xx6", "56,56", "56X56", "56x-1", "0x3", "101", "1x2x3x4", "a", "3*3"}) {
    EXPECT_NE(refusal([&] { parse_extents("--in", text, 1, 100); }), "") << text;
  }
}

TEST(ParseExtents, OneNumberStandsForAllAxes) {
  EXPECT_EQ(parse_extents_of("--stride", "2", 1, 100, 3), (Extents{2, 2, 2}));
  EXPECT_EQ(parse_extents_of("--stride", "2x3", 1, 100, 2), (Extents{2, 3}));
  EXPECT_EQ(refusal([] { parse_extents_of("--stride", "1x2x3", 1, 100, 2); }),
            "--stride has 3 axes in '1x2x3', but the image (--in) has 2");
}

TEST(ParsePadding, SymmetricAndAsymmetric) {
  const Padding both = parse_padding("--pad", "1x2", 2);
  EXPECT_EQ(both.before, (Extents{1, 2}));
  EXPECT_EQ(both.after, (Extents{1, 2}));
  const Padding ends = parse_padding("--pad", "3x2:1x0", 2);
  EXPECT_EQ(ends.before, (Extents{3, 2}));
  EXPECT_EQ(ends.after, (Extents{1, 0}));
  const Padding broadcast = parse_padding("--pad", "3:2", 2);
  EXPECT_EQ(broadcast.before, (Extents{3, 3}));
  EXPECT_EQ(broadcast.after, (Extents{2, 2}));
}

TEST(ParsePadding, RefusesMalformedOnes) {
  for (const char* text : {":", "1x1:", ":1x1", "1:2:3", "-1", "1x-1", "1x1x1", "1x1:2x2x2", "99999999999"}) {
    EXPECT_NE(refusal([&] { parse_padding("--pad", text, 2); }), "") << text;
  }
}

TEST(WordsOf, SplitsAtBlanks) {
  EXPECT_EQ(words_of("  a \t bc\r\n"), (std::vector<std::string>{"a", "bc"}));
  EXPECT_TRUE(words_of(" \t ").empty());
  EXPECT_TRUE(words_of("").empty());
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string>{""}));
}

}  // namespace
}  // namespace zellige::profiler
