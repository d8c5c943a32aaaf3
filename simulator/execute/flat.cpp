// flat_load_*, flat_store_*: 64-bit addresses that may lie in the apertures of LDS and scratch.
#include "simulator/execute/flat_access.hpp"
#include "simulator/execute/memory_operation.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

template <Element E>
const Instruction* flat_load(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  const Reach reach = resolve_flat(wave, instruction, targets, instruction->src[0], instruction->src[1],
                                   element_bytes<E>, AccessKind::load);
  return finish_load<E>(wave, instruction, targets, reach);
}

template <Element E>
const Instruction* flat_store(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  const Reach reach = resolve_flat(wave, instruction, targets, instruction->src[0], instruction->src[2],
                                   element_bytes<E>, AccessKind::store);
  return finish_store<E>(wave, instruction, targets, reach);
}

using enum ValueType;

constexpr AddressTypes address_types = {ValueType::address, ValueType::b64};

constexpr Operation load(std::string_view mnemonic, ValueType data, Handler handler, int bytes) {
  Operation operation = load_operation(address_types, mnemonic, data, handler, bytes);
  operation.flags = flag_optional_sources;  // without a scalar base the text says nothing of it
  return operation;
}

constexpr Operation store(std::string_view mnemonic, ValueType data, Handler handler, int bytes) {
  Operation operation = store_operation(address_types, mnemonic, data, handler, bytes);
  operation.flags = flag_optional_sources;
  return operation;
}

constexpr Operation table[] = {
    load("flat_load_ubyte", b32, flat_load<Element::u8>, 1),
    load("flat_load_sbyte", b32, flat_load<Element::i8>, 1),
    load("flat_load_ushort", b32, flat_load<Element::u16>, 2),
    load("flat_load_sshort", b32, flat_load<Element::i16>, 2),
    load("flat_load_ubyte_d16", b32, flat_load<Element::u8_low>, 1),
    load("flat_load_ubyte_d16_hi", b32, flat_load<Element::u8_high>, 1),
    load("flat_load_sbyte_d16", b32, flat_load<Element::i8_low>, 1),
    load("flat_load_sbyte_d16_hi", b32, flat_load<Element::i8_high>, 1),
    load("flat_load_short_d16", b32, flat_load<Element::b16_low>, 2),
    load("flat_load_short_d16_hi", b32, flat_load<Element::b16_high>, 2),
    load("flat_load_dword", b32, flat_load<Element::x1>, 4),
    load("flat_load_dwordx2", b64, flat_load<Element::x2>, 8),
    load("flat_load_dwordx3", b96, flat_load<Element::x3>, 12),
    load("flat_load_dwordx4", b128, flat_load<Element::x4>, 16),
    store("flat_store_byte", b32, flat_store<Element::u8>, 1),
    store("flat_store_byte_d16_hi", b32, flat_store<Element::u8_high>, 1),
    store("flat_store_short", b32, flat_store<Element::u16>, 2),
    store("flat_store_short_d16_hi", b32, flat_store<Element::b16_high>, 2),
    store("flat_store_dword", b32, flat_store<Element::x1>, 4),
    store("flat_store_dwordx2", b64, flat_store<Element::x2>, 8),
    store("flat_store_dwordx3", b96, flat_store<Element::x3>, 12),
    store("flat_store_dwordx4", b128, flat_store<Element::x4>, 16),
};

}  // namespace

OperationTable flat_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
