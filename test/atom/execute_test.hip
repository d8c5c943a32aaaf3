// Every matrix instruction of a target, executed: operands laid out by the lane maps, results equal to the plain product.
//
// Built once for each target, with ZELLIGE_TEST_ARCH. Inputs are small integers, so that the comparison is exact.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "zellige/atom/mma.hpp"
#include "zellige/atom/sync.hpp"
#include "zellige/gemm/entry.hpp"
#include "zellige/host/launch.hpp"

namespace zellige {

/// A launch of one wave. Not every platform looks at all of it, and what is unnamed must be used.
struct OneWave {
  static constexpr int threads = arch_traits(Arch::ZELLIGE_TEST_ARCH).wave_size, min_blocks = 1, min_waves = 1;
};

namespace {

constexpr Arch arch = Arch::ZELLIGE_TEST_ARCH;
constexpr int wave_size = arch_traits(arch).wave_size;

/// The rows of all families' tables, one after another.
constexpr int row_count = mfma_rows().size() + rdna_rows().size() + scalar_rows().size() + gfx1250_rows().size() +
                          mma_sync_rows().size();
ZELLIGE_HD constexpr MmaRow row_at(int index) {
  int first = 0;
  MmaRow found;
  const auto look = [&](const auto& rows) {
    if (index >= first && index < first + rows.size()) found = rows[index - first];
    first += rows.size();
  };
  look(mfma_rows());
  look(rdna_rows());
  look(scalar_rows());
  look(gfx1250_rows());
  look(mma_sync_rows());
  return found;
}
ZELLIGE_HD constexpr Mma mma_at(int index) {
  const MmaRow row = row_at(index);
  return find_mma(arch, {row.input, row.input_b()}, row.shape, row.blocks);
}

/// Matrices of one instruction, [block][row][column] each: A is m x k, B is n x k (its columns as rows), C is m x n.
struct AtomArgs {
  const void* a = nullptr;  ///< [lane][word] fragments
  const void* b = nullptr;
  void* c = nullptr;        ///< [lane][slot] of the accumulator's type, read and written
};

template <int index>
struct AtomKernel : OneWave {
  using Args = AtomArgs;
  static constexpr Arch arch = zellige::arch;
  static constexpr bool valid = row_at(index).archs.has(arch);
  static ZELLIGE_DEVICE void run(const Args& args) {
    constexpr Mma mma = mma_at(index);
    constexpr int words_a = zellige::words_a(mma), words_b = zellige::words_b(mma), slots = mma.c.slots();
    const std::uint32_t lane = thread_index();
    const auto* const words_of_a = static_cast<const std::uint32_t*>(args.a);
    const auto* const words_of_b = static_cast<const std::uint32_t*>(args.b);
    vec<std::uint32_t, words_a> a;
    vec<std::uint32_t, words_b> b;
    using Element = storage_t<mma.accumulator>;
    Element* const held = static_cast<Element*>(args.c);
    vec<Element, slots> c;
    for (int i = 0; i < words_a; ++i) a[i] = words_of_a[lane * words_a + i];
    for (int i = 0; i < words_b; ++i) b[i] = words_of_b[lane * words_b + i];
    for (int i = 0; i < slots; ++i) c[i] = held[lane * slots + i];
    c = fma<mma.op>(a, b, c);
    for (int i = 0; i < slots; ++i) held[lane * slots + i] = c[i];
  }
};

template <class T>
std::uint64_t bits_as(double value) {
  return from_float<T>(static_cast<float>(value)).bits;
}

std::uint64_t bits_of(DataType type, double value) {
  switch (type) {
    case DataType::f16: return bits_as<f16>(value);
    case DataType::bf16: return bits_as<bf16>(value);
    case DataType::f8e4m3: return bits_as<f8e4m3>(value);
    case DataType::f8e5m2: return bits_as<f8e5m2>(value);
    case DataType::f8e4m3fnuz: return bits_as<f8e4m3fnuz>(value);
    case DataType::f8e5m2fnuz: return bits_as<f8e5m2fnuz>(value);
    case DataType::i8: return static_cast<std::uint8_t>(static_cast<std::int8_t>(value));
    case DataType::i32: return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
    case DataType::f64: return __builtin_bit_cast(std::uint64_t, value);
    default: return __builtin_bit_cast(std::uint32_t, static_cast<float>(value));
  }
}

/// Writes the low bits to element `index` of a buffer of elements of `type`.
void put(std::vector<std::byte>& elements, DataType type, int index, std::uint64_t bits) {
  const std::size_t size = static_cast<std::size_t>(bytes_of(type));
  std::memcpy(elements.data() + static_cast<std::size_t>(index) * size, &bits, size);
}

/// A matrix's elements put where the lane map says: [lane][slot] of the type's bits.
std::vector<std::byte> fragments(const LaneMap& map, DataType type, int rows, int columns, const std::vector<double>& matrix) {
  std::vector<std::byte> result(static_cast<std::size_t>(map.lanes() * map.slots() * bytes_of(type)));
  for (int lane = 0; lane < map.lanes(); ++lane) {
    for (int slot = 0; slot < map.slots(); ++slot) {
      const Coordinate at = map.at(static_cast<unsigned>(lane), static_cast<unsigned>(slot));
      const double value = matrix[static_cast<std::size_t>((at.block * rows + at.row) * columns + at.column)];
      put(result, type, lane * map.slots() + slot, bits_of(type, value));
    }
  }
  return result;
}

template <class T>
std::vector<double> as_doubles(const std::vector<std::byte>& bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return {elements.begin(), elements.end()};
}

/// The accumulators [lane][slot].
std::vector<double> accumulators(DataType type, const std::vector<std::byte>& bytes) {
  return type == DataType::f64   ? as_doubles<double>(bytes)
         : type == DataType::i32 ? as_doubles<std::int32_t>(bytes)
                                 : as_doubles<float>(bytes);
}

template <class T>
T* to_device(const std::vector<T>& values) {
  T* pointer = nullptr;
  require_success(hipMalloc(reinterpret_cast<void**>(&pointer), values.size() * sizeof(T)), "hipMalloc");
  require_success(hipMemcpy(pointer, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice), "hipMemcpy");
  return pointer;
}

/// Whole numbers that the instruction multiplies exactly: the largest magnitudes of A and B.
struct Range {
  int a, b;
};

void expect_product(const Mma& mma, const void* kernel, Range range) {
  const auto [m, n, k] = mma.shape;
  std::mt19937 random(static_cast<unsigned>(mma.op));
  std::vector<double> a(static_cast<std::size_t>(mma.blocks * m * k)), b(static_cast<std::size_t>(mma.blocks * n * k)),
      c(static_cast<std::size_t>(mma.blocks * m * n));
  const auto draw = [&](std::vector<double>& matrix, int range_of) {
    std::uniform_int_distribution<int> integers(-range_of, range_of);
    for (double& value : matrix) value = integers(random);
  };
  draw(a, range.a);
  draw(b, range.b);
  draw(c, 4);
  std::vector<std::byte> held = fragments(mma.c, mma.accumulator, m, n, c);

  const AtomArgs args{to_device(fragments(mma.a, mma.input, m, k, a)), to_device(fragments(mma.b, mma.input_b, n, k, b)), to_device(held)};
  launch(kernel, {.workgroups = 1, .threads = wave_size}, &args, nullptr, "atom " + std::to_string(static_cast<int>(mma.op)));
  require_success(hipMemcpy(held.data(), args.c, held.size(), hipMemcpyDeviceToHost), "hipMemcpy");
  for (const void* pointer : {static_cast<const void*>(args.a), static_cast<const void*>(args.b), static_cast<const void*>(args.c)}) {
    require_success(hipFree(const_cast<void*>(pointer)), "hipFree");
  }

  for (int block = 0; block < mma.blocks; ++block) {
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        double& sum = c[static_cast<std::size_t>((block * m + i) * n + j)];
        for (int q = 0; q < k; ++q) sum += a[static_cast<std::size_t>((block * m + i) * k + q)] * b[static_cast<std::size_t>((block * n + j) * k + q)];
      }
    }
  }
  const std::vector<double> got = accumulators(mma.accumulator, held);
  for (int lane = 0; lane < wave_size; ++lane) {
    for (int slot = 0; slot < mma.c.slots(); ++slot) {
      const Coordinate at = mma.c.at(static_cast<unsigned>(lane), static_cast<unsigned>(slot));
      ASSERT_EQ(got[static_cast<std::size_t>(lane * mma.c.slots() + slot)], c[static_cast<std::size_t>((at.block * m + at.row) * n + at.column)])
          << "op " << static_cast<int>(mma.op) << " lane " << lane << " slot " << slot;
    }
  }
}

