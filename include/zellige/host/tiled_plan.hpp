// The dispatches of a GEMM-shaped problem.
#pragma once

#include <cstddef>

#include "zellige/gemm/args.hpp"
#include "zellige/gemm/derived.hpp"
#include "zellige/host/plan.hpp"

namespace zellige {

/// A compiled kernel and the config that it was compiled from.
template <class Config>
struct Kernel {
  const void* entry = nullptr;  ///< the address that the runtime knows the kernel by
  Arch arch = Arch::none;
  Config config{};
};

namespace detail {

/// A plan without dispatches. `config` is the GEMM that the kernel runs. Loads and stores are vectors: tensors must be
/// aligned to them.
inline Plan begin_plan(Arch arch, std::string instance, const GemmConfig& config, const PlanOptions& options) {
  const Derived d = derive(config, arch);
  Plan plan;
  plan.instance = std::move(instance);
  plan.arch = arch;
  plan.epilogue = options.epilogue;
  plan.align_a = config.tiling.vector_a * d.bytes_in;
  plan.align_b = config.tiling.vector_b * d.bytes_in;
  plan.align_c = config.tiling.vector_c * d.bytes_out;
  return plan;
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

/// Adds what computes one chunk of the problem with the kernel `entry`; the plan keeps `args` as they are. The last
/// members of `plan.dispatches` from the returned index on are the chunk's: their offsets are still zero.
inline std::size_t add_tiled_dispatches(Plan& plan, const void* entry, const GemmConfig& config, const GemmArgs& args) {
  const Derived d = derive(config, plan.arch);
  const std::size_t first = plan.dispatches.size();
  LaunchShape shape{.workgroups = args.schedule.tiles_m * args.schedule.tiles_n * args.schedule.batches,
                    .threads = static_cast<std::uint32_t>(d.threads)};
  // The kernel's lds_pool() (atom/copy.hpp) decides by the same limit.
  if (const int own = arch_traits(plan.arch).static_lds_bytes; own != 0 && d.lds_bytes > own)
    shape.dynamic_lds = static_cast<std::uint32_t>(d.lds_bytes);
  plan.dispatches.push_back(make_dispatch(entry, shape, args));
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
