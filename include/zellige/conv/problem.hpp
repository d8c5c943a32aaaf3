// A convolution of 1, 2 or 3 spatial dimensions with run-time sizes.
//
// Channels last: the input x is N, [D, H,] W, C; the weight w is K, [Z, Y,] X, C/groups; the output y is N, [D, H,] W,
// K. y[n, o, k] = sum over taps t and channels c of x[n, o * stride - pad_before + t * dilation, g * C/groups + c] *
// w[k, t, c] with g = k / (K/groups); taps outside the image add nothing.
#pragma once

#include "zellige/core/array.hpp"
#include "zellige/core/math.hpp"
#include "zellige/core/types.hpp"
#include "zellige/core/verdict.hpp"

namespace zellige {

enum class ConvDirection : int { forward = 0, backward_data = 1, backward_weight = 2 };

inline constexpr int max_spatial = 3;

/// One spatial axis. The padding may differ at the two ends.
struct ConvAxis {
  std::int64_t size = 1, filter = 1, stride = 1, dilation = 1, pad_before = 0, pad_after = 0;

  /// Outputs along the axis; 0 or less when the dilated filter is longer than the padded image (validate() refuses
  /// that: a plain division would round it to a false 1).
  constexpr std::int64_t outputs() const {
    const std::int64_t last = size + pad_before + pad_after - dilation * (filter - 1) - 1;
    return last < 0 ? 0 : last / stride + 1;
  }
  bool operator==(const ConvAxis&) const = default;
};

/// Sizes are of the whole problem: c and k count the channels and filters of all groups together.
struct ConvProblem {
  ConvDirection direction = ConvDirection::forward;
  DataType input = DataType::f16, weight = DataType::f16, output = DataType::f16;
  std::int64_t n = 1, c = 1, k = 1, groups = 1;
  int spatial = 2;                      ///< axes in use
  Array<ConvAxis, max_spatial> axis{};  ///< outermost first: {height, width} when spatial is 2

  constexpr std::int64_t channels_per_group() const { return c / groups; }
  constexpr std::int64_t filters_per_group() const { return k / groups; }
  constexpr std::int64_t taps() const { return all_taps().value; }
  constexpr std::int64_t input_pixels() const { return all_input_pixels().value; }
  constexpr std::int64_t output_pixels() const { return all_output_pixels().value; }

  // The same, of problems that validate() has not seen yet.
  constexpr CheckedSize all_taps() const {
    return over_axes([](const ConvAxis& a) { return a.filter; });
  }
  constexpr CheckedSize all_input_pixels() const {
    return over_axes([](const ConvAxis& a) { return a.size; });
  }
  constexpr CheckedSize all_output_pixels() const {
    return over_axes([](const ConvAxis& a) { return a.outputs(); });
  }
  bool operator==(const ConvProblem&) const = default;

 private:
  template <class Extent>
  constexpr CheckedSize over_axes(Extent extent) const {
    CheckedSize product;
    for (int i = 0; i < spatial; ++i) product = product.times(extent(axis[i]));
    return product;
  }
};

/// Sizes of the three tensors in bytes. None overflows where validate() accepts the problem.
constexpr CheckedSize input_bytes(const ConvProblem& p) {
  return p.all_input_pixels().times(p.n).times(p.c).times(bytes_of(p.input));
}
constexpr CheckedSize weight_bytes(const ConvProblem& p) {
  return p.all_taps().times(p.channels_per_group()).times(p.k).times(bytes_of(p.weight));
}
constexpr CheckedSize output_bytes(const ConvProblem& p) {
  return p.all_output_pixels().times(p.n).times(p.k).times(bytes_of(p.output));
}

/// Floating point operations, taps in the padding included (the usual convention): a multiply-add counts two.
constexpr double flops(const ConvProblem& p) {
  return 2.0 * static_cast<double>(p.n) * static_cast<double>(p.output_pixels()) * static_cast<double>(p.k) *
         static_cast<double>(p.taps()) * static_cast<double>(p.channels_per_group());
}

/// Whether the problem means something at all, before any instance is asked.
constexpr Verdict validate(const ConvProblem& p) {
  constexpr std::int64_t largest = INT32_MAX;
  if (p.spatial < 1 || p.spatial > max_spatial) {
    return refuse(Reason::spatial_rank, Text{} << "a convolution has 1 to 3 spatial dimensions, not " << p.spatial);
  }
  if (p.n < 1 || p.c < 1 || p.k < 1 || p.n > largest || p.c > largest || p.k > largest) {
    return refuse(Reason::bad_extent,
                  Text{} << "n, c and k must be 1 to " << largest << ", but are " << p.n << ", " << p.c << ", " << p.k);
  }
  if (p.groups < 1 || p.c % p.groups != 0 || p.k % p.groups != 0) {
    return refuse(Reason::bad_groups, Text{} << "groups = " << p.groups << " must be at least 1 and divide c = " << p.c
                                             << " and k = " << p.k);
  }
  for (int i = 0; i < p.spatial; ++i) {
    const ConvAxis& a = p.axis[i];
    if (a.size < 1 || a.filter < 1 || a.size > largest || a.filter > largest) {
      return refuse(Reason::bad_extent, Text{} << "axis " << i << ": the image and the filter must be 1 to " << largest
                                               << ", but are " << a.size << " and " << a.filter);
    }
    if (a.stride < 1 || a.dilation < 1 || a.stride > largest || a.dilation > largest) {
      return refuse(Reason::bad_filter, Text{} << "axis " << i << ": stride and dilation must be 1 to " << largest
                                               << ", but are " << a.stride << " and " << a.dilation);
    }
    if (a.pad_before < 0 || a.pad_after < 0 || a.pad_before > largest || a.pad_after > largest) {
      return refuse(Reason::bad_filter, Text{} << "axis " << i << ": padding must be 0 to " << largest << ", but is "
                                               << a.pad_before << ":" << a.pad_after);
    }
    if (a.outputs() < 1) {
      return refuse(Reason::output_empty, Text{} << "axis " << i << ": the filter spans "
                                                 << (a.dilation * (a.filter - 1) + 1)
                                                 << " pixels but the padded image has "
                                                 << (a.size + a.pad_before + a.pad_after) << ", so there is no output");
    }
  }
  // The depth of the GEMM travels in 32 bits, whatever part of the problem a dispatch computes.
  const CheckedSize depth = p.all_taps().times(p.channels_per_group());
  if (depth.overflow || depth.value > largest) {
    return refuse(Reason::overflow, Text{} << "taps * c/groups = " << depth.value << " must be at most " << largest);
  }
  if (input_bytes(p).overflow || weight_bytes(p).overflow || output_bytes(p).overflow) {
    return refuse(Reason::overflow, Text{} << "the bytes of a tensor pass 2^63");
  }
  return {};
}

}  // namespace zellige
