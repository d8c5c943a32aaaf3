// The arena of device memory; arena.hpp states the law.
#include "simulator/memory/arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <stdexcept>

#include "simulator/memory/defined_bytes.hpp"

namespace zellige::sim {
namespace {

constexpr std::uint64_t alignment = 256;
constexpr std::uint64_t page = 4096;
constexpr std::uint64_t large = 65536;          // from here on allocations are page-aligned with a page of guard zone
constexpr std::size_t remembered_frees = 4096;  // freed allocations that messages can still name

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

std::string name_of(const Allocation& allocation) {
  return (allocation.host ? "host allocation " : "allocation ") + std::to_string(allocation.id) + " [" +
         hex(allocation.begin) + ", " + hex(allocation.end) + ") of " +
         std::to_string(allocation.end - allocation.begin) + " bytes";
}

}  // namespace

struct Arena::State {
  mutable std::shared_mutex lock;
  std::uint64_t begin = 0, end = 0;  // the reserved range
  std::uint64_t next = 0;            // where the search for free space begins
  std::map<std::uint64_t, Allocation> live;
  std::map<std::uint64_t, std::uint64_t> reserved;  // begin of an arena allocation -> end of its guard zone
  std::deque<Allocation> freed;
  std::map<int, std::uint64_t> in_use, limit;
  std::uint32_t count = 0;
  std::atomic<std::uint64_t> epoch{1};

  State() {
    // Without backing until touched. Machines that restrict address space get a smaller range.
    for (std::uint64_t bytes = std::uint64_t{32} << 40; bytes >= std::uint64_t{1} << 30; bytes /= 2) {
      void* range = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (range == MAP_FAILED) continue;
      begin = reinterpret_cast<std::uint64_t>(range);
      end = begin + bytes;
      next = begin = round_up(begin, page);
      if (DefinedBytes* bits = DefinedBytes::instance()) bits->cover(begin, end);
      return;
    }
    throw std::runtime_error("zellige-sim: no address space for device memory: 1 GiB could not be reserved");
  }

  /// The start of `bytes` free bytes at or after `from`, or 0. Gaps are what `reserved` leaves.
  std::uint64_t free_at(std::uint64_t from, std::uint64_t bytes, std::uint64_t unit) const {
    std::uint64_t at = round_up(from, unit);
    auto following = reserved.upper_bound(at);
    if (following != reserved.begin()) at = std::max(at, round_up(std::prev(following)->second, unit));
    for (; following != reserved.end(); ++following) {
      if (following->first >= at && following->first - at >= bytes) return at;
      at = round_up(following->second, unit);
    }
    return at <= end && end - at >= bytes ? at : 0;
  }

  void* take(std::size_t bytes, int device, bool host) {
    const std::unique_lock guard(lock);
    if (bytes == 0 || bytes > end - begin) return nullptr;
    if (!host) {
      const auto entry = limit.find(device);
      const std::uint64_t used = in_use[device];
      if (entry != limit.end() && (used > entry->second || bytes > entry->second - used)) return nullptr;
    }
    const std::uint64_t unit = bytes >= large ? page : alignment;
    const std::uint64_t whole = round_up(bytes, unit) + unit;  // with the guard zone
    std::uint64_t at = free_at(next, whole, unit);
    if (!at) at = free_at(begin, whole, unit);
    if (!at) return nullptr;
    next = at + whole;
    reserved[at] = at + whole;
    std::erase_if(freed, [&](const Allocation& old) { return old.begin < at + whole && at < old.end; });
    live[at] = {at, at + bytes, count++, device, host};
    if (!host) in_use[device] += bytes;
    if (DefinedBytes* bits = DefinedBytes::instance()) host ? bits->define(at, bytes) : bits->forget(at, bytes);
    epoch.fetch_add(1, std::memory_order_release);
    return reinterpret_cast<void*>(at);
  }

