// Copies that go into LDS without registers, and reads that transpose what lies there. Few targets have them
// (ArchTraits::direct_to_lds_widths, transposed_lds_bytes).
//
// A direct copy fills `bytes` a lane from a wave-uniform place in LDS on: lane l's bytes land at lds + l * bytes. A
// lane whose element is out of range (core/limits.hpp) gets zeros. The bytes are there for the wave itself after
// wait_copies_to_lds(), for other waves after the barrier that follows (sync.hpp).
#pragma once

#include "zellige/atom/copy.hpp"
#include "zellige/atom/sync.hpp"

namespace zellige {

#if defined(__HIP__) && ZELLIGE_DEVICE_PASS

/// Starts the copy of `bytes` (4 or 16, or 8 where the target has it) a lane from the lane's offset plus the wave's
/// offset. Where a target's copies know no buffer's bounds, `lane_offset` must be out_of_range or in range: then they
/// read zeros from elsewhere. (AnyBuffer is Buffer: a dependent type keeps the compiler from checking the builtins'
/// sizes for targets that lack them.)
template <int bytes, class AnyBuffer>
ZELLIGE_DEVICE void copy_to_lds(const AnyBuffer& buffer, char* lds, [[maybe_unused]] std::uint32_t lane,
                                std::uint32_t lane_offset, std::uint32_t wave_offset) {
  constexpr ArchTraits traits = arch_traits(this_arch());
  if constexpr ((traits.direct_to_lds_widths >> bytes & 1u) == 0) {
    static_assert(bytes == 0, "check() refuses direct copies that the target lacks");
  } else if constexpr (traits.async_lds_loads) {
    __attribute__((device, aligned(16))) static const std::uint32_t zeros[4] = {};
    const char* const base = static_cast<const char*>(buffer.base) + wave_offset;
    const char* const from = lane_offset != out_of_range ? base + lane_offset : reinterpret_cast<const char*>(zeros);
    char* const to = lds + lane * bytes;
    if constexpr (bytes == 16) {
      using Four = int __attribute__((vector_size(16)));
      __builtin_amdgcn_global_load_async_to_lds_b128((__attribute__((address_space(1))) Four*)from,
                                                     (__attribute__((address_space(3))) Four*)to, 0, 0);
    } else if constexpr (bytes == 8) {
      using Two = int __attribute__((vector_size(8)));
      __builtin_amdgcn_global_load_async_to_lds_b64((__attribute__((address_space(1))) Two*)from,
                                                    (__attribute__((address_space(3))) Two*)to, 0, 0);
    } else {
      __builtin_amdgcn_global_load_async_to_lds_b32((__attribute__((address_space(1))) int*)from,
                                                    (__attribute__((address_space(3))) int*)to, 0, 0);
    }
  } else {
    // Not by the compiler's builtin: LLVM 22 has transposed reads wait for all of its copies, of whatever buffer. M0
    // takes the place in LDS, which a generic pointer has in its low half, and a wait state before the copy reads it.
    const std::uint32_t place = uniform(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(lds)));
    if constexpr (bytes == 16)
      asm volatile("s_mov_b32 m0, %0\n\ts_nop 0\n\tbuffer_load_dwordx4 %1, %2, %3 offen lds" ::"s"(place),
                   "v"(lane_offset), "s"(buffer.resource), "s"(wave_offset)
                   : "memory");
    else
      asm volatile("s_mov_b32 m0, %0\n\ts_nop 0\n\tbuffer_load_dword %1, %2, %3 offen lds" ::"s"(place),
                   "v"(lane_offset), "s"(buffer.resource), "s"(wave_offset)
                   : "memory");
  }
}

/// A transposed read of 2-byte elements; every lane of the wave must be active. `bytes` is transposed_lds_bytes, and
/// gives a lane e = bytes / 2 elements. Of each 64 / e lanes, lane j's address is that of e neighbours in row j * e * e
/// / 64 of e rows; lanes of the same row follow each other along it. Lane j gets element j of every row.
template <int bytes>
ZELLIGE_DEVICE Packet<bytes> load_lds_transposed(const char* address) {
  if constexpr (bytes == 16) {
    using Eight = short __attribute__((vector_size(16)));
    return bit_cast<Packet<bytes>>(
        __builtin_amdgcn_ds_load_tr16_b128_v8i16((__attribute__((address_space(3))) Eight*)address));
  } else {
    using Four = short __attribute__((vector_size(8)));
    return bit_cast<Packet<bytes>>(
        __builtin_amdgcn_ds_read_tr16_b64_v4i16((__attribute__((address_space(3))) Four*)address));
  }
}

#else

template <int bytes, class AnyBuffer>
ZELLIGE_DEVICE void copy_to_lds(const AnyBuffer&, char*, std::uint32_t, std::uint32_t, std::uint32_t) {
  static_assert(bytes == 0, "check() refuses direct copies that the target lacks");
}

template <int bytes>
ZELLIGE_DEVICE Packet<bytes> load_lds_transposed(const char*) {
  static_assert(bytes == 0, "check() refuses transposed reads that the target lacks");
}

#endif

}  // namespace zellige
