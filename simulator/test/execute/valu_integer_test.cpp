// Vector integer instructions against the ISA's definitions, over edge values in all operands.
#include <algorithm>
#include <bit>
#include <span>

#include "simulator/test/execute/valu_table.hpp"

namespace zellige::sim::test {
namespace {

i32 low24(u32 a) { return static_cast<i32>(a & 0xffffff) - (a & 0x800000 ? 0x1000000 : 0); }
u32 saturated(i64 value, i64 low, i64 high) { return static_cast<u32>(std::clamp(value, low, high)); }
u32 byte(u32 a, int k) { return a >> (8 * k) & 0xff; }
constexpr i64 i32_min = -2147483648ll, i32_max = 2147483647ll, u32_max = 4294967295ll;
i64 sgn(u32 a) { return static_cast<i32>(a); }
i64 half(u32 a) { return static_cast<i16>(a); }
u32 distance(u32 a, u32 b) { return static_cast<u32>(std::abs(i64{a} - i64{b})); }
u32 join(i64 low, i64 high) { return (static_cast<u32>(low) & 0xffff) | static_cast<u32>(high) << 16; }
i64 nibble(u32 a, int k) { return static_cast<i32>(a << (28 - 4 * k)) >> 28; }

// Where only the low register of a result is 16 bits wide: `kept` keeps the destination's high half, otherwise it is 0.
u32 kept(i64 value) { return (old_value & 0xffff0000u) | (static_cast<u32>(value) & 0xffff); }
u32 cleared(i64 value) { return static_cast<u32>(value) & 0xffff; }

const Row32 rows_32[] = {
    {"v_mov_b32 v4, v1", [](u32 a, u32, u32) { return a; }},
    {"v_not_b32 v4, v1", [](u32 a, u32, u32) { return 0xffffffffu - a; }},
    {"v_add_u32 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>(u64{a} + b); }},
    {"v_add_u32_e64 v4, v1, v2 clamp", [](u32 a, u32 b, u32) { return saturated(i64{a} + b, 0, u32_max); }},
    {"v_sub_u32 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>(i64{a} - b); }},
    {"v_sub_u32_e64 v4, v1, v2 clamp", [](u32 a, u32 b, u32) { return saturated(i64{a} - b, 0, u32_max); }},
    {"v_subrev_u32 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>(i64{b} - a); }},
    {"v_add_i32 v4, v1, v2 clamp", [](u32 a, u32 b, u32) { return saturated(sgn(a) + sgn(b), i32_min, i32_max); }},
    {"v_sub_i32 v4, v1, v2 clamp", [](u32 a, u32 b, u32) { return saturated(sgn(a) - sgn(b), i32_min, i32_max); }},
    {"v_add_i32 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>(sgn(a) + sgn(b)); }},
    {"v_and_b32 v4, v1, v2", [](u32 a, u32 b, u32) { return ~(~a | ~b); }},
    {"v_or_b32 v4, v1, v2", [](u32 a, u32 b, u32) { return ~(~a & ~b); }},
    {"v_xor_b32 v4, v1, v2", [](u32 a, u32 b, u32) { return (a | b) - (a & b); }},
    {"v_xnor_b32 v4, v1, v2", [](u32 a, u32 b, u32) { return (a & b) | (~a & ~b); }},
    {"v_lshlrev_b32 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>(b * (u64{1} << a % 32)); }},
    {"v_lshrrev_b32 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>(b / (u64{1} << a % 32)); }},
    {"v_ashrrev_i32 v4, v1, v2", [](u32 a, u32 b, u32) {
       const double shifted = std::floor(static_cast<double>(sgn(b)) / (u64{1} << a % 32));
       return static_cast<u32>(static_cast<i64>(shifted));
     }},
    {"v_mul_lo_u32 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>(u64{a} * b % (u64{1} << 32)); }},
    {"v_mul_hi_u32 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>(u64{a} * b / (u64{1} << 32)); }},
    {"v_mul_hi_i32 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>((sgn(a) * sgn(b)) >> 32); }},
    {"v_mul_i32_i24 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>(i64{low24(a)} * low24(b)); }},
    {"v_mul_hi_i32_i24 v4, v1, v2", [](u32 a, u32 b, u32) {
       return static_cast<u32>((i64{low24(a)} * low24(b)) >> 32);
     }},
    {"v_mul_u32_u24 v4, v1, v2", [](u32 a, u32 b, u32) {
       return static_cast<u32>(u64{a % 0x1000000} * (b % 0x1000000));
     }},
    {"v_mul_hi_u32_u24 v4, v1, v2", [](u32 a, u32 b, u32) {
       return static_cast<u32>(u64{a % 0x1000000} * (b % 0x1000000) >> 32);
     }},
    {"v_mad_i32_i24 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       return static_cast<u32>(i64{low24(a)} * low24(b) + sgn(c));
     }},
    {"v_mad_i32_i24 v4, v1, v2, v3 clamp", [](u32 a, u32 b, u32 c) {
       return saturated(i64{low24(a)} * low24(b) + sgn(c), i32_min, i32_max);
     }},
    {"v_mad_u32_u24 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       return static_cast<u32>(u64{a % 0x1000000} * (b % 0x1000000) + c);
     }},
    {"v_mad_u32_u24 v4, v1, v2, v3 clamp", [](u32 a, u32 b, u32 c) {
       return saturated(i64{a % 0x1000000} * (b % 0x1000000) + c, 0, u32_max);
     }},
    {"v_min_i32 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>(std::min(sgn(a), sgn(b))); }},
    {"v_max_i32 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>(std::max(sgn(a), sgn(b))); }},
    {"v_min_u32 v4, v1, v2", [](u32 a, u32 b, u32) { return std::min(a, b); }},
    {"v_max_u32 v4, v1, v2", [](u32 a, u32 b, u32) { return std::max(a, b); }},
    {"v_min3_i32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       return static_cast<u32>(std::min({sgn(a), sgn(b), sgn(c)}));
     }},
    {"v_max3_i32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       return static_cast<u32>(std::max({sgn(a), sgn(b), sgn(c)}));
     }},
    {"v_med3_i32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       i64 s[] = {sgn(a), sgn(b), sgn(c)};
       std::sort(s, s + 3);
       return static_cast<u32>(s[1]);
     }},
    {"v_min3_u32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return std::min({a, b, c}); }},
    {"v_max3_u32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return std::max({a, b, c}); }},
    {"v_med3_u32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { u32 s[] = {a, b, c}; std::sort(s, s + 3); return s[1]; }},
    {"v_add3_u32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return static_cast<u32>(u64{a} + b + c); }},
    {"v_lshl_add_u32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} << b % 32) + c); }},
    {"v_add_lshl_u32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} + b) << c % 32); }},
    {"v_lshl_or_b32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return static_cast<u32>(u64{a} << b % 32) | c; }},
    {"v_and_or_b32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return (a & b) | c; }},
    {"v_or3_b32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return a | b | c; }},
    {"v_xad_u32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return static_cast<u32>(u64{a ^ b} + c); }},
    {"v_bfe_u32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       return static_cast<u32>((u64{a} >> b % 32) % (u64{1} << c % 32));
     }},
    {"v_bfe_i32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       const u32 width = c % 32;
       if (width == 0) return 0u;
       const i64 shifted = sgn(a) >> b % 32, field = shifted & ((i64{1} << width) - 1);
       return static_cast<u32>(field >> (width - 1) ? field - (i64{1} << width) : field);
     }},
    {"v_bfi_b32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return c ^ (a & (b ^ c)); }},
    {"v_bfm_b32 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>(((u64{1} << a % 32) - 1) << b % 32); }},
    {"v_alignbit_b32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       return c % 32 == 0 ? b : b >> c % 32 | a << (32 - c % 32);
     }},
    {"v_alignbyte_b32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       const u32 n = 8 * (c % 4);
       return n == 0 ? b : b >> n | a << (32 - n);
     }},
    {"v_bfrev_b32 v4, v1", [](u32 a, u32, u32) {
       u32 r = 0;
       for (int i = 0; i < 32; ++i) r = r << 1 | (a >> i & 1);
       return r;
     }},
    {"v_ffbh_u32 v4, v1", [](u32 a, u32, u32) { return a == 0 ? ~0u : static_cast<u32>(std::countl_zero(a)); }},
    {"v_ffbh_i32 v4, v1", [](u32 a, u32, u32) {
       const u32 n = std::max(std::countl_zero(a), std::countl_one(a));
       return n == 32 ? ~0u : n;
     }},
    {"v_ffbl_b32 v4, v1", [](u32 a, u32, u32) { return a == 0 ? ~0u : static_cast<u32>(std::countr_zero(a)); }},
    {"v_bcnt_u32_b32 v4, v1, v2", [](u32 a, u32 b, u32) { return static_cast<u32>(std::popcount(a) + u64{b}); }},
    {"v_perm_b32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       u32 result = 0;
       for (int k = 0; k < 4; ++k) {
         const u32 select = byte(c, k);
         const u32 sources[] = {byte(b, 0), byte(b, 1), byte(b, 2), byte(b, 3), byte(a, 0), byte(a, 1), byte(a, 2),
                                 byte(a, 3), b & 0x8000 ? 0xffu : 0u, b >> 31 ? 0xffu : 0u, a & 0x8000 ? 0xffu : 0u,
                                 a >> 31 ? 0xffu : 0u, 0u};
         result |= (select > 12 ? 0xffu : sources[select]) << (8 * k);
       }
       return result;
     }},
    {"v_sad_u8 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       u32 r = c;
       for (int k = 0; k < 4; ++k) r += distance(byte(a, k), byte(b, k));
       return r;
     }},
    {"v_sad_hi_u8 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       u32 r = 0;
       for (int k = 0; k < 4; ++k) r += distance(byte(a, k), byte(b, k));
       return (r << 16) + c;
     }},
    {"v_sad_u16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       return c + distance(a & 0xffff, b & 0xffff) + distance(a >> 16, b >> 16);
     }},
    {"v_sad_u32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return static_cast<u32>(std::abs(i64{a} - i64{b}) + c); }},
    {"v_msad_u8 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       u32 r = c;
       for (int k = 0; k < 4; ++k)
          if (byte(b, k) != 0) r += distance(byte(a, k), byte(b, k));
       return r;
     }},
    {"v_lerp_u8 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       u32 r = 0;
       for (int k = 0; k < 4; ++k) r |= ((byte(a, k) + byte(b, k) + (byte(c, k) & 1)) / 2) << (8 * k);
       return r;
     }},
    {"v_sat_pk_u8_i16 v4, v1", [](u32 a, u32, u32) {
       return saturated(half(a), 0, 255) | saturated(half(a >> 16), 0, 255) << 8;
     }},
    {"v_mad_u32_u16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       return static_cast<u32>(u64{a & 0xffff} * (b & 0xffff) + c);
     }},
    {"v_mad_i32_i16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return static_cast<u32>(half(a) * half(b) + sgn(c)); }},
    // 16 bits
    {"v_add_u16 v4, v1, v2", [](u32 a, u32 b, u32) { return cleared(i64{a} + b); }},
    {"v_add_u16_e64 v4, v1, v2 clamp", [](u32 a, u32 b, u32) {
       return saturated(i64{a & 0xffff} + (b & 0xffff), 0, 0xffff);
     }},
    {"v_sub_u16 v4, v1, v2", [](u32 a, u32 b, u32) { return cleared(i64{a} - b); }},
    {"v_subrev_u16 v4, v1, v2", [](u32 a, u32 b, u32) { return cleared(i64{b} - a); }},
    {"v_mul_lo_u16 v4, v1, v2", [](u32 a, u32 b, u32) {
       return cleared(static_cast<i64>(u64{a & 0xffff} * (b & 0xffff)));
     }},
    {"v_lshlrev_b16 v4, v1, v2", [](u32 a, u32 b, u32) { return cleared(i64{b & 0xffff} << a % 16); }},
    {"v_lshrrev_b16 v4, v1, v2", [](u32 a, u32 b, u32) { return (b & 0xffff) >> a % 16; }},
    {"v_ashrrev_i16 v4, v1, v2", [](u32 a, u32 b, u32) { return cleared(half(b) >> a % 16); }},
    {"v_min_u16 v4, v1, v2", [](u32 a, u32 b, u32) { return std::min(a & 0xffff, b & 0xffff); }},
    {"v_max_i16 v4, v1, v2", [](u32 a, u32 b, u32) { return cleared(std::max(half(a), half(b))); }},
    {"v_add_i16 v4, v1, v2", [](u32 a, u32 b, u32) { return kept(half(a) + half(b)); }},
    {"v_add_i16 v4, v1, v2 clamp", [](u32 a, u32 b, u32) {
       return kept(std::clamp<i64>(half(a) + half(b), -32768, 32767));
     }},
    {"v_sub_i16 v4, v1, v2", [](u32 a, u32 b, u32) { return kept(half(a) - half(b)); }},
    {"v_mad_u16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       return kept(static_cast<i64>(u64{a & 0xffff} * (b & 0xffff) + c));
     }},
    {"v_mad_i16 v4, v1, v2, v3 clamp", [](u32 a, u32 b, u32 c) {
       return kept(std::clamp<i64>(half(a) * half(b) + half(c), -32768, 32767));
     }},
    {"v_mad_legacy_u16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       return cleared(static_cast<i64>(u64{a & 0xffff} * (b & 0xffff) + c));
     }},
    {"v_med3_i16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       i64 s[] = {half(a), half(b), half(c)};
       std::sort(s, s + 3);
       return kept(s[1]);
     }},
    {"v_max3_u16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       return kept(std::max({a & 0xffff, b & 0xffff, c & 0xffff}));
     }},
    {"v_mad_u16 v4, v1, v2, v3 op_sel:[1,0,1,1]", [](u32 a, u32 b, u32 c) {
       return (old_value & 0xffff) | static_cast<u32>(((a >> 16) * u64{b & 0xffff} + (c >> 16)) & 0xffff) << 16;
     }},
    // Packed 16 bits
    {"v_pk_add_u16 v4, v1, v2", [](u32 a, u32 b, u32) { return ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16; }},
    {"v_pk_add_u16 v4, v1, v2 clamp", [](u32 a, u32 b, u32) {
       return join(saturated(i64{a & 0xffff} + (b & 0xffff), 0, 0xffff),
                   saturated(i64{a >> 16} + (b >> 16), 0, 0xffff));
     }},
    {"v_pk_sub_i16 v4, v1, v2 clamp", [](u32 a, u32 b, u32) {
       return join(saturated(half(a) - half(b), -32768, 32767),
                    saturated(half(a >> 16) - half(b >> 16), -32768, 32767));
     }},
    {"v_pk_mul_lo_u16 v4, v1, v2", [](u32 a, u32 b, u32) {
       return ((a & 0xffff) * (b & 0xffff) & 0xffff) | (a >> 16) * (b >> 16) << 16;
     }},
    {"v_pk_mad_i16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       return join(half(a) * half(b) + half(c), half(a >> 16) * half(b >> 16) + half(c >> 16));
     }},
    {"v_pk_lshlrev_b16 v4, v1, v2", [](u32 a, u32 b, u32) {
       return (b << (a & 15) & 0xffff) | (b >> 16) << (a >> 16 & 15) << 16;
     }},
    {"v_pk_ashrrev_i16 v4, v1, v2", [](u32 a, u32 b, u32) {
       return static_cast<u32>(half(b) >> (a & 15) & 0xffff) | static_cast<u32>(half(b >> 16) >> (a >> 16 & 15)) << 16;
     }},
    {"v_pk_max_i16 v4, v1, v2", [](u32 a, u32 b, u32) {
       return join(std::max(half(a), half(b)), std::max(half(a >> 16), half(b >> 16)));
     }},
    {"v_pk_min_u16 v4, v1, v2", [](u32 a, u32 b, u32) {
       return std::min(a & 0xffff, b & 0xffff) | std::min(a >> 16, b >> 16) << 16;
     }},
    {"v_pk_add_u16 v4, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]", [](u32 a, u32 b, u32) {
       return (((a >> 16) + b) & 0xffff) | (a + (b >> 16)) << 16;
     }},
    {"v_pk_add_u16 v4, v1, 3 op_sel_hi:[1,0]", [](u32 a, u32, u32) {
       return ((a + 3) & 0xffff) | ((a >> 16) + 3) << 16;
     }},
    // Dot products
    {"v_dot4_i32_i8 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       i64 r = sgn(c);
       for (int k = 0; k < 4; ++k) r += i64{static_cast<i8>(byte(a, k))} * static_cast<i8>(byte(b, k));
       return static_cast<u32>(r);
     }},
    {"v_dot4_i32_i8 v4, v1, v2, v3 clamp", [](u32 a, u32 b, u32 c) {
       i64 r = sgn(c);
       for (int k = 0; k < 4; ++k) r += i64{static_cast<i8>(byte(a, k))} * static_cast<i8>(byte(b, k));
       return saturated(r, i32_min, i32_max);
     }},
    {"v_dot4_u32_u8 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       u64 r = c;
       for (int k = 0; k < 4; ++k) r += byte(a, k) * byte(b, k);
       return static_cast<u32>(r);
     }},
    {"v_dot8_u32_u4 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       u64 r = c;
       for (int k = 0; k < 8; ++k) r += (a >> 4 * k & 15) * (b >> 4 * k & 15);
       return static_cast<u32>(r);
     }},
    {"v_dot8_i32_i4 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       i64 r = sgn(c);
       for (int k = 0; k < 8; ++k) r += nibble(a, k) * nibble(b, k);
       return static_cast<u32>(r);
     }},
    {"v_dot2_i32_i16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
       return static_cast<u32>(half(a) * half(b) + half(a >> 16) * half(b >> 16) + sgn(c));
     }},
    {"v_dot2_u32_u16 v4, v1, v2, v3 clamp", [](u32 a, u32 b, u32 c) {
       const u64 r = u64{a & 0xffff} * (b & 0xffff) + u64{a >> 16} * (b >> 16) + c;
       return r > 0xffffffffu ? ~0u : static_cast<u32>(r);
     }},
};

TEST(ValuInteger, Results32) { check_rows<u32>("gfx942", rows_32, edge_integers(), same_bits); }

TEST(ValuInteger, TruthTablesOfGfx950) {
  const Row32 rows[] = {
      {"v_bitop3_b32 v4, v1, v2, v3 bitop3:0x80", [](u32 a, u32 b, u32 c) { return a & b & c; }},
      {"v_bitop3_b32 v4, v1, v2, v3 bitop3:0xfe", [](u32 a, u32 b, u32 c) { return a | b | c; }},
      {"v_bitop3_b32 v4, v1, v2, v3 bitop3:0x96", [](u32 a, u32 b, u32 c) { return a ^ b ^ c; }},
      {"v_bitop3_b32 v4, v1, v2, v3 bitop3:0xca", [](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }},
      {"v_bitop3_b32 v4, v1, v2, v3 bitop3:0xf0", [](u32 a, u32, u32) { return a; }},
      {"v_ashr_pk_u8_i32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) {
         return kept(saturated(sgn(a) >> c % 32, 0, 255) | saturated(sgn(b) >> c % 32, 0, 255) << 8);
       }},
      {"v_ashr_pk_i8_i32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) {
         return kept((saturated(sgn(a) >> c % 32, -128, 127) & 0xff) | saturated(sgn(b) >> c % 32, -128, 127) << 8);
       }},
      {"v_prng_b32 v4, v1", [](u32 a, u32, u32) { return a * 2 ^ (a > 0x7fffffff ? 0xc5u : 0u); }},
  };
  check_rows<u32>("gfx950", rows, edge_integers(), same_bits);
}

