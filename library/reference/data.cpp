// Seeded inputs and poison.
#include "zellige/reference/data.hpp"

#include <cstring>

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
  return from_float<T>(static_cast<float>(value));
}
template <>
double from_double<double>(double value) {
  return value;
}

constexpr std::int64_t grain = 1 << 16;  // elements a thread is worth starting for

}  // namespace

int integer_range(std::int64_t depth, DataType output) {
  const std::int64_t limit = output == DataType::f16 ? 65504 : 1 << 24;
  std::int64_t range = 1;
  while (range < 8 && depth * (range + 1) * (range + 1) <= limit) ++range;
  return static_cast<int>(range);
}

void fill(void* data, DataType type, std::int64_t count, Fill kind, std::uint64_t seed, std::int64_t depth,
          DataType output) {
  const int range = integer_range(depth, output);
  with_elements(type, data, [&]<class T>(const T*) {
    T* elements = static_cast<T*>(data);
    parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::uint64_t bits = random_bits(seed, static_cast<std::uint64_t>(i));
        if (kind == Fill::integers) {
          const std::uint64_t span = static_cast<std::uint64_t>(2 * range + 1);
          elements[i] = from_double<T>(static_cast<double>((bits >> 32) * span >> 32) - range);
        } else {
          const double fraction = static_cast<double>(bits >> 11) * 0x1p-53;
          const double value = 0x1p-8 + (1 - 0x1p-8) * fraction;
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
