// s_barrier_signal, s_barrier_signal_isfirst, s_barrier_wait of the workgroup's and the cluster's barrier.
#include "simulator/execute/barrier.hpp"
#include "simulator/execute/control.hpp"
#include "simulator/execute/scalar.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

ZELLIGE_SIM_INLINE bool is_modelled(int barrier) {
  return barrier == barrier_of_workgroup || barrier == barrier_of_cluster;
}

template <bool is_first>
const Instruction* signal(Wave& wave, const Instruction* i) {
  const auto barrier = static_cast<i32>(read_scalar<u32>(wave, i->src[0]));
  if (!is_modelled(barrier)) return raise_fault(wave, i, "barrier %d is not modelled", barrier);
  bool twice = false;
  const bool first = signal_barrier(wave, barrier, twice);
  if (twice)
    return raise_fault(wave, i, "the workgroup signals its cluster's barrier again before the barrier has completed");
  if (is_first) wave.scc = first;
  return i + 1;
}

const Instruction* wait(Wave& wave, const Instruction* i) {
  if (!is_modelled(i->offset)) return raise_fault(wave, i, "barrier %d is not modelled", i->offset);
  if (pass_barrier(wave, i->offset)) return i + 1;
  wave.barrier = static_cast<std::int8_t>(i->offset);
  return leave(wave, i, WaveState::at_barrier);
}

constexpr Operation rows[] = {
    {.mnemonic = "s_barrier_signal", .op_class = OpClass::barrier, .src = {ValueType::i32}, .plain = &signal<false>},
    {.mnemonic = "s_barrier_signal_isfirst",
     .op_class = OpClass::barrier,
     .src = {ValueType::i32},
     .plain = &signal<true>},
    {.mnemonic = "s_barrier_wait", .op_class = OpClass::barrier, .plain = &wait},
};

}  // namespace

OperationTable split_barrier_operations() { return scalar_table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
