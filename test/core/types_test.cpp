// Conversions of 16-bit floats over all their bit patterns, against arithmetic that shares nothing with them.
#include "zellige/core/types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace zellige {
namespace {

/// The value of a 16-bit float from its fields, by the definition of IEEE 754 formats.
template <class T>
double by_definition(T value, int exponent_bits, int fraction_bits) {
  const int bits = value.bits, exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
  const int fraction = bits & ((1 << fraction_bits) - 1), bias = (1 << (exponent_bits - 1)) - 1;
  const double sign = bits >> 15 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1)
    return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
}

/// to_float is exact, and from_float brings the same bits back (a NaN: some quiet NaN of the same sign).
template <class T>
void expect_exact(int exponent_bits, int fraction_bits) {
  for (int bits = 0; bits < 65536; ++bits) {
    const T value{static_cast<std::uint16_t>(bits)};
    const double expected = by_definition(value, exponent_bits, fraction_bits);
    const float widened = to_float(value);
    const T back = from_float<T>(widened);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(widened)) << bits;
      ASSERT_TRUE(std::isnan(to_float(back))) << bits;
      ASSERT_EQ(back.bits >> 15, bits >> 15);
      ASSERT_TRUE(back.bits >> (fraction_bits - 1) & 1) << "a signalling NaN came out of " << bits;
    } else {
      ASSERT_EQ(widened, expected) << bits;
      ASSERT_EQ(std::signbit(widened), std::signbit(expected)) << bits;
      ASSERT_EQ(back.bits, bits);
    }
  }
}

/// Between two neighbours: what is nearer decides, halfway goes to the even one. `infinity` is the bits of +infinity.
template <class T>
void expect_nearest_even(int infinity, double past_largest) {
  for (int low = 0; low < infinity; ++low) {
    const T below{static_cast<std::uint16_t>(low)}, above{static_cast<std::uint16_t>(low + 1)};
    const double upper = low + 1 == infinity ? past_largest : to_float(above);
    const float tie = static_cast<float>((to_float(below) + upper) / 2);
    const T even = low % 2 == 0 ? below : above;
    for (const float sign : {1.0f, -1.0f}) {
      const int sign_bit = sign < 0 ? 0x8000 : 0;
      ASSERT_EQ(from_float<T>(sign * tie).bits, even.bits | sign_bit) << low;
      ASSERT_EQ(from_float<T>(sign * std::nextafter(tie, 0.0f)).bits, below.bits | sign_bit) << low;
      ASSERT_EQ(from_float<T>(sign * std::nextafter(tie, HUGE_VALF)).bits, above.bits | sign_bit) << low;
    }
  }
}

TEST(Types, F16IsExactInF32) { expect_exact<f16>(5, 10); }
TEST(Types, Bf16IsExactInF32) { expect_exact<bf16>(8, 7); }
TEST(Types, F16RoundsToNearestEven) { expect_nearest_even<f16>(0x7c00, 65536.0); }
TEST(Types, Bf16RoundsToNearestEven) { expect_nearest_even<bf16>(0x7f80, 0x1p128); }

template <class T>
void expect_limits(int infinity) {
  EXPECT_EQ(from_float<T>(HUGE_VALF).bits, infinity);
  EXPECT_EQ(from_float<T>(std::numeric_limits<float>::max()).bits, infinity);
  EXPECT_EQ(from_float<T>(-0.0f).bits, 0x8000);
  EXPECT_TRUE(std::isnan(to_float(from_float<T>(std::numeric_limits<float>::signaling_NaN()))));
}

TEST(Types, F16Limits) { expect_limits<f16>(0x7c00); }
TEST(Types, Bf16Limits) { expect_limits<bf16>(0x7f80); }
TEST(Types, F32SmallestVanishesInF16) { EXPECT_EQ(from_float<f16>(0x1p-149f).bits, 0); }

TEST(Types, ConversionsAreConstantExpressions) {
  static_assert(to_float(from_float<f16>(-1.5f)) == -1.5f);
  static_assert(to_float(from_float<bf16>(-1.5f)) == -1.5f);
}

TEST(Types, NamesParseBack) {
  for (DataType type : all_data_types) {
    DataType parsed{};
    EXPECT_TRUE(parse_data_type(name_of(type), parsed)) << name_of(type);
    EXPECT_EQ(parsed, type);
  }
  DataType untouched = DataType::i8;
  EXPECT_FALSE(parse_data_type("f1", untouched));
  EXPECT_FALSE(parse_data_type("", untouched));
  EXPECT_EQ(untouched, DataType::i8);
}

TEST(Types, SizesAreTheStorageTypes) {
  static_assert(bytes_of(DataType::f16) == sizeof(storage_t<DataType::f16>));
  static_assert(bytes_of(DataType::bf16) == sizeof(storage_t<DataType::bf16>));
  static_assert(bytes_of(DataType::f32) == sizeof(storage_t<DataType::f32>));
  static_assert(bytes_of(DataType::f64) == sizeof(storage_t<DataType::f64>));
  static_assert(bytes_of(DataType::i8) == sizeof(storage_t<DataType::i8>));
  static_assert(bytes_of(DataType::f8e4m3) == 1 && bytes_of(DataType::tf32) == 4);
}

}  // namespace
}  // namespace zellige
