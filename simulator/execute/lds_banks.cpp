// Counting LDS cycles of workgroups that are observed closely.
#include "simulator/execute/lds_banks.hpp"

#include "simulator/decode/program.hpp"
#include "simulator/execute/pattern_cache.hpp"
#include "simulator/execute/workgroup.hpp"

namespace zellige::sim {

void observe_lds(Workgroup& group, std::uint64_t active, const std::uint32_t* offsets, std::uint32_t offset,
                 std::uint32_t bytes, bool store) {
  constexpr std::uint32_t all_banks = 64 * 4;  // bytes; a multiple of 32 banks' width too
  static thread_local PatternCache<LdsCycles> cache;
  static thread_local const Program* program = nullptr;
  static thread_local std::uint64_t target = 0;  // tells programs, and so targets, apart
  if (program != group.program) {
    program = group.program;
    ++target;
  }
  const std::uint32_t first = offsets[__builtin_ctzll(active)] + offset;
  const AccessPattern pattern{active, target << 16 | bytes << 1 | (store ? 1u : 0u), first % all_banks, offsets};
  const LdsCycles cycles = cache.get(pattern, [&] {
    const LdsPhases phases = lds_phases(group.program->target, bytes, store);
    return lds_cycles(phases, active, bytes, [&](int lane) { return offsets[lane] + offset; });
  });
  group.counts->lds_access_cycles += cycles.access;
  group.counts->lds_conflict_cycles += cycles.conflict;
}

}  // namespace zellige::sim
