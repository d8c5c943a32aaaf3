// How many 128-byte lines one access touches: what caches see of a closely observed workgroup.
#pragma once

#include <cstdint>

namespace zellige::sim {

/// Distinct lines of `bytes` bytes at base + offsets[lane] of the lanes in `mask`, which is not 0.
std::uint32_t touched_lines(std::uint64_t mask, std::uint64_t base, const std::uint32_t* offsets, std::uint32_t bytes);

/// The same at the addresses at[lane].
std::uint32_t touched_lines(std::uint64_t mask, const std::uint64_t* at, std::uint32_t bytes);

}  // namespace zellige::sim
