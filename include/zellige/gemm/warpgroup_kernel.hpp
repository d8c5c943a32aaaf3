// The GEMM-shaped kernel of targets with warpgroup matrix instructions and a tensor copy engine: one warp feeds, the
// others multiply.
//
// A persistent workgroup walks output tiles. Its last warpgroup issues the copies of A's and B's tiles into a ring of
// stages; each of the other warpgroups multiplies 64 rows of A by all of B's tile and stores its part of C. Two
// barriers a stage say 'filled' and 'free': the feeder runs ahead of the multipliers, over the ends of tiles, so that a
// tile's store overlaps the next one's copies.
#pragma once

#include "zellige/atom/sync.hpp"
#include "zellige/atom/tensor_copy.hpp"
#include "zellige/atom/warpgroup_mma.hpp"
#include "zellige/gemm/schedule.hpp"

namespace zellige {

struct WarpgroupTile {
  DataType input = DataType::bf16, output = DataType::bf16;
  int block_m = 128, block_n = 128, block_k = 64, stages = 4;
  bool conv = false;
  int min_blocks = 1;  ///< workgroups that share an SM
  int cluster = 1;     ///< slices of the reduction that meet in a cluster

  ZELLIGE_HD constexpr int consumers() const { return block_m / wgmma_rows; }
  ZELLIGE_HD constexpr int threads() const { return (consumers() + 1) * warpgroup_threads; }
  ZELLIGE_HD constexpr int row_bytes() const { return block_k * bytes_of(input); }
  ZELLIGE_HD constexpr int bytes_a() const { return block_m * row_bytes(); }
  ZELLIGE_HD constexpr int bytes_b() const { return block_n * row_bytes(); }
  ZELLIGE_HD constexpr int stage_bytes() const { return bytes_a() + bytes_b(); }
  /// A store moves 64 rows of at most 128 bytes.
  ZELLIGE_HD constexpr int store_row_bytes() const { return min_of(128, block_n * bytes_of(output)); }
  ZELLIGE_HD constexpr int store_columns() const { return store_row_bytes() / bytes_of(output); }
  ZELLIGE_HD constexpr int store_bytes() const { return wgmma_rows * store_row_bytes(); }
  /// Bytes between rows of a slice's sums in shared memory: rows of a fragment miss each other's banks.
  ZELLIGE_HD constexpr int partial_pitch() const { return block_n * 4 + 16; }
  ZELLIGE_HD constexpr int lds_bytes() const {
    return 1024 + stages * stage_bytes() + consumers() * 2 * store_bytes() + stages * 16;
  }
  // Registers of a thread: what the launch gives everybody, and what the feeder leaves to the others.
  ZELLIGE_HD constexpr int launch_registers() const { return min_of(65536 / (threads() * min_blocks) / 8 * 8, 248); }
  ZELLIGE_HD constexpr int feeder_registers() const { return 24; }
  ZELLIGE_HD constexpr int consumer_registers() const {
    return min_of((launch_registers() * (consumers() + 1) - feeder_registers()) / consumers() / 8 * 8, 248);
  }
  bool operator==(const WarpgroupTile&) const = default;
};

struct WarpgroupArgs {
  TensorMap a, b, c;
  Schedule schedule{};
  std::uint32_t tiles = 0;   ///< of all batches and slices
  std::uint32_t k_steps = 0;  ///< of the whole reduction
  std::uint32_t slices = 1, slice_steps = 0;
  // Convolution: the first pixel of a row of A, and the walk over taps and channels.
  MagicDivider by_out_w{1}, by_out_h{1}, by_groups{1}, by_channel_steps{1}, by_filter_w{1};
  std::uint32_t channels = 0, filters = 0;  ///< of a group
  void* c_pointer = nullptr;
  std::uint32_t m = 0, n = 0, row_bytes_c = 0;
  std::int32_t stride_w = 1, stride_h = 1, pad_w = 0, pad_h = 0, dilation_w = 1, dilation_h = 1;
};

#if defined(__CUDACC__)

template <WarpgroupTile tile>
struct WarpgroupShared {
  std::uint32_t stages, stores, filled, free;

