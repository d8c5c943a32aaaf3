// What a closely observed workgroup does to caches: a tag array with least-recently-used replacement, and the set of
// distinct lines that it met.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace zellige::sim {

/// Tags of a set-associative cache of `bytes` in lines of `line_bytes`; lines are numbered by address / line_bytes.
class CacheTags {
 public:
  CacheTags() = default;
  CacheTags(std::uint32_t bytes, std::uint32_t line_bytes, std::uint32_t ways)
      : ways_(std::max(1u, std::min(ways, bytes / line_bytes))), sets_(std::max(1u, bytes / line_bytes / ways_)) {
    clear();
  }
  void clear() { tags_.assign(std::size_t{ways_} * sets_, ~std::uint64_t{0}); }

  /// Whether the line is there. Afterwards it is, as the one used last.
  bool touch(std::uint64_t line) {
    // A set's tags stand in the order of their use, the last one used first.
    const auto set = tags_.begin() + static_cast<std::ptrdiff_t>(line % sets_ * ways_);
    const auto found = std::find(set, set + ways_, line);
    const bool hit = found != set + ways_;
    std::move_backward(set, hit ? found : set + ways_ - 1, hit ? found + 1 : set + ways_);
    *set = line;
    return hit;
  }

 private:
  std::uint32_t ways_ = 1, sets_ = 1;
  std::vector<std::uint64_t> tags_;
};

/// A set of line numbers, bounded so that memory does not grow with what a workgroup reads: beyond `most` lines every
/// line counts as new.
class LineSet {
 public:
  static constexpr std::size_t most = std::size_t{1} << 20;

  /// True when the line was not there.
  bool insert(std::uint64_t line) {
    if (size_ >= most) {
      const bool fresh = !contains(line);
      beyond_ += fresh;
      return fresh;
    }
    if (2 * (size_ + 1) > slots_.size()) grow();
    std::uint64_t& slot = slots_[find(line)];
    if (slot == line + 1) return false;
    slot = line + 1;
    ++size_;
    return true;
  }
  bool contains(std::uint64_t line) const { return !slots_.empty() && slots_[find(line)] == line + 1; }
  std::size_t size() const { return size_ + beyond_; }
  void clear() { slots_.clear(), size_ = beyond_ = 0; }

  /// How many lines the two sets hold together.
  static std::size_t union_size(const LineSet& a, const LineSet& b) {
    const bool a_larger = a.size() >= b.size();
    const LineSet &large = a_larger ? a : b, &small = a_larger ? b : a;
    std::size_t result = large.size() + small.beyond_;
    for (const std::uint64_t slot : small.slots_)
      if (slot != 0 && !large.contains(slot - 1)) ++result;
    return result;
  }

 private:
  /// The slot of `line` (stored as line + 1), or the free one where it would go.
  std::size_t find(std::uint64_t line) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (line * 0x9e3779b97f4a7c15ull) >> 20 & mask;
    while (slots_[at] != 0 && slots_[at] != line + 1) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<std::uint64_t> old(std::max<std::size_t>(64, 2 * slots_.size()), 0);
    old.swap(slots_);
    for (const std::uint64_t slot : old)
      if (slot != 0) slots_[find(slot - 1)] = slot;
  }

  std::vector<std::uint64_t> slots_;  ///< a power of two; 0 is free
  std::size_t size_ = 0, beyond_ = 0;
};

}  // namespace zellige::sim
