// Who used which bytes of global memory last in a launch: the last write, and two of the last reads.
//
// Law: exact at the granularity of bytes. Memory is followed in pages of 4 KiB that come into being when they are first
// used, so that the cost is proportional to the memory that the kernel touches. A page is cut into cells of equal size,
// 256 bytes at first; an access that covers a part of a cell splits the cells of its page. Of concurrent readers two of
// different workgroups are kept where there are two, so that a write that is ordered with neither is always found.
// Several host threads may use a shadow; each page has a lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "simulator/check/lds_shadow.hpp"

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

  /// Records `mark` for [address, address + bytes). Before, `concurrent(earlier)` is asked about every kept access that
  /// could conflict; if it is true, nothing more happens: the result is the first byte in question, and `earlier` tells
  /// the access. Otherwise 0. `replaces(old)`: the kept reader need not be kept beside the new one. `waves`: of a
  /// workgroup.
  template <class Concurrent, class Replaces>
  std::uint64_t access(std::uint64_t address, std::uint64_t bytes, const Mark& mark, Mark& earlier, std::uint32_t waves,
                       Concurrent concurrent, Replaces replaces) {
    const std::uint64_t end = address + bytes;
    while (address < end) {
      Page& page = page_of(address);
      const Locked locked(page.lock);
      const std::uint64_t stop = std::min(end, (address / page_bytes + 1) * page_bytes);
      const std::uint64_t misalignment = (address | stop) & ((1u << page.shift) - 1);
      if (!page.cells) page.cells = std::make_unique<Cell[]>(page_bytes >> page.shift);
      if (misalignment != 0) split(page, __builtin_ctzll(misalignment));
      Cell* cell = page.cells.get() + ((address % page_bytes) >> page.shift);
      for (; address < stop; address += 1u << page.shift, ++cell) {
        const bool reads = mark.use == static_cast<unsigned>(RaceUse::read);
        if (conflicts(cell->write, mark, concurrent)) return earlier = cell->write, address;
        if (!reads)
          for (const Mark& read : cell->reads)
            if (conflicts(read, mark, concurrent)) return earlier = read, address;
        if (!reads)
          cell->write = mark;
        else
          keep_reader(*cell, mark, waves, replaces);
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
  /// 2^18 pages; 1 GiB of addresses.
  struct Chunk {
    std::atomic<Page*>* pages;
  };
  static constexpr int chunk_shift = 30;

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
  template <class Replaces>
  static void keep_reader(Cell& cell, const Mark& mark, std::uint32_t waves, Replaces replaces) {
    for (Mark& slot : cell.reads)
      if (slot.number == 0 || slot.wave == mark.wave) {
        slot = mark;
        return;
      }
    for (Mark& slot : cell.reads)
      if (replaces(slot)) {
        slot = mark;
        return;
      }
    const std::uint32_t group = mark.wave / waves, first = cell.reads[0].wave / waves;
    if (first == group && first != cell.reads[1].wave / waves)
      cell.reads[0] = mark;
    else if (first == cell.reads[1].wave / waves || group == cell.reads[1].wave / waves)
      cell.reads[1] = mark;
  }

  Page& page_of(std::uint64_t address);
  static void split(Page& page, int shift);

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Chunk> chunks_;
  std::vector<std::atomic<Page*>*> used_;  ///< where pages were put
  std::uint64_t id_ = next_id();           ///< tells shadows apart, and what they held before clear(), for caches
  static std::uint64_t next_id();
};

}  // namespace zellige::sim
