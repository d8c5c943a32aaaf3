// ZELLIGE_SIM_CHECK's names.
#include "simulator/check/settings.hpp"

#include <gtest/gtest.h>

namespace zellige::sim {
namespace {

TEST(CheckSettings, NamesAndUnknownOnes) {
  std::string unknown;
  EXPECT_EQ(0u, parse_checks("", unknown));
  EXPECT_EQ(unsigned{check_uninit}, parse_checks("uninit", unknown));
  EXPECT_EQ(unsigned{check_wait | check_race}, parse_checks("wait,race", unknown));
  EXPECT_EQ(unsigned{check_uninit | check_race | check_wait}, parse_checks("all", unknown));
  EXPECT_EQ("", unknown);
  EXPECT_EQ(unsigned{check_wait}, parse_checks("waits,wait,Race", unknown));
  EXPECT_EQ("waits,Race", unknown);
}

}  // namespace
}  // namespace zellige::sim
