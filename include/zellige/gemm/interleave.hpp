// Scheduling::interleaved: the order in which the instructions of a K tile are wanted, computed from the config.
//
// LDS writes of the next tile and the first k step's LDS reads come first. Then loads and the next step's reads go
// between the matrix instructions, one at a time: each hides behind matrix work, and none comes later than it must. The
// scheduler follows such groups within a basic block as far as data flow lets it.
#pragma once

#include "zellige/atom/sync.hpp"
#include "zellige/gemm/derived.hpp"

namespace zellige {

struct InstructionGroup {
  InstructionClass kind = InstructionClass::matrix;
  int count = 0;
};

struct InterleavePlan {
  static constexpr int capacity = 256;
  Array<InstructionGroup, capacity> group{};
  int count = 0;

  /// Past the capacity a constant expression fails here.
  ZELLIGE_HD constexpr void add(InstructionClass kind, int instructions) {
    if (instructions > 0) group[count++] = {kind, instructions};
  }
};

/// Instructions of one wave and K tile, in the order that interleaved loops have.
ZELLIGE_HD constexpr InterleavePlan interleave_plan(const Derived& d) {
  using enum InstructionClass;
  const WaveShape& w = d.wave;
  const bool in_registers = d.staging == Staging::registers;  // direct copies stay where the loop begins them
  const bool writes_in_block = in_registers && d.buffers == 2;
  const int loads = in_registers ? d.stage_a.loads() + d.stage_b.loads() : 0;
  const int reads = w.atoms_m * fragment_reads(w.mma.a, w.pack, w.bytes, w.transposed_a) +
                    w.atoms_n * fragment_reads(w.mma.b, w.pack, w.bytes, w.transposed_b);
  const int products = w.atoms_m * w.atoms_n * w.pack * w.mma.products;
  InterleavePlan plan;
  plan.add(lds_write, writes_in_block ? d.stage_a.writes() + d.stage_b.writes() : 0);
  plan.add(lds_read, reads);
  for (int step = 0; step < w.steps; ++step) {
    const int loads_here = step == 0 ? loads : 0, reads_here = step + 1 < w.steps ? reads : 0;
    const int share = max_of(1, products / (loads_here + reads_here + 1));
    int left = products;
    for (int i = 0; i < loads_here + reads_here; ++i) {
      plan.add(i < loads_here ? load : lds_read, 1);
      plan.add(matrix, min_of(share, left));
      left -= min_of(share, left);
    }
    plan.add(matrix, left);
  }
  return plan;
}

/// Asks the scheduler for the plan's order; stands at the end of the basic block.
template <InterleavePlan plan, int first = 0>
ZELLIGE_DEVICE void interleave() {
  constexpr InterleavePlan groups = plan;
  if constexpr (first < groups.count) {
    schedule_group<groups.group[first].kind, groups.group[first].count>();
    interleave<plan, first + 1>();
  }
}

}  // namespace zellige
