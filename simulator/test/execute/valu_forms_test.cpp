// The less usual float instructions against the ISA's definitions: multiply-add forms that round twice or accumulate,
// cube maps, legacy and half transcendentals, half division, packed f32, and the multiples of 2 / pi.
#include <random>

#include "simulator/test/execute/half_values.hpp"
#include "simulator/test/execute/valu_table.hpp"

namespace zellige::sim::test {
namespace {

float f(u32 a) { return as_float(a); }
double d(u64 a) { return as_double(a); }
double h(u32 a) { return half_value(a); }
double hi(u32 a) { return half_value(a >> 16); }
u32 once(double value) { return bits(static_cast<float>(value)); }
u32 kept(u32 value) { return (old_value & 0xffff0000u) | value; }
double half_round(double x) { return half_value(half_of(x)); }

/// a * b + c with both results rounded to f32.
u32 twice(double a, double b, double c) {
  const double product = static_cast<float>(a * b);
  return once(product + c);
}
u32 twice_half(double a, double b, double c) { return half_of(half_round(a * b) + c); }
double legacy(float a, float b) { return a == 0 || b == 0 ? 0 : double(a) * b; }

const Row32 gfx90a_rows[] = {
    {"v_mad_f32 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return twice(f(a), f(b), f(c)); }},
    {"v_mad_f32 v4, -v1, |v2|, v3", [](u32 a, u32 b, u32 c) { return twice(-f(a), std::fabs(f(b)), f(c)); }},
    {"v_mac_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return twice(f(a), f(b), f(old_value)); }},
    {"v_madak_f32 v4, v1, v2, 0x40400000", [](u32 a, u32 b, u32) { return twice(f(a), f(b), 3); }},
    {"v_madmk_f32 v4, v1, 0x40400000, v2", [](u32 a, u32 b, u32) { return twice(f(a), 3, f(b)); }},
    {"v_mad_legacy_f32 v4, v1, v2, v3",
     [](u32 a, u32 b, u32 c) { return once(static_cast<float>(legacy(f(a), f(b))) + double(f(c))); }},
};

/// Which axis is the largest: the face of a cube map's direction.
u32 face(float x, float y, float z) {
  if (std::fabs(z) >= std::fabs(x) && std::fabs(z) >= std::fabs(y)) return z < 0 ? 5 : 4;
  if (std::fabs(y) >= std::fabs(x)) return y < 0 ? 3 : 2;
  return x < 0 ? 1 : 0;
}
const Row32 single_rows[] = {
    {"v_cubeid_f32 v4, v1, v2, v3",
     [](u32 a, u32 b, u32 c) { return bits(static_cast<float>(face(f(a), f(b), f(c)))); }},
    {"v_cubesc_f32 v4, v1, v2, v3",
     [](u32 a, u32 b, u32 c) {
       const float s[] = {-f(c), f(c), f(a), f(a), f(a), -f(a)};
       return bits(s[face(f(a), f(b), f(c))]);
     }},
    {"v_cubetc_f32 v4, v1, v2, v3",
     [](u32 a, u32 b, u32 c) {
       const float t[] = {-f(b), -f(b), f(c), -f(c), -f(b), -f(b)};
       return bits(t[face(f(a), f(b), f(c))]);
     }},
    {"v_cubema_f32 v4, v1, v2, v3",
     [](u32 a, u32 b, u32 c) {
       const float axis[] = {f(a), f(a), f(b), f(b), f(c), f(c)};
       return bits(2 * axis[face(f(a), f(b), f(c))]);
     }},
    {"v_cvt_pkaccum_u8_f32 v4, v1, 1",
     [](u32 a, u32, u32) {
       const float inside = std::isnan(f(a)) ? 0 : std::min(std::max(f(a), 0.0f), 255.0f);
       return (old_value & 0xffff00ffu) | static_cast<u32>(std::nearbyint(inside)) << 8;
     }},
    {"v_rcp_iflag_f32 v4, v1", [](u32 a, u32, u32) { return once(1.0 / f(a)); }},
    {"v_cvt_rpi_i32_f32 v4, v1",
     [](u32 a, u32, u32) {
       const double x = std::floor(static_cast<float>(double(f(a)) + 0.5));
       return std::isnan(x) ? 0u
                            : static_cast<u32>(static_cast<i64>(std::min(std::max(x, -2147483648.0), 2147483647.0)));
     }},
};

const Row32 half_rows[] = {
    {"v_subrev_f16 v4, v1, v2", [](u32 a, u32 b, u32) { return half_of(h(b) - h(a)); }},
    {"v_mac_f16 v4, v1, v2", [](u32 a, u32 b, u32) { return twice_half(h(a), h(b), h(old_value & 0xffff)); }},
    {"v_mad_f16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return kept(twice_half(h(a), h(b), h(c))); }},
    {"v_mad_legacy_f16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return twice_half(h(a), h(b), h(c)); }},
    {"v_madak_f16 v4, v1, v2, 0x4200", [](u32 a, u32 b, u32) { return twice_half(h(a), h(b), 3); }},
    {"v_madmk_f16 v4, v1, 0x4200, v2", [](u32 a, u32 b, u32) { return twice_half(h(a), 3, h(b)); }},
    {"v_max3_f16 v4, v1, v2, v3",
     [](u32 a, u32 b, u32 c) {
       const double x[] = {h(a), h(b), h(c)};
       double top = NAN;
       for (const double y : x)
         if (std::isnan(top) || y > top || (y == top && std::signbit(top))) top = std::isnan(y) ? top : y;
       return kept(half_of(top));
     }},
    {"v_fract_f16 v4, v1",
     [](u32 a, u32, u32) {
       return half_of(std::isinf(h(a)) ? NAN : std::min(half_round(h(a) - std::floor(h(a))), 0x1.ffcp-1));
     }},
    {"v_cvt_norm_i16_f16 v4, v1",
     [](u32 a, u32, u32) {
       const double x = std::isnan(h(a)) ? 0 : std::min(std::max(h(a), -1.0), 1.0);
       return static_cast<u32>(static_cast<i32>(std::nearbyint(x * 32767))) & 0xffff;
     }},
    {"v_cvt_norm_u16_f16 v4, v1",
     [](u32 a, u32, u32) {
       const double x = std::isnan(h(a)) ? 0 : std::min(std::max(h(a), 0.0), 1.0);
       return static_cast<u32>(std::nearbyint(x * 65535));
     }},
    {"v_cvt_pknorm_u16_f16 v4, v1, v2",
     [](u32 a, u32 b, u32) {
       const auto norm = [](double x) {
         return std::isnan(x) ? 0u : static_cast<u32>(std::nearbyint(std::min(std::max(x, 0.0), 1.0) * 65535));
       };
       return norm(h(a)) | norm(h(b)) << 16;
     }},
    {"v_rsq_f16 v4, v1", [](u32 a, u32, u32) { return half_of(1 / std::sqrt(h(a))); }},
    {"v_div_fixup_f16 v4, v1, v2, v3",
     [](u32 q, u32 b, u32 c) {
       const double n = h(c), m = h(b);
       const u32 sign = (b ^ c) & 0x8000;
       if (std::isnan(n) || std::isnan(m) || (n == 0 && m == 0) || (std::isinf(n) && std::isinf(m)))
         return kept(0x7e00);
       if (m == 0 || std::isinf(n)) return kept(sign | 0x7c00);
       if (n == 0 || std::isinf(m)) return kept(sign);
       return kept((q & 0x7fff) | sign);
     }},
    {"v_div_fixup_legacy_f16 v4, v1, 2.0, v3",
     [](u32 q, u32, u32 c) {
       if (std::isnan(h(c))) return 0x7e00u;
       if (std::isinf(h(c))) return (c & 0x8000) | 0x7c00u;
       return h(c) == 0 ? c & 0x8000 : (q & 0x7fff) | (c & 0x8000);
     }},
};
const Row32 pair_rows[] = {
    {"v_pk_fmac_f16 v4, v1, v2",
     [](u32 a, u32 b, u32) {
       return half_of(h(a) * h(b) + h(old_value & 0xffff)) | half_of(hi(a) * hi(b) + hi(old_value)) << 16;
     }},
};
double least3(double a, double b, double c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return NAN;
  const double low = std::min({a, b, c});
  return low == 0 && (std::signbit(a) || std::signbit(b) || std::signbit(c)) ? -0.0 : low;
}
const Row32 gfx950_pair_rows[] = {
    {"v_pk_minimum3_f16 v4, v1, v2, v3",
     [](u32 a, u32 b, u32 c) {
       return half_of(least3(h(a), h(b), h(c))) | half_of(least3(hi(a), hi(b), hi(c))) << 16;
     }},
    {"v_pk_maximum3_f16 v4, v1, v2, v3",
     [](u32 a, u32 b, u32 c) {
       return half_of(-least3(-h(a), -h(b), -h(c))) | half_of(-least3(-hi(a), -hi(b), -hi(c))) << 16;
     }},
};
bool same_pair(u32 x, u32 y) { return same_half(x & 0xffff, y & 0xffff) && same_half(x >> 16, y >> 16); }
bool same_half_or_kept(u32 x, u32 y) { return x >> 16 == y >> 16 && same_half(x & 0xffff, y & 0xffff); }

TEST(ValuForms, Single) {
  check_rows("gfx90a", std::span<const Row32>(gfx90a_rows), edge_floats(), same_float);
  check_rows("gfx942", std::span<const Row32>(single_rows), edge_floats(), same_float);
}

TEST(ValuForms, Halves) {
  check_rows("gfx942", std::span<const Row32>(half_rows), half_pairs(), same_half_or_kept);
  check_rows("gfx942", std::span<const Row32>(pair_rows), half_pairs(), same_pair);
  check_rows("gfx950", std::span<const Row32>(gfx950_pair_rows), half_pairs(), same_pair);
  const Row32 median[] = {{"v_med3_f16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) {
                             double x[] = {h(a), h(b), h(c)};
                             double least = NAN;  // with a NaN the least number
                             for (const double y : x) least = std::isnan(least) || y < least ? y : least;
                             std::sort(x, x + 3, [](double p, double q) { return p < q; });
                             const bool nan = std::isnan(h(a)) || std::isnan(h(b)) || std::isnan(h(c));
                             return kept(half_of(nan ? least : x[1]));
                           }}};
  check_rows("gfx942", std::span<const Row32>(median), half_pairs(),
             [](u32 x, u32 y) { return same_half_or_kept(x, y) || (x >> 16 == y >> 16 && h(x) == h(y)); });
}

const Row64 double_rows[] = {
    {"v_fmac_f64 v[8:9], v[2:3], v[4:5]",
     [](u64 a, u64 b, u64) { return bits(std::fma(d(a), d(b), d(u64{old_value} << 32 | old_value))); }},
    {"v_pk_fma_f32 v[8:9], v[2:3], v[4:5], v[6:7]",
     [](u64 a, u64 b, u64 c) {
       return u64{bits(std::fma(f(static_cast<u32>(a)), f(static_cast<u32>(b)), f(static_cast<u32>(c))))} |
              u64{bits(std::fma(f(a >> 32), f(b >> 32), f(c >> 32)))} << 32;
     }},
};

TEST(ValuForms, Doubles) {
  check_rows("gfx942", std::span<const Row64>(double_rows), edge_doubles(), [](u64 x, u64 y) {
    return same_double(x, y) || (same_float(static_cast<u32>(x), static_cast<u32>(y)) && same_float(x >> 32, y >> 32));
  });
  // 1 / sqrt(x) within an ulp.
  AssemblyMachine machine;
  std::mt19937_64 random(5);
  for (int round = 0; round < 100; ++round) {
    for (int lane = 0; lane < 64; ++lane)
      machine.set_v64(2, lane, (random() & 0x7fffffffffffffff) % 0x7ff0000000000000);
    machine.run("v_rsq_f64 v[4:5], v[2:3]");
    for (int lane = 0; lane < 64; ++lane) {
      const double x = d(machine.v64(2, lane)), y = d(machine.v64(4, lane));
      const long double exact = 1 / std::sqrt(static_cast<long double>(x));
      ASSERT_LE(std::fabs(y - exact), std::ldexp(exact, -52)) << x;
    }
  }
  machine.judged();
}

TEST(ValuForms, HalfAndLegacyTranscendentals) {
  struct Function {
    const char* name;
    double (*exact)(double);
    bool half;
  };
  const Function functions[] = {
      {"v_exp_f16", [](double x) { return std::exp2(x); }, true},
      {"v_log_f16", [](double x) { return std::log2(x); }, true},
      {"v_sin_f16", [](double x) { return std::sin((x - std::nearbyint(x)) * 6.283185307179586); }, true},
      {"v_cos_f16", [](double x) { return std::cos((x - std::nearbyint(x)) * 6.283185307179586); }, true},
      {"v_exp_legacy_f32", [](double x) { return std::exp2(x); }, false},
      {"v_log_legacy_f32", [](double x) { return std::log2(x); }, false},
  };
  for (const Function& function : functions) {
    AssemblyMachine machine;
    machine.prepare(std::string(function.name) + " v4, v1");
    for (u32 first = 0; first < 0x7c00; first += 61) {
      for (u32 lane = 0; lane < 64; ++lane) {
        const u32 code = (first + lane) % 0x5c00 | (lane % 2 << 15);  // below 256 in magnitude
        machine.v(1, static_cast<int>(lane)) = function.half ? code : bits(static_cast<float>(h(code)));
      }
      ASSERT_EQ(machine.execute(), "");
      for (int lane = 0; lane < 64; ++lane) {
        const double x = function.half ? h(machine.v(1, lane)) : f(machine.v(1, lane)), exact = function.exact(x);
        const double got = function.half ? h(machine.v(4, lane)) : f(machine.v(4, lane));
        if (std::isnan(exact) || std::isinf(exact) || std::fabs(exact) > (function.half ? 65504 : 3e38)) {
          ASSERT_TRUE(std::isnan(exact) ? std::isnan(got) : std::fabs(got) >= (function.half ? 65504 : 3e38)) << x;
          continue;
        }
        const int digits = function.half ? 10 : 23, least = function.half ? -14 : -126;
        const double unit = std::ldexp(1, std::max(exact == 0 ? least : std::ilogb(exact), least) - digits);
        ASSERT_LE(std::fabs(got - exact), unit) << function.name << " of " << x;
      }
    }
    machine.judged();
  }
}

TEST(ValuForms, BfloatDotProducts) {
  AssemblyMachine machine("gfx950");
  const float values[] = {0, 1, -1, 0.5f, 3, -2.5f, 256, 1.5f};
  for (u32 lane = 0; lane < 64; ++lane) {
    machine.v(1, static_cast<int>(lane)) = bits(values[lane % 8]) >> 16 | (bits(values[lane / 8]) & 0xffff0000u);
    machine.v(2, static_cast<int>(lane)) =
        bits(values[lane * 3 % 8]) >> 16 | (bits(values[lane * 5 % 8]) & 0xffff0000u);
    machine.v(3, static_cast<int>(lane)) = machine.v(5, static_cast<int>(lane)) = bits(values[lane * 7 % 8]);
  }
  machine.run("v_dot2_f32_bf16 v4, v1, v2, v3\nv_dot2c_f32_bf16 v5, v1, v2");
  for (u32 lane = 0; lane < 64; ++lane) {
    const float expected =
        values[lane % 8] * values[lane * 3 % 8] + values[lane / 8] * values[lane * 5 % 8] + values[lane * 7 % 8];
    EXPECT_EQ(f(machine.v(4, static_cast<int>(lane))), expected);
    EXPECT_EQ(f(machine.v(5, static_cast<int>(lane))), expected);
  }
  machine.judged();
}

TEST(ValuForms, SegmentsOfTwoOverPi) {
  // Consecutive segments continue each other: their sum is 2 / pi to all bits of a long double.
  AssemblyMachine machine;
  for (int lane = 0; lane < 64; ++lane) {
    machine.set_v64(2, lane, bits(lane < 32 ? 1.0 : 0x1p100));
    machine.v(1, lane) = static_cast<u32>(lane % 32);
  }
  machine.run("v_trig_preop_f64 v[4:5], v[2:3], v1");
  const long double exact = 0.636619772367581343075535053490057448L;
  const long double sum = static_cast<long double>(d(machine.v64(4, 0))) + d(machine.v64(4, 1));
  EXPECT_EQ(sum, exact);
  for (int lane = 0; lane < 20; ++lane) {
    const double segment = d(machine.v64(4, lane));
    EXPECT_LT(segment, std::ldexp(1, -53 * lane)) << lane;
    EXPECT_EQ(std::ldexp(segment, 53 * lane + 53), std::floor(std::ldexp(segment, 53 * lane + 53))) << lane;
  }
  // From 2^55 on they begin later: at bit 100 - 54 of 2^100.
  const auto whole = [&](int lane, int first_bit) {
    return static_cast<u64>(std::ldexp(d(machine.v64(4, lane)), 53 * (lane % 32 + 1) + first_bit));
  };
  for (int k = 0; k < 15; ++k) EXPECT_EQ(whole(32 + k, 46), whole(k, 0) % 128 << 46 | whole(k + 1, 0) >> 7) << k;
  machine.judged();
}

}  // namespace
}  // namespace zellige::sim::test
