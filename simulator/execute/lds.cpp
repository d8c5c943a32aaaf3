// ds_read_*, ds_write_*: byte address = address register + offset; read2 and write2 move two elements a lane.
#include "simulator/execute/lds_access.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// Reads element E of every active lane at offsets[lane] + offset into `rows`; false after a fault.
template <Element E>
inline bool read_lds(Wave& wave, const Instruction* instruction, LaneTargets& targets, const std::uint32_t* offsets,
                     std::uint32_t offset, std::uint32_t* rows) {
  if (!resolve_lds(wave, instruction, targets, offsets, offset, element_bytes<E>, AccessKind::load)) return false;
  count_lds(wave, targets, offset, element_bytes<E>, false);
  load_targets<E>(wave, targets, Reach::rows, rows);
  return true;
}

template <Element E>
inline bool write_lds(Wave& wave, const Instruction* instruction, LaneTargets& targets, const std::uint32_t* offsets,
                      std::uint32_t offset, const std::uint32_t* rows) {
  if (!resolve_lds(wave, instruction, targets, offsets, offset, element_bytes<E>, AccessKind::store)) return false;
  count_lds(wave, targets, offset, element_bytes<E>, true);
  store_targets<E>(wave, targets, Reach::rows, rows);
  return true;
}

template <Element E>
const Instruction* ds_read(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  const bool done = read_lds<E>(wave, instruction, targets, wave.row(instruction->src[0].index),
                                static_cast<std::uint32_t>(instruction->offset), wave.row(instruction->dst.index));
  return done ? instruction + 1 : nullptr;
}

template <Element E>
const Instruction* ds_write(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  const bool done = write_lds<E>(wave, instruction, targets, wave.row(instruction->src[0].index),
                                 static_cast<std::uint32_t>(instruction->offset), wave.row(instruction->src[1].index));
  return done ? instruction + 1 : nullptr;
}

template <Element E>
const Instruction* ds_read2(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  alignas(64) std::uint32_t offsets[row_lanes];  // the first result may overwrite the address register
  __builtin_memcpy(offsets, wave.row(instruction->src[0].index), sizeof offsets);
  std::uint32_t* rows = wave.row(instruction->dst.index);
  const bool done =
      read_lds<E>(wave, instruction, targets, offsets, static_cast<std::uint32_t>(instruction->offset), rows) &&
      read_lds<E>(wave, instruction, targets, offsets, static_cast<std::uint32_t>(instruction->offset2),
                  rows + element_words<E> * row_lanes);
  return done ? instruction + 1 : nullptr;
}

template <Element E>
const Instruction* ds_write2(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  const std::uint32_t* offsets = wave.row(instruction->src[0].index);
  const bool done = write_lds<E>(wave, instruction, targets, offsets, static_cast<std::uint32_t>(instruction->offset),
                                 wave.row(instruction->src[1].index)) &&
                    write_lds<E>(wave, instruction, targets, offsets, static_cast<std::uint32_t>(instruction->offset2),
                                 wave.row(instruction->src[2].index));
  return done ? instruction + 1 : nullptr;
}

/// Addresses M0[15:0] + 4 * lane instead of an address register.
inline void lane_offsets(const Wave& wave, std::uint32_t* offsets) {
  for (int lane = 0; lane < lanes; ++lane)
    offsets[lane] = (wave.scalar[scalar_m0] & 0xffffu) + 4 * static_cast<std::uint32_t>(lane);
}

const Instruction* ds_read_addtid(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  alignas(64) std::uint32_t offsets[row_lanes];
  lane_offsets(wave, offsets);
  const bool done =
      read_lds<Element::x1>(wave, instruction, targets, offsets, static_cast<std::uint32_t>(instruction->offset),
                            wave.row(instruction->dst.index));
  return done ? instruction + 1 : nullptr;
}

