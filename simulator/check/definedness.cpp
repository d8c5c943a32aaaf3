// The start state of definedness; definedness.hpp states the law.
#include "simulator/check/definedness.hpp"

#include "simulator/dispatch/kernel_start.hpp"

namespace zellige::sim {

void WaveDefinedness::begin(const Wave& wave) {
  rows.assign(allocated_rows, 0);
  // The hardware fills the first rows with the work-item's ids; the start state leaves poison everywhere else.
  constexpr int id_rows = 3;
  for (int r = 0; r < id_rows; ++r)
    for (int lane = 0; lane < wave.lanes; ++lane)
      if (wave.vector[r * row_lanes + lane] != poison) rows[r] |= std::uint64_t{1} << lane;
  for (int number = 0; number < scalar_count; ++number) scalars[number] = wave.scalar[number] == poison ? 0 : ~0u;
  scc = false;
  scratch.reset(std::size_t{wave.scratch_bytes} * static_cast<std::size_t>(wave.lanes));
}

}  // namespace zellige::sim
