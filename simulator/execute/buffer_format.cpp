// Typed buffer accesses of gfx11 and gfx12: buffer_*_format_* take the format and (loads) the component selection from
// the descriptor, tbuffer_* the format from the instruction (Instruction::offset2). All of an element is in range or
// none.
// "@typed" is the meaning on those targets: gfx9 numbers formats in another way.
#include "simulator/execute/buffer_access.hpp"
#include "simulator/execute/buffer_formats.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// How register values relate to components: one dword each, two halves a dword, or one in the upper half.
enum class Registers : std::uint8_t { dwords, halves, high_half };

enum class FormatSource : std::uint8_t { from_descriptor, from_instruction };

struct TypedAccess {
  BufferTargets targets;
  BufferFormat format;
  Reach reach;
};

template <FormatSource source>
inline void begin_typed(Wave& wave, const Instruction* instruction, TypedAccess& access, const BufferOperands& operands,
                        AccessKind kind) {
  access.reach = Reach::fault;
  const std::uint32_t word3 = wave.scalar[operands.descriptor.index + 3];
  access.format =
      buffer_format(source == FormatSource::from_descriptor ? format_of_descriptor(word3)
                                                            : static_cast<std::uint32_t>(instruction->offset2));
  if (access.format.components == 0) {
    fault_wave(wave, instruction, "the buffer's data format is not simulated");
    return;
  }
  const std::uint32_t bytes = access.format.bytes();
  access.reach = resolve_buffer(wave, instruction, access.targets, operands, bytes, bytes, kind);
}

inline std::uint32_t raw_component(const BufferFormat& format, const std::uint8_t* at, int component) {
  std::uint32_t raw = 0;
  __builtin_memcpy(&raw, at + component * format.bits / 8, format.bits / 8u);
  return raw;
}

/// Component `wanted` (0 to 3) of the element at `at` as a register value.
inline std::uint32_t loaded_component(const BufferFormat& format, const std::uint8_t* at, std::uint32_t wanted) {
  const std::uint32_t one = format.is_integer() ? 1 : float_bits(1.0f);
  if (wanted >= format.components) return wanted == 3 ? one : 0;
  return from_format(format, raw_component(format, at, static_cast<int>(wanted)));
}

template <Registers R>
inline void put_component(std::uint32_t* rows, int lane, int component, const BufferFormat& format,
                          std::uint32_t value) {
  if constexpr (R == Registers::dwords) {
    rows[component * row_lanes + lane] = value;
  } else {
    const std::uint32_t half = format.is_integer() ? value & 0xffffu : narrow_half(__builtin_bit_cast(float, value));
    const bool high = R == Registers::high_half || component % 2 == 1;
    std::uint32_t& word = rows[component / 2 * row_lanes + lane];
    word = high ? (word & 0xffffu) | half << 16 : (word & 0xffff0000u) | half;
  }
}

template <Registers R>
inline std::uint32_t take_component(const std::uint32_t* rows, int lane, int component, const BufferFormat& format) {
  if constexpr (R == Registers::dwords) return rows[component * row_lanes + lane];
  const bool high = R == Registers::high_half || component % 2 == 1;
  const std::uint32_t half = rows[component / 2 * row_lanes + lane] >> (high ? 16 : 0) & 0xffffu;
  if (format.kind == NumberFormat::uint) return half;
  if (format.kind == NumberFormat::sint) return static_cast<std::uint32_t>(static_cast<std::int16_t>(half));
  return float_bits(widen_half(half));
}

template <FormatSource source, Registers R, int components>
const Instruction* typed_load(Wave& wave, const Instruction* instruction) {
  TypedAccess access;
  const BufferOperands operands{instruction->src[0], instruction->src[1], instruction->src[2]};
  begin_typed<source>(wave, instruction, access, operands, AccessKind::load);
  if (access.reach == Reach::fault) return nullptr;
  if (access.reach == Reach::none) return instruction + 1;
  const BufferTargets& targets = access.targets;
  count_load(wave, targets, access.reach, targets.in_range, access.format.bytes());
  const std::uint32_t word3 = wave.scalar[operands.descriptor.index + 3];
  const std::uint32_t one = access.format.is_integer() ? 1 : float_bits(1.0f);
  std::uint32_t* rows = wave.row(instruction->dst.index);
  for_each_lane(targets.active, [&](int lane) {
    const bool inside = targets.in_range >> lane & 1;
    const std::uint8_t* at = inside ? host_bytes(lane_address(targets, access.reach, lane)) : nullptr;
    std::uint32_t values[components];  // the registers may hold the lane's address
    for (int component = 0; component < components; ++component) {
      std::uint32_t select = static_cast<std::uint32_t>(component) + 4;
      if (source == FormatSource::from_descriptor) select = selection_of_descriptor(word3, component);
      values[component] = select == 1             ? one
                          : !inside || select < 4 ? 0
                                                  : loaded_component(access.format, at, select - 4);
    }
    for (int component = 0; component < components; ++component)
      put_component<R>(rows, lane, component, access.format, values[component]);
  });
  return instruction + 1;
}

