// The bulk tensor copy engine of NVIDIA targets and the barriers that its copies complete on.
//
// A TensorMap describes a tensor in global memory and the box that one copy moves; the host encodes it (host/
// tensor_map.hpp). One thread issues a copy of a whole tile; elements outside the tensor arrive as zeros, and are
// dropped by stores. Tiles in shared memory are rows of 32, 64 or 128 bytes, swizzled, and begin at a multiple of 8
// rows; or rows of any multiple of 16 bytes, as they are, from a multiple of 128 bytes on. A box begins at a multiple
// of 16 bytes along the contiguous axis: elsewhere the copy is an illegal instruction.
//
// The laws of order. What a copy wrote is there for whoever waited on its barrier. What threads wrote is there for the
// engine and for wgmma after async_proxy_fence() in each of the writers, then a barrier. What threads or wgmma read may
// be overwritten by a copy whose issuer waited on a barrier at which they arrived afterwards; what a store reads, by
// threads that met its issuer after its store_wait_read(). A wait knows its phase by parity alone: whoever waits must
// know that the phase before it is over.
//
// Source: the PTX ISA manual, "Data movement and conversion: tensor copy" and "mbarrier".
#pragma once

#include "zellige/core/vec.hpp"

namespace zellige {

/// The hardware's 128-byte description of a tensor, opaque: CUtensorMap.
struct alignas(64) TensorMap {
  std::uint64_t words[16] = {};
};

#if defined(__CUDACC__)

/// The address of `pointer`, which points to shared memory, in that space.
ZELLIGE_DEVICE std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// A barrier in shared memory at `barrier` that `arrivals` arrivals and the bytes expected complete.
ZELLIGE_DEVICE void barrier_init(std::uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}
/// Makes barrier_init() visible to the copy engine and, in a cluster, to the other workgroups.
ZELLIGE_DEVICE void barrier_init_fence() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

ZELLIGE_DEVICE void barrier_arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// Arrives, and lets the phase wait for `bytes` of copies.
ZELLIGE_DEVICE void barrier_arrive_expect(std::uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
/// Waits for the end of the phase of this parity.
ZELLIGE_DEVICE void barrier_wait(std::uint32_t barrier, std::uint32_t parity) {
  asm volatile(
      "{\n.reg .pred done;\nwait:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra ready;\nbra wait;\nready:\n}\n" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

/// True in one thread of a warp that is all there.
ZELLIGE_DEVICE bool elect_one() {
  std::uint32_t elected;
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}\n" : "=r"(elected));
  return elected != 0;
}

ZELLIGE_DEVICE void prefetch_map(const TensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

/// Copies the box at (x, y) (x: elements along the contiguous axis) to `tile`; completes on `barrier`.
ZELLIGE_DEVICE void copy_box(std::uint32_t tile, const TensorMap& map, std::uint32_t barrier, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::
          "r"(tile),
      "l"(&map), "r"(barrier), "r"(x), "r"(y)
      : "memory");
}
ZELLIGE_DEVICE void copy_box(std::uint32_t tile, const TensorMap& map, std::uint32_t barrier, int x, int y, int z) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], "
      "[%2];" ::"r"(tile),
      "l"(&map), "r"(barrier), "r"(x), "r"(y), "r"(z)
      : "memory");
}

ZELLIGE_DEVICE void copy_box(std::uint32_t tile, const TensorMap& map, std::uint32_t barrier, int x, int y, int z,
                             int w) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], "
      "[%2];" ::"r"(tile),
      "l"(&map), "r"(barrier), "r"(x), "r"(y), "r"(z), "r"(w)
      : "memory");
}

/// Copies consecutive pixels of an image tensor (channel, w, h, image): the first at (w, h, image), the next `stride`
/// further in w, on in the next row past the box that the map states, each moved by (tap_w, tap_h).
ZELLIGE_DEVICE void copy_pixels(std::uint32_t tile, const TensorMap& map, std::uint32_t barrier, int channel, int w,
                                int h, int image, std::uint16_t tap_w, std::uint16_t tap_h) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, "
      "%6}], "
      "[%2], {%7, %8};" ::"r"(tile),
      "l"(&map), "r"(barrier), "r"(channel), "r"(w), "r"(h), "r"(image), "h"(tap_w), "h"(tap_h)
      : "memory");
}

