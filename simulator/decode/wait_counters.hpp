// Wait counters: what each target counts memory instructions by, and what an instruction that waits says of them.
//
// Law: the numbers are those of the encoding. gfx9 counts stores as loads (vmcnt) and scalar memory as LDS (lgkmcnt);
// gfx11 counts stores apart (vscnt); gfx12 and gfx1250 count each kind apart. A field of s_waitcnt that is all ones
// waits for nothing. [LLVM: SIDefines.h and AMDGPUBaseInfo.cpp have the fields.]
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "simulator/decode/alias.hpp"
#include "simulator/execute/instruction.hpp"

namespace zellige::sim {

enum class WaitCounter : std::uint8_t { load, store, lds, scalar, sample, ray, async, tensor, count };
inline constexpr int wait_counters = static_cast<int>(WaitCounter::count);

/// How many of each counter may stay outstanding; -1: any number.
using WaitLimits = std::array<std::int16_t, wait_counters>;
inline constexpr WaitLimits no_wait = {-1, -1, -1, -1, -1, -1, -1, -1};

/// The counter of stores and of atomics that return nothing, and that of scalar memory.
constexpr WaitCounter store_counter(Generation generation) {
  return generation == generation_gfx9 ? WaitCounter::load : WaitCounter::store;
}
constexpr WaitCounter scalar_counter(Generation generation) {
  return generation & gfx12_up ? WaitCounter::scalar : WaitCounter::lds;
}

/// What the instruction waits for; nullopt: it is none that waits for one of these counters. `mnemonic` is the text's.
std::optional<WaitLimits> wait_limits(std::string_view mnemonic, const Instruction& instruction, Generation generation);

}  // namespace zellige::sim
