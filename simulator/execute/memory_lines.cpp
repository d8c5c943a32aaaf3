// Counting lines: see memory_lines.hpp.
#include "simulator/execute/memory_lines.hpp"

#include "simulator/execute/pattern_cache.hpp"
#include "simulator/timing/observation.hpp"

namespace zellige::sim {
namespace {

constexpr std::uint64_t line = 128;

template <class Address>
std::uint32_t count_distinct(std::uint64_t mask, std::uint32_t bytes, Address address) {
  std::uint64_t lines[2 * row_lanes];
  int count = 0;
  for (; mask != 0; mask &= mask - 1) {
    const std::uint64_t first = address(__builtin_ctzll(mask)), last = first + bytes - 1;
    for (std::uint64_t touched = first / line; touched <= last / line; ++touched) {
      bool seen = false;
      for (int i = count - 1; i >= 0 && !seen; --i) seen = lines[i] == touched;
      if (!seen) lines[count++] = touched;
    }
  }
  return static_cast<std::uint32_t>(count);
}

}  // namespace

std::uint32_t touched_lines(std::uint64_t mask, std::uint64_t base, const std::uint32_t* offsets, std::uint32_t bytes) {
  if (Observation* observation = Observation::current())
    observation->access_rows(mask, bytes, base, offsets);
  static thread_local PatternCache<std::uint32_t> cache;
  const std::uint64_t first = base + offsets[__builtin_ctzll(mask)];
  const AccessPattern pattern{mask, bytes, static_cast<std::uint32_t>(first % line), offsets};
  return cache.get(pattern, [&] { return count_distinct(mask, bytes, [&](int lane) { return base + offsets[lane]; }); });
}

std::uint32_t touched_lines(std::uint64_t mask, const std::uint64_t* at, std::uint32_t bytes) {
  if (Observation* observation = Observation::current())
    observation->access(mask, bytes, [&](int lane) { return at[lane]; });
  return count_distinct(mask, bytes, [&](int lane) { return at[lane]; });
}

}  // namespace zellige::sim
