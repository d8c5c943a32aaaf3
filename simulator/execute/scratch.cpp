// scratch_load_*, scratch_store_*: offset in the lane's scratch = vector offset + scalar offset + instruction offset.
#include "simulator/execute/scratch_access.hpp"
#include "simulator/execute/memory_operation.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

template <Element E>
const Instruction* scratch_load(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  const Reach reach = resolve_scratch(wave, instruction, targets, instruction->src[0], instruction->src[1],
                                      element_bytes<E>, AccessKind::load);
  return finish_load<E>(wave, instruction, targets, reach);
}

template <Element E>
const Instruction* scratch_store(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  const Reach reach = resolve_scratch(wave, instruction, targets, instruction->src[0], instruction->src[2],
                                      element_bytes<E>, AccessKind::store);
  return finish_store<E>(wave, instruction, targets, reach);
}

using enum ValueType;

constexpr AddressTypes address_types = {ValueType::b32, ValueType::b32};

constexpr Operation load(std::string_view mnemonic, ValueType data, Handler handler, int bytes) {
  return load_operation(address_types, mnemonic, data, handler, bytes);
}

constexpr Operation store(std::string_view mnemonic, ValueType data, Handler handler, int bytes) {
  return store_operation(address_types, mnemonic, data, handler, bytes);
}

constexpr Operation table[] = {
    load("scratch_load_ubyte", b32, scratch_load<Element::u8>, 1),
    load("scratch_load_sbyte", b32, scratch_load<Element::i8>, 1),
    load("scratch_load_ushort", b32, scratch_load<Element::u16>, 2),
    load("scratch_load_sshort", b32, scratch_load<Element::i16>, 2),
    load("scratch_load_ubyte_d16", b32, scratch_load<Element::u8_low>, 1),
    load("scratch_load_ubyte_d16_hi", b32, scratch_load<Element::u8_high>, 1),
    load("scratch_load_sbyte_d16", b32, scratch_load<Element::i8_low>, 1),
    load("scratch_load_sbyte_d16_hi", b32, scratch_load<Element::i8_high>, 1),
    load("scratch_load_short_d16", b32, scratch_load<Element::b16_low>, 2),
    load("scratch_load_short_d16_hi", b32, scratch_load<Element::b16_high>, 2),
    load("scratch_load_dword", b32, scratch_load<Element::x1>, 4),
    load("scratch_load_dwordx2", b64, scratch_load<Element::x2>, 8),
    load("scratch_load_dwordx3", b96, scratch_load<Element::x3>, 12),
    load("scratch_load_dwordx4", b128, scratch_load<Element::x4>, 16),
    store("scratch_store_byte", b32, scratch_store<Element::u8>, 1),
    store("scratch_store_byte_d16_hi", b32, scratch_store<Element::u8_high>, 1),
    store("scratch_store_short", b32, scratch_store<Element::u16>, 2),
    store("scratch_store_short_d16_hi", b32, scratch_store<Element::b16_high>, 2),
    store("scratch_store_dword", b32, scratch_store<Element::x1>, 4),
    store("scratch_store_dwordx2", b64, scratch_store<Element::x2>, 8),
    store("scratch_store_dwordx3", b96, scratch_store<Element::x3>, 12),
    store("scratch_store_dwordx4", b128, scratch_store<Element::x4>, 16),
};

}  // namespace

OperationTable scratch_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
