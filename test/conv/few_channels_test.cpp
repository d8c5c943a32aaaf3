// Pipeline::few_channels on the host: what it accepts, and that the windows which its arguments describe, read out of
// emulated copies, are those of the convolution.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "zellige/conv/check.hpp"
#include "zellige/conv/few_channels_check.hpp"
#include "zellige/conv/few_channels_pack.hpp"
#include "zellige/conv/name.hpp"

namespace zellige {
namespace {

ConvConfig config(Mnk block = {128, 64, 32}, int stages = 4, int min_blocks = 1) {
  return {.input = DataType::bf16,
          .output = DataType::bf16,
          .tiling = {.block = block,
                     .waves = {block.m / 16, 1},
                     .atom = {64, block.n, 16},
                     .pipeline = Pipeline::few_channels,
                     .vector_c = 8,
                     .store = Store::lds_shuffle,
                     .min_blocks = min_blocks,
                     .stages = stages}};
}

ConvProblem problem(std::int64_t c, std::int64_t k, ConvAxis h, ConvAxis w, std::int64_t n = 1) {
  ConvProblem p{.input = DataType::bf16, .weight = DataType::bf16, .output = DataType::bf16, .n = n, .c = c, .k = k};
  p.axis[0] = h, p.axis[1] = w;
  return p;
}

ConvProblem stem() {
  const ConvAxis axis{.size = 224, .filter = 7, .stride = 2, .pad_before = 3, .pad_after = 3};
  return problem(3, 64, axis, axis, 32);
}

TEST(FewChannels, NamesParseBack) {
  const std::string name = name_of(Arch::sm_90, config());
  EXPECT_EQ(name, "conv_fwd_sm_90_bf16_b128x64x32_w8x1_a64x64x16_few_vc8_shuffle_st4");
  const auto parsed = parse_conv_fwd_name(name);
  EXPECT_TRUE(parsed.ok()) << parsed.error;
  EXPECT_EQ(parsed.config, config());
}

TEST(FewChannels, BlocksOfManyShapesAreAccepted) {
  for (const Mnk block : {Mnk{64, 32, 16}, Mnk{64, 96, 32}, Mnk{128, 128, 64}, Mnk{256, 64, 32}}) {
    const Verdict v = check(config(block), Arch::sm_90);
    EXPECT_TRUE(v.ok) << v.why.view();
  }
}

TEST(FewChannels, ThreadsCountTheWarpThatFeeds) { EXPECT_EQ(threads_of(config().tiling, Arch::sm_90), 2 * 128 + 32); }

struct Refused {
  const char* what;
  void (*spoil)(ConvConfig&);
  Reason reason;
  const char* says;
};

TEST(FewChannels, EveryMisfitIsRefusedWithItsNumbers) {
  const Refused cases[] = {
      {"rows of warps", [](ConvConfig& c) { c.tiling.waves.m = 4; }, Reason::config_value, "waves.m = 4 must be 8"},
      {"three axes", [](ConvConfig& c) { c.spatial = 3; }, Reason::config_value, "spatial = 3 must be 2"},
      {"8-bit inputs",
       [](ConvConfig& c) {
         c.input = DataType::f8e4m3, c.output = DataType::bf16;
         c.tiling.atom.k = 32, c.tiling.vector_a = c.tiling.vector_b = 16;
       },
       Reason::config_value, "input element = 1 must be 2"},
      {"a split reduction", [](ConvConfig& c) { c.tiling.split_k = SplitK::two_stage, c.tiling.vector_c = 4; },
       Reason::config_value, "split_k = 1 must be 0"},
      {"wide blocks", [](ConvConfig& c) { c.tiling.block.n = c.tiling.atom.n = 192; }, Reason::config_value,
       "block.n = 192 must be 16, 32, 64, 96 or 128"},
      {"single elements", [](ConvConfig& c) { c.tiling.store = Store::direct, c.tiling.vector_c = 1; },
       Reason::config_value, "store = 0 must be 1"},
      {"no ring", [](ConvConfig& c) { c.tiling.stages = 0; }, Reason::config_value, "stages = 0 must be from 2 to 16"},
      {"long steps", [](ConvConfig& c) { c.tiling.block.k = 128; }, Reason::lds_layout, "rows of 256 bytes"},
      {"shared too often", [](ConvConfig& c) { c.tiling.min_blocks = 4; }, Reason::too_many_registers,
       "of 288 threads in 4 workgroups"},
      {"many threads", [](ConvConfig& c) { c.tiling.block.m = 512, c.tiling.waves.m = 32; }, Reason::too_many_threads,
       "1056 threads"},
  };
  for (const Refused& refused : cases) {
    ConvConfig c = config();
    refused.spoil(c);
    const Verdict v = check(c, Arch::sm_90);
    EXPECT_EQ(v.code, refused.reason) << refused.what << ": " << v.why.view();
    EXPECT_NE(v.why.view().find(refused.says), std::string_view::npos) << refused.what << ": " << v.why.view();
  }
}

TEST(FewChannels, OtherTargetsAndMatrixProductsRefuseThePipeline) {
  EXPECT_EQ(check(config(), Arch::gfx942).code, Reason::no_such_atom);
  EXPECT_EQ(check(lowered(config()), Arch::sm_90).code, Reason::pipeline_unsupported);
}

TEST(FewChannels, ProblemsThatCopiesCannotReadAreRefused) {
  const auto refusal = [](auto change) {
    ConvProblem p = stem();
    change(p);
    return supports(config(), Arch::sm_90, p);
  };
  EXPECT_TRUE(refusal([](ConvProblem&) {}).ok);
  EXPECT_TRUE(refusal([](ConvProblem& p) { p.axis[0].dilation = 3; }).ok);
  EXPECT_EQ(refusal([](ConvProblem& p) { p.axis[1].dilation = 2; }).code, Reason::bad_filter);
  EXPECT_EQ(refusal([](ConvProblem& p) { p.c = 6, p.groups = 2; }).code, Reason::bad_groups);
  EXPECT_EQ(refusal([](ConvProblem& p) { p.k = 60; }).code, Reason::channels_not_divisible);
  const Verdict rows = refusal([](ConvProblem& p) { p.axis[1].size = 225; });
  EXPECT_EQ(rows.code, Reason::channels_not_divisible);
  EXPECT_NE(rows.why.view().find("1350 bytes"), std::string_view::npos) << rows.why.view();
  EXPECT_EQ(refusal([](ConvProblem& p) { p.c = 60, p.axis[1].stride = 3; }).code, Reason::tensor_too_large);
  EXPECT_EQ(refusal([](ConvProblem& p) { p.c = 44; }).code, Reason::lds_too_small);
  const Verdict many = refusal([](ConvProblem& p) { p.c = 64; });
  EXPECT_EQ(many.code, Reason::pipeline_unsupported);
  EXPECT_NE(many.why.view().find("pixels of 64 channels"), std::string_view::npos) << many.why.view();
}

TEST(FewChannels, WeightsOfLongReductionsLeaveRoomForFilterRows) {
  const ConvAxis axis{.size = 224, .filter = 14, .stride = 14};
  const ConvProblem p = folded(problem(3, 1024, axis, axis, 32));
  const FewChannelsTile t = few_channels_tile(few_channels_shape(config({128, 128, 16}, 8)), Arch::sm_90, p);
  ASSERT_TRUE(t.verdict.ok) << t.verdict.why.view();
  EXPECT_TRUE(t.apart);
  EXPECT_GE(t.stages, 2);
  EXPECT_GE(t.stages_of_tile * t.filter_rows, 14);
  EXPECT_LE(t.lds_bytes, 232448);
}

TEST(FewChannels, EveryFilterOfABlockIsWrittenOnce) {
  for (const Mnk block : {Mnk{64, 128, 16}, Mnk{128, 96, 32}, Mnk{192, 64, 32}, Mnk{256, 16, 32}, Mnk{320, 128, 16}}) {
    const FewChannelsShape s = few_channels_shape(config(block));
    const int warps = s.consumers() * 4, batch = s.filters_at_once();
    std::vector<int> written(static_cast<std::size_t>(block.n));
    for (int warp = 0; warp < warps; ++warp) {
      for (int filter = warp * batch; filter < block.n; filter += warps * batch) {
        for (int i = 0; i < batch; ++i) {
          if (filter + i < block.n) ++written[static_cast<std::size_t>(filter + i)];
        }
      }
    }
    for (int times : written) EXPECT_EQ(times, 1) << block.m << "x" << block.n;
  }
}

/// What a copy brings to a stage: elements of the box at (x, y, z, image), zero outside of the tensor.
std::vector<std::int64_t> staged(const TensorMapShape& a, const std::vector<std::int64_t>& input, std::int64_t unit,
                                 std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t image) {
  std::vector<std::int64_t> stage;
  for (std::int64_t k = z; k < z + a.box[2]; ++k) {
    for (std::int64_t j = y; j < y + a.box[1]; ++j) {
      for (std::int64_t i = x * unit; i < (x + a.box[0]) * unit; ++i) {
        const bool inside = i >= 0 && i < a.extent[0] * unit && j >= 0 && j < a.extent[1] && k >= 0 && k < a.extent[2];
        const std::int64_t byte = i * 2 + j * a.stride[1] + k * a.stride[2] + image * a.stride[3];
        stage.push_back(inside ? input[static_cast<std::size_t>(byte / 2)] : 0);
      }
    }
  }
  return stage;
}

/// The convolution as it is defined, at one output pixel and with a filter of its own.
std::int64_t defined(const ConvProblem& p, const std::vector<std::int64_t>& input,
                     const std::vector<std::int64_t>& filter, std::int64_t image, std::int64_t out_h,
                     std::int64_t out_w) {
  const ConvAxis &h = p.axis[0], &w = p.axis[1];
  std::int64_t sum = 0;
  for (std::int64_t r = 0; r < h.filter; ++r) {
    for (std::int64_t s = 0; s < w.filter; ++s) {
      const std::int64_t y = out_h * h.stride - h.pad_before + r * h.dilation, x = out_w * w.stride - w.pad_before + s;
      if (y < 0 || x < 0 || y >= h.size || x >= w.size) continue;
      for (std::int64_t c = 0; c < p.c; ++c) {
        sum += input[static_cast<std::size_t>(((image * h.size + y) * w.size + x) * p.c + c)] *
               filter[static_cast<std::size_t>((r * w.filter + s) * p.c + c)];
      }
    }
  }
  return sum;
}

/// Computes the whole problem, with one filter, as a kernel would: true where each output is written once and right.
void expect_windows(const ConvConfig& c, const ConvProblem& p, std::mt19937& random) {
  const FewChannelsShape s = few_channels_shape(c);
  const FewChannelsTile t = few_channels_tile(s, Arch::sm_90, p);
  ASSERT_TRUE(t.verdict.ok) << t.verdict.why.view();
  const FewChannelsPacked packed = pack_few_channels(s, Arch::sm_90, p, 132);
  const FewChannelsArgs& args = packed.args;
  ASSERT_LE(packed.lds_bytes, 232448u);
  ASSERT_LE(args.barriers_at + args.stages * 16 + 1024, packed.lds_bytes);
  ASSERT_EQ(args.stages_at % 128 + args.stage_bytes % 128, 0u);
  ASSERT_EQ(packed.a.row_bytes() % 16, 0);
  for (int i = 0; i < 4; ++i) ASSERT_LE(packed.a.box[i], 256);
  const auto number = [&] { return static_cast<std::int64_t>(random() % 15) - 7; };
  std::vector<std::int64_t> input(static_cast<std::size_t>(input_bytes(p).value / 2));
  std::vector<std::int64_t> filter(static_cast<std::size_t>(p.taps() * p.c));
  for (auto& x : input) x = number();
  for (auto& x : filter) x = number();
  std::vector<int> written(static_cast<std::size_t>(p.n * p.output_pixels()));
  for (std::uint32_t index = 0; index < args.pixel_tiles; ++index) {
    const std::uint32_t tile_w = index % args.by_tiles_w.divisor, rest = index / args.by_tiles_w.divisor;
    const std::uint32_t tile_h = rest % args.by_tiles_h.divisor, image = rest / args.by_tiles_h.divisor;
    std::vector<std::vector<std::int64_t>> stages;
    for (std::uint32_t stage = 0; stage < args.stages_of_tile; ++stage) {
      const std::int64_t x = std::int64_t{tile_w} * args.x_step + args.x_first;
      ASSERT_EQ(x * t.unit * 2 % 16, 0) << "the engine copies from 16-byte boundaries alone";
      stages.push_back(staged(packed.a, input, t.unit, x,
                              std::int64_t{tile_h} * args.y_step + args.y_first + stage * args.filter_rows,
                              std::int64_t{tile_h} * args.z_step, image));
      ASSERT_EQ(stages.back().size() * 2, args.box_bytes);
      ASSERT_LE(args.box_bytes, args.stage_bytes);
    }
    for (std::uint32_t consumer = 0; consumer < static_cast<std::uint32_t>(s.consumers()); ++consumer) {
      for (std::uint32_t m = 0; m < 64; ++m) {
        const TilePixel pixel = tile_pixel(args, consumer, m);
        const std::uint32_t out_w = tile_w * args.across + pixel.w, out_h = tile_h * args.down + pixel.h;
        if (out_w >= args.out_w || out_h >= args.out_h) continue;
        const WindowBegin begin = window_begin(args, pixel);
        std::int64_t sum = 0;
        for (std::uint32_t pair = 0; pair < args.steps * static_cast<std::uint32_t>(s.step_pairs()); ++pair) {
          const WindowPair window = window_pair(args, pair);
          const FilterPair of_filter = filter_pair(args, pair);
          ASSERT_EQ(window.mask, (of_filter.has_low ? 0xffffu : 0) | (of_filter.has_high ? 0xffff0000u : 0));
          // A step reads two stages at most: that of its first pair, and the next.
          const std::uint32_t first = pair / static_cast<std::uint32_t>(s.step_pairs()) * s.step_pairs();
          const std::uint32_t begins_in = window_pair(args, first).stage;
          ASSERT_LE(window.stage, begins_in + 1);
          const std::uint32_t word = table_word(window, begins_in);
          ASSERT_EQ((word >> 16 & 0x7fff) * 4, window.offset);
          ASSERT_EQ(begins_in + (word >> 31), window.stage);
          ASSERT_EQ(word & 0xffff, window.mask == 0          ? 0x4444u
                                   : window.mask == 0xffffu  ? 0x4410u
                                   : window.mask == ~0xffffu ? 0x3244u
                                                             : 0x3210u);
          const std::size_t element = (begin.offset + window.offset) / 2 + (begin.middle ? 1 : 0);
          const std::vector<std::int64_t>& stage = stages[window.stage];
          if (of_filter.has_low) sum += stage.at(element) * filter.at(of_filter.low);
          if (of_filter.has_high) sum += stage.at(element + 1) * filter.at(of_filter.low + 1);
        }
        ASSERT_EQ(sum, defined(p, input, filter, image, out_h, out_w)) << out_h << " " << out_w;
        ++written[(image * args.out_h + out_h) * args.out_w + out_w];
      }
    }
  }
  for (int times : written) ASSERT_EQ(times, 1);
}

TEST(FewChannels, WindowsReadOutOfTheRingAreThoseOfTheConvolution) {
  std::mt19937 random(3);
  const auto pick = [&](int low, int high) { return low + static_cast<int>(random() % (high - low + 1)); };
  int ran = 0, odd = 0, lead = 0, wide = 0;
  while (ran < 300) {
    const Mnk blocks[] = {{64, 32, 16}, {128, 64, 32}, {192, 64, 32}, {128, 128, 16}};
    const ConvConfig c = config(blocks[pick(0, 3)], pick(2, 8));
    const int channels = pick(1, 8);
    ConvAxis h{.size = pick(1, 40),
               .filter = pick(1, 14),
               .stride = pick(1, 5),
               .dilation = pick(1, 2),
               .pad_before = pick(0, 1) * pick(0, 5),
               .pad_after = pick(0, 4)};
    ConvAxis w{.size = pick(1, 80),
               .filter = pick(1, 14),
               .stride = pick(1, 14),
               .pad_before = pick(0, 4),
               .pad_after = pick(0, 4)};
    if (h.outputs() < 1 || w.outputs() < 1 || w.size * channels % 8 != 0) continue;
    const ConvProblem p = problem(channels, 64 * pick(1, 2), h, w, pick(1, 2));
    if (!supports(c, Arch::sm_90, p, {.fold = false}).ok) continue;
    const FewChannelsTile t = few_channels_tile(few_channels_shape(c), Arch::sm_90, p);
    ASSERT_NO_FATAL_FAILURE(expect_windows(c, p, random)) << ran;
    ++ran;
    odd += t.odd_step, lead += t.lead, wide += t.unit > 1;
  }
  for (int seen : {odd, lead, wide}) EXPECT_GT(seen, 5);
  const ConvAxis axis{.size = 56, .filter = 14, .stride = 14};
  const ConvConfig c = config({128, 128, 16}, 8);
  const ConvProblem patches = problem(3, 128, axis, axis, 2), p = folded(patches);
  ASSERT_TRUE(few_channels_tile(few_channels_shape(c), Arch::sm_90, p).stages_of_tile > 1);
  expect_windows(c, p, random);
  expect_windows(c, patches, random);
}

}  // namespace
}  // namespace zellige
