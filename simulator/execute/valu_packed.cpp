// Packed instructions (two f16, i16 or f32 values an operand) and dot products.
//
// Law: a dot product's f32 terms are summed in double and rounded once with the accumulator; integer dot products are
// exact modulo 2^32, or saturate with clamp.
#include "simulator/execute/half_math.hpp"
#include "simulator/execute/integer_math.hpp"
#include "simulator/execute/narrow_float.hpp"
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

using HalfPair = Pair<f16>;
using SignedPair = Pair<i16>;
using UnsignedPair = Pair<u16>;
using FloatPair = Pair<f32>;
using WordPair = Pair<u32>;

ZELLIGE_SIM_INLINE f32 dot_halves(HalfPair a, HalfPair b, f32 c) {
  return static_cast<f32>(static_cast<f64>(widen(a.low)) * static_cast<f64>(widen(b.low)) +
                          static_cast<f64>(widen(a.high)) * static_cast<f64>(widen(b.high)) + static_cast<f64>(c));
}
ZELLIGE_SIM_INLINE f32 dot_bf16(u32 a, u32 b, f32 c) {
  return static_cast<f32>(static_cast<f64>(from_bf16(a & 0xffff)) * static_cast<f64>(from_bf16(b & 0xffff)) +
                          static_cast<f64>(from_bf16(a >> 16)) * static_cast<f64>(from_bf16(b >> 16)) +
                          static_cast<f64>(c));
}

/// The sum of products of the fields of `bits` bits, exact.
template <int bits, bool is_signed>
ZELLIGE_SIM_INLINE i64 dot_fields(u32 a, u32 b) {
  i64 sum = 0;
  _Pragma("clang loop unroll(full)") for (int shift = 0; shift < 32; shift += bits) {
    if constexpr (is_signed)
      sum += i64{static_cast<i32>(a << (32 - bits - shift)) >> (32 - bits)} *
             (static_cast<i32>(b << (32 - bits - shift)) >> (32 - bits));
    else
      sum += static_cast<i64>(u64{a << (32 - bits - shift) >> (32 - bits)} * (b << (32 - bits - shift) >> (32 - bits)));
  }
  return sum;
}
template <int bits, bool is_signed>
ZELLIGE_SIM_INLINE u32 dot(u32 a, u32 b, u32 c) {
  return static_cast<u32>(dot_fields<bits, is_signed>(a, b)) + c;
}
template <int bits>
ZELLIGE_SIM_INLINE u32 dot_saturating(u32 a, u32 b, i32 c) {
  return saturate_i32(dot_fields<bits, true>(a, b) + c);
}
template <int bits>
ZELLIGE_SIM_INLINE u32 dot_saturating_unsigned(u32 a, u32 b, u32 c) {
  return saturate_u32(static_cast<u64>(dot_fields<bits, false>(a, b)) + c);
}

/// Sources of the integer dot products of 16-bit values may have op_sel.
constexpr Operation of_pairs(Operation row, ValueType type) {
  row.src[0] = row.src[1] = type;
  return row;
}

ZELLIGE_SIM_INLINE u16 to_u16_sat(i32 a) { return static_cast<u16>(clamp_between(a, 0, 0xffff)); }

template <class A, class B>
ZELLIGE_SIM_INLINE f32 dot_float8(u32 a, u32 b, f32 c) {
  f64 sum = c;
  _Pragma("clang loop unroll(full)") for (int shift = 0; shift < 32; shift += 8) sum +=
      static_cast<f64>(A::decode(a >> shift & 0xff)) * static_cast<f64>(B::decode(b >> shift & 0xff));
  return static_cast<f32>(sum);
}

