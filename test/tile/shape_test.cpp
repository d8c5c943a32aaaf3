// Staging maps cover each tile once, and one wide LDS read never holds more than 16 bytes of k.
#include "zellige/tile/shape.hpp"

#include <gtest/gtest.h>

#include "zellige/gemm/check.hpp"

namespace zellige {
namespace {

TEST(StageShape, ThreadsCarryEveryElementOnce) {
  int accepted = 0;
  for (const bool along_rows : {false, true}) {
    for (const int threads : {64, 128, 256}) {
      for (const int rows : {16, 32, 64, 96, 128}) {
        for (const int depth : {8, 16, 32, 64}) {
          for (const int bytes : {1, 2, 4, 8}) {
            for (int vector = 1; vector * bytes <= 16; vector *= 2) {
              const StageShape shape{.rows = rows,
                                     .depth = depth,
                                     .vector = vector,
                                     .bytes = bytes,
                                     .threads = threads,
                                     .along_rows = along_rows,
                                     .lds = make_lds_tile(LdsLayout::swizzled, rows, depth * bytes, 32)};
              if (!detail::check_stage("A", shape).ok) continue;
              ++accepted;
              const LaneMap map = shape.thread_map();
              EXPECT_EQ(map.lanes(), threads);
              EXPECT_EQ(map.slots(), shape.loads() * vector);
              EXPECT_TRUE(is_bijective(map, 1, rows, depth))
                  << rows << "x" << depth << " by " << threads << " threads, vector " << vector << ", " << bytes
                  << " bytes, along rows " << along_rows;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(accepted, 300);  // the law is shown of many shapes, not of none
}

// A load is `vector` neighbours in memory; the gathered loads of one LDS write are neighbours in k.
TEST(StageShape, LoadsAndWritesAreContiguous) {
  for (const bool along_rows : {false, true}) {
    const StageShape shape{.rows = 128,
                           .depth = 32,
                           .vector = 8,
                           .bytes = 2,
                           .threads = 64,
                           .along_rows = along_rows,
                           .lds = make_lds_tile(LdsLayout::swizzled, 128, 64, 32)};
    ASSERT_TRUE(detail::check_stage("A", shape).ok);
    const LaneMap map = shape.thread_map();
    for (int load = 0; load < shape.loads(); ++load) {
      const Coordinate first = map.of_slot(static_cast<unsigned>(load * shape.vector));
      for (int i = 0; i < shape.vector; ++i) {
        const Coordinate at = map.of_slot(static_cast<unsigned>(load * shape.vector + i));
        EXPECT_EQ(at, first + (along_rows ? Coordinate{0, i, 0} : Coordinate{0, 0, i}));
      }
      const Coordinate group =
          map.of_slot(static_cast<unsigned>(load / shape.gather() * shape.gather() * shape.vector));
      EXPECT_EQ(first.column, group.column + (along_rows ? load % shape.gather() : 0));
    }
    EXPECT_LE(shape.gather() * shape.bytes, 16);
  }
}

TEST(KPack, FillsOneLdsReadAsFarAsTheDepthDivides) {
  const Mma mma = find_mma(Arch::gfx942, DataType::f16, {32, 32, 8});
  EXPECT_EQ(k_pack(mma, 8, 2), 1);
  EXPECT_EQ(k_pack(mma, 32, 2), 2);  // two atoms of 4 slots are 16 bytes
  EXPECT_EQ(k_pack(mma, 24, 2), 1);  // 24 is no multiple of two atoms
  EXPECT_EQ(k_pack(find_mma(Arch::gfx950, DataType::f16, {16, 16, 32}), 64, 2), 1);
  EXPECT_EQ(k_pack(find_mma(Arch::gfx942, DataType::f32, {32, 32, 2}), 16, 4), 4);
  EXPECT_EQ(k_pack(find_mma(Arch::gfx942, DataType::f64, {16, 16, 4}), 16, 8), 2);
  EXPECT_EQ(k_pack(find_mma(Arch::gfx90a, DataType::i8, {16, 16, 16}), 64, 1), 4);
  EXPECT_EQ(k_pack(find_mma(Arch::gfx942, DataType::f8e4m3fnuz, {32, 32, 16}), 64, 1), 2);
  EXPECT_EQ(k_pack(find_mma(Arch::gfx950, DataType::i8, {16, 16, 64}), 128, 1), 1);
  EXPECT_EQ(k_pack(find_mma(Arch::gfx942, DataType::tf32, {16, 16, 8}), 16, 4), 2);
}

}  // namespace
}  // namespace zellige
