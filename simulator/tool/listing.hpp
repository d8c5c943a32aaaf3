// What --devices and --list print: the simulated devices with their numbers, and the kernels of a code object.
#pragma once

#include <string>

#include "simulator/code_object/bundle.hpp"

namespace zellige::sim {

/// A row for each simulated device: the numbers that predictions rest on.
std::string devices_text();

/// A row for each kernel of `entry`: registers, LDS, scratch, wave size, and the occupancy predicted for its largest
/// workgroup (none where no simulated device runs the target). Throws CodeObjectError on a damaged code object.
std::string kernels_text(const BundleEntry& entry);

}  // namespace zellige::sim
