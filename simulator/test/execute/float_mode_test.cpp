// MODE's float controls: rounding and denormals of f32 apart from those of f64 and f16, IEEE and DX10_CLAMP, output
// modifiers, and what does not follow MODE.
//
// Expected values are exact in a wider format and rounded by comparing the neighbours.
#include <random>

#include "simulator/test/execute/half_values.hpp"
#include "simulator/test/execute/valu_table.hpp"

namespace zellige::sim::test {
namespace {

using Exact = __float128;  // 113 bits: holds sums and products of the values here exactly

enum Rounding { nearest, up, down, to_zero };

/// `exact` in T, whose nearest value is `near`.
template <class T>
T rounded(Exact exact, Rounding rounding) {
  const T near = static_cast<T>(exact);
  const Exact back = near;
  const T inf = std::numeric_limits<T>::infinity();
  if (rounding == up && back < exact) return std::nextafter(near, inf);
  if (rounding == down && back > exact) return std::nextafter(near, -inf);
  if (rounding == to_zero && (exact > 0 ? back > exact : back < exact)) return std::nextafter(near, T(0));
  return near;
}
u32 rounded_half(double exact, Rounding rounding) {
  const u32 near = half_of(exact);
  const double back = half_value(near);
  const bool outward = std::fabs(back) > std::fabs(exact), inward = std::fabs(back) < std::fabs(exact);
  const bool grow = rounding == up ? exact > 0 : rounding == down ? exact < 0 : false;
  if (rounding == nearest) return near;
  return grow ? near + (inward ? 1 : 0) : near - (outward ? 1 : 0);
}

/// The sign of an exact difference of 0 follows the rounding.
bool same_or_zero(u32 x, u32 y) { return x == y || ((x | y) & 0x7fff) == 0; }

std::string set_mode(u32 mode) {
  return "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 10), " + std::to_string(mode) + "\n";
}

TEST(FloatMode, RoundingOfSinglesIsApartFromTheOthers) {
  std::mt19937_64 random(9);
  const auto number = [&](int exponents) {
    const double x = std::ldexp(1 + static_cast<double>(random() >> 12) / 0x1p52,
                                static_cast<int>(random() % static_cast<u64>(exponents)) - exponents / 2);
    return random() % 2 ? x : -x;
  };
  for (u32 mode = 0; mode < 16; ++mode) {
    const auto single = static_cast<Rounding>(mode & 3), other = static_cast<Rounding>(mode >> 2);
    AssemblyMachine machine;
    machine.prepare(set_mode(0x3f0 | mode) + R"(
      v_add_f32 v20, v1, v2
      v_mul_f32 v21, v1, v2
      v_fma_f32 v22, v1, v2, v3
      v_cvt_f32_f64 v23, v[4:5]
      v_cvt_f32_i32 v24, v10
      v_add_f64 v[26:27], v[4:5], v[6:7]
      v_mul_f64 v[28:29], v[4:5], v[6:7]
      v_fma_f64 v[30:31], v[4:5], v[6:7], v[8:9]
      v_add_f16 v32, v11, v12
      v_mul_f16 v33, v11, v12
      v_fma_f16 v34, v11, v12, v13
      v_cvt_f16_f32 v35, v1
      v_pk_add_f16 v36, v11, v12
      v_cvt_f64_i32 v[38:39], v10)");
    for (int round = 0; round < 12; ++round) {
      for (int lane = 0; lane < 64; ++lane) {
        for (int k = 1; k <= 3; ++k) machine.v(k, lane) = bits(static_cast<float>(number(12)));
        for (int k = 4; k <= 8; k += 2) machine.set_v64(k, lane, bits(number(20)));
        machine.v(10, lane) = static_cast<u32>(random());
        for (int k = 11; k <= 13; ++k) machine.v(k, lane) = half_of(number(10)) | half_of(number(10)) << 16;
        machine.v(34, lane) = 0;
      }
      ASSERT_EQ(machine.execute(), "");
      machine.wave().mode = 0x3f0;
      for (int lane = 0; lane < 64; ++lane) {
        const auto f = [&](int k) { return Exact(as_float(machine.v(k, lane))); };
        const auto d = [&](int k) { return Exact(as_double(machine.v64(k, lane))); };
        const auto h = [&](int k) { return half_value(machine.v(k, lane) & 0xffff); };
        const auto hi = [&](int k) { return half_value(machine.v(k, lane) >> 16); };
        const auto is = [&](int k, Exact exact) {
          ASSERT_EQ(machine.v(k, lane), bits(rounded<float>(exact, single))) << k << " mode " << mode;
        };
        const auto is_double = [&](int k, Exact exact) {
          ASSERT_EQ(machine.v64(k, lane), bits(rounded<double>(exact, other))) << k << " mode " << mode;
        };
        const auto is_half = [&](int k, double exact) {
          ASSERT_TRUE(same_or_zero(machine.v(k, lane) & 0xffff, rounded_half(exact, other))) << k << " mode " << mode;
        };
        is(20, f(1) + f(2));
        is(21, f(1) * f(2));
        is(22, f(1) * f(2) + f(3));
        is(23, d(4));
        is(24, static_cast<i32>(machine.v(10, lane)));
        is_double(26, d(4) + d(6));
        is_double(28, d(4) * d(6));
        is_half(32, h(11) + h(12));
        is_half(33, h(11) * h(12));
        is_half(34, h(11) * h(12) + h(13));
        is_half(35, static_cast<double>(f(1)));
        is_half(36, h(11) + h(12));
        ASSERT_TRUE(same_or_zero(machine.v(36, lane) >> 16, rounded_half(hi(11) + hi(12), other)));
        ASSERT_EQ(as_double(machine.v64(38, lane)), static_cast<i32>(machine.v(10, lane)));
      }
    }
  }
}

TEST(FloatMode, DenormalsOfSinglesAreApartFromTheOthers) {
  const float tiny = 0x1p-130f;
  const double tiny_double = 0x1p-1030;
  const u32 tiny_half = half_of(0x1p-20);
  for (u32 denormals = 0; denormals < 16; ++denormals) {
    const bool reads = denormals & 1, keeps = denormals & 2, reads_other = denormals & 4, keeps_other = denormals & 8;
    AssemblyMachine machine;
    for (int lane = 0; lane < 64; ++lane) {
      machine.v(1, lane) = bits(tiny);
      machine.v(2, lane) = bits(0x1p20f);
      machine.v(3, lane) = bits(0x1p-100f);
      machine.v(4, lane) = bits(0x1p-35f);
      machine.set_v64(6, lane, bits(tiny_double));
      machine.set_v64(8, lane, bits(0x1p20));
      machine.set_v64(10, lane, bits(0x1p-1000));
      machine.set_v64(12, lane, bits(0x1p-40));
      machine.v(14, lane) = tiny_half | half_of(-0x1p-18) << 16;
      machine.v(15, lane) = half_of(1024);
      machine.v(16, lane) = half_of(0x1p-12);
      machine.v(17, lane) = half_of(0x1p-8) | half_of(0x1p-9) << 16;
      machine.v(18, lane) = half_of(0x1p-12) | half_of(0x1p-12) << 16;
    }
    machine.run(set_mode(0x300 | denormals << 4) + R"(
      v_mul_f32 v20, v1, v2
      v_mul_f32 v21, v3, v4
      v_max_f32 v22, v1, v1
      v_cmp_lt_f32 vcc, 0, v1
      v_mul_f64 v[24:25], v[6:7], v[8:9]
      v_mul_f64 v[26:27], v[10:11], v[12:13]
      v_max_f64 v[28:29], v[6:7], v[6:7]
      v_mul_f16 v30, v14, v15
      v_mul_f16 v31, v17, v16
      v_max_f16 v32, v14, v14
      v_pk_mul_f16 v33, v17, v18
      v_cvt_f32_f16 v34, v14
      v_cvt_f16_f32 v35, v40
      v_mov_b32 v36, v1
      v_add_f16_sdwa v37, v14, v14 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_1)");
    const auto lane0 = [&](int k) { return as_float(machine.v(k, 0)); };
    EXPECT_EQ(lane0(20), reads ? tiny * 0x1p20f : 0.0f) << denormals;
    EXPECT_EQ(lane0(21), keeps ? 0x1p-135f : 0.0f) << denormals;
    EXPECT_EQ(lane0(22), reads && keeps ? tiny : 0.0f) << denormals;
    EXPECT_EQ(machine.s64(scalar_vcc), reads ? ~u64{0} : 0) << denormals;
    EXPECT_EQ(as_double(machine.v64(24, 0)), reads_other ? 0x1p-1010 : 0.0) << denormals;
    EXPECT_EQ(as_double(machine.v64(26, 0)), keeps_other ? 0x1p-1040 : 0.0) << denormals;
    EXPECT_EQ(as_double(machine.v64(28, 0)), reads_other && keeps_other ? tiny_double : 0.0) << denormals;
    EXPECT_EQ(half_value(machine.v(30, 0)), reads_other ? 0x1p-10 : 0.0) << denormals;
    EXPECT_EQ(half_value(machine.v(31, 0)), keeps_other ? 0x1p-20 : 0.0) << denormals;
    EXPECT_EQ(half_value(machine.v(32, 0)), reads_other && keeps_other ? 0x1p-20 : 0.0) << denormals;
    EXPECT_EQ(machine.v(33, 0), keeps_other ? half_of(0x1p-20) | half_of(0x1p-21) << 16 : 0u) << denormals;
    EXPECT_EQ(lane0(34), reads_other ? 0x1p-20f : 0.0f) << denormals;
    EXPECT_EQ(lane0(36), tiny) << "moves change nothing";
    EXPECT_EQ(half_value(machine.v(37, 0) >> 16), reads_other && keeps_other ? -0x1p-17 : 0.0) << denormals;
  }
}

TEST(FloatMode, SignallingNanByTheIeeeBit) {
  const u32 signalling = 0x7f800123, quiet = 0x7fc00123;
  for (const bool ieee : {true, false}) {
    AssemblyMachine machine;
    for (int lane = 0; lane < 64; ++lane) {
      machine.v(1, lane) = lane % 2 ? signalling : 0x7fc00456;
      machine.v(2, lane) = bits(2.0f);
      machine.v(3, lane) = bits(3.0f);
      machine.set_v64(4, lane, lane % 2 ? 0x7ff0000000000123 : 0x7ff8000000000456);
      machine.set_v64(6, lane, bits(2.0));
      machine.v(8, lane) = lane % 2 ? 0x7c12 : 0x7e45;
      machine.v(9, lane) = half_of(2);
      machine.v(10, lane) = half_of(3);
    }
    machine.run(set_mode(ieee ? 0x3f0 : 0x1f0) + R"(
      v_min_f32 v20, v1, v2
      v_max_f32 v21, v2, v1
      v_min3_f32 v22, v2, v3, v1
      v_max3_f32 v23, v1, v2, v3
      v_med3_f32 v24, v2, v1, v3
      v_min_f64 v[26:27], v[4:5], v[6:7]
      v_max_f64 v[28:29], v[6:7], v[4:5]
      v_min_f16 v30, v8, v9
      v_max_f16 v31, v9, v8
      v_max3_f16 v32, v9, v10, v8
      v_min_f32_e64 v33, -v1, |v2|
      v_add_f32 v34, v1, v2)");
    for (int lane = 0; lane < 64; ++lane) {
      const bool wins = ieee && lane % 2;
      EXPECT_EQ(machine.v(20, lane), wins ? quiet : bits(2.0f));
      EXPECT_EQ(machine.v(21, lane), wins ? quiet : bits(2.0f));
      EXPECT_EQ(machine.v(22, lane), wins ? quiet : bits(2.0f));
      EXPECT_EQ(machine.v(23, lane), wins ? bits(3.0f) : bits(3.0f)) << "the quiet NaN of the first pair loses";
      EXPECT_EQ(machine.v64(26, lane), wins ? 0x7ff8000000000123 : bits(2.0));
      EXPECT_EQ(machine.v64(28, lane), wins ? 0x7ff8000000000123 : bits(2.0));
      EXPECT_EQ(machine.v(30, lane), wins ? 0x7e12 : half_of(2));
      EXPECT_EQ(machine.v(31, lane), wins ? 0x7e12 : half_of(2));
      EXPECT_EQ(machine.v(32, lane) & 0xffff, wins ? 0x7e12 : half_of(3));
      EXPECT_EQ(machine.v(33, lane), wins ? quiet | 0x80000000u : bits(2.0f));
      EXPECT_EQ(machine.v(34, lane), lane % 2 ? quiet : 0x7fc00456) << "sums quiet a NaN and keep its payload";
    }
  }
}

TEST(FloatMode, ClampOfNanAndOutputModifiers) {
  AssemblyMachine machine;
  for (int lane = 0; lane < 64; ++lane) {
    machine.v(1, lane) = 0x7fc00000;
    machine.v(2, lane) = bits(1.5f);
    machine.v(3, lane) = 0x7e00;
    machine.v(4, lane) = half_of(1.5);
    machine.set_v64(6, lane, bits(1.5));
  }
  const std::string text = R"(
      v_add_f32_e64 v20, v1, v2 clamp
      v_add_f16_e64 v21, v3, v4 clamp
      v_add_f32_e64 v22, v2, v2 mul:2
      v_add_f32_e64 v23, v2, v2 div:2
      v_add_f64 v[24:25], v[6:7], v[6:7] mul:4
      v_add_f32_e64 v26, v2, -v2 clamp mul:4)";
  machine.run(set_mode(0x2f0) + text);
  EXPECT_TRUE(std::isnan(as_float(machine.v(20, 0)))) << "without DX10_CLAMP a NaN stays";
  EXPECT_TRUE(std::isnan(half_value(machine.v(21, 0))));
  EXPECT_EQ(as_float(machine.v(22, 0)), 3.0f) << "IEEE";
  machine.run(set_mode(0x1f0) + text);
  EXPECT_EQ(machine.v(20, 0), 0u);
  EXPECT_EQ(machine.v(21, 0), 0u);
  EXPECT_EQ(as_float(machine.v(22, 0)), 3.0f) << "denormals";
  machine.run(set_mode(0x1c0) + text);
  EXPECT_EQ(as_float(machine.v(22, 0)), 6.0f);
  EXPECT_EQ(as_float(machine.v(23, 0)), 1.5f);
  EXPECT_EQ(as_double(machine.v64(24, 0)), 3.0) << "doubles keep denormals here";
  machine.run(set_mode(0x100) + text);
  EXPECT_EQ(as_double(machine.v64(24, 0)), 12.0);
}

TEST(FloatMode, MatrixInstructionsDoNotFollowIt) {
  AssemblyMachine machine;
  for (int lane = 0; lane < 64; ++lane) {
    machine.v(1, lane) = bits(1.0f);
    machine.v(2, lane) = bits(0x1p-24f);
    for (int k = 0; k < 4; ++k) machine.v(4 + k, lane) = bits(1.0f);
    for (int k = 0; k < 4; ++k) machine.v(8 + k, lane) = bits(0x1p-140f);
  }
  machine.run(set_mode(0x305) + R"(
    v_mfma_f32_4x4x1_16b_f32 v[12:15], v1, v2, v[4:7]
    v_mov_b32 v3, 0
    v_mfma_f32_4x4x1_16b_f32 v[16:19], v3, v2, v[8:11]
    v_add_f32 v20, v1, v2)");
  EXPECT_EQ(as_float(machine.v(12, 5)), 1.0f) << "nearest even";
  EXPECT_EQ(as_float(machine.v(16, 5)), 0x1p-140f) << "denormals stay";
  EXPECT_EQ(as_float(machine.v(20, 5)), 1.0f + 0x1p-23f) << "up";
}

TEST(FloatMode, SettersOfGfx10AndLater) {
  AssemblyMachine machine("gfx1100", 32);
  for (int lane = 0; lane < 32; ++lane) {
    machine.v(0, lane) = bits(1.0f);
    machine.v(1, lane) = bits(0x1p-24f);
    machine.v(2, lane) = bits(0x1p-140f);
  }
  machine.run(R"(
    s_round_mode 0x1
    v_add_f32 v3, v0, v1
    s_round_mode 0x2
    v_add_f32 v4, v0, v1
    s_denorm_mode 0xc
    v_add_f32 v5, v2, v2
    s_denorm_mode 0xf
    v_add_f32 v6, v2, v2
    s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 8))");
  EXPECT_EQ(as_float(machine.v(3, 9)), 1.0f + 0x1p-23f);
  EXPECT_EQ(as_float(machine.v(4, 9)), 1.0f);
  EXPECT_EQ(as_float(machine.v(5, 9)), 0.0f);
  EXPECT_EQ(as_float(machine.v(6, 9)), 0x1p-139f);
  EXPECT_EQ(machine.s(0), 0xf2u);
  machine.judged();
}

}  // namespace
}  // namespace zellige::sim::test
