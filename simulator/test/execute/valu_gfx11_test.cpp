// What gfx11 and later do otherwise: halves of registers, dual instructions, compares that only write EXEC, minima of
// IEEE 754-2019, exchanges among lanes. Against the ISA's definitions, in waves of 32 and of 64.
#include <algorithm>

#include "simulator/test/execute/valu_table.hpp"

namespace zellige::sim::test {
namespace {

struct Mode {
  const char* target;
  int lanes;
};
constexpr Mode modes[] = {{"gfx1100", 32}, {"gfx1100", 64}, {"gfx1151", 32}, {"gfx1201", 32}, {"gfx1201", 64}, {"gfx1250", 32}};
constexpr Mode modes_gfx12[] = {{"gfx1201", 32}, {"gfx1201", 64}, {"gfx1250", 32}};

float f(u32 a) { return as_float(a); }
i32 s(u32 a) { return static_cast<i32>(a); }

template <std::size_t count, class Value>
void check_everywhere(std::span<const Mode> where, const Row32 (&rows)[count], const std::vector<Value>& values,
                      bool (*same)(u32, u32)) {
  for (const Mode& mode : where) check_rows(mode.target, std::span<const Row32>(rows), values, same, mode.lanes);
}

TEST(Gfx11, IntegersUnderTheirNewNames) {
  const Row32 rows[] = {
      {"v_add_nc_u32 v4, v1, v2", [](u32 a, u32 b, u32) { return a + b; }},
      {"v_sub_nc_u32 v4, v1, v2", [](u32 a, u32 b, u32) { return a - b; }},
      {"v_subrev_nc_u32 v4, v1, v2", [](u32 a, u32 b, u32) { return b - a; }},
      {"v_clz_i32_u32 v4, v1", [](u32 a, u32, u32) { return a ? static_cast<u32>(__builtin_clz(a)) : ~0u; }},
      {"v_ctz_i32_b32 v4, v1", [](u32 a, u32, u32) { return a ? static_cast<u32>(__builtin_ctz(a)) : ~0u; }},
      {"v_cls_i32 v4, v1",
       [](u32 a, u32, u32) {
         const u32 differs = a ^ static_cast<u32>(s(a) >> 31);
         return differs ? static_cast<u32>(__builtin_clz(differs)) : ~0u;
       }},
      {"v_add_nc_i32 v4, v1, v2 clamp",
       [](u32 a, u32 b, u32) {
         return static_cast<u32>(std::clamp<i64>(i64{s(a)} + s(b), -2147483648ll, 2147483647));
       }},
      {"v_minmax_i32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) { return static_cast<u32>(std::max(std::min(s(a), s(b)), s(c))); }},
      {"v_maxmin_i32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) { return static_cast<u32>(std::min(std::max(s(a), s(b)), s(c))); }},
      {"v_minmax_u32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return std::max(std::min(a, b), c); }},
      {"v_maxmin_u32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return std::min(std::max(a, b), c); }},
  };
  check_everywhere(modes, rows, edge_integers(), same_bits);
}

/// IEEE 754-2019: a NaN among the sources is the result; -0 is below +0.
double least_or_nan(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? NAN : a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}
double most_or_nan(double a, double b) { return -least_or_nan(-a, -b); }
/// Numbers win against NaN.
double least_number(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}
double most_number(double a, double b) { return -least_number(-a, -b); }
u32 single(double x) { return bits(static_cast<float>(x)); }

TEST(Gfx12, MinimaAndMaximaOfFloats) {
  const Row32 rows[] = {
      {"v_minimum_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return single(least_or_nan(f(a), f(b))); }},
      {"v_maximum_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return single(most_or_nan(f(a), f(b))); }},
      {"v_minimum_f32 v4, -v1, |v2|",
       [](u32 a, u32 b, u32) { return single(least_or_nan(-f(a), std::fabs(f(b)))); }},
      {"v_min_num_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return single(least_number(f(a), f(b))); }},
      {"v_max_num_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return single(most_number(f(a), f(b))); }},
      {"v_min3_num_f32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) { return single(least_number(least_number(f(a), f(b)), f(c))); }},
      {"v_minimum3_f32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) { return single(least_or_nan(least_or_nan(f(a), f(b)), f(c))); }},
      {"v_maximum3_f32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) { return single(most_or_nan(most_or_nan(f(a), f(b)), f(c))); }},
      {"v_minmax_num_f32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) { return single(most_number(least_number(f(a), f(b)), f(c))); }},
      {"v_maxmin_num_f32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) { return single(least_number(most_number(f(a), f(b)), f(c))); }},
      {"v_minimummaximum_f32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) { return single(most_or_nan(least_or_nan(f(a), f(b)), f(c))); }},
      {"v_maximumminimum_f32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) { return single(least_or_nan(most_or_nan(f(a), f(b)), f(c))); }},
  };
  check_everywhere(modes_gfx12, rows, edge_floats(), same_float);
  const Row64 doubles[] = {
      {"v_minimum_f64 v[8:9], v[2:3], v[4:5]",
       [](u64 a, u64 b, u64) { return bits(least_or_nan(as_double(a), as_double(b))); }},
      {"v_maximum_f64 v[8:9], v[2:3], v[4:5]",
       [](u64 a, u64 b, u64) { return bits(most_or_nan(as_double(a), as_double(b))); }},
      {"v_max_num_f64 v[8:9], v[2:3], v[4:5]",
       [](u64 a, u64 b, u64) { return bits(most_number(as_double(a), as_double(b))); }},
  };
  for (const Mode& mode : modes_gfx12)
    check_rows(mode.target, std::span<const Row64>(doubles), edge_doubles(), same_double, mode.lanes);
}

TEST(Gfx11, SixteenBitResultsKeepTheOtherHalf) {
  const Row32 rows[] = {
      {"v_add_nc_u16 v4.l, v1.l, v2.l", [](u32 a, u32 b, u32) { return (old_value & 0xffff0000u) | ((a + b) & 0xffff); }},
      {"v_add_nc_u16 v4.h, v1.l, v2.h",
       [](u32 a, u32 b, u32) { return (old_value & 0xffff) | (a + (b >> 16)) << 16; }},
      {"v_sub_nc_u16 v4.l, v1.h, v2.l",
       [](u32 a, u32 b, u32) { return (old_value & 0xffff0000u) | (((a >> 16) - b) & 0xffff); }},
      {"v_mul_lo_u16 v4.h, v1.h, v2.h",
       [](u32 a, u32 b, u32) { return (old_value & 0xffff) | (a >> 16) * (b >> 16) << 16; }},
      {"v_lshlrev_b16 v4.l, v1.l, v2.l",
       [](u32 a, u32 b, u32) { return (old_value & 0xffff0000u) | (b << (a & 15) & 0xffff); }},
      {"v_max_i16 v4.h, v1.l, v2.l",
       [](u32 a, u32 b, u32) {
         return (old_value & 0xffff) |
                static_cast<u32>(std::max(static_cast<i16>(a), static_cast<i16>(b))) << 16;
       }},
  };
  // Processors whose assembler knows halves of registers.
  constexpr Mode halves[] = {{"gfx1100", 32}, {"gfx1100", 64}, {"gfx1151", 32}};
  check_everywhere(halves, rows, edge_integers(), same_bits);
}

TEST(Gfx11, CompareOnlyWritesExec) {
  for (const Mode& mode : modes) {
    AssemblyMachine machine(mode.target, mode.lanes);
    const u64 all = mode.lanes == 64 ? ~u64{0} : 0xffffffffu, exec = 0xf0f0'3333'5555'0fffu & all;
    u64 below = 0, equal = 0;
    for (int lane = 0; lane < mode.lanes; ++lane) {
      machine.v(1, lane) = static_cast<u32>(lane * 7 % 13);
      if (machine.v(1, lane) < 6) below |= u64{1} << lane;
      if (machine.v(1, lane) == 6) equal |= u64{1} << lane;
    }
    machine.s(scalar_vcc) = 0x1234;
    machine.set_exec(exec);
    machine.run("v_cmpx_gt_u32_e32 6, v1");
    EXPECT_EQ(machine.wave().exec(), exec & below) << mode.target;
    EXPECT_EQ(machine.s(scalar_vcc), 0x1234u);
    machine.set_exec(exec);
    machine.run("v_cmpx_ne_u32_e64 v1, 6");
    EXPECT_EQ(machine.wave().exec(), exec & ~equal) << mode.target;
    EXPECT_EQ(machine.wave().exec_mask[0], machine.wave().exec() & 1 ? ~0u : 0u);
    machine.judged();
  }
}

TEST(Gfx11, ClassesOfHalves) {
  for (const Mode& mode : {Mode{"gfx1100", 32}, Mode{"gfx1100", 64}}) {
    AssemblyMachine machine(mode.target, mode.lanes);
    // Signalling NaN, quiet NaN, -infinity, -normal, -denormal, -0, +0, +denormal, +normal, +infinity.
    const u32 halves[] = {0x7d00, 0xfe00, 0xfc00, 0xbc00, 0x8001, 0x8000, 0x0000, 0x03ff, 0x0400, 0x7c00};
    for (int lane = 0; lane < mode.lanes; ++lane) {
      machine.v(1, lane) = halves[lane % 10] << 16 | 0x3c00;
      machine.v(2, lane) = 1u << (lane / 10);
    }
    machine.run(mode.lanes == 32 ? "v_cmp_class_f16_e64 s4, v1.h, v2.l" : "v_cmp_class_f16_e64 s[4:5], v1.h, v2.l");
    for (int lane = 0; lane < mode.lanes; ++lane)
      EXPECT_EQ(machine.s64(4) >> lane & 1, lane % 10 == lane / 10 ? 1u : 0u) << lane;
    machine.judged();
  }
}

TEST(Gfx11, DualHalvesReadBeforeEitherWrites) {
  for (const char* target : {"gfx1100", "gfx1151", "gfx1201", "gfx1250"}) {
    AssemblyMachine machine(target, 32);
    const auto reset = [&] {
      for (int lane = 0; lane < 32; ++lane)
        for (int row = 0; row < 8; ++row) machine.v(row, lane) = bits(static_cast<float>(100 * row + lane));
    };
    const u32 exec = 0xff00f0f3u;
    const auto expect = [&](int row, int lane, float value) {
      EXPECT_EQ(machine.v(row, lane), bits(exec >> lane & 1 ? value : static_cast<float>(100 * row + lane)))
          << target << " v" << row << " lane " << lane << " " << machine.program().texts[0];
    };
    machine.set_exec(exec);
    reset();
    // The second half reads what the first writes, the first what the second writes, and each the other's.
    machine.run("v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v0, v5");
    for (int lane = 0; lane < 32; ++lane) {
      expect(0, lane, static_cast<float>(300 + 2 * lane));
      expect(3, lane, static_cast<float>(lane) * static_cast<float>(500 + lane));
    }
    reset();
    machine.run("v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0");
    for (int lane = 0; lane < 32; ++lane) {
      expect(0, lane, static_cast<float>(100 + lane));
      expect(1, lane, static_cast<float>(lane));
    }
    reset();
    machine.run("v_dual_fmac_f32 v0, v1, v2 :: v_dual_subrev_f32 v3, v4, v0");
    for (int lane = 0; lane < 32; ++lane) {
      expect(0, lane, std::fmaf(static_cast<float>(100 + lane), static_cast<float>(200 + lane), static_cast<float>(lane)));
      expect(3, lane, static_cast<float>(lane) - static_cast<float>(400 + lane));
    }
    reset();
    machine.s(scalar_vcc) = 0x0ff0aa55u;
    machine.run("v_dual_cndmask_b32 v2, v1, v3 :: v_dual_add_nc_u32 v5, 5, v0");
    for (int lane = 0; lane < 32; ++lane) {
      expect(2, lane, static_cast<float>((0x0ff0aa55u >> lane & 1 ? 300 : 100) + lane));
      EXPECT_EQ(machine.v(5, lane), exec >> lane & 1 ? bits(static_cast<float>(lane)) + 5 : bits(500.0f + lane));
    }
    machine.judged();
  }
}

TEST(Gfx11, PermuteRows) {
  for (const Mode& mode : modes) {
    AssemblyMachine machine(mode.target, mode.lanes);
    const u64 all = mode.lanes == 64 ? ~u64{0} : 0xffffffffu, exec = 0xfff0'3fff'5557'0fffu & all;
    const u64 select = 0x0123'f7a5'8694'2dceull;
    for (int lane = 0; lane < mode.lanes; ++lane) {
      machine.v(1, lane) = static_cast<u32>(1000 + lane);
      for (int row = 4; row < 12; ++row) machine.v(row, lane) = old_value;
    }
    machine.s(2) = static_cast<u32>(select), machine.s(3) = static_cast<u32>(select >> 32);
    machine.set_exec(exec);
    machine.run(R"(
      v_permlane16_b32 v4, v1, s2, s3
      v_permlanex16_b32 v5, v1, s2, s3 op_sel:[1,0]
      v_permlane16_b32 v6, v1, s2, s3 op_sel:[0,1]
      v_permlane64_b32 v7, v1)");
    for (int lane = 0; lane < mode.lanes; ++lane) {
      const int chosen = static_cast<int>(select >> (4 * (lane & 15)) & 15), same = (lane & ~15) | chosen, other = same ^ 16;
      const bool active = exec >> lane & 1;
      const u32 kept = exec >> same & 1 ? 1000u + same : old_value, zeroed = exec >> same & 1 ? 1000u + same : 0u;
      EXPECT_EQ(machine.v(4, lane), active ? kept : old_value) << mode.target << lane;
      EXPECT_EQ(machine.v(5, lane), active ? 1000u + other : old_value) << mode.target << lane;
      EXPECT_EQ(machine.v(6, lane), active ? zeroed : old_value) << mode.target << lane;
      EXPECT_EQ(machine.v(7, lane), active && mode.lanes == 64 ? 1000u + (lane ^ 32) : old_value) << mode.target << lane;
    }
    machine.judged();
  }
}

TEST(Gfx12, ScalarFunctionsOfTheVectorUnit) {
  for (const Mode& mode : modes_gfx12) {
    AssemblyMachine machine(mode.target, mode.lanes);
    machine.s(2) = bits(4.0f), machine.s(3) = bits(-0.25f), machine.s(4) = 0xabcd4400;  // the half is 4
    machine.run(R"(
      v_s_rcp_f32 s10, s2
      v_s_sqrt_f32 s11, s2
      v_s_rsq_f32 s12, |s3|
      v_s_exp_f32 s13, -s2
      v_s_log_f32 s14, s2 mul:2
      v_s_rcp_f16 s15, s4
      v_s_sqrt_f16 s16, s4
      v_s_exp_f16 s17, s4
      v_s_log_f16 s18, s4
      v_s_rsq_f16 s19, s4
      v_s_exp_f32 s20, s2 clamp)");
    const u32 expected[] = {bits(0.25f), bits(2.0f), bits(2.0f), bits(0.0625f), bits(4.0f), 0x3400u,
                            0x4000u,     0x4c00u,    0x4000u,    0x3800u,       bits(1.0f)};
    for (int k = 0; k < 11; ++k) EXPECT_EQ(machine.s(10 + k), expected[k]) << mode.target << " s" << 10 + k;
    machine.judged();
  }
}

}  // namespace
}  // namespace zellige::sim::test
