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

inline double to_double(double value) { return value; }
inline double to_double(std::int8_t value) { return value; }
inline double to_double(std::int32_t value) { return value; }
template <class T>
double to_double(T value) {
  return to_float(value);
}

/// Calls body(const T*) with the storage type T of `type`.
template <class Body>
void with_elements(DataType type, const void* data, const Body& body) {
  const auto call = [&]<DataType t>() { body(static_cast<const storage_t<t>*>(data)); };
  switch (type) {
    case DataType::f16:
      return call.template operator()<DataType::f16>();
    case DataType::bf16:
      return call.template operator()<DataType::bf16>();
    case DataType::f32:
    case DataType::tf32:
      return call.template operator()<DataType::f32>();
    case DataType::f64:
      return call.template operator()<DataType::f64>();
    case DataType::i8:
      return call.template operator()<DataType::i8>();
    case DataType::i32:
      return call.template operator()<DataType::i32>();
    case DataType::f8e4m3:
      return call.template operator()<DataType::f8e4m3>();
    case DataType::f8e5m2:
      return call.template operator()<DataType::f8e5m2>();
    case DataType::f8e4m3fnuz:
      return call.template operator()<DataType::f8e4m3fnuz>();
    case DataType::f8e5m2fnuz:
      return call.template operator()<DataType::f8e5m2fnuz>();
  }
}

}  // namespace zellige::reference
