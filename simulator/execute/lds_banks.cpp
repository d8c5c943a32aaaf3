// Counting LDS cycles of workgroups that are observed closely.
#include "simulator/execute/lds_banks.hpp"

#include "simulator/decode/program.hpp"
#include "simulator/execute/workgroup.hpp"

namespace zellige::sim {

void observe_lds(Workgroup& group, std::uint64_t active, const std::uint32_t* offsets, std::uint32_t offset,
                 std::uint32_t bytes, bool store) {
  const LdsPhases phases = lds_phases(group.program->target, bytes, store);
  const LdsCycles cycles = lds_cycles(phases, active, bytes, [&](int lane) { return offsets[lane] + offset; });
  group.counts->lds_access_cycles += cycles.access;
  group.counts->lds_conflict_cycles += cycles.conflict;
}

}  // namespace zellige::sim
