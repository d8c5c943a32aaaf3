// buffer_load_*, buffer_store_*, loads to LDS, and cache operations (which change nothing here: memory is coherent).
#include "simulator/execute/buffer_access.hpp"
#include "simulator/execute/global_to_lds.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

template <Element E>
inline constexpr std::uint32_t check_bytes = element_bytes<E> < 4 ? element_bytes<E> : 4;

/// The leading `parts` dwords of a lane, zeros behind them.
template <Element E>
inline void load_parts(std::uint32_t* rows, int lane, const std::uint8_t* from, int parts) {
  if constexpr (E < Element::x1) {
    if (parts > 0)
      load_element<E>(rows, lane, from);
    else
      rows[lane] = merge_element<E>(rows[lane], 0);
  } else {
    std::uint32_t words[4] = {};
    for (int word = 0; word < element_words<E> && word < parts; ++word)
      __builtin_memcpy(words + word, from + 4 * word, 4);
    for (int word = 0; word < element_words<E>; ++word) rows[word * row_lanes + lane] = words[word];
  }
}

/// Loads into `rows`, zeros where out of range.
template <Element E>
inline void load_buffer_targets(const Wave& wave, const BufferTargets& targets, Reach reach, std::uint32_t* rows) {
  if (reach == Reach::lanes) {
    for_each_lane(targets.active,
                  [&](int lane) { load_parts<E>(rows, lane, host_bytes(targets.at[lane]), targets.parts[lane]); });
    return;
  }
  if (targets.all_in_range) return load_targets<E>(wave, targets, reach, rows);
  if constexpr (element_partial<E>) {
    for_each_lane(targets.active, [&](int lane) {
      load_parts<E>(rows, lane, host_bytes(targets.base + targets.offsets[lane]), targets.in_range >> lane & 1);
    });
  } else {
    alignas(64) std::uint32_t values[element_words<E> * row_lanes];
    if (targets.in_range != 0) {
      load_all<E>(values, host_bytes(targets.base), targets.offsets);
      for (int word = 0; word < element_words<E>; ++word)
        for (int lane = 0; lane < lanes; ++lane) values[word * row_lanes + lane] &= targets.in_range_mask[lane];
    } else {
      __builtin_memset(values, 0, sizeof values);
    }
    write_masked(rows, values, element_words<E>, targets.mask);
  }
}

template <Element E>
const Instruction* buffer_load(Wave& wave, const Instruction* instruction) {
  BufferTargets targets;
  const Reach reach =
      resolve_buffer(wave, instruction, targets, {instruction->src[0], instruction->src[1], instruction->src[2]},
                     element_bytes<E>, check_bytes<E>, AccessKind::load);
  if (reach == Reach::fault) return nullptr;
  if (reach == Reach::none) return instruction + 1;
  count_load(wave, targets, reach, targets.in_range, element_bytes<E>);
  if (instruction->flags & flag_lds) {
    alignas(64) std::uint32_t values[element_words<E> * row_lanes] = {};
    load_buffer_targets<E>(wave, targets, reach, values);
    return write_direct_to_lds<E>(wave, instruction, values) ? instruction + 1 : nullptr;
  }
  load_buffer_targets<E>(wave, targets, reach, wave.row(instruction->dst.index));
  return instruction + 1;
}

