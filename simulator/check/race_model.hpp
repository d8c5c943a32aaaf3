// The model of the race check: what orders the memory operations of a launch's waves. It knows nothing of instructions.
//
// Law: two accesses of a byte by different waves, one of them no read, race unless one comes before the other or both
// are atomic at a scope that holds both waves. An operation of a wave comes before another wave's when the first wave
// has waited for it (and written it back, where the target asks for that), the two waves then synchronise, and the
// second, before a read, has invalidated its caches (where the target asks for that). Waves synchronise by barriers and
// by atomic operations on one location. RaceRules tells what a target asks for.
//
// What a wave reads or passes takes effect at its next event, when the operation itself is over: host threads that run
// workgroups at the same time can make a wave seem to know more than it does, never less. So no report is false.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "simulator/check/global_shadow.hpp"
#include "simulator/check/lds_recent.hpp"
#include "simulator/check/lds_shadow.hpp"
#include "simulator/check/race_clock.hpp"
#include "simulator/check/race_rules.hpp"

namespace zellige::sim {

/// What the waits of waves count: operations that are performed in order. On targets with one counter for loads and
/// stores, stores are in `load`.
enum class Queue : std::uint8_t { lds, load, store, async, tensor, count };

/// What the workgroups of one launch share.
class RaceLaunch {
 public:
  /// `synchronises`: the kernel has atomic operations whose result it can see; without, no location is followed.
  RaceLaunch(const RaceRules& rules, std::uint32_t waves_of_group, const std::array<std::uint32_t, 3>& groups,
             const std::array<std::uint32_t, 3>& cluster, bool synchronises)
      : rules(rules), waves(waves_of_group), groups(groups), cluster(cluster), synchronises(synchronises) {}

  /// The cluster of a workgroup (x fastest, as its index counts).
  std::uint32_t cluster_of(std::uint32_t group) const {
    const std::uint32_t x = group % groups[0] / cluster[0], y = group / groups[0] % groups[1] / cluster[1],
                        z = group / groups[0] / groups[1] / cluster[2];
    const std::uint32_t columns = (groups[0] + cluster[0] - 1) / cluster[0],
                        rows = (groups[1] + cluster[1] - 1) / cluster[1];
    return (z * rows + y) * columns + x;
  }
  bool clustered() const { return cluster[0] * cluster[1] * cluster[2] > 1; }

  const RaceRules rules;
  const std::uint32_t waves;                   ///< of a workgroup
  const std::array<std::uint32_t, 3> groups;   ///< workgroups of the grid
  const std::array<std::uint32_t, 3> cluster;  ///< workgroups of a cluster
  const bool synchronises;
  GlobalShadow global;

  std::recursive_mutex sync_mutex;                        ///< guards what follows, and the objects
  std::unordered_map<std::uint64_t, SyncObject> objects;  ///< by address, or by a key beyond addresses for barriers
};

class RaceGroup;

class RaceWave {
 public:
  void begin(RaceGroup& group, int position);

  /// Something of the queue begins; its number.
  std::uint32_t issue(Queue queue) { return ++issued_[index(queue)]; }
  std::uint32_t issued(Queue queue) const { return issued_[index(queue)]; }
  /// All but the newest `left` operations of the queue are performed.
  void wait(Queue queue, std::uint32_t left);
  /// The newest operation that has been waited for; never 0, so it also numbers what is over when its instruction is.
  std::uint32_t done(Part part) const { return ordered_[position_][part]; }
  /// Stores so far are on their way to the agent: visible when the store queue has been waited for.
  void write_back();
  void invalidate(Invalidation level);
  /// gfx10 and gfx11 invalidate the outer cache by an instruction of its own, which goes first.
  void invalidate_outer();

  /// Signals barrier `id` of the workgroup, or passes it: what every wave had published when it signalled this round.
  void signal_barrier(int id);
  void pass_barrier(int id);
  /// The cluster's barrier, which one wave signals for its workgroup.
  void signal_cluster();
  void pass_cluster();

  /// A store or atomic to a location that others may synchronise on is about to happen. `begins`: a plain store.
  void release(std::uint64_t key, bool begins);
  /// A load or atomic of such a location is about to happen: it takes effect at the wave's next event. `number`: of
  /// Part::load, what must be waited for before an invalidation helps; 0: nothing.
  void acquire(std::uint64_t key, std::uint32_t number);

  /// To be called first at every event: lets what happened before take effect.
  void settle() {
    if (!pending_acquires_.empty() || pending_barrier_ >= 0) settle_pending();
  }

