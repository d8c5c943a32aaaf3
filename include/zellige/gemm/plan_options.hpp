// What a caller may ask of a plan, whatever the family.
#pragma once

#include "zellige/gemm/epilogue_op.hpp"

namespace zellige {

struct PlanOptions {
  int split_k = -1;  ///< -1: the resolved degree; N >= 1: exactly N slices of the reduction
  Epilogue epilogue{};
  int compute_units = 0;  ///< for modelled times; 0: the target's own count
  bool operator==(const PlanOptions&) const = default;
};

}  // namespace zellige
