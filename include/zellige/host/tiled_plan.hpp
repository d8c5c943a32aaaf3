// The plan of an unsplit GEMM-shaped problem: one dispatch.
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

/// `config` is the GEMM that the kernel runs. Loads and stores are vectors: tensors must be aligned to them.
inline Plan tiled_plan(const void* entry, Arch arch, std::string instance, const GemmConfig& config,
                       const GemmArgs& args) {
  static_assert(sizeof(GemmArgs) <= Plan::max_arg_bytes);
  static_assert(offsetof(GemmArgs, a) == 0 && offsetof(GemmArgs, b) == sizeof(void*) &&
                    offsetof(GemmArgs, c) == 2 * sizeof(void*),
                "a plan writes each run's pointers over the first three members");
  const Derived d = derive(config, arch);
  Plan plan;
  plan.instance = std::move(instance);
  plan.arch = arch;
  plan.align_a = config.tiling.vector_a * d.bytes_in;
  plan.align_b = config.tiling.vector_b * d.bytes_in;
  plan.align_c = config.tiling.vector_c * d.bytes_out;
  Dispatch dispatch;
  dispatch.kernel = entry;
  dispatch.shape.workgroups = args.schedule.tiles_m * args.schedule.tiles_n * args.schedule.batches;
  dispatch.shape.threads = static_cast<std::uint32_t>(d.threads);
  // The kernel's lds_pool() (atom/copy.hpp) decides by the same limit.
  if (const int own = arch_traits(arch).static_lds_bytes; own != 0 && d.lds_bytes > own)
    dispatch.shape.dynamic_lds = static_cast<std::uint32_t>(d.lds_bytes);
  dispatch.args.resize(sizeof args);
  std::memcpy(dispatch.args.data(), &args, sizeof args);
  plan.dispatches.push_back(std::move(dispatch));
  return plan;
}

}  // namespace detail

}  // namespace zellige
