// The check of data races: tells the model (race_model.hpp) what a wave is about to do, and reports what races.
//
// It also reports barriers that diverge: a wave executes s_barrier (or signals the workgroup's barrier) while another
// wave of its workgroup has ended without having come to as many. Hardware lets that pass; no language does.
#pragma once

#include <memory>

#include "simulator/check/checked_program.hpp"
#include "simulator/check/race_model.hpp"

namespace zellige::sim {

bool race_wants(const CheckedInstruction& plan);

/// False after a fault.
bool race_step(const Step& step);

}  // namespace zellige::sim
