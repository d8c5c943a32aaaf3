// What lies in the shared memory of a kernel with Pipeline::few_channels, and how it comes there: rows of images by the
// copy engine, the weights and the table of pairs by the threads that multiply, once.
#pragma once

#include "zellige/atom/sync.hpp"
#include "zellige/conv/few_channels_args.hpp"
#include "zellige/conv/few_channels_shape.hpp"
#include "zellige/gemm/warpgroup_shared.hpp"

namespace zellige {

#if defined(__CUDACC__)

/// Addresses in shared memory. The arguments hold their distances from its begin: constants cost no registers.
class FewChannelsShared {
 public:
  ZELLIGE_DEVICE FewChannelsShared(char* pool, const FewChannelsArgs& a)
      : args(a), begin((shared_address(pool) + 1023) & ~1023u) {}
  ZELLIGE_DEVICE std::uint32_t weights() const { return begin; }
  ZELLIGE_DEVICE std::uint32_t stores() const { return begin + args.stores_at; }
  ZELLIGE_DEVICE std::uint32_t stage(std::uint32_t number) const {
    return begin + args.stages_at + number * args.stage_bytes;
  }
  ZELLIGE_DEVICE std::uint32_t table() const { return begin + args.table_at; }
  ZELLIGE_DEVICE std::uint32_t vectors() const { return begin + args.vectors_at; }
  ZELLIGE_DEVICE std::uint32_t filled(std::uint32_t stage) const { return begin + args.barriers_at + stage * 16; }
  ZELLIGE_DEVICE std::uint32_t free(std::uint32_t stage) const { return filled(stage) + 8; }

 private:
  const FewChannelsArgs& args;
  std::uint32_t begin;
};

/// A tile of output pixels: its number along w and h, and its image.
struct PixelTile {
  std::uint32_t w, h, image;

  static ZELLIGE_DEVICE PixelTile at(const FewChannelsArgs& args, std::uint32_t index) {
    const std::uint32_t rest = args.by_tiles_w.divide(index), image = args.by_tiles_h.divide(rest);
    return {index - rest * args.by_tiles_w.divisor, rest - image * args.by_tiles_h.divisor, image};
  }
};

/// Rows of images, tile after tile, by one thread.
ZELLIGE_DEVICE void feed_rows(const FewChannelsArgs& args, const FewChannelsShared& shared, std::uint32_t first_tile,
                              std::uint32_t tiles_apart) {
  RingPosition at;
  for (std::uint32_t index = first_tile; index < args.pixel_tiles; index += tiles_apart) {
    const PixelTile tile = PixelTile::at(args, index);
    const int x = static_cast<int>(tile.w) * args.x_step + args.x_first;
    int y = static_cast<int>(tile.h) * args.y_step + args.y_first;
    const int z = static_cast<int>(tile.h) * args.z_step, image = static_cast<int>(tile.image);
    for (std::uint32_t stage = 0; stage < args.stages_of_tile; ++stage) {
      const std::uint32_t filled = shared.filled(at.stage), rows = shared.stage(at.stage);
      barrier_wait(shared.free(at.stage), at.parity ^ 1);
      barrier_arrive_expect(filled, static_cast<int>(args.box_bytes));
      copy_box(rows, args.a, filled, x, y, z, image);
      y += static_cast<int>(args.filter_rows);
      at.advance(args.stages);
    }
  }
}

/// Where pairs of k lie in a stage, for WindowReader: 8 bytes for thread t of each row of a multiplication's pairs, of
/// its pairs t and t + 4. What is staged beside elements that exist may be anything, NaN too.
template <FewChannelsShape shape>
ZELLIGE_DEVICE void write_table(const FewChannelsArgs& args, const FewChannelsShared& shared) {
  constexpr FewChannelsShape t = shape;
  constexpr std::uint32_t step_pairs = t.step_pairs();
  for (std::uint32_t pair = thread_index(); pair < args.steps * step_pairs; pair += t.consumers() * warpgroup_threads) {
    const std::uint32_t begin = window_pair(args, pair / step_pairs * step_pairs).stage;
    store_shared_word(shared.table() + pair / 8 * 32 + pair % 4 * 8 + pair % 8 / 4 * 4,
                      table_word(window_pair(args, pair), begin));
  }
}

/// Two elements of a filter: the `pair`-th of k.
ZELLIGE_DEVICE std::uint32_t weight_pair(const FewChannelsArgs& args, const std::uint16_t* filter, std::uint32_t pair) {
  const FilterPair at = filter_pair(args, pair);
  const std::uint32_t low = at.has_low ? filter[at.low] : 0, high = at.has_high ? filter[at.low + 1] : 0;
  return low | high << 16;
}

/// Starts a copy of 8 bytes to shared memory, of zeros where they do not exist.
ZELLIGE_DEVICE void copy_quad(std::uint32_t to, const void* from, bool exists) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(exists ? 8 : 0) : "memory");
}

/// The weights of the filters from `first` on as wgmma reads them, zero where there is no filter or no such k. Many
/// loads of a warp are under way at once: in registers, or as copies where filters are a multiple of 8 bytes apart and
/// k lies as in memory.
template <FewChannelsShape shape>
ZELLIGE_DEVICE void write_weights(const FewChannelsArgs& args, const FewChannelsShared& shared, std::uint32_t first) {
  constexpr FewChannelsShape t = shape;
  constexpr std::uint32_t step_pairs = t.step_pairs(), warps = t.consumers() * 4, filters = t.block.block_n;
  constexpr std::uint32_t batch = t.filters_at_once();
  const std::uint32_t lane = thread_index() % 32, warp = thread_index() / 32, pairs = args.steps * step_pairs;
  const std::uint32_t depth = args.filter_rows_all * args.run;
  const auto* const all = static_cast<const std::uint16_t*>(args.pointers.b);
  const auto address_of = [&](std::uint32_t filter, std::uint32_t pair) {
    return shared.weights() + pair / step_pairs * t.step_weight_bytes() +
           swizzled_offset(filter, pair % step_pairs * 4, t.block.row_bytes());
  };
  if (copies_weights(args, depth)) {
    for (std::uint32_t filter = warp; filter < filters; filter += warps) {
      for (std::uint32_t pair = lane * 2; pair < pairs; pair += 64) {
        const bool exists = (first + filter < args.n) & (pair * 2 < depth);
        const std::uint64_t element = exists ? std::uint64_t{first + filter} * depth + pair * 2 : 0;
        copy_quad(address_of(filter, pair), all + element, exists);
      }
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    return;
  }
  for (std::uint32_t filter = warp * batch; filter < filters; filter += warps * batch) {
    for (std::uint32_t pair = lane; pair < pairs; pair += 32) {
      std::uint32_t bits[batch];
      ZELLIGE_UNROLL
      for (std::uint32_t i = 0; i < batch; ++i) {
        const std::uint32_t f = first + filter + i;
        bits[i] = f < args.n ? weight_pair(args, all + std::uint64_t{f} * depth, pair) : 0;
      }
      ZELLIGE_UNROLL
      for (std::uint32_t i = 0; i < batch; ++i) {
        if (filter + i < filters) store_shared_word(address_of(filter + i, pair), bits[i]);
      }
    }
  }
}

#endif

}  // namespace zellige
