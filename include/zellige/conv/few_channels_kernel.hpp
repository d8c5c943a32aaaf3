// The forward convolution of few input channels on targets with warpgroups and a tensor copy engine: stems, patch
// embeddings, latents, whose pixels are too short for the engine's image copies.
//
// A row of an NHWC image is one contiguous run of w * c elements, and so is each filter row of a window in it. A warp
// copies the rows that a tile of output pixels needs into a ring, as they lie in memory, zeros where there is no image.
// The other warps pick their windows out of it into registers, a pair of k a load, and multiply them by weights that
// stay in shared memory while the persistent workgroup walks the tiles of its block of filters.
#pragma once

#include "zellige/atom/copy.hpp"
#include "zellige/conv/few_channels_feed.hpp"
#include "zellige/gemm/warpgroup_store.hpp"

namespace zellige {

#if defined(__CUDACC__)

/// The output pixel in a tile whose sums a thread holds first (i = 0) and second.
ZELLIGE_DEVICE TilePixel own_pixel(const FewChannelsArgs& args, std::uint32_t consumer, int i) {
  const std::uint32_t thread = thread_index() % warpgroup_threads;
  return tile_pixel(args, consumer, thread / 32 * 16 + thread % 32 / 4 + i * 8);
}

/// One thread's part of A: two pixels' windows, a step of k after the other, out of the ring.
template <FewChannelsShape shape>
class WindowReader {
 public:
  using Fragment = std::uint32_t[shape.parts()][4];

  ZELLIGE_DEVICE WindowReader(const FewChannelsArgs& a, const FewChannelsShared& s, std::uint32_t consumer)
      : args(a), shared(s), table(s.table() + thread_index() % 4 * 8) {
    ZELLIGE_UNROLL
    for (int i = 0; i < 2; ++i) {
      const WindowBegin begin = window_begin(args, own_pixel(args, consumer, i));
      offset[i] = begin.offset;
      if (i == 0) middle = begin.middle;   // of pixels 8 apart both or none
      asm volatile("" : "+r"(offset[i]));  // kept: the compiler would work it out again at every step
    }
  }

  /// The stages of the next tile follow.
  ZELLIGE_DEVICE void begin_tile() {
    waited = left = 0;
    ready = 0;
    enter();
  }

  /// Windows of step `step`; steps follow each other. A step begins at most one stage after the one before, since a
  /// stage has as many pairs as a step, and the last step reaches into the last stage: so every stage is waited for.
  ZELLIGE_DEVICE void load(std::uint32_t step, Fragment& a) {
    constexpr FewChannelsShape t = shape;
    const std::uint32_t first = step * t.step_pairs(), last = first + t.step_pairs() - 1;
    if (first >= boundary) leave();
    while (last >= ready) wait();
    if (args.odd_step)
      read_parts<true, true>(step, a);
    else if (args.stages_of_tile > 1)
      read_parts<false, true>(step, a);
    else
      read_parts<false, false>(step, a);
  }

  /// All windows of the tile are in registers.
  ZELLIGE_DEVICE void end_tile() {
    while (left < args.stages_of_tile) release();
  }

 private:
  /// Two elements that follow each other, from the word at `address` or from its middle on.
  template <bool odd_step>
  ZELLIGE_DEVICE std::uint32_t read_pair(std::uint32_t address) const {
    if constexpr (!odd_step) return load_shared_word(address);
    return __byte_perm(load_shared_word(address), load_shared_word(address + 4), middle ? 0x5432 : 0x3210);
  }

  template <bool odd_step, bool several_stages>
  ZELLIGE_DEVICE void read_parts(std::uint32_t step, Fragment& a) const {
    constexpr FewChannelsShape t = shape;
    ZELLIGE_UNROLL
    for (int part = 0; part < t.parts(); ++part) {
      std::uint32_t word[2];
      asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                   : "=r"(word[0]), "=r"(word[1])
                   : "r"(table + (step * t.parts() + part) * 32)
                   : "memory");
      ZELLIGE_UNROLL
      for (int pair = 0; pair < 2; ++pair) {
        const bool after = several_stages && static_cast<int>(word[pair]) < 0;
        const std::uint32_t address = (word[pair] >> 16) * 4 + (after ? next : here);
        a[part][pair * 2] = __byte_perm(read_pair<odd_step>(address + offset[0]), 0, word[pair]);
        a[part][pair * 2 + 1] = __byte_perm(read_pair<odd_step>(address + offset[1]), 0, word[pair]);
      }
    }
  }

  /// The stage that the cursor is at is the one that steps begin in.
  ZELLIGE_DEVICE void enter() {
    const std::uint32_t pairs = args.filter_rows * args.by_row_pairs.divisor;
    boundary = left + 1 < args.stages_of_tile ? (left + 1) * pairs : ~0u;
    const std::uint32_t after = at.stage + 1 == args.stages ? 0 : at.stage + 1;
    here = shared.stage(at.stage);
    next = shared.stage(after) - most_stage_bytes;  // takes the mark off the offset
  }

