// Law of the input view: element (m, k) is the input pixel under output pixel m and tap and channel k, or does not exist.
#include "zellige/conv/lower.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "random_conv.hpp"
#include "zellige/conv/pack.hpp"

namespace zellige {
namespace {

template <int spatial>
void expect_view_is_the_convolution(const ConvProblem& problem) {
  const ConvProblem p = with_spatial(problem, spatial);
  const ViewParams params = conv_input_params(p);
  const std::int64_t channels = p.channels_per_group(), rows = p.n * p.output_pixels(), depth = p.taps() * channels;
  for (std::int64_t m = 0; m < rows + 40; ++m) {
    for (std::int64_t k = 0; k < depth + 40; ++k) {
      std::int64_t pixel = m, tap = k / channels, offset = 0, stride = 1;
      bool exists = k < depth && m < rows;
      std::int64_t place[max_spatial] = {};
      for (int axis = spatial - 1; axis >= 0; --axis) {
        const ConvAxis& a = p.axis[axis];
        place[axis] = pixel % a.outputs() * a.stride - a.pad_before + tap % a.filter * a.dilation;
        exists = exists && place[axis] >= 0 && place[axis] < a.size;
        pixel /= a.outputs();
        tap /= a.filter;
      }
      offset = k % channels;
      stride = p.c;
      for (int axis = spatial - 1; axis >= 0; --axis) {
        offset += place[axis] * stride;
        stride *= p.axis[axis].size;
      }
      offset += pixel * stride;
      const Element e = evaluate<conv_input_view(spatial)>(params, static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(k));
      ASSERT_EQ(e.exists, exists) << "m " << m << " k " << k;
      ASSERT_EQ(exists ? e.offset : 0, exists ? offset * bytes_of(p.input) : 0) << "m " << m << " k " << k;
    }
  }
}

TEST(ConvLower, TheInputViewIsTheConvolution) {
  std::mt19937 random(20260101);
  for (int round = 0; round < 40; ++round) {
    expect_view_is_the_convolution<1>(random_conv(random, 1));
    expect_view_is_the_convolution<2>(random_conv(random, 2));
    expect_view_is_the_convolution<3>(random_conv(random, 1 + round % 3));
  }
}

TEST(ConvLower, FewerAxesRunAsAxesOfSizeOne) {
  const ConvProblem line{.n = 2, .c = 3, .k = 4, .spatial = 1, .axis = {{{.size = 9, .filter = 3, .stride = 2}}}};
  const ConvProblem plane = with_spatial(line, 2);
  EXPECT_EQ(plane.axis[0], ConvAxis{});
  EXPECT_EQ(plane.axis[1], line.axis[0]);
  EXPECT_EQ(input_bytes(plane).value, input_bytes(line).value);
  EXPECT_EQ(output_bytes(plane).value, output_bytes(line).value);
}

TEST(ConvPack, lesson31_every_field_of_the_problem_reaches_the_kernel) {
  const ConvConfig config{.tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {32, 32, 8}}};
  const ConvAxis axis{.size = 20, .filter = 3, .stride = 2, .dilation = 2, .pad_before = 2, .pad_after = 2};
  const ConvProblem p{.n = 2, .c = 32, .k = 64, .groups = 2, .spatial = 2, .axis = {{axis, axis}}};
  std::vector<ConvProblem> others;
  const auto with = [&](auto change) { change(others.emplace_back(p)); };
  with([](auto& q) { q.n = 3; });
  with([](auto& q) { q.c = 64; });
  with([](auto& q) { q.k = 96; });
  with([](auto& q) { q.groups = 4; });
  with([](auto& q) { q.output = DataType::f32; });
  with([](auto& q) { q.spatial = 1; });
  for (int i = 0; i < 2; ++i) {
    with([&](auto& q) { q.axis[i].size = 22; });
    with([&](auto& q) { q.axis[i].filter = 5; });
    with([&](auto& q) { q.axis[i].stride = 3; });
    with([&](auto& q) { q.axis[i].dilation = 3; });
    with([&](auto& q) { q.axis[i].pad_before = 4; });
    with([&](auto& q) { q.axis[i].pad_before = 1, q.axis[i].pad_after = 3; });  // as many outputs as before
    with([&](auto& q) { q.axis[i].pad_after = 4; });                             // seen only by its outputs
  }
  const auto bits = [&](const ConvProblem& q) {
    const GemmArgs args = pack_args(config, q, 1);
    std::string text(sizeof args, '\0');
    std::memcpy(text.data(), &args, sizeof args);
    return text;
  };
  for (std::size_t i = 0; i < others.size(); ++i) {
    ASSERT_TRUE(validate(others[i]).ok) << validate(others[i]).why.view();
    EXPECT_NE(bits(others[i]), bits(p)) << "change " << i << " is lost on its way to the kernel";
  }
}

TEST(ConvPack, GroupsAreBatchesOfTheGemm) {
  const ConvConfig config{.tiling = {.block = {64, 64, 32}, .waves = {2, 2}, .atom = {32, 32, 8}}};
  const ConvProblem p{.n = 2, .c = 96, .k = 200, .groups = 2, .spatial = 2, .axis = {{{.size = 9, .filter = 3}, {.size = 9, .filter = 3}}}};
  const GemmArgs args = pack_args(config, p, 1);
  EXPECT_EQ(args.m, 2u * 7 * 7);
  EXPECT_EQ(args.n, 100u);
  EXPECT_EQ(args.k, 9u * 48);
  EXPECT_EQ(args.k_tiles, 14u);
  EXPECT_EQ(args.batch_a, 48u * 2);
  EXPECT_EQ(args.batch_b, 100u * 9 * 48 * 2);
  EXPECT_EQ(args.batch_c, 100u * 2);
  EXPECT_EQ(args.schedule.batches, 2u);
  EXPECT_EQ(args.schedule.tiles_m * args.schedule.tiles_n, 2u * 2);
}

}  // namespace
}  // namespace zellige
