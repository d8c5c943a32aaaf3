// Loops over all host threads, and tensors' elements as doubles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "zellige/core/types.hpp"

namespace zellige::reference {

/// Calls body(begin, end) on disjoint ranges that cover [0, count), on as many threads as the host has; on this one
/// alone where there are fewer than 2 * grain items. body must not throw.
template <class Body>
void parallel_for(std::int64_t count, std::int64_t grain, const Body& body) {
  const std::int64_t wanted = count / std::max<std::int64_t>(grain, 1);
  static const std::int64_t most = std::max(1u, std::thread::hardware_concurrency());
  const std::int64_t threads = std::clamp<std::int64_t>(wanted, 1, most);
  std::vector<std::thread> others;
  for (std::int64_t t = 1; t < threads; ++t) {
    others.emplace_back([&body, count, threads, t] { body(count * t / threads, count * (t + 1) / threads); });
  }
  body(0, count / threads);
  for (std::thread& other : others) other.join();
}

inline double to_double(f16 value) { return to_float(value); }
inline double to_double(bf16 value) { return to_float(value); }
inline double to_double(float value) { return value; }
inline double to_double(double value) { return value; }

/// Calls body(const T*) with the storage type of `type`, one of f16, bf16, f32, f64.
template <class Body>
void with_elements(DataType type, const void* data, const Body& body) {
  switch (type) {
    case DataType::f16:
      body(static_cast<const f16*>(data));
      break;
    case DataType::bf16:
      body(static_cast<const bf16*>(data));
      break;
    case DataType::f64:
      body(static_cast<const double*>(data));
      break;
    default:
      body(static_cast<const float*>(data));
      break;
  }
}

}  // namespace zellige::reference