TEST(ValuInteger, Results64) {
  const std::vector<u64> values = {0,
                                   1,
                                   2,
                                   31,
                                   32,
                                   33,
                                   63,
                                   64,
                                   0xffffffff,
                                   0x100000000,
                                   0x123456789abcdef0,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0xfffffffffffffffe,
                                   0xffffffffffffffff};
  const Row64 rows[] = {
      {"v_mov_b64 v[8:9], v[2:3]", [](u64 a, u64, u64) { return a; }},
      {"v_lshlrev_b64 v[8:9], v2, v[4:5]",
       [](u64 a, u64 b, u64) {
         u64 r = b;
         for (u64 i = 0; i < a % 64; ++i) r += r;
         return r;
       }},
      {"v_lshrrev_b64 v[8:9], v2, v[4:5]",
       [](u64 a, u64 b, u64) {
         u64 r = b;
         for (u64 i = 0; i < a % 64; ++i) r /= 2;
         return r;
       }},
      {"v_ashrrev_i64 v[8:9], v2, v[4:5]",
       [](u64 a, u64 b, u64) { return static_cast<u64>(static_cast<i64>(b) >> a % 64); }},
      {"v_mad_u64_u32 v[8:9], vcc, v2, v4, v[6:7]",
       [](u64 a, u64 b, u64 c) { return (a & 0xffffffff) * (b & 0xffffffff) + c; }},
      {"v_mad_i64_i32 v[8:9], vcc, v2, v4, v[6:7]",
       [](u64 a, u64 b, u64 c) { return static_cast<u64>(sgn(static_cast<u32>(a)) * sgn(static_cast<u32>(b))) + c; }},
      {"v_lshl_add_u64 v[8:9], v[2:3], 3, v[6:7]", [](u64 a, u64, u64 c) { return a * 8 + c; }},
      {"v_qsad_pk_u16_u8 v[8:9], v[2:3], v4, v[6:7]",
       [](u64 a, u64 b, u64 c) {
         u64 r = 0;
         for (int i = 0; i < 4; ++i) {
           u64 sum = c >> 16 * i & 0xffff;
           for (int k = 0; k < 4; ++k)
             sum += std::abs(static_cast<int>(a >> 8 * (i + k) & 0xff) - static_cast<int>(b >> 8 * k & 0xff));
           r |= (sum & 0xffff) << 16 * i;
         }
         return r;
       }},
  };
  check_rows<u64>("gfx942", rows, values, [](u64 x, u64 y) { return x == y; });
}