  /// Notes an access of LDS whose first lane is at `first`. False: it may conflict with another one, or not be noted
  /// so; access_lds() is to be asked about its bytes.
  bool note_lds(const AccessShape& shape, std::uint64_t first, LdsUse use);
  /// The conflict of an access, if it is one that nothing orders.
  LdsConflict access_lds(std::uint32_t address, std::uint32_t bytes, LdsUse use);
  std::uint64_t access_global(std::uint64_t address, std::uint64_t bytes, Mark mark, Mark& earlier);

  /// For messages: which instruction had this number among the wave's LDS operations; no_instruction: not kept.
  void note(std::uint32_t number, std::uint32_t instruction) { log_[number % log_size] = {number, instruction}; }
  std::uint32_t noted(std::uint32_t number) const {
    const Noted& entry = log_[number % log_size];
    return entry.number == number ? entry.instruction : no_instruction;
  }
  /// How often the wave has signalled its workgroup's barrier.
  std::uint32_t barriers() const { return signalled_.empty() ? 0 : signalled_[0]; }
  std::uint32_t launch_wide() const { return launch_wide_; }

 private:
  static constexpr int index(Queue queue) { return static_cast<int>(queue); }
  static constexpr std::uint32_t log_size = 4096;
  struct Noted {
    std::uint32_t number = 0, instruction = no_instruction;
  };
  struct PendingAcquire {
    std::uint64_t key;
    std::uint32_t number;  ///< of Part::load
  };

  void settle_pending();
  void merge(const std::vector<Acquired>& others);
  void publish(SyncObject& object, bool begins);
  void take(SyncObject& object, std::uint32_t number);
  const std::shared_ptr<const Release>& snapshot();
  bool concurrent(const Mark& old, const Mark& mark);
  bool knows(std::uint32_t group, int wave, Part part, std::uint32_t number, Invalidation level);
  bool finds(const Acquired& entry, std::uint32_t to, std::uint32_t group, int wave, Part part, std::uint32_t number,
             std::vector<Acquired>& visited) const;
  bool in_group(std::uint32_t wave) const;

  RaceGroup* group_ = nullptr;
  int position_ = 0;
  std::uint32_t launch_wide_ = 0;
  std::uint32_t issued_[static_cast<int>(Queue::count)] = {};
  std::uint32_t write_back_stores_ = 0, write_back_number_ = 0;  ///< 0: none under way
  GroupClock write_back_group_;
  bool outer_invalidated_ = false;
  GroupClock ordered_;  ///< what comes before; the own entry: what has been waited for
  GroupClock fresh_;    ///< ... and is not hidden by a stale near cache; unused where rules.workgroup is none
  std::vector<Acquired> acquired_;
  std::vector<PendingAcquire> pending_acquires_;
  int pending_barrier_ = -1;  ///< slot, or pending_cluster
  std::uint32_t pending_round_ = 0;
  static constexpr int pending_cluster = 1 << 20;
  std::vector<std::uint32_t> signalled_;  ///< rounds by slot of the barrier
  std::uint32_t passed_ = 0;              ///< rounds of the workgroup's own barrier
  std::shared_ptr<const Release> snapshot_;
  std::vector<Noted> log_;
};

/// A workgroup in flight.
class RaceGroup {
 public:
  void begin(RaceLaunch& launch, std::uint32_t index, int waves, std::uint32_t lds_bytes, bool lds_atomics);

  const RaceLaunch& launch() const { return *launch_; }
  std::uint32_t index() const { return index_; }

  std::vector<RaceWave> waves;

 private:
  friend class RaceWave;
  /// What the waves that signalled round r have published, at [r % 4]: a wave cannot signal two rounds ahead of a wave
  /// that has not passed yet.
  struct Round {
    std::uint32_t round = 0;
    std::size_t passed = 0;  ///< waves
    GroupClock clock;
    std::vector<Acquired> acquired;
  };
  struct Barrier {
    int id = 0;
    Round rounds[4] = {};
  };
  int slot_of(int id);

  RaceLaunch* launch_ = nullptr;
  std::uint32_t index_ = 0;
  std::uint64_t cluster_key() const;
  LdsShadow lds_;
  LdsRecent recent_;  ///< what has not gone over to lds_ yet
  GlobalShadow::Recent recent_pages_;
  std::uint32_t cluster_rounds_ = 0;  ///< signals of the cluster's barrier
  std::vector<Barrier> barriers_;     ///< the first is the workgroup's own, -1
};

}  // namespace zellige::sim
