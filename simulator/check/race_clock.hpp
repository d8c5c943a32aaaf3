// Vector clocks of the race check: how much of each wave's memory operations another wave is known to come after.
//
// A wave numbers its operations from 1, by Part: the operations of a part are performed in the order of their numbers,
// so that "waited for all but the newest n" is one number. An operation is known to come before a wave when its number
// is at most the wave's WaveProgress for it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simulator/check/race_rules.hpp"

namespace zellige::sim {

/// Kinds of operations that are waited for apart.
enum class Part : std::uint8_t {
  lds,           ///< LDS instructions
  lds_copy,      ///< the LDS side of copies from global memory that the load counter counts
  load,          ///< loads of global memory and atomics that return
  store,         ///< stores, and atomics that do not return
  async,         ///< both sides of asynchronous copies
  tensor,        ///< both sides of tensor copies
  written_back,  ///< no operation: stores (by their number as Part::store) that a write-back has made visible to the
                 ///< agent
  count,
};
inline constexpr int race_parts = 8;  // padded to a whole host vector

/// What is known of one wave's operations.
struct alignas(32) WaveProgress {
  std::uint32_t at[race_parts] = {};
  std::uint32_t& operator[](Part part) { return at[static_cast<int>(part)]; }
  std::uint32_t operator[](Part part) const { return at[static_cast<int>(part)]; }
  void join(const WaveProgress& other) {
    for (int i = 0; i < race_parts; ++i) at[i] = std::max(at[i], other.at[i]);
  }
};

/// By the position of the waves in their workgroup.
using GroupClock = std::vector<WaveProgress>;

inline void join(GroupClock& clock, const GroupClock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i].join(other[i]);
}

struct SyncObject;

/// What a wave has read of a synchronising location: its releases [from, x) are known, x by what was done after the
/// reading. A read counts for an invalidation only after the wait for it (`number`, of Part::load).
struct Acquired {
  SyncObject* object = nullptr;
  std::uint32_t from = 0;
  std::uint32_t seen = 0;    ///< read
  std::uint32_t near = 0;    ///< ... and the near cache invalidated
  std::uint32_t outer = 0;   ///< another wave of the workgroup invalidated far; this one's near cache is still stale
  std::uint32_t far = 0;     ///< ... and all caches invalidated
  std::uint32_t number = 0;  ///< of the newest reading
};

/// What a wave publishes when it writes to a synchronising location or arrives at a barrier of its cluster. Never
/// changes, so that many locations share one.
struct Release {
  std::uint32_t group = 0;
  int position = 0;  ///< of the wave in its group
  GroupClock clock;
  std::uint32_t loads = 0, stores = 0;  ///< begun, for readers that share the wave's in-order path to memory
  std::vector<Acquired> acquired;
};

/// A location that atomic operations use, or one round of a cluster's barrier.
struct SyncObject {
  std::vector<std::shared_ptr<const Release>> releases;
  std::uint32_t head = 0;  ///< where the release sequence in progress begins: a plain store begins one
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_group;  ///< positions in `releases`
  std::vector<std::uint32_t> passing_on;  ///< positions of releases whose wave knew more than this sequence
};

}  // namespace zellige::sim
