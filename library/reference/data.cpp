// Seeded inputs and poison.
#include "zellige/reference/data.hpp"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "parallel.hpp"

namespace zellige::reference {

namespace {

/// A counter-based generator: Steele, Lea and Flood's mix function over (seed, index).
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed * 0xd1342543de82ef95u + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

template <class T>
T from_double(double value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(value);
  else
    return from_float<T>(static_cast<float>(value));
}

bool is_integer(DataType type) { return type == DataType::i8 || type == DataType::i32; }

/// The largest sum that stays exact in the accumulator of `input`, and finite in the output.
std::int64_t exact_sum(DataType input, DataType output) {
  if (output == DataType::f16) return 65504;
  switch (accumulator_of(input)) {
    case DataType::f64:
      return std::int64_t{1} << 53;
    case DataType::i32:
      return INT32_MAX;
    default:
      return 1 << 24;
  }
}

constexpr std::int64_t grain = 1 << 16;  // elements a thread is worth starting for

}  // namespace

int integer_range(std::int64_t depth, DataType input, DataType output) {
  const std::int64_t most = input == DataType::i8 ? 127 : input == DataType::f64 ? 1 << 20 : 8;
  const double by_depth = std::sqrt(static_cast<double>(exact_sum(input, output) / depth));
  return static_cast<int>(std::clamp(static_cast<std::int64_t>(by_depth), std::int64_t{1}, most));
}

void fill(void* data, DataType type, std::int64_t count, Fill kind, std::uint64_t seed, std::int64_t depth,
          DataType output) {
  const int range = integer_range(depth, type, output);
  const double least = bytes_of(type) == 1 ? 0x1p-6 : 0x1p-8;
  with_elements(type, data, [&]<class T>(const T*) {
    T* elements = static_cast<T*>(data);
    parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::uint64_t bits = random_bits(seed, static_cast<std::uint64_t>(i));
        if (kind == Fill::integers || is_integer(type)) {
          const std::uint64_t span = static_cast<std::uint64_t>(2 * range + 1);
          elements[i] = from_double<T>(static_cast<double>((bits >> 32) * span >> 32) - range);
        } else {
          const double fraction = static_cast<double>(bits >> 11) * 0x1p-53;
          const double value = least + (1 - least) * fraction;
          elements[i] = from_double<T>((bits & 1) != 0 ? value : -value);
        }
      }
    });
  });
}

std::uint64_t poison_bits(DataType type) {
  switch (type) {
    case DataType::f16:
      return 0x7e5a;
    case DataType::bf16:
      return 0x7fda;
    case DataType::f64:
      return 0x7ff85a5a5a5a5a5a;
    case DataType::i8:
      return 0x5a;
    case DataType::i32:
      return 0x80005a5a;
    case DataType::f8e4m3:
    case DataType::f8e5m2:
      return 0x7f;
    case DataType::f8e4m3fnuz:
    case DataType::f8e5m2fnuz:
      return 0x80;
    default:
      return 0x7fda5a5a;
  }
}

void poison(void* data, DataType type, std::int64_t count) {
  const std::uint64_t bits = poison_bits(type);  // little-endian hosts: the low bytes come first
  const std::size_t size = static_cast<std::size_t>(bytes_of(type));
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      std::memcpy(static_cast<char*>(data) + static_cast<std::size_t>(i) * size, &bits, size);
    }
  });
}

}  // namespace zellige::reference
