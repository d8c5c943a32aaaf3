// Conversion of accumulators in a host pass: the bits of the output type, as from_float() rounds.
#include "zellige/core/convert.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace zellige {
namespace {

TEST(Convert, GivesTheBitsOfTheOutputType) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float value : {0.0f, -0.0f, 1.0f, -1.5f, 65504.0f, 65520.0f, 1e-8f, 3.14159265f, infinity, -infinity}) {
    EXPECT_EQ(convert<DataType::f16>(value)[0], from_float<f16>(value).bits) << value;
    EXPECT_EQ(convert<DataType::bf16>(value)[0], from_float<bf16>(value).bits) << value;
    EXPECT_EQ(convert<DataType::f32>(value)[0], bit_cast<std::uint32_t>(value)) << value;
  }
  for (const std::int32_t value : {0, -1, 16777217, INT32_MIN}) {
    EXPECT_EQ(convert<DataType::i32>(value)[0], bit_cast<std::uint32_t>(value));
    EXPECT_EQ(convert<DataType::f32>(value)[0], bit_cast<std::uint32_t>(static_cast<float>(value))) << "one rounding";
  }
  EXPECT_EQ(bit_cast<double>(convert<DataType::f64>(0.1)), 0.1);
  static_assert(sizeof(convert<DataType::f64>(0.0)) == 8 && sizeof(convert<DataType::i32>(0)) == 4);
  static_assert(sizeof(convert<DataType::bf16>(0.0f)) == 2 && sizeof(convert<DataType::f32>(0.0f)) == 4);
}

}  // namespace
}  // namespace zellige
