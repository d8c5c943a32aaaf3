// Which bits SDWA selects name, and which lane each lane reads under a DPP control.
//
// Law (DPP): a source lane outside of the row or wave, or one that EXEC has switched off, is invalid: the lane reads 0 when
// bound_ctrl is set and is left unwritten otherwise. Rows are 16 lanes, banks 4.
#pragma once

#include "simulator/execute/types.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

ZELLIGE_SIM_INLINE int select_shift(SdwaSelect select) {
  switch (select) {
    case SdwaSelect::byte_1: return 8;
    case SdwaSelect::byte_2: return 16;
    case SdwaSelect::byte_3: return 24;
    case SdwaSelect::word_1: return 16;
    default: return 0;
  }
}
ZELLIGE_SIM_INLINE int select_bits(SdwaSelect select) {
  return select == SdwaSelect::dword ? 32 : select >= SdwaSelect::word_0 ? 16 : 8;
}

/// The lane that `lane` reads, or -1 outside.
ZELLIGE_SIM_INLINE int dpp_source(const Dpp& dpp, int lane) {
  const int row = lane & ~15, place = lane & 15, amount = static_cast<int>(dpp.control);
  switch (dpp.kind) {
    case DppKind::quad_perm: return (lane & ~3) | static_cast<int>(dpp.control >> (2 * (lane & 3)) & 3);
    case DppKind::row_shl: return place + amount < 16 ? lane + amount : -1;
    case DppKind::row_shr: return place >= amount ? lane - amount : -1;
    case DppKind::row_ror: return row | ((place - amount) & 15);
    case DppKind::wave_shl: return lane + 1 < lanes ? lane + 1 : -1;
    case DppKind::wave_rol: return (lane + 1) & (lanes - 1);
    case DppKind::wave_shr: return lane - 1;
    case DppKind::wave_ror: return (lane - 1) & (lanes - 1);
    case DppKind::row_mirror: return row | (15 - place);
    case DppKind::row_half_mirror: return (lane & ~7) | (7 - (lane & 7));
    case DppKind::row_bcast15: return row == 0 ? -1 : row - 1;
    case DppKind::row_bcast31: return lane < 32 ? -1 : 31;
    case DppKind::row_share:
    case DppKind::row_newbcast: return row | amount;
    case DppKind::row_xmask: return lane ^ amount;
    case DppKind::dpp8: return (lane & ~7) | static_cast<int>(dpp.control >> (3 * (lane & 7)) & 7);
    case DppKind::none: break;
  }
  return lane;
}

/// Fills from[] and the mask of lanes whose source is valid; returns the lanes that are written.
ZELLIGE_SIM_INLINE u64 dpp_lanes(const Dpp& dpp, u64 exec, i8* from, u64& valid) {
  u64 enabled = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    const int source = dpp_source(dpp, lane);
    const bool good = source >= 0 && ((exec >> source & 1) != 0 || dpp.fetch_inactive);
    from[lane] = static_cast<i8>(good ? source : 0);
    valid |= u64{good} << lane;
    const bool gated = (dpp.row_mask >> (lane / 16) & 1) != 0 && (dpp.bank_mask >> (lane / 4 % 4) & 1) != 0;
    enabled |= u64{gated && (good || dpp.bound_control)} << lane;
  }
  return enabled & exec;
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
