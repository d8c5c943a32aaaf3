// global_load_*, global_store_*, global_load_lds_*.
#include "simulator/execute/global_access.hpp"
#include "simulator/execute/global_to_lds.hpp"
#include "simulator/execute/memory_operation.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

template <Element E>
const Instruction* global_load(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  const Reach reach = resolve_global(wave, instruction, targets, instruction->src[0], instruction->src[1],
                                     element_bytes<E>, AccessKind::load);
  return finish_load<E>(wave, instruction, targets, reach);
}

template <Element E>
const Instruction* global_store(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  const Reach reach = resolve_global(wave, instruction, targets, instruction->src[0], instruction->src[2],
                                     element_bytes<E>, AccessKind::store);
  return finish_store<E>(wave, instruction, targets, reach);
}

template <Element E>
const Instruction* global_load_lds(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  const Reach reach = resolve_global(wave, instruction, targets, instruction->src[0], instruction->src[1],
                                     element_bytes<E>, AccessKind::load);
  if (reach == Reach::none) return instruction + 1;
  alignas(64) std::uint32_t values[element_words<E> * row_lanes] = {};
  if (!transfer_load<E>(wave, targets, reach, values)) return nullptr;
  return write_direct_to_lds<E>(wave, instruction, values) ? instruction + 1 : nullptr;
}

/// base + offset + 4 * lane, without a vector address.
inline Reach resolve_by_lane(Wave& wave, const Instruction* instruction, LaneTargets& targets, const Operand& base,
                             AccessKind kind) {
  alignas(64) std::uint32_t offsets[row_lanes];
  for (int lane = 0; lane < row_lanes; ++lane) offsets[lane] = 4 * static_cast<std::uint32_t>(lane);
  const std::uint64_t common = base.kind == OperandKind::none ? 0 : scalar_pair(wave, base);
  const Reach reach =
      resolve_rows(wave, instruction, targets, common + sign_extended(instruction->offset), offsets, 4, kind);
  if (reach == Reach::rows && targets.offsets == offsets) {
    __builtin_memcpy(targets.storage, offsets, sizeof offsets);  // the offsets do not outlive this function
    targets.offsets = targets.storage;
  }
  return reach;
}

const Instruction* global_load_by_lane(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  const Reach reach = resolve_by_lane(wave, instruction, targets, instruction->src[0], AccessKind::load);
  return finish_load<Element::x1>(wave, instruction, targets, reach);
}

const Instruction* global_store_by_lane(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  const Reach reach = resolve_by_lane(wave, instruction, targets, instruction->src[1], AccessKind::store);
  if (reach == Reach::fault) return nullptr;
  if (reach == Reach::none) return instruction + 1;
  count_store(wave, targets, reach, targets.active, 4);
  store_targets<Element::x1>(wave, targets, reach, wave.row(instruction->src[0].index));
  return instruction + 1;
}

using enum ValueType;

constexpr AddressTypes address_types = {ValueType::address, ValueType::b64};

constexpr Operation load(std::string_view mnemonic, ValueType data, Handler handler, int bytes) {
  return load_operation(address_types, mnemonic, data, handler, bytes);
}

constexpr Operation store(std::string_view mnemonic, ValueType data, Handler handler, int bytes) {
  return store_operation(address_types, mnemonic, data, handler, bytes);
}

constexpr Operation load_lds(std::string_view mnemonic, Handler handler, int bytes) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::global_load,
          .src = {address, b64},
          .plain = handler,
          .access_bytes = static_cast<std::uint8_t>(bytes),
          .flags = flag_lds};
}

constexpr Operation table[] = {
    load("global_load_ubyte", b32, global_load<Element::u8>, 1),
    load("global_load_sbyte", b32, global_load<Element::i8>, 1),
    load("global_load_ushort", b32, global_load<Element::u16>, 2),
    load("global_load_sshort", b32, global_load<Element::i16>, 2),
    load("global_load_ubyte_d16", b32, global_load<Element::u8_low>, 1),
    load("global_load_ubyte_d16_hi", b32, global_load<Element::u8_high>, 1),
    load("global_load_sbyte_d16", b32, global_load<Element::i8_low>, 1),
    load("global_load_sbyte_d16_hi", b32, global_load<Element::i8_high>, 1),
    load("global_load_short_d16", b32, global_load<Element::b16_low>, 2),
    load("global_load_short_d16_hi", b32, global_load<Element::b16_high>, 2),
    load("global_load_dword", b32, global_load<Element::x1>, 4),
    load("global_load_dwordx2", b64, global_load<Element::x2>, 8),
    load("global_load_dwordx3", b96, global_load<Element::x3>, 12),
    load("global_load_dwordx4", b128, global_load<Element::x4>, 16),
    store("global_store_byte", b32, global_store<Element::u8>, 1),
    store("global_store_byte_d16_hi", b32, global_store<Element::u8_high>, 1),
    store("global_store_short", b32, global_store<Element::u16>, 2),
    store("global_store_short_d16_hi", b32, global_store<Element::b16_high>, 2),
    store("global_store_dword", b32, global_store<Element::x1>, 4),
    store("global_store_dwordx2", b64, global_store<Element::x2>, 8),
    store("global_store_dwordx3", b96, global_store<Element::x3>, 12),
    store("global_store_dwordx4", b128, global_store<Element::x4>, 16),
    {.mnemonic = "global_load_addtid_b32",
     .op_class = OpClass::global_load,
     .dst = b32,
     .src = {b64},
     .plain = global_load_by_lane,
     .access_bytes = 4},
    {.mnemonic = "global_store_addtid_b32",
     .op_class = OpClass::global_store,
     .src = {b32, b64},
     .plain = global_store_by_lane,
     .access_bytes = 4},
    load_lds("global_load_lds_ubyte", global_load_lds<Element::u8>, 1),
    load_lds("global_load_lds_sbyte", global_load_lds<Element::i8>, 1),
    load_lds("global_load_lds_ushort", global_load_lds<Element::u16>, 2),
    load_lds("global_load_lds_sshort", global_load_lds<Element::i16>, 2),
    load_lds("global_load_lds_dword", global_load_lds<Element::x1>, 4),
    load_lds("global_load_lds_dwordx3", global_load_lds<Element::x3>, 12),
    load_lds("global_load_lds_dwordx4", global_load_lds<Element::x4>, 16),
};

}  // namespace

OperationTable global_memory_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
