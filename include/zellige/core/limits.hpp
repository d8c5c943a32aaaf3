// The bounds rule of global memory: one offset that is past the end of every legal tensor.
//
// Padding, ragged edges and prefetches past the end of a reduction all use it, so that kernels need no branches for
// them.
#pragma once

#include "zellige/core/platform.hpp"

namespace zellige {

/// Loads at this byte offset give zeros, stores to it vanish, whatever the tensor.
inline constexpr std::uint32_t out_of_range = 0x7fffffffu;

/// The largest tensor, in bytes, that one dispatch addresses: out_of_range must lie at or past its end.
inline constexpr std::int64_t max_buffer_bytes = 0x7fffffff;

}  // namespace zellige
