// The host instruction sets that handlers are compiled for, and which of them this machine runs: asked here and nowhere
// else.
#pragma once

#include <span>
#include <string_view>

#include "simulator/execute/operation.hpp"

namespace zellige::sim {

inline constexpr int most_tables = 32;  ///< room that a caller of HostSet::tables gives

struct HostSet {
  std::string_view name;
  bool present;                    ///< this processor has every instruction that the set's files are compiled with
  int (*tables)(OperationTable*);  ///< fills most_tables places at most, returns how many; call it only where present
};

/// All sets, the widest first. The last one, generic, is always present.
std::span<const HostSet> host_sets();

}  // namespace zellige::sim
