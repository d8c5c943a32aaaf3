// The reference against plain loops that share nothing with it, and comparisons that must find what is wrong.
#include "zellige/reference/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "zellige/reference/compare.hpp"
#include "zellige/reference/data.hpp"

namespace zellige::reference {
namespace {

std::vector<float> random_floats(std::int64_t count, std::uint64_t seed) {
  std::vector<float> data(static_cast<std::size_t>(count));
  fill(data.data(), DataType::f32, count, Fill::reals, seed, 1, DataType::f32);
  return data;
}

/// The definition, one output at a time: y[n, o, k] = sum over t, c of x[n, o * stride - pad + t * dilation, c] w[k, t,
/// c].
Result conv_by_definition(const ConvProblem& p, const std::vector<float>& x, const std::vector<float>& w) {
  Result r{.rows = p.n * p.output_pixels(),
           .columns = p.k,
           .depth = p.taps() * p.channels_per_group(),
           .value = {},
           .magnitude = {}};
  std::int64_t out[3], size[3], tap[3];
  for (int i = 0; i < 3; ++i) out[i] = p.axis[i].outputs(), size[i] = p.axis[i].size, tap[i] = p.axis[i].filter;
  const std::int64_t cg = p.channels_per_group(), kg = p.filters_per_group();
  for (std::int64_t n = 0; n < p.n; ++n)
    for (std::int64_t o0 = 0; o0 < out[0]; ++o0)
      for (std::int64_t o1 = 0; o1 < out[1]; ++o1)
        for (std::int64_t o2 = 0; o2 < out[2]; ++o2)
          for (std::int64_t k = 0; k < p.k; ++k) {
            double sum = 0, magnitude = 0;
            for (std::int64_t t0 = 0; t0 < tap[0]; ++t0)
              for (std::int64_t t1 = 0; t1 < tap[1]; ++t1)
                for (std::int64_t t2 = 0; t2 < tap[2]; ++t2)
                  for (std::int64_t c = 0; c < cg; ++c) {
                    const std::int64_t i0 = o0 * p.axis[0].stride - p.axis[0].pad_before + t0 * p.axis[0].dilation;
                    const std::int64_t i1 = o1 * p.axis[1].stride - p.axis[1].pad_before + t1 * p.axis[1].dilation;
                    const std::int64_t i2 = o2 * p.axis[2].stride - p.axis[2].pad_before + t2 * p.axis[2].dilation;
                    if (i0 < 0 || i0 >= size[0] || i1 < 0 || i1 >= size[1] || i2 < 0 || i2 >= size[2]) continue;
                    const auto xi = (((n * size[0] + i0) * size[1] + i1) * size[2] + i2) * p.c + k / kg * cg + c;
                    const auto wi = (((k * tap[0] + t0) * tap[1] + t1) * tap[2] + t2) * cg + c;
                    const double product = double{x[static_cast<std::size_t>(xi)]} * w[static_cast<std::size_t>(wi)];
                    sum += product;
                    magnitude += std::fabs(product);
                  }
            r.value.push_back(sum);
            r.magnitude.push_back(magnitude);
          }
  return r;
}

void expect_near(const Result& actual, const Result& expected) {
  ASSERT_EQ(actual.rows, expected.rows);
  ASSERT_EQ(actual.columns, expected.columns);
  ASSERT_EQ(actual.depth, expected.depth);
  ASSERT_EQ(actual.value.size(), expected.value.size());
  ASSERT_EQ(actual.magnitude.size(), expected.magnitude.size());
  for (std::size_t i = 0; i < expected.value.size(); ++i) {
    const double bound = static_cast<double>(expected.depth) * 0x1p-52 * expected.magnitude[i];
    ASSERT_NEAR(actual.value[i], expected.value[i], bound) << i;
    ASSERT_NEAR(actual.magnitude[i], expected.magnitude[i], bound) << i;
  }
}

TEST(Reference, ConvolutionsEqualTheirDefinition) {
  std::mt19937 random(7);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<std::int64_t>(low, high)(random); };
  int done = 0;
  for (int spatial = 1; spatial <= 3; ++spatial) {
    for (int round = 0; round < 60; ++round) {
      ConvProblem p{.input = DataType::f32, .weight = DataType::f32, .output = DataType::f32, .spatial = spatial};
      p.groups = pick(1, 3);
      p.n = pick(1, 3);
      p.c = p.groups * pick(1, 5);
      p.k = p.groups * pick(1, 4);
      for (int axis = 0; axis < spatial; ++axis) {
        p.axis[axis] = {.size = pick(1, 7),
                        .filter = pick(1, 4),
                        .stride = pick(1, 4),
                        .dilation = pick(1, 3),
                        .pad_before = pick(0, 5),
                        .pad_after = pick(0, 5)};
      }
      if (!supports(p).ok) continue;
      // The definition's loops have three axes: size-1 axes stand in front, which leaves the layout as it is.
      ConvProblem cube = p;
      cube.spatial = 3;
      for (int axis = 0; axis < 3; ++axis)
        cube.axis[axis] = axis < 3 - spatial ? ConvAxis{} : p.axis[axis - 3 + spatial];
      const auto x = random_floats(p.n * p.input_pixels() * p.c, random()),
                 w = random_floats(p.k * p.taps() * p.channels_per_group(), random());
      expect_near(conv(p, x.data(), w.data(), nullptr, true), conv_by_definition(cube, x, w));
      ++done;
    }
  }
  EXPECT_GT(done, 120);
}

TEST(Reference, LargeConvolutionIsSplitIntoBlocks) {
  ConvProblem p{.input = DataType::f32, .weight = DataType::f32, .output = DataType::f32, .n = 2, .c = 260, .k = 3};
  p.axis[0] = p.axis[1] = {.size = 33, .filter = 3, .pad_before = 1, .pad_after = 1};
  ASSERT_GT(p.n * p.output_pixels() * p.taps() * p.c, 2 << 21);
  ConvProblem cube = p;
  cube.spatial = 3;
  cube.axis = {{{}, p.axis[0], p.axis[1]}};
  const auto x = random_floats(p.n * p.input_pixels() * p.c, 1), w = random_floats(p.k * p.taps() * p.c, 2);
  expect_near(conv(p, x.data(), w.data(), nullptr, true), conv_by_definition(cube, x, w));
}

TEST(Reference, RefusesWhatItCannotCompute) {
  ConvProblem p{.direction = ConvDirection::backward_data};
  EXPECT_EQ(supports(p).code, Reason::direction_mismatch);
  for (DataType type : all_data_types) EXPECT_TRUE(supports({.input = type, .weight = type}).ok) << name_of(type);
  p = {.n = 0};
  EXPECT_EQ(supports(p).code, Reason::bad_extent);
}

TEST(Reference, ProductsEqualTheirDefinitionInEveryLayout) {
  const MatrixOrder orders[] = {MatrixOrder::row, MatrixOrder::column};
  for (MatrixOrder order_a : orders) {
    for (MatrixOrder order_b : orders) {
      GemmProblem p{.m = 13,
                    .n = 7,
                    .k = 29,
                    .input = DataType::f32,
                    .output = DataType::f32,
                    .order_a = order_a,
                    .order_b = order_b};
      p.ld_a = p.stride_a() + 3;
      p.ld_b = p.stride_b() + 5;
      const auto a = random_floats(bytes_a(p).value / 4, 3), b = random_floats(bytes_b(p).value / 4, 4);
      Result expected{.rows = p.m, .columns = p.n, .depth = p.k, .value = {}, .magnitude = {}};
      for (std::int64_t i = 0; i < p.m; ++i)
        for (std::int64_t j = 0; j < p.n; ++j) {
          double sum = 0, magnitude = 0;
          for (std::int64_t l = 0; l < p.k; ++l) {
            const auto ai = order_a == MatrixOrder::row ? i * p.ld_a + l : l * p.ld_a + i;
            const auto bi = order_b == MatrixOrder::row ? l * p.ld_b + j : j * p.ld_b + l;
            const double product = double{a[static_cast<std::size_t>(ai)]} * b[static_cast<std::size_t>(bi)];
            sum += product;
            magnitude += std::fabs(product);
          }
          expected.value.push_back(sum);
          expected.magnitude.push_back(magnitude);
        }
      expect_near(gemm(p, a.data(), b.data(), true), expected);
    }
  }
}

Result small_result() {
  return {.rows = 2,
          .columns = 3,
          .depth = 16,
          .value = {1, -2, 0.5, 1.0009765625, 0, 1e6},
          .magnitude = {1, 2, 1, 2, 1, 1e6}};
}

std::vector<f16> stored(const Result& r) {
  std::vector<f16> data;
  for (double value : r.value) data.push_back(from_float<f16>(static_cast<float>(value)));
  return data;
}

TEST(Reference, ReadsEveryType) {
  // One product of the same number in every type: 3 * -2 + 1 * 4.
  const float a[] = {3, 1}, b[] = {-2, 4};
  for (DataType type : all_data_types) {
    std::vector<std::byte> data_a(16), data_b(16);
    const auto store = [&](std::byte* to, float value) {
      switch (type) {
        case DataType::f16: new (to) f16(from_float<f16>(value)); break;
        case DataType::bf16: new (to) bf16(from_float<bf16>(value)); break;
        case DataType::f64: new (to) double(value); break;
        case DataType::i8: new (to) std::int8_t(static_cast<std::int8_t>(value)); break;
        case DataType::i32: new (to) std::int32_t(static_cast<std::int32_t>(value)); break;
        case DataType::f8e4m3: new (to) f8e4m3(from_float<f8e4m3>(value)); break;
        case DataType::f8e5m2: new (to) f8e5m2(from_float<f8e5m2>(value)); break;
        case DataType::f8e4m3fnuz: new (to) f8e4m3fnuz(from_float<f8e4m3fnuz>(value)); break;
        case DataType::f8e5m2fnuz: new (to) f8e5m2fnuz(from_float<f8e5m2fnuz>(value)); break;
        default: new (to) float(value);
      }
    };
    for (int i = 0; i < 2; ++i) {
      store(data_a.data() + i * bytes_of(type), a[i]);
      store(data_b.data() + i * bytes_of(type), b[i]);
    }
    const GemmProblem p{.m = 1, .n = 1, .k = 2, .input = type, .output = output_of(type)};
    const Result r = gemm(p, data_a.data(), data_b.data(), true);
    EXPECT_EQ(r.value[0], -2) << name_of(type);
    EXPECT_EQ(r.magnitude[0], 10) << name_of(type);
    EXPECT_EQ(r.accumulator, accumulator_of(type));
  }
}

TEST(Compare, AcceptsTheRoundedReference) {
  const Result r = small_result();
  const auto data = stored(r);
  EXPECT_TRUE(compare(r, DataType::f16, data.data(), 3, Match::exact).ok());
  EXPECT_TRUE(compare(r, DataType::f16, data.data(), 3, Match::bound).ok());
}

TEST(Compare, FindsOneWrongBit) {
  const Result r = small_result();
  for (std::size_t i = 0; i < r.value.size(); ++i) {
    auto data = stored(r);
    data[i].bits ^= i == 4 ? 0x0010 : 0x0001;
    const Comparison c = compare(r, DataType::f16, data.data(), 3, Match::exact);
    EXPECT_EQ(c.wrong, 1) << i;
    EXPECT_EQ(c.row * 3 + c.column, static_cast<std::int64_t>(i)) << c.text();
  }
}

TEST(Compare, lesson39_bound_has_no_slack) {
  // One element of value 1 and magnitude 1: half an ulp (2^-11 of 1.0 + ...), and gamma adds 16 * 2^-24.
  const Result r{.rows = 1, .columns = 1, .depth = 16, .value = {1.0}, .magnitude = {1.0}};
  for (int ulps = 0; ulps < 4; ++ulps) {
    const f16 data{static_cast<std::uint16_t>(0x3c00 + ulps)};
    EXPECT_EQ(compare(r, DataType::f16, &data, 1, Match::bound).ok(), ulps == 0) << ulps;
  }
  // In f32 gamma rules: 16 units of 2^-24 and half an ulp of 2^-23 are 17 * 2^-24, eight ulps.
  for (int ulps = 0; ulps < 12; ++ulps) {
    const float data = __builtin_bit_cast(float, 0x3f800000 + ulps);
    EXPECT_EQ(compare(r, DataType::f32, &data, 1, Match::bound).ok(), ulps <= 8) << ulps;
  }
}

TEST(Compare, CountsWhatWasNeverWrittenAndWhatIsNotFinite) {
  const Result r = small_result();
  auto data = stored(r);
  poison(&data[1], DataType::f16, 1);
  data[2].bits = 0x7e00;
  data[4].bits = 0x7c00;
  for (Match match : {Match::exact, Match::bound}) {
    const Comparison c = compare(r, DataType::f16, data.data(), 3, match);
    EXPECT_EQ(c.wrong, 3);
    EXPECT_EQ(c.unwritten, 1);
    EXPECT_EQ(c.not_finite, 2);
    EXPECT_NE(c.text().find("3 of 6 elements are wrong (1 never written, 2 not finite)"), std::string::npos)
        << c.text();
  }
}

TEST(Compare, FollowsTheRowStride) {
  const Result r = small_result();
  const auto packed = stored(r);
  std::vector<f16> data(8);
  poison(data.data(), DataType::f16, 8);
  for (std::size_t i = 0; i < 6; ++i) data[i / 3 * 5 + i % 3] = packed[i];
  EXPECT_TRUE(compare(r, DataType::f16, data.data(), 5, Match::exact).ok());
}

TEST(Compare, RoundsLikeTheDevice) {
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    const float value = __builtin_bit_cast(float, bits);
    if (!std::isfinite(value)) continue;
    const Result r{.rows = 1, .columns = 1, .depth = 1, .value = {value}, .magnitude = {std::fabs(value)}};
    const f16 half = from_float<f16>(value);
    const bf16 brain = from_float<bf16>(value);
    EXPECT_TRUE(compare(r, DataType::f16, &half, 1, Match::exact).ok()) << value;
    EXPECT_TRUE(compare(r, DataType::bf16, &brain, 1, Match::exact).ok()) << value;
    EXPECT_TRUE(compare(r, DataType::f32, &value, 1, Match::exact).ok()) << value;
  }
}

