// The host instruction sets that handlers are compiled for, and which of them this machine runs: asked here and nowhere
// else.
#pragma once

#include <span>
#include <string_view>

#include "simulator/execute/operation.hpp"

namespace zellige::sim {

inline constexpr int most_tables = 64;  ///< room that a caller of HostSet::tables gives

struct HostSet {
  std::string_view name;
  bool present;                    ///< this processor has every instruction that the set's files are compiled with
  /// Fills most_tables places at most for waves of 32 or 64 lanes, returns how many; call it only where present.
  int (*tables)(int lanes, OperationTable*);
};

/// The sets that this library was built with, the widest first. The last one, generic, is always present.
std::span<const HostSet> host_sets();

}  // namespace zellige::sim
