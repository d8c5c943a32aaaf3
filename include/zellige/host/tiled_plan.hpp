// The dispatches of a GEMM-shaped problem.
#pragma once

#include <array>
#include <cstddef>

#include "zellige/gemm/args.hpp"
#include "zellige/gemm/derived.hpp"
#include "zellige/gemm/pack.hpp"
#include "zellige/host/plan.hpp"
#include "zellige/reduce/reduce_args.hpp"

namespace zellige {

/// Second stages of split-K for vectors of 1, 2 and 4 elements (of 8 bytes: 1 and 2); null where a kernel has none.
using ReduceEntries = std::array<const void*, 3>;

/// A compiled kernel and the config that it was compiled from.
template <class Config>
struct Kernel {
  const void* entry = nullptr;  ///< the address that the runtime knows the kernel by
  Arch arch = Arch::none;
  Config config{};
  ReduceEntries reduce{};  ///< of SplitK::two_stage
};

namespace detail {

/// A plan without dispatches, of `degree` slices. `config` is the GEMM that the kernel runs. Loads and stores are
/// vectors: tensors must be aligned to them.
inline Plan begin_plan(Arch arch, std::string instance, const GemmConfig& config, const SplitExtents& extents,
                       const PlanOptions& options) {
  const Derived d = derive(config, arch);
  Plan plan;
  plan.instance = std::move(instance);
  plan.arch = arch;
  plan.epilogue = options.epilogue;
  plan.split_k =
      resolve_split_k(config.tiling, arch, d.wave.mma.accumulator, extents, options.split_k, options.compute_units);
  plan.align_a = config.tiling.vector_a * d.bytes_in;
  plan.align_b = config.tiling.vector_b * d.bytes_in;
  plan.align_c = config.tiling.vector_c * d.bytes_out;
  if (needs_workspace(config.tiling)) plan.align_workspace = 16;
  // Sums over slices are taken in vectors of four, warpgroups' own in pairs unless each is stored by itself, and so is
  // what is added to them.
  const int element = bytes_of(d.wave.mma.accumulator);
  const bool pairs = by_warpgroups(config.tiling.pipeline) && config.tiling.store != Store::direct;
  plan.align_vectors = d.sliced ? 16 : pairs ? 2 * element : element;
  return plan;
}

/// What a launch must ask for where the kernel's lds_pool() (atom/copy.hpp) has `bytes`: what that declares itself is
/// not asked for again, or workgroups would take it twice.
constexpr std::uint32_t dynamic_lds_of(const ArchTraits& traits, int bytes) {
  const int own = traits.static_lds_bytes;
  return own != 0 && bytes > own ? static_cast<std::uint32_t>(bytes) : 0;
}

template <class Args>
Dispatch make_dispatch(const void* kernel, const LaunchShape& shape, const Args& args) {
  static_assert(sizeof(Args) <= Plan::max_arg_bytes);
  static_assert(offsetof(Args, pointers) == 0 && sizeof(args.pointers) == sizeof(KernelPointers),
                "a plan writes each run's pointers over the first member");
  Dispatch dispatch{.kernel = kernel, .shape = shape, .args = std::vector<std::byte>(sizeof args)};
  std::memcpy(dispatch.args.data(), &args, sizeof args);
  return dispatch;
}

/// The second stage: slabs of `rows` by `columns` elements to C.
inline Dispatch make_reduction(const ReduceEntries& entries, DataType accumulator, DataType output,
                               const GemmArgs& args, std::int64_t align_c) {
  const std::uint32_t columns = args.split.row_bytes / static_cast<std::uint32_t>(bytes_of(accumulator));
  // The widest vectors that neither a row's end nor the alignment of C's rows and pointer cut.
  int width = 0;
  const auto fits = [&](std::uint32_t vector) {
    const std::uint32_t bytes = vector * static_cast<std::uint32_t>(bytes_of(output));
    return vector * static_cast<std::uint32_t>(bytes_of(accumulator)) <= 16 && columns % vector == 0 &&
           args.row_bytes_c % bytes == 0 && align_c % bytes == 0;
  };
  while (width < 2 && fits(2u << width)) ++width;
  const std::uint32_t in_row = columns >> width;
  const ReduceArgs reduce{.degree = args.split.degree,
                          .slab_bytes = args.split.slab_bytes,
                          .vectors = args.m * in_row,
                          .row_bytes_c = args.row_bytes_c,
                          .bytes_c = args.bytes_c,
                          .epilogue = args.epilogue,
                          .by_row = MagicDivider(in_row)};
  const LaunchShape shape{.workgroups = ceil_div(reduce.vectors, static_cast<std::uint32_t>(reduce_threads)),
                          .threads = reduce_threads};
  return make_dispatch(entries[static_cast<std::size_t>(width)], shape, reduce);
}

/// Adds the dispatches that compute one chunk of the problem: `args` as packed for an unsplit run, with offsets still
/// zero. Returns the index of the first of them.
template <class Config>
std::size_t add_tiled_dispatches(Plan& plan, const Kernel<Config>& kernel, const GemmConfig& config, GemmArgs args) {
  const Derived d = derive(config, plan.arch);
  const DataType accumulator = d.wave.mma.accumulator;
  const ArchTraits traits = arch_traits(plan.arch);
  const std::size_t first = plan.dispatches.size();
  LaunchShape shape{.threads = static_cast<std::uint32_t>(d.threads),
                    .dynamic_lds = dynamic_lds_of(traits, d.lds_bytes)};
  args.epilogue = pack_epilogue(plan.epilogue);
  if (d.sliced) {
    split_args(args, config.tiling, accumulator, plan.split_k, traits.dies);
    plan.workspace_bytes =
        max_of(plan.workspace_bytes, static_cast<std::int64_t>(args.split.slab_bytes) * plan.split_k);
  }
  if (config.tiling.split_k == SplitK::cluster)
    shape.cluster = shape.workgroups_z = static_cast<std::uint32_t>(config.tiling.cluster);
  shape.workgroups = args.schedule.tiles_m * args.schedule.tiles_n * args.schedule.batches;
  plan.dispatches.push_back(make_dispatch(kernel.entry, shape, args));
  // The only place that decides on a second stage.
  if (needs_second_stage(config.tiling))
    plan.dispatches.push_back(make_reduction(kernel.reduce, accumulator, config.output, args, plan.align_c));
  return first;
}

/// The dispatches from `first` on work `offset_a` and `offset_c` bytes further on in A and C.
inline void move_dispatches(Plan& plan, std::size_t first, std::int64_t offset_a, std::int64_t offset_c) {
  for (std::size_t i = first; i < plan.dispatches.size(); ++i) {
    Dispatch& d = plan.dispatches[i];
    d.offset_a = offset_a;
    d.offset_c = d.offset_residual = offset_c;
  }
}

}  // namespace detail

}  // namespace zellige