/// Each operand is signed when its neg_lo bit is set.
template <int bits>
const Instruction* dot_of_signs(Wave& wave, const Instruction* i) {
  SourceRows room[3];
  const Source<u32, false> a(wave, i->src[0], room[0]);
  const Source<u32, false> b(wave, i->src[1], room[1]);
  const Source<i32, false> c(wave, i->src[2], room[2]);
  const bool a_signed = i->src[0].modifiers & modifier_negate, b_signed = i->src[1].modifiers & modifier_negate;
  const bool clamp = (i->flags & flag_clamp) != 0;
  Store<u32>::all(
      wave, i, [&](int lane) __attribute__((always_inline)) {
        i64 sum = c[lane];
        _Pragma("clang loop unroll(full)") for (int shift = 0; shift < 32; shift += bits) sum +=
            i64{field<bits>(a[lane], shift, a_signed)} * field<bits>(b[lane], shift, b_signed);
        return clamp ? saturate_i32(sum) : static_cast<u32>(sum);
      });
  return i + 1;
}

constexpr Operation dot_operation(std::string_view mnemonic, Handler handler) {
  Operation row = special(mnemonic, handler, ValueType::u32, ValueType::u32, ValueType::u32, ValueType::i32);
  row.flags |= flag_own_modifiers;
  return row;
}

