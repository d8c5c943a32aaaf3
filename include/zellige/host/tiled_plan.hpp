// The plan of an unsplit GEMM-shaped problem: one dispatch.
#pragma once

#include "zellige/gemm/args.hpp"
#include "zellige/gemm/derived.hpp"
#include "zellige/host/plan.hpp"

namespace zellige::detail {

/// Loads and stores are vectors: tensors must be aligned to them.
inline Plan tiled_plan(const void* entry, Arch arch, std::string instance, DataType input, DataType output, MatrixOrder order_a,
                       MatrixOrder order_b, const Tiling& tiling, const GemmArgs& args) {
  const Derived d = derive(arch, input, output, order_a, order_b, tiling);
  Plan plan;
  plan.instance = std::move(instance);
  plan.arch = arch;
  plan.align_a = tiling.vector_a * d.bytes_in;
  plan.align_b = tiling.vector_b * d.bytes_in;
  plan.align_c = tiling.vector_c * d.bytes_out;
  Dispatch dispatch;
  dispatch.kernel = entry;
  dispatch.shape.workgroups = args.schedule.tiles_m * args.schedule.tiles_n * args.schedule.batches;
  dispatch.shape.threads = static_cast<std::uint32_t>(d.threads);
  // CUDA declares shared memory above 48 KB at the launch (lds_pool in atom/copy.hpp).
  if (arch == Arch::sm_90 && d.lds_bytes > 49152) dispatch.shape.dynamic_lds = static_cast<std::uint32_t>(d.lds_bytes);
  dispatch.args.resize(sizeof args);
  std::memcpy(dispatch.args.data(), &args, sizeof args);
  plan.dispatches.push_back(std::move(dispatch));
  return plan;
}

}  // namespace zellige::detail
