// The instance tables: every row is valid on every target that gets it, names are unique, and the counts keep their
// promises.
#include "tables/tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "zellige/conv/name.hpp"
#include "zellige/host/conv.hpp"
#include "zellige/host/gemm.hpp"

namespace zellige::library {
namespace {

constexpr Arch targets[] = {Arch::gfx90a,  Arch::gfx942,  Arch::gfx950, Arch::gfx1100,
                            Arch::gfx1151, Arch::gfx1201, Arch::gfx1250};

/// Calls body(config) for every config of the target.
template <class Body>
void for_each_config(Arch arch, Selection selection, const Body& body) {
  const auto gemm = std::make_unique<ConfigList<GemmConfig>>(gemm_configs(arch, selection));
  const auto conv = std::make_unique<ConfigList<ConvConfig>>(conv_configs(arch, selection));
  for (int i = 0; i < gemm->count; ++i) body(gemm->config[i]);
  for (int i = 0; i < conv->count; ++i) body(conv->config[i]);
}

TEST(Tables, EveryRowPassesItsCheck) {
  for (Arch arch : all_arches) {
    for_each_config(arch, Selection::full, [&](const auto& config) {
      const Verdict v = check(config, arch);
      EXPECT_TRUE(v.ok) << name_of(arch, config) << ": " << v.why.view();
    });
  }
}

TEST(Tables, NamesAreUnique) {
  for (Arch arch : all_arches) {
    std::set<std::string> names;
    for_each_config(arch, Selection::full, [&](const auto& config) {
      EXPECT_TRUE(names.insert(name_of(arch, config)).second) << name_of(arch, config);
    });
  }
}

TEST(Tables, lesson45_no_lane_stages_bytes_beyond_its_tile) {
  for (Arch arch : all_arches) {
    for_each_config(arch, Selection::full, [&]<class Config>(const Config& config) {
      if (by_warpgroups(config.tiling.pipeline)) return;  // no lane stages: the copy engine does
      Derived d;
      if constexpr (std::is_same_v<Config, ConvConfig>)
        d = derive(lowered(config), arch);
      else
        d = derive(config, arch);
      // The pool as the kernel carves it: A's tile, then B's; a canary where nothing may be written.
      std::vector<char> pool(static_cast<std::size_t>(d.stage_bytes), 'o');
      std::int64_t begin = 0, beyond = 0;
      for (const StageShape& stage : {d.stage_a, d.stage_b}) {
        const LaneMap map = stage.thread_map();
        for (int lane = 0; lane < map.lanes(); ++lane) {
          for (int slot = 0; slot < map.slots(); ++slot) {
            const Coordinate at = map.at(static_cast<unsigned>(lane), static_cast<unsigned>(slot));
            const int line = stage.keep_order ? at.column : at.row, along = stage.keep_order ? at.row : at.column;
            const std::int64_t byte =
                stage.lds.address(static_cast<unsigned>(line), static_cast<unsigned>(along * stage.bytes));
            beyond += byte + stage.bytes > stage.lds.bytes() ? 1 : 0;
            for (std::int64_t b = begin + byte; b < begin + byte + stage.bytes && b < d.stage_bytes; ++b) {
              beyond += pool[static_cast<std::size_t>(b)] == 'x' ? 1 : 0;  // another element's
              pool[static_cast<std::size_t>(b)] = 'x';
            }
          }
        }
        begin += stage.lds.bytes();
      }
      EXPECT_EQ(beyond, 0) << name_of(arch, config);
      EXPECT_LE(d.buffers * d.stage_bytes, d.lds_bytes) << name_of(arch, config);
      EXPECT_LE(d.shuffle_rows * d.shuffle_pitch, d.lds_bytes) << name_of(arch, config);
    });
  }
}

TEST(Tables, SmokeIsSmallAndFullIsLarge) {
  for (Arch arch : targets) {
    int smoke = 0, full = 0;
    for_each_config(arch, Selection::smoke, [&](const auto&) { ++smoke; });
    for_each_config(arch, Selection::full, [&](const auto&) { ++full; });
    EXPECT_LE(smoke, 60) << arch_traits(arch).name;
    EXPECT_GE(full, 200) << arch_traits(arch).name;
  }
}

TEST(Tables, OnlyTargetsWithTheInstructionGetARow) {
  const auto wide = [](Arch arch) {
    int count = 0;
    for_each_config(arch, Selection::full, [&](const auto& config) {
      count += bytes_of(config.input) == 2 && config.tiling.atom.k == 32 ? 1 : 0;
    });
    return count;
  };
  EXPECT_EQ(wide(Arch::gfx90a), 0);
  EXPECT_EQ(wide(Arch::gfx942), 0);
  EXPECT_GT(wide(Arch::gfx950), 10);
  EXPECT_EQ(wide(Arch::gfx1201), 0);
  EXPECT_GT(wide(Arch::gfx1250), 10);
}

/// What one value of each choice must be covered by.
struct Coverage {
  std::set<DataType> inputs, outputs;
  std::set<Pipeline> pipelines;
  std::set<LdsLayout> lds;
  std::set<Walk> walks;
  std::set<Store> stores;
  std::set<Staging> stagings;
  std::set<Transpose> transposes;
  std::set<Scheduling> schedulings;
  std::set<std::pair<DataType, int>> vectors;
  std::set<std::pair<int, int>> atoms;

