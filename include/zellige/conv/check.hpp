// What a convolution config needs of its target, and an instance of its problem.
#pragma once

#include "zellige/conv/config.hpp"
#include "zellige/conv/lower.hpp"
#include "zellige/gemm/check.hpp"

namespace zellige {

/// Whether kernels of this config can be built for the target.
ZELLIGE_HD constexpr Verdict check(const ConvConfig& c, Arch arch) {
  if (c.spatial < 1 || c.spatial > max_spatial) {
    return refuse(Reason::spatial_rank, Text{} << "spatial = " << c.spatial << " must be 1, 2 or 3");
  }
  return check(lowered(c), arch);
}

/// Whether an instance of this config, which check() accepts, solves this problem.
constexpr Verdict supports(const ConvConfig& c, Arch arch, const ConvProblem& p, const PlanOptions& options = {}) {
  if (Verdict v = validate(p); !v.ok) return v;
  if (p.direction != ConvDirection::forward) {
    return refuse(Reason::direction_mismatch, Text{} << "the instance computes the forward direction only");
  }
  if (p.input != c.input || p.weight != c.input || p.output != c.output) {
    return refuse(Reason::type_mismatch, Text{} << "the instance computes " << name_of(c.input) << " by "
                                                << name_of(c.input) << " to " << name_of(c.output)
                                                << ", the problem asks " << name_of(p.input) << " by "
                                                << name_of(p.weight) << " to " << name_of(p.output));
  }
  if (p.spatial > c.spatial) {
    return refuse(Reason::spatial_rank,
                  Text{} << "the instance decodes " << c.spatial << " spatial axes, the problem has " << p.spatial);
  }
  if (Verdict v = detail::check_options(options); !v.ok) return v;
  const Tiling& t = c.tiling;
  const std::int64_t channels = p.channels_per_group(), filters = p.filters_per_group(), depth = p.taps() * channels;
  const Verdict divides =
      detail::check_divisions({{Reason::channels_not_divisible, "c/groups", channels, "vector_a", t.vector_a},
                               {Reason::channels_not_divisible, "taps * c/groups", depth, "vector_b", t.vector_b},
                               {Reason::channels_not_divisible, "k/groups", filters, "vector_c", t.vector_c},
                               {Reason::reduction_not_divisible, "c/groups", channels, "block.k (Walk::run)",
                                t.walk == Walk::run ? t.block.k : 1}});
  if (!divides.ok) return divides;
  if (Verdict v = detail::check_tensor("the input", input_bytes(p)); !v.ok) return v;
  if (Verdict v = detail::check_tensor("the weight", weight_bytes(p)); !v.ok) return v;
  if (Verdict v = detail::check_tensor("the output", output_bytes(p)); !v.ok) return v;
  for (int i = 0; i < p.spatial; ++i) {
    // Views find pixels outside the image by one unsigned comparison: coordinates must not wrap all the way round.
    const ConvAxis& a = p.axis[i];
    const CheckedSize span = CheckedSize{a.dilation}.times(a.filter);
    if (span.overflow || span.value > INT32_MAX || a.size + a.pad_before + a.pad_after > INT32_MAX) {
      return refuse(Reason::overflow, Text{} << "axis " << i << ": the padded image of "
                                             << (a.size + a.pad_before + a.pad_after)
                                             << " pixels or the dilated filter passes 2^31");
    }
  }
  if (Verdict v = detail::check_depth("taps * c/groups", depth, t); !v.ok) return v;
  return detail::check_grid(t, p.n * p.output_pixels(), filters, p.groups, arch);
}

}  // namespace zellige
