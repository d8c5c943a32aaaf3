// The check of uninitialised reads.
//
// Law: compilers read registers that nothing wrote where the result does not matter, so definedness follows values
// through moves, selects and arithmetic, and only a use that matters is a fault: an address, data that an active lane
// stores to global memory or LDS, an input of a matrix instruction, a branch condition, a bit of EXEC, a base or
// descriptor of scalar memory.
// A result lane is defined if what it depends on is: packing instructions ask for one of their sources, as one half may
// be left open; the low word of a wide result depends on the low words; bits of scalar logic are exact.
// LDS: a byte that an active lane loads or updates was written by the workgroup before.
// Global memory: a byte that is loaded or updated was written (memory/defined_bytes.hpp).
// Scratch is followed as registers are, because functions save registers that nothing wrote.
#pragma once

#include <cstdint>
#include <string_view>

#include "simulator/check/access.hpp"
#include "simulator/check/register_use.hpp"

namespace zellige::sim {

struct Step;
struct WaveDefinedness;

/// How definedness goes through an instruction.
enum class Flow : std::uint8_t {
  none,    // touches no register
  define,  // its results are defined whatever it read
  lanes,   // vector: a result lane depends on that lane of every source
  packed,  // vector: on that lane of some source
  pairs,   // vector: two words, each of a pick of the sources' words (packed f32)
  select,  // v_cndmask: on the source that the mask picks
  read_first_lane,
  read_lane,
  write_lane,
  swap,  // exchanges two rows
  swap_blocks16,
  swap_blocks32,
  permute,  // ds_bpermute
  matrix,
  memory,
  scalar,  // scalar ALU
  branch,
};

/// What a scalar instruction does to bits that are undefined; where no rule is exact the result is undefined whole.
enum class ScalarRule : std::uint8_t {
  whole,
  move,
  conditional_move,
  select,
  bit_and,
  bit_or,
  bit_each,
  shift_left,
  shift_right,
  low_first
};

/// A use of SCC or EXEC.
enum class Condition : std::uint8_t { none, scc, vcc, exec };

struct UninitPlan {
  Flow flow = Flow::none;
  ScalarRule rule = ScalarRule::whole;
  Condition condition = Condition::none;  ///< of branches
  bool reads_scc = false, writes_scc = false;
  bool inverts_second = false;     ///< bit_and, bit_or: of ~b (andn2, orn2)
  bool saves_exec = false;         ///< s_*_saveexec, s_*_wrexec, v_cmpx
  bool permutes_halves = false;    ///< permute: within 32 lanes, of waves of 64 too
  bool permutes_inactive = false;  ///< permute: inactive lanes give what they hold, not 0
};

/// The plan of a dual instruction (VOPD), whose halves are followed one after the other.
UninitPlan dual_uninit_plan();
UninitPlan uninit_plan(const Operation& operation, const Instruction& instruction, const AccessPlan& access);

/// A vector or matrix instruction whose results are defined where everything that it reads is, in few bytes: registers
/// are looked at whole, before any rule of Flow is asked.
struct QuickUse {
  Handler handler = nullptr;  ///< the instruction's own; nullptr: the instruction is none such
  RegisterSpan rows_read[4], rows_written, scalars_read[2], scalars_written;
  bool all_lanes = false;
};
QuickUse quick_use(const Instruction& instruction, const RegisterUse& use, const UninitPlan& plan, Handler handler);
/// Whether all that it reads is defined; then its results are from now on.
bool is_quick(const QuickUse& use, const Wave& wave, WaveDefinedness& defined);

/// False after a fault.
bool uninit_step(const Step& step);

// The parts of uninit_step(), each a file.
bool uninit_vector(const Step& step);
bool uninit_scalar(const Step& step);
bool uninit_memory(const Step& step);

/// Raises "uninitialised register: lane L uses NAME as WHAT, and nothing has defined it"; returns false.
bool fault_undefined_row(const Step& step, int lane, int row, const char* use);
bool fault_undefined_scalar(const Step& step, int number, const char* use);

}  // namespace zellige::sim
