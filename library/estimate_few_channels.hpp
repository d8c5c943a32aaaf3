// The analytic time of kernels with Pipeline::few_channels.
#pragma once

#include "zellige/conv/few_channels_pack.hpp"
#include "zellige/estimate.hpp"

namespace zellige {

/// Of one dispatch. Needs supports(config, arch, problem).ok. `tensor_bytes`: of all three, each once.
Estimate estimate_few_channels(const ConvConfig& config, Arch arch, const ConvProblem& problem, double tensor_bytes,
                               int compute_units);

}  // namespace zellige
