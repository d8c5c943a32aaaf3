// The model of the race check; race_model.hpp states the law.
#include "simulator/check/race_model.hpp"

#include <algorithm>

namespace zellige::sim {
namespace {

/// Keys of cluster barriers lie beyond all addresses and beyond race.cpp's keys of LDS.
constexpr std::uint64_t cluster_keys = std::uint64_t{1} << 63;

Acquired* find(std::vector<Acquired>& list, const SyncObject* object) {
  const auto at = std::ranges::find(list, object, &Acquired::object);
  return at == list.end() ? nullptr : &*at;
}

}  // namespace

void RaceGroup::begin(RaceLaunch& launch, std::uint32_t index, int count, std::uint32_t lds_bytes, bool lds_atomics) {
  launch_ = &launch;
  index_ = index;
  cluster_rounds_ = 0;
  lds_.begin(lds_bytes, count, lds_atomics);
  recent_.begin(lds_bytes, count);
  barriers_.assign(1, Barrier{.id = -1});
  waves.resize(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) waves[i].begin(*this, i);
}

int RaceGroup::slot_of(int id) {
  const auto at = std::ranges::find(barriers_, id, &Barrier::id);
  if (at != barriers_.end()) return static_cast<int>(at - barriers_.begin());
  barriers_.push_back(Barrier{.id = id});
  return static_cast<int>(barriers_.size()) - 1;
}

void RaceWave::begin(RaceGroup& group, int position) {
  std::vector<Noted> log = std::move(log_);
  const std::size_t noted = std::min<std::size_t>(log.size(), issued_[index(Queue::lds)] + std::size_t{1});
  *this = RaceWave{};
  log_ = std::move(log);
  log_.resize(log_size);
  std::fill_n(log_.begin(), noted, Noted{});
  group_ = &group;
  position_ = position;
  launch_wide_ = group.index_ * group.launch_->waves + static_cast<std::uint32_t>(position);
  ordered_.resize(group.waves.size());
  fresh_.resize(group.waves.size());
  // Numbers begin at 2: 1 is the number of what needs no wait.
  std::ranges::fill(issued_, 1);
  std::ranges::fill(ordered_[position_].at, 1);
}

bool RaceWave::in_group(std::uint32_t wave) const {
  return wave - (launch_wide_ - static_cast<std::uint32_t>(position_)) < group_->waves.size();
}

void RaceWave::wait(Queue queue, std::uint32_t left) {
  const RaceRules& rules = group_->launch_->rules;
  const std::uint32_t issued = issued_[index(queue)], number = issued - std::min(left, issued);
  WaveProgress& own = ordered_[position_];
  bool changed = false;
  const auto reach = [&](Part part, std::uint32_t to) {
    if (own[part] < to) own[part] = to, changed = true;
  };
  switch (queue) {
    case Queue::lds:
      reach(Part::lds, number);
      break;
    case Queue::load:
      reach(Part::load, number);
      reach(Part::lds_copy, number);
      if (rules.one_counter) reach(Part::store, number);
      break;
    case Queue::store:
      reach(Part::store, number);
      break;
    case Queue::async:
      reach(Part::async, number);
      break;
    case Queue::tensor:
      reach(Part::tensor, number);
      break;
    case Queue::count:
      break;
  }
  const bool counts_stores = queue == Queue::store || (queue == Queue::load && rules.one_counter);
  if (counts_stores && write_back_number_ != 0 && number >= write_back_number_) {
    // A write-back empties the whole cache: what waves of the group had stored before goes with it.
    for (std::size_t i = 0; i < ordered_.size(); ++i)
      ordered_[i][Part::written_back] = std::max(ordered_[i][Part::written_back], write_back_group_[i][Part::store]);
    reach(Part::written_back, write_back_stores_);
    write_back_number_ = 0;
    changed = true;
  }
  if (changed) snapshot_.reset();
}

void RaceWave::write_back() {
  const Queue queue = group_->launch_->rules.one_counter ? Queue::load : Queue::store;
  write_back_stores_ = issued_[index(queue)];
  write_back_number_ = issue(queue);
  write_back_group_ = ordered_;
}

void RaceWave::invalidate(Invalidation level) {
  if (outer_invalidated_ && level == Invalidation::near) level = Invalidation::far;
  outer_invalidated_ = false;
  if (level == Invalidation::none) return;
  fresh_ = ordered_;
  for (Acquired& entry : acquired_) {
    entry.far = std::max(entry.far, entry.outer);
    entry.near = std::max(entry.near, entry.far);
    if (entry.number > ordered_[position_][Part::load]) continue;  // the reading itself is not known to be over
    entry.near = entry.seen;
    if (level == Invalidation::far) entry.far = entry.seen;
  }
  snapshot_.reset();
}

void RaceWave::invalidate_outer() { outer_invalidated_ = true; }

void RaceWave::signal_barrier(int id) {
  const auto slot = static_cast<std::size_t>(group_->slot_of(id));
  if (signalled_.size() <= slot) signalled_.resize(slot + 1);
  const std::uint32_t number = ++signalled_[slot];
  RaceGroup::Round& round = group_->barriers_[slot].rounds[number % 4];
  if (round.round != number)
    round = {.round = number, .passed = 0, .clock = GroupClock(ordered_.size()), .acquired = {}};
  join(round.clock, ordered_);
  const RaceRules& rules = group_->launch_->rules;
  if (!rules.barrier_waits_global) {
    WaveProgress& own = round.clock[position_];
    own[Part::load] = issued_[index(Queue::load)];
    own[Part::store] = issued_[index(rules.one_counter ? Queue::load : Queue::store)];
  }
  for (const Acquired& entry : acquired_) {
    Acquired* kept = find(round.acquired, entry.object);
    if (kept == nullptr) kept = &round.acquired.emplace_back(Acquired{.object = entry.object, .from = entry.from});
    kept->from = std::min(kept->from, entry.from);
    kept->seen = std::max(kept->seen, entry.seen);
    kept->outer = std::max(kept->outer, entry.outer);
    if (rules.workgroup == Invalidation::none) {
      kept->near = std::max(kept->near, entry.near);
      kept->far = std::max(kept->far, entry.far);
    } else {
      kept->outer = std::max(kept->outer, entry.far);
    }
  }
}

void RaceWave::pass_barrier(int id) {
  settle();
  const auto slot = static_cast<std::size_t>(group_->slot_of(id));
  if (signalled_.size() <= slot || signalled_[slot] == 0) return;
  pending_barrier_ = static_cast<int>(slot);
  pending_round_ = signalled_[slot];
  if (slot != 0 || passed_ == pending_round_) return;
  // When every wave has passed, each settles what the round has told before it does anything else.
  passed_ = pending_round_;
  RaceGroup::Round& round = group_->barriers_[0].rounds[passed_ % 4];
  if (round.round == passed_ && ++round.passed == group_->waves.size())
    group_->recent_.forget(round.clock, group_->lds_);
}

/// Of the round that the workgroup has signalled last.
std::uint64_t RaceGroup::cluster_key() const {
  return cluster_keys | std::uint64_t{launch_->cluster_of(index_)} << 31 | cluster_rounds_;
}

void RaceWave::signal_cluster() {
  RaceLaunch& launch = *group_->launch_;
  ++group_->cluster_rounds_;
  const std::lock_guard guard(launch.sync_mutex);
  publish(launch.objects[group_->cluster_key()], false);
}

void RaceWave::pass_cluster() {
  settle();
  pending_barrier_ = pending_cluster;
}

void RaceWave::release(std::uint64_t key, bool begins) {
  RaceLaunch& launch = *group_->launch_;
  if (!launch.synchronises) return;
  const std::lock_guard guard(launch.sync_mutex);
  publish(launch.objects[key], begins);
}

void RaceWave::acquire(std::uint64_t key, std::uint32_t number) {
  if (group_->launch_->synchronises) pending_acquires_.push_back({key, number});
}

const std::shared_ptr<const Release>& RaceWave::snapshot() {
  const std::uint32_t loads = issued_[index(Queue::load)];
  const std::uint32_t stores = issued_[index(group_->launch_->rules.one_counter ? Queue::load : Queue::store)];
  if (!snapshot_ || snapshot_->loads != loads || snapshot_->stores != stores)
    snapshot_ = std::make_shared<Release>(Release{group_->index_, position_, ordered_, loads, stores, acquired_});
  return snapshot_;
}

void RaceWave::publish(SyncObject& object, bool begins) {
  const auto position = static_cast<std::uint32_t>(object.releases.size());
  object.releases.push_back(snapshot());
  if (begins) object.head = position;
  object.by_group[group_->index_].push_back(position);
  if (std::ranges::any_of(acquired_,
                          [&](const Acquired& entry) { return entry.object != &object || entry.from < object.head; }))
    object.passing_on.push_back(position);
}

void RaceWave::take(SyncObject& object, std::uint32_t number) {
  const auto version = static_cast<std::uint32_t>(object.releases.size());
  if (version == 0) return;
  Acquired* entry = find(acquired_, &object);
  if (entry == nullptr) entry = &acquired_.emplace_back(Acquired{.object = &object, .from = object.head});
  if (entry->seen == version && entry->number <= ordered_[position_][Part::load]) return;
  entry->seen = version;
  entry->number = number;
  snapshot_.reset();
}

void RaceWave::settle_pending() {
  RaceLaunch& launch = *group_->launch_;
  const int barrier = pending_barrier_;
  pending_barrier_ = -1;
  if (barrier >= 0 && barrier != pending_cluster) {
    const RaceGroup::Round& round = group_->barriers_[static_cast<std::size_t>(barrier)].rounds[pending_round_ % 4];
    if (round.round == pending_round_) {
      const WaveProgress own = ordered_[position_];
      join(ordered_, round.clock);
      ordered_[position_] = own;
      merge(round.acquired);
      snapshot_.reset();
    }
  }
  if (barrier != pending_cluster && pending_acquires_.empty()) return;
  const std::lock_guard guard(launch.sync_mutex);
  if (barrier == pending_cluster)
    take(launch.objects[group_->cluster_key()], 0);  // when the barrier has completed, the workgroup has signalled it
  for (const PendingAcquire& pending : pending_acquires_)
    if (const auto at = launch.objects.find(pending.key); at != launch.objects.end()) take(at->second, pending.number);
  pending_acquires_.clear();
}

void RaceWave::merge(const std::vector<Acquired>& others) {
  for (const Acquired& other : others) {
    Acquired* entry = find(acquired_, other.object);
    if (entry == nullptr) entry = &acquired_.emplace_back(Acquired{.object = other.object, .from = other.from});
    entry->from = std::min(entry->from, other.from);
    entry->seen = std::max(entry->seen, other.seen);
    entry->near = std::max(entry->near, other.near);
    entry->outer = std::max(entry->outer, other.outer);
    entry->far = std::max(entry->far, other.far);
  }
}

/// Whether the releases [entry.from, to) of the entry's object, or what their waves knew, tell of the operation.
bool RaceWave::finds(const Acquired& entry, std::uint32_t to, std::uint32_t group, int wave, Part part,
                     std::uint32_t number, std::vector<Acquired>& visited) const {
  if (entry.from >= to) return false;
  Acquired* seen = find(visited, entry.object);
  if (seen != nullptr && seen->from <= entry.from && to <= seen->seen) return false;
  if (seen == nullptr)
    visited.push_back({.object = entry.object, .from = entry.from, .seen = to});
  else
    seen->from = std::min(seen->from, entry.from), seen->seen = std::max(seen->seen, to);
  const SyncObject& object = *entry.object;
  const bool same_path = group == group_->index_ && !group_->launch_->rules.barrier_waits_global;
  if (const auto at = object.by_group.find(group); at != object.by_group.end())
    for (auto place = at->second.rbegin(); place != at->second.rend(); ++place) {  // the newest know most
      const std::uint32_t position = *place;
      if (position >= to) continue;
      if (position < entry.from) break;
      const Release& release = *object.releases[position];
      if (number <= release.clock[wave][part]) return true;
      if (same_path && wave == release.position &&
          number <= (part == Part::load    ? release.loads
                     : part == Part::store ? release.stores
                                           : 0))
        return true;
    }
  for (const std::uint32_t position : object.passing_on) {
    if (position < entry.from || position >= to) continue;
    for (const Acquired& further : object.releases[position]->acquired)
      if (finds(further, further.seen, group, wave, part, number, visited)) return true;
  }
  return false;
}

bool RaceWave::knows(std::uint32_t group, int wave, Part part, std::uint32_t number, Invalidation level) {
  if (group == group_->index_ && number <= (level == Invalidation::none ? ordered_ : fresh_)[wave][part]) return true;
  if (acquired_.empty()) return false;
  const std::lock_guard guard(group_->launch_->sync_mutex);
  std::vector<Acquired> visited;
  for (const Acquired& entry : acquired_) {
    const std::uint32_t to = level == Invalidation::none   ? entry.seen
                             : level == Invalidation::near ? entry.near
                                                           : entry.far;
    if (finds(entry, to, group, wave, part, number, visited)) return true;
  }
  return false;
}

bool RaceWave::concurrent(const Mark& old, const Mark& mark) {
  const auto part = static_cast<Part>(old.part);
  if (old.wave == launch_wide_)  // asynchronous copies are not in order with the wave's other operations
    return (part == Part::async || part == Part::tensor) && old.part != mark.part &&
           old.number > ordered_[position_][part];
  const RaceLaunch& launch = *group_->launch_;
  const RaceRules& rules = launch.rules;
  const std::uint32_t other = old.wave / launch.waves;
  const int position = static_cast<int>(old.wave % launch.waves);
  const Scope apart = other == group_->index_ ? Scope::workgroup
                      : launch.clustered() && launch.cluster_of(other) == launch.cluster_of(group_->index_)
                          ? Scope::cluster
                          : Scope::agent;
  const bool old_atomic = static_cast<Scope>(old.scope) >= apart, new_atomic = static_cast<Scope>(mark.scope) >= apart;
  if ((old_atomic && (new_atomic || mark.maybe_atomic)) || (old.maybe_atomic && new_atomic)) return false;
  Invalidation level = Invalidation::none;
  if (mark.use == static_cast<unsigned>(RaceUse::read) && !new_atomic)
    level = apart == Scope::workgroup ? rules.workgroup : apart == Scope::cluster ? rules.cluster : rules.agent;
  const bool by_write_back = part == Part::store && apart == Scope::agent && rules.agent_writes_back && !old_atomic;
  return !knows(other, position, by_write_back ? Part::written_back : part, old.number, level);
}

bool RaceWave::note_lds(const AccessShape& shape, std::uint64_t first, LdsUse use) {
  use.wave = position_;
  return group_->recent_.note(shape, first, use);
}

LdsConflict RaceWave::access_lds(std::uint32_t address, std::uint32_t bytes, LdsUse use) {
  use.wave = position_;
  group_->recent_.hand_over(address, bytes, use, group_->lds_);
  return group_->lds_.access(address, bytes, use, ordered_, [&](const LdsConflict& conflict) {
    return conflict.wave != position_ &&
           knows(group_->index_, conflict.wave, conflict.part, conflict.number, Invalidation::none);
  });
}

std::uint64_t RaceWave::access_global(std::uint64_t address, std::uint64_t bytes, Mark mark, Mark& earlier) {
  mark.wave = launch_wide_;
  const std::uint32_t base = launch_wide_ - static_cast<std::uint32_t>(position_);
  return group_->launch_->global.access(
      address, bytes, mark, earlier, group_->launch_->waves, group_->recent_pages_,
      [&](const Mark& old, const Mark& now) { return concurrent(old, now); },
      [&](const Mark& old) {
        return in_group(old.wave) && old.number <= ordered_[old.wave - base][static_cast<Part>(old.part)];
      });
}

}  // namespace zellige::sim
