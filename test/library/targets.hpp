// The targets whose instances this build has: ZELLIGE_TEST_TARGETS, "gfx90a,gfx942".
#pragma once

#include <string>
#include <vector>

#include "zellige/core/arch.hpp"

namespace zellige {

inline bool is_built(Arch arch) {
  return ("," + std::string(ZELLIGE_TEST_TARGETS) + ",").find("," + std::string(arch_traits(arch).name) + ",") !=
         std::string::npos;
}

inline std::vector<Arch> built_targets() {
  std::vector<Arch> targets;
  for (Arch arch : all_arches) {
    if (is_built(arch)) targets.push_back(arch);
  }
  return targets;
}

/// A target without an instance library: the first of them.
inline Arch missing_target() {
  for (Arch arch : all_arches) {
    if (!is_built(arch)) return arch;
  }
  return Arch::none;
}

}  // namespace zellige
