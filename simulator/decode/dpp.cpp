// DPP controls; dpp.hpp states the law.
#include "simulator/decode/dpp.hpp"

namespace zellige::sim {
namespace {

/// The lane that `lane` reads, or -1 outside.
int source_of(const Dpp& dpp, int lane, int lanes) {
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
    // The last lane of the row below, and lane 31 for the upper half of the wave.
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

}  // namespace

DppLanes dpp_lanes(const Dpp& dpp, int lanes) {
  DppLanes result;
  for (int lane = 0; lane < lanes; ++lane) {
    const int source = source_of(dpp, lane, lanes);
    result.from[lane] = static_cast<std::uint32_t>(source >= 0 ? source : lane);
    result.in_range |= std::uint64_t{source >= 0} << lane;
    const bool gated = (dpp.row_mask >> (lane / 16) & 1) != 0 && (dpp.bank_mask >> (lane / 4 % 4) & 1) != 0;
    result.gated |= std::uint64_t{gated} << lane;
  }
  return result;
}

}  // namespace zellige::sim
