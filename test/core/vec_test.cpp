// Short vectors: the same bits and sizes under every compiler.
#include "zellige/core/vec.hpp"

#include <gtest/gtest.h>

namespace zellige {
namespace {

TEST(Vec, IsItsElements) {
  static_assert(sizeof(vec<std::uint32_t, 4>) == 16 && alignof(vec<std::uint32_t, 4>) == 16);
  static_assert(sizeof(vec<float, 16>) == 64 && sizeof(vec<std::uint16_t, 2>) == 4 && sizeof(vec<float, 1>) == 4);
  vec<std::uint32_t, 4> v;
  for (int i = 0; i < 4; ++i) v[i] = static_cast<std::uint32_t>(i) * 3;
  const auto copy = v;
  for (int i = 0; i < 4; ++i) EXPECT_EQ(copy[i], static_cast<std::uint32_t>(i) * 3);
}

TEST(Vec, BitCastKeepsOrder) {
  vec<std::uint16_t, 2> halves;
  halves[0] = 0x1234;
  halves[1] = 0xabcd;
  EXPECT_EQ(bit_cast<std::uint32_t>(halves), 0xabcd1234u);
  static_assert(bit_cast<std::uint32_t>(1.0f) == 0x3f800000u);
}

}  // namespace
}  // namespace zellige
