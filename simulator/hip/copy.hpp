// Copies described by HIP's parameter structs.
#pragma once

#include "simulator/hip/work.hpp"

namespace zellige::sim {

/// The copy that `p` describes, in pointers and pitches. Failures: hipErrorNotSupported for arrays,
/// hipErrorInvalidPitchValue for rows wider than a pitch.
CopyWork volume_of(const hipMemcpy3DParms& p);

}  // namespace zellige::sim