  ZELLIGE_DEVICE void release() {
    __syncwarp();
    if (thread_index() % 32 == 0) barrier_arrive(shared.free(at.stage));
    at.advance(args.stages);
    ++left;
  }

  ZELLIGE_DEVICE void leave() {
    release();
    enter();
  }

  ZELLIGE_DEVICE void wait() {
    barrier_wait(shared.filled(ahead.stage), ahead.parity);
    ahead.advance(args.stages);
    ready = ++waited < args.stages_of_tile ? waited * args.filter_rows * args.by_row_pairs.divisor : ~0u;
  }

  const FewChannelsArgs& args;
  const FewChannelsShared& shared;
  std::uint32_t table, offset[2];
  bool middle = false;
  RingPosition at, ahead;                 // the stage that a step begins in, and the next one to wait for
  std::uint32_t waited = 0, left = 0;     // stages of the tile
  std::uint32_t ready = 0, boundary = 0;  // pairs of k that have arrived, and the end of those of the stage
  std::uint32_t here = 0, next = 0;       // addresses of the stage and of the one after it
};

/// The product of 64 windows and the block's filters.
template <FewChannelsShape shape>
ZELLIGE_DEVICE void multiply_windows(const FewChannelsArgs& args, const FewChannelsShared& shared,
                                     WindowReader<shape>& windows, float (&c)[shape.block.block_n / 2]) {
  constexpr FewChannelsShape t = shape;
  const auto multiply = [&](std::uint32_t step, typename WindowReader<shape>::Fragment& a) {
    const std::uint64_t tile = shared_tile<t.block.row_bytes()>(shared.weights() + step * t.step_weight_bytes());
    wgmma_fence();
    ZELLIGE_UNROLL
    for (int part = 0; part < t.parts(); ++part) wgmma<t.block.input, t.block.block_n>(c, a[part], tile + part * 2);
    wgmma_commit();
  };
  // One is read while the other is multiplied, and written again only after the wait for its own multiplication. A wait
  // that leaves one of two multiplications in flight makes the compiler order all of them one after the other.
  typename WindowReader<shape>::Fragment even, odd;
  windows.begin_tile();
  windows.load(0, even);
  std::uint32_t step = 0;
  while (true) {
    multiply(step, even);
    if (++step == args.steps) break;
    windows.load(step, odd);
    wgmma_wait<0>();
    multiply(step, odd);
    if (++step == args.steps) break;
    windows.load(step, even);
    wgmma_wait<0>();
  }
  windows.end_tile();
  wgmma_wait<0>();
}

/// The epilogue's scale and bias of the block's filters, in shared memory: loads of all columns' from global memory
/// would take every register that there is.
template <Arch arch, FewChannelsShape shape>
ZELLIGE_DEVICE void write_vectors(const FewChannelsArgs& args, const FewChannelsShared& shared, std::uint32_t column) {
  constexpr FewChannelsShape t = shape;
  const EpilogueSources from = epilogue_sources<arch>(args.pointers, args.epilogue, 0, args.n, 4, 0, args.bytes_c);
  const float unit = args.epilogue.flags & EpilogueArgs::with_scale ? 0 : 1;
  for (std::uint32_t n = thread_index(); n < t.block.block_n; n += t.consumers() * warpgroup_threads) {
    const std::uint32_t at = (column + n) * 4;
    const float scale = load_elements<float, 1>(from.scale, at, 0)[0] + unit;
    store_shared_word(shared.vectors() + n * 8, bit_cast<std::uint32_t>(scale));
    store_shared_word(shared.vectors() + n * 8 + 4,
                      bit_cast<std::uint32_t>(load_elements<float, 1>(from.bias, at, 0)[0]));
  }
}

/// The epilogue of a warpgroup's sums, in the registers that hold them. `rows` are the thread's two rows of C, in
/// bytes; out_of_range where there is none.
template <Arch arch, FewChannelsShape shape>
ZELLIGE_DEVICE void finish_pixels(const FewChannelsArgs& args, const FewChannelsShared& shared, std::uint32_t column,
                                  const std::uint32_t (&rows)[2], float (&c)[shape.block.block_n / 2]) {
  constexpr FewChannelsShape t = shape;
  constexpr int element = bytes_of(t.block.output);
  const Buffer residual = epilogue_sources<arch>(args.pointers, args.epilogue, 0, args.n, 4, 0, args.bytes_c).residual;
  const std::uint32_t pair = thread_index() % 4 * 2;
  ZELLIGE_UNROLL
  for (int i = 0; i < t.block.block_n / 2; i += 4) {
    const std::uint32_t in_block = pair + i / 4 * 8, n = column + in_block;
    const vec<float, 4> vectors = load_shared(shared.vectors() + in_block * 8);  // scale and bias of two columns
    ZELLIGE_UNROLL
    for (int half = 0; half < 2; ++half) {
      const bool exists = (rows[half] != out_of_range) & (n < args.n);
      const auto add =
          load_widened<t.block.output, float, 2>(residual, exists ? rows[half] + n * element : out_of_range);
      ZELLIGE_UNROLL
      for (int j = 0; j < 2; ++j) {
        float& sum = c[i + half * 2 + j];
        sum = finished<float>(args.epilogue, sum, vectors[j * 2], vectors[j * 2 + 1], add[j]);
      }
    }
  }
}

