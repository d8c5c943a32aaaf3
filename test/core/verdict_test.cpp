// The text of refusals, and the stability of their codes.
#include "zellige/core/verdict.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace zellige {
namespace {

TEST(Text, WritesNumbers) {
  EXPECT_EQ((Text{} << "C = " << 3 << " is not a multiple of " << -8).view(), "C = 3 is not a multiple of -8");
  EXPECT_EQ((Text{} << 0).view(), "0");
  EXPECT_EQ((Text{} << INT64_MIN).view(), "-9223372036854775808");
  EXPECT_EQ((Text{} << INT64_MAX).view(), "9223372036854775807");
}

TEST(Text, CutsWhatDoesNotFit) {
  Text text;
  for (int i = 0; i < 100; ++i) text = text << "0123456789";
  EXPECT_EQ(text.size(), static_cast<std::size_t>(Text::capacity - 1));
  EXPECT_EQ(text.data()[Text::capacity - 1], '\0');
  EXPECT_EQ(text.view().substr(0, 12), "012345678901");
}

TEST(Text, IsAConstantExpression) {
  static_assert((Text{} << "block of " << 16384 << " threads").view() == "block of 16384 threads");
}

TEST(Verdict, RefusalsCarryCodeAndSentence) {
  constexpr Verdict verdict = refuse(Reason::too_many_threads, Text{} << "2048 threads");
  static_assert(!verdict.ok && verdict.code == Reason::too_many_threads);
  EXPECT_EQ(verdict.why.view(), "2048 threads");
  EXPECT_TRUE(Verdict{}.ok);
  EXPECT_EQ(Verdict{}.code, Reason::none);
}

TEST(Reason, ValuesNeverChange) {
  EXPECT_EQ(static_cast<int>(Reason::no_such_atom), 1);
  EXPECT_EQ(static_cast<int>(Reason::epilogue_shape), 11);
  EXPECT_EQ(static_cast<int>(Reason::bad_extent), 20);
  EXPECT_EQ(static_cast<int>(Reason::overflow), 24);
  EXPECT_EQ(static_cast<int>(Reason::type_mismatch), 40);
  EXPECT_EQ(static_cast<int>(Reason::epilogue_unsupported), 48);
  EXPECT_EQ(static_cast<int>(Reason::null_pointer), 60);
  EXPECT_EQ(static_cast<int>(Reason::no_kernel_code), 64);
}

TEST(Reason, NamesAreDistinct) {
  std::set<std::string> names;
  int named = 0;
  for (int code = 0; code < 1000; ++code) {
    const std::string name(reason_name(static_cast<Reason>(code)));
    if (name == "unknown") continue;
    ++named;
    EXPECT_TRUE(names.insert(name).second) << name << " names two codes";
  }
  EXPECT_GE(named, 31);
}

}  // namespace
}  // namespace zellige
