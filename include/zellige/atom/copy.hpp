// Copies between memory and registers, by width: global memory with a bounds rule, and LDS.
//
// A Packet is the bits of `bytes` consecutive bytes; what they mean does not matter to a copy. A Buffer is a tensor
// with its size: a load past the size gives zeros, a store past it vanishes. That one rule covers padding, ragged edges
// and the tiles that a prefetch reads past the end (core/limits.hpp).
#pragma once

#include <type_traits>

#include "zellige/core/arch.hpp"
#include "zellige/core/limits.hpp"
#include "zellige/core/vec.hpp"

namespace zellige {

template <int bytes>
using Packet =
    std::conditional_t<bytes == 1, vec<std::uint8_t, 1>,
                       std::conditional_t<bytes == 2, vec<std::uint16_t, 1>, vec<std::uint32_t, (bytes + 3) / 4>>>;

template <int bytes>
ZELLIGE_DEVICE Packet<bytes> zero_packet() {
  Packet<bytes> packet;
  ZELLIGE_UNROLL
  for (int i = 0; i < (bytes < 4 ? 1 : bytes / 4); ++i) packet[i] = 0;
  return packet;
}

/// Writes element `from_index` of `from` (elements of `bytes`) to place `index` of `to`, which holds zeros there.
template <int bytes, class To, class From>
ZELLIGE_DEVICE void put_element(To& to, int index, const From& from, int from_index) {
  if constexpr (bytes >= 4) {
    ZELLIGE_UNROLL
    for (int word = 0; word < bytes / 4; ++word) to[index * (bytes / 4) + word] = from[from_index * (bytes / 4) + word];
  } else {
    constexpr int packed = 4 / bytes, bits = 8 * bytes;  // elements in a word, bits of each
    constexpr std::uint32_t mask = (1u << bits) - 1;
    const std::uint32_t element = from[from_index / packed] >> (from_index % packed * bits) & mask;
    to[index / packed] |= element << (index % packed * bits);
  }
}

#if defined(__HIP__)

struct Buffer {
  __amdgpu_buffer_rsrc_t resource;
  const void* base;
};

template <Arch arch>
ZELLIGE_DEVICE Buffer make_buffer(const void* base, std::uint32_t bytes) {
  return {__builtin_amdgcn_make_buffer_rsrc(const_cast<void*>(base), 0, static_cast<int>(bytes),
                                            static_cast<int>(arch_traits(arch).buffer_word3)),
          base};
}

/// `bytes` (1, 2, 4, 8 or 16) at the lane's offset plus the wave's offset.
template <int bytes>
ZELLIGE_DEVICE Packet<bytes> load(const Buffer& buffer, std::uint32_t lane_offset, std::uint32_t wave_offset) {
  using P = Packet<bytes>;
  if constexpr (bytes == 16)
    return __builtin_bit_cast(P, __builtin_amdgcn_raw_buffer_load_b128(buffer.resource, lane_offset, wave_offset, 0));
  else if constexpr (bytes == 8)
    return __builtin_bit_cast(P, __builtin_amdgcn_raw_buffer_load_b64(buffer.resource, lane_offset, wave_offset, 0));
  else if constexpr (bytes == 4)
    return __builtin_bit_cast(P, __builtin_amdgcn_raw_buffer_load_b32(buffer.resource, lane_offset, wave_offset, 0));
  else if constexpr (bytes == 2)
    return __builtin_bit_cast(P, __builtin_amdgcn_raw_buffer_load_b16(buffer.resource, lane_offset, wave_offset, 0));
  else
    return __builtin_bit_cast(P, __builtin_amdgcn_raw_buffer_load_b8(buffer.resource, lane_offset, wave_offset, 0));
}

template <int bytes>
ZELLIGE_DEVICE void store(const Buffer& buffer, std::uint32_t lane_offset, Packet<bytes> value) {
  using B8 = std::uint32_t __attribute__((ext_vector_type(2)));
  using B16 = std::uint32_t __attribute__((ext_vector_type(4)));
  if constexpr (bytes == 16)
    __builtin_amdgcn_raw_buffer_store_b128(__builtin_bit_cast(B16, value), buffer.resource, lane_offset, 0, 0);
  else if constexpr (bytes == 8)
    __builtin_amdgcn_raw_buffer_store_b64(__builtin_bit_cast(B8, value), buffer.resource, lane_offset, 0, 0);
  else if constexpr (bytes == 4)
    __builtin_amdgcn_raw_buffer_store_b32(value[0], buffer.resource, lane_offset, 0, 0);
  else if constexpr (bytes == 2)
    __builtin_amdgcn_raw_buffer_store_b16(value[0], buffer.resource, lane_offset, 0, 0);
  else
    __builtin_amdgcn_raw_buffer_store_b8(value[0], buffer.resource, lane_offset, 0, 0);
}

#else

struct Buffer {
  char* base;
  std::uint32_t size;
};

template <Arch arch>
ZELLIGE_DEVICE Buffer make_buffer(const void* base, std::uint32_t bytes) {
  return {const_cast<char*>(static_cast<const char*>(base)), bytes};
}

template <int bytes>
ZELLIGE_DEVICE Packet<bytes> load(const Buffer& buffer, std::uint32_t lane_offset, std::uint32_t wave_offset) {
  const std::uint64_t offset = std::uint64_t{lane_offset} + wave_offset;
  return offset + bytes <= buffer.size ? *reinterpret_cast<const Packet<bytes>*>(buffer.base + offset)
                                       : zero_packet<bytes>();
}

template <int bytes>
ZELLIGE_DEVICE void store(const Buffer& buffer, std::uint32_t lane_offset, Packet<bytes> value) {
  if (std::uint64_t{lane_offset} + bytes <= buffer.size)
    *reinterpret_cast<Packet<bytes>*>(buffer.base + lane_offset) = value;
}

#endif

/// The workgroup's one pool of LDS, 16-byte aligned. Kernels carve it themselves. Where `bytes` are more than the
/// target's static_lds_bytes, the launch must ask for them (LaunchShape::dynamic_lds).
template <int bytes>
ZELLIGE_DEVICE char* lds_pool() {
#if ZELLIGE_DEVICE_PASS && defined(__HIP__)
  __attribute__((shared, aligned(16))) static char pool[bytes];
  return pool;
#elif ZELLIGE_DEVICE_PASS
  constexpr ArchTraits traits = arch_traits(this_arch());
  if constexpr (traits.static_lds_bytes != 0 && bytes > traits.static_lds_bytes) {
    extern __shared__ uint4 dynamic_pool[];
    return reinterpret_cast<char*>(dynamic_pool);
  } else {
    __shared__ uint4 pool[(bytes + 15) / 16];
    return reinterpret_cast<char*>(pool);
  }
#else
  return nullptr;
#endif
}

template <int bytes>
ZELLIGE_DEVICE Packet<bytes> load_lds(const char* address) {
  return *reinterpret_cast<const Packet<bytes>*>(address);
}

template <int bytes>
ZELLIGE_DEVICE void store_lds(char* address, Packet<bytes> value) {
  *reinterpret_cast<Packet<bytes>*>(address) = value;
}

}  // namespace zellige