/// Small numbers; then, where the operands hold them, numbers that need every bit of A's type, or of B's.
void expect_products(const Mma& mma, const void* kernel) {
  expect_product(mma, kernel, {4, 4});
  if (mma.input == DataType::i8) expect_product(mma, kernel, {127, 127});
  if (mma.input == DataType::f64) expect_product(mma, kernel, {1 << 24, 1 << 24});
  if (mma.products == 3) {  // 16 digits: a big part of 8 and a small one, which meets numbers of one part
    expect_product(mma, kernel, {(1 << 16) - 1, 4});
    expect_product(mma, kernel, {4, (1 << 16) - 1});
  } else if (mma.input == DataType::tf32) {  // 11 digits
    expect_product(mma, kernel, {(1 << 11) - 1, (1 << 8) - 1});
  }
}

/// Whether the target has that row's instruction, which is run then.
template <int index>
bool run_row() {
  if constexpr (AtomKernel<index>::valid)
    expect_products(mma_at(index), reinterpret_cast<const void*>(&entry<AtomKernel<index>>));
  return AtomKernel<index>::valid;
}

template <int... index>
int run_rows(std::integer_sequence<int, index...>) {
  return (0 + ... + static_cast<int>(run_row<index>()));
}

TEST(AtomExecution, lesson25_every_instruction_of_the_target_multiplies) {
  int rows = 0;
  for (int i = 0; i < row_count; ++i) rows += row_at(i).archs.has(arch) ? 1 : 0;
  EXPECT_EQ(run_rows(std::make_integer_sequence<int, row_count>{}), rows);
  EXPECT_GE(rows, 2) << "every target multiplies f16 and bf16";
}

}  // namespace
}  // namespace zellige
