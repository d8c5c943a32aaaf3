// Sparse (SMFMAC) and block-scaled (f8f6f4) matrix instructions against dense loops over operands that are laid out
// here by their definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "simulator/test/execute/memory_machine.hpp"

namespace zellige::sim::test {
namespace {

constexpr int a_row = 300, b_row = 320, c_row = 0, index_row = 350, d_row = 360;

void put_bits(Wave& wave, int first_row, int bits, int lane, int slot, std::uint32_t value) {
  for (int bit = 0; bit < bits; ++bit) {
    const int at = slot * bits + bit;
    std::uint32_t& word = wave.row(first_row + at / 32)[lane];
    word = (word & ~(1u << (at % 32))) | (value >> bit & 1) << (at % 32);
  }
}

int d_row_of(int n, int lane, int slot) {
  return n == 16 ? 4 * (lane / 16) + slot : 8 * (slot / 4) + 4 * (lane / 32) + slot % 4;
}

float get_float(Wave& wave, int row, int lane) { return __builtin_bit_cast(float, wave.row(row)[lane]); }

struct SparseCase {
  const char* mnemonic;
  const char* target;
  int n, k;                ///< n x n x k
  int bits;                ///< of an element
  std::uint32_t codes[5];  ///< of the values 0, 1, 2, 3, 4; the sign is the top bit (i8: two's complement, other width:
                           ///< IEEE-like)
  bool integer;
};

constexpr SparseCase sparse_cases[] = {
    {"v_smfmac_f32_16x16x32_f16", "gfx942", 16, 32, 16, {0, 0x3c00, 0x4000, 0x4200, 0x4400}, false},
    {"v_smfmac_f32_32x32x16_f16", "gfx942", 32, 16, 16, {0, 0x3c00, 0x4000, 0x4200, 0x4400}, false},
    {"v_smfmac_f32_16x16x32_bf16", "gfx950", 16, 32, 16, {0, 0x3f80, 0x4000, 0x4040, 0x4080}, false},
    {"v_smfmac_f32_32x32x16_bf16", "gfx942", 32, 16, 16, {0, 0x3f80, 0x4000, 0x4040, 0x4080}, false},
    {"v_smfmac_i32_16x16x64_i8", "gfx942", 16, 64, 8, {0, 1, 2, 3, 4}, true},
    {"v_smfmac_i32_32x32x32_i8", "gfx942", 32, 32, 8, {0, 1, 2, 3, 4}, true},
    {"v_smfmac_f32_16x16x64_fp8_fp8", "gfx942", 16, 64, 8, {0, 0x40, 0x48, 0x4c, 0x50}, false},
    {"v_smfmac_f32_32x32x32_bf8_bf8", "gfx950", 32, 32, 8, {0, 0x3c, 0x40, 0x42, 0x44}, false},
    {"v_smfmac_f32_16x16x64_f16", "gfx950", 16, 64, 16, {0, 0x3c00, 0x4000, 0x4200, 0x4400}, false},
    {"v_smfmac_f32_32x32x32_bf16", "gfx950", 32, 32, 16, {0, 0x3f80, 0x4000, 0x4040, 0x4080}, false},
    {"v_smfmac_i32_16x16x128_i8", "gfx950", 16, 128, 8, {0, 1, 2, 3, 4}, true},
    {"v_smfmac_f32_32x32x64_fp8_fp8", "gfx950", 32, 64, 8, {0, 0x38, 0x40, 0x44, 0x48}, false},
};

std::uint32_t code_of(const SparseCase& c, int value) {
  if (c.integer) return static_cast<std::uint8_t>(value);
  const std::uint32_t code = c.codes[std::abs(value)];
  return value < 0 ? code | 1u << (c.bits - 1) : code;
}

TEST(SparseMatrix, EqualsTheDenseProduct) {
  for (const std::string& set : host_sets())
    for (const SparseCase& c : sparse_cases)
      for (int abid = 0; abid < 4; ++abid) {
        Machine machine(set, c.target);
        std::mt19937 generator(static_cast<unsigned>(abid));
        std::uniform_int_distribution<int> value(-4, 4);
        const int groups = 64 / c.n, per_lane = c.k / groups, stored = per_lane / 2, sets = 16 / stored;
        std::vector<int> a(static_cast<std::size_t>(c.n * c.k)), b(static_cast<std::size_t>(c.n * c.k));
        for (int lane = 0; lane < 64; ++lane) {
          const int row = lane % c.n, first = lane / c.n * per_lane;
          std::uint32_t indices = 0;
          for (int pair = 0; pair < stored / 2; ++pair) {
            const int i0 = static_cast<int>(generator() % 3),
                      i1 = i0 + 1 + static_cast<int>(generator() % static_cast<unsigned>(3 - i0));
            for (int half = 0; half < 2; ++half) {
              const int number = value(generator), index = half == 0 ? i0 : i1;
              a[static_cast<std::size_t>(row * c.k + first + 4 * pair + index)] = number;
              put_bits(machine.wave, a_row, c.bits, lane, 2 * pair + half, code_of(c, number));
              indices |= static_cast<std::uint32_t>(index) << (2 * (2 * pair + half));
            }
          }
          // The other sets hold something else.
          machine.wave.row(index_row)[lane] = static_cast<std::uint32_t>(generator());
          if (sets == 1)
            machine.wave.row(index_row)[lane] = indices;
          else
            put_bits(machine.wave, index_row, 2 * stored, lane, abid % sets, indices);
          for (int slot = 0; slot < per_lane; ++slot) {
            const int number = value(generator);
            b[static_cast<std::size_t>(row * c.k + first + slot)] = number;
            put_bits(machine.wave, b_row, c.bits, lane, slot, code_of(c, number));
          }
          for (int slot = 0; slot < c.n * c.n / 64; ++slot)
            machine.wave.row(d_row + slot)[lane] = c.integer ? 100u : __builtin_bit_cast(std::uint32_t, 100.0f);
        }
        Instruction instruction;
        instruction.dst = vector_operand(d_row);
        instruction.src[0] = vector_operand(a_row);
        instruction.src[1] = vector_operand(b_row);
        instruction.src[2] = vector_operand(index_row);
        instruction.offset2 = abid << 8;
        ASSERT_TRUE(machine.run(c.mnemonic, instruction)) << c.mnemonic;
        for (int lane = 0; lane < 64; ++lane)
          for (int slot = 0; slot < c.n * c.n / 64; ++slot) {
            int expected = 100;
            for (int k = 0; k < c.k; ++k)
              expected += a[static_cast<std::size_t>(d_row_of(c.n, lane, slot) * c.k + k)] *
                          b[static_cast<std::size_t>(lane % c.n * c.k + k)];
            const double got = c.integer ? static_cast<std::int32_t>(machine.wave.row(d_row + slot)[lane])
                                         : get_float(machine.wave, d_row + slot, lane);
            ASSERT_EQ(got, expected) << c.mnemonic << " abid " << abid << " lane " << lane << " slot " << slot << " on "
                                     << set;
          }
        machine.judged(c.mnemonic);
      }
}

/// Values of the codes 0, 1, 2, 4 (and a half) in each format, by hand from the format's definition.
struct Format {
  int bits;
  std::uint32_t half, one, two, four;
};
constexpr Format formats[5] = {{8, 0x30, 0x38, 0x40, 0x48},  // fp8 E4M3
                               {8, 0x38, 0x3c, 0x40, 0x44},  // bf8 E5M2
                               {6, 0x04, 0x08, 0x10, 0x18},  // fp6 E2M3
                               {6, 0x08, 0x0c, 0x10, 0x14},  // bf6 E3M2
                               {4, 0x1, 0x2, 0x4, 0x6}};     // fp4 E2M1

/// The element of its row's k that a lane's slot holds.
int k_of(int bits, int n, int k_extent, int lane, int slot) {
  const int group = lane / n;
  return bits == 8 ? slot / 16 * (k_extent / 2) + 16 * group + slot % 16 : 32 * group + slot;
}

TEST(ScaledMatrix, EqualsTheScaledProduct) {
  for (const std::string& set : host_sets())
    for (const int n : {16, 32})
      for (int a_format = 0; a_format < 5; ++a_format)
        for (int b_format = 0; b_format < 5; ++b_format)
          for (const bool scaled : {false, true}) {
            const int k_extent = n == 16 ? 128 : 64;
            Machine machine(set, "gfx950");
            std::mt19937 generator(static_cast<unsigned>(a_format * 5 + b_format));
            std::vector<double> values[2];
            const int a_byte = 2, b_byte = 1;
            for (int side = 0; side < 2; ++side) {
              const Format& format = formats[side == 0 ? a_format : b_format];
              values[side].resize(static_cast<std::size_t>(n * k_extent));
              for (int lane = 0; lane < 64; ++lane)
                for (int slot = 0; slot < 32; ++slot) {
                  const std::uint32_t codes[] = {0, format.half, format.one, format.two, format.four};
                  const double numbers[] = {0, 0.5, 1, 2, 4};
                  const unsigned pick = generator() % 5, negative = generator() % 2;
                  put_bits(machine.wave, side == 0 ? a_row : b_row, format.bits, lane, slot,
                           codes[pick] | negative << (format.bits - 1));
                  values[side]
                        [static_cast<std::size_t>(lane % n * k_extent + k_of(format.bits, n, k_extent, lane, slot))] =
                            negative ? -numbers[pick] : numbers[pick];
                }
            }
            // Scales 2^-2 .. 2^2, one a row and 32 k, in the byte that op_sel chooses; other bytes hold something else.
            double scale[2][64];
            for (int side = 0; side < 2; ++side)
              for (int lane = 0; lane < 64; ++lane) {
                const int exponent = static_cast<int>(generator() % 5) - 2;
                scale[side][lane] = std::ldexp(1.0, exponent);
                machine.wave.row(index_row + side)[lane] = static_cast<std::uint32_t>(generator());
                put_bits(machine.wave, index_row + side, 8, lane, side == 0 ? a_byte : b_byte,
                         static_cast<std::uint32_t>(127 + exponent));
              }
            Instruction instruction;
            instruction.dst = vector_operand(d_row);
            instruction.src[0] = vector_operand(a_row);
            instruction.src[1] = vector_operand(b_row);
            instruction.src[2] = vector_operand(c_row);
            instruction.src[3] = vector_operand(index_row);
            instruction.src[3].modifiers = modifier_op_sel_high;
            instruction.dst2 = vector_operand(index_row + 1);
            instruction.dst2.modifiers = modifier_op_sel;
            instruction.offset2 = a_format | b_format << 16;
            const std::string shape = n == 16 ? "f32_16x16x128_f8f6f4" : "f32_32x32x64_f8f6f4";
            ASSERT_TRUE(machine.run((scaled ? "v_mfma_scale_" : "v_mfma_") + shape, instruction))
                << machine.fault.message;
            for (int lane = 0; lane < 64; ++lane)
              for (int slot = 0; slot < n * n / 64; ++slot) {
                const int i = d_row_of(n, lane, slot), j = lane % n;
                double expected = 0;
                for (int k = 0; k < k_extent; ++k) {
                  double term = values[0][static_cast<std::size_t>(i * k_extent + k)] *
                                values[1][static_cast<std::size_t>(j * k_extent + k)];
                  if (scaled) term *= scale[0][i + n * (k / 32)] * scale[1][j + n * (k / 32)];
                  expected += term;
                }
                ASSERT_EQ(get_float(machine.wave, d_row + slot, lane), expected)
                    << shape << (scaled ? " scaled" : "") << " formats " << a_format << ", " << b_format << " on "
                    << set;
              }
            machine.judged((scaled ? "v_mfma_scale_" : "v_mfma_") + shape);
            instruction.offset2 = 5;
            EXPECT_FALSE(machine.run((scaled ? "v_mfma_scale_" : "v_mfma_") + shape, instruction));
          }
}

TEST(NarrowFormats, HaveTheirDefinedExtremes) {
  // One A element times 1.0 shows the value of any code.
  const auto value = [](const char* target, const char* mnemonic, std::uint32_t code, std::uint32_t one) {
    Machine machine("generic", target);
    machine.wave.row(a_row)[0] = code;
    for (int lane = 0; lane < 16; ++lane) machine.wave.row(b_row)[lane] = one;
    Instruction instruction;
    instruction.dst = vector_operand(d_row);
    instruction.src[0] = vector_operand(a_row);
    instruction.src[1] = vector_operand(b_row);
    instruction.src[2] = vector_operand(c_row);
    EXPECT_TRUE(machine.run(mnemonic, instruction));
    return get_float(machine.wave, d_row, 0);
  };
  const char *fp8 = "v_mfma_f32_16x16x32_fp8_fp8", *bf8 = "v_mfma_f32_16x16x32_bf8_bf8";
  EXPECT_EQ(value("gfx950", fp8, 0x7e, 0x38), 448.0f);
  EXPECT_TRUE(std::isnan(value("gfx950", fp8, 0x7f, 0x38)));
  EXPECT_EQ(value("gfx950", fp8, 0x01, 0x38), 0x1p-9f);
  EXPECT_EQ(value("gfx950", bf8, 0x7b, 0x3c), 57344.0f);
  EXPECT_TRUE(std::isinf(value("gfx950", bf8, 0x7c, 0x3c)));
  EXPECT_TRUE(std::isnan(value("gfx950", bf8, 0x7d, 0x3c)));
  EXPECT_EQ(value("gfx942", fp8, 0x7f, 0x40), 240.0f);
  EXPECT_TRUE(std::isnan(value("gfx942", fp8, 0x80, 0x40)));
  EXPECT_EQ(value("gfx942", fp8, 0x01, 0x40), 0x1p-10f);
  EXPECT_EQ(value("gfx942", bf8, 0x7f, 0x40), 57344.0f);
  EXPECT_TRUE(std::isnan(value("gfx942", bf8, 0x80, 0x40)));
  EXPECT_EQ(value("gfx942", bf8, 0x01, 0x40), 0x1p-17f);
}

}  // namespace
}  // namespace zellige::sim::test
