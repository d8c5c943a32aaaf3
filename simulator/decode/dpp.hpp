// Which lane each lane reads under a DPP control.
//
// Law: a source lane outside of the row or wave, or one that EXEC has switched off, is invalid: the lane reads 0 when
// bound_ctrl is set and is left unwritten otherwise. Rows are 16 lanes, banks 4.
#pragma once

#include "simulator/execute/instruction.hpp"

namespace zellige::sim {

/// The control worked out for waves of `lanes` lanes.
DppLanes dpp_lanes(const Dpp& dpp, int lanes);

}  // namespace zellige::sim
