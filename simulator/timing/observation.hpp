// A closely observed workgroup: what it does to its compute unit's cache, and how long it would take alone.
//
// Law: observing changes no result. The workgroup has a compute unit of its own, with an empty vector cache. Each wave
// has a clock: instructions issue in order at the rates of issue.hpp; a read of a matrix or vector result waits for it;
// a wait instruction waits for the loads and stores before it, whose latency follows from the level of the hierarchy
// that had the line (the vector cache by its tags; the L2 what the workgroup touched before; beyond it the rest). A
// barrier lets the waves on at the time of the last one, and not before the LDS, the vector cache and the SIMDs could
// have done the work of all waves since the barrier before. The workgroup ends as at a barrier. Other workgroups are
// not there: contention is what predict()'s bounds are for.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "simulator/execute/workgroup.hpp"
#include "simulator/timing/cache.hpp"
#include "simulator/timing/issue.hpp"
#include "simulator/timing/memory_shape.hpp"
#include "simulator/timing/observed_counts.hpp"

namespace zellige::sim {

/// The distinct lines of one workgroup, kept for the estimate of what workgroups share.
struct TouchedLines {
  LineSet loaded, stored;
};

/// What a launch's observations rest on.
struct ObservationSetup {
  MemoryShape memory;
  const IssuePlan* issue = nullptr;
  int simds = 4;     ///< of the compute unit that the waves share
  bool far = false;  ///< first touches come from memory, as the launch's data do not fit the far cache
};

class Observation {
 public:
  /// The one that this host thread runs, nullptr: none. Handlers know nothing of it: what they count for any observed
  /// workgroup (memory_lines.hpp, lds_banks.hpp) is shown to it as well.
  static Observation* current();
  /// While it lives, the thread's.
  class Scope {
   public:
    explicit Scope(Observation* observation);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
  };

  void begin(const ObservationSetup& setup, std::size_t waves);

  /// A wave begins or goes on, and stops (at a barrier, at its end, or to let others run).
  void enter(const Wave& wave);
  void leave(const Wave& wave);
  /// Around every instruction between the two; `next` is where the wave goes on.
  void before(const Wave& wave, const Instruction* instruction);
  void after(const Wave& wave, const Instruction* next);

  /// One access of the instruction that runs: `bytes` at address(lane) of every lane in `mask`. Lanes that reach the
  /// LDS through its aperture touch no line; scratch is laid out as the hardware does it, lane beside lane in a dword.
  template <class Address>
  void access(std::uint64_t mask, std::uint32_t bytes, Address address);
  /// The same at base + offsets[lane].
  void access_rows(std::uint64_t mask, std::uint32_t bytes, std::uint64_t base, const std::uint32_t* offsets);
  void scalar_access(std::uint64_t address, std::uint32_t bytes);
  void lds_access(std::uint32_t cycles) { last_.lds_cycles += cycles; }

  /// Adds what the workgroup did to `counts`; its lines are left in touched().
  void finish(ObservedCounts& counts);
  TouchedLines& touched() { return touched_; }

 private:
  struct WaveClock {
    std::uint64_t now = 0, issued = 0, arrived = 0, matrix_free = 0;
    std::uint64_t barriers = 0;  ///< passed
    bool at_barrier = false;
    std::vector<std::uint64_t> readable;     ///< by vector row: when a result can be read
    std::vector<std::uint64_t> accumulated;  ///< when a matrix instruction can go on adding to it
    std::array<std::deque<std::uint64_t>, wait_counters> outstanding;  ///< completion times, in order
  };
  struct LastAccess {
    int level = 0;  ///< latency in clocks of its slowest line; 0: none
    std::uint32_t clocks = 0, lds_cycles = 0;
  };
  /// Work of all waves since the last barrier, in clocks of the unit that does it.
  struct Phase {
    std::uint64_t lds = 0, l1 = 0, matrix = 0, vector = 0;
  };

  /// The distinct lines of one access, in the order in which they are met; the newest are looked at first, as
  /// neighbours share lines.
  class Lines {
   public:
    static constexpr int most = 8 * row_lanes;  ///< a lane's 16 bytes: two lines, or four dwords of scratch
    explicit Lines(std::uint32_t line_bytes) : line_bytes_(line_bytes) {}
    void add(std::uint64_t first, std::uint32_t bytes) {
      const std::uint64_t last = (first + bytes - 1) / line_bytes_;
      for (std::uint64_t line = first / line_bytes_; line <= last; ++line) {
        bool seen = false;
        for (int i = count_ - 1; i >= 0 && !seen; --i) seen = lines_[i] == line;
        if (!seen) lines_[count_++] = line;
      }
    }
    const std::uint64_t* data() const { return lines_; }
    int count() const { return count_; }

   private:
    std::uint32_t line_bytes_;
    int count_ = 0;
    std::uint64_t lines_[most];
  };

  void touch(const std::uint64_t* lines, int count, std::uint64_t bytes);
  std::uint64_t ready_at(const WaveClock& wave, const Instruction& instruction, bool matrix) const;
  void drain(WaveClock& wave, const IssueInfo& info);
  void arrive(WaveClock& clock);
  void release();

  ObservationSetup setup_;
  CacheTags l1_, scalar_;
  TouchedLines touched_;
  std::vector<WaveClock> waves_;
  const Wave* wave_ = nullptr;  ///< whose instruction runs
  const Instruction* instruction_ = nullptr;
  LastAccess last_;
  Phase phase_;
  std::uint64_t released_ = 0, arrived_ = 0, barriers_ = 0;
  ObservedCounts counts_;
};

template <class Address>
void Observation::access(std::uint64_t mask, std::uint32_t bytes, Address address) {
  if (wave_ == nullptr) return;
  const Workgroup& group = *wave_->group;
  const auto scratch = reinterpret_cast<std::uint64_t>(wave_->scratch),
             lds = reinterpret_cast<std::uint64_t>(group.lds);
  const std::uint64_t scratch_bytes = std::uint64_t{wave_->scratch_bytes} * row_lanes;
  Lines lines(setup_.memory.line_bytes);
  std::uint64_t moved = 0;
  for (; mask != 0; mask &= mask - 1) {
    const int lane = __builtin_ctzll(mask);
    const std::uint64_t at = address(lane);
    if (at - lds < group.lds_bytes) continue;
    moved += bytes;
    if (at - scratch < scratch_bytes) {
      const std::uint64_t dword = (at - scratch) % wave_->scratch_bytes / 4;
      for (std::uint64_t k = 0; k < (bytes + 3) / 4; ++k)
        lines.add(scratch + ((dword + k) * row_lanes + static_cast<std::uint64_t>(lane)) * 4, 4);
    } else {
      lines.add(at, bytes);
    }
  }
  touch(lines.data(), lines.count(), moved);
}

}  // namespace zellige::sim
