// The check of results that are used before their wait counter says that they have arrived.
//
// Law: every memory instruction is outstanding on the counter that its target gives it, from its issue to a wait that
// covers it. Memory instructions of one counter return in order, so that a wait for n leaves the newest n outstanding;
// scalar memory returns in any order, and only a wait for 0 covers it. What an outstanding load writes (its registers;
// the bytes of LDS that a copy to LDS writes) is neither read nor written; a newer load of the same counter may write
// the same registers, as it returns later. A flat instruction is outstanding on the counter of the memory that its
// lanes reach.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "simulator/check/access.hpp"
#include "simulator/check/register_use.hpp"
#include "simulator/decode/wait_counters.hpp"

namespace zellige::sim {

struct Step;

/// What an instruction does to the counters.
struct WaitPlan {
  bool waits = false;
  WaitLimits limit = no_wait;               ///< of waits
  bool issues = false;                      ///< is outstanding after its issue
  bool any_order = false;                   ///< scalar memory
  WaitCounter counter = WaitCounter::load;  ///< of issues; by_space: of global memory and scratch
  bool by_space = false;                    ///< flat: WaitCounter::lds for what lies in LDS
};

WaitPlan wait_plan(const Operation& operation, const Instruction& instruction, const AccessPlan& access,
                   std::string_view text, std::string_view target);

/// An instruction that is outstanding.
struct OutstandingLoad {
  std::uint32_t id = 0;           ///< ascending in a wave
  std::uint32_t instruction = 0;  ///< Instruction::index
  bool any_order = false;
  std::uint64_t lanes = 0;                                   ///< that it writes
  SpanList rows, scalars;                                    ///< that it writes
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lds;  ///< [begin, end) in bytes that it writes
};

/// One wave's outstanding instructions.
struct WaveWaits {
  std::array<std::vector<OutstandingLoad>, wait_counters> queues;  ///< oldest first
  std::array<std::uint64_t, (vector_rows + 63) / 64> pending_rows{};
  std::array<std::uint64_t, (scalar_count + 63) / 64> pending_scalars{};
  std::vector<std::uint32_t> row_owner, scalar_owner;  ///< id of the newest that writes it, where pending
  std::uint32_t next_id = 1;
  int with_registers = 0;  ///< how many of the outstanding write registers

  void begin();
};

/// The counter as the target's assembly names it: "vmcnt", "s_wait_loadcnt".
const char* wait_name(WaitCounter counter, std::string_view target);

/// False after a fault.
bool wait_step(const Step& step);

}  // namespace zellige::sim
