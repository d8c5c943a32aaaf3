// What an instruction costs the wave that issues it, worked out once when a kernel is decoded.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "simulator/execute/instruction.hpp"

namespace zellige::sim {

struct Program;

/// The counters that instructions of a wave wait on. Targets before gfx11 count stores with loads, those before gfx12
/// scalar loads with the LDS: both names then stand for one counter.
enum class IssueCounter : std::uint8_t { load, store, lds, scalar, async, count };
inline constexpr int issue_counters = static_cast<int>(IssueCounter::count);

enum class IssueKind : std::uint8_t {
  other,
  vector,
  matrix,
  load,
  store,
  lds,
  scalar_load,
  async,
  wait,
  branch,
  barrier_wait
};

struct IssueInfo {
  IssueKind kind = IssueKind::other;
  std::uint8_t clocks = 4;         ///< before the wave can issue again
  std::uint8_t result_clocks = 0;  ///< from issue until another instruction can read a vector result; 0: clocks
  IssueCounter counter = IssueCounter::load;  ///< that the instruction adds to (loads, stores, LDS, scalar loads)
  bool atomic = false;
  /// Waits: the wave goes on when so many are outstanding at most; -1: not waited for.
  std::array<std::int8_t, issue_counters> outstanding{-1, -1, -1, -1, -1};
};

/// Clocks that kinds of vector instructions hold their SIMD, for a wave of `lanes` on a target whose number begins with
/// `major`.
struct IssueRates {
  int vector, transcendental, f64, wave;  ///< wave: between two instructions of one wave
};
IssueRates issue_rates(int major, int lanes, bool fast_f64);

/// By Instruction::index.
struct IssuePlan {
  std::vector<IssueInfo> instructions;
};

/// From the text of `program`'s instructions. An instruction that is not known costs one issue slot.
IssuePlan issue_plan(const Program& program);

/// The waits of one instruction's text; none: all -1. Exposed for tests.
std::array<std::int8_t, issue_counters> waits_of(std::string_view text);

}  // namespace zellige::sim
