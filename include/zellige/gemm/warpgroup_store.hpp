// How sums leave a kernel that multiplies by warpgroups: through shared memory by the copy engine, or by each warp for
// itself where the block is narrow; one by one where rows of C are not multiples of 16 bytes; or, where the slices of a
// tile meet in a cluster, sent to each other's shared memory and added up there.
#pragma once

#include "zellige/atom/sync.hpp"
#include "zellige/gemm/epilogue_math.hpp"
#include "zellige/gemm/warpgroup_shared.hpp"

namespace zellige {

#if defined(__CUDACC__)

/// Where the sums of a warpgroup lie in C.
struct WarpgroupPlace {
  std::uint32_t row = 0, column = 0, group = 0, slice = 0;
};

/// What the epilogue of one group reads.
template <Arch arch>
ZELLIGE_DEVICE EpilogueSources warpgroup_sources(const WarpgroupArgs& args, std::uint32_t group, int element_out) {
  return epilogue_sources<arch>(args.pointers, args.epilogue, group, args.n, 4,
                                group * args.n * static_cast<std::uint32_t>(element_out), args.bytes_c);
}

/// C from the first column of a group on, for offset_in_c().
template <Arch arch>
ZELLIGE_DEVICE Buffer warpgroup_output(const WarpgroupArgs& args, std::uint32_t group, int element_out) {
  const std::uint32_t start_c = group * args.n * static_cast<std::uint32_t>(element_out);
  return make_buffer<arch>(static_cast<char*>(args.pointers.c) + start_c, args.bytes_c - start_c);
}

/// Where element (m, n) of a group lies; out_of_range where there is none.
ZELLIGE_DEVICE std::uint32_t offset_in_c(const WarpgroupArgs& args, std::uint32_t m, std::uint32_t n, int element_out) {
  return (m < args.m) & (n < args.n) ? m * args.row_bytes_c + n * static_cast<std::uint32_t>(element_out)
                                     : out_of_range;
}

/// The epilogue of a warpgroup's sums, in the registers that hold them. Where they are stored one by one, pairs of
/// columns may lie unaligned.
template <Arch arch, WarpgroupShape shape>
ZELLIGE_DEVICE void finish_sums(const WarpgroupArgs& args, const WarpgroupPlace& at, float (&c)[shape.block_n / 2]) {
  constexpr WarpgroupShape t = shape;
  constexpr int element = bytes_of(t.output), width = t.direct ? 1 : 2;
  const EpilogueSources from = warpgroup_sources<arch>(args, at.group, element);
  const std::uint32_t thread = thread_index() % warpgroup_threads, lane = thread % 32;
  const std::uint32_t column = at.column + lane % 4 * 2;
  const std::uint32_t row = at.row + thread / 32 * 16 + lane / 4;
  ZELLIGE_UNROLL
  for (int i = 0; i < t.block_n / 2; i += width) {
    const std::uint32_t m = row + i / 2 % 2 * 8, n = column + i / 4 * 8 + i % 2;
    vec<float, width> some;
    ZELLIGE_UNROLL
    for (int j = 0; j < width; ++j) some[j] = c[i + j];
    apply_epilogue<t.output>(args.epilogue, from, n, offset_in_c(args, m, n, element), some);
    ZELLIGE_UNROLL
    for (int j = 0; j < width; ++j) c[i + j] = some[j];
  }
}

/// Two results as the bits of two neighbouring output elements.
template <DataType output>
ZELLIGE_DEVICE std::uint32_t pack_pair(float low, float high) {
  static_assert(output == DataType::bf16 || output == DataType::f16);
  std::uint32_t bits;
  if constexpr (output == DataType::bf16)
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
  else
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
  return bits;
}

/// Columns [chunk * store_columns(), ...) of a warpgroup's results to a buffer in shared memory: each warp its 16 rows.
template <WarpgroupShape shape>
ZELLIGE_DEVICE void stage_sums(std::uint32_t buffer, int chunk, const float (&c)[shape.block_n / 2]) {
  constexpr WarpgroupShape t = shape;
  constexpr int columns = t.store_columns();
  const std::uint32_t thread = thread_index() % warpgroup_threads, lane = thread % 32, warp = thread / 32;
  if constexpr (bytes_of(t.stored) == 2) {
    const std::uint32_t r = warp * 16 + lane % 16;  // stmatrix: lane i addresses row i % 16 of columns 8 * (i / 16)
    ZELLIGE_UNROLL
    for (int pair = 0; pair < columns / 16; ++pair) {
      const int i = chunk * columns / 2 + pair * 8;
      const std::uint32_t address = buffer + swizzled_offset(r, (pair * 2 + lane / 16) * 16, t.store_row_bytes());
      asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address),
                   "r"(pack_pair<t.stored>(c[i], c[i + 1])), "r"(pack_pair<t.stored>(c[i + 2], c[i + 3])),
                   "r"(pack_pair<t.stored>(c[i + 4], c[i + 5])), "r"(pack_pair<t.stored>(c[i + 6], c[i + 7]))
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
}

/// An element of 2 or 4 bytes in shared memory.
template <int bytes>
ZELLIGE_DEVICE Packet<bytes> load_element(std::uint32_t address) {
  static_assert(bytes == 2 || bytes == 4);
  if constexpr (bytes == 2) {
    std::uint16_t bits;
    asm volatile("ld.shared.u16 %0, [%1];" : "=h"(bits) : "r"(address) : "memory");
    return bit_cast<Packet<2>>(bits);
  } else {
    return bit_cast<Packet<4>>(load_shared_word(address));
  }
}

/// 64 rows of results to C, each element by itself: C needs the alignment of its elements alone. Where the block has
/// whole chunks of 32 columns, these pass through `buffers`, so that a warp's stores touch each part of a row once.
template <Arch arch, WarpgroupShape shape>
ZELLIGE_DEVICE void store_elements(const WarpgroupArgs& args, std::uint32_t buffers, const WarpgroupPlace& at,
                                   const float (&c)[shape.block_n / 2]) {
  constexpr WarpgroupShape t = shape;
  constexpr int element = bytes_of(t.output);
  const Buffer to = warpgroup_output<arch>(args, at.group, element);
  const std::uint32_t thread = thread_index() % warpgroup_threads, lane = thread % 32, first = thread / 32 * 16;
  if constexpr (t.gathers()) {
    ZELLIGE_UNROLL
    for (int chunk = 0; chunk < t.block_n / 32; ++chunk) {
      const std::uint32_t staged = buffers + chunk % 2 * t.store_bytes();
      __syncwarp();  // the chunk before was read
      stage_sums<shape>(staged, chunk, c);
      __syncwarp();
      ZELLIGE_UNROLL
      for (std::uint32_t r = 0; r < 16; ++r) {
        const std::uint32_t from = staged + swizzled_offset(first + r, lane * element, t.store_row_bytes());
        store<element>(to, offset_in_c(args, at.row + first + r, at.column + chunk * 32 + lane, element),
                       load_element<element>(from));
      }
    }
  } else {
    ZELLIGE_UNROLL
    for (int i = 0; i < t.block_n / 2; ++i) {
      vec<float, 1> one;
      one[0] = c[i];
      const std::uint32_t row = at.row + first + lane / 4 + i / 2 % 2 * 8, column = at.column + lane % 4 * 2;
      store<element>(to, offset_in_c(args, row, column + i / 4 * 8 + i % 2, element), convert_all<t.output>(one));
    }
  }
}

/// 64 rows of results to C, 16 bytes a lane: each warp passes its 16 rows through its part of `buffer`.
template <Arch arch, WarpgroupShape shape>
ZELLIGE_DEVICE void store_packets(const WarpgroupArgs& args, std::uint32_t buffer, const WarpgroupPlace& at,
                                  const float (&c)[shape.block_n / 2]) {
  constexpr WarpgroupShape t = shape;
  constexpr int element = bytes_of(t.output), row_bytes = t.store_row_bytes(), packets = row_bytes / 16;
  static_assert(t.store_columns() == t.block_n && packets % 2 == 0);
  const Buffer to = warpgroup_output<arch>(args, at.group, element);
  const std::uint32_t thread = thread_index() % warpgroup_threads, lane = thread % 32, first = thread / 32 * 16;
  __syncwarp();  // all lanes have read the tile before
  stage_sums<shape>(buffer, 0, c);
  __syncwarp();
  ZELLIGE_UNROLL
  for (int round = 0; round < packets / 2; ++round) {
    const std::uint32_t i = round * 32 + lane, r = first + i / packets, byte = i % packets * 16;
    const std::uint32_t offset = offset_in_c(args, at.row + r, at.column + byte / element, element);
    store<16>(to, offset, bit_cast<Packet<16>>(load_shared(buffer + swizzled_offset(r, byte, row_bytes))));
  }
}

/// A corner of C as its map counts: the column, then the other three axes.
struct StoreCorner {
  int column = 0, y = 0, z = 0, w = 0;
};

/// 64 rows of results through shared memory to C, in chunks of a row; two buffers, so that writing one overlaps the
/// store of the other. `stores` counts the chunks of all tiles. Barrier `barrier` is the warpgroup's own.
template <WarpgroupShape shape>
ZELLIGE_DEVICE void store_rows(const TensorMap& map, std::uint32_t buffers, std::uint32_t& stores, int barrier,
                               const StoreCorner& at, const float (&c)[shape.block_n / 2]) {
  constexpr WarpgroupShape t = shape;
  constexpr int columns = t.store_columns(), chunks = t.block_n / columns;
  const std::uint32_t thread = thread_index() % warpgroup_threads;
  ZELLIGE_UNROLL
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const std::uint32_t buffer = buffers + stores++ % 2 * t.store_bytes();
    if (thread == 0) store_wait_read<1>();
    barrier_named(barrier, warpgroup_threads);
    stage_sums<shape>(buffer, chunk, c);
    async_proxy_fence();
    barrier_named(barrier, warpgroup_threads);
    if (thread == 0) {
      store_box(map, buffer, at.column + chunk * columns, at.y, at.z, at.w);
      store_commit();
    }
  }
}

/// The slices of a tile meet: each sends its sums to the slices that own the rows, and adds up the rows of its own in
/// the order of the slices. A workgroup of a cluster does this once. What it receives has room of its own, so that
/// others may send while it still multiplies, and before it said how many bytes it expects: its own arrival is what the
/// barrier lacks. It ends after all bytes that were sent to it have come; nobody sends to one that owns no rows.
template <Arch arch, WarpgroupShape shape>
ZELLIGE_DEVICE void fold_slices(const WarpgroupArgs& args, const WarpgroupShared<shape>& shared,
                                const WarpgroupPlace& at, const float (&c)[shape.block_n / 2]) {
  constexpr WarpgroupShape t = shape;
  constexpr std::uint32_t threads = t.consumers() * warpgroup_threads, quads = t.block_n / 4;
  constexpr std::uint32_t share = t.fold_rows(), pitch = t.fold_pitch();
  const std::uint32_t thread = thread_index(), lane = thread % 32, warp = thread / 32;
  const std::uint32_t rows = min_of<std::uint32_t>(t.block_m, args.m - at.row);  // that exist
  const std::uint32_t first = min_of(at.slice * share, rows), owned = min_of(share, rows - first);
  if (thread == 0) barrier_arrive_expect(shared.received, static_cast<int>(t.cluster * owned * t.block_n * 4));
  cluster_wait();  // the barriers of all are there
  ZELLIGE_UNROLL
  for (int half = 0; half < 2; ++half) {
    const std::uint32_t row = warp * 16 + lane / 4 + half * 8, owner = row / share;
    const std::uint32_t place = shared.results + (at.slice * share + row % share) * pitch + lane % 4 * 8;
    const std::uint32_t to = remote_address(place, owner), barrier = remote_address(shared.received, owner);
    if (row >= rows) continue;
    ZELLIGE_UNROLL
    for (int j = 0; j < t.block_n / 8; ++j)
      send_pair(to + j * 32, barrier, c[j * 4 + half * 2], c[j * 4 + half * 2 + 1]);
  }
  barrier_wait_cluster(shared.received, 0);
  constexpr int element = bytes_of(t.output);
  const Buffer to = warpgroup_output<arch>(args, at.group, element);
  for (std::uint32_t i = thread; i < owned * quads; i += threads) {
    const std::uint32_t in_share = i / quads, column = i % quads * 4;
    vec<float, 4> parts[t.cluster];
    ZELLIGE_UNROLL
    for (int s = 0; s < t.cluster; ++s)
      parts[s] = load_shared(shared.results + (s * share + in_share) * pitch + column * 4);
    vec<float, 4> sum = parts[0];
    ZELLIGE_UNROLL
    for (int s = 1; s < t.cluster; ++s) {
      ZELLIGE_UNROLL
      for (int j = 0; j < 4; ++j) sum[j] += parts[s][j];
    }
    const std::uint32_t m = at.row + first + in_share, n = at.column + column;
    const std::uint32_t offset = n < args.n ? m * args.row_bytes_c + n * element : out_of_range;
    if (args.epilogue.flags != 0) [[unlikely]]
      apply_epilogue<t.output>(args.epilogue, warpgroup_sources<arch>(args, at.group, element), n, offset, sum);
    store<4 * element>(to, offset, convert_all<t.output>(sum));
  }
}

#endif

}  // namespace zellige
