// Who used which bytes of global memory last in a launch: the last write, and two of the last reads.
//
// Law: exact at the granularity of bytes. Memory is followed in pages of 4 KiB that come into being when they are first
// used, so that the cost is proportional to the memory that the kernel touches. A page is cut into cells of equal size,
// 256 bytes at first; an access that covers a part of a cell splits the cells of its page. Of concurrent readers two of
// different workgroups are kept where there are two, so that a write that is ordered with neither is always found.
// Once two are kept of bytes that nothing writes, reads of further workgroups change nothing: a page's entry tells that
// by itself, as most reads are such. Several host threads may use a shadow; each page has a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "simulator/check/lds_shadow.hpp"
#include "simulator/memory/low_bits.hpp"

namespace zellige::sim {

/// An access of global memory, as it is kept.
struct Mark {
  std::uint32_t wave = 0;    ///< launch-wide: workgroup * waves of a workgroup + position
  std::uint32_t number = 0;  ///< 0: there was none
  std::uint32_t instruction : 22 = 0;
  std::uint32_t part : 3 = 0;          ///< Part
  std::uint32_t scope : 2 = 0;         ///< Scope: how far the access is atomic; wave: it is not
  std::uint32_t use : 2 = 0;           ///< RaceUse
  std::uint32_t maybe_atomic : 1 = 0;  ///< a store that may be atomic, as the target's stores do not say
};
static_assert(sizeof(Mark) == 12);

class GlobalShadow {
 public:
  static constexpr std::uint64_t page_bytes = 4096;

  GlobalShadow() = default;
  ~GlobalShadow();
  GlobalShadow(const GlobalShadow&) = delete;
  GlobalShadow& operator=(const GlobalShadow&) = delete;

  struct Entry;
  /// The chunks of entries that a host thread met last.
  struct Recent {
    struct Slot {
      std::uint64_t shadow = 0, index = 0;
      Entry* entries = nullptr;
    } slots[4];
  };

  /// Records `mark` for [address, address + bytes). Before, `concurrent(earlier)` is asked about every kept access that
  /// could conflict; if it is true, nothing more happens: the result is the first byte in question, and `earlier` tells
  /// the access. Otherwise 0. `replaces(old)`: the kept reader need not be kept beside the new one; it is of the same
  /// workgroup. `waves`: of a workgroup. `recent` is the host thread's own.
  template <class Concurrent, class Replaces>
  std::uint64_t access(std::uint64_t address, std::uint64_t bytes, const Mark& mark, Mark& earlier, std::uint32_t waves,
                       Recent& recent, Concurrent concurrent, Replaces replaces) {
    const std::uint64_t end = address + bytes;
    const bool reads = mark.use == static_cast<unsigned>(RaceUse::read);
    const std::uint32_t group = mark.wave / waves;
    while (address < end) {
      Entry& entry = entry_of(address, recent);
      const std::uint64_t stop = std::min(end, (address / page_bytes + 1) * page_bytes);
      if (reads && entry.is_settled(address, stop, group)) {
        address = stop;
        continue;
      }
      Page& page = page_of(entry);
      const Locked locked(page.lock);
      const std::uint64_t misalignment = (address | stop) & ((1u << page.shift) - 1);
      if (!page.cells) page.cells = std::make_unique<Cell[]>(page_bytes >> page.shift);
      if (misalignment != 0) split(page, __builtin_ctzll(misalignment));
      Cell* cell = page.cells.get() + ((address % page_bytes) >> page.shift);
      for (; address < stop; address += 1u << page.shift, ++cell) {
        if (conflicts(cell->write, mark, concurrent)) return earlier = cell->write, address;
        if (!reads)
          for (const Mark& read : cell->reads)
            if (conflicts(read, mark, concurrent)) return earlier = read, address;
        if (!reads)
          entry.written.store(true, std::memory_order_relaxed), cell->write = mark;
        else if (keep_reader(*cell, mark, group, waves, replaces) && page.shift >= unit_shift)
          entry.settle(*cell, address, page.shift, waves);
      }
    }
    return 0;
  }

  /// Forgets everything.
  void clear();

