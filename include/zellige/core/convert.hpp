// An accumulator to the bits of an output element, rounded to nearest even: by the target's own instructions on the
// device.
#pragma once

#include "zellige/core/types.hpp"
#include "zellige/core/vec.hpp"

#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace zellige {

/// The bits of `value` as `type`: 16-bit types in a vec<uint16_t, 1>, f32 in a vec<uint32_t, 1>.
template <DataType type>
ZELLIGE_DEVICE auto convert(float value) {
  if constexpr (type == DataType::f32) {
    vec<std::uint32_t, 1> bits;
    bits[0] = __builtin_bit_cast(std::uint32_t, value);
    return bits;
  } else {
    vec<std::uint16_t, 1> bits;
#if ZELLIGE_DEVICE_PASS && defined(__HIP__)
    if constexpr (type == DataType::f16)
      bits[0] = __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(value));
    else
      bits[0] = __builtin_bit_cast(std::uint16_t, static_cast<__bf16>(value));
#elif ZELLIGE_DEVICE_PASS
    if constexpr (type == DataType::f16)
      bits[0] = __half_as_ushort(__float2half_rn(value));
    else
      bits[0] = __bfloat16_as_ushort(__float2bfloat16_rn(value));
#else
    bits[0] = from_float<storage_t<type>>(value).bits;
#endif
    return bits;
  }
}

}  // namespace zellige
