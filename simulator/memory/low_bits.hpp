// A word with its lowest bits set.
#pragma once

#include <cstdint>

namespace zellige::sim {

/// `count` ones from bit 0 up; 64 or more: all.
constexpr std::uint64_t low_bits(std::uint64_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace zellige::sim
