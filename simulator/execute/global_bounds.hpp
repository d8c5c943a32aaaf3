// Which bytes a lane may touch: the allocations' law for global memory, and the sentences for accesses that break it.
//
// Compiled once, not per host instruction set: nothing here is hot but in_one_allocation(), which is a few compares.
#pragma once

#include <cstdint>

#include "simulator/execute/workgroup.hpp"

namespace zellige::sim {

enum class AccessKind : std::uint8_t { load, store, atomic };

/// Looks [begin, end) up in the arena and remembers the allocation in group.allocations; false when no live allocation
/// holds it.
bool find_allocation(Workgroup& group, std::uint64_t begin, std::uint64_t end);

/// The number that group.allocations.epoch must equal for its slots to be valid.
std::uint64_t allocation_epoch(const Workgroup& group);

/// Faults of memory instructions; all return nullptr, as raise_fault does.
const Instruction* fault_global(Wave& wave, const Instruction* instruction, int lane, std::uint64_t address,
                                std::uint32_t bytes, AccessKind kind);
const Instruction* fault_lds(Wave& wave, const Instruction* instruction, int lane, std::uint64_t address,
                             std::uint32_t bytes, AccessKind kind);
const Instruction* fault_scratch(Wave& wave, const Instruction* instruction, int lane, std::int64_t offset,
                                 std::uint32_t bytes, AccessKind kind);
/// A fault that concerns the whole wave; `what` is a sentence.
const Instruction* fault_wave(Wave& wave, const Instruction* instruction, const char* what);
/// The same for one lane: "lane N: what (0xvalue)".
const Instruction* fault_lane(Wave& wave, const Instruction* instruction, int lane, const char* what,
                              std::uint64_t value);

}  // namespace zellige::sim