  template <class Config>
  void add(const Config& c) {
    inputs.insert(c.input);
    outputs.insert(c.output);
    pipelines.insert(c.tiling.pipeline);
    lds.insert(c.tiling.lds);
    walks.insert(c.tiling.walk);
    stores.insert(c.tiling.store);
    stagings.insert(c.tiling.staging);
    transposes.insert(c.tiling.transpose);
    schedulings.insert(c.tiling.scheduling);
    vectors.insert({c.input, c.tiling.vector_a});
    if (bytes_of(c.input) == 2 || c.input == DataType::f32) atoms.insert({c.tiling.atom.m, c.tiling.atom.k});
  }
};

TEST(Tables, SmokeCoversEveryCodePath) {
  for (Arch arch : targets) {
    SCOPED_TRACE(arch_traits(arch).name);
    Coverage all;
    std::set<int> spatial;
    std::set<std::pair<MatrixOrder, MatrixOrder>> layouts;
    std::set<DataType> odd_channels, odd_depths;
    for_each_config(arch, Selection::smoke, [&](const auto& c) {
      all.add(c);
      const bool odd = c.tiling.vector_a == 1 && c.tiling.vector_b == 1 && c.tiling.vector_c == 1 &&
                       c.tiling.walk == Walk::each_tile;
      if constexpr (requires { c.spatial; }) {
        spatial.insert(c.spatial);
        if (odd && c.spatial == 2) odd_channels.insert(c.input);
      } else {
        layouts.insert({c.order_a, c.order_b});
        if (odd) odd_depths.insert(c.input);
      }
    });
    std::set<DataType> inputs, outputs = {DataType::f16, DataType::bf16, DataType::f32};
    for (DataType type : all_data_types) {
      if (mma_shapes(arch, type).view() == "none") continue;
      inputs.insert(type);
      outputs.insert(zellige::output_of(type));
    }
    EXPECT_EQ(all.inputs, inputs);
    EXPECT_EQ(all.outputs, outputs);
    const ArchTraits traits = arch_traits(arch);
    const bool mfma = traits.matrix == MatrixPath::mfma;
    EXPECT_EQ(all.pipelines.size(), mfma ? 2u : 3u);
    EXPECT_EQ(all.stagings.size(), traits.direct_to_lds_widths != 0 ? 2u : 1u);
    EXPECT_EQ(all.transposes.size(), traits.transposed_lds_bytes != 0 ? 2u : 1u);
    EXPECT_EQ(all.schedulings.size(), mfma ? 3u : 1u);
    EXPECT_EQ(all.lds.size(), 2u);
    EXPECT_EQ(all.walks.size(), 2u);
    EXPECT_EQ(all.stores.size(), 2u);
    EXPECT_EQ(spatial, (std::set<int>{1, 2, 3}));
    EXPECT_EQ(layouts.size(), 4u);
    EXPECT_EQ(odd_channels, inputs);
    EXPECT_EQ(odd_depths.size(), 3u);
    for (DataType type : inputs) EXPECT_TRUE(all.vectors.count({type, 16 / bytes_of(type)})) << zellige::name_of(type);
    for (int vector : {1, 2, 4, 8}) EXPECT_TRUE(all.vectors.count({DataType::f16, vector})) << vector;
    for (int vector : {1, 2, 4}) EXPECT_TRUE(all.vectors.count({DataType::f32, vector})) << vector;
    const auto expect_atoms = [&](std::initializer_list<std::pair<int, int>> atoms) {
      for (auto atom : atoms) EXPECT_TRUE(all.atoms.count(atom)) << atom.first << " " << atom.second;
    };
    switch (arch_traits(arch).matrix) {
      case MatrixPath::mfma:
        expect_atoms({{16, 16}, {32, 8}, {16, 4}, {32, 2}});
        if (arch == Arch::gfx950) expect_atoms({{16, 32}, {32, 16}});
        break;
      case MatrixPath::wmma_gfx1250:
        expect_atoms({{16, 32}, {16, 4}});
        break;
      default:
        expect_atoms({{16, 16}, {32, 1}});
    }
  }
}

TEST(Tables, SmokeOfNvidiaCoversBothWaysToMultiply) {
  Coverage all;
  int smoke = 0;
  std::set<int> spatial;
  for_each_config(Arch::sm_90, Selection::smoke, [&](const auto& c) {
    all.add(c);
    ++smoke;
    if constexpr (requires { c.spatial; }) spatial.insert(c.spatial);
  });
  EXPECT_LE(smoke, 60);
  // Not 8-bit floats: gemm_sm90.hpp says why.
  EXPECT_EQ(all.inputs, (std::set{DataType::f16, DataType::bf16, DataType::tf32}));
  EXPECT_EQ(all.outputs, (std::set{DataType::f16, DataType::bf16, DataType::f32}));
  EXPECT_EQ(all.pipelines, (std::set{Pipeline::double_buffer, Pipeline::single_buffer, Pipeline::tensor_copy,
                                     Pipeline::few_channels}));
  EXPECT_EQ(all.walks.size(), 2u);
  EXPECT_EQ(all.stores.size(), 2u);
  EXPECT_EQ(spatial, (std::set<int>{1, 2, 3}));
  for (int vector : {1, 2, 4, 8}) EXPECT_TRUE(all.vectors.count({DataType::f16, vector})) << vector;
}

/// The launch of a small problem that the config solves.
LaunchShape launch_of(const GemmConfig& c) {
  const GemmProblem p{.m = 64, .n = 64, .k = 256, .input = c.input, .output = c.output, .order_b = c.order_b};
  return plan_gemm({.arch = Arch::sm_90, .config = c}, p).plan.dispatches.at(0).shape;
}
LaunchShape launch_of(const ConvConfig& c) {
  const bool few = c.tiling.pipeline == Pipeline::few_channels;
  ConvProblem p{.input = c.input, .weight = c.input, .output = c.output, .c = few ? 4 : 64, .k = 64};
  p.axis[0] = p.axis[1] = {.size = 16, .filter = 4};
  return plan_conv({.arch = Arch::sm_90, .config = c}, p).plan.dispatches.at(0).shape;
}

// A pool in shared memory is the kernel's own or the launch's: one that is both leaves room for half of the workgroups.
TEST(Tables, WorkgroupsThatShareAnSmFitIntoItsSharedMemory) {
  const ArchTraits traits = arch_traits(Arch::sm_90);
  int own = 0, asked = 0;
  for_each_config(Arch::sm_90, Selection::full, [&](const auto& c) {
    if (!by_warpgroups(c.tiling.pipeline)) return;
    GemmConfig gemm;
    if constexpr (requires { c.spatial; })
      gemm = lowered(c);
    else
      gemm = c;
    const bool few = c.tiling.pipeline == Pipeline::few_channels;
    const int pool = few ? traits.lds_bytes : warpgroup_shape(gemm, false).lds_bytes();
    const int declared = pool > traits.static_lds_bytes ? 0 : pool;
    const LaunchShape shape = launch_of(c);
    const auto dynamic = static_cast<int>(max_of(shape.dynamic_lds, shape.most_dynamic_lds));
    EXPECT_EQ(declared == 0, dynamic != 0) << name_of(Arch::sm_90, c);
    EXPECT_LE(declared + dynamic, shared_bytes_of_one(traits, c.tiling.min_blocks)) << name_of(Arch::sm_90, c);
    ++(declared == 0 ? asked : own);
  });
  EXPECT_GT(own, 0);
  EXPECT_GT(asked, 0);
}

}  // namespace
}  // namespace zellige::library
