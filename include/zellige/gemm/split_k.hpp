// Into how many slices a reduction is cut: one pure function of (tiling, target, sizes, options) for the profiler, the
// library and users of the headers.
//
// Layers of few output tiles leave a device with a handful of workgroups, each of which walks the whole reduction.
// Split in `degree` slices they are `degree` times as many, at the price of a slab of partial sums each. The law: equal
// arguments give equal degrees, so that equal targets give equal bits; the device at hand is never asked.
#pragma once

#include "zellige/core/arch.hpp"
#include "zellige/core/limits.hpp"
#include "zellige/core/math.hpp"
#include "zellige/core/verdict.hpp"
#include "zellige/gemm/config.hpp"

namespace zellige {

/// Whether a kernel leaves its slabs to a second one. Nothing else decides that.
constexpr bool needs_second_stage(const Tiling& t) { return t.split_k == SplitK::two_stage; }

/// Whether slices leave their parts in slabs. Clusters of warpgroups read each other's shared memory instead.
constexpr bool needs_workspace(const Tiling& t) {
  return t.split_k == SplitK::two_stage || (t.split_k == SplitK::cluster && t.pipeline != Pipeline::tensor_copy);
}

/// Sizes of a GEMM-shaped problem: m rows by n columns for each batch, of `k` products.
struct SplitExtents {
  std::int64_t m = 1, n = 1, k = 1, batches = 1;
};

/// When a target splits, and how far.
struct SplitPolicy {
  int workgroups_per_cu = 1;       ///< the grid that slices aim at, for each CU
  std::int64_t least_depth = 512;  ///< shorter reductions stay whole
  int most = 32;                   ///< slices at most
  int least_tiles = 2;             ///< K tiles a slice at least
  bool any_cluster = false;        ///< clusters of every size that the target holds compete by their modelled times
  const char* reason = "";         ///< why these numbers, for people
};

/// Workspace offsets and grids of slices stay inside these.
inline constexpr std::int64_t most_slices_of_batches = 65535;

constexpr SplitPolicy split_policy(Arch arch) {
  switch (arch) {
    case Arch::gfx1250:
      return {.workgroups_per_cu = 8,
              .reason =
                  "8 workgroups a CU and at most 32 slices: constants of public split-K kernels for this target, "
                  "not measured by us"};
    case Arch::gfx90a:
    case Arch::gfx942:
    case Arch::gfx950:
      // Predicted times of tiles of 64x64x32 at degrees 1 to 64, on nine layers of ResNet-50 (n = 1 to 16, 8 to 196
      // blocks) on gfx942 and gfx950: these degrees are within 10 % of the best up to 100 blocks, and within 25 % at
      // 196. 32 slices instead of 16 win 7 % at most, on 8 blocks, and lose 27 % on 26. gfx90a: taken over.
      return {.workgroups_per_cu = 2,
              .most = 16,
              .reason =
                  "2 workgroups a CU and at most 16 slices: near the least predicted times of ResNet-50's layers on "
                  "gfx942 and gfx950; the slabs of more slices cost more than their workgroups save"};
    case Arch::sm_90:
      return {
          .workgroups_per_cu = 1,
          .any_cluster = true,
          .reason = "1 workgroup an SM: on an H200, 16 slices of 8 blocks were the fastest for 512 channels at 7x7"};
    default:
      return {.workgroups_per_cu = 2,
              .most = 16,
              .reason =
                  "2 workgroups a CU and at most 16 slices, as predicted times of CDNA's targets suggest; not tuned "
                  "for this target"};
  }
}

/// Slabs of partial sums: each is a packed matrix of m rows and the columns of all batches, and begins where 64
/// elements end, so that loads of vectors stay aligned whatever the sizes.
constexpr CheckedSize slab_elements(const SplitExtents& e) {
  const CheckedSize elements = CheckedSize{e.m}.times(e.n).times(e.batches).plus(63);
  return elements.overflow ? elements : CheckedSize{elements.value / 64 * 64};
}

constexpr CheckedSize split_workspace_bytes(const SplitExtents& e, DataType accumulator, std::int64_t degree) {
  return slab_elements(e).times(bytes_of(accumulator)).times(degree);
}

/// The degree of a policy, and all that it follows from.
struct SplitChoice {
  int degree = 1;
  std::int64_t blocks = 0;  ///< workgroups of the unsplit grid
  std::int64_t target = 0;  ///< workgroups that the policy aims at
  std::int64_t k = 0, k_tiles = 0;
  const char* limit = "";  ///< what held the degree, for people
};

/// The degree that the target's policy chooses. `compute_units` replaces the target's own count unless it is 0.
constexpr SplitChoice auto_split_k(const Tiling& t, Arch arch, DataType accumulator, const SplitExtents& e,
                                   int compute_units = 0) {
  const SplitPolicy policy = split_policy(arch);
  const std::int64_t units = compute_units > 0 ? compute_units : arch_traits(arch).compute_units;
  SplitChoice c;
  c.k = e.k;
  c.k_tiles = ceil_div<std::int64_t>(e.k, t.block.k);
  c.target = policy.workgroups_per_cu * units;
  const CheckedSize blocks = CheckedSize{ceil_div<std::int64_t>(e.m, t.block.m)}
                                 .times(ceil_div<std::int64_t>(e.n, t.block.n))
                                 .times(e.batches);
  c.blocks = blocks.value;
  if (blocks.overflow || 2 * c.blocks >= c.target) {
    c.limit = "the unsplit grid fills at least half of the target";
    return c;
  }
  if (e.k < policy.least_depth) {
    c.limit = "the reduction is too short";
    return c;
  }
  const CheckedSize slab = split_workspace_bytes(e, accumulator, 1);
  const struct {
    std::int64_t most;
    const char* name;
  } limits[] = {{c.target / c.blocks, "it reaches the target"},
                {policy.most, "no policy splits further"},
                {c.k_tiles / policy.least_tiles, "slices keep their K tiles"},
                {most_slices_of_batches / e.batches, "the grid's budget"},
                {slab.overflow ? 0 : max_buffer_bytes / slab.value, "the workspace's budget"}};
  std::int64_t most = limits[0].most;
  c.limit = limits[0].name;
  for (const auto& limit : limits) {
    if (limit.most >= most) continue;
    most = limit.most;
    c.limit = limit.name;
  }
  if (most >= 2) c.degree = 1 << log2_floor(static_cast<std::uint64_t>(most));
  return c;
}

/// Sizes of clusters that instances are built for: a cluster's degree is the largest of these that the policy's
/// reaches.
inline constexpr int cluster_sizes[] = {2, 4, 8, 12, 15};

/// The size of the cluster that does the work of `degree` slices; 1: none.
constexpr int cluster_size_for(int degree, Arch arch) {
  int best = 1;
  for (int size : cluster_sizes) best = size <= degree && size <= arch_traits(arch).cluster_limit ? size : best;
  return best;
}

/// The degree at which an instance runs: options.split_k where it says one, its cluster's size, or the policy's choice.
/// Needs check_split_k().ok for the same arguments.
constexpr int resolve_split_k(const Tiling& t, Arch arch, DataType accumulator, const SplitExtents& e, int split_k,
                              int compute_units = 0) {
  if (t.split_k == SplitK::none) return 1;
  if (t.split_k == SplitK::cluster) return t.cluster;
  return split_k >= 1 ? split_k : auto_split_k(t, arch, accumulator, e, compute_units).degree;
}

/// Whether the policy would run this instance where nobody pins a degree: an unsplit one always, a split one where the
/// policy splits, and of clusters the one size that comes nearest to its degree, unless SplitPolicy::any_cluster.
constexpr bool policy_takes(const Tiling& t, Arch arch, const SplitChoice& choice) {
  if (t.split_k == SplitK::none) return true;
  if (t.split_k == SplitK::two_stage) return choice.degree > 1;
  if (split_policy(arch).any_cluster) return choice.degree > 1 && choice.blocks * t.cluster <= choice.target;
  return t.cluster == cluster_size_for(choice.degree, arch);
}

/// "8 blocks of 2048 workgroups aimed at (8 a CU), k 4608 in 72 tiles: 32 slices (no policy splits further)".
constexpr Text describe(const SplitChoice& c, Arch arch) {
  return Text{} << c.blocks << " blocks, " << c.target << " workgroups aimed at ("
                << split_policy(arch).workgroups_per_cu << " a CU), k = " << c.k << " in " << c.k_tiles
                << " tiles: " << c.degree << (c.degree == 1 ? " slice (" : " slices (") << c.limit << ")";
}

/// Whether an instance of this tiling runs at PlanOptions::split_k = `split_k`, and its slabs fit.
constexpr Verdict check_split_k(const Tiling& t, Arch arch, DataType accumulator, const SplitExtents& e, int split_k,
                                int compute_units = 0) {
  if (split_k < -1 || split_k == 0) {
    return refuse(Reason::split_k_unsupported,
                  Text{} << "split_k = " << split_k << " must be -1 (the policy's degree) or at least 1");
  }
  if (t.split_k == SplitK::none) {
    if (split_k <= 1) return {};
    return refuse(Reason::split_k_unsupported, Text{} << "this instance does not split the reduction, but split_k = "
                                                      << split_k << " was asked for (-1 or 1)");
  }
  if (t.split_k == SplitK::cluster && split_k != -1 && split_k != t.cluster) {
    return refuse(Reason::split_k_unsupported, Text{} << "clusters of " << t.cluster << " workgroups take " << t.cluster
                                                      << " slices, but split_k = " << split_k << " was asked for");
  }
  if (!needs_workspace(t)) return {};
  const int degree = resolve_split_k(t, arch, accumulator, e, split_k, compute_units);
  const CheckedSize bytes = split_workspace_bytes(e, accumulator, degree);
  if (bytes.overflow || bytes.value > max_buffer_bytes) {
    return refuse(Reason::tensor_too_large, Text{} << "the workspace of " << degree << " slices has " << bytes.value
                                                   << " bytes, over the " << max_buffer_bytes
                                                   << " that one dispatch can address");
  }
  return {};
}

}  // namespace zellige