template <FormatSource source, Registers R, int components>
const Instruction* typed_store(Wave& wave, const Instruction* instruction) {
  TypedAccess access;
  const BufferOperands operands{instruction->src[1], instruction->src[2], instruction->src[3]};
  begin_typed<source>(wave, instruction, access, operands, AccessKind::store);
  if (access.reach == Reach::fault) return nullptr;
  if (access.reach == Reach::none) return instruction + 1;
  const BufferFormat format = access.format;
  if (format.components > components)
    return fault_wave(wave, instruction, "a typed store of fewer components than the format has is not simulated");
  if (format.kind == NumberFormat::uscaled || format.kind == NumberFormat::sscaled)
    return fault_wave(wave, instruction, "typed stores to scaled formats are not simulated");
  const std::uint32_t* rows = wave.row(instruction->src[0].index);
  for_each_lane(access.targets.in_range, [&](int lane) {
    std::uint8_t* at = host_bytes(lane_address(access.targets, access.reach, lane));
    for (int component = 0; component < format.components; ++component) {
      const std::uint32_t raw = to_format(format, take_component<R>(rows, lane, component, format));
      __builtin_memcpy(at + component * format.bits / 8, &raw, format.bits / 8u);
    }
  });
  count_store(wave, access.targets, access.reach, access.targets.in_range, format.bytes());
  return instruction + 1;
}

using enum ValueType;

template <FormatSource source, Registers R, int components>
constexpr Operation load(std::string_view mnemonic) {
  constexpr int words = R == Registers::dwords ? components : (components + 1) / 2;
  return {.mnemonic = mnemonic,
          .op_class = OpClass::global_load,
          .dst = words == 1   ? b32
                 : words == 2 ? b64
                 : words == 3 ? b96
                              : b128,
          .src = {address, descriptor, b32},
          .plain = typed_load<source, R, components>};
}

template <FormatSource source, Registers R, int components>
constexpr Operation store(std::string_view mnemonic) {
  constexpr int words = R == Registers::dwords ? components : (components + 1) / 2;
  return {.mnemonic = mnemonic,
          .op_class = OpClass::global_store,
          .src = {words == 1   ? b32
                  : words == 2 ? b64
                  : words == 3 ? b96
                               : b128,
                  address, descriptor, b32},
          .plain = typed_store<source, R, components>};
}

using enum FormatSource;
using enum Registers;

constexpr Operation table[] = {
    load<from_descriptor, dwords, 1>("buffer_load_format_x@typed"),
    load<from_descriptor, dwords, 2>("buffer_load_format_xy@typed"),
    load<from_descriptor, dwords, 3>("buffer_load_format_xyz@typed"),
    load<from_descriptor, dwords, 4>("buffer_load_format_xyzw@typed"),
    load<from_descriptor, halves, 1>("buffer_load_d16_format_x"),
    load<from_descriptor, halves, 2>("buffer_load_d16_format_xy"),
    load<from_descriptor, halves, 3>("buffer_load_d16_format_xyz"),
    load<from_descriptor, halves, 4>("buffer_load_d16_format_xyzw"),
    load<from_descriptor, high_half, 1>("buffer_load_d16_hi_format_x"),
    store<from_descriptor, dwords, 1>("buffer_store_format_x@typed"),
    store<from_descriptor, dwords, 2>("buffer_store_format_xy@typed"),
    store<from_descriptor, dwords, 3>("buffer_store_format_xyz@typed"),
    store<from_descriptor, dwords, 4>("buffer_store_format_xyzw@typed"),
    store<from_descriptor, halves, 1>("buffer_store_d16_format_x"),
    store<from_descriptor, halves, 2>("buffer_store_d16_format_xy"),
    store<from_descriptor, halves, 3>("buffer_store_d16_format_xyz"),
    store<from_descriptor, halves, 4>("buffer_store_d16_format_xyzw"),
    store<from_descriptor, high_half, 1>("buffer_store_d16_hi_format_x"),
    load<from_instruction, dwords, 1>("tbuffer_load_format_x@typed"),
    load<from_instruction, dwords, 2>("tbuffer_load_format_xy@typed"),
    load<from_instruction, dwords, 3>("tbuffer_load_format_xyz@typed"),
    load<from_instruction, dwords, 4>("tbuffer_load_format_xyzw@typed"),
    load<from_instruction, halves, 1>("tbuffer_load_d16_format_x"),
    load<from_instruction, halves, 2>("tbuffer_load_d16_format_xy"),
    load<from_instruction, halves, 3>("tbuffer_load_d16_format_xyz"),
    load<from_instruction, halves, 4>("tbuffer_load_d16_format_xyzw"),
    store<from_instruction, dwords, 1>("tbuffer_store_format_x@typed"),
    store<from_instruction, dwords, 2>("tbuffer_store_format_xy@typed"),
    store<from_instruction, dwords, 3>("tbuffer_store_format_xyz@typed"),
    store<from_instruction, dwords, 4>("tbuffer_store_format_xyzw@typed"),
    store<from_instruction, halves, 1>("tbuffer_store_d16_format_x"),
    store<from_instruction, halves, 2>("tbuffer_store_d16_format_xy"),
    store<from_instruction, halves, 3>("tbuffer_store_d16_format_xyz"),
    store<from_instruction, halves, 4>("tbuffer_store_d16_format_xyzw"),
};

}  // namespace

OperationTable buffer_format_operations() { return {table, sizeof table / sizeof *table}; }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