const Instruction* ds_write_addtid(Wave& wave, const Instruction* instruction) {
  LaneTargets targets;
  if (!begin_lds(wave, targets)) return instruction + 1;
  alignas(64) std::uint32_t offsets[row_lanes];
  lane_offsets(wave, offsets);
  const bool done =
      write_lds<Element::x1>(wave, instruction, targets, offsets, static_cast<std::uint32_t>(instruction->offset),
                             wave.row(instruction->src[0].index));
  return done ? instruction + 1 : nullptr;
}

using enum ValueType;

constexpr Operation read(std::string_view mnemonic, ValueType data, Handler handler, int bytes) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::lds,
          .dst = data,
          .src = {b32},
          .plain = handler,
          .access_bytes = static_cast<std::uint8_t>(bytes)};
}

constexpr Operation write(std::string_view mnemonic, ValueType data, Handler handler, int bytes) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::lds,
          .src = {b32, data},
          .plain = handler,
          .access_bytes = static_cast<std::uint8_t>(bytes)};
}

constexpr Operation write2(std::string_view mnemonic, ValueType data, Handler handler, int bytes) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::lds,
          .src = {b32, data, data},
          .plain = handler,
          .access_bytes = static_cast<std::uint8_t>(bytes)};
}

constexpr Operation table[] = {
    read("ds_read_u8", b32, ds_read<Element::u8>, 1),
    read("ds_read_i8", b32, ds_read<Element::i8>, 1),
    read("ds_read_u16", b32, ds_read<Element::u16>, 2),
    read("ds_read_i16", b32, ds_read<Element::i16>, 2),
    read("ds_read_u8_d16", b32, ds_read<Element::u8_low>, 1),
    read("ds_read_u8_d16_hi", b32, ds_read<Element::u8_high>, 1),
    read("ds_read_i8_d16", b32, ds_read<Element::i8_low>, 1),
    read("ds_read_i8_d16_hi", b32, ds_read<Element::i8_high>, 1),
    read("ds_read_u16_d16", b32, ds_read<Element::b16_low>, 2),
    read("ds_read_u16_d16_hi", b32, ds_read<Element::b16_high>, 2),
    read("ds_read_b32", b32, ds_read<Element::x1>, 4),
    read("ds_read_b64", b64, ds_read<Element::x2>, 8),
    read("ds_read_b96", b96, ds_read<Element::x3>, 12),
    read("ds_read_b128", b128, ds_read<Element::x4>, 16),
    read("ds_read2_b32", b64, ds_read2<Element::x1>, 8),
    read("ds_read2st64_b32", b64, ds_read2<Element::x1>, 8),
    read("ds_read2_b64", b128, ds_read2<Element::x2>, 16),
    read("ds_read2st64_b64", b128, ds_read2<Element::x2>, 16),
    write("ds_write_b8", b32, ds_write<Element::u8>, 1),
    write("ds_write_b8_d16_hi", b32, ds_write<Element::u8_high>, 1),
    write("ds_write_b16", b32, ds_write<Element::u16>, 2),
    write("ds_write_b16_d16_hi", b32, ds_write<Element::b16_high>, 2),
    write("ds_write_b32", b32, ds_write<Element::x1>, 4),
    write("ds_write_b64", b64, ds_write<Element::x2>, 8),
    write("ds_write_b96", b96, ds_write<Element::x3>, 12),
    write("ds_write_b128", b128, ds_write<Element::x4>, 16),
    write2("ds_write2_b32", b32, ds_write2<Element::x1>, 8),
    write2("ds_write2st64_b32", b32, ds_write2<Element::x1>, 8),
    write2("ds_write2_b64", b64, ds_write2<Element::x2>, 16),
    write2("ds_write2st64_b64", b64, ds_write2<Element::x2>, 16),
    {.mnemonic = "ds_read_addtid_b32",
     .op_class = OpClass::lds,
     .dst = b32,
     .plain = ds_read_addtid,
     .access_bytes = 4},
    {.mnemonic = "ds_write_addtid_b32",
     .op_class = OpClass::lds,
     .src = {b32},
     .plain = ds_write_addtid,
     .access_bytes = 4},
};

}  // namespace

OperationTable lds_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
