// What follows from the config of a kernel with Pipeline::few_channels, and from it and a problem: one place for
// kernel, check and host.
//
// A workgroup is `consumers` warpgroups, 64 output pixels of the block each, and a warp that feeds them. Its shared
// memory is the weights of its block of filters, kept for all its tiles; two store buffers a consumer; a ring of rows
// of images; a table that says where in those rows the pairs of k lie; the epilogue's vectors; and two barriers a
// stage.
//
// The law of k: it runs over filter rows, and in each over the contiguous run of filter width times channels, to which
// elements that do not exist are added: one before it where windows begin at odd elements of a staged row, so that
// pairs of k are words of shared memory, and one behind it where that makes it even.
#pragma once

#include "zellige/conv/config.hpp"
#include "zellige/conv/lower.hpp"
#include "zellige/gemm/warpgroup_shape.hpp"

namespace zellige {

struct FewChannelsShape {
  WarpgroupShape block{};  ///< the part that pipelines of warpgroups have in common

  ZELLIGE_HD constexpr int consumers() const { return block.consumers(); }
  ZELLIGE_HD constexpr int threads() const { return consumers() * warpgroup_threads + 32; }
  /// Multiplications of a step.
  ZELLIGE_HD constexpr int parts() const { return block.row_bytes() / wgmma_depth_bytes; }
  ZELLIGE_HD constexpr int step_pairs() const { return block.block_k / 2; }
  ZELLIGE_HD constexpr int step_weight_bytes() const { return block.bytes_b(); }
  ZELLIGE_HD constexpr int step_table_bytes() const { return step_pairs() * 4; }
  /// Filters whose weights a warp has under way at once: numbers warp * this and on, as far as the block goes, then
  /// those of the next round of all warps.
  ZELLIGE_HD constexpr int filters_at_once() const { return min_of(ceil_div(block.block_n, consumers() * 4), 16); }
  /// Of the epilogue's scale and bias.
  ZELLIGE_HD constexpr int vector_bytes() const { return 2 * block.block_n * 4; }
  ZELLIGE_HD constexpr int store_bytes() const { return consumers() * 2 * block.store_bytes(); }
  /// Registers of a thread: a quarter of an SM's belongs to every fourth warp.
  ZELLIGE_HD constexpr int launch_registers() const {
    return min_of(512 / ceil_div(threads() / 32 * block.min_blocks, 4) / 8 * 8, 248);
  }
  /// Shared memory of `steps` of the reduction and a ring of `stages`, and what its begin is rounded up by.
  ZELLIGE_HD constexpr std::int64_t lds_bytes(std::int64_t steps, std::int64_t stages, std::int64_t stage_bytes) const {
    return 1024 + steps * (step_weight_bytes() + step_table_bytes()) + store_bytes() + vector_bytes() +
           stages * (stage_bytes + 16);
  }
  bool operator==(const FewChannelsShape&) const = default;
};

ZELLIGE_HD constexpr FewChannelsShape few_channels_shape(const ConvConfig& c) {
  return {warpgroup_shape(lowered(c), true)};
}

/// Where the windows of a tile of output pixels lie in shared memory, and how many stages of the ring they take.
struct FewChannelsTile {
  Verdict verdict{};
  int tile_w = 8, tile_h = 8;  ///< pixels of a consumer
  bool beside = false;         ///< consumers stand side by side along w, else one below the other
  int unit = 1;                ///< elements of the input that its map counts as one
  int shift = 0;          ///< elements that copies begin before the first window: they begin at multiples of 16 bytes
  int lead = 0;           ///< elements that do not exist before each filter row's run
  bool odd_step = false;  ///< every other window begins in the middle of a word
  int row_elements = 0;   ///< of a staged row
  bool apart = false;     ///< filter rows are an axis of their own, for every output row again
  int rows = 0;           ///< staged rows: of the image, or filter rows of each output row
  int filter_rows = 1;    ///< of a stage
  int stages_of_tile = 1, stages = 0;  ///< stages that a tile takes, and those of the ring
  std::int64_t stage_bytes = 0;
  std::int64_t row_pairs = 1;  ///< pairs of k of a filter row
  std::int64_t steps = 1;      ///< of block.k
  std::int64_t lds_bytes = 0;

  constexpr int across(int consumers) const { return beside ? tile_w * consumers : tile_w; }
  constexpr int down(int consumers) const { return beside ? tile_h : tile_h * consumers; }
};

}  // namespace zellige
