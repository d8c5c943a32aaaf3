// The quick part of LDS's shadow against the exact one alone: the same events made by chance give the same conflict.
#include "simulator/check/lds_recent.hpp"

#include <gtest/gtest.h>

#include <random>

#include "simulator/check/race_model.hpp"

namespace zellige::sim {
namespace {

constexpr std::uint32_t lds_bytes = 1000;  // not a whole number of words

/// One workgroup. The exact one makes no notes, and has a wave more that does nothing, so that no barrier lets it
/// forget.
struct Model {
  Model(const char* target, int waves)
      : launch(race_rules(target, false), static_cast<std::uint32_t>(waves), {1, 1, 1}, {1, 1, 1}, true) {
    group.begin(launch, 0, waves, lds_bytes, true);
  }
  LdsConflict access(int w, const Access& access, const AccessShape* shape, const LdsUse& use) {
    RaceWave& wave = group.waves[static_cast<std::size_t>(w)];
    if (shape != nullptr && wave.note_lds(*shape, access.first(), use)) {
      ++noted;
      return {};
    }
    LdsConflict conflict;
    for_each_run(access, [&](std::uint64_t at, std::uint64_t bytes) {
      conflict = wave.access_lds(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(bytes), use);
      return conflict.found;
    });
    return conflict;
  }
  RaceLaunch launch;
  RaceGroup group;
  int noted = 0;
};

class Trial {
 public:
  Trial(const char* target, int waves, unsigned seed)
      : random_(seed),
        quick_(target, waves),
        exact_(target, waves + 1),
        waves_(waves),
        signalled_(waves),
        passed_(waves) {}

  /// Until the first conflict, which both must find. False: there was none.
  bool go(int steps) {
    for (int step = 0; step < steps; ++step) {
      const int w = below(waves_);
      if (blocked(w)) continue;
      for (Model* model : {&quick_, &exact_}) model->group.waves[static_cast<std::size_t>(w)].settle();
      const int choice = below(100);
      if (choice < 10) {
        wait(w, Queue::lds, below(8) == 0 ? 1 : 0);
      } else if (choice < 14) {
        wait(w, Queue::load, 0);
      } else if (choice < 40) {
        synchronise(w);
      } else if (look(w)) {
        return true;
      }
    }
    return false;
  }
  int noted() const { return quick_.noted; }

 private:
  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

  void wait(int w, Queue queue, std::uint32_t left) {
    for (Model* model : {&quick_, &exact_}) model->group.waves[static_cast<std::size_t>(w)].wait(queue, left);
  }
  /// A wave that has passed goes on when all have signalled.
  bool blocked(int w) const {
    return passed_[w] == signalled_[w] &&
           std::ranges::any_of(signalled_, [&](std::uint32_t other) { return other < passed_[w]; });
  }
  /// Signals, or passes: mostly after waiting for what must be waited for, and mostly at once.
  void synchronise(int w) {
    if (passed_[w] == signalled_[w]) {
      if (below(50) != 0) wait(w, Queue::lds, 0);
      if (below(3) != 0) wait(w, Queue::load, 0);
      ++signalled_[w];
      for (Model* model : {&quick_, &exact_}) model->group.waves[static_cast<std::size_t>(w)].signal_barrier(-1);
      if (below(20) == 0) return;
    }
    passed_[w] = signalled_[w];
    for (Model* model : {&quick_, &exact_}) model->group.waves[static_cast<std::size_t>(w)].pass_barrier(-1);
  }
  bool look(int w) {
    Access access;
    access.space = Space::lds, access.row = nullptr, access.scalar = false, access.shape = nullptr;
    access.bytes = 1u << below(5);
    access.lanes = 0;
    LdsUse use{.instruction = static_cast<std::uint32_t>(below(50))};
    const int kind = below(100);
    use.use = kind < 60 ? RaceUse::read : kind < 98 ? RaceUse::write : RaceUse::atomic;
    if (below(8) == 0 && use.use == RaceUse::write) use.part = Part::lds_copy;
    // Mostly a wave writes a part of its own in this round, and reads what some wave wrote in the round before.
    const bool reads = use.use == RaceUse::read;
    const std::uint32_t half = (passed_[w] + (reads ? 1 : 0)) % 2 * 500;
    const int part = reads ? below(waves_) : w;
    const std::uint32_t size = 500u / static_cast<std::uint32_t>(waves_),
                        base = half + static_cast<std::uint32_t>(part) * size;
    const std::uint32_t stride = access.bytes << below(2), first = static_cast<std::uint32_t>(below(8));
    const bool anywhere = below(150) == 0;
    for (int lane = below(3); lane < row_lanes; lane += 1 + below(2) * below(2)) {
      const std::uint32_t at = first + stride * static_cast<std::uint32_t>(lane);
      if (at + access.bytes > size && !anywhere) break;
      access.address[lane] = anywhere ? at : base + at;
      if (access.address[lane] < lds_bytes) access.lanes |= std::uint64_t{1} << lane;
    }
    if (access.lanes == 0) return false;
    LdsConflict found[2];
    for (int i = 0; i < 2; ++i) {
      Model& model = i == 0 ? quick_ : exact_;
      RaceWave& wave = model.group.waves[static_cast<std::size_t>(w)];
      use.number = wave.issue(use.part == Part::lds ? Queue::lds : Queue::load);
      if (use.part == Part::lds) wave.note(use.number, use.instruction);
      found[i] = model.access(w, access, i == 0 ? shapes_.find(access) : nullptr, use);
    }
    if (use.part == Part::lds_copy && below(10) != 0) wait(w, Queue::load, 0);
    EXPECT_EQ(found[1].found, found[0].found);
    if (!found[0].found || !found[1].found) return found[0].found || found[1].found;
    EXPECT_EQ(found[1].use, found[0].use);
    EXPECT_EQ(found[1].part, found[0].part);
    EXPECT_EQ(found[1].wave, found[0].wave);
    EXPECT_EQ(found[1].number, found[0].number);
    EXPECT_EQ(found[1].instruction, found[0].instruction);
    EXPECT_EQ(found[1].address, found[0].address);
    return true;
  }

  std::minstd_rand random_;
  ShapeCache shapes_;
  Model quick_, exact_;
  int waves_;
  std::vector<std::uint32_t> signalled_, passed_;
};

TEST(LdsRecent, SameConflictAsTheExactShadow) {
  int conflicts = 0, noted = 0;
  for (const char* target : {"gfx942", "gfx1201", "gfx1250"})
    for (const int waves : {1, 2, 5})
      for (unsigned seed = 1; seed <= 300; ++seed) {
        Trial run(target, waves, seed);
        conflicts += run.go(600);
        noted += run.noted();
        ASSERT_FALSE(testing::Test::HasFailure()) << target << ", " << waves << " waves, seed " << seed;
      }
  // The events are such that both ends are met often.
  EXPECT_GT(conflicts, 500);
  EXPECT_GT(noted, 50000);
}

}  // namespace
}  // namespace zellige::sim
