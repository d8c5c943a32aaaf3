// The device code in a file: a bare ELF code object, an offload bundle, a compressed one, or a host program, shared
// library or object file, whose .hip_fatbin section holds bundles one after another.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simulator/code_object/bundle.hpp"
#include "simulator/code_object/code_object.hpp"

namespace zellige::sim {

/// Every code object of the file, in its order. Throws CodeObjectError with a sentence where the file cannot be read,
/// is none of the forms above, or holds no device code.
std::vector<BundleEntry> read_device_code(const std::string& path);

/// Those of `entries` that are for `target`, a processor ("gfx942") or a target id ("gfx942:xnack-"); all of them where
/// it is "". Throws CodeObjectError that lists the targets there are, where none is left.
std::vector<BundleEntry> of_target(std::vector<BundleEntry> entries, const std::string& target);

}  // namespace zellige::sim
