// Conversions with a block scale between f32, f16, bf16 and 4, 6 and 8-bit floats, and conversions with stochastic
// rounding (gfx940 and later).
//
// Law: the scale is the exponent of an f32 (255: the result is NaN); narrowing divides by it, widening multiplies, and
// both round once. op_sel bits 0 and 1 pick the source's byte or word, bits 2 and 3 the destination's, whose other bits
// stay. With a random word each further element takes the next one of v_prng_b32's sequence. [CDNA4 ISA]
#include "simulator/execute/half_math.hpp"
#include "simulator/execute/narrow_float.hpp"
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// The wide side of a conversion: bits of an element, of its fraction, and the value of both.
struct WideF32 {
  static constexpr int bits = 32, fraction = 23;
  ZELLIGE_SIM_INLINE static f32 load(u32 word) { return bits_as<f32>(word); }
  ZELLIGE_SIM_INLINE static u32 store(f64 value) { return bits_as<u32>(static_cast<f32>(value)); }
};
struct WideF16 {
  static constexpr int bits = 16, fraction = 10;
  ZELLIGE_SIM_INLINE static f32 load(u32 word) { return widen(bits_as<f16>(static_cast<u16>(word))); }
  ZELLIGE_SIM_INLINE static u32 store(f64 value) { return bits_as<u16>(narrow_double(value)); }
};
struct WideBf16 {
  static constexpr int bits = 16, fraction = 7;
  ZELLIGE_SIM_INLINE static f32 load(u32 word) { return from_bf16(word & 0xffff); }
  ZELLIGE_SIM_INLINE static u32 store(f64 value) { return to_bf16(static_cast<f32>(value)); }
};

ZELLIGE_SIM_INLINE u32 next_random(u32 a) { return a << 1 ^ (a >> 31 != 0 ? 0xc5u : 0u); }

/// A word of a lane's operand, with the signs of a single f32 applied.
ZELLIGE_SIM_INLINE u32 source_word(const Wave& wave, const Operand& operand, int word, int lane) {
  u32 value = operand.kind == OperandKind::vector     ? wave.vector[(operand.index + word) * row_lanes + lane]
              : operand.kind == OperandKind::scalar   ? wave.scalar[operand.index + word]
              : operand.kind == OperandKind::constant ? operand.rows[word < operand.words ? word * row_lanes : 0]
                                                      : 0;
  if (operand.modifiers & modifier_absolute) value &= 0x7fff'ffffu;
  if (operand.modifiers & modifier_negate) value ^= 0x8000'0000u;
  return value;
}

/// Element k of an array of elements of `bits` bits that starts at the operand.
template <int bits>
ZELLIGE_SIM_INLINE u32 source_element(const Wave& wave, const Operand& operand, int k, int lane) {
  const int at = k * bits, shift = at % 32;
  u64 value = source_word(wave, operand, at / 32, lane);
  if (shift + bits > 32) value |= u64{source_word(wave, operand, at / 32 + 1, lane)} << 32;
  return static_cast<u32>(value >> shift) & static_cast<u32>((u64{1} << bits) - 1);
}

struct Scale {
  i32 exponent;
  bool nan;
  ZELLIGE_SIM_INLINE explicit Scale(u32 word)
      : exponent(static_cast<i32>(word >> 23 & 255) - 127), nan((word >> 23 & 255) == 255) {}
};

template <class Narrow, class Wide>
ZELLIGE_SIM_INLINE u32 narrowed(u32 element, Scale scale, bool saturate) {
  return Narrow::encode(scale.nan ? __builtin_nanf("") : Wide::load(element), saturate, -scale.exponent);
}
template <class Narrow, class Wide>
ZELLIGE_SIM_INLINE u32 narrowed(u32 element, Scale scale, bool saturate, u32 random) {
  return Narrow::encode_random(scale.nan ? __builtin_nanf("") : Wide::load(element), random, saturate, Wide::fraction,
                               -scale.exponent);
}
template <class Narrow, class Wide>
ZELLIGE_SIM_INLINE u32 widened(u32 code, Scale scale) {
  const f64 value = static_cast<f64>(Narrow::decode(code)) * power_of_two(scale.exponent);
  return Wide::store(scale.nan ? __builtin_nan("") : value);
}

ZELLIGE_SIM_INLINE bool saturates(const Wave& wave) { return (wave.mode >> 23 & 1) != 0; }

