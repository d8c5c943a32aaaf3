// Every WMMA and SWMMAC, from assembly text, against a triple loop over matrices that are laid out by the published
// formulas (wmma_cases.hpp), on every host instruction set of this machine and for both wave sizes. Inputs are small
// integers and halves, so that every order of summation gives the same exact result.
#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/test/execute/wmma_machine.hpp"

namespace zellige::sim::test {
namespace {

/// Integers are signed on both sides unless a test says otherwise.
std::string usual_modifiers(const WmmaCase& c) { return c.integer() ? "neg_lo:[1,1,0]" : ""; }

TEST(Wmma, EqualsTripleLoop) {
  for (const std::string& set : host_sets())
    for (const WmmaCase& c : all_cases()) {
      WmmaMachine machine(c, set, text_of(c, usual_modifiers(c)));
      machine.fill(1);
      ASSERT_TRUE(machine.run()) << c.name << " on " << c.target << ": " << machine.fault();
      machine.check([&](int i, int j) { return machine.accumulator(i, j) + machine.product(i, j); });
    }
}

TEST(Wmma, IgnoresExec) {
  for (const WmmaCase& c : all_cases()) {
    WmmaMachine machine(c, host_sets().back(), text_of(c, usual_modifiers(c)));
    machine.fill(2);
    machine.wave().set_scalar64(scalar_exec, 5);
    machine.wave().refresh_exec();
    ASSERT_TRUE(machine.run());
    machine.check([&](int i, int j) { return machine.accumulator(i, j) + machine.product(i, j); });
  }
}

TEST(Wmma, TakesConstantsAsAccumulator) {
  for (const std::string& set : host_sets())
    for (const WmmaCase& c : all_cases()) {
      if (c.sparse) continue;
      WmmaMachine machine(c, set, text_of(c, usual_modifiers(c), c.integer() ? "4" : "4.0"));
      machine.fill(3);
      ASSERT_TRUE(machine.run());
      machine.check([&](int i, int j) { return 4 + machine.product(i, j); });
    }
}

TEST(Wmma, IntegersAreSignedWhereNegLoSaysSo) {
  for (const std::string& set : host_sets())
    for (const WmmaCase& c : all_cases()) {
      if (!c.integer()) continue;
      for (int signs = 0; signs < 4; ++signs) {
        const bool a = signs & 1, b = signs & 2;
        WmmaMachine machine(c, set, text_of(c, "neg_lo:[" + std::to_string(a) + "," + std::to_string(b) + ",0]"));
        machine.fill(4, {.a_signed = a, .b_signed = b});
        ASSERT_TRUE(machine.run());
        machine.check([&](int i, int j) { return machine.accumulator(i, j) + machine.product(i, j); });
      }
    }
}

TEST(Wmma, IntegerSumsWrapOrAreClamped) {
  for (const std::string& set : host_sets())
    for (const WmmaCase& c : all_cases()) {
      if (!c.integer()) continue;
      for (const bool clamp : {false, true}) {
        WmmaMachine machine(c, set, text_of(c, std::string("neg_lo:[1,1,0]") + (clamp ? " clamp" : "")));
        machine.fill(5);
        for (int i = 0; i < 16; ++i)
          for (int j = 0; j < 16; ++j) machine.put_accumulator(i, j, (i + j) % 2 ? 2147483640.0 : -2147483645.0);
        ASSERT_TRUE(machine.run());
        machine.check([&](int i, int j) {
          const auto sum = static_cast<std::int64_t>(machine.accumulator(i, j) + machine.product(i, j));
          if (clamp) return static_cast<double>(std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX));
          return static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(sum)));
        });
      }
    }
}

