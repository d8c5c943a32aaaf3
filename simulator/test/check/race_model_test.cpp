// The model of the race check on events made by hand: what orders accesses, on each kind of target.
#include "simulator/check/race_model.hpp"

#include <gtest/gtest.h>

namespace zellige::sim {
namespace {

/// A launch of `groups` workgroups of `waves` waves, with the events that instructions would make.
class RaceModel : public testing::Test {
 protected:
  void start(const char* target, std::uint32_t groups, int waves, bool wgp_mode = false, std::uint32_t cluster = 1) {
    rules = race_rules(target, wgp_mode);
    launch = std::make_unique<RaceLaunch>(rules, static_cast<std::uint32_t>(waves),
                                          std::array<std::uint32_t, 3>{groups, 1, 1},
                                          std::array<std::uint32_t, 3>{cluster, 1, 1}, true);
    group = std::vector<RaceGroup>(groups);
    for (std::uint32_t i = 0; i < groups; ++i) group[i].begin(*launch, i, waves, 1024, true);
  }
  RaceWave& wave(int g, int w) {
    RaceWave& result = group[static_cast<std::size_t>(g)].waves[static_cast<std::size_t>(w)];
    result.settle();
    return result;
  }

  /// LDS instructions; true: a race.
  bool lds(RaceWave& wave, RaceUse use, std::uint32_t address, std::uint32_t bytes) {
    return wave.access_lds(address, bytes, {use, Part::lds, 0, wave.issue(Queue::lds), 1}).found;
  }
  bool lds_read(RaceWave& wave, std::uint32_t address, std::uint32_t bytes = 4) {
    return lds(wave, RaceUse::read, address, bytes);
  }
  bool lds_write(RaceWave& wave, std::uint32_t address, std::uint32_t bytes = 4) {
    return lds(wave, RaceUse::write, address, bytes);
  }
  bool lds_add(RaceWave& wave, std::uint32_t address) { return lds(wave, RaceUse::atomic, address, 4); }
  /// The LDS side of a copy that the load counter counts.
  bool copy(RaceWave& wave, std::uint32_t address, std::uint32_t bytes = 4) {
    return wave.access_lds(address, bytes, {RaceUse::write, Part::lds_copy, 0, wave.issue(Queue::load), 1}).found;
  }

  bool global(RaceWave& wave, RaceUse use, Queue queue, Part part, std::uint64_t address, std::uint64_t bytes,
              Scope scope, bool maybe_atomic) {
    Mark mark, earlier;
    mark.number = wave.issue(queue);
    mark.part = static_cast<unsigned>(part);
    mark.scope = static_cast<unsigned>(scope);
    mark.use = static_cast<unsigned>(use);
    mark.maybe_atomic = maybe_atomic;
    return wave.access_global(address, bytes, mark, earlier) != 0;
  }
  bool load(RaceWave& wave, std::uint64_t address, std::uint64_t bytes = 4) {
    return global(wave, RaceUse::read, Queue::load, Part::load, address, bytes, Scope::wave, false);
  }
  Queue store_queue() const { return rules.one_counter ? Queue::load : Queue::store; }
  bool store(RaceWave& wave, std::uint64_t address, std::uint64_t bytes = 4) {
    return global(wave, RaceUse::write, store_queue(), Part::store, address, bytes, Scope::wave, !rules.store_scopes);
  }
  /// Of a flag: a relaxed atomic at agent scope.
  bool flag_store(RaceWave& wave, std::uint64_t address) {
    wave.release(address, true);
    return global(wave, RaceUse::write, store_queue(), Part::store, address, 4,
                  rules.store_scopes ? Scope::agent : Scope::wave, !rules.store_scopes);
  }
  bool flag_load(RaceWave& wave, std::uint64_t address) {
    const bool race = global(wave, RaceUse::read, Queue::load, Part::load, address, 4, Scope::agent, false);
    wave.acquire(address, wave.issued(Queue::load));
    return race;
  }
  bool flag_add(RaceWave& wave, std::uint64_t address) {  // returns the old value
    wave.release(address, false);
    const bool race = global(wave, RaceUse::atomic, Queue::load, Part::load, address, 4, Scope::agent, false);
    wave.acquire(address, wave.issued(Queue::load));
    return race;
  }
  void wait_stores(RaceWave& wave) { wave.wait(store_queue(), 0); }
  void wait_loads(RaceWave& wave) { wave.wait(Queue::load, 0); }
  /// The release fence at agent scope.
  void release_fence(RaceWave& wave) {
    if (rules.agent_writes_back) wave.write_back();
    wait_stores(wave);
    wait_loads(wave);
  }
  /// One s_barrier of all waves of a workgroup.
  void barrier(int g) {
    for (RaceWave& each : group[static_cast<std::size_t>(g)].waves) each.settle(), each.signal_barrier(-1);
    for (RaceWave& each : group[static_cast<std::size_t>(g)].waves) each.pass_barrier(-1);
  }

