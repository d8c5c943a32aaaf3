// Timing-only sampling: how many workgroups of a launch are executed.
#pragma once

#include <cstdint>

namespace zellige::sim {

/// Workgroups to execute of every launch, 0: all. Begins as ZELLIGE_SIM_SAMPLE says.
std::uint64_t sampling();
void set_sampling(std::uint64_t workgroups);

}  // namespace zellige::sim
