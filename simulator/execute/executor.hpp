// Running waves.
//
// Law: everything that a wave does between two branches is counted by one subtraction of Program::cumulative, so
// counting costs nothing inside straight code and is exact.
#pragma once

#include "simulator/execute/workgroup.hpp"

namespace zellige::sim {

/// Runs `wave` from wave.next until it cannot go on. Afterwards wave.state is `ended`, `faulted` (group->fault says
/// why), `at_barrier` (set it to `ready` to go on behind the barrier), or still `ready`: its budget of branches is used
/// up and others should run. wave.next is where to go on. The caller sets wave.budget, and calls wave.refresh_exec()
/// after it wrote EXEC by itself.
void run(Wave& wave);

/// MODE as a kernel starts with it: round to nearest even, denormals kept, IEEE and DX10_CLAMP on.
inline constexpr std::uint32_t default_mode = 0x3f0;

}  // namespace zellige::sim
