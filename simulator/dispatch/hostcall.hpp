// Calls from kernels to the host: printf, and device memory for malloc.
//
// The device side is the device library's (ockl): a wave takes a packet off a free stack, fills it, pushes it on a
// ready stack, rings a doorbell and spins on the packet's control word until the host has cleared it. The host side
// here is served between the turns of waves.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace zellige::sim {

class Hostcall {
 public:
  static Hostcall& instance();

  /// The buffer that hidden_hostcall_buffer points to; made at the first call. Throws std::bad_alloc.
  std::uint64_t buffer();

  /// Answers every packet that waits. Thread-safe. Throws std::runtime_error for services that do not exist here.
  void serve();

 private:
  void answer(std::uint32_t service, std::uint64_t* slots);
  void message(std::uint64_t* slots);

  std::mutex lock_;
  std::uint64_t buffer_ = 0;
  std::map<std::uint64_t, std::vector<std::uint64_t>> messages_;  ///< printf calls whose arguments are still arriving
  std::uint64_t next_message_ = 1;
};

/// What printf writes for a message: a format (zero-terminated, padded to 8 bytes) and its arguments (8 bytes each,
/// strings inline). Conversions that lack their argument are printed as they stand.
std::string format_printf(const std::vector<std::uint64_t>& words);

}  // namespace zellige::sim
