// Integer arithmetic: magic division against /, and sizes that notice when they overflow.
#include "zellige/core/math.hpp"

#include <gtest/gtest.h>

#include <random>

namespace zellige {
namespace {

constexpr std::uint32_t largest = 0x7fffffffu;

/// divide and modulo equal / and % at the edges of every quotient that matters, and at random places.
void expect_divides(std::uint32_t divisor, std::mt19937& random) {
  const MagicDivider magic(divisor);
  const auto check = [&](std::uint64_t n) {
    if (n > largest) return;
    const auto number = static_cast<std::uint32_t>(n);
    ASSERT_EQ(magic.divide(number), number / divisor) << number << " / " << divisor;
    ASSERT_EQ(magic.modulo(number), number % divisor) << number << " % " << divisor;
  };
  const std::uint64_t last = largest / divisor;
  for (std::uint64_t quotient : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, last / 2, last - 1, last}) {
    for (int offset = -1; offset <= 1; ++offset) check(quotient * divisor + static_cast<std::uint64_t>(offset));
  }
  for (std::uint32_t n = largest - 3; n <= largest; ++n) check(n);
  for (int i = 0; i < 50; ++i) check(random() & largest);
}

TEST(MagicDivider, EverySmallDivisor) {
  std::mt19937 random(1);
  for (std::uint32_t divisor = 1; divisor <= 5000; ++divisor) expect_divides(divisor, random);
}

TEST(MagicDivider, AroundEveryPowerOfTwo) {
  std::mt19937 random(2);
  for (int bit = 1; bit < 31; ++bit) {
    for (int offset = -2; offset <= 2; ++offset) {
      const std::int64_t divisor = (std::int64_t{1} << bit) + offset;
      if (divisor > 0) expect_divides(static_cast<std::uint32_t>(divisor), random);
    }
  }
}

TEST(MagicDivider, LargestDivisors) {
  std::mt19937 random(3);
  for (std::uint32_t divisor = largest; divisor > largest - 1000; --divisor) expect_divides(divisor, random);
}

TEST(MagicDivider, RandomDivisors) {
  std::mt19937 random(4);
  for (int i = 0; i < 20000; ++i) expect_divides((random() & largest) >> random() % 31 | 1u, random);
}

TEST(MagicDivider, EveryNumeratorOfSmallRange) {
  for (std::uint32_t divisor : {1u, 2u, 3u, 7u, 9u, 49u, 64u, 147u, 641u}) {
    const MagicDivider magic(divisor);
    for (std::uint32_t n = 0; n < 200000; ++n) ASSERT_EQ(magic.divide(n), n / divisor) << n << " / " << divisor;
  }
}

TEST(Math, CeilDivAndRoundUp) {
  EXPECT_EQ(ceil_div(0, 7), 0);
  EXPECT_EQ(ceil_div(7, 7), 1);
  EXPECT_EQ(ceil_div(8, 7), 2);
  EXPECT_EQ(ceil_div(INT64_MAX, std::int64_t{2}), INT64_MAX / 2 + 1);  // no overflow on the way
  EXPECT_EQ(round_up(8, 7), 14);
  EXPECT_EQ(round_up(14, 7), 14);
}

TEST(Math, PowersOfTwo) {
  EXPECT_TRUE(is_power_of_two(1));
  EXPECT_FALSE(is_power_of_two(0));
  EXPECT_FALSE(is_power_of_two(-8));
  EXPECT_FALSE(is_power_of_two(12));
  EXPECT_EQ(log2_floor(1), 0);
  EXPECT_EQ(log2_floor(255), 7);
  EXPECT_EQ(log2_floor(256), 8);
  EXPECT_EQ(power_of_two_in(12, 16), 4);
  EXPECT_EQ(power_of_two_in(64, 8), 8);
  EXPECT_EQ(power_of_two_in(7, 8), 1);
}

TEST(CheckedSize, RemembersOverflow) {
  EXPECT_EQ(CheckedSize{3}.times(5).times(7).value, 105);
  EXPECT_EQ(CheckedSize{INT64_MAX}.times(1).value, INT64_MAX);
  EXPECT_FALSE(CheckedSize{INT64_MAX}.times(1).overflow);
  EXPECT_TRUE(CheckedSize{INT64_MAX}.times(2).overflow);
  EXPECT_TRUE(CheckedSize{INT64_MAX}.times(2).times(0).overflow);
  EXPECT_EQ(CheckedSize{0}.times(INT64_MAX).times(INT64_MAX).value, 0);
  EXPECT_FALSE(CheckedSize{std::int64_t{1} << 31}.times(std::int64_t{1} << 31).overflow);
  EXPECT_TRUE(CheckedSize{std::int64_t{1} << 32}.times(std::int64_t{1} << 31).overflow);
  EXPECT_EQ(CheckedSize{3}.plus(4).times(2).value, 14);
  EXPECT_FALSE(CheckedSize{INT64_MAX - 1}.plus(1).overflow);
  EXPECT_TRUE(CheckedSize{INT64_MAX}.plus(1).overflow);
  EXPECT_TRUE(CheckedSize{INT64_MAX}.times(2).plus(0).overflow);
}

}  // namespace
}  // namespace zellige
