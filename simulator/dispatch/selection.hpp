// Which clusters of a grid run (a workgroup without clusters is one of its own), in which order, and which are watched.
//
// Law: the choice depends on the grid, the sample and the seed alone. Watched are up to eight, in pairs of neighbours
// on a die, so that what neighbours share is seen; of a grid that runs whole not more than a sixteenth (but a pair), as
// watching one takes about as long as running it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "simulator/dispatch/order.hpp"
#include "simulator/timing/memory_estimate.hpp"
#include "simulator/timing/observation.hpp"

namespace zellige::sim {

struct Selection {
  static constexpr std::uint64_t watched = 8, share_watched = 16;

  std::uint64_t total = 0, executed = 0;  ///< clusters of the grid, and those that run
  std::uint64_t dies = 1;                 ///< consecutive ones go round robin over them
  Permutation order;                      ///< of `executed`

  /// How many are watched.
  std::uint64_t watching() const {
    const std::uint64_t most =
        executed < total ? watched : std::clamp<std::uint64_t>(executed / share_watched / 2 * 2, 2, watched);
    return std::min(executed, most);
  }
  /// A sample is of pairs of neighbours on a die, evenly spread, where it leaves room for them between pairs.
  bool samples_pairs() const {
    const std::uint64_t pairs = (executed + 1) / 2;
    return executed < total && total / pairs > 2 * dies;
  }
  /// The i-th cluster to run: all, or a sample.
  std::uint64_t place(std::uint64_t i) const {
    const std::uint64_t position = order(i);
    if (executed == total) return position;
    if (!samples_pairs()) return position * total / executed;
    return position / 2 * total / ((executed + 1) / 2) + position % 2 * dies;
  }
  /// Where the i-th cluster to run leaves the lines that its first workgroup touched; `watched`: nowhere. Slots 2k and
  /// 2k + 1 are neighbours: positions that are a die's round apart, in the middle of one of the equal shares that the
  /// grid is cut into.
  std::uint64_t slot(std::uint64_t i) const {
    const std::uint64_t position = order(i);
    const std::uint64_t most = watching();
    if (executed <= most) return position;
    const std::uint64_t shares = most / 2, least = executed / shares;
    const std::uint64_t apart = executed < total ? 1 : std::max<std::uint64_t>(1, std::min(dies, least - 1));
    for (std::uint64_t share = 0; share < shares; ++share) {
      std::uint64_t first = share * executed / shares + (least - apart) / 2;
      if (samples_pairs()) first -= first % 2;
      if (position == first) return 2 * share;
      if (position == first + apart) return 2 * share + 1;
    }
    return watched;
  }
};

/// By slot.
using WatchedLines = std::array<TouchedLines, Selection::watched>;

/// Means over the `count` watched workgroups of a launch, and over their pairs.
inline SharedLines shared_lines(const WatchedLines& lines, std::uint64_t count, LineSet TouchedLines::*kind) {
  const std::uint64_t pairs = count / 2;
  SharedLines result;
  for (std::uint64_t i = 0; i < count; ++i)
    result.one += static_cast<double>((lines[i].*kind).size()) / static_cast<double>(count);
  for (std::uint64_t i = 0; i < pairs; ++i)
    result.two += static_cast<double>(LineSet::union_size(lines[2 * i].*kind, lines[2 * i + 1].*kind)) /
                  static_cast<double>(pairs);
  if (pairs == 0) result.two = 2 * result.one;
  return result;
}

}  // namespace zellige::sim