constexpr Operation rows[] = {
    valu<[](HalfPair a, HalfPair b) {
      return HalfPair{narrow(widen(a.low) + widen(b.low)), narrow(widen(a.high) + widen(b.high))};
    }>("v_pk_add_f16"),
    valu<[](HalfPair a, HalfPair b) {
      return HalfPair{narrow(widen(a.low) * widen(b.low)), narrow(widen(a.high) * widen(b.high))};
    }>("v_pk_mul_f16"),
    valu<[](HalfPair a, HalfPair b, HalfPair c) {
      return HalfPair{fma_half(a.low, b.low, c.low), fma_half(a.high, b.high, c.high)};
    }>("v_pk_fma_f16"),
    accumulating<[](HalfPair a, HalfPair b, HalfPair c) {
      return HalfPair{fma_half(a.low, b.low, c.low), fma_half(a.high, b.high, c.high)};
    }>("v_pk_fmac_f16"),
    valu<[](HalfPair a, HalfPair b) {
      return HalfPair{minimum_number(a.low, b.low), minimum_number(a.high, b.high)};
    }>("v_pk_min_f16"),
    valu<[](HalfPair a, HalfPair b) {
      return HalfPair{maximum_number(a.low, b.low), maximum_number(a.high, b.high)};
    }>("v_pk_max_f16"),
    valu<[](HalfPair a, HalfPair b, HalfPair c) {
      return HalfPair{narrow(minimum_nan(minimum_nan(widen(a.low), widen(b.low)), widen(c.low))),
                      narrow(minimum_nan(minimum_nan(widen(a.high), widen(b.high)), widen(c.high)))};
    }>("v_pk_minimum3_f16"),
    valu<[](HalfPair a, HalfPair b, HalfPair c) {
      return HalfPair{narrow(maximum_nan(maximum_nan(widen(a.low), widen(b.low)), widen(c.low))),
                      narrow(maximum_nan(maximum_nan(widen(a.high), widen(b.high)), widen(c.high)))};
    }>("v_pk_maximum3_f16"),
    valu<[](FloatPair a, FloatPair b) {
      return FloatPair{a.low + b.low, a.high + b.high};
    }>("v_pk_add_f32"),
    valu<[](FloatPair a, FloatPair b) {
      return FloatPair{a.low * b.low, a.high * b.high};
    }>("v_pk_mul_f32"),
    valu<[](FloatPair a, FloatPair b, FloatPair c) {
      return FloatPair{__builtin_fmaf(a.low, b.low, c.low), __builtin_fmaf(a.high, b.high, c.high)};
    }>("v_pk_fma_f32"),
    // op_sel has already put the dword that each source gives into its low place.
    valu<[](WordPair a, WordPair b) {
      return WordPair{a.low, b.low};
    }>("v_pk_mov_b32"),
    valu_saturating<[](SignedPair a, SignedPair b) {
      return SignedPair{static_cast<i16>(a.low + b.low), static_cast<i16>(a.high + b.high)};
    },
                    [](SignedPair a, SignedPair b) {
                      return SignedPair{saturate_i16(a.low + b.low), saturate_i16(a.high + b.high)};
                    }>("v_pk_add_i16"),
    valu_saturating<[](SignedPair a, SignedPair b) {
      return SignedPair{static_cast<i16>(a.low - b.low), static_cast<i16>(a.high - b.high)};
    },
                    [](SignedPair a, SignedPair b) {
                      return SignedPair{saturate_i16(a.low - b.low), saturate_i16(a.high - b.high)};
                    }>("v_pk_sub_i16"),
    valu_saturating<[](UnsignedPair a, UnsignedPair b) {
      return UnsignedPair{static_cast<u16>(a.low + b.low), static_cast<u16>(a.high + b.high)};
    },
                    [](UnsignedPair a, UnsignedPair b) {
                      return UnsignedPair{to_u16_sat(a.low + b.low), to_u16_sat(a.high + b.high)};
                    }>("v_pk_add_u16"),
    valu_saturating<[](UnsignedPair a, UnsignedPair b) {
      return UnsignedPair{static_cast<u16>(a.low - b.low), static_cast<u16>(a.high - b.high)};
    },
                    [](UnsignedPair a, UnsignedPair b) {
                      return UnsignedPair{to_u16_sat(i32{a.low} - b.low), to_u16_sat(i32{a.high} - b.high)};
                    }>("v_pk_sub_u16"),
    valu<[](UnsignedPair a, UnsignedPair b) {
      return UnsignedPair{static_cast<u16>(u32{a.low} * b.low), static_cast<u16>(u32{a.high} * b.high)};
    }>("v_pk_mul_lo_u16"),
    valu<[](UnsignedPair a, UnsignedPair b, UnsignedPair c) {
      return UnsignedPair{static_cast<u16>(u32{a.low} * b.low + c.low),
                          static_cast<u16>(u32{a.high} * b.high + c.high)};
    }>("v_pk_mad_u16"),
    valu_saturating<[](SignedPair a, SignedPair b, SignedPair c) {
      return SignedPair{static_cast<i16>(a.low * b.low + c.low), static_cast<i16>(a.high * b.high + c.high)};
    },
                    [](SignedPair a, SignedPair b, SignedPair c) {
                      return SignedPair{saturate_i16(a.low * b.low + c.low), saturate_i16(a.high * b.high + c.high)};
                    }>("v_pk_mad_i16"),
    valu<[](UnsignedPair a, UnsignedPair b) {
      return UnsignedPair{static_cast<u16>(b.low << (a.low & 15)), static_cast<u16>(b.high << (a.high & 15))};
    }>("v_pk_lshlrev_b16"),
    valu<[](UnsignedPair a, UnsignedPair b) {
      return UnsignedPair{static_cast<u16>(b.low >> (a.low & 15)), static_cast<u16>(b.high >> (a.high & 15))};
    }>("v_pk_lshrrev_b16"),
    valu<[](SignedPair a, SignedPair b) {
      return SignedPair{static_cast<i16>(b.low >> (a.low & 15)), static_cast<i16>(b.high >> (a.high & 15))};
    }>("v_pk_ashrrev_i16"),
    valu<[](SignedPair a, SignedPair b) {
      return SignedPair{least(a.low, b.low), least(a.high, b.high)};
    }>("v_pk_min_i16"),
    valu<[](SignedPair a, SignedPair b) {
      return SignedPair{greatest(a.low, b.low), greatest(a.high, b.high)};
    }>("v_pk_max_i16"),
    valu<[](UnsignedPair a, UnsignedPair b) {
      return UnsignedPair{least(a.low, b.low), least(a.high, b.high)};
    }>("v_pk_min_u16"),
    valu<[](UnsignedPair a, UnsignedPair b) {
      return UnsignedPair{greatest(a.low, b.low), greatest(a.high, b.high)};
    }>("v_pk_max_u16"),
    valu<[](HalfPair a, HalfPair b, f32 c) { return dot_halves(a, b, c); }>("v_dot2_f32_f16"),
    accumulating<[](HalfPair a, HalfPair b, f32 c) { return dot_halves(a, b, c); }>("v_dot2c_f32_f16"),
    of_pairs(valu<[](u32 a, u32 b, f32 c) { return dot_bf16(a, b, c); }>("v_dot2_f32_bf16"), ValueType::packed_bf16),
    of_pairs(accumulating<[](u32 a, u32 b, f32 c) { return dot_bf16(a, b, c); }>("v_dot2c_f32_bf16"),
             ValueType::packed_bf16),
    of_pairs(valu_saturating<[](u32 a, u32 b, u32 c) { return dot<16, true>(a, b, c); },
                             [](u32 a, u32 b, i32 c) { return dot_saturating<16>(a, b, c); }>("v_dot2_i32_i16"),
             ValueType::packed_i16),
    of_pairs(accumulating<[](u32 a, u32 b, u32 c) { return dot<16, true>(a, b, c); }>("v_dot2c_i32_i16"),
             ValueType::packed_i16),
    of_pairs(
        valu_saturating<[](u32 a, u32 b, u32 c) { return dot<16, false>(a, b, c); },
                        [](u32 a, u32 b, u32 c) { return dot_saturating_unsigned<16>(a, b, c); }>("v_dot2_u32_u16"),
        ValueType::packed_i16),
    valu_saturating<[](u32 a, u32 b, u32 c) { return dot<8, true>(a, b, c); },
                    [](u32 a, u32 b, i32 c) { return dot_saturating<8>(a, b, c); }>("v_dot4_i32_i8"),
    accumulating<[](u32 a, u32 b, u32 c) { return dot<8, true>(a, b, c); }>("v_dot4c_i32_i8"),
    valu_saturating<[](u32 a, u32 b, u32 c) { return dot<8, false>(a, b, c); },
                    [](u32 a, u32 b, u32 c) { return dot_saturating_unsigned<8>(a, b, c); }>("v_dot4_u32_u8"),
    valu<[](u32 a, u32 b, f32 c) { return dot_float8<Fp8, Fp8>(a, b, c); }>("v_dot4_f32_fp8_fp8"),
    valu<[](u32 a, u32 b, f32 c) { return dot_float8<Fp8, Bf8>(a, b, c); }>("v_dot4_f32_fp8_bf8"),
    valu<[](u32 a, u32 b, f32 c) { return dot_float8<Bf8, Fp8>(a, b, c); }>("v_dot4_f32_bf8_fp8"),
    valu<[](u32 a, u32 b, f32 c) { return dot_float8<Bf8, Bf8>(a, b, c); }>("v_dot4_f32_bf8_bf8"),
    dot_operation("v_dot4_i32_iu8", &dot_of_signs<8>),
    dot_operation("v_dot8_i32_iu4", &dot_of_signs<4>),
    valu_saturating<[](u32 a, u32 b, u32 c) { return dot<4, true>(a, b, c); },
                    [](u32 a, u32 b, i32 c) { return dot_saturating<4>(a, b, c); }>("v_dot8_i32_i4"),
    accumulating<[](u32 a, u32 b, u32 c) { return dot<4, true>(a, b, c); }>("v_dot8c_i32_i4"),
    valu_saturating<[](u32 a, u32 b, u32 c) { return dot<4, false>(a, b, c); },
                    [](u32 a, u32 b, u32 c) { return dot_saturating_unsigned<4>(a, b, c); }>("v_dot8_u32_u4"),
};

}  // namespace

OperationTable valu_packed_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
