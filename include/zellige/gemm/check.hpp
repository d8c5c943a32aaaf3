// What a GEMM-shaped config needs of its target, and an instance of its problem: every refusal of the family, with
// numbers.
#pragma once

#include "zellige/core/limits.hpp"
#include "zellige/gemm/check_schedule.hpp"
#include "zellige/gemm/plan_options.hpp"
#include "zellige/gemm/row_split.hpp"
#include "zellige/gemm/split_k.hpp"
#include "zellige/gemm/warpgroup_check.hpp"

namespace zellige {

namespace detail {

/// The types that kernels read, and what each may write: what its accumulator converts to without a loss that the user
/// did not ask for.
struct TypePair {
  DataType input, output;
};

ZELLIGE_HD constexpr Array<TypePair, 21> type_pairs() {
  using enum DataType;
  return {{{f16, f16},        {f16, f32},        {bf16, bf16},       {bf16, f32},       {f32, f32},
           {tf32, f32},       {f64, f64},        {i8, i32},          {i8, f32},         {f8e4m3, f32},
           {f8e4m3, f16},     {f8e4m3, bf16},    {f8e5m2, f32},      {f8e5m2, f16},     {f8e5m2, bf16},
           {f8e4m3fnuz, f32}, {f8e4m3fnuz, f16}, {f8e4m3fnuz, bf16}, {f8e5m2fnuz, f32}, {f8e5m2fnuz, f16},
           {f8e5m2fnuz, bf16}}};
}

ZELLIGE_HD constexpr Verdict check_types(DataType input, DataType output) {
  Text outputs;
  for (const TypePair& pair : type_pairs()) {
    if (pair.input != input) continue;
    if (pair.output == output) return {};
    outputs = outputs << (outputs.length != 0 ? " or " : "") << name_of(pair.output);
  }
  if (outputs.length == 0) {
    return refuse(Reason::unsupported_type, Text{} << "there are no kernels that read " << name_of(input));
  }
  return refuse(Reason::unsupported_type,
                Text{} << "outputs of " << name_of(input) << " are " << outputs << ", not " << name_of(output));
}

/// Numbers far beyond any target would overflow the sums of the other checks, and a value that is none of its
/// enumeration would silently stand for another.
ZELLIGE_HD constexpr Verdict check_values(const GemmConfig& c) {
  constexpr int largest = 4096;
  const Tiling& t = c.tiling;
  const struct {
    const char* name;
    int value, low, high;
  } fields[] = {{"block.m", t.block.m, 1, largest},
                {"block.n", t.block.n, 1, largest},
                {"block.k", t.block.k, 1, largest},
                {"waves.m", t.waves.m, 1, largest},
                {"waves.n", t.waves.n, 1, largest},
                {"min_blocks", t.min_blocks, 1, largest},
                {"weight", static_cast<int>(c.weight), 0, static_cast<int>(WeightType::mixed)},
                {"order_a", static_cast<int>(c.order_a), 0, static_cast<int>(MatrixOrder::column)},
                {"order_b", static_cast<int>(c.order_b), 0, static_cast<int>(MatrixOrder::column)},
                {"pipeline", static_cast<int>(t.pipeline), 0, static_cast<int>(Pipeline::few_channels)},
                {"lds", static_cast<int>(t.lds), 0, static_cast<int>(LdsLayout::padded)},
                {"walk", static_cast<int>(t.walk), 0, static_cast<int>(Walk::run)},
                {"store", static_cast<int>(t.store), 0, static_cast<int>(Store::lds_shuffle)},
                {"staging", static_cast<int>(t.staging), 0, static_cast<int>(Staging::direct_to_lds)},
                {"transpose", static_cast<int>(t.transpose), 0, static_cast<int>(Transpose::on_read)},
                {"scheduling", static_cast<int>(t.scheduling), 0, static_cast<int>(Scheduling::ping_pong)},
                {"load_waves", t.load_waves, 0, largest},
                {"split_k", static_cast<int>(t.split_k), 0, static_cast<int>(SplitK::cluster)}};
  for (const auto& f : fields) {
    if (f.value < f.low || f.value > f.high) {
      return refuse(Reason::config_value,
                    Text{} << f.name << " = " << f.value << " must be from " << f.low << " to " << f.high);
    }
  }
  return {};
}

/// The block is cut into waves, and these into atoms that the target has.
ZELLIGE_HD constexpr Verdict check_atoms(const GemmConfig& c, Arch arch) {
  const Mnk block = c.tiling.block, atom = c.tiling.atom;
  const Mn waves = c.tiling.waves;
  const InputTypes types{c.input, weight_of(c.input, c.weight)};
  if (const Mma mma = find_mma(arch, types, atom); mma.op == MmaOp::none || mma.waves > 1) {
    Text named = Text{} << name_of(types.a);
    if (types.b != types.a) named = named << " by " << name_of(types.b);
    return refuse(Reason::no_such_atom, Text{} << arch_traits(arch).name << " has no " << atom
                                               << " matrix instruction for " << named << "; it has "
                                               << mma_shapes(arch, types));
  }
  if (block.m % (waves.m * atom.m) != 0) {
    return refuse(Reason::block_not_whole_atoms, Text{} << "block.m = " << block.m
                                                        << " is not a multiple of waves.m * atom.m = " << waves.m
                                                        << " * " << atom.m);
  }
  if (block.n % (waves.n * atom.n) != 0) {
    return refuse(Reason::block_not_whole_atoms, Text{} << "block.n = " << block.n
                                                        << " is not a multiple of waves.n * atom.n = " << waves.n
                                                        << " * " << atom.n);
  }
  if (block.k % atom.k != 0) {
    return refuse(Reason::block_not_whole_atoms,
                  Text{} << "block.k = " << block.k << " is not a multiple of atom.k = " << atom.k);
  }
  if (const int threads = threads_of(c.tiling, arch); threads > 1024) {
    return refuse(Reason::too_many_threads, Text{} << waves.m << " * " << waves.n << " + " << c.tiling.load_waves
                                                   << " waves of " << arch_traits(arch).wave_size << " are " << threads
                                                   << " threads, over the 1024 of a workgroup");
  }
  return {};
}

/// Clusters are those of the target, and only of kernels that split by them.
ZELLIGE_HD constexpr Verdict check_cluster(const Tiling& t, Arch arch) {
  if (t.split_k != SplitK::cluster) {
    if (t.cluster == 1) return {};
    return refuse(Reason::config_value,
                  Text{} << "cluster = " << t.cluster << " must be 1 unless split_k is SplitK::cluster");
  }
  const ArchTraits traits = arch_traits(arch);
  if (traits.cluster_limit == 0) {
    return refuse(Reason::cluster_unsupported, Text{} << traits.name << " has no clusters of workgroups");
  }
  if (t.load_waves > 0) {
    return refuse(Reason::cluster_unsupported, Text{} << "load_waves = " << t.load_waves
                                                      << " must be 0: waves that end early would never meet the "
                                                         "cluster's barrier");
  }
  if (t.cluster < 2 || t.cluster > traits.cluster_limit) {
    return refuse(Reason::cluster_unsupported, Text{} << "cluster = " << t.cluster << " must be from 2 to "
                                                      << traits.cluster_limit << " workgroups on " << traits.name);
  }
  return {};
}

ZELLIGE_HD constexpr Verdict check_vector(const char* name, int vector, int bytes) {
  if (vector < 1 || vector > 16 || !is_power_of_two(vector) || vector * bytes > 16) {
    return refuse(Reason::vector_width, Text{} << name << " = " << vector << " must be a power of two of at most "
                                               << 16 / bytes << " elements of " << bytes << " bytes");
  }
  return {};
}

/// All threads together carry a tile in whole passes.
ZELLIGE_HD constexpr Verdict check_stage(const char* name, const StageShape& s) {
  const int contiguous = s.along_rows ? s.rows : s.depth;
  if (contiguous % s.vector != 0) {
    return refuse(Reason::copy_not_whole, Text{} << "the " << s.rows << "x" << s.depth << " tile of " << name
                                                 << " has lines of " << contiguous
                                                 << " elements, not a multiple of its vector of " << s.vector);
  }
  const int lanes = contiguous / s.vector;
  if (s.threads % lanes != 0) {
    return refuse(Reason::copy_not_whole, Text{} << "the " << s.rows << "x" << s.depth << " tile of " << name
                                                 << " takes " << lanes << " lanes a line, which do not divide the "
                                                 << s.threads << " threads");
  }
  const int other = s.along_rows ? s.depth : s.rows;
  const int covered = s.along_rows ? s.lanes_along_k() * s.gather() : s.lanes_along_rows();
  if (covered > other || other % covered != 0) {
    return refuse(Reason::copy_not_whole, Text{} << "one pass of " << s.threads << " threads covers " << covered
                                                 << " lines of " << name << "'s tile, which do not divide its "
                                                 << other);
  }
  const int line = s.keep_order ? s.rows : s.depth;
  const Text block = s.keep_order ? Text{} << "block.m or block.n" : Text{} << "block.k";
  if (s.lds.row_bytes % 16 != 0) {
    return refuse(Reason::lds_layout, Text{} << block << " = " << line << " makes LDS rows of " << s.lds.row_bytes
                                             << " bytes, not a multiple of 16");
  }
  if (s.lds.layout == LdsLayout::swizzled && !is_power_of_two(s.lds.row_bytes)) {
    return refuse(Reason::lds_layout, Text{} << "swizzled LDS rows must be a power of two of bytes, but " << block
                                             << " = " << line << " makes " << s.lds.row_bytes
                                             << ": use LdsLayout::padded");
  }
  return {};
}

ZELLIGE_HD constexpr Verdict check_store(const Tiling& t, const Derived& d) {
  if (t.store == Store::direct && t.vector_c != 1) {
    return refuse(Reason::epilogue_shape,
                  Text{} << "Store::direct writes single elements: vector_c must be 1, not " << t.vector_c);
  }
  if (t.store == Store::lds_shuffle) {
    const int round = d.multiply_threads * t.vector_c, slab = d.shuffle_rows * t.block.n;
    if (t.block.n % t.vector_c != 0 || slab % round != 0 || round % t.block.n != 0) {
      return refuse(Reason::epilogue_shape,
                    Text{} << "Store::lds_shuffle: " << d.multiply_threads << " threads of vector_c = " << t.vector_c
                           << " do not cover whole rows of the " << d.shuffle_rows << "x" << t.block.n << " slab");
    }
  }
  return {};
}

/// LDS and registers hold what the config asks of them.
ZELLIGE_HD constexpr Verdict check_capacity(const Tiling& t, const Derived& d, Arch arch) {
  const ArchTraits traits = arch_traits(arch);
  if (d.lds_bytes > traits.lds_bytes) {
    return refuse(Reason::lds_too_small, Text{} << "the tiles take " << d.lds_bytes << " bytes of LDS, over the "
                                                << traits.lds_bytes << " of " << traits.name);
  }
  const LaneRegisters need = lane_registers(d);
  const int budget = min_of(traits.vgprs + traits.agprs, traits.vgpr_file / waves_per_simd(t, arch));
  if (need.total() > budget) {
    return refuse(Reason::too_many_registers, Text{} << "a lane needs about " << need.total() << " registers ("
                                                     << need.accumulators << " accumulators, " << need.staged
                                                     << " staged, " << need.fragments << " of fragments), over the "
                                                     << budget << " it can have");
  }
  return {};
}

}  // namespace detail

/// Whether kernels of this config can be built for the target.
ZELLIGE_HD constexpr Verdict check(const GemmConfig& c, Arch arch) {
  const Tiling& t = c.tiling;
  const int bytes_in = bytes_of(c.input);
  if (arch_traits(arch).arch == Arch::none) {
    return refuse(Reason::config_value,
                  Text{} << "arch = " << static_cast<int>(arch) << " is none of the targets of core/arch.hpp");
  }
  if (Verdict v = detail::check_values(c); !v.ok) return v;
  if (Verdict v = detail::check_types(c.input, c.output); !v.ok) return v;
  if (c.weight == WeightType::mixed && other_float8(c.input) == c.input) {
    return refuse(Reason::unsupported_type,
                  Text{} << "WeightType::mixed is of 8-bit floats, not of " << name_of(c.input));
  }
  if (t.pipeline == Pipeline::few_channels) {
    return refuse(Reason::pipeline_unsupported,
                  Text{} << "Pipeline::few_channels reads images: it is of convolutions alone");
  }
  if (t.pipeline == Pipeline::tensor_copy) {
    if (Verdict v = detail::check_cluster(t, arch); !v.ok) return v;
    return detail::check_warpgroup(c, arch);
  }
  if (t.stages != 0) {
    return refuse(Reason::config_value, Text{} << "stages = " << t.stages
                                               << " must be 0: only Pipeline::tensor_copy and "
                                                  "Pipeline::few_channels have a ring");
  }
  if (Verdict v = detail::check_atoms(c, arch); !v.ok) return v;
  if (Verdict v = detail::check_cluster(t, arch); !v.ok) return v;
  if (Verdict v = detail::check_vector("vector_a", t.vector_a, bytes_in); !v.ok) return v;
  if (Verdict v = detail::check_vector("vector_b", t.vector_b, bytes_in); !v.ok) return v;
  const Derived d = derive(c, arch);
  if (Verdict v = detail::check_schedule(t, d, arch); !v.ok) return v;
  if (Verdict v = detail::check_vector("vector_c", t.vector_c, d.bytes_stored); !v.ok) return v;
  if (Verdict v = detail::check_stage("A", d.stage_a); !v.ok) return v;
  if (Verdict v = detail::check_stage("B", d.stage_b); !v.ok) return v;
  if (Verdict v = detail::check_store(t, d); !v.ok) return v;
  return detail::check_capacity(t, d, arch);
}

namespace detail {

/// A tensor that every dispatch reads whole.
constexpr Verdict check_tensor(const char* name, CheckedSize bytes, std::int64_t limit) {
  if (bytes.overflow || bytes.value > limit) {
    return refuse(Reason::tensor_too_large, Text{} << name << " has " << bytes.value << " bytes, over the " << limit
                                                   << " that one dispatch can address");
  }
  return {};
}

constexpr Verdict check_grid(const Tiling& t, std::int64_t m, std::int64_t n, std::int64_t batches, Arch arch) {
  const int threads = threads_of(t, arch);
  const CheckedSize tiles_m{ceil_div<std::int64_t>(m, t.block.m)};
  const CheckedSize tiles = tiles_m.times(ceil_div<std::int64_t>(n, t.block.n)).times(batches);
  const CheckedSize total = tiles.times(threads);
  if (m > INT32_MAX - t.block.m || n > INT32_MAX - t.block.n || total.overflow || total.value > 0xffffffffll) {
    return refuse(Reason::grid_too_large, Text{} << tiles.value << " workgroups of " << threads
                                                 << " threads pass the 2^32 work items of a grid, or rows pass 2^31");
  }
  return {};
}

constexpr Verdict check_depth(const char* name, std::int64_t k, const Tiling& t, std::int64_t slices = 1) {
  if (k > INT32_MAX - (slices + 2) * t.block.k) {
    return refuse(Reason::overflow,
                  Text{} << name << " = " << k << " leaves no room for the tiles that the prefetch counts past it");
  }
  return {};
}

/// What the options ask of a problem with these extents, whose tensors and grid are known to fit. `c` is the GEMM.
constexpr Verdict check_options(const GemmConfig& c, Arch arch, const SplitExtents& e, const PlanOptions& options) {
  const Tiling& t = c.tiling;
  const DataType accumulator = accumulator_of(c.input);
  if (options.compute_units < 0) {
    return refuse(Reason::config_value, Text{} << "compute_units = " << options.compute_units << " must be 0 or more");
  }
  if (Verdict v = check_split_k(t, arch, accumulator, e, options.split_k, options.compute_units); !v.ok) return v;
  const int degree = resolve_split_k(t, arch, accumulator, e, options.split_k, options.compute_units);
  if (Verdict v = check_depth("k", e.k, t, degree); !v.ok) return v;
  if (Verdict v = check_grid(t, e.m, e.n, e.batches * degree, arch); !v.ok) return v;
  if (options.limit_bytes < 0 || options.limit_bytes > max_buffer_bytes) {
    return refuse(Reason::tensor_too_large,
                  Text{} << "limit_bytes = " << options.limit_bytes << " must be from 0 to " << max_buffer_bytes);
  }
  if (t.pipeline == Pipeline::tensor_copy && !options.epilogue.is_identity() && !warpgroup_shape(c, false).finishes()) {
    return refuse(Reason::epilogue_unsupported, Text{} << "the sums of a block of " << t.block.m << " by " << t.block.n
                                                       << " leave no registers for an epilogue: use fewer columns");
  }
  return check_epilogue(options.epilogue, accumulator);
}

/// A size of a problem, and what of the config must divide it.
struct Division {
  Reason reason;
  const char* what;
  std::int64_t size;
  const char* divisor_name;
  int divisor;
};

template <std::size_t count>
constexpr Verdict check_divisions(const Division (&divisions)[count]) {
  for (const Division& d : divisions) {
    if (d.size % d.divisor == 0) continue;
    return refuse(d.reason, Text{} << d.what << " = " << d.size << " is not a multiple of " << d.divisor_name << " = "
                                   << d.divisor);
  }
  return {};
}

}  // namespace detail

/// The largest of the problem's chunks as split-K sees it. The problem must be valid.
constexpr SplitExtents split_extents(const Tiling& t, const GemmProblem& p, const PlanOptions& options) {
  const GemmSplit split = split_rows(p, t.block.m, options.dispatch_limit());
  return {min_of(p.m, split.blocks.longest() * t.block.m), p.n, p.k, 1};
}

/// Whether an instance of this config, which check() accepts, solves this problem.
constexpr Verdict supports(const GemmConfig& c, Arch arch, const GemmProblem& p, const PlanOptions& options = {}) {
  if (Verdict v = validate(p); !v.ok) return v;
  if (p.input != c.input || p.output != c.output || c.weight != WeightType::same) {
    return refuse(Reason::type_mismatch, Text{} << "the instance computes " << name_of(c.input) << " by "
                                                << name_of(weight_of(c.input, c.weight)) << " to " << name_of(c.output)
                                                << ", the problem asks " << name_of(p.input) << " to "
                                                << name_of(p.output));
  }
  if (p.order_a != c.order_a || p.order_b != c.order_b) {
    return refuse(Reason::layout_mismatch, Text{} << "the instance reads layout " << layout_name(c.order_a, c.order_b)
                                                  << ", the problem has " << layout_name(p.order_a, p.order_b));
  }
  const Tiling& t = c.tiling;
  const char* const along_a = p.order_a == MatrixOrder::row ? "k" : "m";
  const char* const along_b = p.order_b == MatrixOrder::row ? "n" : "k";
  const Verdict divides = detail::check_divisions(
      {{Reason::channels_not_divisible, along_a, p.line_a(), "vector_a", t.vector_a},
       {Reason::channels_not_divisible, "the leading dimension of A", p.stride_a(), "vector_a", t.vector_a},
       {Reason::channels_not_divisible, along_b, p.line_b(), "vector_b", t.vector_b},
       {Reason::channels_not_divisible, "the leading dimension of B", p.stride_b(), "vector_b", t.vector_b},
       {Reason::channels_not_divisible, "n", p.n, "vector_c", t.vector_c},
       {Reason::channels_not_divisible, "the leading dimension of C", p.stride_c(), "vector_c", t.vector_c},
       {Reason::reduction_not_divisible, "k", p.k, "block.k (Walk::run)", t.walk == Walk::run ? t.block.k : 1}});
  if (!divides.ok) return divides;
  if (Verdict v = detail::check_tensor("B", bytes_b(p), options.dispatch_limit()); !v.ok) return v;
  const GemmSplit split = split_rows(p, t.block.m, options.dispatch_limit());
  if (!split.verdict.ok) return split.verdict;
  if (Verdict v = detail::check_depth("k", p.k, t); !v.ok) return v;
  const SplitExtents extents = split_extents(t, p, options);
  if (Verdict v = detail::check_grid(t, extents.m, p.n, 1, arch); !v.ok) return v;
  return detail::check_options(c, arch, extents, options);
}

}  // namespace zellige
