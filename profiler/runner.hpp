// Runs the candidates of one problem: verified before they are ranked, timed by events.
#pragma once

#include "report.hpp"

namespace zellige::profiler {

/// Everything that the command line asks to know about this problem on this device. Throws Failure or RuntimeError only
/// for what stops the problem as a whole, such as tensors that do not fit; an instance that fails is a row of the
/// report. `title` stands before the progress bar.
Report profile(const Problem& problem, const ChosenDevice& device, const Options& options,
               const std::string& title = "running");

}  // namespace zellige::profiler
