// The second stage of split-K: adds the slabs of a workspace up in their order, applies the epilogue, and stores the
// output, rounded once.
//
// A thread computes `vector` consecutive elements of a row. The degree is an argument; for the common ones the loop
// over slabs is unrolled, with the same bits as the loop.
#pragma once

#include "zellige/atom/sync.hpp"
#include "zellige/gemm/entry.hpp"
#include "zellige/gemm/epilogue_math.hpp"
#include "zellige/reduce/reduce_args.hpp"

namespace zellige {

template <Arch A, DataType accumulator, DataType output, int vector>
struct SplitKReduce {
  static constexpr Arch arch = A;
  static constexpr bool valid = true;
  static constexpr int threads = reduce_threads, min_blocks = 1, min_waves = 1, cluster = 1;
  using Args = ReduceArgs;
  using Element = storage_t<accumulator>;

  static ZELLIGE_DEVICE void run(const ReduceArgs& args) {
    constexpr int bytes_in = static_cast<int>(sizeof(Element)) * vector, bytes_out = bytes_of(output) * vector;
    const std::uint32_t index = workgroup_index() * reduce_threads + thread_index();
    const bool exists = index < args.vectors;
    const Buffer slabs = make_buffer<A>(args.pointers.workspace, args.degree * args.slab_bytes);
    auto sum = fold(slabs, args, exists ? index * bytes_in : out_of_range);
    const std::uint32_t row = args.by_row.divide(index), column = index - row * args.by_row.divisor;
    const std::uint32_t offset = exists ? row * args.row_bytes_c + column * bytes_out : out_of_range;
    if constexpr (std::is_floating_point_v<Element>) {
      const std::uint32_t columns = args.by_row.divisor * vector;
      const EpilogueSources from = epilogue_sources<A>(args.pointers, args.epilogue, 0, columns,
                                                       static_cast<int>(sizeof(Element)), 0, args.bytes_c);
      apply_epilogue<output>(args.epilogue, from, column * vector, offset, sum);
    }
    store<bytes_out>(make_buffer<A>(args.pointers.c, args.bytes_c), offset, convert_all<output>(sum));
  }

 private:
  static ZELLIGE_DEVICE vec<Element, vector> fold(const Buffer& slabs, const ReduceArgs& args, std::uint32_t offset) {
    switch (args.degree) {
      case 2:
        return sum_known_slabs<Element, vector, 2>(slabs, args.slab_bytes, offset);
      case 4:
        return sum_known_slabs<Element, vector, 4>(slabs, args.slab_bytes, offset);
      case 8:
        return sum_known_slabs<Element, vector, 8>(slabs, args.slab_bytes, offset);
      case 16:
        return sum_known_slabs<Element, vector, 16>(slabs, args.slab_bytes, offset);
      case 32:
        return sum_known_slabs<Element, vector, 32>(slabs, args.slab_bytes, offset);
      default:
        return sum_slabs<Element, vector, 4>(slabs, args.slab_bytes, args.degree, offset);
    }
  }
};

}  // namespace zellige