/// Calls f(lane) in active lanes.
template <class F>
ZELLIGE_SIM_INLINE void in_active_lanes(const Wave& wave, F f) {
  for (u64 mask = wave.exec(); mask != 0; mask &= mask - 1) f(__builtin_ctzll(mask));
}

/// Puts `value` into the byte (8 bits) or half (16) of the destination that op_sel names.
template <int bits>
ZELLIGE_SIM_INLINE void store_field(Wave& wave, const Instruction* i, int lane, u32 value) {
  const int shift = bits == 8 ? 8 * (i->offset >> 2 & 3) : 16 * (i->offset >> 3 & 1);
  u32& word = wave.row(i->dst.index)[lane];
  word = (word & ~(((1u << bits) - 1) << shift)) | value << shift;
}

/// Two elements: f32 of two operands, or a pair in the first; then the scale.
template <class Narrow, class Wide>
const Instruction* pack_pair(Wave& wave, const Instruction* i) {
  constexpr bool apart = Wide::bits == 32;
  const bool saturate = saturates(wave);
  in_active_lanes(
      wave, [&](int lane) __attribute__((always_inline)) {
        const Scale scale(source_word(wave, i->src[apart ? 2 : 1], 0, lane));
        const u32 first = source_element<Wide::bits>(wave, i->src[0], 0, lane);
        const u32 second =
            apart ? source_word(wave, i->src[1], 0, lane) : source_element<Wide::bits>(wave, i->src[0], 1, lane);
        store_field<2 * Narrow::bits>(wave, i, lane,
                                      narrowed<Narrow, Wide>(first, scale, saturate) |
                                          narrowed<Narrow, Wide>(second, scale, saturate) << Narrow::bits);
      });
  return i + 1;
}

/// `count` elements of the first operand, the random word, the scale; the result is one byte.
template <class Narrow, class Wide, int count>
const Instruction* pack_random(Wave& wave, const Instruction* i) {
  const bool saturate = saturates(wave);
  in_active_lanes(
      wave, [&](int lane) __attribute__((always_inline)) {
        u32 random = source_word(wave, i->src[1], 0, lane), code = 0;
        const Scale scale(source_word(wave, i->src[2], 0, lane));
        for (int k = 0; k < count; ++k, random = next_random(random))
          code |= narrowed<Narrow, Wide>(source_element<Wide::bits>(wave, i->src[0], k, lane), scale, saturate, random)
                  << (k * Narrow::bits);
        store_field<8>(wave, i, lane, code);
      });
  return i + 1;
}

/// 32 elements to 32 6-bit floats. With two f32 operands of 16, those alternate.
template <class Narrow, class Wide, bool stochastic, bool two_sources>
const Instruction* pack_block(Wave& wave, const Instruction* i) {
  const bool saturate = saturates(wave);
  constexpr int scale_source = stochastic || two_sources ? 2 : 1;
  in_active_lanes(
      wave, [&](int lane) __attribute__((always_inline)) {
        const Scale scale(source_word(wave, i->src[scale_source], 0, lane));
        u32 random = stochastic ? source_word(wave, i->src[1], 0, lane) : 0;
        u32 words[6] = {};
        for (int k = 0; k < 32; ++k, random = next_random(random)) {
          const u32 element = two_sources ? source_word(wave, i->src[k % 2], k / 2, lane)
                                          : source_element<Wide::bits>(wave, i->src[0], k, lane);
          const u64 code = stochastic ? narrowed<Narrow, Wide>(element, scale, saturate, random)
                                      : narrowed<Narrow, Wide>(element, scale, saturate);
          const u64 placed = code << (6 * k % 32);
          words[6 * k / 32] |= static_cast<u32>(placed);
          if (6 * k % 32 > 26) words[6 * k / 32 + 1] |= static_cast<u32>(placed >> 32);
        }
        for (int word = 0; word < 6; ++word) wave.row(i->dst.index + word)[lane] = words[word];
      });
  return i + 1;
}

template <class Narrow, class Wide>
const Instruction* unpack_block(Wave& wave, const Instruction* i) {
  in_active_lanes(
      wave, [&](int lane) __attribute__((always_inline)) {
        const Scale scale(source_word(wave, i->src[1], 0, lane));
        u32 words[Wide::bits] = {};
        for (int k = 0; k < 32; ++k)
          words[k * Wide::bits / 32] |=
              widened<Narrow, Wide>(source_element<Narrow::bits>(wave, i->src[0], k, lane), scale)
              << (k * Wide::bits % 32);
        for (int word = 0; word < Wide::bits; ++word) wave.row(i->dst.index + word)[lane] = words[word];
      });
  return i + 1;
}