TEST(Wmma, NegatesHalvesOfOperandsAndSignsOfC) {
  for (const std::string& set : host_sets())
    for (const WmmaCase& c : all_cases()) {
      if (c.integer()) continue;
      const bool halves = c.bits() == 16, words = c.bits() == 32;
      for (const int low : {0, 1, 2, 4, 7})
        for (const int high : {0, 1, 2, 4, 7}) {
          if (!halves && (high & 3)) continue;
          if (!halves && !words && (low & 3)) continue;
          if (c.sparse && ((low | high) & 4)) continue;
          const auto list = [](int bits) {
            return "[" + std::to_string(bits & 1) + "," + std::to_string(bits >> 1 & 1) + "," +
                   std::to_string(bits >> 2) + "]";
          };
          WmmaMachine machine(c, set,
                              text_of(c, (low ? "neg_lo:" + list(low) : "") + (high ? " neg_hi:" + list(high) : "")));
          machine.fill(6);
          ASSERT_TRUE(machine.run());
          // Which half of a register an element lies in is its slot's parity: in all layouts that of k, but for sparse
          // A, whose pairs are stored in the order of k.
          std::vector<double> negated(static_cast<std::size_t>(c.m * c.k));
          for (int i = 0; i < c.m; ++i)
            for (int group = 0; group < c.k / 4; ++group) {
              int seen = 0;
              for (int k = 4 * group; k < 4 * group + 4; ++k) {
                const bool odd = c.sparse ? machine.a(i, k) != 0 && seen++ % 2 : k % 2;
                const bool flip = words ? low & 1 : (odd ? high & 1 : low & 1);
                negated[static_cast<std::size_t>(i * c.k + k)] = flip ? -machine.a(i, k) : machine.a(i, k);
              }
            }
          if (c.sparse && low % 2 != high % 2) continue;  // zeros hide which value of a pair is which
          machine.check([&](int i, int j) {
            double sum = machine.accumulator(i, j);
            if (high & 4) sum = std::fabs(sum);
            if (low & 4) sum = -sum;
            for (int k = 0; k < c.k; ++k) {
              const bool flip = words ? low & 2 : (k % 2 ? high & 2 : low & 2);
              sum += negated[static_cast<std::size_t>(i * c.k + k)] * (flip ? -machine.b(k, j) : machine.b(k, j));
            }
            return sum;
          });
        }
    }
}

TEST(Wmma, ReuseHintsChangeNothing) {
  for (const char* name : {"v_wmma_f32_16x16x32_f16", "v_swmmac_f32_16x16x64_f16", "v_wmma_f32_16x16x128_fp8_bf8"}) {
    const WmmaCase c = wmma_case(name, "gfx1250", 32);
    WmmaMachine machine(c, host_sets().back(), text_of(c, "matrix_a_reuse matrix_b_reuse"));
    machine.fill(7);
    ASSERT_TRUE(machine.run());
    machine.check([&](int i, int j) { return machine.accumulator(i, j) + machine.product(i, j); });
  }
}

TEST(Wmma, Gfx11WritesOneHalfOfEachRegister) {
  for (const std::string& set : host_sets())
    for (const int lanes : {32, 64})
      for (const char* name : {"v_wmma_f16_16x16x16_f16", "v_wmma_bf16_16x16x16_bf16"})
        for (const bool high : {false, true}) {
          const WmmaCase c = wmma_case(name, "gfx1100", lanes);
          WmmaMachine machine(c, set, text_of(c, high ? "op_sel:[0,0,1]" : ""));
          machine.fill(8, {.high = high});
          const std::uint32_t before = machine.wave().row(d_first + 3)[5];
          ASSERT_TRUE(machine.run());
          machine.check([&](int i, int j) { return machine.accumulator(i, j) + machine.product(i, j); }, high);
          const std::uint32_t other = high ? 0xffffu : 0xffff0000u;
          EXPECT_EQ(machine.wave().row(d_first + 3)[5] & other, before & other);
        }
}

TEST(Wmma, Gfx11FaultsWhenTheRepeatedHalvesDiffer) {
  for (const int lanes : {32, 64})
    for (const char* name : gfx11_names)
      for (const int operand : {a_first, b_first}) {
        const WmmaCase c = wmma_case(name, "gfx1100", lanes);
        WmmaMachine machine(c, host_sets().back(), text_of(c, usual_modifiers(c)));
        machine.fill(9);
        machine.wave().row(operand + 1)[lanes - 3] ^= 1;
        EXPECT_FALSE(machine.run()) << name;
        EXPECT_NE(machine.fault().find("groups of 16 lanes"), std::string::npos) << machine.fault();
      }
}

TEST(Swmmac, IndexKeyChoosesAPartOfTheRegister) {
  for (const std::string& set : host_sets())
    for (const WmmaCase& c : all_cases()) {
      if (!c.sparse || c.gfx1250() || c.a_slots() == 16) continue;
      const int bits = 2 * c.a_slots();
      for (int key = 0; key < 32 / bits; ++key) {
        WmmaMachine machine(c, set, text_of(c, "index_key:" + std::to_string(key) + " " + usual_modifiers(c)));
        machine.fill(10, {.index_shift = key * bits});
        ASSERT_TRUE(machine.run());
        machine.check([&](int i, int j) { return machine.accumulator(i, j) + machine.product(i, j); });
      }
    }
}

TEST(Swmmac, MixedResultLeavesTheUpperAccumulatorAlone) {
  const WmmaCase c = wmma_case("v_swmmac_bf16f32_16x16x64_bf16", "gfx1250", 32);
  WmmaMachine machine(c, host_sets().back(), text_of(c, ""));
  machine.fill(11);
  const std::uint32_t before = machine.wave().row(d_first + 6)[9];
  ASSERT_TRUE(machine.run());
  EXPECT_EQ(machine.wave().row(d_first + 6)[9], before);
}

