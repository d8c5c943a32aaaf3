// One bit for each byte of a range that begins at 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/memory/low_bits.hpp"

namespace zellige::sim {

class ByteBits {
 public:
  /// All clear.
  void reset(std::size_t bytes) { words_.assign(bytes / 64 + 2, 0); }
  /// `count` is at most 64. Bytes past the end are nobody's: false, and no effect.
  bool all(std::uint64_t at, std::uint32_t count) const {
    if (at % 64 + count > 64 || !holds(at)) return (bits(at) & low_bits(count)) == low_bits(count);
    const std::uint64_t wanted = low_bits(count) << (at % 64);
    return (words_[at / 64] & wanted) == wanted;
  }
  bool any(std::uint64_t at, std::uint32_t count) const { return (bits(at) & low_bits(count)) != 0; }
  void set(std::uint64_t at, std::uint32_t count) { change(at, count, true); }
  void clear(std::uint64_t at, std::uint32_t count) { change(at, count, false); }
  /// Bytes 64 `number` and on.
  std::uint64_t* word(std::uint64_t number) { return words_.data() + number; }
  bool holds(std::uint64_t at) const { return at / 64 + 1 < words_.size(); }
  /// Bits from byte `at` on, 64 of them.
  std::uint64_t bits(std::uint64_t at) const {
    if (!holds(at)) return 0;
    const std::uint64_t low = words_[at / 64] >> (at % 64);
    return at % 64 == 0 ? low : low | words_[at / 64 + 1] << (64 - at % 64);
  }

 private:
  void change(std::uint64_t at, std::uint32_t count, bool on) {
    if (!holds(at)) return;
    const std::uint64_t low = low_bits(count) << (at % 64);
    const std::uint64_t high = at % 64 == 0 ? 0 : low_bits(count) >> (64 - at % 64);
    std::uint64_t& first = words_[at / 64];
    if (on && (first & low) == low && high == 0) return;
    std::uint64_t& second = words_[at / 64 + 1];
    first = on ? first | low : first & ~low;
    second = on ? second | high : second & ~high;
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace zellige::sim
