// Bounds of global memory, LDS and scratch: slow paths and messages.
#include "simulator/execute/global_bounds.hpp"

#include <cinttypes>

#include "simulator/memory/arena.hpp"

namespace zellige::sim {
namespace {

const char* verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return "loads";
    case AccessKind::store:
      return "stores";
    case AccessKind::atomic:
      return "updates";
  }
  return "accesses";
}

}  // namespace

std::uint64_t allocation_epoch(const Workgroup& group) { return group.arena->epoch(); }

bool find_allocation(Workgroup& group, std::uint64_t begin, std::uint64_t end) {
  AllocationCache& cache = group.allocations;
  const std::uint64_t epoch = group.arena->epoch();
  if (cache.epoch != epoch) {
    cache = AllocationCache{};
    cache.epoch = epoch;
  }
  const auto allocation = group.arena->find(begin);
  if (!allocation || end > allocation->end || end < begin) return false;
  cache.begin[cache.next] = allocation->begin;
  cache.end[cache.next] = allocation->end;
  cache.next = (cache.next + 1) % AllocationCache::slots;
  return true;
}

const Instruction* fault_global(Wave& wave, const Instruction* instruction, int lane, std::uint64_t address,
                                std::uint32_t bytes, AccessKind kind) {
  // An access that starts inside an allocation and runs over its end is described by the first byte outside.
  std::uint64_t outside = address;
  if (const auto allocation = wave.group->arena->find(address)) outside = allocation->end;
  return raise_fault(wave, instruction, "lane %d %s %u bytes at 0x%" PRIx64 ": %s", lane, verb(kind), bytes, address,
                     wave.group->arena->describe(outside).c_str());
}

const Instruction* fault_lds(Wave& wave, const Instruction* instruction, int lane, std::uint64_t address,
                             std::uint32_t bytes, AccessKind kind) {
  return raise_fault(wave, instruction,
                     "lane %d %s %u bytes at LDS address 0x%" PRIx64 ", but the workgroup has %u bytes of LDS", lane,
                     verb(kind), bytes, address, wave.group->lds_bytes);
}

const Instruction* fault_scratch(Wave& wave, const Instruction* instruction, int lane, std::int64_t offset,
                                 std::uint32_t bytes, AccessKind kind) {
  return raise_fault(wave, instruction,
                     "lane %d %s %u bytes at scratch offset %" PRId64 ", but a lane has %u bytes of scratch", lane,
                     verb(kind), bytes, offset, wave.scratch_bytes);
}

const Instruction* fault_wave(Wave& wave, const Instruction* instruction, const char* what) {
  return raise_fault(wave, instruction, "%s", what);
}

const Instruction* fault_lane(Wave& wave, const Instruction* instruction, int lane, const char* what,
                              std::uint64_t value) {
  return raise_fault(wave, instruction, "lane %d: %s (0x%" PRIx64 ")", lane, what, value);
}

}  // namespace zellige::sim