  ZELLIGE_DEVICE explicit WarpgroupShared(char* pool) {
    constexpr WarpgroupTile t = tile;
    stages = (shared_address(pool) + 1023) & ~1023u;
    stores = stages + t.stages * t.stage_bytes();
    filled = stores + t.consumers() * 2 * t.store_bytes();
    free = filled + t.stages * 8;
  }
};

/// A stage of the ring and the parity of its barriers' phase.
template <int stages>
struct RingPosition {
  std::uint32_t stage = 0, parity = 0;
  ZELLIGE_DEVICE void advance() {
    if (++stage == stages) stage = 0, parity ^= 1;
  }
};

struct StepRange {
  std::uint32_t first, last;
};
ZELLIGE_DEVICE StepRange steps_of_slice(const WarpgroupArgs& args, std::uint32_t slice) {
  const std::uint32_t first = slice * args.slice_steps, last = first + args.slice_steps;
  return {first < args.k_steps ? first : args.k_steps, last < args.k_steps ? last : args.k_steps};
}

template <WarpgroupTile tile>
ZELLIGE_DEVICE void feed(const WarpgroupArgs& args, const WarpgroupShared<tile>& shared) {
  constexpr WarpgroupTile t = tile;
  RingPosition<t.stages> at;
  for (std::uint32_t index = workgroup_index(); index < args.tiles; index += gridDim.x) {
    const TileIndex block = tile_of(args.schedule, index);
    const std::uint32_t slice = t.cluster > 1 ? blockIdx.z : args.by_groups.divide(block.batch);
    const std::uint32_t group = t.cluster > 1 ? block.batch : block.batch - slice * args.by_groups.divisor;
    const StepRange range = steps_of_slice(args, slice);
    const std::uint32_t row = block.m * t.block_m, column = block.n * t.block_n;
    std::uint32_t tap_h = 0, tap_w = 0, channel_step = 0;
    std::int32_t w = 0, h = 0, image = 0;
    if constexpr (t.conv) {
      const std::uint32_t out_row = args.by_out_w.divide(row);
      image = static_cast<std::int32_t>(args.by_out_h.divide(out_row));
      w = static_cast<std::int32_t>(row - out_row * args.by_out_w.divisor) * args.stride_w - args.pad_w;
      h = static_cast<std::int32_t>(out_row - image * args.by_out_h.divisor) * args.stride_h - args.pad_h;
      const std::uint32_t tap = args.by_channel_steps.divide(range.first);
      channel_step = range.first - tap * args.by_channel_steps.divisor;
      tap_h = args.by_filter_w.divide(tap);
      tap_w = tap - tap_h * args.by_filter_w.divisor;
    }
    for (std::uint32_t step = range.first; step < range.last; ++step) {
      barrier_wait(shared.free + at.stage * 8, at.parity ^ 1);
      const std::uint32_t filled = shared.filled + at.stage * 8;
      const std::uint32_t a = shared.stages + at.stage * t.stage_bytes(), b = a + t.bytes_a();
      barrier_expect(filled, t.stage_bytes());
      if constexpr (t.conv) {
        const int channel = static_cast<int>(channel_step * t.block_k);
        copy_pixels(a, args.a, filled, static_cast<int>(group * args.channels) + channel, w, h, image,
                    static_cast<std::uint16_t>(tap_w * args.dilation_w),
                    static_cast<std::uint16_t>(tap_h * args.dilation_h));
        copy_box(b, args.b, filled, channel, static_cast<int>(tap_h * args.by_filter_w.divisor + tap_w),
                 static_cast<int>(group * args.filters + column));
        if (++channel_step == args.by_channel_steps.divisor) {
          channel_step = 0;
          if (++tap_w == args.by_filter_w.divisor) tap_w = 0, ++tap_h;
        }
      } else {
        copy_box(a, args.a, filled, static_cast<int>(step * t.block_k), static_cast<int>(row));
        copy_box(b, args.b, filled, static_cast<int>(step * t.block_k), static_cast<int>(column));
      }
      at.advance();
    }
  }
}

/// Two results as the bits of two neighbouring output elements.
template <DataType output>
ZELLIGE_DEVICE std::uint32_t pack_pair(float low, float high) {
  std::uint32_t bits;
  if constexpr (output == DataType::bf16)
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
  else
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
  return bits;
}

/// 64 rows of results through shared memory to C, in chunks of 128 bytes of a row; two buffers, so that writing one
/// overlaps the store of the other.
template <WarpgroupTile tile>
ZELLIGE_DEVICE void store_rows(const WarpgroupArgs& args, std::uint32_t buffers, std::uint32_t& stores, int barrier,
                               int group, int row, int column, const float (&c)[tile.block_n / 2]) {
  constexpr WarpgroupTile t = tile;
  constexpr int columns = t.store_columns(), chunks = t.block_n / columns;
  const std::uint32_t thread = thread_index() % warpgroup_threads, lane = thread % 32, warp = thread / 32;
  ZELLIGE_UNROLL
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const std::uint32_t buffer = buffers + stores++ % 2 * t.store_bytes();
    if (thread == 0) store_wait_read<1>();
    barrier_named(barrier, warpgroup_threads);
    if constexpr (bytes_of(t.output) == 2) {
      const std::uint32_t r = warp * 16 + lane % 16;  // stmatrix: lane i addresses row i % 16 of columns 8 * (i / 16)
      ZELLIGE_UNROLL
      for (int pair = 0; pair < columns / 16; ++pair) {
        const int i = chunk * columns / 2 + pair * 8;
        const std::uint32_t address = buffer + swizzled_offset(r, (pair * 2 + lane / 16) * 16, t.store_row_bytes());
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address),
                     "r"(pack_pair<t.output>(c[i], c[i + 1])), "r"(pack_pair<t.output>(c[i + 2], c[i + 3])),
                     "r"(pack_pair<t.output>(c[i + 4], c[i + 5])), "r"(pack_pair<t.output>(c[i + 6], c[i + 7]))
                     : "memory");
      }
    } else {
      ZELLIGE_UNROLL
      for (int j = 0; j < columns / 8; ++j) {
        ZELLIGE_UNROLL
        for (int half = 0; half < 2; ++half) {
          const std::uint32_t r = warp * 16 + lane / 4 + half * 8, byte = (j * 8 + lane % 4 * 2) * 4;
          const int i = (chunk * (columns / 8) + j) * 4 + half * 2;
          asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(buffer + swizzled_offset(r, byte, t.store_row_bytes())),
                       "f"(c[i]), "f"(c[i + 1])
                       : "memory");
        }
      }
    }
    async_proxy_fence();
    barrier_named(barrier, warpgroup_threads);
    if (thread == 0) {
      store_box(args.c, buffer, column + chunk * columns, group, row);
      store_commit();
    }
  }
}

