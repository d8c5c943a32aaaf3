// Views: where an element lies and whether it exists, against plain indexing.
#include "zellige/layout/view.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace zellige {
namespace {

TEST(View, MatrixRowMajorAndColumnMajor) {
  constexpr int rows = 5, columns = 7;
  std::vector<float> data(rows * columns);
  for (int i = 0; i < rows * columns; ++i) data[static_cast<std::size_t>(i)] = static_cast<float>(i + 1);
  const View<float, matrix_view()> row_major{data.data(), matrix_params(rows, columns, columns * 4, 4)};
  const View<float, matrix_view()> column_major{data.data(), matrix_params(rows, columns, 4, rows * 4)};
  for (unsigned r = 0; r < 9; ++r) {
    for (unsigned c = 0; c < 9; ++c) {
      const bool inside = r < rows && c < columns;
      EXPECT_EQ(row_major.load(r, c), inside ? static_cast<float>(r * columns + c + 1) : 0.0f);
      EXPECT_EQ(column_major.load(r, c), inside ? static_cast<float>(c * rows + r + 1) : 0.0f);
    }
  }
  EXPECT_EQ(row_major.load(0xffffffffu, 0), 0.0f) << "a wrapped coordinate does not exist";
}

TEST(View, StoreOnlyWhereAnElementExists) {
  std::vector<int> data(6, -1);
  const View<int, matrix_view()> view{data.data(), matrix_params(2, 3, 12, 4)};
  EXPECT_TRUE(view.store(1, 2, 5));
  EXPECT_FALSE(view.store(2, 0, 6));
  EXPECT_FALSE(view.store(0, 3, 7));
  EXPECT_EQ(data, (std::vector<int>{-1, -1, -1, -1, -1, 5}));
}

// A row of `width` pixels seen by a sliding window: row = output position, column = tap * channels + channel.
constexpr Transforms window_view() {
  Transforms t;
  t.split(1, 2, 3).embed(0, 2, 4).limit(0).limit(2).stride(4).stride(3);
  return t;
}

struct Window {
  int width, channels, taps, stride, dilation, pad;
};

void expect_window(const Window& w) {
  const int outputs = (w.width + 2 * w.pad - w.dilation * (w.taps - 1) - 1) / w.stride + 1;
  std::vector<int> data;
  for (int i = 0; i < w.width * w.channels; ++i) data.push_back(i + 1);
  ViewParams p;
  p.divider[0] = MagicDivider(static_cast<unsigned>(w.channels));
  p.embed[0] = {static_cast<unsigned>(w.stride), static_cast<unsigned>(w.dilation), static_cast<unsigned>(w.pad),
                static_cast<unsigned>(w.width)};
  p.limit[0] = static_cast<unsigned>(outputs);
  p.limit[1] = static_cast<unsigned>(w.taps);
  p.stride[0] = static_cast<unsigned>(w.channels) * 4;
  p.stride[1] = 4;
  const View<int, window_view()> view{data.data(), p};
  for (int o = 0; o < outputs + 3; ++o) {
    for (int k = 0; k < (w.taps + 1) * w.channels; ++k) {
      const int tap = k / w.channels, x = o * w.stride + tap * w.dilation - w.pad;
      const bool exists = o < outputs && tap < w.taps && x >= 0 && x < w.width;
      ASSERT_EQ(view.load(static_cast<unsigned>(o), static_cast<unsigned>(k)),
                exists ? x * w.channels + k % w.channels + 1 : 0)
          << "output " << o << " k " << k;
    }
  }
}

TEST(View, SlidingWindow) {
  expect_window({.width = 9, .channels = 4, .taps = 3, .stride = 1, .dilation = 1, .pad = 1});
  expect_window({.width = 10, .channels = 3, .taps = 3, .stride = 2, .dilation = 2, .pad = 3});
  expect_window({.width = 5, .channels = 1, .taps = 5, .stride = 3, .dilation = 1, .pad = 4});
  expect_window({.width = 1, .channels = 7, .taps = 1, .stride = 4, .dilation = 3, .pad = 0});
}

TEST(View, IsAConstantExpression) {
  constexpr Element inside = evaluate<matrix_view()>(matrix_params(2, 3, 12, 4), 1, 2);
  static_assert(inside.exists && inside.offset == 20);
  static_assert(!evaluate<matrix_view()>(matrix_params(2, 3, 12, 4), 2, 0).exists);
}

}  // namespace
}  // namespace zellige
