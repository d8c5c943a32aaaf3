// The analytic time of kernels that multiply by warpgroups.
#pragma once

#include "zellige/estimate.hpp"
#include "zellige/gemm/warpgroup_shape.hpp"

namespace zellige {

/// A problem as such a kernel sees it.
struct WarpgroupProduct {
  std::int64_t m = 1, n = 1;
  std::int64_t steps = 1;  ///< of the whole reduction: copies of a pair of tiles
  std::int64_t groups = 1;
  int slices = 1;
  double tensor_bytes = 0;  ///< of all three, each once
};

Estimate estimate_warpgroups(const WarpgroupShape& shape, Arch arch, const WarpgroupProduct& product,
                             int compute_units);

}  // namespace zellige