TEST(Compare, SumsInI32AreExactAndWrap) {
  Result r{.rows = 1, .columns = 1, .depth = 1 << 20, .accumulator = DataType::i32, .value = {0x1p31}, .magnitude = {0x1p31}};
  std::int32_t value = INT32_MIN;
  EXPECT_TRUE(compare(r, DataType::i32, &value, 1, Match::exact).ok());
  EXPECT_TRUE(compare(r, DataType::i32, &value, 1, Match::bound).ok());
  ++value;
  EXPECT_FALSE(compare(r, DataType::i32, &value, 1, Match::bound).ok()) << "no bound covers a wrong integer";
  r.value[0] = 16777217;
  const float rounded = 16777216;
  EXPECT_TRUE(compare(r, DataType::f32, &rounded, 1, Match::exact).ok());
}

TEST(Compare, F64CountsTheReferencesOwnError) {
  const Result r{.rows = 1, .columns = 1, .depth = 4, .accumulator = DataType::f64, .value = {1}, .magnitude = {1}};
  const Result zero{.rows = 1, .columns = 1, .depth = 4, .accumulator = DataType::f64, .value = {0}, .magnitude = {0}};
  const double nothing = 0, something = 0x1p-1000;
  for (Match match : {Match::exact, Match::bound}) {
    EXPECT_TRUE(compare(zero, DataType::f64, &nothing, 1, match).ok());
    EXPECT_FALSE(compare(zero, DataType::f64, &something, 1, match).ok());
  }
  for (int ulps = 0; ulps < 8; ++ulps) {  // 2 * 4 * 2^-53, and half an ulp: four ulps of 2^-52 and a half
    const double data = 1 + ulps * 0x1p-52;
    EXPECT_EQ(compare(r, DataType::f64, &data, 1, Match::bound).ok(), ulps <= 4) << ulps;
  }
}

