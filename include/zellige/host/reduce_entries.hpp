// The second stages that a kernel of a split reduction needs, compiled beside it; instances of equal types share them.
#pragma once

#include "zellige/gemm/derived.hpp"
#include "zellige/host/tiled_plan.hpp"
#include "zellige/reduce/split_k_reduce.hpp"

namespace zellige::detail {

template <Arch A, GemmConfig C>
ReduceEntries reduce_entries() {
  if constexpr (needs_second_stage(C.tiling)) {
    constexpr DataType accumulator = accumulator_of(C.input);
    constexpr int widest = 16 / bytes_of(accumulator);
    const auto of = []<int vector>(std::integral_constant<int, vector>) {
      return entry_of<SplitKReduce<A, accumulator, C.output, min_of(vector, widest)>>();
    };
    return {of(std::integral_constant<int, 1>{}), of(std::integral_constant<int, 2>{}),
            of(std::integral_constant<int, 4>{})};
  } else {
    return {};
  }
}

}  // namespace zellige::detail
