// Which bytes of device memory hold something that was written, for the check of uninitialised reads.
//
// Law: fresh device memory is undefined; copies, fills and kernels' stores define it. Memory outside the arena's range
// (registered host memory, module globals) and pinned host memory is always defined, as the host may write it unseen.
// One bit a byte in a reserved range, so that looking one up is a shift. Safe against launches on several host threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/memory/low_bits.hpp"

namespace zellige::sim {

class DefinedBytes {
 public:
  /// nullptr where the check does not run.
  static DefinedBytes* instance();

  /// The range that bits are kept for; the arena says it before it hands out memory. Throws std::bad_alloc.
  void cover(std::uint64_t begin, std::uint64_t end);

  /// Up to 64 bytes.
  bool defined(std::uint64_t address, std::uint32_t bytes) const {
    if (!covers(address, bytes)) return true;
    const std::uint64_t at = address - begin_, first = at % 64;
    const std::uint64_t low = low_bits(bytes) << first;
    if ((__atomic_load_n(&words_[at / 64], __ATOMIC_RELAXED) & low) != low) return false;
    if (first + bytes <= 64) return true;
    const std::uint64_t high = low_bits(first + bytes - 64);
    return (__atomic_load_n(&words_[at / 64 + 1], __ATOMIC_RELAXED) & high) == high;
  }
  void define_few(std::uint64_t address, std::uint32_t bytes) {
    if (!covers(address, bytes)) return;
    const std::uint64_t at = address - begin_, first = at % 64;
    set(words_[at / 64], low_bits(bytes) << first);
    if (first + bytes > 64) set(words_[at / 64 + 1], low_bits(first + bytes - 64));
  }

  /// Any number of bytes.
  bool all_defined(std::uint64_t address, std::uint64_t bytes) const {
    for (; bytes > 64; address += 64, bytes -= 64)
      if (!defined(address, 64)) return false;
    return defined(address, static_cast<std::uint32_t>(bytes));
  }
  void define(std::uint64_t address, std::uint64_t bytes);
  void forget(std::uint64_t address, std::uint64_t bytes);
  /// The definedness of [from, from + bytes) goes to [to, to + bytes).
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);

 private:
  /// Most stores meet bits that are set already: those cost no locked operation.
  static void set(std::uint64_t& word, std::uint64_t bits) {
    if ((__atomic_load_n(&word, __ATOMIC_RELAXED) & bits) != bits) __atomic_fetch_or(&word, bits, __ATOMIC_RELAXED);
  }
  bool covers(std::uint64_t address, std::uint64_t bytes) const {
    return address >= begin_ && address <= end_ && bytes <= end_ - address;
  }

  std::uint64_t begin_ = 0, end_ = 0;
  std::uint64_t* words_ = nullptr;  ///< bit b of word w: byte begin_ + 64 w + b; pages come as they are touched
};

}  // namespace zellige::sim