TEST(Compare, RoundedProductsWidenTheBound) {
  const Result r{.rows = 1, .columns = 1, .depth = 1, .value = {1}, .magnitude = {1}};
  const float off = 1 + 0x1p-14f;
  EXPECT_FALSE(compare(r, DataType::f32, &off, 1, Match::bound).ok());
  EXPECT_TRUE(compare(r, DataType::f32, &off, 1, Match::bound, {.error = 0x1p-14, .terms = 3}).ok());
  const float further = 1 + 0x1p-13f;
  EXPECT_FALSE(compare(r, DataType::f32, &further, 1, Match::bound, {.error = 0x1p-14, .terms = 3}).ok());
}

TEST(Data, IntegersStayExact) {
  for (std::int64_t depth : {1, 9, 64, 576, 4608, 16384, 65504, 1 << 20}) {
    for (DataType type : {DataType::f16, DataType::bf16, DataType::f32}) {
      const std::int64_t range = integer_range(depth, type, type);
      EXPECT_GE(range, 1);
      EXPECT_LE(range, 8);
      EXPECT_LE(depth * range * range, 1 << 24);
      if (type == DataType::f16 && depth <= 65504) EXPECT_LE(depth * range * range, 65504);
    }
  }
  for (std::int64_t depth : {1, 9, 4608, 131072}) {
    const std::int64_t bytes = integer_range(depth, DataType::i8, DataType::i32);
    EXPECT_LE(bytes, 127);
    EXPECT_LE(depth * bytes * bytes, INT32_MAX);
    const std::int64_t doubles = integer_range(depth, DataType::f64, DataType::f64);
    EXPECT_GT(depth * doubles * doubles, std::int64_t{1} << 36) << "f32 accumulators would not show";
    EXPECT_LE(depth * doubles * doubles, std::int64_t{1} << 53);
  }
  EXPECT_EQ(integer_range(64, DataType::f8e5m2, DataType::f32), 8);
  std::vector<bf16> data(10000);
  fill(data.data(), DataType::bf16, 10000, Fill::integers, 5, 64, DataType::bf16);
  int seen[17] = {};
  for (bf16 element : data) {
    const float value = to_float(element);
    ASSERT_EQ(value, std::round(value));
    ASSERT_LE(std::fabs(value), 8);
    ++seen[static_cast<int>(value) + 8];
  }
  for (int count : seen) EXPECT_GT(count, 400);
}

