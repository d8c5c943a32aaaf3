// Loads whose destination is LDS (buffer_load_* ... lds, global_load_lds_*).
//
// Law: lane l writes max(4, access bytes) bytes at M0 + instruction offset + l * max(4, access bytes); sub-dword values
// are extended to a dword first; inactive lanes write nothing. [LLVM's lowering of the load-to-LDS intrinsics; the
// stride of sub-dword forms is the ISA document's "ThreadID * 4".]
#pragma once

#include "simulator/execute/lds_access.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// Writes the loaded rows; false after a fault.
template <Element E>
inline bool write_direct_to_lds(Wave& wave, const Instruction* instruction, const std::uint32_t* values) {
  constexpr Element stored = E >= Element::x1 ? E : Element::x1;
  alignas(64) std::uint32_t offsets[row_lanes];
  const std::uint32_t base = wave.scalar[scalar_m0];
  for (int lane = 0; lane < lanes; ++lane)
    offsets[lane] = base + static_cast<std::uint32_t>(lane) * element_bytes<stored>;
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return true;
  std::uint32_t offset = static_cast<std::uint32_t>(instruction->offset);
  if (!resolve_lds(wave, instruction, targets, offsets, offset, element_bytes<stored>, AccessKind::store)) return false;
  count_lds(wave, targets, offset, element_bytes<stored>, true);
  store_targets<stored>(wave, targets, Reach::rows, values);
  return true;
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
