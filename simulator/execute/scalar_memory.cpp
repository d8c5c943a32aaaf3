// Scalar memory: loads and stores of 1 to 16 dwords, and loads of bytes and words, from a 64-bit base or through a
// buffer descriptor; prefetches, which change nothing.
//
// Law: the address is base + offset + scalar offset with its two low bits cleared (one for words, none for bytes). A
// buffer load returns 0 for dwords (bytes, words) outside [0, stride == 0 ? num_records : num_records * stride).
#include "simulator/execute/buffer_descriptor.hpp"
#include "simulator/execute/control.hpp"
#include "simulator/execute/scalar.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// src[1] is the scalar offset (with scale_offset counted in accesses), a constant or absent; Instruction::offset what
/// follows `offset:`.
ZELLIGE_SIM_INLINE u64 offset_of(const Wave& wave, const Instruction* i, const Operand& operand) {
  const u64 scale = i->flags & flag_scale_offset ? i->access_bytes : 1;
  return read_scalar<u32>(wave, operand) * scale + static_cast<u64>(i64{i->offset});
}

/// The same where a constant stands for a signed offset: loads from a base.
ZELLIGE_SIM_INLINE u64 signed_offset_of(const Wave& wave, const Instruction* i, const Operand& operand) {
  if (operand.kind != OperandKind::constant) return offset_of(wave, i, operand);
  return static_cast<u64>(i64{static_cast<i32>(operand.rows[0])}) + static_cast<u64>(i64{i->offset});
}

template <int words>
const Instruction* load(Wave& wave, const Instruction* i) {
  const u64 address = (read_scalar<u64>(wave, i->src[0]) + signed_offset_of(wave, i, i->src[1])) & ~u64{3};
  const u8* from = scalar_access(wave, i, address, words * 4);
  if (from == nullptr) return nullptr;
  if (i->dst.kind == OperandKind::scalar) __builtin_memcpy(&wave.scalar[i->dst.index], from, words * 4);
  return i + 1;
}

/// A byte or word (T), extended to a dword.
template <class T>
ZELLIGE_SIM_INLINE void set_extended(Wave& wave, const Instruction* i, const u8* from) {
  T value = 0;
  if (from != nullptr) __builtin_memcpy(&value, from, sizeof value);
  if (i->dst.kind == OperandKind::scalar) wave.scalar[i->dst.index] = static_cast<u32>(i32{value});
}

template <class T>
const Instruction* load_extended(Wave& wave, const Instruction* i) {
  const u64 address = (read_scalar<u64>(wave, i->src[0]) + signed_offset_of(wave, i, i->src[1])) & ~u64{sizeof(T) - 1};
  const u8* from = scalar_access(wave, i, address, sizeof(T));
  if (from == nullptr) return nullptr;
  set_extended<T>(wave, i, from);
  return i + 1;
}

template <int words>
const Instruction* store(Wave& wave, const Instruction* i) {
  const u64 address = (read_scalar<u64>(wave, i->src[1]) + offset_of(wave, i, i->src[2])) & ~u64{3};
  u8* to = scalar_access(wave, i, address, words * 4);
  if (to == nullptr) return nullptr;
  __builtin_memcpy(to, &wave.scalar[i->src[0].index], words * 4);
  return i + 1;
}

struct Buffer {
  u64 base, bytes;
};

ZELLIGE_SIM_INLINE Buffer buffer_of(const Wave& wave, const Instruction* i, const Operand& operand) {
  const BufferDescriptor buffer = buffer_descriptor(&wave.scalar[operand.index], i->flags);
  return {buffer.base, buffer.stride == 0 ? buffer.records : buffer.records * buffer.stride};
}

template <int words>
const Instruction* buffer_load(Wave& wave, const Instruction* i) {
  const Buffer buffer = buffer_of(wave, i, i->src[0]);
  const u64 offset = offset_of(wave, i, i->src[1]) & ~u64{3};
  u32 values[words];
  for (int word = 0; word < words; ++word) {
    values[word] = 0;
    if (offset + 4 * word + 4 > buffer.bytes) continue;
    const u8* from = scalar_access(wave, i, (buffer.base & ~u64{3}) + offset + 4 * word, 4);
    if (from == nullptr) return nullptr;
    __builtin_memcpy(&values[word], from, 4);
  }
  if (i->dst.kind == OperandKind::scalar) __builtin_memcpy(&wave.scalar[i->dst.index], values, sizeof values);
  return i + 1;
}

template <class T>
const Instruction* buffer_load_extended(Wave& wave, const Instruction* i) {
  const Buffer buffer = buffer_of(wave, i, i->src[0]);
  const u64 offset = offset_of(wave, i, i->src[1]) & ~u64{sizeof(T) - 1};
  const u8* from = nullptr;
  if (offset + sizeof(T) <= buffer.bytes) {
    from = scalar_access(wave, i, (buffer.base & ~u64{3}) + offset, sizeof(T));
    if (from == nullptr) return nullptr;
  }
  set_extended<T>(wave, i, from);
  return i + 1;
}

