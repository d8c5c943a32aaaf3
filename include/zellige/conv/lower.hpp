// A convolution as a matrix product over views.
//
// Forward: row m of the input view is an output pixel (n, o0, [o1, [o2]]), column k is a tap and a channel (t0, [t1,
// [t2]], c); the element is x[n, o * stride - pad + t * dilation, c] where that pixel exists, and zero in the padding.
// One code path serves 1, 2 and 3 spatial dimensions: the list of steps is built by a loop over the axes.
#pragma once

#include "zellige/conv/problem.hpp"
#include "zellige/layout/transform.hpp"

namespace zellige {

/// The input of a forward convolution of `spatial` axes as an (m, k) matrix.
ZELLIGE_HD constexpr Transforms conv_input_view(int spatial) {
  // Numbers of the coordinates: 0 m, 1 k, then what the steps define.
  const int image = 2, output = 3, tap = 6, channel = 9, pixel = 10, rest = 13;
  Transforms t;
  int from = 0;
  for (int axis = spatial - 1; axis >= 0; --axis) {
    const int quotient = axis == 0 ? image : rest + axis % 2;
    t.split(from, quotient, output + axis);
    from = quotient;
  }
  from = 1;
  for (int axis = spatial - 1; axis >= 0; --axis) {
    const int quotient = axis == 0 ? tap : rest + axis % 2;
    t.split(from, quotient, axis == spatial - 1 ? channel : tap + axis + 1);
    from = quotient;
  }
  t.limit(image).limit(tap);
  for (int axis = 0; axis < spatial; ++axis) t.embed(output + axis, tap + axis, pixel + axis);
  t.stride(image);
  for (int axis = 0; axis < spatial; ++axis) t.stride(pixel + axis);
  t.stride(channel);
  return t;
}

/// The same problem with `spatial` axes: size-1 axes are put in front.
constexpr ConvProblem with_spatial(ConvProblem p, int spatial) {
  Array<ConvAxis, max_spatial> axis{};
  for (int i = 0; i < p.spatial; ++i) axis[spatial - p.spatial + i] = p.axis[i];
  p.axis = axis;
  p.spatial = spatial;
  return p;
}

/// The run-time half of conv_input_view(p.spatial). The problem must be valid (or a chunk of one, whose padding may be
/// negative: coordinates wrap), and its input below 2^31 bytes.
constexpr ViewParams conv_input_params(const ConvProblem& p) {
  ViewParams v;
  int dividers = 0;
  for (int axis = p.spatial - 1; axis >= 0; --axis)
    v.divider[dividers++] = MagicDivider(static_cast<std::uint32_t>(p.axis[axis].outputs()));
  v.divider[dividers++] = MagicDivider(static_cast<std::uint32_t>(p.channels_per_group()));
  for (int axis = p.spatial - 1; axis > 0; --axis)
    v.divider[dividers++] = MagicDivider(static_cast<std::uint32_t>(p.axis[axis].filter));
  v.limit[0] = static_cast<std::uint32_t>(p.n);
  v.limit[1] = static_cast<std::uint32_t>(p.axis[0].filter);
  std::int64_t stride = p.c * bytes_of(p.input);
  v.stride[p.spatial + 1] = static_cast<std::uint32_t>(bytes_of(p.input));
  for (int axis = p.spatial - 1; axis >= 0; --axis) {
    const ConvAxis& a = p.axis[axis];
    v.embed[axis] = {static_cast<std::uint32_t>(a.stride), static_cast<std::uint32_t>(a.dilation),
                     static_cast<std::uint32_t>(a.pad_before), static_cast<std::uint32_t>(a.size)};
    v.stride[axis + 1] = static_cast<std::uint32_t>(stride);
    stride *= a.size;
  }
  v.stride[0] = static_cast<std::uint32_t>(stride);
  return v;
}

}  // namespace zellige