template <Arch arch, FewChannelsShape shape>
ZELLIGE_DEVICE void multiply_and_store(const FewChannelsArgs& args, const FewChannelsShared& shared,
                                       std::uint32_t consumer, std::uint32_t column, std::uint32_t first_tile,
                                       std::uint32_t tiles_apart) {
  constexpr FewChannelsShape t = shape;
  write_table<shape>(args, shared);
  write_weights<shape>(args, shared, column);
  if (args.epilogue.flags != 0) write_vectors<arch, shape>(args, shared, column);
  async_proxy_fence();
  barrier_named(1 + t.consumers(), t.consumers() * warpgroup_threads);
  WindowReader<shape> windows(args, shared, consumer);
  std::uint32_t stores = 0;
  for (std::uint32_t index = first_tile; index < args.pixel_tiles; index += tiles_apart) {
    float c[t.block.block_n / 2];
    ZELLIGE_UNROLL
    for (int i = 0; i < t.block.block_n / 2; ++i) c[i] = 0;
    multiply_windows<shape>(args, shared, windows, c);
    const PixelTile tile = PixelTile::at(args, index);
    const std::uint32_t w = tile.w * args.across, h = tile.h * args.down;
    if (args.epilogue.flags != 0) {
      std::uint32_t rows[2];
      ZELLIGE_UNROLL
      for (int i = 0; i < 2; ++i) {
        const TilePixel in_tile = own_pixel(args, consumer, i);
        const std::uint32_t out_w = w + in_tile.w, out_h = h + in_tile.h;
        const bool exists = (out_w < args.out_w) & (out_h < args.out_h);
        rows[i] = exists ? ((tile.image * args.out_h + out_h) * args.out_w + out_w) * args.row_bytes_c : out_of_range;
      }
      finish_pixels<arch, shape>(args, shared, column, rows, c);
    }
    const StoreCorner corner{static_cast<int>(column), static_cast<int>(w + consumer * args.next_w),
                             static_cast<int>(h + consumer * args.next_h), static_cast<int>(tile.image)};
    store_rows<t.block>(args.c, shared.stores() + consumer * 2 * t.block.store_bytes(), stores,
                        static_cast<int>(1 + consumer), corner, c);
  }
  if (thread_index() % warpgroup_threads == 0)
    store_wait_read<0>();  // the buffers must outlive the copy engine's reading
}

template <Arch arch, FewChannelsShape shape>
ZELLIGE_DEVICE void convolve_few_channels(const FewChannelsArgs& args) {
  constexpr FewChannelsShape t = shape;
  // A swizzle is by address: the store buffers, behind any number of steps, begin at a multiple of 8 of their rows.
  static_assert(!swizzles_rows(t.block.store_row_bytes()) ||
                t.step_weight_bytes() % (8 * t.block.store_row_bytes()) == 0);
  const FewChannelsShared shared(lds_pool<shared_bytes_of_one(arch_traits(arch), 1)>(), args);
  const std::uint32_t thread = thread_index(), consumer = uniform(thread / warpgroup_threads);
  if (thread == 0) {
    prefetch_map(args.a);
    prefetch_map(args.c);
    for (std::uint32_t i = 0; i < args.stages; ++i) {
      barrier_init(shared.filled(i), 1);
      barrier_init(shared.free(i), t.consumers() * 4);
    }
    barrier_init_fence();
  }
  __syncthreads();
  const std::uint32_t first = args.by_column_tiles.divide(workgroup_index());
  const std::uint32_t column = (workgroup_index() - first * args.column_tiles) * t.block.block_n;
  const std::uint32_t apart = args.by_column_tiles.divide(gridDim.x);
  if (consumer == static_cast<std::uint32_t>(t.consumers())) {
    if (thread % 32 == 0) feed_rows(args, shared, first, apart);
  } else {
    multiply_and_store<arch, shape>(args, shared, consumer, column, first, apart);
  }
}

#else

template <Arch arch, FewChannelsShape shape>
ZELLIGE_DEVICE void convolve_few_channels(const FewChannelsArgs&) {}

#endif

}  // namespace zellige
