// The table of the race check's rules; race_rules.hpp says what they mean.
#include "simulator/check/race_rules.hpp"

#include "simulator/decode/alias.hpp"

namespace zellige::sim {

RaceRules race_rules(std::string_view target, bool wgp_mode) {
  RaceRules rules;
  const Generation generation = generation_of(target);
  if (generation == generation_gfx9) {
    rules.one_counter = true;
    // gfx90a writes through to the one L2 of the agent; gfx942 and gfx950 have an L2 per XCD.
    rules.agent_writes_back = rules.store_scopes = target.starts_with("gfx94") || target.starts_with("gfx95");
    return rules;
  }
  if (generation == generation_gfx1250) {
    rules.barrier_waits_global = rules.agent_writes_back = rules.store_scopes = true;
    rules.cluster = Invalidation::near;
    return rules;
  }
  rules.barrier_waits_global = wgp_mode;
  rules.workgroup = wgp_mode ? Invalidation::near : Invalidation::none;
  rules.store_scopes = generation == generation_gfx12;
  return rules;
}

}  // namespace zellige::sim
