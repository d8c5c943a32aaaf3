// Transposed loads of gfx12 and gfx1250: ds_load_tr*, global_load_tr*. Each lane fetches the elements at its own
// address, then lanes exchange them so that every lane holds a column; lds_exchange.hpp says from where each element
// comes.
#include "simulator/execute/global_access.hpp"
#include "simulator/execute/lds_access.hpp"
#include "simulator/execute/lds_exchange.hpp"
#include "simulator/execute/lds_packed.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

template <int registers>
inline constexpr Element fetch_element = registers == 4   ? Element::x4
                                         : registers == 3 ? Element::x3
                                                          : Element::x2;

template <int bits, int registers>
inline void exchange_into(Wave& wave, const Instruction* instruction, const std::uint32_t* fetched) {
  constexpr int per_lane = registers * 32 / bits;
  alignas(64) std::uint32_t result[registers * row_lanes] = {};
  for (int lane = 0; lane < lanes; ++lane) {
    for (int e = 0; e < per_lane; ++e) {
      const TransposeSource from = wmma_transpose_source(bits, lane, e);
      place_packed_element<bits>(result, lane, e, packed_element<bits>(fetched, from.lane, from.element));
    }
  }
  for (int word = 0; word < registers; ++word)
    __builtin_memcpy(wave.row(instruction->dst.index + word), result + word * row_lanes, lanes * sizeof(std::uint32_t));
}

const Instruction* fault_inactive(Wave& wave, const Instruction* instruction) {
  return fault_wave(wave, instruction, "a transposed load needs every lane of the wave active");
}

template <int bits, int registers>
const Instruction* lds_load(Wave& wave, const Instruction* instruction) {
  constexpr Element element = fetch_element<registers>;
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  if (!wave.exec_full) return fault_inactive(wave, instruction);
  std::uint32_t offset = static_cast<std::uint32_t>(instruction->offset);
  if (!resolve_lds(wave, instruction, targets, wave.row(instruction->src[0].index), offset, element_bytes<element>,
                   AccessKind::load))
    return nullptr;
  count_lds(wave, targets, offset, element_bytes<element>, false);
  alignas(64) std::uint32_t fetched[registers * row_lanes];
  load_targets<element>(wave, targets, Reach::rows, fetched);
  exchange_into<bits, registers>(wave, instruction, fetched);
  return instruction + 1;
}

template <int bits, int registers>
const Instruction* global_load(Wave& wave, const Instruction* instruction) {
  constexpr Element element = fetch_element<registers>;
  LaneTargets targets;
  const Reach reach = resolve_global(wave, instruction, targets, instruction->src[0], instruction->src[1],
                                     element_bytes<element>, AccessKind::load);
  if (reach == Reach::none) return instruction + 1;
  if (reach == Reach::fault) return nullptr;
  if (!wave.exec_full) return fault_inactive(wave, instruction);
  count_load(wave, targets, reach, targets.active, element_bytes<element>);
  alignas(64) std::uint32_t fetched[registers * row_lanes];
  load_targets<element>(wave, targets, reach, fetched);
  exchange_into<bits, registers>(wave, instruction, fetched);
  return instruction + 1;
}

using enum ValueType;

constexpr Operation lds_row(std::string_view mnemonic, ValueType data, Handler handler, int bytes) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::lds,
          .dst = data,
          .src = {b32},
          .plain = handler,
          .access_bytes = static_cast<std::uint8_t>(bytes)};
}
constexpr Operation global_row(std::string_view mnemonic, ValueType data, Handler handler, int bytes) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::global_load,
          .dst = data,
          .src = {address, b64},
          .plain = handler,
          .access_bytes = static_cast<std::uint8_t>(bytes)};
}

// Waves of 64 lanes (gfx12) hold half as much a lane: those forms are not here.
constexpr Operation rows[] = {
    lds_row("ds_load_tr16_b128", b128, lds_load<16, 4>, 16),
    lds_row("ds_load_tr8_b64", b64, lds_load<8, 2>, 8),
    lds_row("ds_load_tr6_b96", b96, lds_load<6, 3>, 12),
    lds_row("ds_load_tr4_b64", b64, lds_load<4, 2>, 8),
    global_row("global_load_tr_b128", b128, global_load<16, 4>, 16),
    global_row("global_load_tr_b64", b64, global_load<8, 2>, 8),
    global_row("global_load_tr16_b128", b128, global_load<16, 4>, 16),
    global_row("global_load_tr8_b64", b64, global_load<8, 2>, 8),
    global_row("global_load_tr6_b96", b96, global_load<6, 3>, 12),
    global_row("global_load_tr4_b64", b64, global_load<4, 2>, 8),
};

}  // namespace

OperationTable transposed_load_operations() { return {rows, sizeof rows / sizeof *rows}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
