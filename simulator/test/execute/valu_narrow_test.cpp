// Block-scaled and stochastically rounding conversions of gfx950 and gfx942, against the formats' definitions.
//
// A code's value comes from its fields; narrowing to nearest searches all codes for it; with a random word the result
// is floor(|x| / unit + random / 2^32 cut to the bits that the source's fraction has below the unit).
#include <random>
#include <string>

#include "simulator/test/execute/half_values.hpp"
#include "simulator/test/execute/valu_table.hpp"

namespace zellige::sim::test {
namespace {

struct Format {
  const char* name;
  int bits, fraction, bias;
  u32 largest;       ///< the largest finite code
  bool has_special;  ///< codes above it are infinity or NaN; otherwise overflow stops there
  bool has_infinity;
};
constexpr Format fp8{"fp8", 8, 3, 7, 0x7e, true, false}, bf8{"bf8", 8, 2, 15, 0x7b, true, true},
    fp6{"fp6", 6, 3, 1, 0x1f, false, false}, bf6{"bf6", 6, 2, 3, 0x1f, false, false},
    fp4{"fp4", 4, 1, 1, 0x7, false, false}, fp8_fnuz{"fp8", 8, 3, 8, 0x7f, true, false},
    bf8_fnuz{"bf8", 8, 2, 16, 0x7f, true, false};

/// The value of a code without special cases.
double finite_value(const Format& f, u32 code) {
  const u32 exponent = (code & ((1u << (f.bits - 1)) - 1)) >> f.fraction, part = code & ((1u << f.fraction) - 1);
  const double magnitude =
      exponent == 0 ? std::ldexp(part, 1 - f.bias - f.fraction)
                    : std::ldexp((1u << f.fraction) + part, static_cast<int>(exponent) - f.bias - f.fraction);
  return code >> (f.bits - 1) & 1 ? -magnitude : magnitude;
}
double value_of(const Format& f, u32 code) {
  const u32 magnitude = code & ((1u << (f.bits - 1)) - 1);
  if (magnitude <= f.largest) return finite_value(f, code);
  if (f.has_infinity && magnitude == f.largest + 1) return code >> (f.bits - 1) ? -INFINITY : INFINITY;
  return NAN;
}

/// Whether `code` is x rounded to nearest even.
bool is_nearest(const Format& f, u32 code, double x) {
  const u32 sign_bit = 1u << (f.bits - 1), magnitude = code & (sign_bit - 1);
  if (!std::isnan(x) && (code & sign_bit) != (std::signbit(x) ? sign_bit : 0)) return false;
  if (!f.has_special && (std::isnan(x) || std::isinf(x))) return magnitude == f.largest;
  if (std::isnan(x)) return std::isnan(value_of(f, code));
  u32 best = 0;
  for (u32 candidate = 1; candidate <= f.largest; ++candidate) {
    const double better = std::fabs(finite_value(f, candidate) - std::fabs(x)),
                 old = std::fabs(finite_value(f, best) - std::fabs(x));
    if (better < old || (better == old && candidate % 2 == 0)) best = candidate;
  }
  // Beyond half a unit above the largest lies overflow; a tie there rounds to the code behind it, if that is even.
  const double unit = finite_value(f, f.largest) - finite_value(f, f.largest - 1);
  const double over = std::fabs(x) - finite_value(f, f.largest);
  const bool overflows = over > unit / 2 || (over == unit / 2 && f.largest % 2 != 0) || std::isinf(x);
  if (overflows && f.has_special) return f.has_infinity ? std::isinf(value_of(f, code)) : std::isnan(value_of(f, code));
  return magnitude == (std::fabs(x) >= finite_value(f, f.largest) ? f.largest : best);
}

/// x rounded with a random word; source_fraction is the fraction's width of the type that x came in.
u32 randomly_rounded(const Format& f, double x, u32 random, int source_fraction) {
  const u32 sign = std::signbit(x) ? 1u << (f.bits - 1) : 0;
  const int spare = source_fraction - f.fraction;
  const int exponent = x == 0 ? 1 - f.bias : std::max(std::ilogb(x), 1 - f.bias);
  const double steps = std::ldexp(std::fabs(x), f.fraction - exponent);
  const double cut = std::floor(std::ldexp(steps, spare));
  const double sum = std::floor(std::ldexp(cut + (random >> (32 - spare)), -spare));
  const double value = std::ldexp(sum, exponent - f.fraction);
  for (u32 code = 0; code <= f.largest; ++code)
    if (finite_value(f, code) == value) return code | sign;
  return f.largest | sign;
}

struct Wide {
  const char* name;
  int bits, fraction;
  u32 (*encode)(double);
  double (*decode)(u32);
};
u32 bfloat_of(double x) {
  const u32 b = bits(static_cast<float>(x));
  return std::isnan(x) ? 0x7fc0 : (b + 0x7fff + (b >> 16 & 1)) >> 16;
}
const Wide f32{"f32", 32, 23, [](double x) { return bits(static_cast<float>(x)); },
               [](u32 b) { return double(as_float(b)); }},
    f16{"f16", 16, 10, [](double x) { return half_of(x); }, half_value},
    bf16{"bf16", 16, 7, bfloat_of, [](u32 b) { return double(as_float(b << 16)); }};

bool same(const Wide& wide, u32 got, double x) {
  const double value = wide.decode(got);
  return std::isnan(x) ? std::isnan(value) : got == wide.encode(x);
}

const float scales[] = {1, 4, 0.25f, 1.75f /* its fraction is no part of the scale */, 0x1p-10f, 0x1p20f, -2, NAN};
double scale_of(float s) { return std::isnan(s) ? NAN : std::ldexp(1, std::ilogb(s)); }

u32 array_element(AssemblyMachine& machine, int first, int width, int k, int lane) {
  u64 words = machine.v(first + k * width / 32, lane);
  if (k * width % 32 + width > 32) words |= u64{machine.v(first + k * width / 32 + 1, lane)} << 32;
  return static_cast<u32>(words >> (k * width % 32) & ((u64{1} << width) - 1));
}
void fill_random(AssemblyMachine& machine, int first, int count, std::mt19937& random) {
  for (int number = first; number < first + count; ++number)
    for (int lane = 0; lane < 64; ++lane) machine.v(number, lane) = static_cast<u32>(random());
}
/// Numbers of the format's own size (of all sizes where `lane` is a multiple of 5), in the wide type.
u32 some_number(const Wide& wide, const Format& f, int lane, std::mt19937& random) {
  const int range = (1 << (f.bits - 1 - f.fraction)) + 3;
  const double x =
      std::ldexp(static_cast<double>(random()) / 0x1p32 - 0.5, static_cast<int>(random() % range) - f.bias);
  const u32 edges[] = {wide.encode(0),
                       wide.encode(-0.0),
                       wide.encode(INFINITY),
                       wide.encode(NAN),
                       wide.encode(1e30),
                       wide.encode(finite_value(f, f.largest)),
                       wide.encode(finite_value(f, 1) / 2)};
  return lane % 5 == 0 ? edges[random() % 7] : wide.encode(x);
}

TEST(ValuNarrow, WideningMultipliesByTheScale) {
  for (const Format& f : {fp8, bf8, fp4})
    for (const Wide& wide : {f32, f16, bf16})
      for (int select = 0; select < (f.bits == 8 ? 2 : 4); ++select) {
        AssemblyMachine machine("gfx950");
        std::mt19937 random(1);
        machine.prepare(std::string("v_cvt_scalef32_pk_") + wide.name + "_" + f.name +
                        (wide.bits == 32 ? " v[4:5], v1, v2" : " v4, v1, v2") + " op_sel:[" +
                        std::to_string(select & 1) + "," + std::to_string(select >> 1) + ",0]");
        for (const float scale : scales) {
          fill_random(machine, 1, 1, random);
          for (int lane = 0; lane < 64; ++lane) machine.v(2, lane) = bits(scale);
          ASSERT_EQ(machine.execute(), "");
          for (int lane = 0; lane < 64; ++lane)
            for (int k = 0; k < 2; ++k) {
              const u32 code = array_element(machine, 1, f.bits, 2 * select + k, lane);
              const double expected = value_of(f, code) * scale_of(scale);
              ASSERT_TRUE(same(wide, array_element(machine, 4, wide.bits, k, lane), expected))
                  << wide.name << f.name << " code " << code << " scale " << scale;
            }
        }
        machine.judged();
      }
  for (const Format& f : {fp8, bf8})
    for (const Wide& wide : {f32, f16})
      for (int select = 0; select < 4; ++select) {
        AssemblyMachine machine("gfx950");
        std::mt19937 random(2);
        const bool high = wide.bits == 16 && select == 3;
        machine.prepare(std::string("v_cvt_scalef32_") + wide.name + "_" + f.name + " v4, v1, v2 op_sel:[" +
                        std::to_string(select & 1) + "," + std::to_string(select >> 1) + (high ? ",1]" : ",0]"));
        fill_random(machine, 1, 1, random);
        fill_random(machine, 4, 1, random);
        for (int lane = 0; lane < 64; ++lane) machine.v(2, lane) = bits(scales[lane % 8]);
        std::vector<u32> old(64);
        for (int lane = 0; lane < 64; ++lane) old[static_cast<std::size_t>(lane)] = machine.v(4, lane);
        ASSERT_EQ(machine.execute(), "");
        for (int lane = 0; lane < 64; ++lane) {
          const double expected = value_of(f, machine.v(1, lane) >> (8 * select) & 255) * scale_of(scales[lane % 8]);
          ASSERT_TRUE(same(wide, array_element(machine, 4, wide.bits, high, lane), expected));
          if (wide.bits == 16)
            ASSERT_EQ(array_element(machine, 4, 16, !high, lane),
                      old[static_cast<std::size_t>(lane)] >> (high ? 0 : 16) & 0xffff);
        }
        machine.judged();
      }
  for (const Format& f : {fp6, bf6})
    for (const Wide& wide : {f32, f16, bf16}) {
      AssemblyMachine machine("gfx950");
      std::mt19937 random(3);
      machine.prepare(std::string("v_cvt_scalef32_pk32_") + wide.name + "_" + f.name +
                      (wide.bits == 32 ? " v[20:51]" : " v[20:35]") + ", v[2:7], v8");
      fill_random(machine, 2, 6, random);
      for (int lane = 0; lane < 64; ++lane) machine.v(8, lane) = bits(scales[lane % 8]);
      ASSERT_EQ(machine.execute(), "");
      for (int lane = 0; lane < 64; ++lane)
        for (int k = 0; k < 32; ++k) {
          const double expected = value_of(f, array_element(machine, 2, 6, k, lane)) * scale_of(scales[lane % 8]);
          ASSERT_TRUE(same(wide, array_element(machine, 20, wide.bits, k, lane), expected)) << wide.name << f.name << k;
        }
      machine.judged();
    }
}

TEST(ValuNarrow, NarrowingDividesByTheScaleAndRoundsOnce) {
  for (const Format& f : {fp8, bf8, fp4})
    for (const Wide& wide : {f32, f16, bf16})
      for (int select = 0; select < (f.bits == 8 ? 2 : 4); ++select) {
        AssemblyMachine machine("gfx950");
        std::mt19937 random(4);
        const std::string selects = f.bits == 8
                                        ? (wide.bits == 32 ? "0,0,0," : "0,0,") + std::to_string(select)
                                        : "0,0," + std::to_string(select & 1) + "," + std::to_string(select >> 1);
        machine.prepare(std::string("v_cvt_scalef32_pk_") + f.name + "_" + wide.name +
                        (wide.bits == 32 ? " v4, v1, v2, v3" : " v4, v1, v3") + " op_sel:[" + selects + "]");
        for (const float scale : scales) {
          std::vector<u32> elements(128);
          fill_random(machine, 4, 1, random);
          for (int lane = 0; lane < 64; ++lane) {
            u32* pair = &elements[static_cast<std::size_t>(2 * lane)];
            for (int k = 0; k < 2; ++k) pair[k] = some_number(wide, f, lane, random);
            machine.v(1, lane) = wide.bits == 32 ? pair[0] : pair[0] | pair[1] << 16;
            machine.v(2, lane) = pair[1];
            machine.v(3, lane) = bits(scale);
          }
          const u32 other = machine.v(4, 7);
          ASSERT_EQ(machine.execute(), "");
          for (int lane = 0; lane < 64; ++lane)
            for (int k = 0; k < 2; ++k) {
              const double x = wide.decode(elements[static_cast<std::size_t>(2 * lane + k)]) / scale_of(scale);
              const u32 code = array_element(machine, 4, f.bits, 2 * select + k, lane);
              ASSERT_TRUE(is_nearest(f, code, x)) << f.name << wide.name << " " << x << " gave " << code;
            }
          const u32 written = ((1u << 2 * f.bits) - 1) << (2 * f.bits * select);
          ASSERT_EQ(machine.v(4, 7) & ~written, other & ~written);
        }
        machine.judged();
      }
  for (const Format& f : {fp6, bf6})
    for (const Wide& wide : {f32, f16, bf16}) {
      AssemblyMachine machine("gfx950");
      std::mt19937 random(5);
      machine.prepare(wide.bits == 32
                          ? std::string("v_cvt_scalef32_2xpk16_") + f.name + "_f32 v[60:65], v[2:17], v[20:35], v1"
                          : std::string("v_cvt_scalef32_pk32_") + f.name + "_" + wide.name + " v[60:65], v[2:17], v1");
      for (int lane = 0; lane < 64; ++lane) {
        machine.v(1, lane) = bits(scales[lane % 8]);
        for (int k = 0; k < 32; ++k) {
          const u32 element = some_number(wide, f, lane, random);
          if (wide.bits == 32)
            machine.v(k % 2 == 0 ? 2 + k / 2 : 20 + k / 2, lane) = element;
          else
            machine.v(2 + k / 2, lane) = k % 2 == 0 ? element : machine.v(2 + k / 2, lane) | element << 16;
        }
      }
      ASSERT_EQ(machine.execute(), "");
      for (int lane = 0; lane < 64; ++lane)
        for (int k = 0; k < 32; ++k) {
          const u32 element = wide.bits == 32 ? machine.v(k % 2 == 0 ? 2 + k / 2 : 20 + k / 2, lane)
                                              : array_element(machine, 2, 16, k, lane);
          ASSERT_TRUE(
              is_nearest(f, array_element(machine, 60, 6, k, lane), wide.decode(element) / scale_of(scales[lane % 8])))
              << f.name << wide.name << " element " << k;
        }
      machine.judged();
    }
}

u32 next_of(u32 random) { return random * 2 ^ (random > 0x7fffffff ? 0xc5u : 0u); }

TEST(ValuNarrow, RandomWordsDecideTheRounding) {
  struct Row {
    std::string text;
    const Format& format;
    const Wide& wide;
    int count, result, result_bits;
    const char* target = "gfx950";
    bool scaled = true;
  };
  std::vector<Row> rows;
  for (const Wide* const wide_type : {&f32, &f16, &bf16}) {
    const Wide& wide = *wide_type;
    for (const Format* const f : {&fp8, &bf8})
      rows.push_back(
          {"v_cvt_scalef32_sr_" + std::string(f->name) + "_" + wide.name + " v60, v2, v41, v1", *f, wide, 1, 60, 8});
    rows.push_back({std::string("v_cvt_scalef32_sr_pk_fp4_") + wide.name +
                        (wide.bits == 32 ? " v60, v[2:3], v41, v1" : " v60, v2, v41, v1"),
                    fp4, wide, 2, 60, 4});
    for (const Format* const f : {&fp6, &bf6})
      rows.push_back({std::string("v_cvt_scalef32_sr_pk32_") + f->name + "_" + wide.name + " v[60:65], " +
                          (wide.bits == 32 ? "v[2:33]" : "v[2:17]") + ", v41, v1",
                      *f, wide, 32, 60, 6});
  }
  rows.push_back({"v_cvt_sr_fp8_f32 v60, v2, v41", fp8, f32, 1, 60, 8, "gfx950", false});
  rows.push_back({"v_cvt_sr_bf8_f32 v60, v2, v41", bf8, f32, 1, 60, 8, "gfx950", false});
  rows.push_back({"v_cvt_sr_fp8_f32 v60, v2, v41", fp8_fnuz, f32, 1, 60, 8, "gfx942", false});
  rows.push_back({"v_cvt_sr_bf8_f32 v60, v2, v41", bf8_fnuz, f32, 1, 60, 8, "gfx942", false});
  for (const Row& row : rows) {
    AssemblyMachine machine(row.target);
    std::mt19937 random(6);
    machine.prepare(row.text);
    const double largest = finite_value(row.format, row.format.largest);
    for (int lane = 0; lane < 64; ++lane) {
      const float scale = row.scaled ? scales[lane % 7] : 1.0f;
      machine.v(1, lane) = bits(scale);
      machine.v(41, lane) = lane == 0 ? 0 : lane == 1 ? ~0u : static_cast<u32>(random());
      for (int k = 0; k < row.count; ++k) {
        const double x = (static_cast<double>(random()) / 0x1p31 - 1) * largest * 0.9 *
                         std::ldexp(1, -static_cast<int>(random() % 6));
        const u32 element = row.wide.encode(x * scale_of(scale));
        u32& word = machine.v(2 + k * row.wide.bits / 32, lane);
        word = k * row.wide.bits % 32 == 0 ? element : word | element << 16;
      }
    }
    ASSERT_EQ(machine.execute(), "") << row.text;
    for (int lane = 0; lane < 64; ++lane) {
      u32 word = machine.v(41, lane);
      for (int k = 0; k < row.count; ++k, word = next_of(word)) {
        const double scale = row.scaled ? scale_of(scales[lane % 7]) : 1;
        const double x = row.wide.decode(array_element(machine, 2, row.wide.bits, k, lane)) / scale;
        if (std::fabs(x) > largest) continue;
        const u32 got = array_element(machine, row.result, row.result_bits, k, lane);
        const u32 expected = randomly_rounded(row.format, x, word, row.wide.fraction);
        ASSERT_TRUE(got == expected || finite_value(row.format, got) == finite_value(row.format, expected))
            << row.text << " element " << k << " of " << x << " gave " << got << ", not " << expected;
      }
    }
    machine.judged();
  }
}

TEST(ValuNarrow, HalvesWithARandomWord) {
  AssemblyMachine machine("gfx950");
  std::mt19937 random(7);
  machine.prepare("v_cvt_sr_f16_f32 v4, v1, v2\nv_cvt_sr_bf16_f32 v5, v1, v2 op_sel:[0,0,1]");
  for (int round = 0; round < 20; ++round) {
    for (int lane = 0; lane < 64; ++lane) {
      machine.v(1, lane) = bits(static_cast<float>(std::ldexp(static_cast<double>(random()) / 0x1p31 - 1, round - 12)));
      machine.v(2, lane) = static_cast<u32>(random());
      machine.v(4, lane) = machine.v(5, lane) = old_value;
    }
    ASSERT_EQ(machine.execute(), "");
    for (int lane = 0; lane < 64; ++lane) {
      const u32 x = machine.v(1, lane), word = machine.v(2, lane);
      // f32 bits grow with the magnitude: adding the random word below the kept bits and cutting is the rounding.
      EXPECT_EQ(machine.v(5, lane), (old_value & 0xffff) | ((x + (word >> 16)) & 0xffff0000u));
      const double magnitude = std::fabs(double(as_float(x)));
      const double unit = std::ldexp(1, std::max(std::ilogb(magnitude), -14) - 10);
      const double cut = std::floor(magnitude / unit * 8192), sum = std::floor((cut + (word >> 19)) / 8192);
      EXPECT_EQ(machine.v(4, lane), (old_value & 0xffff0000u) | (x >> 31 << 15) | half_of(sum * unit)) << magnitude;
    }
  }
  machine.judged();
}

}  // namespace
}  // namespace zellige::sim::test
