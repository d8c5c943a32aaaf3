// Vector ALU handlers made from a function of one lane.
//
// valu<[](float a, float b) { return a + b; }>("v_add_f32") is a row of the table of operations: operand types come
// from the function's signature, and the loops over lanes are written here once. Law: lanes are independent (rows that
// overlap are the same rows), so every loop may be vectorised; an inactive lane keeps its destination and its bit of a
// mask result is 0.
#pragma once

#include <immintrin.h>

#include "simulator/execute/types.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

#define ZELLIGE_SIM_LANES _Pragma("clang loop vectorize(assume_safety)") for (int lane = 0; lane < lanes; ++lane)

/// Runs Instruction::inner with modifiers (signs, op_sel, SDWA, DPP) applied to the sources and (omod, clamp, SDWA,
/// op_sel) to the result. Defined in valu_modifiers.cpp.
const Instruction* with_modifiers(Wave& wave, const Instruction* instruction);

/// The lanes whose word in `row` (0 or ~0) is set.
ZELLIGE_SIM_INLINE u64 lanes_set(const u32* row) {
  u64 mask = 0;
#if defined(__AVX512DQ__)
  for (int i = 0; i < lanes / 16; ++i) mask |= u64{_mm512_movepi32_mask(_mm512_load_si512(row + 16 * i))} << (16 * i);
#elif defined(__AVX2__)
  for (int i = 0; i < lanes / 8; ++i) {
    const __m256i part = _mm256_load_si256(reinterpret_cast<const __m256i*>(row + 8 * i));
    mask |= u64{static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(part)))} << (8 * i);
  }
#else
  for (int i = 0; i < lanes / 4; ++i) {
    const __m128i part = _mm_load_si128(reinterpret_cast<const __m128i*>(row + 4 * i));
    mask |= u64{static_cast<u32>(_mm_movemask_ps(_mm_castsi128_ps(part)))} << (4 * i);
  }
#endif
  return mask;
}

/// A row of ~0 and 0 from a mask of lanes.
ZELLIGE_SIM_INLINE void expand_mask(u64 mask, u32* __restrict row) {
  for (int half = 0; half < lanes / 32; ++half) {
    const u32 word = static_cast<u32>(mask >> (32 * half));
    for (int lane = 0; lane < 32; ++lane) row[32 * half + lane] = 0u - (word >> lane & 1);
  }
}

/// A scalar, 32-bit or 64-bit.
ZELLIGE_SIM_INLINE u32 read_scalar32(const Wave& wave, const Operand& operand) {
  return operand.kind == OperandKind::scalar ? wave.scalar[operand.index]
         : operand.kind == OperandKind::none ? 0
                                             : operand.rows[0];
}
ZELLIGE_SIM_INLINE u64 read_scalar64(const Wave& wave, const Operand& operand) {
  return operand.kind == OperandKind::scalar ? wave.scalar64(operand.index)
         : operand.kind == OperandKind::none ? 0
                                             : operand.constant();
}

/// A mask of lanes: one scalar in a wave32, two in a wave64.
ZELLIGE_SIM_INLINE u64 read_mask(const Wave& wave, const Operand& operand) {
  return lanes == 32 ? u64{read_scalar32(wave, operand)} : read_scalar64(wave, operand);
}
ZELLIGE_SIM_INLINE void write_mask(Wave& wave, const Operand& operand, u64 mask) {
  if (operand.kind != OperandKind::scalar) return;
  if constexpr (lanes == 32)
    wave.scalar[operand.index] = static_cast<u32>(mask);
  else
    wave.set_scalar64(operand.index, mask);
}

/// Room for a source that is not a row yet.
struct alignas(64) SourceRows {
  u32 word[2 * row_lanes];
};

/// The rows of a source; scalars are broadcast into `room`.
template <class T>
ZELLIGE_SIM_INLINE const u32* source_rows(const Wave& wave, const Operand& operand, SourceRows& room) {
  if constexpr (Value<T>::type == ValueType::mask) {
    expand_mask(read_mask(wave, operand), room.word);
    return room.word;
  } else {
    if (operand.kind == OperandKind::vector) [[likely]]
      return wave.vector + operand.index * row_lanes;
    if (operand.kind == OperandKind::constant) return operand.rows;
    const u64 value = Value<T>::words == 2 ? read_scalar64(wave, operand) : read_scalar32(wave, operand);
    for (int lane = 0; lane < lanes; ++lane) room.word[lane] = static_cast<u32>(value);
    if constexpr (Value<T>::words == 2)
      for (int lane = 0; lane < lanes; ++lane) room.word[row_lanes + lane] = static_cast<u32>(value >> 32);
    return room.word;
  }
}

