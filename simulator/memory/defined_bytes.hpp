// Which bytes of device memory hold something that was written, for the check of uninitialised reads.
//
// Law: fresh device memory is undefined; copies, fills and kernels' stores define it. Memory outside the arena's range
// (registered host memory, module globals) and pinned host memory is always defined, as the host may write it unseen.
// One bit a byte in a reserved range, so that looking one up is a shift. Safe against launches on several host threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace zellige::sim {

class DefinedBytes {
 public:
  /// nullptr where the check does not run.
  static DefinedBytes* instance();

  /// The range that bits are kept for; the arena says it before it hands out memory. Throws std::bad_alloc.
  void cover(std::uint64_t begin, std::uint64_t end);

  /// Up to 64 bytes.
  bool defined(std::uint64_t address, std::uint32_t bytes) const;
  void define_few(std::uint64_t address, std::uint32_t bytes);

  void define(std::uint64_t address, std::uint64_t bytes);
  void forget(std::uint64_t address, std::uint64_t bytes);
  /// The definedness of [from, from + bytes) goes to [to, to + bytes).
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);

 private:
  bool covers(std::uint64_t address, std::uint64_t bytes) const {
    return address >= begin_ && address <= end_ && bytes <= end_ - address;
  }

  std::uint64_t begin_ = 0, end_ = 0;
  std::uint64_t* words_ = nullptr;  ///< bit b of word w: byte begin_ + 64 w + b; pages come as they are touched
};

}  // namespace zellige::sim
