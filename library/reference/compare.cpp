// Comparison of an output with the reference.
#include "zellige/reference/compare.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <mutex>

#include "parallel.hpp"
#include "zellige/reference/data.hpp"

namespace zellige::reference {

namespace {

/// What the bounds need to know of an output type.
struct Precision {
  int digits;      ///< of the significand, the hidden one included
  int least;       ///< exponent of the least normal number
  double largest;  ///< the largest finite number
};

Precision precision_of(DataType type) {
  switch (type) {
    case DataType::f16:
      return {11, -14, 65504.0};
    case DataType::bf16:
      return {8, -126, 0x1.fep127};
    case DataType::f64:
      return {53, -1022, std::numeric_limits<double>::max()};
    default:
      return {24, -126, std::numeric_limits<float>::max()};
  }
}

double power_of_two(int exponent) {
  if (exponent < -1022) return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// What a 32-bit accumulator holds of a whole number: its low 32 bits.
double wrapped(double value) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(value)));
}

/// The share of sum|ab| by which an accumulated sum may differ from the reference.
double sum_error(const Result& reference, Products products) {
  if (reference.accumulator == DataType::i32) return 0;
  const double unit = reference.accumulator == DataType::f64 ? 0x1p-53 : 0x1p-24;
  const double depth_units = static_cast<double>(reference.depth) * products.terms * unit;
  const double gamma = depth_units < 1 ? depth_units / (1 - depth_units) : HUGE_VAL;
  // The terms of split products add up to at most 1 + 2^-5 of |ab|: two are 2^-8 of the third.
  const double terms = products.error > 0 ? 1 + 0x1p-5 : 1;
  return (reference.accumulator == DataType::f64 ? 2 : 1) * gamma * terms + products.error;
}

/// Half of the distance between neighbours of the type at `value`.
double half_ulp(double value, const Precision& precision) {
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff) - 1023;
  return power_of_two(std::max(exponent, precision.least) - precision.digits);
}

/// The nearest number of the type, ties to even; infinite from half an ulp past the largest.
double rounded(double value, const Precision& precision) {
  if (precision.digits == 53) return value;
  const double ulp = 2 * half_ulp(value, precision);
  const double nearest = std::nearbyint(value / ulp) * ulp;
  return std::fabs(nearest) > precision.largest ? std::copysign(HUGE_VAL, nearest) : nearest;
}

struct Worst {
  double excess = -1;  ///< error over bound
  std::int64_t index = 0;
  double expected = 0, actual = 0, bound = 0;
};

void merge(Comparison& into, Worst& worst, const Comparison& from, const Worst& other) {
  into.wrong += from.wrong;
  into.unwritten += from.unwritten;
  into.not_finite += from.not_finite;
  into.max_abs_error = std::max(into.max_abs_error, from.max_abs_error);
  into.max_rel_error = std::max(into.max_rel_error, from.max_rel_error);
  into.squared_error += from.squared_error;
  into.squared_norm += from.squared_norm;
  if (other.excess > worst.excess || (other.excess == worst.excess && other.index < worst.index)) worst = other;
}

}  // namespace

double Comparison::error_of_norms() const { return squared_norm > 0 ? std::sqrt(squared_error / squared_norm) : 0; }

std::string Comparison::text() const {
  char line[320];
  if (ok()) {
    std::snprintf(line, sizeof line, "all %lld elements are right; the largest error is %.3g",
                  static_cast<long long>(elements), max_abs_error);
    return line;
  }
  std::snprintf(line, sizeof line,
                "%lld of %lld elements are wrong (%lld never written, %lld not finite); worst at [%lld, %lld]: "
                "%.9g instead of %.9g, over its bound of %.3g",
                static_cast<long long>(wrong), static_cast<long long>(elements), static_cast<long long>(unwritten),
                static_cast<long long>(not_finite), static_cast<long long>(row), static_cast<long long>(column), actual,
                expected, bound);
  return line;
}

Comparison compare(const Result& reference, DataType type, const void* output, std::int64_t row_stride, Match match,
                   Products products) {
  const Precision precision = precision_of(type);
  const double share = sum_error(reference, products);
  const bool whole = reference.accumulator == DataType::i32;
  if (whole) match = Match::exact;
  Comparison total{.elements = reference.rows * reference.columns};
  Worst worst;
  std::mutex mutex;
  with_elements(type, output, [&]<class T>(const T* elements) {
    T poisoned{};
    const std::uint64_t bits = poison_bits(type);
    std::memcpy(static_cast<void*>(&poisoned), &bits, sizeof poisoned);
    parallel_for(reference.rows, (1 << 14) / reference.columns + 1, [&](std::int64_t begin, std::int64_t end) {
      Comparison part;
      Worst part_worst;
      for (std::int64_t i = begin * reference.columns; i < end * reference.columns; ++i) {
        const T& element = elements[i / reference.columns * row_stride + i % reference.columns];
        const double sum = reference.value[static_cast<std::size_t>(i)], exact = whole ? wrapped(sum) : sum;
        const double actual = to_double(element);
        const double expected = type == DataType::i32 ? exact : rounded(exact, precision);
        double bound = 0;
        if (match == Match::bound) {
          const double error = share * reference.magnitude[static_cast<std::size_t>(i)];
          bound = error + half_ulp(std::fabs(exact) + error, precision);
        }
        const bool unwritten = std::memcmp(&element, &poisoned, sizeof element) == 0;
        const bool not_finite = !std::isfinite(actual) && std::isfinite(expected);
        const bool equal = actual == expected, nan = std::isnan(exact) && std::isnan(actual);
        const double target = match == Match::exact ? expected : exact;
        const double error = equal || nan ? 0 : std::fabs(actual - target);
        const bool wrong = unwritten || not_finite || !(error <= bound);
        part.wrong += wrong ? 1 : 0;
        part.unwritten += unwritten ? 1 : 0;
        part.not_finite += not_finite && !unwritten ? 1 : 0;
        if (std::isfinite(error)) {
          part.squared_error += (actual - exact) * (actual - exact);
          part.squared_norm += exact * exact;
          part.max_abs_error = std::max(part.max_abs_error, error);
          part.max_rel_error =
              std::max(part.max_rel_error, error / std::max(std::fabs(exact), power_of_two(precision.least)));
        }
        // An element that is no number is worse than any wrong number.
        const double excess = !std::isfinite(error) || unwritten ? HUGE_VAL
                              : bound > 0                        ? error / bound
                              : wrong                            ? 1 + error
                                                                 : 0;
        if (excess > part_worst.excess) part_worst = {excess, i, target, actual, bound};
      }
      const std::lock_guard lock(mutex);
      merge(total, worst, part, part_worst);
    });
  });
  total.row = worst.index / reference.columns;
  total.column = worst.index % reference.columns;
  total.expected = worst.expected;
  total.actual = worst.actual;
  total.bound = worst.bound;
  return total;
}

}  // namespace zellige::reference
