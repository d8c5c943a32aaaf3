// Device memory: allocations in one reserved range of host address space, device pointer == host pointer.
//
// Law: an access is legal exactly if all its bytes lie in one live allocation. Allocations are 256-byte aligned with a
// guard zone of at least 256 bytes after each, so that an access just past the end never meets a neighbour. Addresses
// are not used again before the whole range was handed out once, so that an access to freed memory is found and named
// as such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace zellige::sim {

struct Allocation {
  std::uint64_t begin = 0, end = 0;  ///< [begin, end) in bytes
  std::uint32_t id = 0;              ///< position in the order of allocation, for messages
  int device = 0;
  bool host = false;  ///< pinned or registered host memory, reachable from kernels
};

class Arena {
 public:
  static Arena& instance();

  /// `bytes` of device memory (uninitialised), or nullptr when the device's limit would be passed. bytes = 0 gives
  /// nullptr.
  void* allocate(std::size_t bytes, int device);
  /// The same for pinned host memory, which counts against no device.
  void* allocate_host(std::size_t bytes);
  /// How many bytes allocate() may have handed out for `device` at a time; no limit where none was set.
  void set_limit(int device, std::uint64_t bytes);
  /// Frees what allocate() returned; false when `pointer` is not the start of a live allocation.
  bool release(void* pointer);
  /// Makes host memory [pointer, pointer + bytes) legal for kernels (pinned, registered and managed memory, module
  /// globals). False, and nothing changes, where the range is empty or overlaps a live allocation.
  bool adopt(void* pointer, std::size_t bytes, int device);
  bool abandon(void* pointer);

  /// The live allocation that contains `address`, if any. Thread-safe against launches: allocations do not change while
  /// a kernel runs (the runtime drains streams first) except by other host threads, which the lock covers.
  std::optional<Allocation> find(std::uint64_t address) const;
  /// A sentence about `address` for messages: inside which allocation, or how far past the end of the nearest one.
  std::string describe(std::uint64_t address) const;

  /// True when `address` lies in the range that device memory comes from, allocated or not.
  bool reserved(std::uint64_t address) const;

  std::uint64_t bytes_in_use(int device) const;
  std::uint64_t epoch() const;  ///< changes whenever the set of allocations does: caches of find() compare it

 private:
  Arena();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace zellige::sim
