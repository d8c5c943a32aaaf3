// What control flow needs of the program and the counters: compiled once, not per host instruction set.
#pragma once

#include <cstdint>

#include "simulator/execute/workgroup.hpp"

namespace zellige::sim {

/// Counts the straight run that ends with `last`, inclusive, and advances the clock.
void count_run(Wave& wave, const Instruction* last);

/// A taken branch at `from`: counts the run, charges the wave's budget and returns where to go on (nullptr: the wave
/// yields).
const Instruction* take_branch(Wave& wave, const Instruction* from, const Instruction* to);

/// Leaves the run after `last` in `state`; the wave goes on behind it.
const Instruction* leave(Wave& wave, const Instruction* last, WaveState state);

/// The address of `instruction` in memory.
std::uint64_t address_of(const Wave& wave, const Instruction* instruction);

/// The instruction at `address` in the register window of `from`, or nullptr.
const Instruction* instruction_at(const Wave& wave, const Instruction* from, std::uint64_t address);

/// Goes on at i->target, which is where the next instruction was decoded for another register window.
const Instruction* switch_window(Wave& wave, const Instruction* i);

/// Instructions executed since the workgroup began: what s_memtime reads.
std::uint64_t clock_at(const Wave& wave, const Instruction* instruction);

/// Host pointer to `bytes` of global memory for a scalar access, or nullptr after a fault.
std::uint8_t* scalar_access(Wave& wave, const Instruction* instruction, std::uint64_t address, std::uint32_t bytes);

}  // namespace zellige::sim
