// The bounds rule: the sentinel is past the end of every tensor that a dispatch may address.
#include "zellige/core/limits.hpp"

#include <gtest/gtest.h>

namespace zellige {
namespace {

TEST(Limits, TheSentinelIsPastEveryTensor) {
  static_assert(std::int64_t{out_of_range} >= max_buffer_bytes);
  // A wave's own offset is added to a lane's in 32 bits: where both are at most the sentinel, the sum does not wrap to
  // 0.
  static_assert(std::uint64_t{out_of_range} + static_cast<std::uint64_t>(max_buffer_bytes) <= 0xffffffffu);
  EXPECT_EQ(max_buffer_bytes, (std::int64_t{1} << 31) - 1);
}

}  // namespace
}  // namespace zellige
