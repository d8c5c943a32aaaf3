// What an instruction means to the race check, worked out from its text when it is decoded.
#pragma once

#include <cstdint>
#include <string_view>

#include "simulator/check/access.hpp"
#include "simulator/check/race_rules.hpp"

namespace zellige::sim {

enum class RaceEvent : std::uint8_t {
  none,
  barrier,     ///< s_barrier: signals and passes
  signal,      ///< s_barrier_signal
  pass,        ///< s_barrier_wait
  write_back,  ///< of stores, to the agent
  invalidate_near,
  invalidate_outer,  ///< gfx10 and gfx11: the cache between near and far, before the near one
  invalidate_far,
  end,
};

struct RacePlan {
  RaceEvent event = RaceEvent::none;
  Scope scope = Scope::wave;  ///< how far a global access is atomic; wave: it is not
  bool maybe_atomic = false;  ///< a store that may be atomic: the target's stores do not tell
  bool synchronises = false;  ///< can see what an atomic operation of another wave left
  bool compares = false;      ///< a compare-and-swap: where the compare fails, nothing is written
};

RacePlan race_plan(std::string_view text, std::string_view target, const AccessPlan& access, bool returns);

}  // namespace zellige::sim