TEST(Wmma, RoundsOnceToNearestEven) {
  // 1 + 2^-11 lies midway between two halves, 1 + 2^-8 between two bf16s; 3 * that above: ties go to even, NaN stays.
  for (const std::string& set : host_sets())
    for (const auto& [name, step] :
         {std::pair{"v_wmma_f16_16x16x32_f16", 0x1p-11}, std::pair{"v_wmma_bf16_16x16x32_bf16", 0x1p-8}}) {
      const WmmaCase c = wmma_case(name, "gfx1250", 32);
      WmmaMachine machine(c, set, text_of(c, "", "1.0"));
      machine.fill(12);
      for (int row = a_first; row < b_first + 8; ++row)
        for (int lane = 0; lane < 32; ++lane) machine.wave().row(row)[lane] = 0;
      for (int lane = 0; lane < 16; ++lane) {
        machine.wave().row(a_first)[lane] = encode(c.a, lane * step);
        machine.wave().row(b_first)[lane] = encode(c.b, 1);
      }
      ASSERT_TRUE(machine.run());
      for (int i = 0; i < 16; ++i)
        EXPECT_EQ(machine.result(i, 3), 1 + 2 * step *
                                                (i % 4 == 1   ? i / 2
                                                 : i % 4 == 3 ? i / 2 + 1
                                                              : i / 2))
            << name << " " << i;
    }
}

TEST(Wmma, HostInstructionSetsAgreeBitForBit) {
  for (const WmmaCase& c : all_cases()) {
    if (c.integer()) continue;
    std::vector<std::uint32_t> first;
    for (const std::string& set : host_sets()) {
      WmmaMachine machine(c, set, text_of(c, ""));
      machine.fill(13);
      std::mt19937 generator(14);
      for (int row = a_first; row < c_first + 16; ++row)
        for (int lane = 0; lane < 64; ++lane) {
          const std::uint32_t random = static_cast<std::uint32_t>(generator());
          // Finite numbers of moderate size, so that sums round.
          const bool in_c = row >= c_first;
          const int bits = in_c ? element_bits(c.c) : c.bits();
          std::uint32_t word = bits == 32                           ? (random & 0x807fffffu) | 0x3e000000u
                               : (in_c ? c.c : c.a) == Element::f16 ? (random & 0x8bff8bffu) | 0x30003000u
                               : bits == 16                         ? (random & 0x83ff83ffu) | 0x3c003c00u
                                                                    : random & 0xb3b3b3b3u;
          if (c.gfx11() && !in_c && lane >= 16) word = machine.wave().row(row)[lane % 16];
          machine.wave().row(row)[lane] = word;
        }
      ASSERT_TRUE(machine.run()) << c.name << machine.fault();
      std::vector<std::uint32_t> result;
      for (int row = d_first; row < d_first + result_registers(c, c.d); ++row)
        for (int lane = 0; lane < c.lanes; ++lane) result.push_back(machine.wave().row(row)[lane]);
      if (first.empty()) first = result;
      EXPECT_EQ(first, result) << c.name << " on " << c.target << ": " << set << " differs from " << host_sets()[0];
    }
  }
}

// Formats and scales.

constexpr const char* format_names[] = {"MATRIX_FMT_FP8", "MATRIX_FMT_BF8", "MATRIX_FMT_FP6", "MATRIX_FMT_BF6",
                                        "MATRIX_FMT_FP4"};
constexpr Element formats[] = {Element::fp8, Element::bf8, Element::fp6, Element::bf6, Element::fp4};

/// Scales 2^-2 to 2^2 of both operands in the lanes and bytes that hold them; other lanes hold something else.
struct Scales {
  std::vector<double> a, b;  ///< [row][block]
};
Scales fill_scales(WmmaMachine& machine, const WmmaCase& c, int block, int a_row, int b_row) {
  std::mt19937 generator(21);
  Scales scales;
  const int blocks = c.k / block;
  for (const bool is_a : {true, false})
    for (int i = 0; i < (is_a ? c.m : 16); ++i)
      for (int k_block = 0; k_block < blocks; ++k_block) {
        const int exponent = static_cast<int>(generator() % 5) - 2;
        (is_a ? scales.a : scales.b).push_back(std::ldexp(1.0, exponent));
        put_bits(machine.wave(), is_a ? a_scale_first : b_scale_first, 8, 16 * (is_a ? a_row : b_row) + i, k_block,
                 static_cast<std::uint32_t>(127 + exponent));
      }
  return scales;
}

