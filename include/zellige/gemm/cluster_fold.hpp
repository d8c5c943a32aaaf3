// The end of a split reduction whose slices are one cluster of workgroups: each folds its share of the block's rows
// over all slabs.
//
// The law: no workgroup leaves before the cluster's barrier, whatever its slice or its share holds, and rows are owned
// once: slice s owns rows [s * share, (s + 1) * share) of the block with share = ceil(block.m / cluster), so that the
// last slices may own fewer, or none.
#pragma once

#include "zellige/gemm/epilogue.hpp"

namespace zellige {

template <Arch arch, GemmConfig config>
ZELLIGE_DEVICE void fold_cluster(const GemmArgs& args, std::uint32_t batch, std::uint32_t slice,
                                 const OutputPlace& at) {
  constexpr Tiling t = config.tiling;
  constexpr Derived d = derive(config, arch);
  constexpr int vector = t.vector_c, lanes = t.block.n / vector;  // that fold a row
  constexpr int share = ceil_div(t.block.m, t.cluster), bytes_out = d.bytes_out * vector;
  using Element = storage_t<d.stored>;
  barrier_cluster<arch>();
  const Buffer slabs = make_buffer<arch>(args.pointers.workspace, args.split.degree * args.split.slab_bytes);
  const std::uint32_t start_c = batch * args.batch_c, columns_before = batch * args.n;
  const Buffer c = make_buffer<arch>(static_cast<char*>(args.pointers.c) + start_c, args.bytes_c - start_c);
  const EpilogueSources from =
      epilogue_sources<arch>(args.pointers, args.epilogue, batch, args.n, d.bytes_stored, start_c, args.bytes_c);
  ZELLIGE_UNROLL
  for (int first = 0; first < share * lanes; first += d.threads) {
    const std::uint32_t item = first + at.thread, in_share = item / static_cast<unsigned>(lanes);
    const std::uint32_t in_block = slice * share + in_share, row = at.block_m + in_block;
    const std::uint32_t column = at.block_n + item % static_cast<unsigned>(lanes) * vector;
    const bool exists = (in_share < share) & (in_block < t.block.m) & (row < args.m) & (column < args.n);
    const std::uint32_t slab_at = row * args.split.row_bytes + (columns_before + column) * d.bytes_stored;
    auto sum =
        sum_known_slabs<Element, vector, t.cluster>(slabs, args.split.slab_bytes, exists ? slab_at : out_of_range);
    const std::uint32_t offset = exists ? row * args.row_bytes_c + column * d.bytes_out : out_of_range;
    if constexpr (std::is_floating_point_v<Element>)
      apply_epilogue<config.output>(args.epilogue, from, column, offset, sum);
    store<bytes_out>(c, offset, convert_all<config.output>(sum));
  }
}

}  // namespace zellige