/// Four sums as output elements.
template <DataType output>
ZELLIGE_DEVICE void store_four(char* to, const float (&v)[4]) {
  if constexpr (bytes_of(output) == 2)
    *reinterpret_cast<uint2*>(to) = uint2{pack_pair<output>(v[0], v[1]), pack_pair<output>(v[2], v[3])};
  else
    *reinterpret_cast<float4*>(to) = float4{v[0], v[1], v[2], v[3]};
}

/// The slices of a tile meet: each writes its sums to its shared memory, and adds up its share of the rows in the order
/// of the slices, out of everyone's.
template <WarpgroupTile tile>
ZELLIGE_DEVICE void fold_slices(const WarpgroupArgs& args, std::uint32_t partial, std::uint32_t slice,
                                const TileIndex& block, const float (&c)[tile.block_n / 2]) {
  constexpr WarpgroupTile t = tile;
  constexpr int threads = t.consumers() * warpgroup_threads, quads = t.block_n / 4;
  constexpr std::uint32_t share = ceil_div(t.block_m, t.cluster), pitch = t.partial_pitch();
  const std::uint32_t thread = thread_index(), lane = thread % 32, warp = thread / 32;
  barrier_named(1, threads);  // nobody multiplies out of the ring any more
  ZELLIGE_UNROLL
  for (int i = 0; i < t.block_n / 2; i += 2) {
    const std::uint32_t row = warp * 16 + lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2;
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(partial + row * pitch + column * 4), "f"(c[i]), "f"(c[i + 1])
                 : "memory");
  }
  cluster_arrive();
  cluster_wait();
  const std::uint32_t first = slice * share, last = min_of(first + share, static_cast<std::uint32_t>(t.block_m));
  for (std::uint32_t i = thread; first + i / quads < last; i += threads) {
    const std::uint32_t row = first + i / quads, column = i % quads * 4;
    const std::uint32_t at = partial + row * pitch + column * 4;
    float parts[t.cluster][4];
    ZELLIGE_UNROLL
    for (int s = 0; s < t.cluster; ++s) load_remote(parts[s], at, static_cast<std::uint32_t>(s));
    float sum[4] = {parts[0][0], parts[0][1], parts[0][2], parts[0][3]};
    ZELLIGE_UNROLL
    for (int s = 1; s < t.cluster; ++s) {
      ZELLIGE_UNROLL
      for (int j = 0; j < 4; ++j) sum[j] += parts[s][j];
    }
    const std::uint32_t m = block.m * t.block_m + row, n = block.n * t.block_n + column;
    if (m < args.m && n < args.n) {
      store_four<t.output>(static_cast<char*>(args.c_pointer) + std::uint64_t{m} * args.row_bytes_c +
                               (block.batch * args.n + n) * bytes_of(t.output),
                           sum);
    }
  }
}

