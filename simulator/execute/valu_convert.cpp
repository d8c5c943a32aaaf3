// Conversions among integers, f16, bf16, f32, f64 and the 8-bit floats.
//
// Law: float to integer truncates, saturates and gives 0 for NaN; narrower floats round to nearest even unless the name
// says otherwise. 8-bit floats are OCP formats, and the FNUZ ones on gfx942 (rows whose names end in @gfx942).
#include "simulator/execute/half_math.hpp"
#include "simulator/execute/integer_math.hpp"
#include "simulator/execute/narrow_float.hpp"
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// Two f32 to two 8-bit floats in the half that op_sel names.
template <class Format>
const Instruction* pack_float8(Wave& wave, const Instruction* i) {
  SourceRows room[2];
  const Source<f32, true> a(wave, i->src[0], room[0]);
  const Source<f32, true> b(wave, i->src[1], room[1]);
  const bool saturate = (wave.mode >> 23 & 1) != 0;
  Store<Low<u16>>::all(
      wave, i, [&](int lane) __attribute__((always_inline)) {
        return Low<u16>{static_cast<u16>(Format::encode(a[lane], saturate) | Format::encode(b[lane], saturate) << 8)};
      });
  return i + 1;
}

template <class Format>
constexpr Operation pack_operation(std::string_view mnemonic) {
  Operation row = special(mnemonic, &pack_float8<Format>, ValueType::u16, ValueType::f32, ValueType::f32);
  row.flags |= flag_keeps_high;
  return row;
}

template <class Format>
ZELLIGE_SIM_INLINE Pair<f32> decode_pair(u32 a) {
  return {Format::decode(a & 0xff), Format::decode(a >> 8 & 0xff)};
}

/// The byte of c that b names becomes a, rounded to nearest even within [0, 255].
ZELLIGE_SIM_INLINE u32 with_byte(f32 a, u32 b, u32 c) {
  const f32 inside = is_nan(a) || a < 0.0f ? 0.0f : a > 255.0f ? 255.0f : a;
  const u32 shift = 8 * (b & 3);
  return (c & ~(0xffu << shift)) | static_cast<u32>(static_cast<i32>(__builtin_roundevenf(inside))) << shift;
}

ZELLIGE_SIM_INLINE u32 halves_of(Pair<f32> a) { return pack_halves(narrow(a.low), narrow(a.high)); }

