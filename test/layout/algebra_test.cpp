// The laws of the layout algebra, checked index by index: one helper a law, two lines a case.
#include "zellige/layout/algebra.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace zellige {
namespace {

Layout make(std::vector<int> shape, std::vector<int> stride) {
  Layout layout;
  for (std::size_t d = 0; d < shape.size(); ++d) layout.append(shape[d], stride[d]);
  return layout;
}

unsigned count(const Layout& layout) { return static_cast<unsigned>(layout.size()); }

std::multiset<unsigned> image(const Layout& layout) {
  std::multiset<unsigned> offsets;
  for (unsigned i = 0; i < count(layout); ++i) offsets.insert(layout(i));
  return offsets;
}

void expect_coalesced(const Layout& a, int rank) {
  const Layout r = coalesce(a);
  ASSERT_EQ(r.rank, rank);
  ASSERT_EQ(r.size(), a.size());
  for (unsigned i = 0; i < count(a); ++i) ASSERT_EQ(r(i), a(i)) << i;
}

TEST(Coalesce, SameFunctionFewerDigits) {
  expect_coalesced(make({2, 1, 6}, {1, 6, 2}), 1);
  expect_coalesced(make({2, 3, 4}, {1, 2, 6}), 1);
  expect_coalesced(make({4, 8}, {8, 1}), 2);
  expect_coalesced(make({4, 8}, {0, 0}), 1);
  expect_coalesced(make({1, 1}, {5, 7}), 0);
  expect_coalesced(make({2, 2, 2}, {1, 4, 8}), 2);
}

void expect_composed(const Layout& a, const Layout& b) {
  const Layout r = compose(a, b);
  ASSERT_TRUE(r.exists());
  ASSERT_EQ(r.size(), b.size());
  for (unsigned i = 0; i < count(b); ++i) ASSERT_EQ(r(i), a(b(i))) << i;
}

TEST(Compose, IsApplicationInTurn) {
  expect_composed(make({6, 2}, {8, 2}), make({4, 3}, {3, 1}));
  expect_composed(make({10, 2}, {16, 4}), make({5, 4}, {1, 5}));
  expect_composed(make({4, 8}, {8, 1}), make({32}, {1}));
  expect_composed(make({4, 8}, {8, 1}), make({8}, {4}));
  expect_composed(make({20}, {2}), make({5, 4}, {4, 1}));
  expect_composed(make({4, 3}, {3, 1}), make({2, 2}, {0, 4}));
  expect_composed(make({2, 2, 2, 2}, {8, 4, 2, 1}), make({4, 4}, {4, 1}));
  expect_composed(make({8}, {0}), make({4}, {2}));
  expect_composed(Layout{}, make({3}, {0}));
}

TEST(Compose, RefusesStepsThatDoNotDivide) {
  EXPECT_FALSE(compose(make({6, 4}, {1, 10}), make({4}, {4})).exists());
  EXPECT_FALSE(compose(make({4, 6}, {1, 10}), make({6}, {1})).exists());
  EXPECT_FALSE(compose(no_layout(), make({2}, {1})).exists());
  EXPECT_FALSE(compose(make({2}, {1}), no_layout()).exists());
}

void expect_complement(const Layout& a, int size) {
  const Layout rest = complement(a, size);
  ASSERT_TRUE(rest.exists());
  const auto covered = image(concatenate(a, rest));
  ASSERT_EQ(*covered.rbegin() + 1, covered.size()) << "an offset is taken twice or missing";
  ASSERT_GE(covered.size(), static_cast<std::size_t>(size));
}

TEST(Complement, FillsTheGaps) {
  expect_complement(make({4}, {1}), 24);
  expect_complement(make({4}, {6}), 24);
  expect_complement(make({6}, {4}), 24);
  expect_complement(make({2, 2}, {1, 6}), 24);
  expect_complement(make({4, 6}, {1, 4}), 24);
  expect_complement(make({2, 4, 2}, {16, 1, 4}), 64);
  expect_complement(make({3}, {2}), 7);
  expect_complement(Layout{}, 5);
}

TEST(Complement, RefusesOverlaps) {
  EXPECT_FALSE(complement(make({4, 4}, {1, 2}), 32).exists());
  EXPECT_FALSE(complement(make({4}, {0}), 32).exists());
  EXPECT_FALSE(complement(make({4, 2}, {1, 6}), 32).exists());
}

void expect_inverse(const Layout& a) {
  const Layout r = inverse(a);
  ASSERT_TRUE(r.exists());
  for (unsigned i = 0; i < count(a); ++i) {
    ASSERT_EQ(a(r(i)), i);
    ASSERT_EQ(r(a(i)), i);
  }
}

TEST(Inverse, UndoesBijections) {
  expect_inverse(make({4, 8}, {8, 1}));
  expect_inverse(make({3, 5, 7}, {35, 7, 1}));
  expect_inverse(make({2, 1, 4, 2}, {4, 3, 8, 1}).append(2, 2));
  expect_inverse(make({16}, {1}));
}

TEST(Inverse, RefusesWhatIsNoBijection) {
  EXPECT_FALSE(inverse(make({4}, {2})).exists());
  EXPECT_FALSE(inverse(make({4, 4}, {1, 2})).exists());
  EXPECT_FALSE(inverse(make({4}, {0})).exists());
}

void expect_divided(const Layout& a, const Layout& b) {
  const Divided r = divide(a, b);
  ASSERT_TRUE(r.tile.exists() && r.rest.exists());
  ASSERT_EQ(r.tile.size(), b.size());
  for (unsigned i = 0; i < count(b); ++i) ASSERT_EQ(r.tile(i), a(b(i)));
  ASSERT_EQ(image(concatenate(r.tile, r.rest)), image(a));
}

TEST(Divide, TilesCoverTheLayout) {
  expect_divided(make({24}, {3}), make({4}, {1}));
  expect_divided(make({24}, {3}), make({4}, {2}));
  expect_divided(make({4, 2, 3}, {2, 1, 8}), make({4}, {2}));
  expect_divided(make({16, 16}, {16, 1}), make({4, 4}, {1, 16}));
}

void expect_product(const Layout& a, const Layout& b) {
  const Layout r = product(a, b);
  ASSERT_TRUE(r.exists());
  ASSERT_EQ(r.size(), a.size() * b.size());
  const auto offsets = image(r);
  ASSERT_EQ(std::set<unsigned>(offsets.begin(), offsets.end()).size(), offsets.size()) << "copies overlap";
  const Layout rest = complement(a, a.size() * b.cosize());
  for (unsigned j = 0; j < count(b); ++j) {
    for (unsigned i = 0; i < count(a); ++i) ASSERT_EQ(r(i + count(a) * j), a(i) + rest(b(j)));
  }
}

TEST(Product, CopiesDoNotOverlap) {
  expect_product(make({2, 2}, {4, 1}), make({6}, {1}));
  expect_product(make({2, 2}, {4, 1}), make({4, 2}, {2, 1}));
  expect_product(make({4}, {2}), make({6}, {1}));
  expect_product(make({8}, {1}), make({2, 3}, {3, 1}));
}

TEST(Product, RefusesCopiesThatSplitAGap) { EXPECT_FALSE(product(make({4}, {2}), make({3}, {1})).exists()); }

/// Random bijections made of powers of two: every law at once.
TEST(Algebra, HoldsForRandomLayouts) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    std::vector<int> shape, stride, order;
    for (int d = 0; d < 4; ++d) {
      shape.push_back(1 << random() % 3);
      order.push_back(d);
    }
    std::shuffle(order.begin(), order.end(), random);
    stride.resize(4);
    int filled = 1;
    for (int d : order) {
      stride[static_cast<std::size_t>(d)] = filled;
      filled *= shape[static_cast<std::size_t>(d)];
    }
    const Layout a = make(shape, stride);
    expect_inverse(a);
    expect_complement(a, a.size());
    const int extent = 1 << random() % 3, step = 1 << random() % 3;
    if (extent * step <= a.size()) {
      expect_composed(a, make({extent}, {step}));
      expect_divided(a, make({extent}, {step}));
    }
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace zellige
