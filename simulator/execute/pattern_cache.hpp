// Remembers what counting an access pattern gave, since a kernel's loop repeats the same few patterns.
//
// Law: bank conflicts and touched lines depend on the lanes' addresses relative to one another and on the first one modulo
// the width of all banks (or of a line), on nothing else. A pattern that was met is therefore counted once: comparing 64
// offsets is many times cheaper than counting again, and the result is the same.
#pragma once

#include <cstdint>

#include "simulator/execute/wave.hpp"

namespace zellige::sim {

/// One access: lanes `active` at offsets[lane] plus a common base, whose first address modulo the period is `phase`.
struct AccessPattern {
  std::uint64_t active = 0;
  std::uint64_t kind = 0;   ///< what else the result depends on: bytes, direction, target
  std::uint32_t phase = 0;
  const std::uint32_t* offsets = nullptr;
};

template <class Result>
class PatternCache {
 public:
  /// The result of `pattern`: remembered, or counted by count() and kept.
  template <class Count>
  const Result& get(const AccessPattern& pattern, Count count) {
    const std::uint32_t first = pattern.offsets[__builtin_ctzll(pattern.active)];
    Entry& entry = entries_[slot_of(pattern, first)];
    std::uint32_t different = entry.active != pattern.active || entry.kind != pattern.kind || entry.phase != pattern.phase;
    for (int lane = 0; lane < row_lanes; ++lane)
      different |= (entry.relative[lane] ^ (pattern.offsets[lane] - first)) & (0u - static_cast<std::uint32_t>(pattern.active >> lane & 1));
    if (different == 0) return entry.result;
    entry.active = pattern.active;
    entry.kind = pattern.kind;
    entry.phase = pattern.phase;
    for (int lane = 0; lane < row_lanes; ++lane) entry.relative[lane] = pattern.offsets[lane] - first;
    entry.result = count();
    return entry.result;
  }

 private:
  static constexpr std::uint32_t slots = 256;

  struct Entry {
    std::uint64_t active = 0, kind = 0;
    std::uint32_t phase = 0;
    alignas(32) std::uint32_t relative[row_lanes] = {};
    Result result{};
  };

  static std::uint32_t slot_of(const AccessPattern& pattern, std::uint32_t first) {
    const int last = 63 - __builtin_clzll(pattern.active);
    std::uint64_t hash = pattern.kind * 0x9e3779b97f4a7c15ull + pattern.phase;
    hash = (hash ^ (pattern.offsets[last] - first)) * 0x9e3779b97f4a7c15ull;
    hash = (hash ^ (pattern.offsets[last / 2] - first)) * 0x9e3779b97f4a7c15ull;
    return static_cast<std::uint32_t>(hash >> 32) % slots;
  }

  Entry entries_[slots];
};

}  // namespace zellige::sim
