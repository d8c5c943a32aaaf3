// Counting LDS cycles of workgroups that are observed closely.
#include "simulator/execute/lds_banks.hpp"

#include <cstring>

#include "simulator/decode/program.hpp"
#include "simulator/execute/pattern_cache.hpp"
#include "simulator/execute/workgroup.hpp"
#include "simulator/timing/observation.hpp"

namespace zellige::sim {

void observe_lds(Workgroup& group, std::uint64_t active, const std::uint32_t* offsets, std::uint32_t offset,
                 std::uint32_t bytes, bool store) {
  constexpr std::uint32_t all_banks = 64 * 4;  // bytes; a multiple of 32 banks' width too
  static thread_local PatternCache<LdsCycles> cache;
  // The target's name tells targets apart ("gfx1250" fills seven bytes), the eighth byte the access.
  const std::string& target = group.program->target;
  std::uint64_t kind = 0;
  std::memcpy(&kind, target.data(), target.size() < 7 ? target.size() : 7);
  kind |= std::uint64_t{bytes << 1 | (store ? 1u : 0u)} << 56;
  const std::uint32_t first = offsets[__builtin_ctzll(active)] + offset;
  const AccessPattern pattern{active, kind, first % all_banks, offsets};
  const LdsCycles cycles = cache.get(pattern, [&] {
    const LdsPhases phases = lds_phases(group.program->target, bytes, store);
    return lds_cycles(phases, active, bytes, [&](int lane) { return offsets[lane] + offset; });
  });
  group.counts->lds_access_cycles += cycles.access;
  group.counts->lds_conflict_cycles += cycles.conflict;
  if (Observation* observation = Observation::current()) observation->lds_access(cycles.access + cycles.conflict);
}

}  // namespace zellige::sim
