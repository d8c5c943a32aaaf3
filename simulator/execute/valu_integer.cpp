// Vector integer arithmetic, logic, shifts, bit fields and moves, 16, 32 and 64 bits.
//
// Law: shift counts use their low 5 (4, 6) bits; 24-bit multiplies sign- or zero-extend bit 23; `clamp` saturates.
#include "simulator/execute/integer_math.hpp"
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

/// v_cndmask_b32, the mask read straight from its bits.
const Instruction* select_by_mask(Wave& wave, const Instruction* i) {
  SourceRows room[2];
  const Source<u32, false> a(wave, i->src[0], room[0]);
  const Source<u32, false> b(wave, i->src[1], room[1]);
  const u64 mask = read_mask(wave, i->src[2]);
  u32* rows = static_cast<u32*>(__builtin_assume_aligned(wave.row(i->dst.index), 64));
  alignas(64) u32 chosen[row_lanes];
  expand_mask(mask, chosen);
  const u32* exec = wave.exec_mask;
  if (wave.exec_full) {
    ZELLIGE_SIM_LANES rows[lane] = (a[lane] & ~chosen[lane]) | (b[lane] & chosen[lane]);
  } else {
    ZELLIGE_SIM_LANES Value<u32>::store(rows, lane, (a[lane] & ~chosen[lane]) | (b[lane] & chosen[lane]), exec[lane]);
  }
  return i + 1;
}

/// v_cndmask_b32 takes floats as far as its negate and absolute modifiers go.
constexpr Operation select_operation() {
  Operation row =
      special("v_cndmask_b32", &select_by_mask, ValueType::b32, ValueType::f32, ValueType::f32, ValueType::mask);
  return row;
}

/// v_cndmask_b16: floats as far as negate and absolute go.
constexpr Operation select_half_operation() {
  Operation row =
      valu<[](u16 a, u16 b, LaneBit choose) { return static_cast<u16>(choose.bits != 0 ? b : a); }>("v_cndmask_b16");
  row.src[0] = row.src[1] = ValueType::f16;
  row.dst = ValueType::b16;
  return row;
}

