// The order in which workgroups take output tiles: a pure function of the workgroup's number.
//
// The grid is linear in x, so that no axis limit refuses a large problem. Tiles are taken in bands of `band` tile rows:
// within a band the row moves fastest, so that neighbouring workgroups share columns of B while their rows of A stay in
// cache. On targets of several dies the runtime deals workgroups round robin over the dies; `dies` undoes that, so that
// each die works on consecutive tiles and its own L2 sees the reuse.
#pragma once

#include "zellige/core/math.hpp"

namespace zellige {

/// Tiles per row band. 8 is what public chiplet-aware kernels use for CDNA; not measured by us.
inline constexpr std::uint32_t schedule_band = 8;

struct Schedule {
  std::uint32_t tiles_m = 1, tiles_n = 1, batches = 1;  ///< batches: convolution groups
  std::uint32_t dies = 1;
  std::uint32_t per_die = 0;  ///< floor(total / dies): tiles that every die surely takes
  MagicDivider by_die{1}, by_batch{1}, by_band{1}, by_tail{1};
};

struct TileIndex {
  std::uint32_t m = 0, n = 0, batch = 0;
};

/// The schedule of tiles_m * tiles_n tiles for each of `batches`. Their product must be below 2^31.
constexpr Schedule make_schedule(std::uint32_t tiles_m, std::uint32_t tiles_n, std::uint32_t batches,
                                 std::uint32_t dies) {
  Schedule s{.tiles_m = tiles_m, .tiles_n = tiles_n, .batches = batches};
  const std::uint32_t total = tiles_m * tiles_n * batches;
  s.dies = total >= dies * 2 ? dies : 1;
  s.per_die = total / s.dies;
  s.by_die = MagicDivider(s.dies);
  s.by_batch = MagicDivider(tiles_m * tiles_n);
  s.by_band = MagicDivider(schedule_band * tiles_n);
  s.by_tail = MagicDivider(tiles_m % schedule_band != 0 ? tiles_m % schedule_band : schedule_band);
  return s;
}

/// The tile of workgroup `index`, a bijection from [0, tiles_m * tiles_n * batches). Without several_dies, s.dies must
/// be 1, and is not read.
template <bool several_dies = true>
ZELLIGE_HD constexpr TileIndex tile_of(const Schedule& s, std::uint32_t index) {
  // Workgroup i runs on die i % dies; give it the (i / dies)-th tile of that die's share. The few workgroups past the
  // last whole round keep their own number.
  if (several_dies && s.dies > 1 && index < s.per_die * s.dies) {
    const std::uint32_t round = s.by_die.divide(index);
    index = (index - round * s.dies) * s.per_die + round;
  }
  TileIndex tile;
  tile.batch = s.by_batch.divide(index);
  index -= tile.batch * (s.tiles_m * s.tiles_n);
  const std::uint32_t band = s.by_band.divide(index);
  index -= band * (schedule_band * s.tiles_n);
  const std::uint32_t first = band * schedule_band;
  const bool whole = first + schedule_band <= s.tiles_m;
  tile.n = whole ? index / schedule_band : s.by_tail.divide(index);
  tile.m = first + index - tile.n * (whole ? schedule_band : s.by_tail.divisor);
  return tile;
}

}  // namespace zellige
