// Half precision, packed halves, mixed precision and every conversion, against the ISA's definitions.
#include <algorithm>

#include "simulator/test/execute/half_values.hpp"
#include "simulator/test/execute/valu_table.hpp"

namespace zellige::sim::test {
namespace {

float f(u32 a) { return as_float(a); }

double h(u32 bits16) { return half_value(bits16); }
double hi(u32 pair) { return h(pair >> 16); }

u32 to_half(double x, bool to_zero = false) { return half_of(x, to_zero); }
u32 kept(u32 value) { return (old_value & 0xffff0000u) | value; }
u32 pair(double low, double high) { return to_half(low) | to_half(high) << 16; }
double lesser(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}
double greater(double a, double b) { return -lesser(-a, -b); }
i64 clamp_int(double x, i64 low, i64 high) {
  return std::isnan(x) ? 0 : x <= double(low) ? low : x >= double(high) ? high : static_cast<i64>(x);
}
u32 bf16(u32 a) {
  if (std::isnan(f(a))) return 0x7fc0;
  const u32 low = a & 0xffff, high = a >> 16;
  return high + (low > 0x8000 || (low == 0x8000 && (high & 1)));
}

bool same_pair(u32 x, u32 y) { return same_half(x & 0xffff, y & 0xffff) && same_half(x >> 16, y >> 16); }

const Row32 rows_half[] = {
    {"v_add_f16 v4, v1, v2", [](u32 a, u32 b, u32) { return to_half(h(a) + h(b)); }},
    {"v_sub_f16 v4, v1, v2", [](u32 a, u32 b, u32) { return to_half(h(a) - h(b)); }},
    {"v_mul_f16 v4, v1, v2", [](u32 a, u32 b, u32) { return to_half(h(a) * h(b)); }},
    {"v_fma_f16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return kept(to_half(h(a) * h(b) + h(c))); }},
    {"v_fma_f16 v4, -v1, |v2|, v3 op_sel:[1,0,1,0]",
     [](u32 a, u32 b, u32 c) { return kept(to_half(-hi(a) * std::fabs(h(b)) + hi(c))); }},
    {"v_fma_f16 v4, v1, v2, v3 op_sel:[0,0,0,1]",
     [](u32 a, u32 b, u32 c) { return (old_value & 0xffff) | to_half(h(a) * h(b) + h(c)) << 16; }},
    {"v_fma_legacy_f16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return to_half(h(a) * h(b) + h(c)); }},
    {"v_min_f16 v4, v1, v2", [](u32 a, u32 b, u32) { return to_half(lesser(h(a), h(b))); }},
    {"v_max_f16 v4, v1, v2", [](u32 a, u32 b, u32) { return to_half(greater(h(a), h(b))); }},
    {"v_min3_f16 v4, v1, v2, v3", [](u32 a, u32 b, u32 c) { return kept(to_half(lesser(lesser(h(a), h(b)), h(c)))); }},
    {"v_trunc_f16 v4, v1", [](u32 a, u32, u32) { return to_half(std::trunc(h(a))); }},
    {"v_ceil_f16 v4, v1", [](u32 a, u32, u32) { return to_half(std::ceil(h(a))); }},
    {"v_floor_f16 v4, v1", [](u32 a, u32, u32) { return to_half(std::floor(h(a))); }},
    {"v_rndne_f16 v4, v1", [](u32 a, u32, u32) { return to_half(std::nearbyint(h(a))); }},
    {"v_rcp_f16 v4, v1", [](u32 a, u32, u32) { return to_half(1 / h(a)); }},
    {"v_sqrt_f16 v4, v1", [](u32 a, u32, u32) { return to_half(std::sqrt(h(a))); }},
    {"v_ldexp_f16 v4, v1, 5", [](u32 a, u32, u32) { return to_half(h(a) * 32); }},
    {"v_add_f16 v4, 0x3c66, v2", [](u32, u32 b, u32) { return to_half(h(0x3c66) + h(b)); }},
    {"v_add_f16 v4, -4.0, v2", [](u32, u32 b, u32) { return to_half(-4 + h(b)); }},
    {"v_mul_f16_e64 v4, v1, v2 clamp",
     [](u32 a, u32 b, u32) {
       const double x = h(to_half(h(a) * h(b)));
       return std::isnan(x) || x <= 0 ? 0 : to_half(std::min(x, 1.0));
     }},
    {"v_cvt_f32_f16 v4, v1", [](u32 a, u32, u32) { return bits(static_cast<float>(h(a))); }},
    {"v_cvt_u16_f16 v4, v1", [](u32 a, u32, u32) { return static_cast<u32>(clamp_int(h(a), 0, 65535)); }},
    {"v_cvt_i16_f16 v4, v1", [](u32 a, u32, u32) { return static_cast<u32>(clamp_int(h(a), -32768, 32767)) & 0xffff; }},
    {"v_cvt_f16_u16 v4, v1", [](u32 a, u32, u32) { return to_half(a & 0xffff); }},
    {"v_cvt_f16_i16 v4, v1", [](u32 a, u32, u32) { return to_half(static_cast<i16>(a)); }},
    {"v_frexp_exp_i16_f16 v4, v1",
     [](u32 a, u32, u32) {
       int e = 0;
       if (std::isfinite(h(a))) std::frexp(h(a), &e);
       return static_cast<u32>(e) & 0xffff;
     }},
    {"v_frexp_mant_f16 v4, v1",
     [](u32 a, u32, u32) {
       int e;
       return std::isfinite(h(a)) ? to_half(std::frexp(h(a), &e)) : a & 0xffff;
     }},
};

const Row32 rows_pairs[] = {
    {"v_pk_add_f16 v4, v1, v2", [](u32 a, u32 b, u32) { return pair(h(a) + h(b), hi(a) + hi(b)); }},
    {"v_pk_mul_f16 v4, v1, v2", [](u32 a, u32 b, u32) { return pair(h(a) * h(b), hi(a) * hi(b)); }},
    {"v_pk_fma_f16 v4, v1, v2, v3",
     [](u32 a, u32 b, u32 c) { return pair(h(a) * h(b) + h(c), hi(a) * hi(b) + hi(c)); }},
    {"v_pk_fma_f16 v4, v1, v2, v3 neg_lo:[1,0,0] neg_hi:[0,0,1]",
     [](u32 a, u32 b, u32 c) { return pair(-h(a) * h(b) + h(c), hi(a) * hi(b) - hi(c)); }},
    {"v_pk_min_f16 v4, v1, v2", [](u32 a, u32 b, u32) { return pair(lesser(h(a), h(b)), lesser(hi(a), hi(b))); }},
    {"v_pk_max_f16 v4, v1, v2", [](u32 a, u32 b, u32) { return pair(greater(h(a), h(b)), greater(hi(a), hi(b))); }},
    {"v_pk_add_f16 v4, v1, v2 op_sel:[1,0] op_sel_hi:[0,0]",
     [](u32 a, u32 b, u32) { return pair(hi(a) + h(b), h(a) + h(b)); }},
    {"v_pk_mul_f16 v4, v1, 2.0 op_sel_hi:[1,0]", [](u32 a, u32, u32) { return pair(h(a) * 2, hi(a) * 2); }},
    {"v_pack_b32_f16 v4, v1, v2 op_sel:[1,0,0]", [](u32 a, u32 b, u32) { return a >> 16 | b << 16; }},
    {"v_cvt_pknorm_i16_f16 v4, v1, v2",
     [](u32 a, u32 b, u32) {
       const auto norm = [](double x) {
         return std::isnan(x)
                    ? 0u
                    : static_cast<u32>(static_cast<i32>(std::nearbyint(std::clamp(x, -1.0, 1.0) * 32767))) & 0xffff;
       };
       return norm(h(a)) | norm(h(b)) << 16;
     }},
};

TEST(ValuHalf, Scalars) {
  check_rows("gfx942", std::span<const Row32>(rows_half), half_pairs(),
             [](u32 x, u32 y) { return same_half(x, y) || same_float(x, y) || same_pair(x, y); });
}
TEST(ValuHalf, Pairs) { check_rows("gfx942", std::span<const Row32>(rows_pairs), half_pairs(), same_pair); }

TEST(ValuHalf, MixedPrecisionAndDots) {
  // v1 holds halves, v2 a single, v3 halves.
  AssemblyMachine machine;
  const auto halves = half_pairs();
  for (std::size_t lane = 0; lane < 64; ++lane) {
    machine.v(1, lane) = halves[lane % halves.size()];
    machine.v(2, lane) = bits(edge_floats()[(lane * 3) % 24]);
    machine.v(3, lane) = halves[(lane * 7 + 2) % halves.size()];
    machine.v(5, lane) = machine.v(6, lane) = old_value;
    machine.v(9, lane) = bits(edge_floats()[(lane * 5 + 1) % 24]);
  }
  machine.run(R"(
    v_fma_mix_f32 v4, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,0,1]
    v_fma_mixlo_f16 v5, v1, -v2, |v3| op_sel_hi:[1,0,1]
    v_fma_mixhi_f16 v6, v1, v2, v3 op_sel_hi:[1,0,1]
    v_fma_mix_f32 v7, v2, v2, v2
    v_dot2_f32_f16 v8, v1, v3, v2
    v_dot2c_f32_f16 v9, v1, v3)");
  for (int lane = 0; lane < 64; ++lane) {
    const u32 a = machine.v(1, lane), c = machine.v(3, lane);
    const float b = f(machine.v(2, lane));
    EXPECT_TRUE(same_float(machine.v(4, lane), bits(std::fma(static_cast<float>(hi(a)), b, static_cast<float>(h(c))))))
        << lane;
    const double low = h(a) * double(-b) + std::fabs(h(c)), high = h(a) * double(b) + h(c);
    EXPECT_TRUE(same_half(machine.v(5, lane) & 0xffff, to_half(low))) << lane;
    EXPECT_EQ(machine.v(5, lane) >> 16, old_value >> 16) << lane;
    EXPECT_TRUE(same_half(machine.v(6, lane) >> 16, to_half(high))) << lane;
    EXPECT_EQ(machine.v(6, lane) & 0xffff, old_value & 0xffff) << lane;
    EXPECT_TRUE(same_float(machine.v(7, lane), bits(std::fma(b, b, b)))) << lane;
    const double dot = h(a) * h(c) + hi(a) * hi(c);
    EXPECT_TRUE(same_float(machine.v(8, lane), bits(static_cast<float>(dot + b)))) << lane;
    EXPECT_TRUE(same_float(machine.v(9, lane), bits(static_cast<float>(dot + edge_floats()[(lane * 5 + 1) % 24]))))
        << lane;
  }
  machine.judged();
}

const Row32 rows_convert[] = {
    {"v_cvt_f16_f32 v4, v1", [](u32 a, u32, u32) { return to_half(f(a)); }},
    {"v_cvt_pkrtz_f16_f32 v4, v1, v2",
     [](u32 a, u32 b, u32) { return to_half(f(a), true) | to_half(f(b), true) << 16; }},
    {"v_cvt_i32_f32 v4, v1",
     [](u32 a, u32, u32) { return static_cast<u32>(clamp_int(f(a), -2147483648ll, 2147483647)); }},
    {"v_cvt_u32_f32 v4, v1", [](u32 a, u32, u32) { return static_cast<u32>(clamp_int(f(a), 0, 4294967295ll)); }},
    {"v_cvt_flr_i32_f32 v4, v1",
     [](u32 a, u32, u32) { return static_cast<u32>(clamp_int(std::floor(f(a)), -2147483648ll, 2147483647)); }},
    {"v_cvt_f32_i32 v4, v1", [](u32 a, u32, u32) { return bits(static_cast<float>(double(static_cast<i32>(a)))); }},
    {"v_cvt_f32_u32 v4, v1", [](u32 a, u32, u32) { return bits(static_cast<float>(double(a))); }},
    {"v_cvt_f32_ubyte0 v4, v1", [](u32 a, u32, u32) { return bits(float(a & 0xff)); }},
    {"v_cvt_f32_ubyte1 v4, v1", [](u32 a, u32, u32) { return bits(float(a >> 8 & 0xff)); }},
    {"v_cvt_f32_ubyte2 v4, v1", [](u32 a, u32, u32) { return bits(float(a >> 16 & 0xff)); }},
    {"v_cvt_f32_ubyte3 v4, v1", [](u32 a, u32, u32) { return bits(float(a >> 24)); }},
    {"v_cvt_off_f32_i4 v4, v1",
     [](u32 a, u32, u32) { return bits(((a & 15) >= 8 ? int(a & 15) - 16 : int(a & 15)) / 16.0f); }},
    {"v_cvt_pknorm_i16_f32 v4, v1, v2",
     [](u32 a, u32 b, u32) {
       const auto norm = [](float x) {
         return std::isnan(x)
                    ? 0u
                    : static_cast<u32>(static_cast<i32>(std::nearbyintf(std::clamp(x, -1.0f, 1.0f) * 32767.0f))) &
                          0xffff;
       };
       return norm(f(a)) | norm(f(b)) << 16;
     }},
    {"v_cvt_pknorm_u16_f32 v4, v1, v2",
     [](u32 a, u32 b, u32) {
       const auto norm = [](float x) {
         return std::isnan(x) ? 0u : static_cast<u32>(std::nearbyintf(std::clamp(x, 0.0f, 1.0f) * 65535.0f));
       };
       return norm(f(a)) | norm(f(b)) << 16;
     }},
    {"v_cvt_pk_u16_u32 v4, v1, v2", [](u32 a, u32 b, u32) { return std::min(a, 65535u) | std::min(b, 65535u) << 16; }},
    {"v_cvt_pk_i16_i32 v4, v1, v2",
     [](u32 a, u32 b, u32) {
       return (static_cast<u32>(std::clamp(static_cast<i32>(a), -32768, 32767)) & 0xffff) |
              static_cast<u32>(std::clamp(static_cast<i32>(b), -32768, 32767)) << 16;
     }},
    {"v_cvt_pk_u8_f32 v4, v1, 2, v3",
     [](u32 a, u32, u32 c) {
       return (c & 0xff00ffffu) |
              static_cast<u32>(std::isnan(f(a)) ? 0 : std::nearbyint(std::clamp(f(a), 0.0f, 255.0f))) << 16;
     }},
    {"v_cvt_f64_f32 v[8:9], v1\nv_cvt_f32_f64 v4, v[8:9]", [](u32 a, u32, u32) { return a; }},
};

TEST(ValuConvert, Single) {
  check_rows("gfx942", std::span<const Row32>(rows_convert), edge_floats(),
             [](u32 x, u32 y) { return same_float(x, y) || same_pair(x, y); });
  check_rows("gfx942", std::span<const Row32>(rows_convert), edge_integers(),
             [](u32 x, u32 y) { return same_float(x, y) || same_pair(x, y); });
  const Row32 gfx950[] = {
      {"v_cvt_pk_bf16_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return bf16(a) | bf16(b) << 16; }},
      {"v_cvt_pk_f16_f32 v4, v1, v2", [](u32 a, u32 b, u32) { return to_half(f(a)) | to_half(f(b)) << 16; }},
      {"v_cvt_f32_bf16 v4, v1", [](u32 a, u32, u32) { return a << 16; }},
  };
  const auto bf_same = [](u32 x, u32 y) {
    const auto one = [](u32 p, u32 q) { return p == q || ((p & 0x7fff) > 0x7f80 && (q & 0x7fff) > 0x7f80); };
    return same_float(x, y) || same_pair(x, y) || (one(x & 0xffff, y & 0xffff) && one(x >> 16, y >> 16));
  };
  check_rows("gfx950", std::span<const Row32>(gfx950), edge_floats(), bf_same);
}

TEST(ValuConvert, DoubleToInteger) {
  AssemblyMachine machine;
  for (int lane = 0; lane < 64; ++lane) machine.set_v64(2, lane, bits(edge_doubles()[lane % 32]));
  machine.run("v_cvt_i32_f64 v4, v[2:3]\nv_cvt_u32_f64 v5, v[2:3]\nv_cvt_f32_f64 v6, v[2:3]");
  for (int lane = 0; lane < 64; ++lane) {
    const double x = edge_doubles()[lane % 32];
    EXPECT_EQ(machine.v(4, lane), static_cast<u32>(clamp_int(x, -2147483648ll, 2147483647))) << x;
    EXPECT_EQ(machine.v(5, lane), static_cast<u32>(clamp_int(x, 0, 4294967295ll))) << x;
    EXPECT_TRUE(same_float(machine.v(6, lane), bits(static_cast<float>(x)))) << x;
  }
  machine.judged();
}

/// The value of an 8-bit float, from its fields.
double float8(u32 code, int mantissa, bool fnuz) {
  const int exponent_bits = 7 - mantissa, bias = (1 << (exponent_bits - 1)) - (fnuz ? 0 : 1);
  const u32 exponent = code >> mantissa & ((1u << exponent_bits) - 1), fraction = code & ((1u << mantissa) - 1);
  if (fnuz && code == 0x80) return NAN;
  if (!fnuz && mantissa == 3 && (code & 0x7f) == 0x7f) return NAN;
  if (!fnuz && mantissa == 2 && exponent == 31) return fraction ? NAN : code & 0x80 ? -INFINITY : INFINITY;
  const double magnitude = exponent == 0
                               ? std::ldexp(fraction, 1 - bias - mantissa)
                               : std::ldexp((1 << mantissa) + fraction, static_cast<int>(exponent) - bias - mantissa);
  return code & 0x80 ? -magnitude : magnitude;
}

TEST(ValuConvert, Float8BothWays) {
  for (const char* target : {"gfx942", "gfx950"}) {
    const bool fnuz = std::string(target) == "gfx942";
    for (const int mantissa : {2, 3}) {
      const std::string name = mantissa == 3 ? "fp8" : "bf8";
      AssemblyMachine machine(target);
      for (u32 first = 0; first < 256; first += 64) {
        for (u32 lane = 0; lane < 64; ++lane) {
          machine.v(1, lane) = (first + lane) << 8 | 0x38;
          machine.v(5, lane) = old_value;
        }
        machine.run("v_cvt_f32_" + name + "_sdwa v2, v1 src0_sel:BYTE_1\nv_cvt_pk_f32_" + name +
                    " v[6:7], v1\nv_cvt_pk_" + name + "_f32 v5, v2, v6 op_sel:[0,0,1]");
        for (u32 lane = 0; lane < 64; ++lane) {
          const double exact = float8(first + lane, mantissa, fnuz);
          EXPECT_TRUE(same_float(machine.v(2, lane), bits(static_cast<float>(exact))))
              << target << name << first + lane;
          EXPECT_EQ(machine.v(7, lane), machine.v(2, lane));
          EXPECT_EQ(machine.v(5, lane) & 0xffff, old_value & 0xffff);
          if (!std::isnan(exact)) EXPECT_EQ(machine.v(5, lane) >> 16 & 0xff, first + lane) << target << name;
          EXPECT_EQ(machine.v(5, lane) >> 24, 0x38u);
        }
        machine.judged();
      }
      // Rounding: the nearest code, the even one of two equally near.
      const double largest = mantissa == 3 ? (fnuz ? 240 : 448) : 57344;
      for (int step = 0; step < 32; ++step) {
        for (int lane = 0; lane < 64; ++lane)
          machine.v(1, lane) = bits(static_cast<float>(std::ldexp(1 + (step * 64 + lane) / 2048.0, lane % 12 - 8)));
        machine.run("v_cvt_pk_" + name + "_f32 v5, v1, -v1");
        for (int lane = 0; lane < 64; ++lane) {
          const double x = f(machine.v(1, lane));
          if (x > largest) continue;
          u32 best = 0;
          for (u32 code = 1; code < 0x7f; ++code) {
            const double value = float8(code, mantissa, fnuz), nearest = float8(best, mantissa, fnuz);
            if (!std::isfinite(value)) continue;
            if (std::fabs(value - x) < std::fabs(nearest - x) ||
                (std::fabs(value - x) == std::fabs(nearest - x) && code % 2 == 0))
              best = code;
          }
          EXPECT_EQ(machine.v(5, lane) & 0xff, best) << target << name << x;
          EXPECT_EQ(machine.v(5, lane) >> 8 & 0xff, best == 0 && fnuz ? 0 : best | 0x80) << target << name << x;
        }
        machine.judged();
      }
    }
  }
}

}  // namespace
}  // namespace zellige::sim::test
