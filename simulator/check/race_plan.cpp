// Instruction texts to events of the race check; race_plan.hpp says what they are.
#include "simulator/check/race_plan.hpp"

#include <algorithm>

#include "simulator/decode/alias.hpp"
#include "simulator/decode/text.hpp"

namespace zellige::sim {
namespace {

/// An instruction's text and its mnemonic.
struct Line {
  std::string_view text, mnemonic;
};

/// Whether `word` stands in the line behind its mnemonic.
bool has(const Line& line, std::string_view word) {
  std::size_t at = 0;
  while (at < line.text.size()) {
    const std::size_t end = std::min(line.text.find_first_of(" ,", at), line.text.size());
    if (line.text.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

/// "scope:SCOPE_DEV" of gfx12. SCOPE_SE holds a workgroup in WGP mode, and a cluster on gfx1250.
Scope named_scope(const Line& text, std::string_view target) {
  if (has(text, "scope:SCOPE_DEV") || has(text, "scope:SCOPE_SYS")) return Scope::agent;
  if (has(text, "scope:SCOPE_SE"))
    return generation_of(target) == generation_gfx1250 ? Scope::cluster : Scope::workgroup;
  return Scope::wave;
}

/// How far an access is atomic, by what its text says of caches.
Scope scope_of(const Line& text, std::string_view target, AccessKind kind) {
  const bool is_atomic = kind == AccessKind::atomic;
  const Generation generation = generation_of(target);
  if (generation & gfx12_up) {
    const Scope scope = named_scope(text, target);
    return is_atomic && scope == Scope::wave ? Scope::workgroup : scope;
  }
  if (is_atomic) return Scope::agent;  // performed in the L2
  if (generation == generation_gfx9 && race_rules(target, false).store_scopes)
    return has(text, "sc1") ? Scope::agent : has(text, "sc0") ? Scope::workgroup : Scope::wave;
  return kind == AccessKind::load && has(text, "glc") ? Scope::agent : Scope::wave;
}

RaceEvent event_of(const Line& text, std::string_view target) {
  const std::string_view name = text.mnemonic;
  if (name == "s_barrier") return RaceEvent::barrier;
  if (name.starts_with("s_barrier_signal")) return RaceEvent::signal;
  if (name == "s_barrier_wait") return RaceEvent::pass;
  if (name.starts_with("s_endpgm")) return RaceEvent::end;
  if (name == "buffer_wbl2") return RaceEvent::write_back;
  if (name == "buffer_wbinvl1" || name == "buffer_wbinvl1_vol") return RaceEvent::invalidate_far;
  if (name == "buffer_inv") return has(text, "sc1") ? RaceEvent::invalidate_far : RaceEvent::none;
  if (name == "buffer_gl0_inv") return RaceEvent::invalidate_near;
  if (name == "buffer_gl1_inv") return RaceEvent::invalidate_outer;
  const Scope scope = named_scope(text, target);
  if (name == "global_wb" || name == "global_wbinv")
    return scope == Scope::agent ? RaceEvent::write_back : RaceEvent::none;
  if (name == "global_inv")
    return scope == Scope::agent  ? RaceEvent::invalidate_far
           : scope == Scope::wave ? RaceEvent::none
                                  : RaceEvent::invalidate_near;
  return RaceEvent::none;
}

}  // namespace

RacePlan race_plan(std::string_view line, std::string_view target, const AccessPlan& access, bool returns) {
  RacePlan plan;
  const Line text{line, cut(line).mnemonic};
  plan.event = event_of(text, target);
  if (access.producer == nullptr) return plan;
  const bool scalar = text.mnemonic.starts_with("s_"), lds = text.mnemonic.starts_with("ds_");
  if (!scalar && !lds) {
    plan.scope = scope_of(text, target, access.kind);
    plan.maybe_atomic =
        access.kind == AccessKind::store && access.bytes <= 8 && !race_rules(target, false).store_scopes;
  }
  plan.synchronises =
      (access.kind == AccessKind::atomic && returns) || (access.kind == AccessKind::load && plan.scope > Scope::wave);
  plan.compares = !lds && text.mnemonic.find("cmpswap") != std::string_view::npos;
  return plan;
}

}  // namespace zellige::sim
