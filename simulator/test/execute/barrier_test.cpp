// Split barriers of workgroups and clusters: who may pass when, and that ended waves hold nobody up.
#include "simulator/execute/barrier.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace zellige::sim {
namespace {

/// Workgroups of two waves in one cluster.
struct Groups {
  explicit Groups(int count) {
    for (int rank = 0; rank < count; ++rank) {
      Workgroup& group = *groups.emplace_back(std::make_unique<Workgroup>());
      group.waves.resize(2);
      group.cluster = &cluster;
      group.cluster_rank = static_cast<std::uint32_t>(rank);
      for (Wave& wave : group.waves) wave.group = &group;
      cluster.groups.push_back(&group);
    }
  }
  Wave& wave(int group, int number) {
    return groups[static_cast<std::size_t>(group)]->waves[static_cast<std::size_t>(number)];
  }
  std::vector<std::unique_ptr<Workgroup>> groups;
  Cluster cluster;
  bool twice = false;
};

/// As s_barrier_wait does.
bool wait(Wave& wave, int barrier) {
  if (pass_barrier(wave, barrier)) return true;
  wave.barrier = static_cast<std::int8_t>(barrier);
  wave.state = WaveState::at_barrier;
  return false;
}

TEST(Barrier, AWorkgroupPassesWhenEveryWaveHasSignalled) {
  Groups all(1);
  EXPECT_TRUE(signal_barrier(all.wave(0, 0), barrier_of_workgroup, all.twice)) << "the first";
  EXPECT_FALSE(wait(all.wave(0, 0), barrier_of_workgroup));
  EXPECT_FALSE(signal_barrier(all.wave(0, 1), barrier_of_workgroup, all.twice));
  EXPECT_EQ(WaveState::ready, all.wave(0, 0).state) << "the last signal lets it go on";
  EXPECT_TRUE(wait(all.wave(0, 1), barrier_of_workgroup));
  EXPECT_FALSE(wait(all.wave(0, 1), barrier_of_workgroup)) << "one completion is one pass";
}

TEST(Barrier, AClusterPassesWhenEveryWorkgroupHasSignalledOnce) {
  Groups all(3);
  EXPECT_TRUE(signal_barrier(all.wave(1, 0), barrier_of_cluster, all.twice));
  EXPECT_FALSE(all.twice);
  signal_barrier(all.wave(1, 1), barrier_of_cluster, all.twice);
  EXPECT_TRUE(all.twice) << "a workgroup signals once";
  EXPECT_FALSE(wait(all.wave(0, 0), barrier_of_cluster));
  EXPECT_FALSE(signal_barrier(all.wave(0, 1), barrier_of_cluster, all.twice));
  EXPECT_EQ(WaveState::at_barrier, all.wave(0, 0).state);
  signal_barrier(all.wave(2, 0), barrier_of_cluster, all.twice);
  EXPECT_EQ(WaveState::ready, all.wave(0, 0).state);
  for (int group = 1; group < 3; ++group) EXPECT_TRUE(wait(all.wave(group, 0), barrier_of_cluster)) << group;
}

TEST(Barrier, EndedWavesAndWorkgroupsHoldNobodyUp) {
  Groups all(2);
  signal_barrier(all.wave(0, 0), barrier_of_workgroup, all.twice);
  EXPECT_FALSE(wait(all.wave(0, 0), barrier_of_workgroup));
  EXPECT_FALSE(release_workgroup_barriers(*all.groups[0]));
  all.wave(0, 1).state = WaveState::ended;
  EXPECT_TRUE(release_workgroup_barriers(*all.groups[0]));
  EXPECT_EQ(WaveState::ready, all.wave(0, 0).state);

  signal_barrier(all.wave(0, 0), barrier_of_cluster, all.twice);
  EXPECT_FALSE(wait(all.wave(0, 0), barrier_of_cluster));
  EXPECT_FALSE(release_cluster_barrier(all.cluster));
  all.wave(1, 0).state = WaveState::ended;
  EXPECT_FALSE(release_cluster_barrier(all.cluster)) << "its other wave may still signal";
  all.wave(1, 1).state = WaveState::ended;
  EXPECT_TRUE(release_cluster_barrier(all.cluster));
  EXPECT_EQ(WaveState::ready, all.wave(0, 0).state);
}

TEST(Barrier, OutsideOfClustersAWorkgroupIsItsOwn) {
  Groups all(1);
  all.groups[0]->cluster = nullptr;
  EXPECT_TRUE(signal_barrier(all.wave(0, 0), barrier_of_cluster, all.twice));
  EXPECT_TRUE(wait(all.wave(0, 1), barrier_of_cluster));
}

}  // namespace
}  // namespace zellige::sim
