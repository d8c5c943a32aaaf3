// MFMA lane maps against the general formulas of AMD's CDNA3 ISA manual ("Dense Matrix Layouts"), written down here a
// second time, as arithmetic on coordinates instead of digits.
#include <gtest/gtest.h>

#include "zellige/atom/mma.hpp"

namespace zellige {
namespace {

struct Place {
  int lane, slot;
};

/// Where A holds element (i, k) of block b: M rows, K deep, B blocks. B's columns are the rows of the same formula.
Place operand_place(int m, int k_size, int blocks, int i, int k, int b) {
  const int k_lane = k_size * m * blocks / 64;
  return {i + m * (b + blocks * (k / k_lane)), k % k_lane};
}

/// Where D holds element (i, j) of block b. `height`: consecutive rows of a lane, 4; 1 for f64.
Place result_place(int m, int n, int height, int i, int j, int b) {
  const int blocks_side_by_side = std::max(1, 64 * height / (m * n));
  const int lane_rows = 64 / (blocks_side_by_side * n), groups = m / (height * lane_rows);
  return {j + n * (i / height % lane_rows + lane_rows * (b % blocks_side_by_side)),
          i % height + height * (i / (height * lane_rows) + groups * (b / blocks_side_by_side))};
}

void expect_at(const LaneMap& map, Place place, Coordinate element, const char* what) {
  const Coordinate at = map.at(static_cast<unsigned>(place.lane), static_cast<unsigned>(place.slot));
  ASSERT_EQ(at, element) << what << " lane " << place.lane << " slot " << place.slot << ": block " << at.block
                         << " row " << at.row << " column " << at.column;
}

TEST(MfmaLayout, EqualsTheManualsGeneralFormulas) {
  for (const MmaRow& row : mfma_rows()) {
    const Mma mma = mfma_of(row);
    const auto [m, n, k] = mma.shape;
    SCOPED_TRACE("op " + std::to_string(static_cast<int>(row.op)));
    const bool f64 = row.input == DataType::f64;
    for (int b = 0; b < row.blocks; ++b) {
      for (int q = 0; q < k; ++q) {
        for (int i = 0; i < m; ++i) expect_at(mma.a, operand_place(m, k, row.blocks, i, q, b), {b, i, q}, "A");
        for (int j = 0; j < n; ++j) expect_at(mma.b, operand_place(n, k, row.blocks, j, q, b), {b, j, q}, "B");
      }
      if (f64 && row.blocks > 1) continue;  // programs that ran on hardware contradict the formula: below
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) expect_at(mma.c, result_place(m, n, f64 ? 1 : 4, i, j, b), {b, i, j}, "D");
      }
    }
  }
}

TEST(MfmaLayout, F64ResultsAreAsHardwareHasThem) {
  const Mma wide = find_mma(Arch::gfx90a, DataType::f64, {16, 16, 4}),
            small = find_mma(Arch::gfx90a, DataType::f64, {4, 4, 4}, 4);
  for (unsigned lane = 0; lane < 64; ++lane) {
    const int l = static_cast<int>(lane);
    for (unsigned slot = 0; slot < 4; ++slot) {
      EXPECT_EQ(wide.c.at(lane, slot), (Coordinate{0, 4 * static_cast<int>(slot) + l / 16, l % 16}));
    }
    EXPECT_EQ(small.c.at(lane, 0), (Coordinate{l / 4 % 4, l / 16, l % 4}));
    EXPECT_EQ(small.a.at(lane, 0), (Coordinate{l / 4 % 4, l % 4, l / 16}));
  }
}

TEST(MfmaLayout, EightBitFloatsAreOfTheTargetsFamilyInAllCombinations) {
  const DataType fnuz[] = {DataType::f8e4m3fnuz, DataType::f8e5m2fnuz}, ocp[] = {DataType::f8e4m3, DataType::f8e5m2};
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      for (Mnk shape : {Mnk{16, 16, 32}, Mnk{32, 32, 16}}) {
        EXPECT_NE(find_mma(Arch::gfx942, {fnuz[a], fnuz[b]}, shape).op, MmaOp::none);
        EXPECT_EQ(find_mma(Arch::gfx942, {ocp[a], ocp[b]}, shape).op, MmaOp::none);
        EXPECT_NE(find_mma(Arch::gfx950, {ocp[a], ocp[b]}, shape).op, MmaOp::none);
        EXPECT_EQ(find_mma(Arch::gfx950, {fnuz[a], fnuz[b]}, shape).op, MmaOp::none);
        EXPECT_EQ(find_mma(Arch::gfx90a, {ocp[a], ocp[b]}, shape).op, MmaOp::none);
      }
    }
  }
  EXPECT_EQ(find_mma(Arch::gfx950, {DataType::f8e4m3, DataType::f8e5m2}, {16, 16, 32}).op,
            MmaOp::mfma_f32_16x16x32_fp8_bf8);
}

TEST(MfmaLayout, DurationsGiveTheDataSheetsPeaks) {
  const auto tflops = [](Arch arch, DataType type) {
    const ArchTraits t = arch_traits(arch);
    return peak_flops_per_clock(arch, type) * t.simds * t.compute_units * t.clock_ghz / 1e3;
  };
  EXPECT_NEAR(tflops(Arch::gfx942, DataType::tf32), 653.7, 0.1);
  EXPECT_NEAR(tflops(Arch::gfx950, DataType::tf32), 2516.6 / 3, 0.1);  // three bf16 products
  EXPECT_NEAR(tflops(Arch::gfx942, DataType::f8e4m3fnuz), 2614.9, 0.1);
  EXPECT_NEAR(tflops(Arch::gfx942, DataType::i8), 2614.9, 0.1);
  EXPECT_NEAR(tflops(Arch::gfx950, DataType::f8e5m2), 5033.2, 0.1);
  EXPECT_NEAR(tflops(Arch::gfx1201, DataType::f8e4m3), 2 * arch_traits(Arch::gfx1201).f16_tflops, 1);
  for (Arch arch : {Arch::gfx90a, Arch::gfx942, Arch::gfx950}) {
    EXPECT_NEAR(tflops(arch, DataType::f64), arch_traits(arch).f64_tflops, 0.1) << arch_traits(arch).name;
  }
  EXPECT_EQ(tflops(Arch::gfx90a, DataType::f8e4m3), 0);
}

TEST(MfmaLayout, AccumulatorsAreOfTheirType) {
  for (const MmaRow& row : mfma_rows()) {
    EXPECT_EQ(mfma_of(row).accumulator, row.input == DataType::f64  ? DataType::f64
                                        : row.input == DataType::i8 ? DataType::i32
                                                                    : DataType::f32);
  }
}

TEST(MfmaLayout, OnlyTf32ProductsAreRounded) {
  for (const MmaRow& row : mfma_rows()) {
    const Mma mma = mfma_of(row);
    EXPECT_EQ(product_error(mma) != 0, row.input == DataType::tf32);
    EXPECT_EQ(row.products == 3, static_cast<int>(row.op) >= static_cast<int>(MmaOp::mfma_tf32_16x16x16_bf16_1k));
  }
  EXPECT_EQ(product_error(find_mma(Arch::gfx942, DataType::tf32, {16, 16, 8})), 0x1p-9 + 0x1p-20);
  EXPECT_EQ(product_error(find_mma(Arch::gfx950, DataType::tf32, {16, 16, 32})), 0x1p-14);
}

}  // namespace
}  // namespace zellige
