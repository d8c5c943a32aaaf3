// Random problems and their shrinking.
#include "random_problem.hpp"

#include <algorithm>

namespace zellige {

namespace {

std::int64_t pick(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

bool chance(Random& random, int one_in) { return random() % static_cast<unsigned>(one_in) == 0; }

/// A size in steps of `step`: mostly a few steps, sometimes around `tile`, so that one tile is exceeded.
std::int64_t size_in_steps(Random& random, std::int64_t step, std::int64_t tile) {
  if (chance(random, 3)) return step * pick(random, 1, std::max<std::int64_t>(1, (tile + tile / 2) / step));
  return step * pick(random, 1, 5);
}

/// The steps that an instance's vectors and tiles make the sizes of a product keep.
struct GemmSteps {
  std::int64_t m, n, k;
};

GemmSteps steps_of(const GemmConfig& c) {
  const Tiling& t = c.tiling;
  const bool row_a = c.order_a == MatrixOrder::row, row_b = c.order_b == MatrixOrder::row;
  return {.m = row_a ? 1 : t.vector_a,
          .n = std::max(row_b ? t.vector_b : 1, t.vector_c),
          .k = t.walk == Walk::run ? t.block.k : std::max(row_a ? t.vector_a : 1, row_b ? 1 : t.vector_b)};
}

/// The same of a convolution's channels, where a group has `groups` of them.
std::int64_t channel_step(const Tiling& t, std::int64_t groups) {
  const bool whole_tiles = t.walk == Walk::run || (t.pipeline == Pipeline::tensor_copy && groups > 1);
  return whole_tiles ? t.block.k : std::max(t.vector_a, t.vector_b);
}

GemmProblem random_gemm(const GemmConfig& c, Random& random) {
  const Tiling& t = c.tiling;
  GemmProblem p{.input = c.input, .output = c.output, .order_a = c.order_a, .order_b = c.order_b};
  const GemmSteps step = steps_of(c);
  p.m = size_in_steps(random, step.m, t.block.m);
  p.n = size_in_steps(random, step.n, t.block.n);
  p.k = step.k * pick(random, 1, chance(random, 2) ? 3 : std::max<std::int64_t>(1, 5 * t.block.k / step.k));
  if (chance(random, 2)) p.ld_a = p.stride_a() + t.vector_a * pick(random, 0, 3);
  if (chance(random, 2)) p.ld_b = p.stride_b() + t.vector_b * pick(random, 0, 3);
  if (chance(random, 2)) p.ld_c = p.stride_c() + t.vector_c * pick(random, 0, 3);
  return p;
}

/// Of Pipeline::few_channels, which takes what its copies can read: often, but not always, this.
ConvProblem random_stem(const ConvConfig& c, Random& random) {
  ConvProblem p{.input = c.input, .weight = c.input, .output = c.output};
  p.spatial = static_cast<int>(pick(random, 1, 2));
  p.c = pick(random, 1, 8);
  p.k = size_in_steps(random, c.tiling.vector_c, c.tiling.block.n);
  for (int i = 0; i < p.spatial; ++i) {
    ConvAxis& a = p.axis[i];
    const bool inner = i == p.spatial - 1;
    do {
      a.size = inner ? 8 * pick(random, 1, 5) / (p.c % 4 == 0 ? 4 : 1) : pick(random, 1, 20);
      a.filter = chance(random, 3) ? 1 : pick(random, 1, 7);
      a.stride = chance(random, 2) ? 1 : pick(random, 1, 5);
      a.dilation = inner || chance(random, 2) ? 1 : pick(random, 1, 3);
      a.pad_before = chance(random, 2) ? a.filter / 2 : pick(random, 0, 5);
      a.pad_after = chance(random, 2) ? a.pad_before : pick(random, 0, 5);
    } while (a.outputs() < 1);
  }
  p.n = pick(random, 1, 3);
  return p;
}

ConvProblem random_conv(const ConvConfig& c, Random& random) {
  const Tiling& t = c.tiling;
  ConvProblem p{.input = c.input, .weight = weight_of(c.input, c.weight), .output = c.output};
  p.spatial = static_cast<int>(pick(random, 1, c.spatial));
  p.groups = chance(random, 3) ? pick(random, 2, 4) : 1;
  const std::int64_t step_c = channel_step(t, p.groups);
  p.c = p.groups * step_c * pick(random, 1, step_c > 8 ? 2 : 5);
  p.k = p.groups * size_in_steps(random, t.vector_c, t.block.n);
  const std::int64_t rows = chance(random, 4) ? t.block.m * 2 : 60;  // about how many output pixels
  std::int64_t pixels = 1;
  for (int i = 0; i < p.spatial; ++i) {
    ConvAxis& a = p.axis[i];
    do {
      a.size = chance(random, 5) ? 1 : pick(random, 1, p.spatial == 1 ? rows : p.spatial == 2 ? rows / 8 + 4 : 6);
      a.filter = chance(random, 3) ? 1 : pick(random, 1, p.spatial == 3 ? 3 : 4);
      a.stride = chance(random, 2) ? 1 : pick(random, 1, 4);
      a.dilation = chance(random, 2) ? 1 : pick(random, 1, 3);
      a.pad_before = chance(random, 2) ? a.filter / 2 : pick(random, 0, 5);
      a.pad_after = chance(random, 2) ? a.pad_before : pick(random, 0, 5);
    } while (a.outputs() < 1);
    pixels *= a.outputs();
  }
  p.n = pick(random, 1, std::max<std::int64_t>(1, std::min<std::int64_t>(4, rows / pixels)));
  return p;
}

/// Adds `problem` with one member replaced, where that changes it.
template <class P, class Change>
void add(std::vector<P>& list, const P& problem, Change change) {
  P other = problem;
  change(other);
  if (!(other == problem)) list.push_back(other);
}

std::vector<GemmProblem> simpler_gemm(const GemmProblem& p) {
  std::vector<GemmProblem> list;
  add(list, p, [](auto& q) { q.ld_a = 0; });
  add(list, p, [](auto& q) { q.ld_b = 0; });
  add(list, p, [](auto& q) { q.ld_c = 0; });
  for (auto member : {&GemmProblem::m, &GemmProblem::n, &GemmProblem::k}) {
    for (std::int64_t step : {p.*member / 2, std::int64_t{16}, std::int64_t{8}, std::int64_t{1}}) {
      add(list, p, [&](auto& q) { q.*member = std::max<std::int64_t>(1, q.*member - step); });
    }
  }
  return list;
}

std::vector<ConvProblem> simpler_conv(const ConvProblem& p) {
  std::vector<ConvProblem> list;
  add(list, p, [](auto& q) {
    q.c /= q.groups;
    q.k /= q.groups;
    q.groups = 1;
  });
  add(list, p, [](auto& q) { q.n = 1; });
  for (auto member : {&ConvProblem::c, &ConvProblem::k}) {
    for (std::int64_t step : {p.*member / 2, std::int64_t{32} * p.groups, std::int64_t{8} * p.groups, p.groups}) {
      add(list, p, [&](auto& q) { q.*member = std::max(q.groups, q.*member - step / q.groups * q.groups); });
    }
  }
  for (int i = 0; i < p.spatial; ++i) {
    add(list, p, [&](auto& q) { q.axis[i] = {}; });
    add(list, p, [&](auto& q) { q.axis[i].filter = 1; });
    add(list, p, [&](auto& q) { q.axis[i].stride = 1; });
    add(list, p, [&](auto& q) { q.axis[i].dilation = 1; });
    add(list, p, [&](auto& q) { q.axis[i].pad_before = 0; });
    add(list, p, [&](auto& q) { q.axis[i].pad_after = 0; });
    for (std::int64_t step : {p.axis[i].size / 2, std::int64_t{1}}) {
      add(list, p, [&](auto& q) { q.axis[i].size = std::max<std::int64_t>(1, q.axis[i].size - step); });
    }
  }
  if (p.spatial > 1) {
    add(list, p, [](auto& q) { q.axis[--q.spatial] = {}; });
  }
  return list;
}

}  // namespace

Problem random_problem(const Operation& operation, Random& random) {
  if (const auto* gemm = std::get_if<GemmKernel>(&operation.kernel)) return random_gemm(gemm->config, random);
  const ConvConfig& config = std::get<ConvKernel>(operation.kernel).config;
  if (config.tiling.pipeline != Pipeline::few_channels) return random_conv(config, random);
  Problem problem = random_stem(config, random);
  while (!operation.supports(problem).ok) problem = random_stem(config, random);
  return problem;
}

Problem border_problem(const Operation& operation, int steps) {
  const Mnk block = operation.tiling().block;
  const auto size = [steps](std::int64_t tiles, std::int64_t step) { return std::max(step, tiles + steps * step); };
  if (const auto* gemm = std::get_if<GemmKernel>(&operation.kernel)) {
    const GemmConfig& c = gemm->config;
    const GemmSteps step = steps_of(c);
    return GemmProblem{.m = size(block.m, step.m),
                       .n = size(2 * block.n, step.n),
                       .k = size(3 * block.k, step.k),
                       .input = c.input,
                       .output = c.output,
                       .order_a = c.order_a,
                       .order_b = c.order_b};
  }
  const ConvConfig& c = std::get<ConvKernel>(operation.kernel).config;
  const bool few = c.tiling.pipeline == Pipeline::few_channels;  // rows of whole 16 bytes, whatever their pixels
  ConvProblem p{.input = c.input,
                .weight = weight_of(c.input, c.weight),
                .output = c.output,
                .c = few ? 8 : size(2 * block.k, channel_step(c.tiling, 1)),
                .k = size(block.n, c.tiling.vector_c),
                .spatial = 1};
  p.axis[0] = {.size = block.m + steps, .filter = 3, .pad_before = 1, .pad_after = 1};
  return p;
}

PlanOptions random_options(const Operation& operation, const Problem& problem, Random& random) {
  PlanOptions options;
  if (operation.tiling().split_k == SplitK::two_stage && !chance(random, 8)) {
    options.split_k = static_cast<int>(chance(random, 4) ? pick(random, 10, 40) : pick(random, 1, 9));
  }
  const bool sums_are_floats = accumulator_of(operation.mma().input) != DataType::i32;
  if (sums_are_floats && chance(random, 2)) {
    options.epilogue = {.scale = chance(random, 2), .bias = chance(random, 2), .residual = chance(random, 2)};
    options.epilogue.activation = static_cast<Activation>(pick(random, 0, 2));
    if (options.epilogue.activation == Activation::clamp) options.epilogue.low = -2, options.epilogue.high = 6;
    if (!operation.supports(problem, options).ok) options.epilogue = {};  // blocks that fill the registers have none
  }
  return options;
}

std::vector<Problem> simpler(const Operation& operation, const Problem& problem) {
  std::vector<Problem> list;
  if (const auto* p = std::get_if<GemmProblem>(&problem)) {
    for (const GemmProblem& q : simpler_gemm(*p)) list.emplace_back(q);
  } else {
    for (const ConvProblem& q : simpler_conv(std::get<ConvProblem>(problem))) list.emplace_back(q);
  }
  std::erase_if(list, [&](const Problem& q) { return !operation.supports(q).ok; });
  return list;
}

}  // namespace zellige
