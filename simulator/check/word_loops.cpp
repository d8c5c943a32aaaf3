// The loops of word_loops.hpp, compiled twice.
#include "simulator/check/word_loops.hpp"

#include <algorithm>

#include "simulator/execute/wave.hpp"

// Chosen when the program is loaded.
#define ZELLIGE_SIM_HOST_VECTORS [[gnu::target_clones("avx2", "default")]]

namespace zellige::sim {

ZELLIGE_SIM_HOST_VECTORS std::uint64_t met_by_read(const std::uint64_t* bits, const std::uint64_t* written,
                                                   const std::uint64_t* own, const std::uint64_t* exact,
                                                   std::uint32_t count) {
  std::uint64_t met = 0;
  for (std::uint32_t i = 0; i < count; ++i) met |= bits[i] & ((written[i] & ~own[i]) | exact[i]);
  return met;
}

ZELLIGE_SIM_HOST_VECTORS std::uint64_t met_by_write(const std::uint64_t* bits, const std::uint64_t* written,
                                                    const std::uint64_t* own, const std::uint64_t* read,
                                                    const std::uint64_t* own_read, const std::uint64_t* shared,
                                                    const std::uint64_t* exact, std::uint32_t count) {
  std::uint64_t met = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    met |= bits[i] & ((written[i] & ~own[i]) | (read[i] & ~own_read[i]) | shared[i] | exact[i]);
  return met;
}

ZELLIGE_SIM_HOST_VECTORS void mark_read(const std::uint64_t* __restrict bits, std::uint64_t* __restrict read,
                                        std::uint64_t* __restrict own_read, std::uint64_t* __restrict shared,
                                        std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    shared[i] |= bits[i] & read[i] & ~own_read[i];
    read[i] |= bits[i];
    own_read[i] |= bits[i];
  }
}

ZELLIGE_SIM_HOST_VECTORS void set_bits(const std::uint64_t* __restrict bits, std::uint64_t* __restrict to,
                                       std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) to[i] |= bits[i];
}

ZELLIGE_SIM_HOST_VECTORS std::uint64_t missing_bits(const std::uint64_t* bits, const std::uint64_t* of,
                                                    std::uint32_t count) {
  std::uint64_t missing = 0;
  for (std::uint32_t i = 0; i < count; ++i) missing |= bits[i] & ~of[i];
  return missing;
}

ZELLIGE_SIM_HOST_VECTORS bool same_differences(const std::uint32_t* row, std::uint32_t first,
                                               const std::uint32_t* relative, const std::uint32_t* member) {
  std::uint32_t different = 0;
  for (int lane = 0; lane < row_lanes; ++lane) different |= ((row[lane] - first) ^ relative[lane]) & member[lane];
  return different == 0;
}

ZELLIGE_SIM_HOST_VECTORS std::uint32_t largest_of(const std::uint32_t* row, std::uint64_t lanes) {
  std::uint32_t largest = 0;
  for (int lane = 0; lane < row_lanes; ++lane)
    largest = std::max(largest, row[lane] & (0u - static_cast<std::uint32_t>(lanes >> lane & 1)));
  return largest;
}

}  // namespace zellige::sim
