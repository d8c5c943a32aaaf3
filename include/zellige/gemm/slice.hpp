// A workgroup's slice of a split reduction: which part of k it walks, and where its part of C goes.
//
// The law: the slices of a block cover every K tile once, and each element of each slab is written once, by one
// workgroup: slices that are left without tiles write the zeros that they hold. So a workspace needs no clearing.
#pragma once

#include "zellige/gemm/epilogue.hpp"
#include "zellige/gemm/pipeline.hpp"

namespace zellige {

/// The slice of this workgroup. Two-stage slices are batches of the schedule: `tile` becomes that of the slice's batch.
template <SplitK split>
ZELLIGE_DEVICE std::uint32_t take_slice(const SplitArgs& args, TileIndex& tile) {
  if constexpr (split == SplitK::two_stage) {
    const std::uint32_t batch = args.by_degree.divide(tile.batch), slice = tile.batch - batch * args.degree;
    tile.batch = batch;
    return slice;
  } else if constexpr (split == SplitK::cluster) {
    return workgroup_index_z();
  } else {
    return 0;
  }
}

/// The tiles of a slice. One that has none begins past the reduction, where nothing exists.
template <bool sliced, Walk walk, int depth>
ZELLIGE_DEVICE KRange range_of(const GemmArgs& args, std::uint32_t slice) {
  if constexpr (sliced) {
    const std::uint32_t first = slice * args.split.tiles;
    if (first >= args.k_tiles) return {.k = args.k};
    KRange range{.k = first * depth, .tiles = min_of(args.split.tiles, args.k_tiles - first)};
    if constexpr (walk == Walk::run) {
      range.within = args.split.by_run.modulo(range.k);
      range.k -= range.within;
    }
    return range;
  } else {
    return {.tiles = args.k_tiles};
  }
}

/// Where the block's results go: into C, or into the slice's slab.
template <Arch arch, bool sliced>
ZELLIGE_DEVICE OutputMatrix output_of(const GemmArgs& args, std::uint32_t batch, std::uint32_t slice, int element) {
  if constexpr (sliced) {
    const std::uint32_t before = batch * args.n * static_cast<std::uint32_t>(element);  // columns of other batches
    char* const slab = static_cast<char*>(args.pointers.workspace) + slice * args.split.slab_bytes;
    return {make_buffer<arch>(slab + before, args.m * args.split.row_bytes - before), args.split.row_bytes};
  } else {
    const std::uint32_t start = batch * args.batch_c;
    return {make_buffer<arch>(static_cast<char*>(args.pointers.c) + start, args.bytes_c - start), args.row_bytes_c};
  }
}

}  // namespace zellige
