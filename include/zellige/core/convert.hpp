// An accumulator to the bits of an output element, rounded to nearest even: by the target's own instructions on the
// device.
#pragma once

#include <type_traits>

#include "zellige/core/types.hpp"
#include "zellige/core/vec.hpp"

#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace zellige {

/// The bits of an accumulator as `type`, in a vec of as many bytes: f16 and bf16 of an f32 one; f32, f64 and i32 of any
/// whose range `type` covers (check_types() in gemm/check.hpp lists the pairs).
template <DataType type, class Accumulator>
ZELLIGE_DEVICE auto convert(Accumulator value) {
  if constexpr (type == DataType::f16 || type == DataType::bf16) {
    static_assert(std::is_same_v<Accumulator, float>, "16-bit outputs are rounded from f32 accumulators");
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
  } else {
    const auto result = static_cast<storage_t<type>>(value);
    return bit_cast<vec<std::uint32_t, sizeof(result) / 4>>(result);
  }
}

/// The bits of an element of type `type` as a number of an accumulator's type. Exact.
template <DataType type, class Accumulator, class Bits>
ZELLIGE_DEVICE Accumulator widen(const Bits& bits) {
  if constexpr (type == DataType::f16) {
#if ZELLIGE_DEVICE_PASS && defined(__HIP__)
    return static_cast<Accumulator>(__builtin_bit_cast(_Float16, static_cast<std::uint16_t>(bits[0])));
#elif ZELLIGE_DEVICE_PASS
    return __half2float(__ushort_as_half(bits[0]));
#else
    return to_float(f16{static_cast<std::uint16_t>(bits[0])});
#endif
  } else if constexpr (type == DataType::bf16) {
    return static_cast<Accumulator>(to_float(bf16{static_cast<std::uint16_t>(bits[0])}));
  } else {
    return static_cast<Accumulator>(bit_cast<storage_t<type>>(bits));
  }
}

}  // namespace zellige