/// The same of an image whose rows lie `stride` apart (TensorMapShape::image of rank 5): channel, w, every stride-th
/// row, image, and which of the rows between.
ZELLIGE_DEVICE void copy_pixels(std::uint32_t tile, const TensorMap& map, std::uint32_t barrier, int channel, int w,
                                int h, int image, int between, std::uint16_t tap_w) {
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, "
      "%7}], [%2], {%8, %9, %9};" ::"r"(tile),
      "l"(&map), "r"(barrier), "r"(channel), "r"(w), "r"(h), "r"(image), "r"(between), "h"(tap_w),
      "h"(static_cast<std::uint16_t>(0))
      : "memory");
}

/// Starts to store `tile` to the box at (x, y, z, w): store_commit() and store_wait_read() of the same thread follow.
ZELLIGE_DEVICE void store_box(const TensorMap& map, std::uint32_t tile, int x, int y, int z, int w) {
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(&map),
               "r"(tile), "r"(x), "r"(y), "r"(z), "r"(w)
               : "memory");
}
ZELLIGE_DEVICE void store_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
/// Waits until at most `groups` of the last stores still read shared memory.
template <int groups>
ZELLIGE_DEVICE void store_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(groups) : "memory");
}

/// Ordinary writes to shared memory of this thread are visible to the copy engine and wgmma.
ZELLIGE_DEVICE void async_proxy_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/// All `threads` that name barrier `id` (1 to 15) arrive.
ZELLIGE_DEVICE void barrier_named(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/// The barrier of a cluster: every thread of all its workgroups arrives or has left, then those wait that need to; the
/// others may end. It makes no writes visible but those of barrier_init() before barrier_init_fence().
ZELLIGE_DEVICE void cluster_arrive() { asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory"); }
ZELLIGE_DEVICE void cluster_wait() { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }

/// `address` of this workgroup's shared memory, in the workgroup `rank` of the cluster.
ZELLIGE_DEVICE std::uint32_t remote_address(std::uint32_t address, std::uint32_t rank) {
  std::uint32_t remote;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(address), "r"(rank));
  return remote;
}
/// Stores two floats in the shared memory of a workgroup of the cluster; their 8 bytes complete on `barrier` there.
/// That workgroup must have passed barrier_init_fence() and may not end before they came; the sender may.
ZELLIGE_DEVICE void send_pair(std::uint32_t remote, std::uint32_t barrier, float x, float y) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];" ::"r"(remote),
               "f"(x), "f"(y), "r"(barrier)
               : "memory");
}
/// barrier_wait() for what other workgroups of the cluster sent.
ZELLIGE_DEVICE void barrier_wait_cluster(std::uint32_t barrier, std::uint32_t parity) {
  asm volatile(
      "{\n.reg .pred done;\nwait:\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
      "@done bra ready;\nbra wait;\nready:\n}\n" ::"r"(barrier),
      "r"(parity)
      : "memory");
}
/// A word, and four floats, at `address` of this workgroup's shared memory.
ZELLIGE_DEVICE std::uint32_t load_shared_word(std::uint32_t address) {
  std::uint32_t bits;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(bits) : "r"(address) : "memory");
  return bits;
}
ZELLIGE_DEVICE void store_shared_word(std::uint32_t address, std::uint32_t bits) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(bits) : "memory");
}
ZELLIGE_DEVICE vec<float, 4> load_shared(std::uint32_t address) {
  vec<float, 4> value;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(value[0]), "=f"(value[1]), "=f"(value[2]), "=f"(value[3])
               : "r"(address)
               : "memory");
  return value;
}

template <int registers>
ZELLIGE_DEVICE void release_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
ZELLIGE_DEVICE void claim_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

#endif

}  // namespace zellige