  RaceRules rules;
  std::unique_ptr<RaceLaunch> launch;
  std::vector<RaceGroup> group;
};

constexpr std::uint64_t data = 0x700000000000, flag = 0x700000010000;

TEST_F(RaceModel, LdsNeedsTheBarrier) {
  start("gfx942", 1, 2);
  EXPECT_FALSE(lds_write(wave(0, 0), 0));
  EXPECT_FALSE(lds_read(wave(0, 0), 0));
  EXPECT_TRUE(lds_read(wave(0, 1), 0));
  EXPECT_FALSE(lds_read(wave(0, 1), 4));
}

TEST_F(RaceModel, LdsBarrierAfterTheWaitOrders) {
  start("gfx942", 1, 2);
  EXPECT_FALSE(lds_write(wave(0, 0), 0));
  wave(0, 0).wait(Queue::lds, 0);
  barrier(0);
  EXPECT_FALSE(lds_read(wave(0, 1), 0));
  EXPECT_TRUE(lds_write(wave(0, 0), 0)) << "wave 1 has read it since";
}

TEST_F(RaceModel, LdsBarrierWithoutTheWaitOrdersNothing) {
  start("gfx942", 1, 2);
  EXPECT_FALSE(lds_write(wave(0, 0), 0));
  barrier(0);
  EXPECT_TRUE(lds_read(wave(0, 1), 0));
}

TEST_F(RaceModel, LdsPartialWaitOrdersTheOlderOperations) {
  start("gfx942", 1, 2);
  EXPECT_FALSE(lds_write(wave(0, 0), 0));
  EXPECT_FALSE(lds_write(wave(0, 0), 4));
  wave(0, 0).wait(Queue::lds, 1);
  barrier(0);
  EXPECT_FALSE(lds_read(wave(0, 1), 0));
  EXPECT_TRUE(lds_read(wave(0, 1), 4));
}

TEST_F(RaceModel, LdsReadThenWriteNeedsTheBarrierToo) {
  start("gfx942", 1, 4);
  for (int w = 0; w < 4; ++w) EXPECT_FALSE(lds_read(wave(0, w), 16));
  const LdsConflict conflict = wave(0, 3).access_lds(16, 4, {RaceUse::write, Part::lds, 0, 9, 1});
  EXPECT_TRUE(conflict.found);
  EXPECT_EQ(conflict.use, RaceUse::read);
  EXPECT_EQ(conflict.wave, 0) << "a reader that is not the last one";
  start("gfx942", 1, 4);
  for (int w = 0; w < 4; ++w) {
    EXPECT_FALSE(lds_read(wave(0, w), 16));
    wave(0, w).wait(Queue::lds, 0);
  }
  barrier(0);
  EXPECT_FALSE(lds_write(wave(0, 3), 16));
}

TEST_F(RaceModel, LdsIsFollowedByBytes) {
  start("gfx942", 1, 2);
  EXPECT_FALSE(lds_write(wave(0, 0), 32, 2));
  EXPECT_FALSE(lds_write(wave(0, 1), 34, 2));
  EXPECT_TRUE(lds_write(wave(0, 1), 33, 1));
  EXPECT_FALSE(lds_write(wave(0, 0), 256 - 8, 16)) << "over the edge of a block";
  EXPECT_TRUE(lds_read(wave(0, 1), 256 + 7, 1));
  EXPECT_FALSE(lds_read(wave(0, 1), 256 + 8, 1));
}

TEST_F(RaceModel, LdsAtomicsDoNotRaceWithEachOtherAndSynchronise) {
  start("gfx942", 1, 2);
  EXPECT_FALSE(lds_add(wave(0, 0), 0));
  EXPECT_FALSE(lds_add(wave(0, 1), 0));
  EXPECT_TRUE(lds_read(wave(0, 1), 0));
  start("gfx942", 1, 2);
  const std::uint64_t key = 77;
  EXPECT_FALSE(lds_write(wave(0, 0), 64));
  wave(0, 0).wait(Queue::lds, 0);
  wave(0, 0).release(key, false);
  EXPECT_FALSE(lds_add(wave(0, 0), 0));
  EXPECT_FALSE(lds_add(wave(0, 1), 0));
  wave(0, 1).acquire(key, 0);
  EXPECT_FALSE(lds_read(wave(0, 1), 64));
}

TEST_F(RaceModel, CopyToLdsNeedsItsOwnWait) {
  start("gfx950", 1, 2);
  EXPECT_FALSE(copy(wave(0, 0), 0));
  wave(0, 0).wait(Queue::lds, 0);
  EXPECT_TRUE(lds_read(wave(0, 0), 0)) << "the wave's own copy";
  start("gfx950", 1, 2);
  EXPECT_FALSE(copy(wave(0, 0), 0));
  barrier(0);
  EXPECT_TRUE(lds_read(wave(0, 1), 0));
  start("gfx950", 1, 2);
  EXPECT_FALSE(copy(wave(0, 0), 0));
  wait_loads(wave(0, 0));
  EXPECT_FALSE(lds_read(wave(0, 0), 0));
  barrier(0);
  EXPECT_FALSE(lds_read(wave(0, 1), 0));
}

TEST_F(RaceModel, SplitBarrierPublishesWhatWasDoneAtTheSignal) {
  start("gfx1201", 1, 2);
  EXPECT_FALSE(lds_write(wave(0, 0), 0));
  wave(0, 0).wait(Queue::lds, 0);
  wave(0, 0).signal_barrier(-1);
  EXPECT_FALSE(lds_write(wave(0, 0), 4));
  wave(0, 0).wait(Queue::lds, 0);
  wave(0, 1).signal_barrier(-1);
  wave(0, 0).pass_barrier(-1);
  wave(0, 1).pass_barrier(-1);
  EXPECT_FALSE(lds_read(wave(0, 1), 0));
  EXPECT_TRUE(lds_read(wave(0, 1), 4));
}

TEST_F(RaceModel, OtherBarriersOrderTheirOwnWaves) {
  start("gfx1201", 1, 3);
  EXPECT_FALSE(lds_write(wave(0, 0), 0));
  wave(0, 0).wait(Queue::lds, 0);
  for (int w : {0, 1}) wave(0, w).signal_barrier(1);
  for (int w : {0, 1}) wave(0, w).pass_barrier(1);
  EXPECT_FALSE(lds_read(wave(0, 1), 0));
  EXPECT_TRUE(lds_read(wave(0, 2), 0));
}

TEST_F(RaceModel, GlobalInsideAWorkgroupFollowsTheTarget) {
  start("gfx942", 1, 2);  // no wait, no invalidation
  EXPECT_FALSE(store(wave(0, 0), data));
  EXPECT_TRUE(load(wave(0, 1), data)) << "no barrier";
  EXPECT_FALSE(store(wave(0, 0), data + 64));
  barrier(0);
  EXPECT_FALSE(load(wave(0, 1), data + 64));
  for (const bool wgp : {false, true}) {
    start("gfx1100", 1, 2, wgp);
    EXPECT_FALSE(store(wave(0, 0), data));
    barrier(0);
    wave(0, 1).invalidate(Invalidation::near);
    EXPECT_EQ(load(wave(0, 1), data), wgp) << "the wait for the store is missing";
    start("gfx1100", 1, 2, wgp);
    EXPECT_FALSE(store(wave(0, 0), data));
    wait_stores(wave(0, 0));
    barrier(0);
    EXPECT_EQ(load(wave(0, 1), data), wgp) << "the invalidation is missing";
    wave(0, 1).invalidate(Invalidation::near);
    EXPECT_FALSE(load(wave(0, 1), data));
  }
}

TEST_F(RaceModel, WorkgroupsAreNotOrdered) {
  start("gfx942", 3, 2);
  EXPECT_FALSE(load(wave(0, 0), data, 4096));
  EXPECT_FALSE(load(wave(1, 0), data, 4096));
  EXPECT_FALSE(load(wave(1, 1), data, 4096));
  EXPECT_TRUE(store(wave(1, 1), data + 100)) << "workgroup 0 has read it";
  EXPECT_FALSE(store(wave(0, 0), data + 8192, 256));
  EXPECT_FALSE(store(wave(1, 0), data + 8192 + 256, 2));
  EXPECT_FALSE(store(wave(2, 0), data + 8192 + 258, 2));
  EXPECT_TRUE(store(wave(2, 0), data + 8192 + 257, 1));
  EXPECT_TRUE(store(wave(2, 0), data + 8192 + 255, 1));
  EXPECT_FALSE(flag_add(wave(0, 0), flag));
  EXPECT_FALSE(flag_add(wave(1, 0), flag));
  EXPECT_TRUE(load(wave(2, 0), flag));
}

/// A flag passes data from one workgroup to another; what is left out must be reported if the target asks for it.
class FlagPassing : public RaceModel {
 protected:
  bool pass(bool waits, bool writes_back, bool invalidates, bool waits_for_flag = true) {
    EXPECT_FALSE(store(wave(0, 0), data));
    if (writes_back) wave(0, 0).write_back();
    if (waits) wait_stores(wave(0, 0));
    EXPECT_FALSE(flag_store(wave(0, 0), flag));
    EXPECT_FALSE(flag_load(wave(1, 0), flag));
    if (waits_for_flag) wait_loads(wave(1, 0));
    if (invalidates) wave(1, 0).invalidate(Invalidation::far);
    wait_loads(wave(1, 0));
    return load(wave(1, 0), data);
  }
};

TEST_F(FlagPassing, NeedsEveryStepThatTheTargetAsksFor) {
  for (const char* target : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250"}) {
    SCOPED_TRACE(target);
    const auto fresh = [&] { start(target, 2, 1); };
    fresh();
    EXPECT_FALSE(pass(true, rules.agent_writes_back, true));
    fresh();
    EXPECT_TRUE(pass(false, rules.agent_writes_back, true));
    fresh();
    EXPECT_EQ(pass(true, false, true), rules.agent_writes_back);
    fresh();
    EXPECT_TRUE(pass(true, rules.agent_writes_back, false));
    fresh();
    EXPECT_TRUE(pass(true, rules.agent_writes_back, true, false)) << "the caches were invalidated too early";
  }
}

TEST_F(FlagPassing, ReachesOtherWavesThroughBarriers) {
  // Every wave stores; one wave of each workgroup counts; the last workgroup reads everything.
  for (const char* target : {"gfx90a", "gfx942", "gfx1100", "gfx1201", "gfx1250"})
    for (const int omitted : {0, 1, 2}) {  // 1: the release fence, 2: the acquire fence
      start(target, 3, 2, rules.workgroup != Invalidation::none);
      const auto meet = [&](int g) {
        for (int w : {0, 1}) {
          wait_stores(wave(g, w));
          wait_loads(wave(g, w));
        }
        barrier(g);
        for (int w : {0, 1}) wave(g, w).invalidate(Invalidation::near);
      };
      for (int g = 0; g < 3; ++g) {
        for (int w : {0, 1}) EXPECT_FALSE(store(wave(g, w), data + 8 * g + 4 * w));
        meet(g);
        if (omitted != 1) release_fence(wave(g, 0));
        EXPECT_FALSE(flag_add(wave(g, 0), flag));
        wait_loads(wave(g, 0));
      }
      if (omitted != 2) wave(2, 0).invalidate(Invalidation::far);
      meet(2);
      const bool expected = omitted == 2 || (omitted == 1 && rules.agent_writes_back);
      for (int w : {0, 1})
        for (int g : {0, 1}) EXPECT_EQ(load(wave(2, w), data + 8 * g), expected) << target << " " << omitted;
    }
}

TEST_F(FlagPassing, IsTransitive) {
  start("gfx942", 3, 1);
  EXPECT_FALSE(store(wave(0, 0), data));
  release_fence(wave(0, 0));
  EXPECT_FALSE(flag_store(wave(0, 0), flag));
  EXPECT_FALSE(flag_load(wave(1, 0), flag));
  wait_loads(wave(1, 0));
  wave(1, 0).invalidate(Invalidation::far);
  release_fence(wave(1, 0));
  EXPECT_FALSE(flag_store(wave(1, 0), flag)) << "the same flag, which begins anew";
  EXPECT_FALSE(flag_load(wave(2, 0), flag));
  wait_loads(wave(2, 0));
  wave(2, 0).invalidate(Invalidation::far);
  EXPECT_FALSE(load(wave(2, 0), data));
}

TEST_F(FlagPassing, OtherFlagsTellNothing) {
  start("gfx942", 3, 1);
  EXPECT_FALSE(store(wave(0, 0), data));
  release_fence(wave(0, 0));
  EXPECT_FALSE(flag_store(wave(0, 0), flag));
  EXPECT_FALSE(flag_store(wave(1, 0), flag + 64));
  EXPECT_FALSE(flag_load(wave(2, 0), flag + 64));
  wait_loads(wave(2, 0));
  wave(2, 0).invalidate(Invalidation::far);
  EXPECT_TRUE(load(wave(2, 0), data));
}

TEST_F(RaceModel, ClusterBarrierNeedsTheFencesOfTheCluster) {
  for (const int omitted : {0, 1, 2}) {
    start("gfx1250", 4, 1, false, 2);
    EXPECT_FALSE(store(wave(0, 0), data));
    if (omitted != 1) wait_stores(wave(0, 0));
    for (int g : {0, 1}) wave(g, 0).signal_cluster();
    for (int g : {0, 1}) wave(g, 0).pass_cluster();
    wave(1, 0).settle();
    if (omitted != 2) wave(1, 0).invalidate(Invalidation::near);
    EXPECT_EQ(load(wave(1, 0), data), omitted != 0);
    // The other cluster's barrier is another one.
    EXPECT_FALSE(store(wave(2, 0), data + 64));
    wait_stores(wave(2, 0));
    wave(2, 0).signal_cluster();
    wave(1, 0).invalidate(Invalidation::far);
    EXPECT_TRUE(load(wave(1, 0), data + 64));
  }
}

TEST_F(RaceModel, AtomicsOfTooSmallAScopeRace) {
  start("gfx1201", 2, 2);
  const auto add = [&](int g, int w, Scope scope) {
    return global(wave(g, w), RaceUse::atomic, Queue::store, Part::store, data, 4, scope, false);
  };
  EXPECT_FALSE(add(0, 0, Scope::workgroup));
  EXPECT_FALSE(add(0, 1, Scope::workgroup));
  EXPECT_TRUE(add(1, 0, Scope::agent));
}

TEST_F(RaceModel, StoresThatMayBeAtomicDoNotRaceWithAtomics) {
  start("gfx90a", 2, 1);  // its stores do not tell
  EXPECT_FALSE(store(wave(0, 0), data));
  EXPECT_FALSE(flag_load(wave(1, 0), data));
  EXPECT_TRUE(load(wave(1, 0), data));
  start("gfx942", 2, 1);  // its stores do
  EXPECT_FALSE(store(wave(0, 0), data));
  EXPECT_TRUE(flag_load(wave(1, 0), data));
}

TEST_F(RaceModel, AsyncCopiesAreNotInOrderWithTheirWave) {
  start("gfx1250", 1, 1);
  const auto copy_in = [&] {
    return wave(0, 0).access_lds(0, 16, {RaceUse::write, Part::async, 0, wave(0, 0).issue(Queue::async), 1}).found;
  };
  EXPECT_FALSE(copy_in());
  EXPECT_TRUE(lds_read(wave(0, 0), 8));
  wave(0, 0).wait(Queue::async, 0);
  EXPECT_FALSE(lds_read(wave(0, 0), 8));
}

}  // namespace
}  // namespace zellige::sim