constexpr Operation rows[] = {
    valu<[](u32 a) { return a; }>("v_mov_b32"),
    valu<[](u64 a) { return a; }>("v_mov_b64"),
    valu<[](u32 a) { return a; }>("v_accvgpr_read_b32"),
    valu<[](u32 a) { return a; }>("v_accvgpr_write_b32"),
    valu<[](u32 a) { return a; }>("v_accvgpr_mov_b32"),
    valu<[](u32 a) { return ~a; }>("v_not_b32"),
    select_operation(),
    valu_saturating<[](u32 a, u32 b) { return a + b; }, [](u32 a, u32 b) { return add_sat(a, b); }>("v_add_u32"),
    valu_saturating<[](u32 a, u32 b) { return a - b; }, [](u32 a, u32 b) { return sub_sat(a, b); }>("v_sub_u32"),
    valu_saturating<[](u32 a, u32 b) { return b - a; }, [](u32 a, u32 b) { return sub_sat(b, a); }>("v_subrev_u32"),
    valu_saturating<[](u32 a, u32 b) { return a + b; }, [](u32 a, u32 b) { return add_sat_signed(a, b); }>("v_add_i32"),
    valu_saturating<[](u32 a, u32 b) { return a - b; }, [](u32 a, u32 b) { return sub_sat_signed(a, b); }>("v_sub_i32"),
    valu<[](u32 a, u32 b) {
      return WithMask<u32>{a + b, a + b < a};
    }>("v_add_co_u32"),
    valu<[](u32 a, u32 b) {
      return WithMask<u32>{a - b, a < b};
    }>("v_sub_co_u32"),
    valu<[](u32 a, u32 b) {
      return WithMask<u32>{b - a, b < a};
    }>("v_subrev_co_u32"),
    // carry is ~0 or 0: subtracting it adds the carry.
    valu<[](u32 a, u32 b, LaneBit carry) {
      const u32 sum = a + b, result = sum - carry.bits;
      return WithMask<u32>{result, ((sum < a) | ((carry.bits != 0) & (result == 0))) != 0};
    }>("v_addc_co_u32"),
    valu<[](u32 a, u32 b, LaneBit borrow) {
      return WithMask<u32>{a - b + borrow.bits, ((a < b) | ((borrow.bits != 0) & (a == b))) != 0};
    }>("v_subb_co_u32"),
    valu<[](u32 a, u32 b, LaneBit borrow) {
      return WithMask<u32>{b - a + borrow.bits, ((b < a) | ((borrow.bits != 0) & (a == b))) != 0};
    }>("v_subbrev_co_u32"),
    valu<[](u32 a, u32 b) { return a & b; }>("v_and_b32"),
    valu<[](u32 a, u32 b) { return a | b; }>("v_or_b32"),
    valu<[](u32 a, u32 b) { return a ^ b; }>("v_xor_b32"),
    valu<[](u32 a, u32 b) { return ~(a ^ b); }>("v_xnor_b32"),
    valu<[](u32 a, u32 b) { return b << (a & 31); }>("v_lshlrev_b32"),
    valu<[](u32 a, u32 b) { return b >> (a & 31); }>("v_lshrrev_b32"),
    valu<[](u32 a, i32 b) { return b >> (a & 31); }>("v_ashrrev_i32"),
    valu<[](u32 a, u64 b) { return b << (a & 63); }>("v_lshlrev_b64"),
    valu<[](u32 a, u64 b) { return b >> (a & 63); }>("v_lshrrev_b64"),
    valu<[](u32 a, i64 b) { return b >> (a & 63); }>("v_ashrrev_i64"),
    valu<[](u32 a, u32 b) { return a * b; }>("v_mul_lo_u32"),
    valu<[](u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); }>("v_mul_hi_u32"),
    valu<[](i32 a, i32 b) { return static_cast<u32>(static_cast<u64>(i64{a} * b) >> 32); }>("v_mul_hi_i32"),
    valu<[](u32 a, u32 b) { return static_cast<u32>(low_24_signed(a) * low_24_signed(b)); }>("v_mul_i32_i24"),
    valu<[](u32 a, u32 b) { return (a & 0xff'ffff) * (b & 0xff'ffff); }>("v_mul_u32_u24"),
    valu<[](u32 a, u32 b) { return static_cast<u32>(static_cast<u64>(i64{low_24(a)} * low_24(b)) >> 32); }>(
        "v_mul_hi_i32_i24"),
    valu<[](u32 a, u32 b) { return static_cast<u32>(u64{a & 0xff'ffff} * (b & 0xff'ffff) >> 32); }>("v_mul_hi_u32_u24"),
    valu_saturating<[](u32 a, u32 b, u32 c) { return static_cast<u32>(low_24_signed(a) * low_24_signed(b)) + c; },
                    [](u32 a, u32 b, i32 c) { return saturate_i32(i64{low_24(a)} * low_24(b) + c); }>("v_mad_i32_i24"),
    valu_saturating<[](u32 a, u32 b, u32 c) { return (a & 0xff'ffff) * (b & 0xff'ffff) + c; },
                    [](u32 a, u32 b, u32 c) { return saturate_u32(u64{a & 0xff'ffff} * (b & 0xff'ffff) + c); }>(
        "v_mad_u32_u24"),
    valu<[](u32 a, u32 b, u64 c) {
      const u64 product = u64{a} * b, sum = product + c;
      return WithMask<u64>{sum, sum < product};
    }>("v_mad_u64_u32"),
    valu<[](i32 a, i32 b, i64 c) {
      const i64 product = i64{a} * b;
      const i64 sum = static_cast<i64>(static_cast<u64>(product) + static_cast<u64>(c));
      return WithMask<i64>{sum, ((product ^ sum) & (c ^ sum)) < 0};
    }>("v_mad_i64_i32"),
    valu<[](i32 a, i32 b) { return a < b ? a : b; }>("v_min_i32"),
    valu<[](i32 a, i32 b) { return a > b ? a : b; }>("v_max_i32"),
    valu<[](u32 a, u32 b) { return a < b ? a : b; }>("v_min_u32"),
    valu<[](u32 a, u32 b) { return a > b ? a : b; }>("v_max_u32"),
    valu<[](i32 a, i32 b, i32 c) { return least(least(a, b), c); }>("v_min3_i32"),
    valu<[](i32 a, i32 b, i32 c) { return greatest(greatest(a, b), c); }>("v_max3_i32"),
    valu<[](i32 a, i32 b, i32 c) { return middle(a, b, c); }>("v_med3_i32"),
    valu<[](u32 a, u32 b, u32 c) { return least(least(a, b), c); }>("v_min3_u32"),
    valu<[](u32 a, u32 b, u32 c) { return greatest(greatest(a, b), c); }>("v_max3_u32"),
    valu<[](u32 a, u32 b, u32 c) { return middle(a, b, c); }>("v_med3_u32"),
    valu<[](u32 a, u32 b, u32 c) { return a + b + c; }>("v_add3_u32"),
    valu<[](u32 a, u32 b, u32 c) { return (a << (b & 31)) + c; }>("v_lshl_add_u32"),
    valu<[](u64 a, u32 b, u64 c) { return (a << (b & 7)) + c; }>("v_lshl_add_u64"),
    valu<[](u32 a, u32 b, u32 c) { return (a + b) << (c & 31); }>("v_add_lshl_u32"),
    valu<[](u32 a, u32 b, u32 c) { return a << (b & 31) | c; }>("v_lshl_or_b32"),
    valu<[](u32 a, u32 b, u32 c) { return (a & b) | c; }>("v_and_or_b32"),
    valu<[](u32 a, u32 b, u32 c) { return a | b | c; }>("v_or3_b32"),
    valu<[](u32 a, u32 b, u32 c) { return (a ^ b) + c; }>("v_xad_u32"),
    valu<[](u32 a, u32 b, u32 c) {
      const u32 width = c & 31;
      return a >> (b & 31) & ((1u << width) - 1);
    }>("v_bfe_u32"),
    valu<[](i32 a, u32 b, u32 c) {
      // Bits past the top repeat the sign, as an arithmetic shift gives them.
      const u32 width = c & 31, up = 32 - (width == 0 ? 1 : width);
      const i32 field = static_cast<i32>(static_cast<u32>(a >> (b & 31)) << up) >> up;
      return width == 0 ? 0 : field;
    }>("v_bfe_i32"),
    valu<[](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }>("v_bfi_b32"),
    valu<[](u32 a, u32 b) { return ((1u << (a & 31)) - 1) << (b & 31); }>("v_bfm_b32"),
    valu<[](u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} << 32 | b) >> (c & 31)); }>("v_alignbit_b32"),
    valu<[](u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} << 32 | b) >> (8 * (c & 3))); }>("v_alignbyte_b32"),
    valu<[](u32 a, u32 b, u32 c) { return permute_bytes(a, b, c); }>("v_perm_b32"),
    valu<[](u32 a) { return reverse_bits(a); }>("v_bfrev_b32"),
    valu<[](u32 a) { return high_bit_distance(a); }>("v_ffbh_u32"),
    valu<[](i32 a) { return high_bit_distance(static_cast<u32>(a ^ (a >> 31))); }>("v_ffbh_i32"),
    valu<[](u32 a) { return a == 0 ? ~0u : count_bits((a & (0u - a)) - 1); }>("v_ffbl_b32"),
    valu<[](u32 a, u32 b) { return count_bits(a) + b; }>("v_bcnt_u32_b32"),
    valu<[](u32 a) { return (a << 1) ^ (a >> 31 != 0 ? 197u : 0u); }>("v_prng_b32"),
    // 16 bits
    valu_saturating<[](u16 a, u16 b) { return static_cast<u16>(a + b); },
                    [](u16 a, u16 b) { return static_cast<u16>(least(u32{a} + b, 0xffffu)); }>("v_add_u16"),
    valu_saturating<[](u16 a, u16 b) { return static_cast<u16>(a - b); },
                    [](u16 a, u16 b) { return static_cast<u16>(a < b ? 0 : a - b); }>("v_sub_u16"),
    valu_saturating<[](u16 a, u16 b) { return static_cast<u16>(b - a); },
                    [](u16 a, u16 b) { return static_cast<u16>(b < a ? 0 : b - a); }>("v_subrev_u16"),
    valu_saturating<[](i16 a, i16 b) { return Low<i16>{static_cast<i16>(a + b)}; },
                    [](i16 a, i16 b) { return Low<i16>{saturate_i16(a + b)}; }>("v_add_i16"),
    valu_saturating<[](i16 a, i16 b) { return Low<i16>{static_cast<i16>(a - b)}; },
                    [](i16 a, i16 b) { return Low<i16>{saturate_i16(a - b)}; }>("v_sub_i16"),
    valu<[](u16 a, u16 b) { return static_cast<u16>(u32{a} * b); }>("v_mul_lo_u16"),
    valu<[](u16 a, u16 b) { return static_cast<u16>(b << (a & 15)); }>("v_lshlrev_b16"),
    valu<[](u16 a, u16 b) { return static_cast<u16>(b >> (a & 15)); }>("v_lshrrev_b16"),
    valu<[](u16 a, i16 b) { return static_cast<i16>(b >> (a & 15)); }>("v_ashrrev_i16"),
    valu<[](u16 a, u16 b) { return least(a, b); }>("v_min_u16"),
    valu<[](u16 a, u16 b) { return greatest(a, b); }>("v_max_u16"),
    valu<[](i16 a, i16 b) { return least(a, b); }>("v_min_i16"),
    valu<[](i16 a, i16 b) { return greatest(a, b); }>("v_max_i16"),
    valu<[](u16 a, u16 b, u16 c) { return Low<u16>{least(least(a, b), c)}; }>("v_min3_u16"),
    valu<[](u16 a, u16 b, u16 c) { return Low<u16>{greatest(greatest(a, b), c)}; }>("v_max3_u16"),
    valu<[](u16 a, u16 b, u16 c) { return Low<u16>{middle(a, b, c)}; }>("v_med3_u16"),
    valu<[](i16 a, i16 b, i16 c) { return Low<i16>{least(least(a, b), c)}; }>("v_min3_i16"),
    valu<[](i16 a, i16 b, i16 c) { return Low<i16>{greatest(greatest(a, b), c)}; }>("v_max3_i16"),
    valu<[](i16 a, i16 b, i16 c) { return Low<i16>{middle(a, b, c)}; }>("v_med3_i16"),
    valu_saturating<[](u16 a, u16 b, u16 c) { return Low<u16>{static_cast<u16>(u32{a} * b + c)}; },
                    [](u16 a, u16 b, u16 c) {
                      return Low<u16>{static_cast<u16>(u64{a} * b + c > 0xffff ? 0xffff : u32{a} * b + c)};
                    }>("v_mad_u16"),
    valu_saturating<[](i16 a, i16 b, i16 c) { return Low<i16>{static_cast<i16>(i32{a} * b + c)}; },
                    [](i16 a, i16 b, i16 c) { return Low<i16>{saturate_i16(i32{a} * b + c)}; }>("v_mad_i16"),
    valu<[](u16 a, u16 b, u16 c) { return static_cast<u16>(u32{a} * b + c); }>("v_mad_legacy_u16"),
    valu<[](i16 a, i16 b, i16 c) { return static_cast<i16>(i32{a} * b + c); }>("v_mad_legacy_i16"),
    valu_saturating<[](u16 a, u16 b, u32 c) { return u32{a} * b + c; },
                    [](u16 a, u16 b, u32 c) { return saturate_u32(u64{a} * b + c); }>("v_mad_u32_u16"),
    valu_saturating<[](i16 a, i16 b, u32 c) { return static_cast<u32>(i32{a} * b) + c; },
                    [](i16 a, i16 b, i32 c) { return saturate_i32(i64{a} * b + c); }>("v_mad_i32_i16"),
    // gfx11 and later
    valu<[](u32 a, u32 b, u32 c) { return a ^ b ^ c; }>("v_xor3_b32"),
    valu<[](u16 a) { return a; }>("v_mov_b16"),
    valu<[](u16 a) { return static_cast<u16>(~a); }>("v_not_b16"),
    valu<[](u16 a, u16 b) { return static_cast<u16>(a & b); }>("v_and_b16"),
    valu<[](u16 a, u16 b) { return static_cast<u16>(a | b); }>("v_or_b16"),
    valu<[](u16 a, u16 b) { return static_cast<u16>(a ^ b); }>("v_xor_b16"),
    select_half_operation(),
    valu<[](i16 a) { return i32{a}; }>("v_cvt_i32_i16"),
    valu<[](u16 a) { return u32{a}; }>("v_cvt_u32_u16"),
    valu<[](i32 a) {
      return static_cast<u16>(clamp_between(static_cast<i16>(a), 0, 255) | clamp_between(a >> 16, 0, 255) << 8);
    }>("v_sat_pk_u8_i16@half"),
    valu<[](u32 a) { return saturate_nibbles(a, true); }>("v_sat_pk4_i4_i8"),
    valu<[](u32 a) { return saturate_nibbles(a, false); }>("v_sat_pk4_u4_u8"),
    valu_saturating<[](u64 a, u64 b) { return a + b; }, [](u64 a, u64 b) { return a + b < a ? ~u64{0} : a + b; }>(
        "v_add_nc_u64"),
    valu_saturating<[](u64 a, u64 b) { return a - b; }, [](u64 a, u64 b) { return a < b ? u64{0} : a - b; }>(
        "v_sub_nc_u64"),
    valu<[](u64 a, u64 b) { return a * b; }>("v_mul_u64"),
    valu<[](u32 a, u32 b, u32 c) { return a * b + c; }>("v_mad_u32"),
    valu_saturating<[](u32 a, u32 b, u64 c) { return u64{a} * b + c; },
                    [](u32 a, u32 b, u64 c) { return u64{a} * b + c < c ? ~u64{0} : u64{a} * b + c; }>(
        "v_mad_nc_u64_u32"),
    valu_saturating<[](i32 a, i32 b, i64 c) {
      return static_cast<i64>(static_cast<u64>(i64{a} * b) + static_cast<u64>(c));
    },
                    [](i32 a, i32 b, i64 c) {
                      const i64 product = i64{a} * b;
                      const i64 sum = static_cast<i64>(static_cast<u64>(product) + static_cast<u64>(c));
                      const bool overflow = ((product ^ sum) & (c ^ sum)) < 0;
                      return overflow ? (c < 0 ? -0x7fff'ffff'ffff'ffff - 1 : i64{0x7fff'ffff'ffff'ffff}) : sum;
                    }>("v_mad_nc_i64_i32"),
    // The shift count is a half of a register.
    valu<[](u32 a, u32 b, u16 c) { return static_cast<u32>((u64{a} << 32 | b) >> (c & 31)); }>("v_alignbit_b32@half"),
    valu<[](u32 a, u32 b, u16 c) { return static_cast<u32>((u64{a} << 32 | b) >> (8 * (c & 3))); }>(
        "v_alignbyte_b32@half"),
    // Sums of absolute differences
    valu<[](u32 a, u32 b, u32 c) { return absolute_differences(a, b) + c; }>("v_sad_u8"),
    valu<[](u32 a, u32 b, u32 c) { return (absolute_differences(a, b) << 16) + c; }>("v_sad_hi_u8"),
    valu<[](u32 a, u32 b, u32 c) { return difference(a & 0xffff, b & 0xffff) + difference(a >> 16, b >> 16) + c; }>(
        "v_sad_u16"),
    valu<[](u32 a, u32 b, u32 c) { return difference(a, b) + c; }>("v_sad_u32"),
    valu<[](u32 a, u32 b, u32 c) { return masked_differences(a, b) + c; }>("v_msad_u8"),
    valu<[](u64 a, u32 b, u64 c) { return four_differences<false>(a, b, c); }>("v_qsad_pk_u16_u8"),
    valu<[](u64 a, u32 b, u64 c) { return four_differences<true>(a, b, c); }>("v_mqsad_pk_u16_u8"),
    valu<[](u32 a, u32 b, u32 c) {
      u32 result = 0;
      _Pragma("clang loop unroll(full)") for (int shift = 0; shift < 32; shift += 8) result |=
          ((a >> shift & 0xff) + (b >> shift & 0xff) + (c >> shift & 1)) >> 1 << shift;
      return result;
    }>("v_lerp_u8"),
    valu<[](u32 a) {
      return u32{static_cast<u16>(clamp_between(static_cast<i16>(a), 0, 255) |
                                  clamp_between(static_cast<i32>(a) >> 16, 0, 255) << 8)};
    }>("v_sat_pk_u8_i16"),
    valu<[](i32 a, i32 b, u32 c) {
      return Low<u16>{static_cast<u16>((clamp_between(a >> (c & 31), -128, 127) & 0xff) |
                                       clamp_between(b >> (c & 31), -128, 127) << 8)};
    }>("v_ashr_pk_i8_i32"),
    valu<[](i32 a, i32 b, u32 c) {
      return Low<u16>{
          static_cast<u16>(clamp_between(a >> (c & 31), 0, 255) | clamp_between(b >> (c & 31), 0, 255) << 8)};
    }>("v_ashr_pk_u8_i32"),
};

}  // namespace

OperationTable valu_integer_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