template <int words>
const Instruction* buffer_store(Wave& wave, const Instruction* i) {
  const Buffer buffer = buffer_of(wave, i, i->src[1]);
  const u64 offset = offset_of(wave, i, i->src[2]) & ~u64{3};
  for (int word = 0; word < words; ++word) {
    if (offset + 4 * word + 4 > buffer.bytes) continue;
    u8* to = scalar_access(wave, i, (buffer.base & ~u64{3}) + offset + 4 * word, 4);
    if (to == nullptr) return nullptr;
    __builtin_memcpy(to, &wave.scalar[i->src[0].index + word], 4);
  }
  return i + 1;
}

using enum ValueType;

/// Prefetches and probes.
const Instruction* no_effect(Wave&, const Instruction* i) { return i + 1; }

constexpr Operation hint_row(std::string_view mnemonic, ValueType first, ValueType second, ValueType third,
                             ValueType fourth = none) {
  return {.mnemonic = mnemonic, .op_class = OpClass::smem, .src = {first, second, third, fourth}, .plain = &no_effect};
}

constexpr Operation extended_row(std::string_view mnemonic, Handler handler, ValueType base, int bytes) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::smem,
          .dst = b32,
          .src = {base, b32},
          .plain = handler,
          .access_bytes = static_cast<u8>(bytes)};
}

constexpr Operation load_row(std::string_view mnemonic, ValueType data, Handler handler, ValueType base, int words) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::smem,
          .dst = data,
          .src = {base, b32},
          .plain = handler,
          .access_bytes = static_cast<u8>(4 * words)};
}
constexpr Operation store_row(std::string_view mnemonic, ValueType data, Handler handler, ValueType base, int words) {
  return {.mnemonic = mnemonic,
          .op_class = OpClass::smem,
          .src = {data, base, b32},
          .plain = handler,
          .access_bytes = static_cast<u8>(4 * words)};
}

constexpr Operation rows[] = {
    load_row("s_load_dword", b32, &load<1>, b64, 1),
    load_row("s_load_dwordx2", b64, &load<2>, b64, 2),
    load_row("s_load_dwordx4", b128, &load<4>, b64, 4),
    load_row("s_load_dwordx8", b256, &load<8>, b64, 8),
    load_row("s_load_dwordx16", b512, &load<16>, b64, 16),
    load_row("s_buffer_load_dword", b32, &buffer_load<1>, descriptor, 1),
    load_row("s_buffer_load_dwordx2", b64, &buffer_load<2>, descriptor, 2),
    load_row("s_buffer_load_dwordx4", b128, &buffer_load<4>, descriptor, 4),
    load_row("s_buffer_load_dwordx8", b256, &buffer_load<8>, descriptor, 8),
    load_row("s_buffer_load_dwordx16", b512, &buffer_load<16>, descriptor, 16),
    load_row("s_load_b96", b96, &load<3>, b64, 3),
    load_row("s_buffer_load_b96", b96, &buffer_load<3>, descriptor, 3),
    extended_row("s_load_u8", &load_extended<u8>, b64, 1),
    extended_row("s_load_i8", &load_extended<i8>, b64, 1),
    extended_row("s_load_u16", &load_extended<std::uint16_t>, b64, 2),
    extended_row("s_load_i16", &load_extended<std::int16_t>, b64, 2),
    extended_row("s_buffer_load_u8", &buffer_load_extended<u8>, descriptor, 1),
    extended_row("s_buffer_load_i8", &buffer_load_extended<i8>, descriptor, 1),
    extended_row("s_buffer_load_u16", &buffer_load_extended<std::uint16_t>, descriptor, 2),
    extended_row("s_buffer_load_i16", &buffer_load_extended<std::int16_t>, descriptor, 2),
    hint_row("s_prefetch_inst", b64, b32, b32, b32),
    hint_row("s_prefetch_inst_pc_rel", b32, b32, b32),
    hint_row("s_prefetch_data", b64, b32, b32, b32),
    hint_row("s_prefetch_data_pc_rel", b32, b32, b32),
    hint_row("s_buffer_prefetch_data", descriptor, b32, b32, b32),
    hint_row("s_atc_probe", b32, b64, b32),
    hint_row("s_atc_probe_buffer", b32, descriptor, b32),
    store_row("s_store_dword", b32, &store<1>, b64, 1),
    store_row("s_store_dwordx2", b64, &store<2>, b64, 2),
    store_row("s_store_dwordx4", b128, &store<4>, b64, 4),
    store_row("s_buffer_store_dword", b32, &buffer_store<1>, descriptor, 1),
    store_row("s_buffer_store_dwordx2", b64, &buffer_store<2>, descriptor, 2),
    store_row("s_buffer_store_dwordx4", b128, &buffer_store<4>, descriptor, 4),
};

}  // namespace

OperationTable scalar_memory_operations() { return scalar_table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