/// A pair of 8-bit floats in a word, or of 4-bit floats in a byte, to a pair.
template <class Narrow, class Wide>
const Instruction* unpack_pair(Wave& wave, const Instruction* i) {
  const int first = Narrow::bits == 8 ? 2 * (i->offset & 1) : 2 * (i->offset & 3);
  in_active_lanes(
      wave, [&](int lane) __attribute__((always_inline)) {
        const Scale scale(source_word(wave, i->src[1], 0, lane));
        const u32 low = widened<Narrow, Wide>(source_element<Narrow::bits>(wave, i->src[0], first, lane), scale);
        const u32 high = widened<Narrow, Wide>(source_element<Narrow::bits>(wave, i->src[0], first + 1, lane), scale);
        wave.row(i->dst.index)[lane] = Wide::bits == 16 ? low | high << 16 : low;
        if constexpr (Wide::bits == 32) wave.row(i->dst.index + 1)[lane] = high;
      });
  return i + 1;
}

template <class Narrow, class Wide>
const Instruction* unpack_one(Wave& wave, const Instruction* i) {
  in_active_lanes(
      wave, [&](int lane) __attribute__((always_inline)) {
        const Scale scale(source_word(wave, i->src[1], 0, lane));
        const u32 code = source_element<8>(wave, i->src[0], i->offset & 3, lane);
        const u32 value = widened<Narrow, Wide>(code, scale);
        if constexpr (Wide::bits == 32)
          wave.row(i->dst.index)[lane] = value;
        else
          store_field<16>(wave, i, lane, value);
      });
  return i + 1;
}

/// f32 and a random word to one element of the destination.
template <class Narrow>
const Instruction* convert_random(Wave& wave, const Instruction* i) {
  const bool saturate = saturates(wave);
  in_active_lanes(
      wave, [&](int lane) __attribute__((always_inline)) {
        store_field<Narrow::bits>(
            wave, i, lane,
            Narrow::encode_random(bits_as<f32>(source_word(wave, i->src[0], 0, lane)),
                                  source_word(wave, i->src[1], 0, lane), saturate, WideF32::fraction));
      });
  return i + 1;
}

/// `count` elements to narrow floats side by side; the random word, if any, comes before the scale (gfx1250).
template <class Narrow, class Wide, bool stochastic, int count>
const Instruction* pack_group(Wave& wave, const Instruction* i) {
  constexpr int result_words = Narrow::bits * count / 32;
  const bool saturate = saturates(wave);
  in_active_lanes(
      wave, [&](int lane) __attribute__((always_inline)) {
        const Scale scale(source_word(wave, i->src[stochastic ? 2 : 1], 0, lane));
        u32 random = stochastic ? source_word(wave, i->src[1], 0, lane) : 0;
        u32 words[result_words + 1] = {};
        for (int k = 0; k < count; ++k, random = next_random(random)) {
          const u32 element = source_element<Wide::bits>(wave, i->src[0], k, lane);
          const u64 code = stochastic ? narrowed<Narrow, Wide>(element, scale, saturate, random)
                                      : narrowed<Narrow, Wide>(element, scale, saturate);
          const u64 placed = code << (Narrow::bits * k % 32);
          words[Narrow::bits * k / 32] |= static_cast<u32>(placed);
          words[Narrow::bits * k / 32 + 1] |= static_cast<u32>(placed >> 32);
        }
        for (int word = 0; word < result_words; ++word) wave.row(i->dst.index + word)[lane] = words[word];
      });
  return i + 1;
}

/// Two f32 and a random word to a pair of halves; the second takes the next word of the sequence.
template <class Narrow>
const Instruction* convert_pair_random(Wave& wave, const Instruction* i) {
  const bool saturate = saturates(wave);
  in_active_lanes(
      wave, [&](int lane) __attribute__((always_inline)) {
        const u32 random = source_word(wave, i->src[2], 0, lane);
        const u32 low = Narrow::encode_random(bits_as<f32>(source_word(wave, i->src[0], 0, lane)), random, saturate,
                                              WideF32::fraction);
        const u32 high = Narrow::encode_random(bits_as<f32>(source_word(wave, i->src[1], 0, lane)), next_random(random),
                                               saturate, WideF32::fraction);
        wave.row(i->dst.index)[lane] = low | high << 16;
      });
  return i + 1;
}

