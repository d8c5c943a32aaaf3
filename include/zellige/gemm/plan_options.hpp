// What a caller may ask of a plan, whatever the family.
#pragma once

#include "zellige/core/limits.hpp"
#include "zellige/gemm/epilogue_op.hpp"

namespace zellige {

struct PlanOptions {
  int split_k = -1;  ///< -1: the resolved degree; N >= 1: exactly N slices of the reduction
  Epilogue epilogue{};
  /// CUs that the split-K policy and the model count with, so that the bits of split instances may depend on it; 0: the
  /// target's own.
  int compute_units = 0;
  bool fold = true;       ///< convolutions may be folded (conv/fold.hpp)
  /// Bytes of each tensor that one dispatch may address; larger problems take several. 0: the instance's own limit,
  /// max_buffer_bytes, which is the largest that may be asked for. Smaller ones serve tests.
  std::int64_t limit_bytes = 0;

  /// The limit that holds.
  constexpr std::int64_t dispatch_limit() const { return limit_bytes > 0 ? limit_bytes : max_buffer_bytes; }
  bool operator==(const PlanOptions&) const = default;
};

}  // namespace zellige
