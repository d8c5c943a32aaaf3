// Extents of a matrix product along m, n and k, as configs and atoms name them.
#pragma once

#include "zellige/core/platform.hpp"

namespace zellige {

struct Mnk {
  int m = 0, n = 0, k = 0;
  bool operator==(const Mnk&) const = default;
};

struct Mn {
  int m = 0, n = 0;
  bool operator==(const Mn&) const = default;
};

}  // namespace zellige