TEST(WmmaScaled, EqualsTheScaledProduct) {
  for (const std::string& set : host_sets())
    for (int a_format = 0; a_format < 5; ++a_format)
      for (int b_format = 0; b_format < 5; ++b_format)
        for (const int block : {0, 32, 16}) {
          const std::string prefix = block == 0 ? "v_wmma_" : block == 32 ? "v_wmma_scale_" : "v_wmma_scale16_";
          WmmaCase c = wmma_case(prefix + "f32_16x16x128_f8f6f4", "gfx1250", 32);
          c.a = formats[a_format];
          c.b = formats[b_format];
          const int a_row = block != 0 && a_format % 2, b_row = block != 0 && b_format % 2;
          std::string modifiers;
          if (a_format) modifiers += std::string(" matrix_a_fmt:") + format_names[a_format];
          if (b_format) modifiers += std::string(" matrix_b_fmt:") + format_names[b_format];
          if (a_row) modifiers += " matrix_a_scale:MATRIX_SCALE_ROW1";
          if (b_row) modifiers += " matrix_b_scale:MATRIX_SCALE_ROW1";
          WmmaMachine machine(c, set, text_of(c, modifiers));
          machine.fill(20);
          const Scales scales = block == 0 ? Scales{} : fill_scales(machine, c, block, a_row, b_row);
          ASSERT_TRUE(machine.run()) << machine.fault();
          machine.check([&](int i, int j) {
            double sum = machine.accumulator(i, j);
            for (int k = 0; k < 128; ++k) {
              double term = machine.a(i, k) * machine.b(k, j);
              if (block)
                term *= scales.a[static_cast<std::size_t>(i * (128 / block) + k / block)] *
                        scales.b[static_cast<std::size_t>(j * (128 / block) + k / block)];
              sum += term;
            }
            return sum;
          });
        }
}

TEST(WmmaScaled, ThirtyTwoRowsOfFp4) {
  for (const std::string& set : host_sets())
    for (const int block : {32, 16}) {
      const WmmaCase c =
          wmma_case(block == 32 ? "v_wmma_scale_f32_32x16x128_f4" : "v_wmma_scale16_f32_32x16x128_f4", "gfx1250", 32);
      WmmaMachine machine(c, set, text_of(c, "matrix_b_scale:MATRIX_SCALE_ROW1 neg_lo:[0,0,1]"));
      machine.fill(22);
      const Scales scales = fill_scales(machine, c, block, 0, 1);
      ASSERT_TRUE(machine.run()) << machine.fault();
      machine.check([&](int i, int j) {
        double sum = -machine.accumulator(i, j);
        for (int k = 0; k < 128; ++k)
          sum += machine.a(i, k) * machine.b(k, j) * scales.a[static_cast<std::size_t>(i * (128 / block) + k / block)] *
                 scales.b[static_cast<std::size_t>(j * (128 / block) + k / block)];
        return sum;
      });
    }
}

TEST(WmmaScaled, FormatsOfScales) {
  // The first element of A times 1.0, scaled by one byte of each format.
  const auto value = [](const std::string& format, std::uint32_t byte) {
    const WmmaCase c = wmma_case("v_wmma_scale_f32_16x16x128_f8f6f4", "gfx1250", 32);
    WmmaMachine machine(c, "generic",
                        text_of(c, format.empty() ? "" : "matrix_a_scale_fmt:MATRIX_SCALE_FMT_" + format, "0"));
    machine.fill(23);
    for (int row = 0; row < 100; ++row)
      for (int lane = 0; lane < 64; ++lane) machine.wave().row(row)[lane] = 0;
    machine.wave().row(a_first)[0] = machine.wave().row(b_first)[0] = 0x38;
    machine.wave().row(a_scale_first)[0] = byte | 0x38383800u;
    machine.wave().row(b_scale_first)[0] = 0x7f7f7f7fu;
    EXPECT_TRUE(machine.run());
    return machine.result(0, 0);
  };
  EXPECT_EQ(value("", 127), 1.0);
  EXPECT_EQ(value("", 130), 8.0);
  EXPECT_EQ(value("", 0), 0x1p-127);
  EXPECT_TRUE(std::isnan(value("", 255)));
  EXPECT_EQ(value("E5M3", 15 << 3), 1.0);
  EXPECT_EQ(value("E5M3", 16 << 3 | 4), 3.0);
  EXPECT_EQ(value("E5M3", 1), 0x1p-17);
  EXPECT_EQ(value("E5M3", 31 << 3 | 6), 114688.0);
  EXPECT_EQ(value("E4M3", 0x38), 1.0);
  EXPECT_EQ(value("E4M3", 0x44), 3.0);
}

}  // namespace
}  // namespace zellige::sim::test
