// printf from kernels: what is written for a format and its 64-bit arguments.
#include "simulator/dispatch/hostcall.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>

namespace zellige::sim {
namespace {

void put(std::vector<std::uint64_t>& words, const std::string& text) {
  const std::size_t at = words.size();
  words.resize(at + (text.size() + 8) / 8);
  std::memcpy(words.data() + at, text.data(), text.size());
}

std::string formatted(const std::string& format, const std::vector<std::uint64_t>& arguments) {
  std::vector<std::uint64_t> words;
  put(words, format);
  words.insert(words.end(), arguments.begin(), arguments.end());
  return format_printf(words);
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

TEST(FormatPrintf, NumbersOfEveryKind) {
  EXPECT_EQ("plain 100%\n", formatted("plain 100%%\n", {}));
  EXPECT_EQ("-5 7 ff", formatted("%d %u %x", {static_cast<std::uint32_t>(-5), 7, 255}));
  EXPECT_EQ("-5000000000", formatted("%ld", {static_cast<std::uint64_t>(-5000000000)}));
  EXPECT_EQ("18446744073709551615", formatted("%llu", {~std::uint64_t{0}}));
  EXPECT_EQ("1.50 -2e+10 A", formatted("%.2f %g %c", {bits(1.5), bits(-2e10), 'A'}));
  EXPECT_EQ("[   42] [3.14]", formatted("[%*d] [%.*f]", {5, 42, 2, bits(3.14159)}));
  EXPECT_EQ("0x10", formatted("%p", {16}));
}

TEST(FormatPrintf, StringsLieInline) {
  std::vector<std::uint64_t> words;
  put(words, "%s and %5s: %d");
  put(words, "a string of more than eight bytes");
  put(words, "abc");
  words.push_back(9);
  EXPECT_EQ("a string of more than eight bytes and   abc: 9", format_printf(words));
}

TEST(FormatPrintf, DamageDoesNoHarm) {
  EXPECT_EQ("", format_printf({}));
  EXPECT_EQ("%d", formatted("%d", {}));
  EXPECT_EQ("1 %d %s", formatted("%d %d %s", {1}));
  EXPECT_EQ("50%", formatted("50%", {}));
  EXPECT_EQ("aaaaaaaa", format_printf({0x6161616161616161})) << "no end in sight";
}

}  // namespace
}  // namespace zellige::sim