/// A pair of halves to the half of the destination that op_sel names.
template <class Narrow>
const Instruction* convert_pair(Wave& wave, const Instruction* i) {
  const bool saturate = saturates(wave);
  in_active_lanes(
      wave, [&](int lane) __attribute__((always_inline)) {
        const u32 pair = source_word(wave, i->src[0], 0, lane);
        store_field<16>(wave, i, lane,
                        Narrow::encode(WideF16::load(pair), saturate) |
                            Narrow::encode(WideF16::load(pair >> 16), saturate) << 8);
      });
  return i + 1;
}

/// A half and a random word to the byte of the destination that byte_sel names.
template <class Narrow>
const Instruction* convert_half_random(Wave& wave, const Instruction* i) {
  const bool saturate = saturates(wave);
  const int shift = i->offset & 1 ? 16 : 0;
  in_active_lanes(
      wave, [&](int lane) __attribute__((always_inline)) {
        const u32 half = source_word(wave, i->src[0], 0, lane) >> shift;
        store_field<8>(wave, i, lane,
                       Narrow::encode_random(WideF16::load(half), source_word(wave, i->src[1], 0, lane), saturate,
                                             WideF16::fraction));
      });
  return i + 1;
}

using enum ValueType;

/// Handlers that read selects and the signs of f32 sources themselves; other modifiers are refused.
constexpr Operation row(std::string_view mnemonic, Handler handler, ValueType dst, ValueType a, ValueType b,
                        ValueType c = none) {
  Operation row = special(mnemonic, handler, dst, a, b, c);
  row.general = nullptr;
  row.with_signs = a == f32 ? handler : nullptr;
  row.flags = flag_selects;
  return row;
}

#define ZELLIGE_NARROW_8(name, N)                                                     \
  row("v_cvt_scalef32_pk_" name "_f32", &pack_pair<N, WideF32>, b32, f32, f32, f32),  \
      row("v_cvt_scalef32_pk_" name "_f16", &pack_pair<N, WideF16>, b32, b32, f32),   \
      row("v_cvt_scalef32_pk_" name "_bf16", &pack_pair<N, WideBf16>, b32, b32, f32), \
      row("v_cvt_scalef32_pk_f32_" name, &unpack_pair<N, WideF32>, b64, b32, f32),    \
      row("v_cvt_scalef32_pk_f16_" name, &unpack_pair<N, WideF16>, b32, b32, f32),    \
      row("v_cvt_scalef32_pk_bf16_" name, &unpack_pair<N, WideBf16>, b32, b32, f32)

#define ZELLIGE_NARROW_BYTE(name, N)                                                            \
  row("v_cvt_scalef32_sr_" name "_f32", &pack_random<N, WideF32, 1>, b32, f32, b32, f32),       \
      row("v_cvt_scalef32_sr_" name "_f16", &pack_random<N, WideF16, 1>, b32, b32, b32, f32),   \
      row("v_cvt_scalef32_sr_" name "_bf16", &pack_random<N, WideBf16, 1>, b32, b32, b32, f32), \
      row("v_cvt_scalef32_f32_" name, &unpack_one<N, WideF32>, b32, b32, f32),                  \
      row("v_cvt_scalef32_f16_" name, &unpack_one<N, WideF16>, b32, b32, f32)

#define ZELLIGE_NARROW_6(name, N)                                                                               \
  row("v_cvt_scalef32_2xpk16_" name "_f32", &pack_block<N, WideF32, false, true>, b256, b512, b512, f32),       \
      row("v_cvt_scalef32_pk32_" name "_f16", &pack_block<N, WideF16, false, false>, b256, b512, f32),          \
      row("v_cvt_scalef32_pk32_" name "_bf16", &pack_block<N, WideBf16, false, false>, b256, b512, f32),        \
      row("v_cvt_scalef32_sr_pk32_" name "_f32", &pack_block<N, WideF32, true, false>, b256, b1024, b32, f32),  \
      row("v_cvt_scalef32_sr_pk32_" name "_f16", &pack_block<N, WideF16, true, false>, b256, b512, b32, f32),   \
      row("v_cvt_scalef32_sr_pk32_" name "_bf16", &pack_block<N, WideBf16, true, false>, b256, b512, b32, f32), \
      row("v_cvt_scalef32_pk32_f32_" name, &unpack_block<N, WideF32>, b1024, b256, f32),                        \
      row("v_cvt_scalef32_pk32_f16_" name, &unpack_block<N, WideF16>, b512, b256, f32),                         \
      row("v_cvt_scalef32_pk32_bf16_" name, &unpack_block<N, WideBf16>, b512, b256, f32)

