// The arguments of a kernel with Pipeline::few_channels, packed once on the host, the maps encoded at each run; and
// where they say that windows lie.
#pragma once

#include "zellige/atom/tensor_copy.hpp"
#include "zellige/core/kernel_pointers.hpp"
#include "zellige/core/math.hpp"
#include "zellige/gemm/epilogue_op.hpp"

namespace zellige {

struct FewChannelsArgs {
  KernelPointers pointers{};
  TensorMap a{}, c{};
  // Tiles: a workgroup keeps one block of filters and walks tiles of pixels.
  std::uint32_t column_tiles = 1, pixel_tiles = 1;
  MagicDivider by_column_tiles{1}, by_tiles_w{1}, by_tiles_h{1};
  std::uint32_t across = 8, down = 8;    ///< output pixels of a tile
  std::uint32_t log_tile_w = 3;          ///< of a consumer's 64 pixels
  std::uint32_t next_w = 0, next_h = 0;  ///< output pixels from one consumer to the next
  std::uint32_t out_w = 1, out_h = 1;
  // Copies of the input: at (x, y, z, image), of stage j of tile (w, h).
  std::int32_t x_step = 0, x_first = 0;  ///< x = w * x_step + x_first
  std::int32_t y_step = 0, y_first = 0;  ///< y = h * y_step + y_first + j * filter_rows
  std::int32_t z_step = 0;               ///< z = h * z_step
  std::uint32_t box_bytes = 0;
  std::uint32_t stages = 2, stages_of_tile = 1, stage_bytes = 0;
  // Bytes from the weights in shared memory to what lies behind them.
  std::uint32_t stores_at = 0, stages_at = 0, table_at = 0, vectors_at = 0, barriers_at = 0;
  // Windows in a stage, in bytes.
  std::uint32_t pixel_elements = 1, first_element = 0;  ///< elements: between windows, and before the first
  std::uint32_t odd_step = 0;                           ///< 1: every other window begins in the middle of a word
  std::uint32_t out_row_bytes = 0;                      ///< from one output row's windows to the next one's
  std::uint32_t filter_row_bytes = 0;                   ///< from one filter row to the next
  // The reduction.
  std::uint32_t steps = 1;
  std::uint32_t filter_rows_all = 1, filter_rows = 1;  ///< of the filter, and of a stage
  std::uint32_t run = 1, lead = 0;                     ///< elements of a filter row, and those before it
  MagicDivider by_row_pairs{1}, by_filter_rows{1};
  // The output.
  std::uint32_t n = 1;  ///< filters
  std::uint32_t row_bytes_c = 0, bytes_c = 0;
  EpilogueArgs epilogue{};
};

/// An output pixel in a tile.
struct TilePixel {
  std::uint32_t w = 0, h = 0;
};

/// The pixel of row `m` of a consumer's 64.
ZELLIGE_HD constexpr TilePixel tile_pixel(const FewChannelsArgs& args, std::uint32_t consumer, std::uint32_t m) {
  return {consumer * args.next_w + (m & ((1u << args.log_tile_w) - 1)),
          consumer * args.next_h + (m >> args.log_tile_w)};
}

/// Where a pixel's window begins in a stage: a word's offset in bytes, and whether in the middle of it.
struct WindowBegin {
  std::uint32_t offset = 0;
  bool middle = false;
};
ZELLIGE_HD constexpr WindowBegin window_begin(const FewChannelsArgs& args, TilePixel pixel) {
  const std::uint32_t element = pixel.w * args.pixel_elements + args.first_element;
  return {pixel.h * args.out_row_bytes + element / 2 * 4, element % 2 != 0};
}

/// A pair of k: its offset from a window's begin, the bits of it that exist, and the number of its stage.
struct WindowPair {
  std::uint32_t offset = 0, mask = 0, stage = 0;
};
ZELLIGE_HD constexpr WindowPair window_pair(const FewChannelsArgs& args, std::uint32_t pair) {
  const std::uint32_t row = args.by_row_pairs.divide(pair), in_row = pair - row * args.by_row_pairs.divisor;
  if (row >= args.filter_rows_all) return {.stage = args.stages_of_tile - 1};
  const std::uint32_t stage = args.by_filter_rows.divide(row), high = in_row * 2 + 1 - args.lead;
  return {.offset = (row - stage * args.filter_rows) * args.filter_row_bytes + in_row * 4,
          .mask = (high == 0 ? 0 : 0xffffu) | (high < args.run ? 0xffff0000u : 0),
          .stage = stage};
}

/// A pair in a word, for the table: its offset's words above, a selector of the bytes that exist below (of a word's
/// bytes 0 to 3; 4 stands for zero), and in the highest bit whether it lies in the stage after `stage`.
inline constexpr std::uint32_t next_stage_bit = 0x80000000u, most_stage_bytes = 0x8000 * 4;
ZELLIGE_HD constexpr std::uint32_t table_word(const WindowPair& pair, std::uint32_t stage) {
  const std::uint32_t low = pair.mask & 0xffffu ? 0x10u : 0x44u, high = pair.mask >> 16 ? 0x3200u : 0x4400u;
  return (pair.stage != stage ? next_stage_bit : 0) | pair.offset / 4 << 16 | high | low;
}

/// Whether weights, `depth` of a filter, lie in shared memory as in memory, and filters a multiple of 8 bytes apart:
/// then they are copied, 8 bytes at a time.
ZELLIGE_HD constexpr bool copies_weights(const FewChannelsArgs& args, std::uint32_t depth) {
  return args.lead == 0 && args.run % 2 == 0 && depth % 4 == 0;
}

/// Elements of a filter that a pair of k is: those of numbers `low` and `low` + 1 where they exist.
struct FilterPair {
  std::uint32_t low = 0;
  bool has_low = false, has_high = false;
};
ZELLIGE_HD constexpr FilterPair filter_pair(const FewChannelsArgs& args, std::uint32_t pair) {
  const std::uint32_t row = args.by_row_pairs.divide(pair), in_row = pair - row * args.by_row_pairs.divisor;
  if (row >= args.filter_rows_all) return {};
  const std::uint32_t high = in_row * 2 + 1 - args.lead;
  return {.low = row * args.run + high - 1, .has_low = high != 0, .has_high = high < args.run};
}

}  // namespace zellige