TEST(ValuInteger, CarryChainsAndTheirMasks) {
  AssemblyMachine machine;
  for (int lane = 0; lane < 64; ++lane) {
    machine.set_v64(0, lane, 0xfffffffful + static_cast<u64>(lane) * 0x100000001u);
    machine.set_v64(2, lane, lane % 2 ? 0xffffffff00000001u : 5);
  }
  const u64 exec = 0xffff0000ffff00ffu;
  machine.set_exec(exec);
  machine.run(R"(
    v_add_co_u32 v4, vcc, v0, v2
    s_mov_b64 s[2:3], vcc
    v_addc_co_u32 v5, vcc, v1, v3, vcc
    v_sub_co_u32_e64 v6, s[4:5], v0, v2
    v_subb_co_u32_e64 v7, s[6:7], v1, v3, s[4:5]
    v_subrev_co_u32 v8, vcc, v0, v2
    v_subbrev_co_u32 v9, vcc, v1, v3, vcc)");
  for (int lane = 0; lane < 64; ++lane) {
    const bool active = exec >> lane & 1;
    const u64 a = machine.v64(0, lane), b = machine.v64(2, lane);
    EXPECT_EQ(machine.v64(4, lane), active ? a + b : 0) << lane;
    EXPECT_EQ(machine.v64(6, lane), active ? a - b : 0) << lane;
    EXPECT_EQ(machine.v64(8, lane), active ? b - a : 0) << lane;
    EXPECT_EQ(machine.s64(2) >> lane & 1, active && (a & 0xffffffff) + (b & 0xffffffff) > 0xffffffff) << lane;
    EXPECT_EQ(machine.s64(6) >> lane & 1, active && a < b) << lane;
    EXPECT_EQ(machine.s64(scalar_vcc) >> lane & 1, active && b < a) << lane;
  }
  machine.judged();
}