#define ZELLIGE_NARROW_GROUP(name, N, count, dst, singles, halves)                                                    \
  row("v_cvt_scalef32_pk" #count "_" name "_f32", &pack_group<N, WideF32, false, count>, dst, singles, f32),          \
      row("v_cvt_scalef32_pk" #count "_" name "_f16", &pack_group<N, WideF16, false, count>, dst, halves, f32),       \
      row("v_cvt_scalef32_pk" #count "_" name "_bf16", &pack_group<N, WideBf16, false, count>, dst, halves, f32),     \
      row("v_cvt_scalef32_sr_pk" #count "_" name "_f32", &pack_group<N, WideF32, true, count>, dst, singles, b32, f32), \
      row("v_cvt_scalef32_sr_pk" #count "_" name "_f16", &pack_group<N, WideF16, true, count>, dst, halves, b32, f32), \
      row("v_cvt_scalef32_sr_pk" #count "_" name "_bf16", &pack_group<N, WideBf16, true, count>, dst, halves, b32, f32)

constexpr Operation rows[] = {
    ZELLIGE_NARROW_GROUP("fp8", Fp8, 8, b64, b256, b128),
    ZELLIGE_NARROW_GROUP("bf8", Bf8, 8, b64, b256, b128),
    ZELLIGE_NARROW_GROUP("fp4", Fp4, 8, b32, b256, b128),
    ZELLIGE_NARROW_GROUP("fp6", Fp6, 16, b96, b512, b256),
    ZELLIGE_NARROW_GROUP("bf6", Bf6, 16, b96, b512, b256),
    row("v_cvt_sr_pk_f16_f32", &convert_pair_random<Half>, b32, f32, f32, b32),
    row("v_cvt_sr_pk_bf16_f32", &convert_pair_random<Bfloat>, b32, f32, f32, b32),
    row("v_cvt_pk_fp8_f16", &convert_pair<Fp8>, b16, b32, none),
    row("v_cvt_pk_bf8_f16", &convert_pair<Bf8>, b16, b32, none),
    row("v_cvt_sr_fp8_f16", &convert_half_random<Fp8>, b32, b16, b32),
    row("v_cvt_sr_bf8_f16", &convert_half_random<Bf8>, b32, b16, b32),
    ZELLIGE_NARROW_8("fp8", Fp8),
    ZELLIGE_NARROW_8("bf8", Bf8),
    ZELLIGE_NARROW_8("fp4", Fp4),
    ZELLIGE_NARROW_BYTE("fp8", Fp8),
    ZELLIGE_NARROW_BYTE("bf8", Bf8),
    ZELLIGE_NARROW_6("fp6", Fp6),
    ZELLIGE_NARROW_6("bf6", Bf6),
    row("v_cvt_scalef32_sr_pk_fp4_f32", &pack_random<Fp4, WideF32, 2>, b32, b64, b32, f32),
    row("v_cvt_scalef32_sr_pk_fp4_f16", &pack_random<Fp4, WideF16, 2>, b32, b32, b32, f32),
    row("v_cvt_scalef32_sr_pk_fp4_bf16", &pack_random<Fp4, WideBf16, 2>, b32, b32, b32, f32),
    row("v_cvt_sr_fp8_f32", &convert_random<Fp8>, b32, f32, b32),
    row("v_cvt_sr_bf8_f32", &convert_random<Bf8>, b32, f32, b32),
    row("v_cvt_sr_fp8_f32@gfx942", &convert_random<Fp8Fnuz>, b32, f32, b32),
    row("v_cvt_sr_bf8_f32@gfx942", &convert_random<Bf8Fnuz>, b32, f32, b32),
    row("v_cvt_sr_f16_f32", &convert_random<Half>, b32, f32, b32),
    row("v_cvt_sr_bf16_f32", &convert_random<Bfloat>, b32, f32, b32),
};

#undef ZELLIGE_NARROW_8
#undef ZELLIGE_NARROW_BYTE
#undef ZELLIGE_NARROW_6
#undef ZELLIGE_NARROW_GROUP

}  // namespace

OperationTable valu_narrow_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
