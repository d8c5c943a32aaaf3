// Every matrix instruction of a target, executed: operands laid out by the lane maps, results equal to the plain product.
//
// Built once for each target, with ZELLIGE_TEST_ARCH. Inputs are small integers, so that the comparison is exact.
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <random>
#include <utility>
#include <vector>

#include "zellige/atom/mma.hpp"
#include "zellige/atom/sync.hpp"
#include "zellige/gemm/entry.hpp"
#include "zellige/host/launch.hpp"

namespace zellige {
namespace {

constexpr Arch arch = Arch::ZELLIGE_TEST_ARCH;
constexpr int row_count = mfma_rows().size();
constexpr MmaRow row_at(int index) { return mfma_rows()[index]; }

/// Matrices of one instruction, [block][row][column] each: A is m x k, B is n x k (its columns as rows), C is m x n.
struct AtomArgs {
  const std::uint32_t* a = nullptr;  ///< [lane][word] fragments
  const std::uint32_t* b = nullptr;
  float* c = nullptr;                ///< [lane][slot], read and written
};

template <int index>
struct AtomKernel {
  using Args = AtomArgs;
  static constexpr Arch arch = zellige::arch;
  static constexpr bool valid = row_at(index).archs.has(arch);
  static constexpr int threads = 64, min_blocks = 1, min_waves = 1;
  static ZELLIGE_DEVICE void run(const Args& args) {
    constexpr Mma mma = mfma_of(row_at(index));
    constexpr int words_a = zellige::words_a(mma), words_b = zellige::words_b(mma), slots = mma.c.slots();
    const std::uint32_t lane = thread_index();
    vec<std::uint32_t, words_a> a;
    vec<std::uint32_t, words_b> b;
    vec<float, slots> c;
    for (int i = 0; i < words_a; ++i) a[i] = args.a[lane * words_a + i];
    for (int i = 0; i < words_b; ++i) b[i] = args.b[lane * words_b + i];
    for (int i = 0; i < slots; ++i) c[i] = args.c[lane * slots + i];
    c = fma<mma.op>(a, b, c);
    for (int i = 0; i < slots; ++i) args.c[lane * slots + i] = c[i];
  }
};

std::uint32_t bits_of(DataType type, float value) {
  if (type == DataType::f16) return from_float<f16>(value).bits;
  if (type == DataType::bf16) return from_float<bf16>(value).bits;
  return __builtin_bit_cast(std::uint32_t, value);
}

/// A matrix's elements put where the lane map says, as words.
std::vector<std::uint32_t> fragments(const LaneMap& map, DataType type, int rows, int columns, const std::vector<float>& matrix) {
  const int bytes = bytes_of(type), words = map.slots() * bytes / 4;
  std::vector<std::uint32_t> result(static_cast<std::size_t>(64 * words));
  for (int lane = 0; lane < 64; ++lane) {
    for (int slot = 0; slot < map.slots(); ++slot) {
      const Coordinate at = map.at(static_cast<unsigned>(lane), static_cast<unsigned>(slot));
      const std::uint32_t bits = bits_of(type, matrix[static_cast<std::size_t>((at.block * rows + at.row) * columns + at.column)]);
      result[static_cast<std::size_t>(lane * words + slot * bytes / 4)] |= bits << slot * bytes % 4 * 8;
    }
  }
  return result;
}

template <class T>
T* to_device(const std::vector<T>& values) {
  T* pointer = nullptr;
  require_success(hipMalloc(reinterpret_cast<void**>(&pointer), values.size() * sizeof(T)), "hipMalloc");
  require_success(hipMemcpy(pointer, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice), "hipMemcpy");
  return pointer;
}

void expect_product(const MmaRow& row, const void* kernel) {
  const Mma mma = mfma_of(row);
  const auto [m, n, k] = mma.shape;
  std::mt19937 random(static_cast<unsigned>(row.op));
  std::uniform_int_distribution<int> integers(-4, 4);
  std::vector<float> a(static_cast<std::size_t>(mma.blocks * m * k)), b(static_cast<std::size_t>(mma.blocks * n * k)),
      c(static_cast<std::size_t>(mma.blocks * m * n));
  for (auto* matrix : {&a, &b, &c}) {
    for (float& value : *matrix) value = static_cast<float>(integers(random));
  }
  std::vector<float> held(static_cast<std::size_t>(64 * mma.c.slots()));
  const auto element_of = [&](int lane, int slot) {
    const Coordinate at = mma.c.at(static_cast<unsigned>(lane), static_cast<unsigned>(slot));
    return static_cast<std::size_t>((at.block * m + at.row) * n + at.column);
  };
  for (int lane = 0; lane < 64; ++lane) {
    for (int slot = 0; slot < mma.c.slots(); ++slot) held[static_cast<std::size_t>(lane * mma.c.slots() + slot)] = c[element_of(lane, slot)];
  }

  const AtomArgs args{to_device(fragments(mma.a, mma.input, m, k, a)), to_device(fragments(mma.b, mma.input, n, k, b)), to_device(held)};
  launch(kernel, {.workgroups = 1, .threads = 64}, &args, nullptr, "atom " + std::to_string(static_cast<int>(row.op)));
  require_success(hipMemcpy(held.data(), args.c, held.size() * sizeof(float), hipMemcpyDeviceToHost), "hipMemcpy");
  for (const void* pointer : {static_cast<const void*>(args.a), static_cast<const void*>(args.b), static_cast<const void*>(args.c)}) {
    require_success(hipFree(const_cast<void*>(pointer)), "hipFree");
  }

  for (int block = 0; block < mma.blocks; ++block) {
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        float& sum = c[static_cast<std::size_t>((block * m + i) * n + j)];
        for (int q = 0; q < k; ++q) sum += a[static_cast<std::size_t>((block * m + i) * k + q)] * b[static_cast<std::size_t>((block * n + j) * k + q)];
      }
    }
  }
  for (int lane = 0; lane < 64; ++lane) {
    for (int slot = 0; slot < mma.c.slots(); ++slot) {
      ASSERT_EQ(held[static_cast<std::size_t>(lane * mma.c.slots() + slot)], c[element_of(lane, slot)])
          << "op " << static_cast<int>(row.op) << " lane " << lane << " slot " << slot;
    }
  }
}

template <int... index>
int run_rows(std::integer_sequence<int, index...>) {
  int ran = 0;
  ((AtomKernel<index>::valid ? (expect_product(row_at(index), reinterpret_cast<const void*>(&entry<AtomKernel<index>>)), ++ran) : 0), ...);
  return ran;
}

TEST(AtomExecution, EveryInstructionOfTheTargetMultiplies) {
  const int ran = run_rows(std::make_integer_sequence<int, row_count>{});
  EXPECT_GE(ran, 15) << "every MFMA target has f16, bf16 and f32 instructions";
}

}  // namespace
}  // namespace zellige