TEST(ValuInteger, SourcesOfEveryKind) {
  AssemblyMachine machine;
  machine.s(3) = 1000;
  machine.s(scalar_m0) = 7;
  for (int lane = 0; lane < 64; ++lane) {
    machine.v(1, lane) = static_cast<u32>(lane);
    machine.a(5, lane) = static_cast<u32>(100 * lane);
  }
  machine.run(R"(
    v_add_u32 v2, s3, v1
    v_add_u32 v3, 0x12345, v1
    v_add_u32 v4, -16, v1
    v_add_u32 v5, m0, v1
    v_add_u32 v6, exec_lo, v1
    v_accvgpr_read_b32 v7, a5
    v_accvgpr_write_b32 a6, v1
    v_add_u32 v8, 1.0, v1)");
  for (u32 lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(machine.v(2, lane), lane + 1000);
    EXPECT_EQ(machine.v(3, lane), lane + 0x12345);
    EXPECT_EQ(machine.v(4, lane), lane - 16);
    EXPECT_EQ(machine.v(5, lane), lane + 7);
    EXPECT_EQ(machine.v(6, lane), lane - 1);
    EXPECT_EQ(machine.v(7, lane), 100 * lane);
    EXPECT_EQ(machine.a(6, lane), lane);
    EXPECT_EQ(machine.v(8, lane), lane + 0x3f800000);
  }
  machine.judged();
}

}  // namespace
}  // namespace zellige::sim::test
