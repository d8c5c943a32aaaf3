// Which clusters a launch forms, why others are refused, and what the waves of a cluster start with.
#include "simulator/dispatch/cluster.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "simulator/decode/program.hpp"
#include "simulator/dispatch/kernel_start.hpp"

namespace zellige::sim {
namespace {

using Shape = std::array<std::uint32_t, 3>;

struct Request : LaunchRequest {
  explicit Request(Arch arch = Arch::gfx1250) : simulated(make_device(arch, 0)) {
    device = &simulated;
    kernel = &info;
    info.lanes = 32;
    block = {32, 1, 1};
    grid = {32 * 12, 12, 30};
    unsetenv("ZELLIGE_SIM_CLUSTERS");
  }
  Device simulated;
  KernelInfo info;
};

TEST(Cluster, TheLaunchDecidesTheShape) {
  Request request;
  EXPECT_EQ((Shape{1, 1, 1}), cluster_shape(request));
  request.cluster = {2, 3, 1};
  EXPECT_EQ((Shape{2, 3, 1}), cluster_shape(request));
  EXPECT_EQ("", refuse_cluster(request));
}

TEST(Cluster, MetadataAloneFormsNoneUnlessAsked) {
  Request request;
  request.info.cluster_dims = {1, 1, 15};
  EXPECT_EQ((Shape{1, 1, 1}), cluster_shape(request));
  EXPECT_EQ("", refuse_cluster(request));
  setenv("ZELLIGE_SIM_CLUSTERS", "metadata", 1);
  EXPECT_EQ((Shape{1, 1, 15}), cluster_shape(request));
  EXPECT_EQ("", refuse_cluster(request));
  unsetenv("ZELLIGE_SIM_CLUSTERS");
  request.cluster = {1, 1, 5};
  EXPECT_EQ("clusters of 1x1x5 workgroups are not the 1x1x15 it was compiled for", refuse_cluster(request));
}

TEST(Cluster, RefusalsSayTheNumbers) {
  const auto refusal = [](Shape shape, Arch arch = Arch::gfx1250) {
    Request request(arch);
    request.cluster = shape;
    return refuse_cluster(request);
  };
  EXPECT_EQ("gfx942 has no clusters of workgroups", refusal({2, 1, 1}, Arch::gfx942));
  EXPECT_EQ("", refusal({1, 1, 1}, Arch::gfx942));
  EXPECT_EQ("clusters of 1x1x16 workgroups are over 15 along an axis", refusal({1, 1, 16}));
  EXPECT_EQ("clusters of 3x3x2 are 18 workgroups, over 16", refusal({3, 3, 2}));
  EXPECT_EQ("a grid of 12x12x30 workgroups is no multiple of clusters of 5x1x1", refusal({5, 1, 1}));
  EXPECT_EQ("a cluster of 2x0x1 workgroups is empty", refusal({2, 0, 1}));
}

TEST(Cluster, PlacesInTrapRegisters) {
  Request request;
  request.info.descriptor.rsrc2 = 2 << 1 | 7 << 7;
  Program program;
  Cluster cluster;
  cluster.dims = {2, 3, 2};
  cluster.groups.resize(12);
  Workgroup group;
  group.program = &program;
  group.cluster = &cluster;
  group.id = {5, 7, 9};
  std::vector<std::uint32_t> rows(vector_rows * row_lanes + 16);
  Wave wave;
  wave.group = &group;
  wave.vector = rows.data() + (64 - reinterpret_cast<std::uint64_t>(rows.data()) % 64) % 64 / 4;
  ASSERT_TRUE(start_wave(kernel_start(request, {}, 0), {32, 1, 1}, wave));
  // Workgroup (5, 7, 9) is (1, 1, 1) of cluster (2, 2, 4); the greatest places are (1, 2, 1), the greatest number 11.
  EXPECT_EQ(1u | 1u << 4 | 1u << 8 | 1u << 12 | 2u << 16 | 1u << 20 | 11u << 24, wave.scalar[scalar_ttmp0 + 6]);
  EXPECT_EQ(2u, wave.scalar[scalar_ttmp0 + 9]);
  EXPECT_EQ(2u | 4u << 16, wave.scalar[scalar_ttmp0 + 7]);
  group.cluster = nullptr;
  ASSERT_TRUE(start_wave(kernel_start(request, {}, 0), {32, 1, 1}, wave));
  EXPECT_EQ(0u, wave.scalar[scalar_ttmp0 + 6]);
  EXPECT_EQ(5u, wave.scalar[scalar_ttmp0 + 9]);
  EXPECT_EQ(7u | 9u << 16, wave.scalar[scalar_ttmp0 + 7]);
}

}  // namespace
}  // namespace zellige::sim