  bool give(void* pointer, bool adopted) {
    const std::unique_lock guard(lock);
    const auto it = live.find(reinterpret_cast<std::uint64_t>(pointer));
    if (it == live.end()) return false;
    const Allocation allocation = it->second;
    const auto range = reserved.find(allocation.begin);
    if ((range == reserved.end()) != adopted) return false;
    live.erase(it);
    freed.push_back(allocation);
    if (freed.size() > remembered_frees) freed.pop_front();
    if (range != reserved.end()) {
      reserved.erase(range);
      if (!allocation.host) in_use[allocation.device] -= allocation.end - allocation.begin;
      const std::uint64_t from = round_up(allocation.begin, page), to = allocation.end / page * page;
      if (to > from) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
    }
    epoch.fetch_add(1, std::memory_order_release);
    return true;
  }
};

Arena::Arena() : state_(std::make_unique<State>()) {}

Arena& Arena::instance() {
  // Never destroyed: programs free device memory in static destructors.
  static Arena* arena = new Arena;
  return *arena;
}

void* Arena::allocate(std::size_t bytes, int device) { return state_->take(bytes, device, false); }
void* Arena::allocate_host(std::size_t bytes) { return state_->take(bytes, 0, true); }
bool Arena::release(void* pointer) { return state_->give(pointer, false); }
bool Arena::abandon(void* pointer) { return state_->give(pointer, true); }

void Arena::set_limit(int device, std::uint64_t bytes) {
  const std::unique_lock guard(state_->lock);
  state_->limit[device] = bytes;
}

bool Arena::adopt(void* pointer, std::size_t bytes, int device) {
  const auto begin = reinterpret_cast<std::uint64_t>(pointer);
  if (!pointer || bytes == 0 || bytes > ~std::uint64_t{0} - begin) return false;
  const std::unique_lock guard(state_->lock);
  const auto after = state_->live.lower_bound(begin);
  if (after != state_->live.end() && after->first < begin + bytes) return false;
  if (after != state_->live.begin() && std::prev(after)->second.end > begin) return false;
  state_->live[begin] = {begin, begin + bytes, state_->count++, device, true};
  state_->epoch.fetch_add(1, std::memory_order_release);
  return true;
}

std::optional<Allocation> Arena::find(std::uint64_t address) const {
  const std::shared_lock guard(state_->lock);
  auto it = state_->live.upper_bound(address);
  if (it == state_->live.begin()) return std::nullopt;
  --it;
  if (address >= it->second.end) return std::nullopt;
  return it->second;
}

std::string Arena::describe(std::uint64_t address) const {
  const std::shared_lock guard(state_->lock);
  const std::string text = "address " + hex(address);
  const auto after = state_->live.upper_bound(address);
  if (after != state_->live.begin()) {
    const Allocation& before = std::prev(after)->second;
    if (address < before.end)
      return text + " is byte " + std::to_string(address - before.begin) + " of " + name_of(before);
  }
  // Newest first: an address was handed out again only after the whole range had been.
  const auto old = std::ranges::find_if(state_->freed.rbegin(), state_->freed.rend(), [&](const Allocation& entry) {
    return entry.begin <= address && address < entry.end;
  });
  if (old != state_->freed.rend())
    return text + " is byte " + std::to_string(address - old->begin) + " of " + name_of(*old) + ", which was freed";
  constexpr std::uint64_t near = std::uint64_t{1} << 30;
  if (after != state_->live.begin()) {
    const Allocation& before = std::prev(after)->second;
    if (address - before.end < near)
      return text + " is " + std::to_string(address - before.end) + " bytes past the end of " + name_of(before);
  }
  if (after != state_->live.end() && after->first - address < near)
    return text + " is " + std::to_string(after->first - address) + " bytes before " + name_of(after->second);
  return text + " is near none of the " + std::to_string(state_->live.size()) + " live allocations";
}

bool Arena::reserved(std::uint64_t address) const { return address >= state_->begin && address < state_->end; }

std::uint64_t Arena::bytes_in_use(int device) const {
  const std::shared_lock guard(state_->lock);
  const auto entry = state_->in_use.find(device);
  return entry == state_->in_use.end() ? 0 : entry->second;
}

std::uint64_t Arena::epoch() const { return state_->epoch.load(std::memory_order_acquire); }

}  // namespace zellige::sim
