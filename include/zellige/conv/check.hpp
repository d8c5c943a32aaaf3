// What a convolution config needs of its target, and an instance of its problem.
#pragma once

#include "zellige/conv/batch_split.hpp"
#include "zellige/conv/config.hpp"
#include "zellige/conv/few_channels_check.hpp"
#include "zellige/conv/fold.hpp"
#include "zellige/conv/image_map.hpp"
#include "zellige/conv/lower.hpp"
#include "zellige/gemm/check.hpp"

namespace zellige {

/// Whether kernels of this config can be built for the target.
ZELLIGE_HD constexpr Verdict check(const ConvConfig& c, Arch arch) {
  if (c.spatial < 1 || c.spatial > max_spatial) {
    return refuse(Reason::spatial_rank, Text{} << "spatial = " << c.spatial << " must be 1, 2 or 3");
  }
  if (c.tiling.pipeline == Pipeline::few_channels) return detail::check_few_channels(c, arch);
  if (c.tiling.pipeline == Pipeline::tensor_copy && c.spatial > 2) {
    return refuse(Reason::spatial_rank,
                  Text{} << "Pipeline::tensor_copy walks images of 2 spatial axes at most, not " << c.spatial);
  }
  return check(lowered(c), arch);
}

/// The problem as kernels run it: folded where that is possible and not switched off.
constexpr ConvProblem as_run(const ConvProblem& p, const PlanOptions& options) { return options.fold ? folded(p) : p; }

/// The largest of the problem's chunks as split-K sees it; the tiling does not matter. The problem must be valid.
constexpr SplitExtents split_extents(const Tiling&, const ConvProblem& p, const PlanOptions& options) {
  const ConvProblem q = as_run(p, options);
  return {split_problem(q, options.dispatch_limit()).most_rows(q), q.filters_per_group(),
          q.taps() * q.channels_per_group(), q.groups};
}

/// Whether an instance of this config, which check() accepts, solves this problem.
constexpr Verdict supports(const ConvConfig& c, Arch arch, const ConvProblem& p, const PlanOptions& options = {}) {
  if (Verdict v = validate(p); !v.ok) return v;
  if (p.direction != ConvDirection::forward) {
    return refuse(Reason::direction_mismatch, Text{} << "the instance computes the forward direction only");
  }
  const DataType weight = weight_of(c.input, c.weight);
  if (p.input != c.input || p.weight != weight || p.output != c.output) {
    return refuse(Reason::type_mismatch, Text{} << "the instance computes " << name_of(c.input) << " by "
                                                << name_of(weight) << " to " << name_of(c.output)
                                                << ", the problem asks " << name_of(p.input) << " by "
                                                << name_of(p.weight) << " to " << name_of(p.output));
  }
  if (p.spatial > c.spatial) {
    return refuse(Reason::spatial_rank,
                  Text{} << "the instance decodes " << c.spatial << " spatial axes, the problem has " << p.spatial);
  }
  const Tiling& t = c.tiling;
  const ConvProblem q = as_run(p, options);
  const char* const what = q.c == p.c ? "c/groups" : "c/groups (folded)";
  const std::int64_t channels = q.channels_per_group(), filters = q.filters_per_group(), depth = q.taps() * channels;
  const bool few = t.pipeline == Pipeline::few_channels;  // its vectors of A and B are not along channels
  const Verdict divides = detail::check_divisions(
      {{Reason::channels_not_divisible, what, channels, "vector_a", few ? 1 : t.vector_a},
       {Reason::channels_not_divisible, "taps * c/groups", depth, "vector_b", few ? 1 : t.vector_b},
       {Reason::channels_not_divisible, "k/groups", filters, "vector_c", t.vector_c},
       {Reason::reduction_not_divisible, what, channels, "block.k (Walk::run)", t.walk == Walk::run ? t.block.k : 1}});
  if (!divides.ok) return divides;
  if (Verdict v = detail::check_tensor("the weight", weight_bytes(p), options.dispatch_limit()); !v.ok) return v;
  const ConvSplit split = split_problem(q, options.dispatch_limit());
  if (!split.verdict.ok) return split.verdict;
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
  if (by_warpgroups(t.pipeline)) {
    for (std::int64_t i = 0; i < (split.by_rows ? split.chunks() : 1); ++i) {
      const ConvProblem chunk = chunk_of(q, split, i).problem;
      const Verdict v = few ? few_channels_tile(few_channels_shape(c), arch, chunk).verdict
                            : detail::check_image_map(chunk, t);
      if (!v.ok) return v;
    }
  }
  if (Verdict v = detail::check_grid(t, split.most_rows(q), filters, p.groups, arch); !v.ok) return v;
  return detail::check_options(lowered(c), arch, split_extents(t, p, options), options);
}

}  // namespace zellige