/// A source with its negate and absolute modifiers as masks.
template <class T, bool signs>
struct Source {
  const u32* rows;
  u32 keep, flip;

  ZELLIGE_SIM_INLINE Source(const Wave& wave, const Operand& operand, SourceRows& room)
      : rows(static_cast<const u32*>(__builtin_assume_aligned(source_rows<T>(wave, operand, room), 64))) {
    if constexpr (signs) {
      keep = operand.modifiers & modifier_absolute ? ~Value<T>::sign_bit : ~0u;
      flip = operand.modifiers & modifier_negate ? Value<T>::sign_bit : 0u;
    }
  }
  ZELLIGE_SIM_INLINE T operator[](int lane) const {
    if constexpr (signs && Value<T>::sign_bit != 0) return Value<T>::load(rows, lane, keep, flip);
    return Value<T>::load(rows, lane);
  }
};

template <auto f, bool signs, class R, class... A>
struct Elementwise;

/// Stores f(lane) in all active lanes. R may carry a mask bit.
template <class R>
struct Store {
  template <class F>
  ZELLIGE_SIM_INLINE static void all(Wave& wave, const Instruction* instruction, F value) {
    u32* rows = static_cast<u32*>(__builtin_assume_aligned(wave.row(instruction->dst.index), 64));
    if (wave.exec_full) {
      ZELLIGE_SIM_LANES Value<R>::store(rows, lane, value(lane));
    } else {
      const u32* exec = wave.exec_mask;
      ZELLIGE_SIM_LANES Value<R>::store(rows, lane, value(lane), exec[lane]);
    }
  }
};

template <class R>
struct Store<WithMask<R>> {
  template <class F>
  ZELLIGE_SIM_INLINE static void all(Wave& wave, const Instruction* instruction, F value) {
    u32* rows = static_cast<u32*>(__builtin_assume_aligned(wave.row(instruction->dst.index), 64));
    alignas(64) u32 bits[row_lanes];
    const u32* exec = wave.exec_mask;
    ZELLIGE_SIM_LANES {
      const WithMask<R> result = value(lane);
      Value<R>::store(rows, lane, result.value, exec[lane]);
      bits[lane] = result.bit ? exec[lane] : 0u;
    }
    write_mask(wave, instruction->dst2, lanes_set(bits));
  }
};

/// Comparisons: the destination is a mask, 0 for inactive lanes.
template <>
struct Store<bool> {
  template <class F>
  ZELLIGE_SIM_INLINE static void all(Wave& wave, const Instruction* instruction, F value) {
    alignas(64) u32 bits[row_lanes];
    ZELLIGE_SIM_LANES bits[lane] = value(lane) ? ~0u : 0u;
    write_mask(wave, instruction->dst, lanes_set(bits) & wave.exec());
  }
};

template <auto f, bool signs, class R, class A>
struct Elementwise<f, signs, R, A> {
  static const Instruction* handler(Wave& wave, const Instruction* instruction) {
    SourceRows room;
    const Source<A, signs> a(wave, instruction->src[0], room);
    Store<R>::all(
        wave,
        instruction, [&](int lane) __attribute__((always_inline)) { [[clang::always_inline]] return f(a[lane]); });
    return instruction + 1;
  }
};

template <auto f, bool signs, class R, class A, class B>
struct Elementwise<f, signs, R, A, B> {
  static const Instruction* handler(Wave& wave, const Instruction* instruction) {
    SourceRows room[2];
    const Source<A, signs> a(wave, instruction->src[0], room[0]);
    const Source<B, signs> b(wave, instruction->src[1], room[1]);
    Store<R>::all(
        wave, instruction, [&](int lane) __attribute__((always_inline)) {
          [[clang::always_inline]] return f(a[lane], b[lane]);
        });
    return instruction + 1;
  }
};

