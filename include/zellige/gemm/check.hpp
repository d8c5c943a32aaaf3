// What a GEMM-shaped config needs of its target, and an instance of its problem: every refusal of the family, with numbers.
#pragma once

#include "zellige/core/limits.hpp"
#include "zellige/gemm/derived.hpp"

namespace zellige {

namespace detail {

ZELLIGE_HD constexpr Verdict check_vector(const char* name, int vector, int bytes) {
  if (!is_power_of_two(vector) || vector * bytes > 16 || vector * bytes < 2) {
    return refuse(Reason::vector_width, Text{} << name << " = " << vector << " must be a power of two of at most " << 16 / bytes
      << " elements of " << bytes << " bytes");
  }
  return {};
}

ZELLIGE_HD constexpr Verdict check_stage(const char* name, const StageShape& s) {
  const int contiguous = s.along_rows ? s.rows : s.depth;
  if (contiguous % s.vector != 0) {
    return refuse(Reason::copy_not_whole, Text{} << "the " << s.rows << "x" << s.depth << " tile of " << name << " has lines of " << contiguous
      << " elements, not a multiple of its vector of " << s.vector);
  }
  const int lanes = contiguous / s.vector;
  if (s.threads % lanes != 0) {
    return refuse(Reason::copy_not_whole, Text{} << "the " << s.rows << "x" << s.depth << " tile of " << name << " takes " << lanes
      << " lanes a line, which do not divide the " << s.threads << " threads");
  }
  const int other = s.along_rows ? s.depth : s.rows, covered = s.along_rows ? s.lanes_along_k() * s.gather() : s.lanes_along_rows();
  if (covered > other || other % covered != 0) {
    return refuse(Reason::copy_not_whole, Text{} << "one pass of " << s.threads << " threads covers " << covered << " lines of " << name
      << "'s tile, which do not divide its " << other);
  }
  if (s.lds.row_bytes % 16 != 0) {
    return refuse(Reason::lds_layout, Text{} << "block.k = " << s.depth << " makes LDS rows of " << s.lds.row_bytes
      << " bytes, not a multiple of 16");
  }
  if (s.lds.layout == LdsLayout::swizzled && !is_power_of_two(s.lds.row_bytes)) {
    return refuse(Reason::lds_layout, Text{} << "swizzled LDS rows must be a power of two of bytes, but block.k = " << s.depth << " makes "
      << s.lds.row_bytes << ": use LdsLayout::padded");
  }
  return {};
}

}  // namespace detail

/// Whether kernels of this tiling can be built for the target.
ZELLIGE_HD constexpr Verdict check_tiling(Arch arch, DataType input, DataType output, MatrixOrder order_a, MatrixOrder order_b,
                                          const Tiling& t) {
  const ArchTraits traits = arch_traits(arch);
  if (input != DataType::f16 && input != DataType::bf16 && input != DataType::f32) {
    return refuse(Reason::unsupported_type, Text{} << "inputs are f16, bf16 or f32, not " << name_of(input));
  }
  if (output != input && output != DataType::f32) {
    return refuse(Reason::unsupported_type, Text{} << "outputs of " << name_of(input) << " are " << name_of(input) << " or f32, not "
      << name_of(output));
  }
  if (t.block.m < 1 || t.block.n < 1 || t.block.k < 1 || t.waves.m < 1 || t.waves.n < 1 || t.min_blocks < 1) {
    return refuse(Reason::block_not_whole_atoms, Text{} << "block = " << t.block.m << "x" << t.block.n << "x" << t.block.k << ", waves = "
      << t.waves.m << "x" << t.waves.n << " and min_blocks = " << t.min_blocks << " must all be at least 1");
  }
  const Mma mma = find_mma(arch, input, t.atom);
  if (mma.op == MmaOp::none) {
    return refuse(Reason::no_such_atom, (Text{} << traits.name << " has no " << t.atom.m << "x" << t.atom.n << "x" << t.atom.k
      << " matrix instruction for " << name_of(input) << "; it has ") << mma_shapes(arch, input));
  }
  if (mma.blocks != 1) {
    return refuse(Reason::no_such_atom, Text{} << "the " << t.atom.m << "x" << t.atom.n << "x" << t.atom.k << " instruction multiplies "
      << mma.blocks << " small blocks at once: a GEMM needs one");
  }
  if (t.block.m % (t.waves.m * t.atom.m) != 0) {
    return refuse(Reason::block_not_whole_atoms, Text{} << "block.m = " << t.block.m << " is not a multiple of waves.m * atom.m = "
      << t.waves.m << " * " << t.atom.m);
  }
  if (t.block.n % (t.waves.n * t.atom.n) != 0) {
    return refuse(Reason::block_not_whole_atoms, Text{} << "block.n = " << t.block.n << " is not a multiple of waves.n * atom.n = "
      << t.waves.n << " * " << t.atom.n);
  }
  if (t.block.k % t.atom.k != 0) {
    return refuse(Reason::block_not_whole_atoms, Text{} << "block.k = " << t.block.k << " is not a multiple of atom.k = " << t.atom.k);
  }
  if (const int threads = t.waves.m * t.waves.n * traits.wave_size; threads > 1024) {
    return refuse(Reason::too_many_threads, Text{} << t.waves.m << " * " << t.waves.n << " waves of " << traits.wave_size << " are " << threads
      << " threads, over the 1024 of a workgroup");
  }
  const int bytes_in = bytes_of(input), bytes_out = bytes_of(output);
  if (Verdict v = detail::check_vector("vector_a", t.vector_a, bytes_in); !v.ok) return v;
  if (Verdict v = detail::check_vector("vector_b", t.vector_b, bytes_in); !v.ok) return v;
  if (Verdict v = detail::check_vector("vector_c", t.vector_c, bytes_out); !v.ok) return v;
  const Derived d = derive(arch, input, output, order_a, order_b, t);
  if (Verdict v = detail::check_stage("A", d.stage_a); !v.ok) return v;
  if (Verdict v = detail::check_stage("B", d.stage_b); !v.ok) return v;
  if (t.store == Store::direct && t.vector_c != 1) {
    return refuse(Reason::epilogue_shape, Text{} << "Store::direct writes single elements: vector_c must be 1, not " << t.vector_c);
  }
  if (t.store == Store::lds_shuffle) {
    const int round = d.threads * t.vector_c, slab = d.shuffle_rows * t.block.n;
    if (t.block.n % t.vector_c != 0 || slab % round != 0 || round % t.block.n != 0) {
      return refuse(Reason::epilogue_shape, Text{} << "Store::lds_shuffle: " << d.threads << " threads of vector_c = " << t.vector_c
        << " do not cover whole rows of the " << d.shuffle_rows << "x" << t.block.n << " slab");
    }
  }
  if (d.lds_bytes > traits.lds_bytes) {
    return refuse(Reason::lds_too_small, Text{} << "the tiles take " << d.lds_bytes << " bytes of LDS, over the " << traits.lds_bytes << " of "
      << traits.name);
  }
  // Accumulators, two operands on their way through registers, and one step's fragments; addresses and counters need about 24 more.
  const int accumulators = t.block.m * t.block.n / d.threads;
  const int staging = (t.block.m + t.block.n) * t.block.k * bytes_in / (4 * d.threads);
  const int fragments = (d.wave.atoms_m + d.wave.atoms_n) * max_of(1, d.wave.pack * t.atom.k * t.atom.m * bytes_in / (4 * d.wave_size));
  const int waves_on_simd = ceil_div(d.threads / d.wave_size, traits.simds) * t.min_blocks;
  const int budget = min_of(traits.vgprs + traits.agprs, traits.vgpr_file / waves_on_simd);
  if (accumulators + staging + fragments + 24 > budget) {
    return refuse(Reason::too_many_registers, Text{} << "a lane needs about " << (accumulators + staging + fragments + 24) << " registers ("
      << accumulators << " accumulators, " << staging << " staged, " << fragments << " of fragments), over the " << budget << " it can have");
  }
  return {};
}

ZELLIGE_HD constexpr Verdict check(const GemmConfig& c, Arch arch) {
  return check_tiling(arch, c.input, c.output, c.order_a, c.order_b, c.tiling);
}

namespace detail {

/// Sizes of one dispatch that travel in 32 bits.
constexpr Verdict check_tensor(const char* name, CheckedSize bytes) {
  if (bytes.overflow || bytes.value > max_buffer_bytes) {
    return refuse(Reason::tensor_too_large, Text{} << name << " has " << bytes.value << " bytes, over the " << max_buffer_bytes
      << " that one dispatch can address");
  }
  return {};
}

constexpr Verdict check_grid(const Tiling& t, std::int64_t m, std::int64_t n, std::int64_t batches, int threads) {
  const CheckedSize tiles = CheckedSize{ceil_div<std::int64_t>(m, t.block.m)}.times(ceil_div<std::int64_t>(n, t.block.n)).times(batches);
  const CheckedSize total = tiles.times(threads);
  if (m > INT32_MAX - t.block.m || n > INT32_MAX - t.block.n || total.overflow || total.value > 0xffffffffll) {
    return refuse(Reason::grid_too_large, Text{} << tiles.value << " workgroups of " << threads
      << " threads pass the 2^32 work items of a grid, or rows pass 2^31");
  }
  return {};
}

constexpr Verdict check_split(int split_k) {
  if (split_k != -1 && split_k != 1) {
    return refuse(Reason::split_k_unsupported, Text{} << "this instance does not split the reduction, but split_k = " << split_k
      << " was asked for (-1 or 1)");
  }
  return {};
}

constexpr Verdict check_divides(Reason reason, const char* what, std::int64_t size, const char* why, int vector) {
  if (size % vector != 0) return refuse(reason, Text{} << what << " = " << size << " is not a multiple of " << why << " = " << vector);
  return {};
}

}  // namespace detail

/// Whether an instance of this config solves this problem. `split_k` is PlanOptions::split_k.
constexpr Verdict supports(const GemmConfig& c, Arch arch, const GemmProblem& p, int split_k = -1) {
  if (Verdict v = validate(p); !v.ok) return v;
  if (p.input != c.input || p.output != c.output) {
    return refuse(Reason::type_mismatch, Text{} << "the instance computes " << name_of(c.input) << " to " << name_of(c.output)
      << ", the problem asks " << name_of(p.input) << " to " << name_of(p.output));
  }
  if (p.order_a != c.order_a || p.order_b != c.order_b) {
    return refuse(Reason::layout_mismatch, Text{} << "the instance reads layout " << layout_name(c.order_a, c.order_b)
      << ", the problem has " << layout_name(p.order_a, p.order_b));
  }
  if (Verdict v = detail::check_split(split_k); !v.ok) return v;
  const Tiling& t = c.tiling;
  const bool row_a = p.order_a == MatrixOrder::row, row_b = p.order_b == MatrixOrder::row;
  const struct { Reason reason; const char* what; std::int64_t size; const char* why; int vector; } divisions[] = {
    {Reason::channels_not_divisible, row_a ? "k" : "m", row_a ? p.k : p.m, "vector_a", t.vector_a},
    {Reason::channels_not_divisible, "the leading dimension of A", p.stride_a(), "vector_a", t.vector_a},
    {Reason::channels_not_divisible, row_b ? "n" : "k", row_b ? p.n : p.k, "vector_b", t.vector_b},
    {Reason::channels_not_divisible, "the leading dimension of B", p.stride_b(), "vector_b", t.vector_b},
    {Reason::channels_not_divisible, "n", p.n, "vector_c", t.vector_c},
    {Reason::channels_not_divisible, "the leading dimension of C", p.stride_c(), "vector_c", t.vector_c},
    {Reason::reduction_not_divisible, "k", p.k, "block.k (Walk::run)", t.walk == Walk::run ? t.block.k : 1}};
  for (const auto& d : divisions) {
    if (Verdict v = detail::check_divides(d.reason, d.what, d.size, d.why, d.vector); !v.ok) return v;
  }
  if (Verdict v = detail::check_tensor("A", bytes_a(p)); !v.ok) return v;
  if (Verdict v = detail::check_tensor("B", bytes_b(p)); !v.ok) return v;
  if (Verdict v = detail::check_tensor("C", bytes_c(p)); !v.ok) return v;
  if (p.k > INT32_MAX - 3 * t.block.k) {
    return refuse(Reason::overflow, Text{} << "k = " << p.k << " leaves no room for the tiles that the prefetch counts past it");
  }
  return detail::check_grid(t, p.m, p.n, 1, t.waves.m * t.waves.n * arch_traits(arch).wave_size);
}

}  // namespace zellige
