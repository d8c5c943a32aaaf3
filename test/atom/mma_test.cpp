// Matrix instructions: each row's lane maps are complete, and an emulation from them alone multiplies matrices.
//
// The maps and durations were compared with AMD's public matrix instruction calculator for every instruction that it
// knows (all of gfx90a's and gfx942's). These tests show that a row's parts agree with each other; execute_test.hip,
// that hardware or simulator agrees with them.
#include "zellige/atom/mma.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

namespace zellige {
namespace {

std::string describe(Arch arch, const Mma& mma) {
  return std::string(arch_traits(arch).name) + " " + name_of(mma.input) + " " + name_of(mma.input_b) + " " +
         std::to_string(mma.shape.m) + "x" + std::to_string(mma.shape.n) + "x" + std::to_string(mma.shape.k) +
         ", blocks " + std::to_string(mma.blocks);
}

/// Calls visit(arch, mma) for every instruction of every target, as find_mma() finds it.
template <class Visit>
void for_each_mma(Visit visit) {
  const auto rows = [&](const auto& table) {
    for (const MmaRow& row : table) {
      for (Arch arch : all_arches) {
        if (!row.archs.has(arch)) continue;
        const Mma mma = find_mma(arch, {row.input, row.input_b()}, row.shape, row.blocks);
        SCOPED_TRACE(describe(arch, mma));
        visit(arch, mma, row);
      }
    }
  };
  rows(mfma_rows());
  rows(rdna_rows());
  rows(scalar_rows());
  rows(gfx1250_rows());
  rows(mma_sync_rows());
}

TEST(Mma, EveryRowIsFound) {
  int count = 0;
  for_each_mma([&](Arch, const Mma& mma, const MmaRow& row) {
    EXPECT_EQ(mma.op, row.op);
    EXPECT_EQ(mma.shape, row.shape);
    EXPECT_EQ(mma.blocks, row.blocks);
    EXPECT_EQ(mma.passes, row.passes);
    EXPECT_EQ(mma.accumulator, accumulator_of(row.input));
    ++count;
  });
  EXPECT_EQ(count,
            29 + 32 + 48 + 5 + 5 + 9 + 13 + 3);  // gfx90a, gfx942, gfx950, gfx1100, gfx1151, gfx1201, gfx1250, sm_90
}

// Every target finds exactly the instructions whose rows name it: asked for all shapes and types of all families, it
// answers with no other, and with none missing.
TEST(Mma, lesson26_targets_find_the_rows_that_name_them) {
  std::vector<MmaRow> all;
  const auto collect = [&](const auto& table) { all.insert(all.end(), table.begin(), table.end()); };
  collect(mfma_rows());
  collect(rdna_rows());
  collect(scalar_rows());
  collect(gfx1250_rows());
  collect(mma_sync_rows());
  collect(wgmma_table());
  for (Arch arch : all_arches) {
    std::set<MmaOp> named, found;
    for (const MmaRow& row : all) {
      if (row.archs.has(arch)) named.insert(row.op);
      const Mma mma = find_mma(arch, {row.input, row.input_b()}, row.shape, row.blocks);
      if (mma.op != MmaOp::none) found.insert(mma.op);
    }
    EXPECT_EQ(named, found) << arch_traits(arch).name;
    EXPECT_FALSE(named.empty()) << arch_traits(arch).name;
  }
}

TEST(Mma, NoTargetHasTwoRowsForOneQuestion) {
  std::set<std::string> questions;
  for_each_mma([&](Arch arch, const Mma& mma, const MmaRow&) {
    EXPECT_TRUE(questions.insert(describe(arch, mma)).second) << describe(arch, mma);
  });
}

TEST(Mma, MapsHoldEveryElementOnce) {
  for_each_mma([](Arch arch, const Mma& mma, const MmaRow&) {
    EXPECT_EQ(mma.a.lanes(), arch_traits(arch).wave_size);
    EXPECT_EQ(mma.b.lanes(), arch_traits(arch).wave_size);
    EXPECT_EQ(mma.c.lanes(), arch_traits(arch).wave_size);
    EXPECT_TRUE(is_bijective(mma.a, mma.blocks, mma.shape.m, mma.shape.k, replicas_of(mma.a)));
    EXPECT_TRUE(is_bijective(mma.b, mma.blocks, mma.shape.n, mma.shape.k, replicas_of(mma.b)));
    EXPECT_TRUE(is_bijective(mma.c, mma.blocks, mma.shape.m, mma.shape.n));
  });
}

/// The first lane that holds what `lane` does: lanes whose digits add the same are replicas of each other.
bool is_first_holder(const LaneMap& map, int lane) {
  for (int other = 0; other < lane; ++other) {
    if (map.of_lane(static_cast<unsigned>(other)) == map.of_lane(static_cast<unsigned>(lane))) return false;
  }
  return true;
}

/// What the instruction does with one wave's fragments, by the lane maps: fragments are [lane][slot]. An element that
/// several lanes hold is the same in all of them, and multiplied once.
std::vector<int> emulate(const Mma& mma, const std::vector<int>& a, const std::vector<int>& b, std::vector<int> c) {
  const auto at = [](const LaneMap& map, int i) {
    return map.at(static_cast<unsigned>(i / map.slots()), static_cast<unsigned>(i % map.slots()));
  };
  std::vector<int> place(static_cast<std::size_t>(mma.blocks * mma.shape.n * mma.shape.k));  // of B's elements
  for (int j = 0; j < static_cast<int>(b.size()); ++j) {
    const Coordinate q = at(mma.b, j);
    place[static_cast<std::size_t>((q.block * mma.shape.n + q.row) * mma.shape.k + q.column)] = j;
  }
  std::vector<int> result(static_cast<std::size_t>(mma.blocks * mma.shape.m * mma.shape.n));  // of C's elements
  for (int i = 0; i < static_cast<int>(c.size()); ++i) {
    const Coordinate r = at(mma.c, i);
    result[static_cast<std::size_t>((r.block * mma.shape.m + r.row) * mma.shape.n + r.column)] = i;
  }
  for (int i = 0; i < static_cast<int>(a.size()); ++i) {
    if (!is_first_holder(mma.a, i / mma.a.slots())) continue;
    const Coordinate p = at(mma.a, i);
    for (int n = 0; n < mma.shape.n; ++n) {
      const int j = place[static_cast<std::size_t>((p.block * mma.shape.n + n) * mma.shape.k + p.column)];
      const int d = result[static_cast<std::size_t>((p.block * mma.shape.m + p.row) * mma.shape.n + n)];
      c[static_cast<std::size_t>(d)] += a[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(j)];
    }
  }
  return c;
}

struct Matrix {
  int rows, columns;
  std::vector<int> data;
  int& at(int block, int row, int column) {
    return data[static_cast<std::size_t>((block * rows + row) * columns + column)];
  }
};

Matrix random_matrix(int blocks, int rows, int columns, std::mt19937& random) {
  Matrix m{rows, columns, std::vector<int>(static_cast<std::size_t>(blocks * rows * columns))};
  for (int& x : m.data) x = static_cast<int>(random() % 17) - 8;
  return m;
}

/// A wave's fragments of `matrix` under `map`, as [lane][slot]; columns start at `first_column`.
std::vector<int> distribute(const LaneMap& map, Matrix& matrix, int first_column = 0) {
  std::vector<int> fragments;
  for (int lane = 0; lane < map.lanes(); ++lane) {
    for (int slot = 0; slot < map.slots(); ++slot) {
      const Coordinate c = map.at(static_cast<unsigned>(lane), static_cast<unsigned>(slot));
      fragments.push_back(matrix.at(c.block, c.row, c.column + first_column));
    }
  }
  return fragments;
}

int naive(Matrix& a, Matrix& b, int block, int m, int n) {
  int sum = 0;
  for (int k = 0; k < a.columns; ++k) sum += a.at(block, m, k) * b.at(block, n, k);
  return sum;
}

void expect_product(const Mma& mma, Matrix& a, Matrix& b, Matrix& c, const std::vector<int>& got) {
  for (int lane = 0; lane < mma.c.lanes(); ++lane) {
    for (int slot = 0; slot < mma.c.slots(); ++slot) {
      const Coordinate r = mma.c.at(static_cast<unsigned>(lane), static_cast<unsigned>(slot));
      ASSERT_EQ(got[static_cast<std::size_t>(lane * mma.c.slots() + slot)],
                c.at(r.block, r.row, r.column) + naive(a, b, r.block, r.row, r.column));
    }
  }
}

TEST(Mma, EmulationEqualsTheNaiveProduct) {
  std::mt19937 random(6);
  for_each_mma([&](Arch, const Mma& mma, const MmaRow&) {
    Matrix a = random_matrix(mma.blocks, mma.shape.m, mma.shape.k, random);
    Matrix b = random_matrix(mma.blocks, mma.shape.n, mma.shape.k, random);
    Matrix c = random_matrix(mma.blocks, mma.shape.m, mma.shape.n, random);
    const auto got = emulate(mma, distribute(mma.a, a), distribute(mma.b, b), distribute(mma.c, c));
    expect_product(mma, a, b, c, got);
  });
}

/// The operand of instruction `piece` out of fragments under k_contiguous(map, pack).
std::vector<int> take_piece(const LaneMap& map, int pack, int piece, const std::vector<int>& fragments) {
  std::vector<int> operand;
  for (int lane = 0; lane < map.lanes(); ++lane) {
    for (int slot = 0; slot < map.slots(); ++slot) {
      operand.push_back(
          fragments[static_cast<std::size_t>(lane * map.slots() * pack + fragment_slot(map, pack, piece, slot))]);
    }
  }
  return operand;
}

// k is permuted by k_contiguous, but alike for A and B: `pack` instructions together compute the product over their k.
TEST(Mma, WideFragmentsFeedSeveralInstructions) {
  std::mt19937 random(7);
  for_each_mma([&](Arch, const Mma& mma, const MmaRow&) {
    for (int pack : {1, 2, 4}) {
      Matrix a = random_matrix(mma.blocks, mma.shape.m, mma.shape.k * pack, random);
      Matrix b = random_matrix(mma.blocks, mma.shape.n, mma.shape.k * pack, random);
      Matrix c = random_matrix(mma.blocks, mma.shape.m, mma.shape.n, random);
      const auto fragments_a = distribute(k_contiguous(mma.a, pack), a);
      const auto fragments_b = distribute(k_contiguous(mma.b, pack), b);
      auto sum = distribute(mma.c, c);
      for (int piece = 0; piece < pack; ++piece) {
        sum =
            emulate(mma, take_piece(mma.a, pack, piece, fragments_a), take_piece(mma.b, pack, piece, fragments_b), sum);
      }
      expect_product(mma, a, b, c, sum);
    }
  });
}

// Elements that share a 32-bit register must stay together when a fragment is cut into operands.
TEST(Mma, WideFragmentsKeepRegistersWhole) {
  for_each_mma([](Arch, const Mma& mma, const MmaRow&) {
    const int packed = max_of(1, 4 / bytes_of(mma.input));
    for (const LaneMap& map : {mma.a, mma.b}) {
      for (int pack : {1, 2, 4}) {
        for (int piece = 0; piece < pack; ++piece) {
          for (int slot = 0; slot < map.slots(); ++slot) {
            const int first = fragment_slot(map, pack, piece, slot / packed * packed);
            ASSERT_EQ(first % packed, 0);
            ASSERT_EQ(fragment_slot(map, pack, piece, slot), first + slot % packed);
          }
        }
      }
    }
  });
}

// The builtins take operands of these lengths: a shape of the same name is another fragment on each generation.
TEST(Mma, lesson44_fragment_lengths_are_those_of_the_builtins) {
  const auto words = [](Arch arch, DataType input, Mnk shape, int blocks = 1) {
    const Mma mma = find_mma(arch, input, shape, blocks);
    return Mnk{words_a(mma), words_b(mma), mma.c.slots()};
  };
  EXPECT_EQ(words(Arch::gfx942, DataType::f16, {32, 32, 8}), (Mnk{2, 2, 16}));
  EXPECT_EQ(words(Arch::gfx942, DataType::bf16, {16, 16, 16}), (Mnk{2, 2, 4}));
  EXPECT_EQ(words(Arch::gfx950, DataType::f16, {16, 16, 32}), (Mnk{4, 4, 4}));
  EXPECT_EQ(words(Arch::gfx90a, DataType::f32, {32, 32, 2}), (Mnk{1, 1, 16}));
  EXPECT_EQ(words(Arch::gfx90a, DataType::bf16, {32, 32, 4}), (Mnk{1, 1, 16}));
  EXPECT_EQ(words(Arch::gfx90a, DataType::bf16, {32, 32, 4}, 2), (Mnk{2, 2, 32}));
  EXPECT_EQ(words(Arch::gfx942, DataType::f16, {4, 4, 4}, 16), (Mnk{2, 2, 4}));
  EXPECT_EQ(words(Arch::gfx1100, DataType::f16, {16, 16, 16}), (Mnk{8, 8, 8}));
  EXPECT_EQ(words(Arch::gfx1151, DataType::bf16, {16, 16, 16}), (Mnk{8, 8, 8}));
  EXPECT_EQ(words(Arch::gfx1201, DataType::f16, {16, 16, 16}), (Mnk{4, 4, 8}));
  EXPECT_EQ(words(Arch::gfx1250, DataType::bf16, {16, 16, 32}), (Mnk{8, 8, 8}));
  EXPECT_EQ(words(Arch::gfx1250, DataType::f32, {16, 16, 4}), (Mnk{2, 2, 8}));
  EXPECT_EQ(words(Arch::sm_90, DataType::f16, {16, 8, 16}), (Mnk{4, 2, 4}));
  EXPECT_EQ(words(Arch::sm_90, DataType::tf32, {16, 8, 8}), (Mnk{4, 2, 4}));
}

// Both halves of a wave of gfx11 read the same elements of A and B, also where k is read in an order of our own.
TEST(Mma, HalvesOfGfx11HoldTheSame) {
  const Mma mma = find_mma(Arch::gfx1100, DataType::f16, {16, 16, 16});
  EXPECT_EQ(replicas_of(mma.a), 2);
  EXPECT_EQ(replicas_of(mma.c), 1);
  for (const LaneMap& map : {mma.a, mma.b, k_contiguous(mma.a, 1), k_contiguous(mma.b, 1)}) {
    for (unsigned lane = 0; lane < 16; ++lane) EXPECT_EQ(map.of_lane(lane), map.of_lane(lane + 16));
  }
  EXPECT_EQ(replicas_of(find_mma(Arch::gfx1201, DataType::f16, {16, 16, 16}).a), 1);
}

TEST(FindMma, RefusesWhatATargetLacks) {
  EXPECT_EQ(find_mma(Arch::gfx1100, DataType::f16, {32, 32, 8}).op, MmaOp::none);
  EXPECT_EQ(find_mma(Arch::gfx1250, DataType::f16, {16, 16, 16}).op, MmaOp::none) << "gfx1250 has 16x16x32 alone";
  EXPECT_EQ(find_mma(Arch::gfx942, DataType::f16, {32, 32, 16}).op, MmaOp::none);
  EXPECT_EQ(find_mma(Arch::gfx942, DataType::bf16, {32, 32, 4}).op, MmaOp::none);
  EXPECT_EQ(find_mma(Arch::gfx942, DataType::f16, {32, 32, 4}).op, MmaOp::none) << "only with two blocks";
  EXPECT_EQ(find_mma(Arch::gfx942, DataType::f16, {16, 8, 16}).op, MmaOp::none);
  EXPECT_EQ(find_mma(Arch::sm_90, DataType::f16, {32, 32, 8}).op, MmaOp::none);
  EXPECT_EQ(find_mma(Arch::none, DataType::f16, {32, 32, 8}).op, MmaOp::none);
  EXPECT_EQ(find_mma(Arch::gfx942, DataType::f16, {0, -1, 8}).op, MmaOp::none);
}

TEST(FindMma, ListsShapesForRefusals) {
  EXPECT_EQ(mma_shapes(Arch::gfx942, DataType::f16).view(), "32x32x8, 16x16x16");
  EXPECT_EQ(mma_shapes(Arch::gfx950, DataType::bf16).view(), "32x32x8, 16x16x16, 32x32x16, 16x16x32");
  EXPECT_EQ(mma_shapes(Arch::gfx90a, DataType::f32).view(), "32x32x2, 16x16x4");
  EXPECT_EQ(mma_shapes(Arch::gfx90a, DataType::bf16, 2).view(), "32x32x4, 32x32x2");
  EXPECT_EQ(mma_shapes(Arch::gfx1151, DataType::bf16).view(), "16x16x16");
  EXPECT_EQ(mma_shapes(Arch::gfx1201, DataType::f32).view(), "32x16x1");
  EXPECT_EQ(mma_shapes(Arch::gfx1250, DataType::f32).view(), "16x16x4");
  EXPECT_EQ(mma_shapes(Arch::sm_90, DataType::f32).view(), "none");
}

}  // namespace
}  // namespace zellige
