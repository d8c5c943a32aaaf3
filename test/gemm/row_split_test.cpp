// Row splitting: chunks are the product's rows, each once, from the same elements.
#include "zellige/gemm/row_split.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "zellige/gemm/check.hpp"
#include "zellige/gemm/pack.hpp"

namespace zellige {
namespace {

void expect_chunks_are_the_product(const GemmProblem& p, std::int64_t block, std::int64_t limit, int& split, int& refused) {
  const GemmSplit s = split_rows(p, block, limit);
  if (!s.verdict.ok) {
    EXPECT_EQ(s.verdict.code, Reason::tensor_too_large);
    ++refused;
    return;
  }
  split += s.chunks() > 1 ? 1 : 0;
  GemmConfig config{.order_a = p.order_a, .tiling = {.block = {static_cast<int>(block), 64, 32}}};
  const ViewParams whole = pack_args(config, p, 1).view_a;
  std::int64_t next = 0;
  for (std::int64_t i = 0; i < s.chunks(); ++i) {
    const GemmChunk chunk = chunk_of(p, s, i);
    ASSERT_TRUE(validate(chunk.problem).ok) << validate(chunk.problem).why.view();
    ASSERT_LE(bytes_a(chunk.problem).value, limit);
    ASSERT_LE(bytes_c(chunk.problem).value, limit);
    ASSERT_EQ(chunk.offset_c, next * p.stride_c() * bytes_of(p.output));
    ASSERT_EQ(next % block, 0);
    const ViewParams part = pack_args(config, chunk.problem, 1).view_a;
    for (std::uint32_t m = 0; m < chunk.problem.m; ++m) {
      for (std::uint32_t k = 0; k < p.k; ++k) {
        ASSERT_EQ(evaluate<matrix_view()>(whole, static_cast<std::uint32_t>(next) + m, k).offset,
                  chunk.offset_a + evaluate<matrix_view()>(part, m, k).offset);
      }
    }
    next += chunk.problem.m;
  }
  ASSERT_EQ(next, p.m);
}

TEST(RowSplit, ChunksAreTheRowsOfTheProduct) {
  std::mt19937 random(5);
  const auto between = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  int split = 0, refused = 0;
  for (int round = 0; round < 400; ++round) {
    GemmProblem p{.m = between(1, 60), .n = between(1, 20), .k = between(1, 20)};
    p.order_a = between(0, 1) == 0 ? MatrixOrder::row : MatrixOrder::column;
    if (between(0, 1) == 0) p.ld_a = p.line_a() + between(0, 9);
    if (between(0, 1) == 0) p.ld_c = p.n + between(0, 9);
    const std::int64_t most = max_of(bytes_a(p).value, bytes_c(p).value);
    for (const std::int64_t limit : {most, most - 1, most / 2, most / 5, most / 20})
      expect_chunks_are_the_product(p, between(1, 8), limit, split, refused);
  }
  EXPECT_GT(split, 300);
  EXPECT_GT(refused, 100);
}

TEST(RowSplit, AMatrixOf4GiBAndOneOfTheBoundary) {
  GemmProblem p{.m = 1 << 20, .n = 64, .k = 2048};
  ASSERT_EQ(bytes_a(p).value, std::int64_t{1} << 32);
  const GemmSplit s = split_rows(p, 128, 0x7fffffff);
  ASSERT_EQ(s.chunks(), 3);
  EXPECT_EQ(chunk_of(p, s, 1).problem.m, 2731 * 128);  // 8192 blocks as 2731, 2731 and 2730
  EXPECT_EQ(chunk_of(p, s, 2).offset_a, std::int64_t{2} * 2731 * 128 * 4096);
  EXPECT_EQ(chunk_of(p, s, 2).offset_c, std::int64_t{2} * 2731 * 128 * 128);
  p.m = 1 << 19;  // exactly 2 GiB
  EXPECT_EQ(split_rows(p, 128, 0x7fffffff).chunks(), 2);
  --p.m;
  EXPECT_EQ(split_rows(p, 128, 0x7fffffff).chunks(), 1);
}

TEST(RowSplit, ABlockThatDoesNotFitIsRefusedWithTheNumbers) {
  const GemmSplit s = split_rows({.m = 1000, .n = 8, .k = 100}, 64, 10'000);
  EXPECT_EQ(s.verdict.code, Reason::tensor_too_large);
  EXPECT_EQ(s.verdict.why.view(),
            "A has 200000 and C 16000 bytes, of which 50 rows fit the 10000 that one dispatch can address, not a block of 64");
  EXPECT_TRUE(split_rows({.m = 50, .n = 8, .k = 100}, 64, 10'000).verdict.ok);
}

}  // namespace
}  // namespace zellige
