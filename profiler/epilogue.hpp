// Epilogues as typed: parts joined by '_', in the order in which they are applied.
#pragma once

#include <string_view>

#include "zellige/gemm/epilogue_op.hpp"

namespace zellige::profiler {

/// "none", or scale, bias, residual and one of relu and clamp:LOW:HIGH, each at most once and in this order:
/// "bias_relu", "scale_bias_residual_clamp:0:6". Throws Failure (bad_arguments) for anything else.
Epilogue parse_epilogue(std::string_view text);

}  // namespace zellige::profiler