template <Element E>
const Instruction* buffer_store(Wave& wave, const Instruction* instruction) {
  BufferTargets targets;
  const Reach reach =
      resolve_buffer(wave, instruction, targets, {instruction->src[1], instruction->src[2], instruction->src[3]},
                     element_bytes<E>, check_bytes<E>, AccessKind::store);
  if (reach == Reach::fault) return nullptr;
  if (reach == Reach::none) return instruction + 1;
  const std::uint32_t* rows = wave.row(instruction->src[0].index);
  if (reach == Reach::lanes) {
    for_each_lane(targets.active, [&](int lane) {
      std::uint8_t* to = host_bytes(targets.at[lane]);
      if constexpr (E < Element::x1) {
        if (targets.parts[lane] != 0) store_element<E>(rows, lane, to);
      } else {
        for (int word = 0; word < element_words<E> && word < targets.parts[lane]; ++word)
          __builtin_memcpy(to + 4 * word, &rows[word * row_lanes + lane], 4);
      }
    });
  } else if (targets.all_in_range) {
    store_targets<E>(wave, targets, reach, rows);
  } else {
    for_each_lane(targets.in_range,
                  [&](int lane) { store_element<E>(rows, lane, host_bytes(targets.base + targets.offsets[lane])); });
  }
  count_store(wave, targets, reach, targets.in_range, element_bytes<E>);
  return instruction + 1;
}

/// Cache invalidation and write-back.
const Instruction* cache_operation(Wave&, const Instruction* instruction) { return instruction + 1; }

using enum ValueType;

constexpr Operation load(std::string_view mnemonic, ValueType data, Handler handler, int bytes) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::global_load,
          .dst = data,
          .src = {address, descriptor, b32},
          .plain = handler,
          .access_bytes = static_cast<std::uint8_t>(bytes)};
}

constexpr Operation store(std::string_view mnemonic, ValueType data, Handler handler, int bytes) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::global_store,
          .src = {data, address, descriptor, b32},
          .plain = handler,
          .access_bytes = static_cast<std::uint8_t>(bytes)};
}

constexpr Operation cache(std::string_view mnemonic) {
  return {.mnemonic = mnemonic, .op_class = OpClass::other, .plain = cache_operation};
}

constexpr Operation table[] = {
    load("buffer_load_ubyte", b32, buffer_load<Element::u8>, 1),
    load("buffer_load_sbyte", b32, buffer_load<Element::i8>, 1),
    load("buffer_load_ushort", b32, buffer_load<Element::u16>, 2),
    load("buffer_load_sshort", b32, buffer_load<Element::i16>, 2),
    load("buffer_load_ubyte_d16", b32, buffer_load<Element::u8_low>, 1),
    load("buffer_load_ubyte_d16_hi", b32, buffer_load<Element::u8_high>, 1),
    load("buffer_load_sbyte_d16", b32, buffer_load<Element::i8_low>, 1),
    load("buffer_load_sbyte_d16_hi", b32, buffer_load<Element::i8_high>, 1),
    load("buffer_load_short_d16", b32, buffer_load<Element::b16_low>, 2),
    load("buffer_load_short_d16_hi", b32, buffer_load<Element::b16_high>, 2),
    load("buffer_load_dword", b32, buffer_load<Element::x1>, 4),
    load("buffer_load_dwordx2", b64, buffer_load<Element::x2>, 8),
    load("buffer_load_dwordx3", b96, buffer_load<Element::x3>, 12),
    load("buffer_load_dwordx4", b128, buffer_load<Element::x4>, 16),
    store("buffer_store_byte", b32, buffer_store<Element::u8>, 1),
    store("buffer_store_byte_d16_hi", b32, buffer_store<Element::u8_high>, 1),
    store("buffer_store_short", b32, buffer_store<Element::u16>, 2),
    store("buffer_store_short_d16_hi", b32, buffer_store<Element::b16_high>, 2),
    store("buffer_store_dword", b32, buffer_store<Element::x1>, 4),
    store("buffer_store_dwordx2", b64, buffer_store<Element::x2>, 8),
    store("buffer_store_dwordx3", b96, buffer_store<Element::x3>, 12),
    store("buffer_store_dwordx4", b128, buffer_store<Element::x4>, 16),
    cache("buffer_inv"),
    cache("buffer_wbl2"),
    cache("buffer_invl2"),
    cache("buffer_wbinvl1"),
    cache("buffer_wbinvl1_vol"),
    cache("buffer_gl0_inv"),
    cache("buffer_gl1_inv"),
};

}  // namespace

OperationTable buffer_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
