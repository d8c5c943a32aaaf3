// What streams execute and graphs hold: one value a kind of work.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "simulator/hip/api.hpp"

namespace zellige::sim {

struct Graph;

struct KernelWork {
  ihipModuleSymbol_t* function = nullptr;
  std::array<std::uint32_t, 3> grid{1, 1, 1};  ///< in work-items
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::array<std::uint32_t, 3> cluster{};  ///< as LaunchRequest::cluster
  std::uint32_t dynamic_lds = 0;
  bool cooperative = false;
  std::vector<std::uint8_t> arguments;  ///< the argument segment's explicit part
  const void* host_function = nullptr;  ///< what the caller named it by; graph nodes give it back
};

/// depth x height rows of `width` bytes.
struct CopyWork {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t width = 0, height = 1, depth = 1;
  std::size_t to_pitch = 0, from_pitch = 0;  ///< bytes from row to row
  std::size_t to_slice = 0, from_slice = 0;  ///< bytes from slice to slice
};

/// depth x height rows of `width` elements of `element` bytes, all equal to `value`.
struct FillWork {
  void* to = nullptr;
  std::uint32_t value = 0;
  std::size_t element = 1, width = 0, height = 1, depth = 1;
  std::size_t pitch = 0, slice = 0;
};

struct HostWork {
  hipHostFn_t function = nullptr;
  void* data = nullptr;
};

struct EmptyWork {};
struct GraphWork {
  std::shared_ptr<Graph> graph;
};
struct EventRecordWork {
  hipEvent_t event = nullptr;
};
struct EventWaitWork {
  hipEvent_t event = nullptr;
};

using Work =
    std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, GraphWork, EventRecordWork, EventWaitWork>;

}  // namespace zellige::sim
