// The device library's mathematical functions, against the host's long double values.
//
// The bounds are units in the last place that HIP documents for each function (and one more for the reference).
#include <cmath>
#include <limits>
#include <random>

#include "support.hpp"

using zellige::test::DeviceVector;

namespace {

using Reference = long double (*)(long double, long double);

#define FUNCTION(name, expression)                          \
  struct name {                                             \
    template <class T>                                      \
    __device__ static T device(T x, [[maybe_unused]] T y) { \
      return expression;                                    \
    }                                                       \
  };
FUNCTION(Sine, sin(x))
FUNCTION(Cosine, cos(x))
FUNCTION(Tangent, tan(x))
FUNCTION(ArcSine, asin(x))
FUNCTION(ArcTangent2, atan2(x, y))
FUNCTION(Exponential, exp(x))
FUNCTION(Exponential2, exp2(x))
FUNCTION(ExponentialMinusOne, expm1(x))
FUNCTION(Logarithm, log(x))
FUNCTION(Logarithm2, log2(x))
FUNCTION(LogarithmOfOnePlus, log1p(x))
FUNCTION(Power, pow(x, y))
FUNCTION(SquareRoot, sqrt(x))
FUNCTION(ReciprocalSquareRoot, rsqrt(x))
FUNCTION(CubeRoot, cbrt(x))
FUNCTION(Hypotenuse, hypot(x, y))
FUNCTION(Remainder, fmod(x, y))
FUNCTION(ErrorFunction, erf(x))
FUNCTION(Gamma, tgamma(x))
FUNCTION(HyperbolicTangent, tanh(x))
FUNCTION(Quotient, x / y)
#undef FUNCTION

template <class F, class T>
__global__ void apply(const T* x, const T* y, T* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = F::template device<T>(x[i], y[i]);
}

/// The distance in units of the exact value's last place in T.
template <class T>
long double units(T got, long double exact) {
  if (std::isnan(exact)) return std::isnan(got) ? 0 : INFINITY;
  if (static_cast<T>(exact) == got) return 0;
  constexpr int digits = std::numeric_limits<T>::digits, least = std::numeric_limits<T>::min_exponent;
  return std::fabs(static_cast<long double>(got) - exact) /
         std::ldexp(1.0L, std::max(exact == 0 ? least : std::ilogb(exact) + 1, least) - digits);
}

template <class F, class T>
void check(const char* name, Reference reference, double low, double high, long double bound) {
  constexpr int count = 4096;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> inside(low, high);
  std::vector<T> x(count), y(count);
  for (int i = 0; i < count; ++i) {
    x[static_cast<std::size_t>(i)] = static_cast<T>(inside(random));
    y[static_cast<std::size_t>(i)] = static_cast<T>(std::uniform_real_distribution<double>(0.1, 8)(random));
  }
  DeviceVector<T> device_x(x), device_y(y), out(count);
  apply<F, T><<<count / 256, 256>>>(device_x.data(), device_y.data(), out.data(), count);
  HIP_OK(hipDeviceSynchronize());
  const std::vector<T> got = out.read();
  long double worst = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const long double distance = units(got[i], reference(x[i], y[i]));
    if (distance > worst) worst = distance, at = i;
  }
  EXPECT_LE(worst, bound) << name << (sizeof(T) == 4 ? " of float " : " of double ") << x[at] << ", " << y[at]
                          << " gave " << got[at] << ", not " << reference(x[at], y[at]);
}

template <class T>
void check_all() {
#define CHECK(function, reference, low, high, bound)                                                                \
  check<function, T>(                                                                                               \
      #function, [](long double x, [[maybe_unused]] long double y) -> long double { return reference; }, low, high, \
      bound)
  CHECK(Sine, std::sin(x), -100, 100, 3);
  CHECK(Cosine, std::cos(x), -100, 100, 3);
  CHECK(Tangent, std::tan(x), -10, 10, 5);
  CHECK(ArcSine, std::asin(x), -1, 1, 5);
  CHECK(ArcTangent2, std::atan2(x, y), -10, 10, 7);
  CHECK(Exponential, std::exp(x), -80, 80, 3);
  CHECK(Exponential2, std::exp2(x), -120, 120, 3);
  CHECK(ExponentialMinusOne, std::expm1(x), -5, 20, 4);
  CHECK(Logarithm, std::log(x), 1e-30, 100, 4);
  CHECK(Logarithm2, std::log2(x), 1e-30, 100, 4);
  CHECK(LogarithmOfOnePlus, std::log1p(x), -0.99, 10, 4);
  CHECK(Power, std::pow(x, y), 0.01, 100, 17);
  CHECK(SquareRoot, std::sqrt(x), 0, 1e30, 1);
  CHECK(ReciprocalSquareRoot, 1 / std::sqrt(x), 1e-6, 1e6, 3);
  CHECK(CubeRoot, std::cbrt(x), -1e6, 1e6, 3);
  CHECK(Hypotenuse, std::hypot(x, y), -1e3, 1e3, 5);
  CHECK(Remainder, std::fmod(x, y), -1e4, 1e4, 0);
  CHECK(ErrorFunction, std::erf(x), -4, 4, 17);
  CHECK(Gamma, std::tgamma(x), 0.5, 20, 17);
  CHECK(HyperbolicTangent, std::tanh(x), -5, 5, 6);
  CHECK(Quotient, x / y, -1e6, 1e6, 0.5L);
#undef CHECK
}

__global__ void special_values(float* out) {
  const float inf = __builtin_inff(), nan = __builtin_nanf("");
  const float values[] = {0.0f, -0.0f, inf, -inf, nan, 0x1p-149f};
  for (int i = 0; i < 6; ++i) {
    out[8 * i + 0] = expf(values[i]);
    out[8 * i + 1] = logf(values[i]);
    out[8 * i + 2] = sqrtf(values[i]);
    out[8 * i + 3] = 1.0f / values[i];
    out[8 * i + 4] = sinf(values[i]);
    out[8 * i + 5] = fminf(values[i], 1.0f);
    out[8 * i + 6] = floorf(values[i]);
    out[8 * i + 7] = copysignf(2.0f, values[i]);
  }
}

}  // namespace

TEST(Math, Singles) { check_all<float>(); }
TEST(Math, Doubles) { check_all<double>(); }

TEST(Math, SpecialValues) {
  DeviceVector<float> out(48);
  special_values<<<1, 1>>>(out.data());
  HIP_OK(hipDeviceSynchronize());
  const std::vector<float> got = out.read();
  const float inf = INFINITY, nan = NAN;
  const float values[] = {0.0f, -0.0f, inf, -inf, nan, 0x1p-149f};
  for (std::size_t i = 0; i < 6; ++i) {
    const float x = values[i];
    const float expected[] = {std::exp(x), std::log(x),        std::sqrt(x),  1.0f / x,
                              std::sin(x), std::fmin(x, 1.0f), std::floor(x), std::copysign(2.0f, x)};
    for (std::size_t k = 0; k < 8; ++k) {
      if (std::isnan(x) && k == 7) continue;  // the sign of a NaN
      EXPECT_TRUE(std::isnan(expected[k]) ? std::isnan(got[8 * i + k])
                                          : std::fabs(got[8 * i + k] - expected[k]) <= 1e-5f * std::fabs(expected[k]) ||
                                                got[8 * i + k] == expected[k])
          << k << " of " << x << " gave " << got[8 * i + k] << ", not " << expected[k];
    }
  }
}
