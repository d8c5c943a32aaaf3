// A workgroup in flight: its waves, its LDS, and what the handlers need to know of the launch.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/execute/wave.hpp"

namespace zellige::sim {

class Arena;
struct GroupShadow;
struct Program;

/// Counts of one launch, summed over the workgroups that ran. Exact.
struct Counts {
  std::array<std::uint64_t, op_classes> instructions{};  ///< wave instructions by OpClass
  std::uint64_t matrix_passes = 0;      ///< 4-clock passes on matrix cores
  std::uint64_t lds_bytes = 0;          ///< bytes that active lanes moved to and from LDS
  std::uint64_t lds_conflict_cycles = 0;  ///< extra cycles by bank conflicts, of the workgroups that are observed closely
  std::uint64_t lds_access_cycles = 0;    ///< cycles without conflicts, of the same workgroups
  std::uint64_t load_bytes = 0, store_bytes = 0;        ///< bytes that active lanes asked of global memory
  std::uint64_t load_lines = 0, store_lines = 0;        ///< 128-byte lines touched, per instruction (closely observed workgroups)
  std::uint64_t workgroups = 0, observed_workgroups = 0, waves = 0;
  Counts& operator+=(const Counts&);
};

/// A fault that stops a launch: unknown instruction, access outside every allocation, bad branch.
struct Fault {
  bool raised = false;
  std::string message;  ///< names the kernel, instruction text, address of the instruction, lane and address of the access
};

/// The allocations that this workgroup met last, so that checking an access costs two compares and no lock. Valid while
/// `epoch` equals Arena::epoch().
struct AllocationCache {
  static constexpr int slots = 8;
  std::uint64_t epoch = ~std::uint64_t{0};
  std::uint64_t begin[slots] = {}, end[slots] = {};
  int next = 0;  ///< slot to replace
};

struct Workgroup;

/// Workgroups that were launched together (gfx1250). They share one host thread too.
struct Cluster {
  std::vector<Workgroup*> groups;              ///< by flat number in the cluster, x fastest
  std::array<std::uint32_t, 3> dims{1, 1, 1};  ///< in workgroups
  std::uint32_t signalled = 0;                 ///< bit r: groups[r] has signalled the barrier since it last completed
};

/// A workgroup's waves share one host thread: handlers need no locks among them.
struct Workgroup {
  std::vector<Wave> waves;
  std::uint8_t* lds = nullptr;      ///< 16-byte aligned
  std::uint32_t lds_bytes = 0;
  std::array<std::uint32_t, 3> id{};
  Cluster* cluster = nullptr;       ///< nullptr: launched by itself
  std::uint32_t cluster_rank = 0;   ///< its flat number there
  std::uint32_t barrier_signals = 0;  ///< of its split barrier, since it last completed
  const Program* program = nullptr;
  const Arena* arena = nullptr;
  Counts* counts = nullptr;         ///< this host thread's; never shared
  bool observe = false;             ///< count lines and bank conflicts of this workgroup too (slower, same results)
  Fault* fault = nullptr;
  GroupShadow* shadow = nullptr;    ///< what the checks know (simulator/check); nullptr: none run
  AllocationCache allocations;
  std::uint64_t clock = 0;          ///< what s_memtime and s_memrealtime read; advances by instruction
};

/// Records the fault of `wave` at `instruction` (printf format, no full stop: kernel, instruction and address are added) and
/// stops the wave; returns nullptr so that a handler can return it.
[[gnu::format(printf, 3, 4), gnu::cold]] const Instruction* raise_fault(Wave& wave, const Instruction* instruction,
                                                                       const char* format, ...);

}  // namespace zellige::sim
