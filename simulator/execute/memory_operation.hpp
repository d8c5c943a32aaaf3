// What global, flat and scratch operations share once their addresses are resolved: the transfer with its counts, and
// the shape of their rows in the tables.
#pragma once

#include "simulator/execute/global_access.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// Loads element E of every lane that was resolved into `rows`. False after a fault; no lane is no load.
template <Element E>
ZELLIGE_SIM_INLINE bool transfer_load(Wave& wave, const LaneTargets& targets, Reach reach, std::uint32_t* rows) {
  if (reach == Reach::fault) return false;
  if (reach == Reach::none) return true;
  count_load(wave, targets, reach, targets.active, element_bytes<E>);
  load_targets<E>(wave, targets, reach, rows);
  return true;
}

template <Element E>
ZELLIGE_SIM_INLINE const Instruction* finish_load(Wave& wave, const Instruction* instruction,
                                                  const LaneTargets& targets, Reach reach) {
  return transfer_load<E>(wave, targets, reach, wave.row(instruction->dst.index)) ? instruction + 1 : nullptr;
}

template <Element E>
ZELLIGE_SIM_INLINE const Instruction* finish_store(Wave& wave, const Instruction* instruction,
                                                   const LaneTargets& targets, Reach reach) {
  if (reach == Reach::fault) return nullptr;
  if (reach == Reach::none) return instruction + 1;
  count_store(wave, targets, reach, targets.active, element_bytes<E>);
  store_targets<E>(wave, targets, reach, wave.row(instruction->src[1].index));
  return instruction + 1;
}

/// The operands that make an address: the lanes' part, and the wave's where the space has one.
struct AddressTypes {
  ValueType lanes, wave = ValueType::none;
};

constexpr Operation load_operation(AddressTypes at, std::string_view mnemonic, ValueType data, Handler handler,
                                   int bytes) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::global_load,
          .dst = data,
          .src = {at.lanes, at.wave},
          .plain = handler,
          .access_bytes = static_cast<std::uint8_t>(bytes)};
}

constexpr Operation store_operation(AddressTypes at, std::string_view mnemonic, ValueType data, Handler handler,
                                    int bytes) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::global_store,
          .src = {at.lanes, data, at.wave},
          .plain = handler,
          .access_bytes = static_cast<std::uint8_t>(bytes)};
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
