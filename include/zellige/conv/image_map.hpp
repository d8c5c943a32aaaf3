// What tensor copies of images can express of a convolution.
//
// A copy walks the pixels of an image by itself, at most 8 apart. Rows that are further apart, as those of patch
// embeddings, are an axis of their own: row h is number h / stride of its kind, and between these lie the taps.
#pragma once

#include "zellige/conv/problem.hpp"
#include "zellige/gemm/warpgroup_check.hpp"

namespace zellige {

inline constexpr std::int64_t most_image_step = 8;

/// Whether the problem's rows are walked as an axis of their own: where no tap falls into padding above or below.
constexpr bool rows_apart(const ConvProblem& p) {
  if (p.spatial != 2) return false;
  const ConvAxis& h = p.axis[0];
  return h.stride > most_image_step && h.pad_before == 0 && h.dilation == 1 &&
         (h.outputs() - 1) * h.stride + h.filter <= h.size;
}

namespace detail {

/// The numbers of a tensor map over images that have few bits, and groups that a copy may not leave.
constexpr Verdict check_image_map(const ConvProblem& p, const Tiling& t) {
  const bool apart = rows_apart(p);
  const std::int64_t corner = apart ? 16 : 128;  // maps of five axes have fewer bits for each
  for (int i = apart ? 1 : 0; i < p.spatial; ++i) {
    const ConvAxis& a = p.axis[i];
    const std::int64_t reach = a.dilation * (a.filter - 1);
    const Verdict v =
        check_map({{"the padding before", a.pad_before, 0, corner},
                   {"the padding after less the reach of the filter", a.pad_after - reach, -corner, corner - 1},
                   {"the reach of the filter", reach, 0, 2 * corner - 1},
                   {"the stride", a.stride, 1, most_image_step}});
    if (!v.ok) return v;
  }
  if (p.groups > 1 && p.channels_per_group() % t.block.k != 0) {
    return refuse(Reason::channels_not_divisible, Text{} << "c/groups = " << p.channels_per_group()
                                                         << " is not a multiple of block.k = " << t.block.k
                                                         << ": a tensor copy would read the next group's channels");
  }
  return {};
}

}  // namespace detail

}  // namespace zellige
