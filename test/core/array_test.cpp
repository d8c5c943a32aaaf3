// Array: an aggregate of its elements, in constant expressions too.
#include "zellige/core/array.hpp"

#include <gtest/gtest.h>

namespace zellige {
namespace {

constexpr int sum_of(const Array<int, 3>& values) {
  int sum = 0;
  for (int value : values) sum += value;
  return sum;
}

TEST(Array, IsItsElementsAndNothingElse) {
  static_assert(sizeof(Array<int, 3>) == 3 * sizeof(int) && Array<int, 3>::size() == 3);
  static_assert(sum_of({{1, 2, 3}}) == 6);
  static_assert(Array<int, 3>{{1, 2}} == Array<int, 3>{{1, 2, 0}});
  Array<int, 3> values{};
  values[1] = 7;
  EXPECT_EQ(values, (Array<int, 3>{{0, 7, 0}}));
  EXPECT_EQ(values.end() - values.begin(), 3);
}

}  // namespace
}  // namespace zellige
