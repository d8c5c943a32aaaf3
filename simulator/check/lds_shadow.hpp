// Who used which bytes of a workgroup's LDS last: the last write, and every wave's last read and last atomic operation.
//
// Law: exact at the granularity of bytes. LDS is cut into blocks of 256 bytes, and a block into cells of equal size, 16
// bytes at first; an access that covers a part of a cell splits the cells of its block. Cells hold plain words, so that
// a check against all waves is one vector compare.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/check/race_clock.hpp"

namespace zellige::sim {

enum class RaceUse : std::uint8_t { read, write, atomic };

/// An access of LDS as the shadow sees it.
struct LdsUse {
  RaceUse use = RaceUse::read;
  Part part = Part::lds;
  int wave = 0;
  std::uint32_t number = 0;
  std::uint32_t instruction = 0;  ///< Instruction::index
};

/// An earlier access that the new one is not ordered with.
struct LdsConflict {
  bool found = false;
  RaceUse use = RaceUse::read;
  Part part = Part::lds;
  int wave = 0;
  std::uint32_t number = 0;
  std::uint32_t instruction = 0;  ///< no_instruction: look `number` up in the wave's log
  std::uint32_t address = 0;      ///< the first byte of the cell in question
};
inline constexpr std::uint32_t no_instruction = ~0u;

class LdsShadow {
 public:
  /// All of it untouched. `atomics`: the kernel has atomic operations on LDS.
  void begin(std::uint32_t bytes, int waves, bool atomics);
  /// Untouched again.
  void restart() { begin(bytes_, waves_, atomics_); }

  /// Checks the access of [address, address + bytes) against `known` (of each wave of the group; the own entry holds
  /// what the wave has waited for), then records it. `is_ordered(conflict)` may still excuse a conflict.
  template <class IsOrdered>
  LdsConflict access(std::uint32_t address, std::uint32_t bytes, const LdsUse& use, const GroupClock& known,
                     IsOrdered is_ordered) {
    return use.use == RaceUse::read && use.part == Part::lds && !atomics_
               ? access_as<true>(address, bytes, use, known, is_ordered)
               : access_as<false>(address, bytes, use, known, is_ordered);
  }

 private:
  /// `plain_read`: the common case, an LDS instruction that reads, in a kernel without atomic operations on LDS.
  template <bool plain_read, class IsOrdered>
  LdsConflict access_as(std::uint32_t address, std::uint32_t bytes, const LdsUse& use, const GroupClock& known,
                        IsOrdered is_ordered) {
    const std::uint32_t end = std::min<std::uint64_t>(std::uint64_t{address} + bytes, bytes_);
    while (address < end) {
      Block& block = blocks_[address / block_bytes];
      block.used = true;
      const std::uint32_t stop = std::min(end, (address / block_bytes + 1) * block_bytes);
      const std::uint32_t misalignment = (address | stop) & ((1u << block.shift) - 1);
      if (misalignment != 0) split(block, __builtin_ctz(misalignment));
      std::uint32_t* cell = block.cells.data() + ((address % block_bytes) >> block.shift) * stride_;
      const std::uint32_t step = 1u << block.shift;
      for (; address < stop; address += step, cell += stride_) {
        const bool is_own = (cell[write_at + 1] & 0xff) == static_cast<std::uint32_t>(use.wave);
        if (!plain_read || !(cell[write_at] == 0 || (is_own && cell[write_at + 1] >> 8 == 0) ||
                             cell[write_at] <= known[cell[write_at + 1] & 0xff].at[cell[write_at + 1] >> 8])) {
          LdsConflict conflict = check(cell, use, known);
          if (conflict.found) {
            conflict.address = address;
            if (!is_ordered(conflict)) return conflict;
          }
        }
        if (plain_read)
          cell[reads_at + use.wave] = use.number;
        else
          record(cell, use);
      }
    }
    return {};
  }

  static constexpr std::uint32_t block_bytes = 256;
  static constexpr int first_shift = 4;
  // Words of a cell: the last write (number, wave | part << 8, instruction), the last read by a copy to global memory
  // (the same), then each wave's last read, then each wave's last atomic operation.
  static constexpr int write_at = 0, copy_at = 3, reads_at = 6;

  struct Block {
    int shift = first_shift;
    bool used = false;  ///< since begin()
    std::vector<std::uint32_t> cells;
  };

  void split(Block& block, int shift);
  LdsConflict check(const std::uint32_t* cell, const LdsUse& use, const GroupClock& known) const {
    if (const std::uint32_t number = cell[write_at]; number != 0) {
      const int wave = cell[write_at + 1] & 0xff;
      const Part part = static_cast<Part>(cell[write_at + 1] >> 8);
      // A wave's own LDS instructions are in order; its copies are not in order with them.
      if (number > known[wave][part] && (wave != use.wave || (part != Part::lds && part != use.part)))
        return {true, RaceUse::write, part, wave, number, cell[write_at + 2], 0};
    }
    if (use.use != RaceUse::read) {
      for (int wave = 0; wave < waves_; ++wave)
        if (cell[reads_at + wave] > known[wave][Part::lds] && wave != use.wave)
          return {true, RaceUse::read, Part::lds, wave, cell[reads_at + wave], no_instruction, 0};
      if (const std::uint32_t number = cell[copy_at]; number != 0) {
        const int wave = cell[copy_at + 1] & 0xff;
        const Part part = static_cast<Part>(cell[copy_at + 1] >> 8);
        if (number > known[wave][part] && (wave != use.wave || part != use.part))
          return {true, RaceUse::read, part, wave, number, cell[copy_at + 2], 0};
      }
    }
    if (atomics_ && use.use != RaceUse::atomic)
      for (int wave = 0; wave < waves_; ++wave)
        if (cell[reads_at + waves_ + wave] > known[wave][Part::lds] && wave != use.wave)
          return {true, RaceUse::atomic, Part::lds, wave, cell[reads_at + waves_ + wave], no_instruction, 0};
    return {};
  }
  void record(std::uint32_t* cell, const LdsUse& use) const {
    const std::uint32_t who = static_cast<std::uint32_t>(use.wave) | static_cast<std::uint32_t>(use.part) << 8;
    if (use.use == RaceUse::write) {
      cell[write_at] = use.number, cell[write_at + 1] = who, cell[write_at + 2] = use.instruction;
    } else if (use.use == RaceUse::atomic) {
      cell[reads_at + waves_ + use.wave] = use.number;
    } else if (use.part == Part::lds) {
      cell[reads_at + use.wave] = use.number;
    } else {
      cell[copy_at] = use.number, cell[copy_at + 1] = who, cell[copy_at + 2] = use.instruction;
    }
  }

  std::uint32_t bytes_ = 0;
  int waves_ = 0;
  std::uint32_t stride_ = 0;
  bool atomics_ = false;
  std::vector<Block> blocks_;
};

}  // namespace zellige::sim
