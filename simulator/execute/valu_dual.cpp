// Dual instructions (VOPD): two vector operations of one instruction.
//
// Law: both halves read their sources before either writes. The decoder puts the halves in an order in which the second
// reads nothing that the first writes; where there is none, the first one's result waits in staging rows
// ("(dual staged)").
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

const Instruction* both(Wave& wave, const Instruction* i) {
  const Instruction* halves = i->halves;
  halves[0].handler(wave, &halves[0]);
  halves[1].handler(wave, &halves[1]);
  return i + 1;
}

/// halves[0] writes staging rows; Instruction::dst says where they belong.
const Instruction* both_staged(Wave& wave, const Instruction* i) {
  both(wave, i);
  const u32* exec = wave.exec_mask;
  for (int word = 0; word < i->dst.words; ++word) {
    const u32* staged = wave.row(staging_row + word);
    u32* rows = wave.row(i->dst.index + word);
    ZELLIGE_SIM_LANES rows[lane] = (staged[lane] & exec[lane]) | (rows[lane] & ~exec[lane]);
  }
  return i + 1;
}

constexpr Operation nameless(std::string_view name, Handler handler) {
  return {.mnemonic = name, .op_class = OpClass::valu, .plain = handler};
}

constexpr Operation rows[] = {nameless("(dual)", &both), nameless("(dual staged)", &both_staged)};

}  // namespace

OperationTable valu_dual_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
