// Every MFMA against a triple loop over matrices that are laid out by the published per-shape lane layouts, on every
// host instruction set of this machine. Inputs are small integers, so that every order of summation gives the same
// exact result.
#include <gtest/gtest.h>

#include <tuple>

#include "simulator/test/execute/matrix_cases.hpp"

namespace zellige::sim::test {
namespace {

TEST(Matrix, EqualsTripleLoop) {
  for (const std::string& set : host_sets())
    for (const Case& c : cases) {
      Machine machine(set, c.target);
      Matrices matrices = fill(c, machine, 1);
      ASSERT_TRUE(machine.run(c.mnemonic, matrix_instruction())) << c.mnemonic << " on " << set;
      check(c, machine, matrices,
            [&](Matrices& m, int b, int i, int j) { return m.at_c(c, b, i, j) + product(c, m, b, b, i, j); });
    }
}

TEST(Matrix, AccumulatesInPlaceAndFromConstants) {
  for (const std::string& set : host_sets())
    for (const Case& c : cases) {
      Machine machine(set, c.target);
      Matrices matrices = fill(c, machine, 2);
      Instruction instruction = matrix_instruction();
      std::vector<std::uint32_t> constant(128);  // 4 as an integer, 4.0 as a float
      const std::uint64_t four = c.a == Type::i8 ? 4 : encode(c.a == Type::f64 ? Type::f64 : Type::f32, 4, c.target);
      for (int lane = 0; lane < 64; ++lane) {
        constant[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(four);
        constant[static_cast<std::size_t>(lane) + 64] = static_cast<std::uint32_t>(four >> 32);
      }
      instruction.src[2].kind = OperandKind::constant;
      instruction.src[2].words = c.a == Type::f64 ? 2 : 1;
      instruction.src[2].rows = constant.data();
      ASSERT_TRUE(machine.run(c.mnemonic, instruction));
      check(c, machine, matrices, [&](Matrices& m, int b, int i, int j) { return 4 + product(c, m, b, b, i, j); });
      instruction.src[2] = instruction.dst;
      ASSERT_TRUE(machine.run(c.mnemonic, instruction));
      check(c, machine, matrices, [&](Matrices& m, int b, int i, int j) { return 4 + 2 * product(c, m, b, b, i, j); });
    }
}

TEST(Matrix, IgnoresExec) {
  const Case& c = find_case("v_mfma_f32_32x32x8_f16", "gfx942");
  for (const std::string& set : host_sets()) {
    Machine machine(set, c.target);
    Matrices matrices = fill(c, machine, 3);
    machine.set_exec(0x5);
    ASSERT_TRUE(machine.run(c.mnemonic, matrix_instruction()));
    check(c, machine, matrices,
          [&](Matrices& m, int b, int i, int j) { return m.at_c(c, b, i, j) + product(c, m, b, b, i, j); });
  }
}

TEST(Matrix, BroadcastsBlocksOfA) {
  const Case& c = find_case("v_mfma_f32_16x16x4_4b_f16", "gfx942");
  for (const std::string& set : host_sets())
    for (int cbsz = 0; cbsz <= 2; ++cbsz)
      for (int abid = 0; abid < 1 << cbsz; ++abid) {
        Machine machine(set, c.target);
        Matrices matrices = fill(c, machine, 4);
        ASSERT_TRUE(machine.run(c.mnemonic, matrix_instruction(cbsz | abid << 8)));
        check(c, machine, matrices, [&](Matrices& m, int b, int i, int j) {
          const int source = b / (1 << cbsz) * (1 << cbsz) + abid;
          return m.at_c(c, b, i, j) + product(c, m, source, b, i, j);
        });
      }
}

TEST(Matrix, PermutesLanesOfB) {
  const Case& c = find_case("v_mfma_f32_16x16x4_4b_f16", "gfx942");  // a block is 16 lanes, so blgp permutes blocks
  const int source[8][4] = {{0, 1, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}, {1, 2, 3, 0},
                            {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}};
  for (const std::string& set : host_sets())
    for (int blgp = 0; blgp < 8; ++blgp) {
      Machine machine(set, c.target);
      Matrices matrices = fill(c, machine, 5);
      SCOPED_TRACE("blgp " + std::to_string(blgp));
      ASSERT_TRUE(machine.run(c.mnemonic, matrix_instruction(blgp << 16)));
      check(c, machine, matrices, [&](Matrices& m, int b, int i, int j) {
        return m.at_c(c, b, i, j) + product(c, m, b, source[blgp][b], i, j);
      });
    }
}

TEST(Matrix, DoubleTakesSigns) {
  const Case& c = find_case("v_mfma_f64_16x16x4_f64", "gfx942");
  for (const std::string& set : host_sets())
    for (int signs = 0; signs < 8; ++signs) {
      Machine machine(set, c.target);
      Matrices matrices = fill(c, machine, 6);
      ASSERT_TRUE(machine.run(c.mnemonic, matrix_instruction(signs << 16)));
      const double ab = (signs & 1 ? -1 : 1) * (signs & 2 ? -1 : 1), of_c = signs & 4 ? -1 : 1;
      check(c, machine, matrices, [&](Matrices& m, int b, int i, int j) {
        return of_c * m.at_c(c, b, i, j) + ab * product(c, m, b, b, i, j);
      });
    }
}

TEST(Matrix, OnlyGfx90aFlushesDenormals) {
  for (const std::string& set : host_sets())
    for (const auto& [mnemonic, denormal, keeps] : {std::tuple{"v_mfma_f32_32x32x8f16", 0x00010001u, false},
                                                    std::tuple{"v_mfma_f32_32x32x8_f16", 0x00010001u, true},
                                                    std::tuple{"v_mfma_f32_32x32x8bf16_1k", 0x00010001u, false},
                                                    std::tuple{"v_mfma_f32_32x32x8_bf16", 0x00010001u, true}}) {
      Machine machine(set);
      const bool half = std::string_view(mnemonic).find("bf16") == std::string_view::npos;
      for (int row = 0; row < 2; ++row)
        for (int lane = 0; lane < 64; ++lane) {
          machine.wave.row(a_row + row)[lane] = denormal;
          machine.wave.row(b_row + row)[lane] = half ? 0x3c003c00u : 0x3f803f80u;  // 1.0
        }
      ASSERT_TRUE(machine.run(mnemonic, matrix_instruction()));
      const std::uint32_t bits = machine.wave.row(d_row)[0];
      float value;
      std::memcpy(&value, &bits, 4);
      EXPECT_EQ(value, keeps ? (half ? 8 * 0x1p-24f : 8 * 0x1p-133f) : 0.0f) << mnemonic << " on " << set;
    }
}

TEST(Matrix, HostInstructionSetsAgreeBitForBit) {
  std::mt19937 generator(7);
  std::vector<std::uint32_t> operands(40 * 64);
  for (const Case& c : cases) {
    if (c.a == Type::fp8 || c.a == Type::bf8)
      continue;  // products of 4-bit fractions: exact, the triple loop covers them
    // Random finite numbers of moderate size, so that sums round.
    for (std::uint32_t& word : operands) {
      const std::uint32_t random = static_cast<std::uint32_t>(generator());
      const int bits = type_bits(c.a);
      word = bits >= 32          ? (random & 0x807fffffu) | (120u + random % 13) << 23
             : c.a == Type::f16  ? (random & 0x8bff8bffu) | 0x30003000u
             : c.a == Type::bf16 ? (random & 0x83ff83ffu) | 0x3c003c00u
                                 : random;
    }
    std::vector<std::uint32_t> first;
    for (const std::string& set : host_sets()) {
      Machine machine(set, c.target);
      std::memcpy(machine.wave.row(a_row), operands.data(), operands.size() * 4);
      std::memcpy(machine.wave.row(c_row), operands.data(), operands.size() * 4);
      ASSERT_TRUE(machine.run(c.mnemonic, matrix_instruction()));
      const std::size_t words = static_cast<std::size_t>(slots(c)) * 64 * (c.a == Type::f64 ? 2 : 1);
      std::vector<std::uint32_t> result(machine.wave.row(d_row), machine.wave.row(d_row) + words);
      if (first.empty()) first = result;
      EXPECT_EQ(first, result) << c.mnemonic << ": " << set << " differs from " << host_sets()[0];
    }
  }
}

}  // namespace
}  // namespace zellige::sim::test
