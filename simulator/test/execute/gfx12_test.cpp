// Instructions of gfx1151, gfx12 and gfx1250: scalar floats and 64-bit scalars, bfloat16, 64-bit vector integers, dot
// products of chosen signs, table lookups. Against the ISA's definitions.
#include <algorithm>

#include "simulator/test/execute/valu_table.hpp"

namespace zellige::sim::test {
namespace {

float f(u32 a) { return as_float(a); }
double bf(u32 a) { return f(a << 16); }

/// A real rounded to bfloat16, nearest even, from its neighbours.
u32 to_bf16(double x) {
  if (std::isnan(x)) return 0x7fc0;
  const u32 sign = std::signbit(x) ? 0x8000 : 0;
  const double magnitude = std::fabs(x);
  if (magnitude >= 0x1.ffp127) return sign | 0x7f80;
  const int exponent = magnitude == 0 ? -126 : std::max(std::ilogb(magnitude), -126);
  const double steps = std::nearbyint(std::ldexp(magnitude, 7 - exponent));
  return sign | (static_cast<u32>(exponent + 126) << 7) + static_cast<u32>(steps);
}
bool same_bf16(u32 x, u32 y) {
  const auto nan = [](u32 a) { return (a & 0x7fff) > 0x7f80; };
  return x == y || (nan(x) && nan(y));
}
bool same_bf16_pair(u32 x, u32 y) { return same_bf16(x & 0xffff, y & 0xffff) && same_bf16(x >> 16, y >> 16); }

std::vector<u32> bf16_pairs() {
  const u16 edges[] = {0,      0x8000, 0x3f80, 0xbf80, 0x3f00, 0x4049, 0xc2c8, 0x7f7f, 0xff7f, 0x7f80,
                       0xff80, 0x7fc0, 1,      0x8001, 0x007f, 0x0080, 0x4b00, 0x3dcd, 0x2e66};
  std::vector<u32> values;
  for (std::size_t i = 0; i < std::size(edges); ++i)
    values.push_back(edges[i] | u32{edges[(i * 5 + 3) % std::size(edges)]} << 16);
  return values;
}

u32 both(double low, double high) { return to_bf16(low) | to_bf16(high) << 16; }

TEST(Gfx1250, PairsOfBfloat16) {
  const Row32 rows[] = {
      {"v_pk_add_bf16 v4, v1, v2",
       [](u32 a, u32 b, u32) { return both(bf(a & 0xffff) + bf(b & 0xffff), bf(a >> 16) + bf(b >> 16)); }},
      {"v_pk_mul_bf16 v4, v1, v2",
       [](u32 a, u32 b, u32) { return both(bf(a & 0xffff) * bf(b & 0xffff), bf(a >> 16) * bf(b >> 16)); }},
      {"v_pk_mul_bf16 v4, v1, v2 op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[1,0]",
       [](u32 a, u32 b, u32) { return both(-bf(a >> 16) * bf(b & 0xffff), bf(a & 0xffff) * bf(b >> 16)); }},
      {"v_pk_max_num_bf16 v4, v1, v2",
       [](u32 a, u32 b, u32) {
         const auto most = [](double x, double y) {
           return std::isnan(x) ? y : std::isnan(y) ? x : x == y ? (std::signbit(x) ? y : x) : std::max(x, y);
         };
         return both(most(bf(a & 0xffff), bf(b & 0xffff)), most(bf(a >> 16), bf(b >> 16)));
       }},
  };
  check_rows("gfx1250", std::span<const Row32>(rows), bf16_pairs(), same_bf16_pair, 32);
}

TEST(Gfx1250, WideIntegers) {
  const auto words = [] {
    std::vector<u64> values;
    for (std::size_t i = 0; i < edge_integers().size(); ++i)
      values.push_back(edge_integers()[i] | u64{edge_integers()[(i * 7 + 5) % edge_integers().size()]} << 32);
    return values;
  }();
  const auto same = [](u64 x, u64 y) { return x == y; };
  const Row64 rows[] = {
      {"v_add_nc_u64 v[8:9], v[2:3], v[4:5]", [](u64 a, u64 b, u64) { return a + b; }},
      {"v_sub_nc_u64 v[8:9], v[2:3], v[4:5]", [](u64 a, u64 b, u64) { return a - b; }},
      {"v_mul_u64 v[8:9], v[2:3], v[4:5]", [](u64 a, u64 b, u64) { return a * b; }},
      {"v_min_i64 v[8:9], v[2:3], v[4:5]",
       [](u64 a, u64 b, u64) { return static_cast<u64>(std::min(static_cast<i64>(a), static_cast<i64>(b))); }},
      {"v_max_i64 v[8:9], v[2:3], v[4:5]",
       [](u64 a, u64 b, u64) { return static_cast<u64>(std::max(static_cast<i64>(a), static_cast<i64>(b))); }},
      {"v_min_u64 v[8:9], v[2:3], v[4:5]", [](u64 a, u64 b, u64) { return std::min(a, b); }},
      {"v_max_u64 v[8:9], v[2:3], v[4:5]", [](u64 a, u64 b, u64) { return std::max(a, b); }},
      {"v_mad_nc_u64_u32 v[8:9], v2, v4, v[6:7]",
       [](u64 a, u64 b, u64 c) { return (a & 0xffffffff) * (b & 0xffffffff) + c; }},
      {"v_mad_nc_i64_i32 v[8:9], v2, v4, v[6:7]",
       [](u64 a, u64 b, u64 c) {
         return static_cast<u64>(i64{static_cast<i32>(a)} * static_cast<i32>(b)) + c;
       }},
  };
  check_rows("gfx1250", std::span<const Row64>(rows), words, same, 32);
  const Row32 narrow[] = {
      {"v_mad_u32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return a * b + c; }},
      {"v_xor3_b32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return a ^ b ^ c; }},
      {"v_add_max_i32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) {
         const i64 sum = std::clamp<i64>(i64{static_cast<i32>(a)} + static_cast<i32>(b), -2147483648ll, 2147483647);
         return static_cast<u32>(std::max<i64>(sum, static_cast<i32>(c)));
       }},
      {"v_add_min_u32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) { return static_cast<u32>(std::min<u64>(std::min<u64>(u64{a} + b, 0xffffffffu), c)); }},
      {"v_sat_pk4_u4_u8 v4, v1",
       [](u32 a, u32, u32) {
         u32 result = 0;
         for (int k = 0; k < 4; ++k) result |= std::min(a >> (8 * k) & 0xff, 15u) << (4 * k);
         return (old_value & 0xffff0000u) | result;
       }},
      {"v_dual_mov_b32 v4, v1 :: v_dual_bitop2_b32 v5, v2, v3 bitop3:0x14\nv_mov_b32 v4, v5",
       [](u32, u32 b, u32 c) { return b ^ c; }},
  };
  check_rows("gfx1250", std::span<const Row32>(narrow), edge_integers(), same_bits, 32);
}

TEST(Gfx11, DotProductsOfChosenSigns) {
  const Row32 rows[] = {
      {"v_dot4_i32_iu8 v4, v1, v2, v3 neg_lo:[1,0,0]",
       [](u32 a, u32 b, u32 c) {
         u32 sum = c;
         for (int k = 0; k < 32; k += 8)
           sum += static_cast<u32>(static_cast<i8>(a >> k)) * (b >> k & 0xff);
         return sum;
       }},
      {"v_dot4_i32_iu8 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) {
         u32 sum = c;
         for (int k = 0; k < 32; k += 8) sum += (a >> k & 0xff) * (b >> k & 0xff);
         return sum;
       }},
      {"v_dot8_i32_iu4 v4, v1, v2, v3 neg_lo:[1,1,0] clamp",
       [](u32 a, u32 b, u32 c) {
         i64 sum = static_cast<i32>(c);
         for (int k = 0; k < 32; k += 4)
           sum += (static_cast<i32>(a << (28 - k)) >> 28) * (static_cast<i32>(b << (28 - k)) >> 28);
         return static_cast<u32>(std::clamp<i64>(sum, -2147483648ll, 2147483647));
       }},
  };
  check_rows("gfx1100", std::span<const Row32>(rows), edge_integers(), same_bits, 32);
  check_rows("gfx1201", std::span<const Row32>(rows), edge_integers(), same_bits, 32);
}

TEST(Gfx1151, ScalarFloats) {
  for (const char* target : {"gfx1151", "gfx1201", "gfx1250"}) {
    const bool renamed = std::string(target) != "gfx1151";
    AssemblyMachine machine(target, 32);
    for (const float a : edge_floats()) {
      for (const float b : {1.0f, -2.5f, 0.0f, -0.0f, 3e38f, NAN}) {
        machine.s(2) = bits(a), machine.s(3) = bits(b), machine.s(13) = bits(0.75f);
        machine.run(std::string("s_add_f32 s10, s2, s3\ns_sub_f32 s11, s2, s3\ns_mul_f32 s12, s2, s3\n") +
                    "s_fmac_f32 s13, s2, s3\ns_fmaak_f32 s14, s2, s3, 0x40400000\ns_floor_f32 s15, s2\n" +
                    "s_ceil_f32 s16, s2\ns_trunc_f32 s17, s2\ns_rndne_f32 s18, s2\ns_cvt_i32_f32 s19, s2\n" +
                    (renamed ? "s_min_num_f32 s20, s2, s3\n" : "s_min_f32 s20, s2, s3\n") +
                    "s_cmp_lt_f32 s2, s3\ns_cselect_b32 s21, 1, 0\ns_cmp_nge_f32 s2, s3\ns_cselect_b32 s22, 1, 0\n" +
                    "s_cmp_o_f32 s2, s3\ns_cselect_b32 s23, 1, 0");
        const auto expect = [&](int number, float value) {
          EXPECT_TRUE(same_float(machine.s(number), bits(value))) << target << " s" << number << " of " << a << ", " << b;
        };
        expect(10, a + b);
        expect(11, a - b);
        expect(12, a * b);
        expect(13, std::fmaf(a, b, 0.75f));
        expect(14, std::fmaf(a, b, 3.0f));
        expect(15, std::floor(a));
        expect(16, std::ceil(a));
        expect(17, std::trunc(a));
        expect(18, std::nearbyint(a));
        const double whole = std::isnan(a) ? 0 : std::clamp(std::trunc(double(a)), -2147483648.0, 2147483647.0);
        EXPECT_EQ(static_cast<i32>(machine.s(19)), static_cast<i32>(whole)) << a;
        expect(20, std::isnan(a) ? b : std::isnan(b) ? a : a == b ? (std::signbit(a) ? a : b) : std::min(a, b));
        EXPECT_EQ(machine.s(21), a < b ? 1u : 0u);
        EXPECT_EQ(machine.s(22), !(a >= b) ? 1u : 0u);
        EXPECT_EQ(machine.s(23), !std::isnan(a) && !std::isnan(b) ? 1u : 0u);
      }
    }
    machine.judged();
    machine.s(2) = 0xabcd4200, machine.s(3) = 0x12343c00;  // halves 3 and 1
    machine.run(
        "s_add_f16 s10, s2, s3\ns_mul_f16 s11, s2, s2\ns_cvt_f32_f16 s12, s2\ns_cvt_hi_f32_f16 s13, s3\n"
        "s_cvt_pk_rtz_f16_f32 s14, 1.0, 2.0\ns_cmp_gt_f16 s2, s3\ns_cselect_b32 s15, 1, 0\ns_sub_f16 s16, 0.5, s3");
    EXPECT_EQ(machine.s(10), 0x4400u);
    EXPECT_EQ(machine.s(11), 0x4880u);
    EXPECT_EQ(machine.s(12), bits(3.0f));
    EXPECT_EQ(machine.s(13), bits(std::ldexp(1.0f + 0x234 / 1024.0f, 4 - 15)));  // 0x1234: exponent 4, fraction 0x234
    EXPECT_EQ(machine.s(14), 0x40003c00u);
    EXPECT_EQ(machine.s(15), 1u);
    EXPECT_EQ(machine.s(16), 0xb800u);
    machine.judged();
  }
}

TEST(Gfx12, WideScalars) {
  for (const char* target : {"gfx1201", "gfx1250"}) {
    AssemblyMachine machine(target, 32);
    const u64 a = 0xfedc'ba98'7654'3210ull, b = 0x8000'0001'ffff'ffffull;
    machine.set_s64(2, a);
    machine.set_s64(4, b);
    machine.s(6) = 0xffffffffu;
    machine.run(
        "s_add_nc_u64 s[10:11], s[2:3], s[4:5]\ns_sub_nc_u64 s[12:13], s[2:3], s[4:5]\n"
        "s_mul_u64 s[14:15], s[2:3], s[4:5]\ns_add_co_u32 s16, s6, 2\ns_add_co_ci_u32 s17, 5, 0\n"
        "s_pack_hl_b32_b16 s18, s2, s5\ns_and_not1_b32 s19, s2, s4\ns_or_not1_b64 s[20:21], s[2:3], s[4:5]");
    EXPECT_EQ(machine.s64(10), a + b);
    EXPECT_EQ(machine.s64(12), a - b);
    EXPECT_EQ(machine.s64(14), a * b);
    EXPECT_EQ(machine.s(16), 1u);
    EXPECT_EQ(machine.s(17), 6u);
    EXPECT_EQ(machine.s(18), 0x7654u | 0x0001u << 16);
    EXPECT_EQ(machine.s(19), 0x76543210u & ~0xffffffffu);
    EXPECT_EQ(machine.s64(20), a | ~b);
    machine.judged();
  }
}

TEST(Gfx11, SaveExecOfThirtyTwoLanes) {
  for (const char* target : {"gfx1100", "gfx1201", "gfx1250"}) {
    AssemblyMachine machine(target, 32);
    const u32 exec = 0xf0f0ff00u, source = 0x0ff0f0f3u;
    const auto check = [&](const char* name, u32 expected) {
      machine.set_exec(exec);
      machine.s(2) = source;
      machine.run(std::string(name) + " s4, s2\ns_cselect_b32 s5, 1, 0");
      EXPECT_EQ(machine.s(4), exec) << target << name;
      EXPECT_EQ(machine.wave().exec(), expected) << target << name;
      EXPECT_EQ(machine.s(5), expected != 0 ? 1u : 0u);
      machine.judged();
    };
    check("s_and_saveexec_b32", source & exec);
    check("s_or_saveexec_b32", source | exec);
    check("s_xor_saveexec_b32", source ^ exec);
    check("s_nand_saveexec_b32", ~(source & exec));
    check("s_nor_saveexec_b32", ~(source | exec));
    check("s_xnor_saveexec_b32", ~(source ^ exec));
    check("s_and_not1_saveexec_b32", source & ~exec);
    check("s_or_not1_saveexec_b32", source | ~exec);
    check("s_and_not0_saveexec_b32", ~source & exec);
    check("s_or_not0_saveexec_b32", ~source | exec);
  }
}

TEST(Gfx1250, LanesOfGroups) {
  AssemblyMachine machine("gfx1250", 32);
  for (int lane = 0; lane < 32; ++lane) machine.v(1, lane) = static_cast<u32>(500 + lane);
  machine.s(2) = 3, machine.s(3) = 8;
  machine.run(
      "v_permlane_bcast_b32 v4, v1, s2, s3\nv_permlane_up_b32 v5, v1, s2, s3\nv_permlane_down_b32 v6, v1, s2, s3\n"
      "v_permlane_xor_b32 v7, v1, s2, s3\nv_permlane_idx_gen_b32 v8, v1, s2");
  for (int lane = 0; lane < 32; ++lane) {
    const int base = lane / 8 * 8, place = lane % 8;
    EXPECT_EQ(machine.v(4, lane), 500u + base + 3);
    EXPECT_EQ(machine.v(5, lane), place >= 3 ? 500u + lane - 3 : 0u);
    EXPECT_EQ(machine.v(6, lane), place + 3 < 8 ? 500u + lane + 3 : 0u);
    EXPECT_EQ(machine.v(7, lane), 500u + (lane ^ 3));
    EXPECT_EQ(machine.v(8, lane), (500u + lane) ^ 3);
  }
  machine.judged();
}

TEST(Gfx1250, TableLookups) {
  AssemblyMachine machine("gfx1250", 32);
  const u64 table = 0xfedc'ba98'1234'5670ull, indices = 0x0f1e'2d3c'4b5a'6978ull;
  for (int lane = 0; lane < 32; ++lane) {
    machine.v(1, lane) = static_cast<u32>(table >> 32);  // src0: the upper entries
    machine.v(2, lane) = static_cast<u32>(table);
    machine.set_v64(4, lane, indices);
  }
  machine.run("v_perm_pk16_b4_u4 v[6:7], v1, v2, v[4:5]");
  u64 expected = 0;
  for (int k = 0; k < 16; ++k) expected |= (table >> (4 * (indices >> (4 * k) & 15)) & 15) << (4 * k);
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(machine.v64(6, lane), expected);
  machine.judged();
}

}  // namespace
}  // namespace zellige::sim::test