template <auto f, bool signs, class R, class A, class B, class C>
struct Elementwise<f, signs, R, A, B, C> {
  static const Instruction* handler(Wave& wave, const Instruction* instruction) {
    SourceRows room[3];
    const Source<A, signs> a(wave, instruction->src[0], room[0]);
    const Source<B, signs> b(wave, instruction->src[1], room[1]);
    const Source<C, signs> c(wave, instruction->src[2], room[2]);
    Store<R>::all(
        wave, instruction, [&](int lane) __attribute__((always_inline)) {
          [[clang::always_inline]] return f(a[lane], b[lane], c[lane]);
        });
    return instruction + 1;
  }
};

template <auto f, bool signs, class R, class A, class B, class C, class D>
struct Elementwise<f, signs, R, A, B, C, D> {
  static const Instruction* handler(Wave& wave, const Instruction* instruction) {
    SourceRows room[4];
    const Source<A, signs> a(wave, instruction->src[0], room[0]);
    const Source<B, signs> b(wave, instruction->src[1], room[1]);
    const Source<C, signs> c(wave, instruction->src[2], room[2]);
    const Source<D, signs> d(wave, instruction->src[3], room[3]);
    Store<R>::all(
        wave, instruction, [&](int lane) __attribute__((always_inline)) {
          [[clang::always_inline]] return f(a[lane], b[lane], c[lane], d[lane]);
        });
    return instruction + 1;
  }
};

template <class R>
struct ResultTypes {
  static constexpr ValueType dst = Value<R>::type, dst2 = ValueType::none;
  static constexpr u32 flags = Value<R>::flags;
};
template <class R>
struct ResultTypes<WithMask<R>> {
  static constexpr ValueType dst = Value<R>::type, dst2 = ValueType::mask;
  static constexpr u32 flags = 0;
};
template <>
struct ResultTypes<bool> {
  static constexpr ValueType dst = ValueType::mask, dst2 = ValueType::none;
  static constexpr u32 flags = 0;
};

template <auto f, class R, class... A>
constexpr Operation make_valu(std::string_view mnemonic, OpClass op_class, R (*)(A...)) {
  Operation row;
  row.mnemonic = mnemonic;
  row.op_class = op_class;
  row.dst = ResultTypes<R>::dst;
  row.dst2 = ResultTypes<R>::dst2;
  row.flags = ResultTypes<R>::flags;
  int count = 0;
  ((row.src[count++] = Value<A>::type), ...);
  row.plain = &Elementwise<f, false, R, A...>::handler;
  row.general = &with_modifiers;
  if constexpr (((Value<A>::sign_bit == 0x8000'0000u) || ...)) row.with_signs = &Elementwise<f, true, R, A...>::handler;
  return row;
}

/// A table row from a function of one lane.
template <auto f>
constexpr Operation valu(std::string_view mnemonic, OpClass op_class = OpClass::valu) {
  return make_valu<f>(mnemonic, op_class, +f);
}

/// The same; the last source is the destination's old value and is not written in the text.
template <auto f>
constexpr Operation accumulating(std::string_view mnemonic, OpClass op_class = OpClass::valu) {
  Operation row = valu<f>(mnemonic, op_class);
  row.flags |= flag_reads_destination;
  return row;
}

template <auto f, class R, class... A>
constexpr Handler handler_of(R (*)(A...)) {
  return &Elementwise<f, false, R, A...>::handler;
}

/// An integer operation and its saturating form.
template <auto f, auto saturating>
constexpr Operation valu_saturating(std::string_view mnemonic) {
  Operation row = valu<f>(mnemonic);
  row.clamped = handler_of<saturating>(+saturating);
  return row;
}

/// An operation whose operands are given by hand: exceptions to the one-lane form.
constexpr Operation special(std::string_view mnemonic, Handler plain, ValueType dst, ValueType a = ValueType::none,
                            ValueType b = ValueType::none, ValueType c = ValueType::none) {
  Operation row;
  row.mnemonic = mnemonic;
  row.op_class = OpClass::valu;
  row.dst = dst;
  row.src[0] = a;
  row.src[1] = b;
  row.src[2] = c;
  row.plain = plain;
  row.general = &with_modifiers;
  return row;
}

template <std::size_t count>
constexpr OperationTable table_of(const Operation (&rows)[count]) {
  return {rows, count};
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