 private:
  struct Cell {
    Mark write, reads[2];
  };
  struct Page {
    std::atomic<bool> lock{false};
    int shift = 8;
    std::unique_ptr<Cell[]> cells;
  };
  static constexpr int unit_shift = 6;

 public:
  struct Entry {
    std::atomic<Page*> page;
    std::atomic<std::uint64_t> settled;  ///< a bit for every 64 bytes: readers of two workgroups are kept
    std::atomic<std::uint64_t> groups;   ///< of theirs, bit g % 64 for workgroup g
    std::atomic<bool> written;           ///< by the launch

    static std::uint64_t units(std::uint64_t address, std::uint64_t stop) {
      const std::uint64_t first = address % page_bytes >> unit_shift,
                          count = ((stop - 1) % page_bytes >> unit_shift) - first + 1;
      return low_bits(count) << first;
    }
    /// Whether a read by `group`, which is none of the kept, would change nothing.
    bool is_settled(std::uint64_t address, std::uint64_t stop, std::uint32_t group) const {
      const std::uint64_t wanted = units(address, stop);
      return (settled.load(std::memory_order_acquire) & wanted) == wanted &&
             !(groups.load(std::memory_order_relaxed) >> group % 64 & 1) && !written.load(std::memory_order_relaxed);
    }
    void settle(const Cell& cell, std::uint64_t address, int shift, std::uint32_t waves) {
      const std::uint32_t first = cell.reads[0].wave / waves, second = cell.reads[1].wave / waves;
      if (first == second) return;
      groups.fetch_or(std::uint64_t{1} << first % 64 | std::uint64_t{1} << second % 64, std::memory_order_relaxed);
      settled.fetch_or(units(address, address + (std::uint64_t{1} << shift)), std::memory_order_release);
    }
  };

 private:
  /// 2^18 pages; 1 GiB of addresses.
  struct Chunk {
    Entry* entries;
  };
  static constexpr int chunk_shift = 30;
  static constexpr std::size_t chunk_pages = (std::size_t{1} << chunk_shift) / page_bytes;

  struct Locked {
    explicit Locked(std::atomic<bool>& flag) : flag(flag) {
      while (flag.exchange(true, std::memory_order_acquire)) __builtin_ia32_pause();
    }
    ~Locked() { flag.store(false, std::memory_order_release); }
    std::atomic<bool>& flag;
  };

  template <class Concurrent>
  static bool conflicts(const Mark& old, const Mark& mark, Concurrent concurrent) {
    return old.number != 0 && concurrent(old, mark);
  }
  /// Whether two readers are kept, and not both since before.
  template <class Replaces>
  static bool keep_reader(Cell& cell, const Mark& mark, std::uint32_t group, std::uint32_t waves, Replaces replaces) {
    for (Mark& slot : cell.reads)
      if (slot.number == 0 || slot.wave == mark.wave) {
        const bool second = slot.number == 0 && &slot == &cell.reads[1];
        slot = mark;
        return second;
      }
    for (Mark& slot : cell.reads)
      if (replaces(slot)) {
        slot = mark;
        return false;
      }
    const std::uint32_t first = cell.reads[0].wave / waves;
    if (first == group && first != cell.reads[1].wave / waves)
      cell.reads[0] = mark;
    else if (first == cell.reads[1].wave / waves || group == cell.reads[1].wave / waves)
      cell.reads[1] = mark;
    else
      return false;
    return true;
  }

  Entry& entry_of(std::uint64_t address, Recent& recent) {
    const std::uint64_t index = address >> chunk_shift;
    Recent::Slot& slot = recent.slots[index % std::size(recent.slots)];
    if (slot.shadow != id_ || slot.index != index) slot = {id_, index, entries_of(index)};
    return slot.entries[address / page_bytes % chunk_pages];
  }
  Entry* entries_of(std::uint64_t chunk);
  Page& page_of(Entry& entry) {
    Page* page = entry.page.load(std::memory_order_acquire);
    return page != nullptr ? *page : new_page(entry);
  }
  Page& new_page(Entry& entry);
  static void split(Page& page, int shift);

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Chunk> chunks_;
  std::vector<Entry*> used_;      ///< where pages were put
  std::uint64_t id_ = next_id();  ///< tells shadows apart, and what they held before clear(), for caches
  static std::uint64_t next_id();
};

}  // namespace zellige::sim
