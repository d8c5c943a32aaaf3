// The check of uninitialised reads.
//
// Law of LDS: a byte that an active lane loads, or updates, was written by the workgroup before.
#pragma once

#include "simulator/check/checked_program.hpp"

namespace zellige::sim {

/// Whether the check looks at the instruction at all.
bool uninit_wants(const CheckedInstruction& plan);

/// False after a fault.
bool uninit_step(const Step& step);

}  // namespace zellige::sim
