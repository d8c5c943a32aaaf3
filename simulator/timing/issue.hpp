// What an instruction costs the wave that issues it, worked out once when a kernel is decoded.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/decode/wait_counters.hpp"
#include "simulator/execute/instruction.hpp"

namespace zellige::sim {

struct Program;

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
  WaitCounter counter = WaitCounter::load;  ///< that the instruction adds to (loads, stores, LDS, scalar loads, copies)
  bool atomic = false;
  WaitLimits outstanding = no_wait;  ///< waits: the wave goes on when so many are outstanding at most
};

/// Clocks that kinds of vector instructions hold their SIMD, for a wave of `lanes` on RDNA (gfx11 and later) or CDNA.
struct IssueRates {
  int vector, transcendental, f64, wave;  ///< wave: between two instructions of one wave
};
IssueRates issue_rates(bool rdna, int lanes, bool fast_f64);

/// By Instruction::index.
struct IssuePlan {
  std::vector<IssueInfo> instructions;
};

/// From the text of `program`'s instructions. An instruction that is not known costs one issue slot.
IssuePlan issue_plan(const Program& program);

}  // namespace zellige::sim