template <WarpgroupTile tile>
ZELLIGE_DEVICE void multiply_and_store(const WarpgroupArgs& args, const WarpgroupShared<tile>& shared,
                                       std::uint32_t warpgroup) {
  constexpr WarpgroupTile t = tile;
  constexpr int parts = t.row_bytes() / wgmma_depth_bytes;
  RingPosition<t.stages> at;
  std::uint32_t stores = 0;
  const bool leads = thread_index() % warpgroup_threads == 0;
  for (std::uint32_t index = workgroup_index(); index < args.tiles; index += gridDim.x) {
    const TileIndex block = tile_of(args.schedule, index);
    const std::uint32_t slice = t.cluster > 1 ? blockIdx.z : args.by_groups.divide(block.batch);
    const StepRange range = steps_of_slice(args, slice);
    float c[t.block_n / 2];
    ZELLIGE_UNROLL
    for (int i = 0; i < t.block_n / 2; ++i) c[i] = 0;
    std::uint32_t previous = 0;
    for (std::uint32_t step = range.first; step < range.last; ++step) {
      barrier_wait(shared.filled + at.stage * 8, at.parity);
      const std::uint32_t a = shared.stages + at.stage * t.stage_bytes(), b = a + t.bytes_a();
      const std::uint64_t tile_a = shared_tile<t.row_bytes()>(a + warpgroup * wgmma_rows * t.row_bytes());
      const std::uint64_t tile_b = shared_tile<t.row_bytes()>(b);
      wgmma_fence();
      ZELLIGE_UNROLL
      for (int part = 0; part < parts; ++part)
        wgmma<t.input, t.block_n>(c, tile_a + part * 2, tile_b + part * 2, 1);
      wgmma_commit();
      wgmma_wait<1>();
      if (step != range.first && leads) barrier_arrive(shared.free + previous * 8);
      previous = at.stage;
      at.advance();
    }
    wgmma_wait<0>();
    if (range.first != range.last && leads) barrier_arrive(shared.free + previous * 8);
    if constexpr (t.cluster > 1) {
      fold_slices<tile>(args, shared.stages, slice, block, c);
      return;
    }
    store_rows<tile>(args, shared.stores + warpgroup * 2 * t.store_bytes(), stores, static_cast<int>(1 + warpgroup),
                     static_cast<int>(block.batch), static_cast<int>(block.m * t.block_m + warpgroup * wgmma_rows),
                     static_cast<int>(block.n * t.block_n), c);
  }
  if (leads) store_wait<0>();
}

template <WarpgroupTile tile>
ZELLIGE_DEVICE void multiply_tiles(const WarpgroupArgs& args, char* pool) {
  constexpr WarpgroupTile t = tile;
  const WarpgroupShared<tile> shared(pool);
  const std::uint32_t thread = thread_index(), warpgroup = uniform(thread / warpgroup_threads);
  if (thread == 0) {
    prefetch_map(args.a);
    prefetch_map(args.b);
    prefetch_map(args.c);
    for (int i = 0; i < t.stages; ++i) {
      barrier_init(shared.filled + i * 8, 1);
      barrier_init(shared.free + i * 8, t.consumers());
    }
    barrier_init_fence();
  }
  __syncthreads();
  if (warpgroup == static_cast<std::uint32_t>(t.consumers())) {
    release_registers<t.feeder_registers()>();
    if (thread == t.consumers() * warpgroup_threads) feed<tile>(args, shared);
    if constexpr (t.cluster > 1) cluster_arrive(), cluster_wait();
  } else {
    claim_registers<t.consumer_registers()>();
    multiply_and_store<tile>(args, shared, warpgroup);
  }
  if constexpr (t.cluster > 1) cluster_arrive(), cluster_wait();  // others may still read this one's sums
}

#endif

}  // namespace zellige
