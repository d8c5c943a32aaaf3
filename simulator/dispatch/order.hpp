// Orders of workgroups and waves: ascending, or a permutation that a seed chooses.
#pragma once

#include <cstdint>
#include <vector>

namespace zellige::sim {

/// A well-mixed 64-bit hash (the finaliser of splitmix64).
constexpr std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

/// A bijection of [0, count) chosen by a seed, in constant memory: a four-round Feistel network over the next even
/// power of two, walked until it lands inside. Seed 0 is the identity.
class Permutation {
 public:
  Permutation(std::uint64_t count, std::uint64_t seed) : count_(count), seed_(seed) {
    while (half_bits_ < 32 && std::uint64_t{1} << (2 * half_bits_) < count) ++half_bits_;
  }

  std::uint64_t operator()(std::uint64_t index) const {
    if (seed_ == 0 || count_ < 2) return index;
    do index = once(index);
    while (index >= count_);
    return index;
  }

 private:
  std::uint64_t once(std::uint64_t value) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = value >> half_bits_, right = value & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (mix(right ^ mix(seed_ + round)) & mask);
      left = right;
      right = next;
    }
    return left << half_bits_ | right;
  }

  std::uint64_t count_, seed_;
  int half_bits_ = 1;
};

/// Shuffles `order` by a seed (Fisher-Yates); seed 0 leaves it.
inline void shuffle(std::vector<int>& order, std::uint64_t seed) {
  if (seed == 0) return;
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[mix(seed + i) % i]);
}

}  // namespace zellige::sim
