// The bound model: each bound alone against a value worked out by hand, and how they combine.
#include "simulator/timing/predict.hpp"

#include <gtest/gtest.h>

namespace zellige::sim {
namespace {

struct Case {
  Device device = make_device(Arch::gfx942, 0);
  PredictionInput input;
  /// `workgroups` of four waves each, `held` of them on a compute unit at a time.
  Case(std::uint64_t workgroups, int held) {
    input.workgroups = workgroups;
    input.counts.workgroups = workgroups;
    input.counts.waves = 4 * workgroups;
    input.occupancy = {.waves_per_workgroup = 4, .workgroups_per_cu = held, .waves_per_simd = held, .limit = "vgprs"};
  }
  double of(Bound bound) const { return predict(device, input).seconds_of[static_cast<int>(bound)]; }
};

TEST(Predict, MatrixBoundOfAFullDeviceIsThePeak) {
  // 304 units x 4 SIMDs; 32x32x8 f16: 8 passes of 4 clocks and 32 x 32 x 8 multiply-adds.
  Case full(304 * 2, 2);
  const std::uint64_t instructions = 304 * 2 * 4 * 1000;
  full.input.counts.matrix_passes = instructions * 8;
  full.input.counts.instructions[static_cast<int>(OpClass::matrix)] = instructions;
  const double flops = 2.0 * 32 * 32 * 8 * instructions;
  EXPECT_NEAR(1307.4e12, flops / full.of(Bound::matrix), 1e12);
  const Prediction prediction = predict(full.device, full.input);
  EXPECT_EQ(Bound::matrix, prediction.bound);
  EXPECT_DOUBLE_EQ(prediction.overhead_seconds + full.of(Bound::matrix), prediction.seconds);
}

TEST(Predict, TheLastWaveOfWorkgroupsCostsAWholeRound) {
  const auto matrix_seconds = [](std::uint64_t workgroups) {
    Case grid(workgroups, 1);
    grid.input.counts.matrix_passes = workgroups * 4000;
    return grid.of(Bound::matrix);
  };
  EXPECT_DOUBLE_EQ(matrix_seconds(1), matrix_seconds(304));
  EXPECT_DOUBLE_EQ(2 * matrix_seconds(304), matrix_seconds(305));
  EXPECT_DOUBLE_EQ(matrix_seconds(608), matrix_seconds(305));
}

TEST(Predict, VectorBound) {
  Case grid(304, 1);
  grid.input.counts.instructions[static_cast<int>(OpClass::valu)] = 304 * 4 * 1000;
  grid.input.counts.instructions[static_cast<int>(OpClass::valu_transcendental)] = 304 * 4 * 100;
  // A SIMD runs 1000 instructions of 4 clocks and 100 of 16.
  EXPECT_NEAR((1000 * 4 + 100 * 16) / 2.1e9, grid.of(Bound::vector), 1e-12);
}

TEST(Predict, OneWaveIssuesOneInstructionEveryFourClocks) {
  Case grid(1, 1);
  grid.input.counts.instructions[static_cast<int>(OpClass::salu)] = 4 * 500;
  EXPECT_NEAR(500 * 4 / 2.1e9, grid.of(Bound::wave), 1e-12);
  EXPECT_NEAR(2000 / 2.1e9, grid.of(Bound::issue), 1e-12);
}

TEST(Predict, MemoryIsCountedOnceWhereTheAllocationsAreSmall) {
  Case grid(304, 1);
  grid.input.counts.load_bytes = 53'000'000'000;
  EXPECT_NEAR(10e-3, grid.of(Bound::memory), 1e-6);
  grid.input.footprint_bytes = 5'300'000'000;
  EXPECT_NEAR(1e-3, grid.of(Bound::memory), 1e-7);
}

TEST(Predict, ObservedWorkgroupsStandForAll) {
  Case grid(608, 2);
  grid.input.counts.observed_workgroups = 8;
  grid.input.counts.lds_access_cycles = 8 * 1000;
  grid.input.counts.lds_conflict_cycles = 8 * 500;
  EXPECT_NEAR(2 * 1500 / 2.1e9, grid.of(Bound::lds), 1e-12) << "two workgroups a unit";
  grid.input.counts.load_lines = 8 * 100;
  EXPECT_NEAR(608 * 100 * 128 / (grid.device.l2_gbps * 1e9), grid.of(Bound::l2), 1e-12);
}

TEST(Predict, AnEmptyLaunchCostsItsOverhead) {
  Case grid(304, 1);
  const Prediction prediction = predict(grid.device, grid.input);
  EXPECT_GT(prediction.seconds, 1e-6);
  EXPECT_DOUBLE_EQ(prediction.overhead_seconds, prediction.seconds);
}

TEST(Predict, CopiesOverTheBusAreSlower) {
  const Device device = make_device(Arch::gfx942, 0);
  EXPECT_GT(predict_copy(device, 1 << 30, true), 10 * predict_copy(device, 1 << 30, false));
}

}  // namespace
}  // namespace zellige::sim
