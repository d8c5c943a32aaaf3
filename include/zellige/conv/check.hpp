// What a convolution config needs of its target, and an instance of its problem.
#pragma once

#include "zellige/conv/config.hpp"
#include "zellige/conv/lower.hpp"
#include "zellige/gemm/check.hpp"

namespace zellige {

ZELLIGE_HD constexpr Verdict check(const ConvConfig& c, Arch arch) {
  if (c.spatial < 1 || c.spatial > max_spatial) {
    return refuse(Reason::spatial_rank, Text{} << "spatial = " << c.spatial << " must be 1, 2 or 3");
  }
  return check_tiling(arch, c.input, c.output, MatrixOrder::row, MatrixOrder::column, c.tiling);
}

/// Whether an instance of this config solves this problem. `split_k` is PlanOptions::split_k.
constexpr Verdict supports(const ConvConfig& c, Arch arch, const ConvProblem& p, int split_k = -1) {
  if (Verdict v = validate(p); !v.ok) return v;
  if (p.direction != ConvDirection::forward) {
    return refuse(Reason::direction_mismatch, Text{} << "the instance computes the forward direction only");
  }
  if (p.input != c.input || p.weight != c.input || p.output != c.output) {
    return refuse(Reason::type_mismatch, Text{} << "the instance computes " << name_of(c.input) << " by " << name_of(c.input) << " to "
      << name_of(c.output) << ", the problem asks " << name_of(p.input) << " by " << name_of(p.weight) << " to " << name_of(p.output));
  }
  if (p.spatial > c.spatial) {
    return refuse(Reason::spatial_rank, Text{} << "the instance decodes " << c.spatial << " spatial axes, the problem has " << p.spatial);
  }
  if (Verdict v = detail::check_split(split_k); !v.ok) return v;
  const Tiling& t = c.tiling;
  const std::int64_t channels = p.channels_per_group(), filters = p.filters_per_group();
  const struct { Reason reason; const char* what; std::int64_t size; const char* why; int vector; } divisions[] = {
    {Reason::channels_not_divisible, "c/groups", channels, "vector_a", t.vector_a},
    {Reason::channels_not_divisible, "taps * c/groups", p.taps() * channels, "vector_b", t.vector_b},
    {Reason::channels_not_divisible, "k/groups", filters, "vector_c", t.vector_c},
    {Reason::reduction_not_divisible, "c/groups", channels, "block.k (Walk::run)", t.walk == Walk::run ? t.block.k : 1}};
  for (const auto& d : divisions) {
    if (Verdict v = detail::check_divides(d.reason, d.what, d.size, d.why, d.vector); !v.ok) return v;
  }
  if (Verdict v = detail::check_tensor("the input", input_bytes(p)); !v.ok) return v;
  if (Verdict v = detail::check_tensor("the weight", weight_bytes(p)); !v.ok) return v;
  if (Verdict v = detail::check_tensor("the output", output_bytes(p)); !v.ok) return v;
  for (int i = 0; i < p.spatial; ++i) {
    // Views find pixels outside the image by one unsigned comparison: coordinates must not wrap all the way round.
    const ConvAxis& a = p.axis[i];
    const CheckedSize span = CheckedSize{a.dilation}.times(a.filter);
    if (span.overflow || span.value > INT32_MAX || a.size + a.pad_before + a.pad_after > INT32_MAX) {
      return refuse(Reason::overflow, Text{} << "axis " << i << ": the padded image of " << (a.size + a.pad_before + a.pad_after)
        << " pixels or the dilated filter passes 2^31");
    }
  }
  if (p.taps() * channels > INT32_MAX - 3 * t.block.k) {
    return refuse(Reason::overflow, Text{} << "taps * c/groups = " << p.taps() * channels
      << " leaves no room for the tiles that the prefetch counts past it");
  }
  return detail::check_grid(t, p.n * p.output_pixels(), filters, p.groups, t.waves.m * t.waves.n * arch_traits(arch).wave_size);
}

}  // namespace zellige