template <class T>
void expect_exact_fill(DataType type, double most, double (*value_of)(T)) {
  std::vector<T> data(1000);
  for (Fill kind : {Fill::integers, Fill::reals}) {
    fill(data.data(), type, 1000, kind, 5, 64, DataType::f32);
    double largest = 0;
    for (T element : data) {
      const double value = value_of(element), magnitude = std::fabs(value);
      largest = std::max(largest, magnitude);
      if (kind == Fill::integers)
        ASSERT_EQ(value, std::round(value));
      else
        ASSERT_GE(magnitude, 0x1p-6);
    }
    EXPECT_EQ(largest, kind == Fill::integers ? most : 1.0);
  }
}

TEST(Data, EightBitFloatsHoldTheirIntegers) {
  expect_exact_fill<f8e4m3>(DataType::f8e4m3, 8, [](f8e4m3 x) { return double{to_float(x)}; });
  expect_exact_fill<f8e5m2>(DataType::f8e5m2, 8, [](f8e5m2 x) { return double{to_float(x)}; });
  expect_exact_fill<f8e4m3fnuz>(DataType::f8e4m3fnuz, 8, [](f8e4m3fnuz x) { return double{to_float(x)}; });
  expect_exact_fill<f8e5m2fnuz>(DataType::f8e5m2fnuz, 8, [](f8e5m2fnuz x) { return double{to_float(x)}; });
}

TEST(Data, DependsOnSeedAndIndexAlone) {
  std::vector<float> small(10), large(200000), other(10);
  fill(small.data(), DataType::f32, 10, Fill::reals, 9, 1, DataType::f32);
  fill(large.data(), DataType::f32, 200000, Fill::reals, 9, 1, DataType::f32);
  fill(other.data(), DataType::f32, 10, Fill::reals, 10, 1, DataType::f32);
  EXPECT_TRUE(std::equal(small.begin(), small.end(), large.begin()));
  EXPECT_FALSE(small == other);
  double sum = 0;
  for (float value : large) {
    ASSERT_GE(std::fabs(value), 0x1p-8f);
    ASSERT_LE(std::fabs(value), 1.0f);
    sum += value;
  }
  EXPECT_LT(std::fabs(sum), 1500);  // 200000 values of variance 1/3: six standard deviations
}

}  // namespace
}  // namespace zellige::reference
