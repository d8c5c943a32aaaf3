// The pointers of a kernel launch: the first member of every kernel's argument struct.
//
// The law: a plan packs everything else once and writes this struct whole at each run, whatever the kernel's family.
#pragma once

#include "zellige/core/platform.hpp"

namespace zellige {

/// Device pointers; those that a kernel does not use are null.
struct KernelPointers {
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  void* workspace = nullptr;
  const void* bias = nullptr;
  const void* scale = nullptr;
  const void* residual = nullptr;
};

}  // namespace zellige
