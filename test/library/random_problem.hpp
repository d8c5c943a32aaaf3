// Random problems that a given config supports, and smaller ones to replace a problem that fails.
#pragma once

#include <random>
#include <vector>

#include "zellige/library.hpp"

namespace zellige {

using Random = std::mt19937_64;

/// A problem that the operation supports: ragged sizes, 1-sized axes, pads larger than the filter, strides larger than
/// the filter, uneven pads, dilation, groups, fewer axes than the kernel decodes, leading dimensions with gaps.
Problem random_problem(const Operation& operation, Random& random);

/// What to ask of the instance besides: any number of slices of one that splits the reduction, and an epilogue.
PlanOptions random_options(const Operation& operation, const Problem& problem, Random& random);

/// A problem of one to three tiles along each of its three extents, and `steps` of the least steps that the instance's
/// vectors take beyond them (-1: short of them).
Problem border_problem(const Operation& operation, int steps);

/// Problems one step simpler than `problem` that the operation supports.
std::vector<Problem> simpler(const Operation& operation, const Problem& problem);

}  // namespace zellige
