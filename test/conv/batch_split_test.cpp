// Batch splitting: a table of real sizes, postconditions of every small one, and that chunks are the same convolution.
#include "zellige/conv/batch_split.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "random_conv.hpp"
#include "zellige/conv/lower.hpp"

namespace zellige {
namespace {

constexpr std::int64_t u32_limit = 0xffffffffll, sentinel_limit = 0x7fffffffll;

/// Stride 1 and the output as large as the input. Bytes of an element: f32 or f16.
ConvProblem same_size(std::int64_t n, std::int64_t c, std::int64_t k, std::int64_t height, std::int64_t width,
                      DataType type) {
  return {.input = type, .weight = type, .output = type, .n = n, .c = c, .k = k, .spatial = 2,
          .axis = {{{.size = height}, {.size = width}}}};
}

std::int64_t image_of(const ConvProblem& p) {
  return max_of(input_bytes(p).value, output_bytes(p).value) / p.n;
}

/// The least number of equal chunks: divisors of n are tried one by one, to the end.
std::int64_t smallest_divisor(std::int64_t n, std::int64_t most) {
  for (std::int64_t s = 1; s <= n; ++s) {
    if (n % s == 0 && n / s <= most) return s;
  }
  return 0;
}

struct Row {
  std::int64_t n, c, k, height, width;
  DataType type;
  std::int64_t image, most, equal, uneven;  ///< bytes of an image, images of a chunk, chunks: equal ones and ours
};

constexpr DataType f32 = DataType::f32, f16 = DataType::f16;
constexpr Row table[] = {
    {42, 96, 64, 512, 512, f32, 100663296, 42, 1, 1},       {43, 96, 64, 512, 512, f32, 100663296, 42, 43, 2},
    {63, 96, 64, 512, 512, f32, 100663296, 42, 3, 2},       {64, 96, 64, 512, 512, f32, 100663296, 42, 2, 2},
    {84, 96, 64, 512, 512, f32, 100663296, 42, 2, 2},       {85, 96, 64, 512, 512, f32, 100663296, 42, 5, 3},
    {86, 96, 64, 512, 512, f32, 100663296, 42, 43, 3},      {96, 96, 64, 512, 512, f32, 100663296, 42, 3, 3},
    {126, 96, 64, 512, 512, f32, 100663296, 42, 3, 3},      {127, 96, 64, 512, 512, f32, 100663296, 42, 127, 4},
    {128, 96, 64, 512, 512, f32, 100663296, 42, 4, 4},      {191, 96, 64, 512, 512, f32, 100663296, 42, 191, 5},
    {192, 96, 64, 512, 512, f32, 100663296, 42, 6, 5},      {64, 96, 64, 512, 512, f16, 50331648, 85, 1, 1},
    {86, 96, 64, 512, 512, f16, 50331648, 85, 2, 2},        {17, 64, 256, 512, 512, f32, 268435456, 15, 17, 2},
    {16, 64, 256, 512, 512, f32, 268435456, 15, 2, 2},      {10, 256, 16, 1024, 1024, f32, 1073741824, 3, 5, 4},
    {12, 256, 16, 1024, 1024, f32, 1073741824, 3, 4, 4},    {7, 255, 16, 1024, 1024, f32, 1069547520, 4, 7, 2},
    {5, 64, 1024, 1024, 1024, f16, 2147483648, 1, 5, 5},    {3, 1, 1, 32768, 32767, f32, 4294836224, 1, 3, 3},
    {1, 1, 1, 32768, 32768, f32, 4294967296, 0, 0, 0},      {2, 64, 64, 4096, 4096, f32, 4294967296, 0, 0, 0},
    {1, 4095, 16, 512, 512, f32, 4293918720, 1, 1, 1},
};

TEST(BatchSplit, lesson01_integer_ceil_of_64_bit_bytes) {
  for (const Row& row : table) {
    const ConvProblem p = same_size(row.n, row.c, row.k, row.height, row.width, row.type);
    const EvenSplit s = split_batch(p.n, image_of(p), u32_limit);
    EXPECT_EQ(image_of(p), row.image);
    EXPECT_EQ(u32_limit / image_of(p), row.most);
    EXPECT_EQ(s.chunks, row.uneven) << "n " << row.n;
    EXPECT_EQ(s.ok(), row.uneven > 0);
    EXPECT_EQ(smallest_divisor(p.n, row.most), row.equal) << "n " << row.n;
    if (s.ok()) {
      EXPECT_LE(s.longest() * row.image, u32_limit);
    }
  }
}

TEST(BatchSplit, lesson01_every_batch_and_limit) {
  for (std::int64_t n = 1; n <= 512; ++n) {
    for (std::int64_t most = 1; most <= 64; ++most) {
      for (const std::int64_t image : {std::int64_t{1}, std::int64_t{3}, std::int64_t{1} << 33}) {
        const EvenSplit s = split_batch(n, image, most * image + image - 1);
        ASSERT_TRUE(s.ok());
        ASSERT_LE(s.longest(), most);
        ASSERT_EQ(s.chunks, (n + most - 1) / most);
        ASSERT_LE(s.chunks, smallest_divisor(n, most)) << "equal chunks are never fewer";
        if (n % most == 0) {
          ASSERT_EQ(s.chunks, smallest_divisor(n, most));
        }
      }
    }
  }
}

TEST(BatchSplit, lesson04_no_divisor_is_missed) {
  // Equal chunks of 86 images, 42 at most: a search that ends at the square root of n finds 86 chunks; 43 do, 3 suffice.
  EXPECT_EQ(smallest_divisor(86, 42), 43);
  EXPECT_EQ(split_batch(86, 1, 42).chunks, 3);
  EXPECT_EQ(smallest_divisor(10, 3), 5);
  EXPECT_EQ(split_batch(10, 1, 3).chunks, 4);
}

TEST(BatchSplit, lesson05_one_image_too_large_is_a_status) {
  EXPECT_EQ(split_batch(3, 100, 99).status, SplitStatus::item_too_large);
  EXPECT_EQ(split_batch(3, 100, 0).status, SplitStatus::item_too_large);
  EXPECT_EQ(split_batch(3, 100, 100).status, SplitStatus::ok);
  EXPECT_EQ(split_batch(3, 100, 100).chunks, 3);
  EXPECT_EQ(split_batch(3, 100, 101).chunks, 3);
}

TEST(BatchSplit, TheSentinelsLimitNeedsMoreChunks) {
  const ConvProblem p = same_size(64, 96, 64, 512, 512, f32);
  const ConvSplit s = split_problem(p, sentinel_limit);
  ASSERT_TRUE(s.verdict.ok);
  ASSERT_EQ(s.chunks(), 4);
  for (std::int64_t i = 0; i < 4; ++i) {
    const ConvChunk chunk = chunk_of(p, s, i);
    EXPECT_EQ(chunk.problem.n, 16);
    EXPECT_EQ(chunk.offset_input, i * 16 * 100663296);
    EXPECT_EQ(chunk.offset_output, i * 16 * 67108864);
  }
}

TEST(BatchSplit, TheBoundaryItself) {
  // 2^31 bytes pass the limit by one; a byte less fits.
  ConvProblem p = same_size(2, 32768, 1, 1, 16384, f16);
  ASSERT_EQ(input_bytes(p).value, std::int64_t{1} << 31);
  EXPECT_EQ(split_problem(p, sentinel_limit).chunks(), 2);
  EXPECT_EQ(split_problem(p, std::int64_t{1} << 31).chunks(), 1);
  p.n = 1, p.axis[1].size = 32768;
  EXPECT_EQ(split_problem(p, sentinel_limit).rows.chunks, 2);
}

/// What a chunk's view and output say, against the whole problem's, element by element.
void expect_chunks_are_the_problem(const ConvProblem& p, std::int64_t limit, int& of_rows, int& refused) {
  const ConvSplit s = split_problem(p, limit);
  const std::int64_t out_bytes = bytes_of(p.output);
  if (!s.verdict.ok) {
    EXPECT_EQ(s.verdict.code, Reason::tensor_too_large);
    ++refused;
    return;
  }
  of_rows += s.rows.chunks > 1 ? 1 : 0;
  std::vector<int> written(static_cast<std::size_t>(p.n * p.output_pixels()));
  const std::int64_t depth = p.taps() * p.channels_per_group(), pixel_bytes = p.k * out_bytes;
  const ViewParams whole = conv_input_params(with_spatial(p, max_spatial));
  for (std::int64_t i = 0; i < s.chunks(); ++i) {
    const ConvChunk chunk = chunk_of(p, s, i);
    const ConvProblem& q = chunk.problem;
    ASSERT_LE(input_bytes(q).value, limit);
    ASSERT_LE(output_bytes(q).value, limit);
    ASSERT_GE(chunk.offset_input, 0);
    ASSERT_LE(chunk.offset_input + input_bytes(q).value, input_bytes(p).value);
    ASSERT_EQ(chunk.offset_output % pixel_bytes, 0);
    const ViewParams part = conv_input_params(with_spatial(q, max_spatial));
    const std::int64_t first = chunk.offset_output / pixel_bytes;
    for (std::int64_t m = 0; m < q.n * q.output_pixels(); ++m) {
      ASSERT_LT(first + m, p.n * p.output_pixels());
      ++written[static_cast<std::size_t>(first + m)];
      for (std::int64_t k = 0; k < depth; ++k) {
        const Element x = evaluate<conv_input_view(max_spatial)>(whole, static_cast<std::uint32_t>(first + m),
                                                                 static_cast<std::uint32_t>(k)),
                      y = evaluate<conv_input_view(max_spatial)>(part, static_cast<std::uint32_t>(m),
                                                                 static_cast<std::uint32_t>(k));
        ASSERT_EQ(x.exists, y.exists) << "chunk " << i << " m " << m << " k " << k;
        if (x.exists) {
          ASSERT_EQ(x.offset, chunk.offset_input + y.offset) << "chunk " << i << " m " << m << " k " << k;
        }
      }
    }
  }
  for (int times : written) ASSERT_EQ(times, 1);
}

TEST(BatchSplit, ChunksWriteEveryOutputOnceFromTheSameTaps) {
  int of_rows = 0, refused = 0;
  std::mt19937 random(7);
  for_random_convs(random_conv, 60, [&](ConvProblem p) {
    p.n = between(random, 1, 7);
    const std::int64_t most = max_of(input_bytes(p).value, output_bytes(p).value);
    for (const std::int64_t limit : {most, most / 2, most / 3, most / p.n, most / p.n / 2, most / p.n / 4})
      expect_chunks_are_the_problem(p, max_of<std::int64_t>(limit, 1), of_rows, refused);
  });
  EXPECT_GT(of_rows, 100);
  EXPECT_GT(refused, 20);
}

TEST(BatchSplit, ChunksWhollyInThePaddingReadNothing) {
  ConvProblem p{.n = 1, .c = 3, .k = 2, .spatial = 1};
  p.axis[0] = {.size = 2, .filter = 2, .pad_before = 6, .pad_after = 6};
  int of_rows = 0, refused = 0;
  for (std::int64_t limit = 1; limit <= 64; ++limit) expect_chunks_are_the_problem(p, limit, of_rows, refused);
  EXPECT_GT(of_rows, 20);
}

TEST(BatchSplit, RowsThatDoNotFitAreRefusedWithTheNumbers) {
  ConvProblem p = same_size(2, 64, 8, 100, 1000, f16);
  p.axis[0].filter = 3, p.axis[0].pad_before = p.axis[0].pad_after = 1;
  const ConvSplit s = split_problem(p, 300'000);
  EXPECT_EQ(s.verdict.code, Reason::tensor_too_large);
  EXPECT_EQ(s.verdict.why.view(),
            "one image has 12800000 bytes of input and 1600000 of output, and one output row alone 16000 and 3 input "
            "rows of 128000, over the 300000 that one dispatch can address");
  EXPECT_EQ(split_problem(p, 384'000).rows.chunks, 100);
  EXPECT_EQ(split_problem(p, 512'000).rows.chunks, 50);
}

TEST(BatchSplit, OuterAxesOfSizeOneDoNotStandInTheWay) {
  ConvProblem p{.n = 1, .c = 8, .k = 8, .spatial = 3};
  p.axis[2] = {.size = 100, .filter = 3};
  const ConvSplit s = split_problem(p, 800);
  ASSERT_TRUE(s.verdict.ok) << s.verdict.why.view();
  EXPECT_EQ(s.axis, 2);
  EXPECT_EQ(s.chunks(), 3);  // 50 pixels hold 48 outputs
}

TEST(BatchSplit, PlansStayFinite) {
  const ConvSplit s = split_problem(same_size(1 << 20, 8, 8, 8, 8, f16), 1024);
  EXPECT_EQ(s.verdict.code, Reason::tensor_too_large);
  EXPECT_NE(s.verdict.why.view().find("would take 1048576 dispatches, over the 1024 of a plan"), std::string_view::npos)
      << s.verdict.why.view();
}

}  // namespace
}  // namespace zellige
