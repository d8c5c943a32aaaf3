// What each target asks of a kernel before waves see each other's memory operations: the rules of the race check.
//
// They are those of the memory model in LLVM's AMDGPU usage guide, and what clang 22 emits for fences and barriers on
// each target. Where a target needs no instruction for a scope, none is demanded.
#pragma once

#include <cstdint>
#include <string_view>

namespace zellige::sim {

/// How far an operation on memory reaches, and how far apart two waves are. The order is that of inclusion; `system`
/// is told apart from `agent` nowhere, as the host stands still while a kernel runs.
enum class Scope : std::uint8_t { wave, workgroup, cluster, agent };

/// How thoroughly a wave invalidates the caches that it reads through.
enum class Invalidation : std::uint8_t {
  none,
  near,  ///< the cache next to the wave: buffer_gl0_inv, global_inv scope:SCOPE_SE
  far,   ///< every cache short of the device's: buffer_wbinvl1, buffer_inv sc1, gl1 and gl0, scope:SCOPE_DEV
};

struct RaceRules {
  /// Global loads and stores must have been waited for when a wave arrives at a barrier of its workgroup. gfx9 in its
  /// usual mode and CU mode of later targets need not: the waves of a workgroup share one in-order path to memory.
  bool barrier_waits_global = false;
  Invalidation workgroup = Invalidation::none;  ///< before reading what another wave of the workgroup stored
  Invalidation cluster = Invalidation::far;     ///< ... what another workgroup of the cluster stored
  Invalidation agent = Invalidation::far;       ///< ... what any other workgroup stored
  bool agent_writes_back = false;  ///< stores reach other workgroups (of other clusters) only by a write-back
  bool one_counter = false;        ///< vmcnt counts loads and stores, in one order
  bool store_scopes = false;       ///< stores say their scope: a plain store is none of an atomic object
};

/// The rules of "gfx942" and so on; `wgp_mode`: the kernel's workgroups are spread over both CUs of a WGP.
RaceRules race_rules(std::string_view target, bool wgp_mode);

}  // namespace zellige::sim
