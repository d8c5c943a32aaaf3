// Vector floating-point instructions, f32, f64 and f16, against the ISA's definitions, over zeros, denormals,
// infinities, NaN.
//
// Sums, products and quotients of f32 and f16 are compared with double arithmetic rounded once (exact: a double holds
// more than twice their digits), fused ones with a wider format; division sequences with the host's correctly rounded
// quotient.
#include <algorithm>
#include <cfenv>
#include <random>

#include "simulator/test/execute/valu_table.hpp"

namespace zellige::sim::test {
namespace {

float f(u32 a) { return as_float(a); }
double d(u64 a) { return as_double(a); }
u32 once(double value) { return bits(static_cast<float>(value)); }
u32 exact(float value) { return bits(value); }

/// A number that wins against NaN; -0 below +0.
template <class T>
T least(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T>
T greatest(T a, T b) {
  return -least(-a, -b);
}
template <class T>
T middle(T a, T b, T c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return least(least(a, b), c);
  T sorted[] = {a, b, c};
  std::sort(sorted, sorted + 3);
  return sorted[1];
}
u32 clamped(double value) { return std::isnan(value) || value <= 0 ? 0u : value >= 1 ? bits(1.0f) : once(value); }

const Row32 rows_f32[] = {
    {"v_add_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return once(double(f(a)) + f(b)); }},
    {"v_sub_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return once(double(f(a)) - f(b)); }},
    {"v_subrev_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return once(double(f(b)) - f(a)); }},
    {"v_mul_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return once(double(f(a)) * f(b)); }},
    {"v_mul_legacy_f32 v4, v1, v2",
     [](u32 a, u32 b, u32) { return f(a) == 0 || f(b) == 0 ? 0u : once(double(f(a)) * f(b)); }},
    {"v_fma_f32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return exact(std::fma(f(a), f(b), f(c))); }},
    {"v_fma_f32 v4, -v1, |v2|, -|v3|",
     [](u32 a, u32 b, u32 c) { return exact(std::fma(-f(a), std::fabs(f(b)), -std::fabs(f(c)))); }},
    {"v_fmac_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return exact(std::fma(f(a), f(b), f(old_value))); }},
    {"v_fmac_f32_e64 v4, -v1, v2", [](u32 a, u32 b, u32) { return exact(std::fma(-f(a), f(b), f(old_value))); }},
    {"v_fmaak_f32 v4, v1, v2, 0x40400000", [](u32 a, u32 b, u32) { return exact(std::fma(f(a), f(b), 3.0f)); }},
    {"v_fmamk_f32 v4, v1, 0x40400000, v2", [](u32 a, u32 b, u32) { return exact(std::fma(f(a), 3.0f, f(b))); }},
    {"v_min_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return exact(least(f(a), f(b))); }},
    {"v_max_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return exact(greatest(f(a), f(b))); }},
    {"v_min3_f32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return exact(least(least(f(a), f(b)), f(c))); }},
    {"v_max3_f32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return exact(greatest(greatest(f(a), f(b)), f(c))); }},
    {"v_trunc_f32 v4, v1", [](u32 a, u32, u32) { return exact(std::trunc(f(a))); }},
    {"v_ceil_f32 v4, v1", [](u32 a, u32, u32) { return exact(std::ceil(f(a))); }},
    {"v_floor_f32 v4, v1", [](u32 a, u32, u32) { return exact(std::floor(f(a))); }},
    {"v_rndne_f32 v4, v1", [](u32 a, u32, u32) { return exact(std::nearbyint(f(a))); }},
    {"v_fract_f32 v4, v1",
     [](u32 a, u32, u32) { return exact(std::isinf(f(a)) ? NAN : std::min(f(a) - std::floor(f(a)), 0x1.fffffep-1f)); }},
    {"v_frexp_mant_f32 v4, v1",
     [](u32 a, u32, u32) {
       int e;
       return exact(std::isfinite(f(a)) ? std::frexp(f(a), &e) : f(a));
     }},
    {"v_rcp_f32 v4, v1", [](u32 a, u32, u32) { return once(1.0 / f(a)); }},
    {"v_sqrt_f32 v4, v1", [](u32 a, u32, u32) { return once(std::sqrt(double(f(a)))); }},
    // Modifiers of sources and of the result, constants of every form
    {"v_add_f32 v4, 0x40490fdb, v2", [](u32, u32 b, u32) { return once(double(f(0x40490fdb)) + f(b)); }},
    {"v_mul_f32 v4, 0.15915494, v2", [](u32, u32 b, u32) { return once(double(f(0x3e22f983)) * f(b)); }},
    {"v_add_f32 v4, 1, v2", [](u32, u32 b, u32) { return once(double(f(1)) + f(b)); }},
    {"v_add_f32_e64 v4, v1, -4.0", [](u32 a, u32, u32) { return once(double(f(a)) - 4); }},
    {"v_add_f32_e64 v4, -|v1|, v2", [](u32 a, u32 b, u32) { return once(-std::fabs(double(f(a))) + f(b)); }},
    // MODE.IEEE and kept denormals switch output modifiers off.
    {"v_add_f32_e64 v4, v1, v2 div:2", [](u32 a, u32 b, u32) { return once(double(f(a)) + f(b)); }},
    {"v_mul_f32_e64 v4, v1, v2 clamp", [](u32 a, u32 b, u32) { return clamped(double(f(a)) * f(b)); }},
    {"v_mul_f32_e64 v4, v1, v2 clamp mul:4", [](u32 a, u32 b, u32) { return clamped(double(f(a)) * f(b)); }},
};

TEST(ValuFloat, Single) {
  check_rows("gfx942", std::span<const Row32>(rows_f32), edge_floats(), same_float);
  // Among zeros of both signs the ISA's formula may pick either.
  const Row32 median[] = {
      {"v_med3_f32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return exact(middle(f(a), f(b), f(c))); }}};
  check_rows("gfx942", std::span<const Row32>(median), edge_floats(),
             [](u32 x, u32 y) { return same_float(x, y) || f(x) == f(y); });
  const Row32 gfx950[] = {
      {"v_minimum3_f32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) {
         return exact(std::isnan(f(a)) || std::isnan(f(b)) || std::isnan(f(c)) ? NAN : least(least(f(a), f(b)), f(c)));
       }},
      {"v_maximum3_f32 v4, v1, v2, v3",
       [](u32 a, u32 b, u32 c) {
         return exact(std::isnan(f(a)) || std::isnan(f(b)) || std::isnan(f(c)) ? NAN
                                                                               : greatest(greatest(f(a), f(b)), f(c)));
       }},
  };
  check_rows("gfx950", std::span<const Row32>(gfx950), edge_floats(), same_float);
}

TEST(ValuFloat, ExponentsAndScaling) {
  AssemblyMachine machine;
  const int shifts[] = {0, 1, -1, 10, -24, 127, -126, -150, 278, -278, 1000, -1000, 100000, -100000};
  for (std::size_t i = 0; i < std::size(shifts); ++i) {
    for (int lane = 0; lane < 64; ++lane) {
      machine.v(1, lane) = bits(edge_floats()[lane % 32]);
      machine.v(2, lane) = static_cast<u32>(shifts[i]);
      machine.set_v64(4, lane, bits(edge_doubles()[lane % 32]));
    }
    machine.run(
        "v_ldexp_f32 v8, v1, v2\nv_frexp_exp_i32_f32 v9, v1\nv_ldexp_f64 v[10:11], v[4:5], v2\nv_frexp_exp_i32_f64 "
        "v12, v[4:5]");
    for (int lane = 0; lane < 64; ++lane) {
      const float x = as_float(machine.v(1, lane));
      const double y = as_double(machine.v64(4, lane));
      int e = 0, e_double = 0;
      std::frexp(x, &e);
      std::frexp(y, &e_double);
      EXPECT_TRUE(same_float(machine.v(8, lane), bits(std::ldexp(x, shifts[i])))) << x << " * 2^" << shifts[i];
      EXPECT_EQ(static_cast<i32>(machine.v(9, lane)), std::isfinite(x) ? e : 0) << x;
      EXPECT_TRUE(same_double(machine.v64(10, lane), bits(std::ldexp(y, shifts[i])))) << y << " * 2^" << shifts[i];
      EXPECT_EQ(static_cast<i32>(machine.v(12, lane)), std::isfinite(y) ? e_double : 0) << y;
    }
    machine.judged();
  }
}

const Row64 rows_f64[] = {
    {"v_add_f64 v[8:9], v[2:3], v[4:5]", [](u64 a, u64 b, u64) { return bits(d(a) + d(b)); }},
    {"v_mul_f64 v[8:9], v[2:3], v[4:5]", [](u64 a, u64 b, u64) { return bits(d(a) * d(b)); }},
    {"v_fma_f64 v[8:9], v[2:3], v[4:5], v[6:7]", [](u64 a, u64 b, u64 c) { return bits(std::fma(d(a), d(b), d(c))); }},
    {"v_fma_f64 v[8:9], -v[2:3], |v[4:5]|, v[6:7]",
     [](u64 a, u64 b, u64 c) { return bits(std::fma(-d(a), std::fabs(d(b)), d(c))); }},
    {"v_min_f64 v[8:9], v[2:3], v[4:5]", [](u64 a, u64 b, u64) { return bits(least(d(a), d(b))); }},
    {"v_max_f64 v[8:9], v[2:3], v[4:5]", [](u64 a, u64 b, u64) { return bits(greatest(d(a), d(b))); }},
    {"v_trunc_f64 v[8:9], v[2:3]", [](u64 a, u64, u64) { return bits(std::trunc(d(a))); }},
    {"v_ceil_f64 v[8:9], v[2:3]", [](u64 a, u64, u64) { return bits(std::ceil(d(a))); }},
    {"v_floor_f64 v[8:9], v[2:3]", [](u64 a, u64, u64) { return bits(std::floor(d(a))); }},
    {"v_rndne_f64 v[8:9], v[2:3]", [](u64 a, u64, u64) { return bits(std::nearbyint(d(a))); }},
    {"v_fract_f64 v[8:9], v[2:3]",
     [](u64 a, u64, u64) {
       return bits(std::isinf(d(a)) ? NAN : std::min(d(a) - std::floor(d(a)), 0x1.fffffffffffffp-1));
     }},
    {"v_frexp_mant_f64 v[8:9], v[2:3]",
     [](u64 a, u64, u64) {
       int e;
       return bits(std::isfinite(d(a)) ? std::frexp(d(a), &e) : d(a));
     }},
    {"v_sqrt_f64 v[8:9], v[2:3]", [](u64 a, u64, u64) { return bits(std::sqrt(d(a))); }},
    {"v_add_f64 v[8:9], v[2:3], 0.5", [](u64 a, u64, u64) { return bits(d(a) + 0.5); }},
    {"v_ceil_f64 v[8:9], 0x40590000", [](u64, u64, u64) { return bits(100.0); }},
    {"v_cvt_f64_f32 v[8:9], v2", [](u64 a, u64, u64) { return bits(double(f(static_cast<u32>(a)))); }},
    {"v_cvt_f64_i32 v[8:9], v2", [](u64 a, u64, u64) { return bits(double(static_cast<i32>(a))); }},
    {"v_cvt_f64_u32 v[8:9], v2", [](u64 a, u64, u64) { return bits(double(static_cast<u32>(a))); }},
    {"v_pk_add_f32 v[8:9], v[2:3], v[4:5]",
     [](u64 a, u64 b, u64) {
       return u64{once(double(f(static_cast<u32>(a))) + f(static_cast<u32>(b)))} |
              u64{once(double(f(a >> 32)) + f(b >> 32))} << 32;
     }},
    {"v_pk_mul_f32 v[8:9], v[2:3], v[4:5] op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[1,0]",
     [](u64 a, u64 b, u64) {
       return u64{once(-double(f(a >> 32)) * f(static_cast<u32>(b)))} |
              u64{once(double(f(static_cast<u32>(a))) * f(b >> 32))} << 32;
     }},
    {"v_pk_mov_b32 v[8:9], v[2:3], v[4:5] op_sel:[1,0]", [](u64 a, u64 b, u64) { return a >> 32 | b << 32; }},
};

TEST(ValuFloat, Double) {
  check_rows("gfx942", std::span<const Row64>(rows_f64), edge_doubles(), [](u64 x, u64 y) {
    return same_double(x, y) || (same_float(static_cast<u32>(x), static_cast<u32>(y)) && same_float(x >> 32, y >> 32));
  });
}

/// The compiler's division: v_div_scale of both, a reciprocal, Newton steps, v_div_fmas, v_div_fixup.
constexpr const char* divide_f32 = R"(
    v_div_scale_f32 v10, s[0:1], v2, v2, v1
    v_div_scale_f32 v11, vcc, v1, v2, v1
    v_rcp_f32 v12, v10
    v_fma_f32 v13, -v10, v12, 1.0
    v_fma_f32 v12, v13, v12, v12
    v_mul_f32 v14, v11, v12
    v_fma_f32 v15, -v10, v14, v11
    v_fma_f32 v14, v15, v12, v14
    v_fma_f32 v10, -v10, v14, v11
    v_div_fmas_f32 v10, v10, v12, v14
    v_div_fixup_f32 v4, v10, v2, v1)";
constexpr const char* divide_f64 = R"(
    v_div_scale_f64 v[10:11], s[0:1], v[4:5], v[4:5], v[2:3]
    v_rcp_f64 v[12:13], v[10:11]
    v_fma_f64 v[14:15], -v[10:11], v[12:13], 1.0
    v_fma_f64 v[12:13], v[12:13], v[14:15], v[12:13]
    v_fma_f64 v[14:15], -v[10:11], v[12:13], 1.0
    v_fma_f64 v[12:13], v[12:13], v[14:15], v[12:13]
    v_div_scale_f64 v[14:15], vcc, v[2:3], v[4:5], v[2:3]
    v_mul_f64 v[16:17], v[14:15], v[12:13]
    v_fma_f64 v[10:11], -v[10:11], v[16:17], v[14:15]
    v_div_fmas_f64 v[10:11], v[10:11], v[12:13], v[16:17]
    v_div_fixup_f64 v[8:9], v[10:11], v[4:5], v[2:3])";

TEST(ValuFloat, DivisionSequencesRoundCorrectly) {
  std::mt19937_64 random(7);
  AssemblyMachine machine;
  machine.prepare(divide_f32);
  for (int round = 0; round < 400; ++round) {
    for (std::size_t lane = 0; lane < 64; ++lane) {
      const bool edges = round < 32;
      machine.v(1, lane) = edges ? bits(edge_floats()[(lane + round) % 32]) : static_cast<u32>(random());
      machine.v(2, lane) = edges ? bits(edge_floats()[lane % 32]) : static_cast<u32>(random());
    }
    ASSERT_EQ(machine.execute(), "");
    for (int lane = 0; lane < 64; ++lane) {
      const float n = f(machine.v(1, lane)), q = f(machine.v(2, lane));
      ASSERT_TRUE(same_float(machine.v(4, lane), bits(n / q)))
          << std::hexfloat << n << " / " << q << " gave " << f(machine.v(4, lane)) << ", not " << n / q;
    }
  }
  machine.judged();
  machine.prepare(divide_f64);
  for (int round = 0; round < 400; ++round) {
    for (std::size_t lane = 0; lane < 64; ++lane) {
      const bool edges = round < 32;
      machine.set_v64(2, lane, edges ? bits(edge_doubles()[(lane + round) % 32]) : random());
      machine.set_v64(4, lane, edges ? bits(edge_doubles()[lane % 32]) : random());
    }
    ASSERT_EQ(machine.execute(), "");
    for (int lane = 0; lane < 64; ++lane) {
      const double n = d(machine.v64(2, lane)), q = d(machine.v64(4, lane));
      ASSERT_TRUE(same_double(machine.v64(8, lane), bits(n / q)))
          << std::hexfloat << n << " / " << q << " gave " << d(machine.v64(8, lane)) << ", not " << n / q;
    }
  }
  machine.judged();
}

/// Units in the last place between a result and the exact value.
double ulps(float result, double exact) {
  if (std::isnan(exact)) return std::isnan(result) ? 0 : 1e9;
  if (static_cast<float>(exact) == result) return 0;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(exact), -126) - 23);
  return std::fabs(result - exact) / unit;
}

TEST(ValuFloat, TranscendentalsAreWithinOneUnit) {
  struct Function {
    const char* name;
    double (*exact)(double);
    float low, high;
  };
  const Function functions[] = {
      {"v_exp_f32", [](double x) { return std::exp2(x); }, -149, 128},
      {"v_log_f32", [](double x) { return std::log2(x); }, 1e-40f, 1e38f},
      {"v_rcp_f32", [](double x) { return 1 / x; }, -1e30f, 1e30f},
      {"v_rsq_f32", [](double x) { return 1 / std::sqrt(x); }, 1e-38f, 1e38f},
      {"v_sqrt_f32", [](double x) { return std::sqrt(x); }, 0, 1e38f},
  };
  std::mt19937 random(3);
  AssemblyMachine machine;
  for (const Function& function : functions) {
    machine.prepare(std::string(function.name) + " v4, v1");
    std::uniform_real_distribution<double> near(0.5, 2.0), wide(function.low, function.high);
    for (int round = 0; round < 200; ++round) {
      for (int lane = 0; lane < 64; ++lane)
        machine.v(1, lane) = bits(static_cast<float>(lane % 2 ? near(random) : wide(random)));
      ASSERT_EQ(machine.execute(), "");
      for (int lane = 0; lane < 64; ++lane) {
        const float x = f(machine.v(1, lane));
        ASSERT_LE(ulps(f(machine.v(4, lane)), function.exact(x)), 1.0)
            << function.name << " of " << std::hexfloat << x << " gave " << f(machine.v(4, lane));
      }
    }
    machine.judged();
  }
  // Sine and cosine of revolutions: absolute error, as hardware's.
  machine.prepare("v_sin_f32 v4, v1\nv_cos_f32 v5, v1");
  std::uniform_real_distribution<float> turns(-256, 256);
  for (int round = 0; round < 200; ++round) {
    for (int lane = 0; lane < 64; ++lane) machine.v(1, lane) = bits(turns(random));
    ASSERT_EQ(machine.execute(), "");
    for (int lane = 0; lane < 64; ++lane) {
      const double angle =
          (double(f(machine.v(1, lane))) - std::nearbyint(double(f(machine.v(1, lane))))) * 6.283185307179586;
      ASSERT_NEAR(f(machine.v(4, lane)), std::sin(angle), 1e-7);
      ASSERT_NEAR(f(machine.v(5, lane)), std::cos(angle), 1e-7);
    }
  }
  machine.judged();
  const float infinity = INFINITY;
  const struct {
    const char* name;
    float from, to;
  } specials[] = {{"v_exp_f32", -infinity, 0},  {"v_exp_f32", infinity, infinity},
                  {"v_exp_f32", NAN, NAN},      {"v_exp_f32", 0, 1},
                  {"v_exp_f32", 10, 1024},      {"v_log_f32", 0, -infinity},
                  {"v_log_f32", -1, NAN},       {"v_log_f32", infinity, infinity},
                  {"v_log_f32", 8, 3},          {"v_log_f32", 1, 0},
                  {"v_rcp_f32", 0, infinity},   {"v_rcp_f32", -infinity, -0.0f},
                  {"v_rsq_f32", 0, infinity},   {"v_rsq_f32", 4, 0.5f},
                  {"v_rsq_f32", -1, NAN},       {"v_sqrt_f32", -1, NAN},
                  {"v_sqrt_f32", -0.0f, -0.0f}, {"v_sin_f32", 0.25f, 1},
                  {"v_cos_f32", 0.5f, -1},      {"v_sin_f32", infinity, NAN},
                  {"v_cos_f32", 300, 1}};
  for (const auto& special : specials) {
    machine.v(1, 0) = bits(special.from);
    machine.run(std::string(special.name) + " v4, v1");
    EXPECT_TRUE(same_float(machine.v(4, 0), bits(special.to)))
        << special.name << " of " << special.from << " gave " << f(machine.v(4, 0));
  }
}

}  // namespace
}  // namespace zellige::sim::test