constexpr Operation rows[] = {
    valu<[](f32 a) { return to_i32(a); }>("v_cvt_i32_f32"),
    valu<[](f32 a) { return to_u32(a); }>("v_cvt_u32_f32"),
    valu<[](f64 a) { return to_i32(a); }>("v_cvt_i32_f64", OpClass::valu_double),
    valu<[](f64 a) { return to_u32(a); }>("v_cvt_u32_f64", OpClass::valu_double),
    valu<[](f32 a) { return to_i32(__builtin_floorf(a + 0.5f)); }>("v_cvt_rpi_i32_f32"),
    valu<[](f32 a) { return to_i32(__builtin_floorf(a)); }>("v_cvt_flr_i32_f32"),
    valu<[](i32 a) { return static_cast<f32>(a); }>("v_cvt_f32_i32"),
    valu<[](u32 a) { return static_cast<f32>(a); }>("v_cvt_f32_u32"),
    valu<[](i32 a) { return static_cast<f64>(a); }>("v_cvt_f64_i32", OpClass::valu_double),
    valu<[](u32 a) { return static_cast<f64>(a); }>("v_cvt_f64_u32", OpClass::valu_double),
    valu<[](f32 a) { return static_cast<f64>(a); }>("v_cvt_f64_f32", OpClass::valu_double),
    valu<[](f64 a) { return static_cast<f32>(a); }>("v_cvt_f32_f64", OpClass::valu_double),
    valu<[](f32 a) { return narrow(a); }>("v_cvt_f16_f32"),
    valu<[](f16 a) { return widen(a); }>("v_cvt_f32_f16"),
    valu<[](u16 a) { return narrow(static_cast<f32>(a)); }>("v_cvt_f16_u16"),
    valu<[](i16 a) { return narrow(static_cast<f32>(a)); }>("v_cvt_f16_i16"),
    valu<[](f16 a) { return static_cast<u16>(to_u16(a)); }>("v_cvt_u16_f16"),
    valu<[](f16 a) { return static_cast<i16>(to_i16(a)); }>("v_cvt_i16_f16"),
    valu<[](f16 a) { return static_cast<i16>(to_normalised(widen(a), -1.0f, 32767.0f)); }>("v_cvt_norm_i16_f16"),
    valu<[](f16 a) { return static_cast<u16>(to_normalised(widen(a), 0.0f, 65535.0f)); }>("v_cvt_norm_u16_f16"),
    valu<[](u32 a) { return static_cast<f32>(static_cast<i32>(a & 0xff)); }>("v_cvt_f32_ubyte0"),
    valu<[](u32 a) { return static_cast<f32>(static_cast<i32>(a >> 8 & 0xff)); }>("v_cvt_f32_ubyte1"),
    valu<[](u32 a) { return static_cast<f32>(static_cast<i32>(a >> 16 & 0xff)); }>("v_cvt_f32_ubyte2"),
    valu<[](u32 a) { return static_cast<f32>(static_cast<i32>(a >> 24)); }>("v_cvt_f32_ubyte3"),
    valu<[](u32 a) { return static_cast<f32>(static_cast<i32>(a << 28) >> 28) * 0.0625f; }>("v_cvt_off_f32_i4"),
    valu<[](f32 a, f32 b) { return pack_halves(narrow_to_zero(a), narrow_to_zero(b)); }>("v_cvt_pkrtz_f16_f32"),
    valu<[](f32 a, f32 b) { return pack_halves(narrow(a), narrow(b)); }>("v_cvt_pk_f16_f32"),
    valu<[](f32 a, f32 b) { return to_bf16(a) | to_bf16(b) << 16; }>("v_cvt_pk_bf16_f32"),
    valu<[](u16 a) { return from_bf16(a); }>("v_cvt_f32_bf16"),
    valu<[](f32 a, f32 b) {
      return static_cast<u32>(to_normalised(a, -1.0f, 32767.0f) & 0xffff) |
             static_cast<u32>(to_normalised(b, -1.0f, 32767.0f)) << 16;
    }>("v_cvt_pknorm_i16_f32"),
    valu<[](f32 a, f32 b) {
      return static_cast<u32>(to_normalised(a, 0.0f, 65535.0f)) | static_cast<u32>(to_normalised(b, 0.0f, 65535.0f))
                                                                      << 16;
    }>("v_cvt_pknorm_u16_f32"),
    valu<[](f16 a, f16 b) {
      return static_cast<u32>(to_normalised(widen(a), -1.0f, 32767.0f) & 0xffff) |
             static_cast<u32>(to_normalised(widen(b), -1.0f, 32767.0f)) << 16;
    }>("v_cvt_pknorm_i16_f16"),
    valu<[](f16 a, f16 b) {
      return static_cast<u32>(to_normalised(widen(a), 0.0f, 65535.0f)) |
             static_cast<u32>(to_normalised(widen(b), 0.0f, 65535.0f)) << 16;
    }>("v_cvt_pknorm_u16_f16"),
    valu<[](u32 a, u32 b) { return least(a, 0xffffu) | least(b, 0xffffu) << 16; }>("v_cvt_pk_u16_u32"),
    valu<[](i32 a, i32 b) {
      return static_cast<u32>(clamp_between(a, -32768, 32767) & 0xffff) |
             static_cast<u32>(clamp_between(b, -32768, 32767)) << 16;
    }>("v_cvt_pk_i16_i32"),
    valu<[](f32 a, u32 b, u32 c) { return with_byte(a, b, c); }>("v_cvt_pk_u8_f32"),
    accumulating<[](f32 a, u32 b, u32 old) { return with_byte(a, b, old); }>("v_cvt_pkaccum_u8_f32"),
    valu<[](f32 a, f32 b) {
      return static_cast<u32>(to_i16(a) & 0xffff) | static_cast<u32>(to_i16(b)) << 16;
    }>("v_cvt_pk_i16_f32"),
    valu<[](f32 a, f32 b) { return static_cast<u32>(to_u16(a)) | static_cast<u32>(to_u16(b)) << 16; }>("v_cvt_pk_u16_f32"),
    valu<[](u32 a) { return Fp8::decode(a & 0xff); }>("v_cvt_f32_fp8"),
    valu<[](u32 a) { return Bf8::decode(a & 0xff); }>("v_cvt_f32_bf8"),
    valu<[](u32 a) { return decode_pair<Fp8>(a); }>("v_cvt_pk_f32_fp8"),
    valu<[](u32 a) { return decode_pair<Bf8>(a); }>("v_cvt_pk_f32_bf8"),
    valu<[](u16 a) { return decode_pair<Fp8>(a); }>("v_cvt_pk_f32_fp8@half"),
    valu<[](u16 a) { return decode_pair<Bf8>(a); }>("v_cvt_pk_f32_bf8@half"),
    valu<[](u32 a) { return narrow(Fp8::decode(a & 0xff)); }>("v_cvt_f16_fp8"),
    valu<[](u32 a) { return narrow(Bf8::decode(a & 0xff)); }>("v_cvt_f16_bf8"),
    valu<[](u16 a) { return halves_of(decode_pair<Fp8>(a)); }>("v_cvt_pk_f16_fp8"),
    valu<[](u16 a) { return halves_of(decode_pair<Bf8>(a)); }>("v_cvt_pk_f16_bf8"),
    pack_operation<Fp8>("v_cvt_pk_fp8_f32"),
    pack_operation<Bf8>("v_cvt_pk_bf8_f32"),
    valu<[](u32 a) { return Fp8Fnuz::decode(a & 0xff); }>("v_cvt_f32_fp8@gfx942"),
    valu<[](u32 a) { return Bf8Fnuz::decode(a & 0xff); }>("v_cvt_f32_bf8@gfx942"),
    valu<[](u32 a) { return decode_pair<Fp8Fnuz>(a); }>("v_cvt_pk_f32_fp8@gfx942"),
    valu<[](u32 a) { return decode_pair<Bf8Fnuz>(a); }>("v_cvt_pk_f32_bf8@gfx942"),
    pack_operation<Fp8Fnuz>("v_cvt_pk_fp8_f32@gfx942"),
    pack_operation<Bf8Fnuz>("v_cvt_pk_bf8_f32@gfx942"),
};

}  // namespace

OperationTable valu_convert_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
