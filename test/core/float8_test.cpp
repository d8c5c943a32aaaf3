// The four 8-bit floats over all their codes, against the definition of their formats.
#include "zellige/core/types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace zellige {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

/// The value of a code from its fields. `specials`: what the codes at the top, or minus zero, stand for.
enum class Specials { top_nan, ieee, fnuz };

double by_definition(int code, int fraction_bits, int bias, Specials specials) {
  const int magnitude = code & 0x7f, exponent = magnitude >> fraction_bits, fraction = magnitude % (1 << fraction_bits);
  const double sign = code >> 7 ? -1 : 1;
  if (specials == Specials::fnuz && code == 0x80) return nan;
  if (specials == Specials::top_nan && magnitude == 0x7f) return nan;
  if (specials == Specials::ieee && exponent == 31) return fraction == 0 ? sign * infinity : nan;
  const double whole = exponent == 0 ? fraction : fraction + (1 << fraction_bits);
  return sign * std::ldexp(whole, (exponent == 0 ? 1 : exponent) - bias - fraction_bits);
}

template <class T>
T code(int bits) {
  return {static_cast<std::uint8_t>(bits)};
}

/// to_float is exact, and from_float brings the same bits back (a NaN: some NaN).
template <class T>
void expect_exact(int fraction_bits, int bias, Specials specials) {
  for (int bits = 0; bits < 256; ++bits) {
    const double expected = by_definition(bits, fraction_bits, bias, specials);
    const float widened = to_float(code<T>(bits));
    const T back = from_float<T>(widened);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(widened)) << bits;
      ASSERT_TRUE(std::isnan(to_float(back))) << bits;
    } else {
      ASSERT_EQ(widened, expected) << bits;
      ASSERT_EQ(std::signbit(widened), bits >> 7 != 0) << bits;
      ASSERT_EQ(back.bits, bits);
    }
  }
}

/// Between two neighbours what is nearer decides, halfway goes to the even code; past the largest number comes
/// `overflow`, from half a step on if its own code is odd.
template <class T>
void expect_nearest_even(int largest, double overflow) {
  for (int low = 0; low <= largest; ++low) {
    const float below = to_float(code<T>(low));
    // Past the largest, as if the format went on.
    const float step = low < largest ? to_float(code<T>(low + 1)) - below : below - to_float(code<T>(low - 1));
    const float tie = below + step / 2;
    for (const float sign : {1.0f, -1.0f}) {
      const auto expect = [&](float value, int bits) {
        const T got = from_float<T>(sign * value);
        if (bits > largest) {
          const float wide = to_float(got);
          if (std::isnan(overflow))
            ASSERT_TRUE(std::isnan(wide)) << value;
          else
            ASSERT_EQ(wide, sign * overflow) << value;
        } else {
          ASSERT_EQ(to_float(got), sign * to_float(code<T>(bits))) << value;
        }
      };
      expect(tie, low % 2 == 0 ? low : low + 1);
      expect(std::nextafter(tie, 0.0f), low);
      expect(std::nextafter(tie, HUGE_VALF), low + 1);
    }
  }
}

TEST(Float8, EveryCodeIsExactInF32) {
  expect_exact<f8e4m3>(3, 7, Specials::top_nan);
  expect_exact<f8e5m2>(2, 15, Specials::ieee);
  expect_exact<f8e4m3fnuz>(3, 8, Specials::fnuz);
  expect_exact<f8e5m2fnuz>(2, 16, Specials::fnuz);
}

TEST(Float8, RoundsToNearestEven) {
  expect_nearest_even<f8e4m3>(0x7e, nan);
  expect_nearest_even<f8e5m2>(0x7b, infinity);
  expect_nearest_even<f8e4m3fnuz>(0x7f, nan);
  expect_nearest_even<f8e5m2fnuz>(0x7f, nan);
}

TEST(Float8, Limits) {
  static_assert(to_float(f8e4m3{0x7e}) == 448 && to_float(f8e5m2{0x7b}) == 57344);
  static_assert(to_float(f8e4m3fnuz{0x7f}) == 240 && to_float(f8e5m2fnuz{0x7f}) == 57344);
  static_assert(to_float(f8e4m3{1}) == 0x1p-9f && to_float(f8e5m2{1}) == 0x1p-16f);
  static_assert(to_float(f8e4m3fnuz{1}) == 0x1p-10f && to_float(f8e5m2fnuz{1}) == 0x1p-17f);
  EXPECT_EQ(from_float<f8e4m3>(-0.0f).bits, 0x80);
  EXPECT_EQ(from_float<f8e4m3fnuz>(-0.0f).bits, 0) << "FNUZ has no negative zero";
  EXPECT_EQ(from_float<f8e5m2fnuz>(-0x1p-30f).bits, 0);
  EXPECT_EQ(from_float<f8e5m2>(-HUGE_VALF).bits, 0xfc);
  EXPECT_TRUE(std::isnan(to_float(from_float<f8e4m3>(HUGE_VALF))));
  EXPECT_EQ(from_float<f8e4m3>(std::numeric_limits<float>::denorm_min()).bits, 0);
}

TEST(Float8, StorageIsOneByte) {
  static_assert(sizeof(storage_t<DataType::f8e4m3>) == 1 && sizeof(storage_t<DataType::f8e5m2fnuz>) == 1);
  static_assert(sizeof(storage_t<DataType::f8e5m2>) == 1 && sizeof(storage_t<DataType::f8e4m3fnuz>) == 1);
}

}  // namespace
}  // namespace zellige
