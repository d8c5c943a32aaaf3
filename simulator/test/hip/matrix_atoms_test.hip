// For every matrix builtin of the device's target (matrix_atoms.def): a kernel that calls it on one wave, with random
// operands that are laid out by the documents, against a reference in double. Sums that f32 holds exactly must agree
// exactly (16-bit results: after one rounding to nearest even); random reals within the rounding of k + 1 additions.
#include "simulator/test/hip/matrix_atoms.hpp"
#include "simulator/test/hip/support.hpp"

namespace zellige::test {
namespace {

using u32 = std::uint32_t;
template <class T, int n>
using vector = T __attribute__((ext_vector_type(n)));
using i2v = vector<int, 2>;
using i4v = vector<int, 4>;
using i8v = vector<int, 8>;
using i16v = vector<int, 16>;
using i32v = vector<int, 32>;
using f2 = vector<float, 2>;
using f4 = vector<float, 4>;
using f8 = vector<float, 8>;
using f16v = vector<float, 16>;
using f32v = vector<float, 32>;
using d4 = vector<double, 4>;
using h4 = vector<_Float16, 4>;
using h8 = vector<_Float16, 8>;
using h16 = vector<_Float16, 16>;
using h32 = vector<_Float16, 32>;
using s2 = vector<short, 2>;
using s4 = vector<short, 4>;
using s8 = vector<short, 8>;
using s16 = vector<short, 16>;
using b8 = vector<__bf16, 8>;
using b16 = vector<__bf16, 16>;
using b32 = vector<__bf16, 32>;

/// The lane's value of T: word w of all lanes lies at from + 64 * w.
template <class T>
__device__ T load(const u32* from) {
  u32 words[sizeof(T) / 4];
  for (unsigned w = 0; w < sizeof(T) / 4; ++w) words[w] = from[64 * w + threadIdx.x];
  return __builtin_bit_cast(T, words);
}
template <class T>
struct Words {
  u32 word[sizeof(T) / 4];
};
template <class T>
__device__ void store(u32* to, T value) {
  const auto words = __builtin_bit_cast(Words<T>, value);
  for (unsigned w = 0; w < sizeof(T) / 4; ++w) to[64 * w + threadIdx.x] = words.word[w];
}

// The builtins of a set in device code of its targets, nothing elsewhere.
#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
#define IN_CDNA(...) __VA_ARGS__
#else
#define IN_CDNA(...)
#endif
#if defined(__gfx90a__)
#define IN_GFX90A(...) __VA_ARGS__
#else
#define IN_GFX90A(...)
#endif
#if defined(__gfx942__)
#define IN_GFX942(...) __VA_ARGS__
#else
#define IN_GFX942(...)
#endif
#if defined(__gfx942__) || defined(__gfx950__)
#define IN_GFX942_950(...) __VA_ARGS__
#else
#define IN_GFX942_950(...)
#endif
#if defined(__gfx950__)
#define IN_GFX950(...) __VA_ARGS__
#else
#define IN_GFX950(...)
#endif
#if defined(__gfx1100__) || defined(__gfx1151__)
#define IN_GFX11(...) __VA_ARGS__
#else
#define IN_GFX11(...)
#endif
#if defined(__gfx1201__)
#define IN_GFX12(...) __VA_ARGS__
#else
#define IN_GFX12(...)
#endif
#if defined(__gfx1250__)
#define IN_GFX1250(...) __VA_ARGS__
#else
#define IN_GFX1250(...)
#endif

#define ATOM(kernel, set, A, B, C, D, builtin, arguments, ...)                                                       \
  __global__ void kernel([[maybe_unused]] const u32* pa, [[maybe_unused]] const u32* pb,                             \
                         [[maybe_unused]] const u32* pc, [[maybe_unused]] const u32* px, [[maybe_unused]] u32* pd) { \
    IN_##set(const A a = load<A>(pa); const B b = load<B>(pb); const C c = load<C>(pc);                              \
             [[maybe_unused]] const u32 x = load<u32>(px), y = load<u32>(px + 128);                                  \
             [[maybe_unused]] const long wide = load<long>(px), other = load<long>(px + 128);                        \
             store<D>(pd, __builtin_amdgcn_##builtin arguments);)                                                    \
  }
#include "simulator/test/hip/matrix_atoms.def"
#undef ATOM

using Kernel = void (*)(const u32*, const u32*, const u32*, const u32*, u32*);
struct Row {
  const char* kernel_name;
  Kernel kernel;
  Atom atom;
};
const Row rows[] = {
#define ATOM(kernel, set, A, B, C, D, builtin, arguments, targets, family, m, n, k, blocks, a, b, c, d, scale, wmma) \
  {#kernel,                                                                                                          \
   kernel,                                                                                                           \
   {#builtin, targets, Family::family, m, n, k, blocks, Scalar::a, Scalar::b, Scalar::c, Scalar::d, scale, wmma}},
#include "simulator/test/hip/matrix_atoms.def"
#undef ATOM
};

std::string device_target() {
  hipDeviceProp_t properties;
  EXPECT_EQ(hipSuccess, hipGetDeviceProperties(&properties, 0));
  const std::string name = properties.gcnArchName;
  return name.substr(0, name.find(':'));
}

void put_bits(std::vector<u32>& words, int bits, int lane, int slot, std::uint64_t value) {
  for (int bit = 0; bit < bits; ++bit) {
    const int at = slot * bits + bit;
    u32& word = words[static_cast<std::size_t>(at / 32 * 64 + lane)];
    word = (word & ~(1u << (at % 32))) | static_cast<u32>(value >> bit & 1) << (at % 32);
  }
}
std::uint64_t get_bits(const std::vector<u32>& words, int bits, int lane, int slot) {
  std::uint64_t value = 0;
  for (int bit = 0; bit < bits; ++bit) {
    const int at = slot * bits + bit;
    value |= static_cast<std::uint64_t>(words[static_cast<std::size_t>(at / 32 * 64 + lane)] >> (at % 32) & 1) << bit;
  }
  return value;
}

/// The nearest value of a 16-bit type, ties to even; others are returned as they are.
double rounded(Scalar type, double value) {
  const int fraction_bits = type == Scalar::f16 ? 10 : type == Scalar::bf16 ? 7 : 52;
  if (fraction_bits == 52 || value == 0) return value;
  const double unit = std::ldexp(1.0, std::ilogb(value) - fraction_bits);
  return std::nearbyint(value / unit) * unit;
}

class AtomRun {
 public:
  AtomRun(const Row& row, std::string target) : row_(row), atom_(row.atom), target_(std::move(target)) {
    lanes_ = target_.starts_with("gfx9") ? 64 : 32;
    fnuz_ = target_ == "gfx942";
  }

  void run(bool exact, std::uint32_t seed) {
    fill(exact, seed);
    DeviceVector<u32> a(a_words_), b(b_words_), c(c_words_), x(x_words_), d(d_words_);
    row_.kernel<<<1, lanes_>>>(a.data(), b.data(), c.data(), x.data(), d.data());
    HIP_OK(hipDeviceSynchronize());
    d_words_ = d.read();
    check(exact);
  }

 private:
  double& at(std::vector<double>& of, int block, int row, int column, int rows, int columns) {
    return of[static_cast<std::size_t>((block * rows + row) * columns + column)];
  }
  double& a_at(int block, int i, int k) { return at(a_, block, i, k, atom_.m, atom_.k); }
  double& b_at(int block, int j, int k) { return at(b_, block, j, k, atom_.n, atom_.k); }
  double& c_at(int block, int i, int j) { return at(c_, block, i, j, atom_.m, atom_.n); }
  double scale(bool is_a, int i, int k) {
    if (atom_.scale_block == 0) return 1;
    return (is_a ? a_scales_
                 : b_scales_)[static_cast<std::size_t>(i * (atom_.k / atom_.scale_block) + k / atom_.scale_block)];
  }
  bool repeated() const { return target_ == "gfx1100" || target_ == "gfx1151"; }

  void fill(bool exact, std::uint32_t seed) {
    std::mt19937 generator(seed);
    const auto resize = [](std::vector<double>& values, int count) {
      values.assign(static_cast<std::size_t>(count), 0);
    };
    resize(a_, atom_.blocks * atom_.m * atom_.k);
    resize(b_, atom_.blocks * atom_.n * atom_.k);
    resize(c_, atom_.blocks * atom_.m * atom_.n);
    for (auto* words : {&a_words_, &b_words_, &c_words_, &x_words_, &d_words_}) {
      words->assign(64 * 40, 0);
      for (u32& word : *words) word = static_cast<u32>(generator());
    }
    fill_operand(true, exact, generator);
    fill_operand(false, exact, generator);
    fill_scales(generator);
    for (int block = 0; block < atom_.blocks; ++block)
      for (int i = 0; i < atom_.m; ++i)
        for (int j = 0; j < atom_.n; ++j) put_accumulator(block, i, j, exact, generator);
  }

  void fill_operand(bool is_a, bool exact, std::mt19937& generator) {
    const Scalar type = is_a ? atom_.a : atom_.b;
    const int bits = scalar_bits(type), slots = operand_slots(atom_, is_a, target_, lanes_);
    std::vector<u32>& words = is_a ? a_words_ : b_words_;
    for (int lane = 0; lane < lanes_; ++lane)
      for (int slot = 0; slot < slots; slot += is_a && atom_.sparse() ? 2 : 1) {
        const Place place = operand_place(atom_, is_a, target_, lanes_, lane, slot);
        if (repeated() && lane >= 16) {
          put_bits(words, bits, lane, slot, get_bits(words, bits, lane % 16, slot));
          continue;
        }
        const unsigned low = generator() % 3, high = low + 1 + generator() % (3 - low);
        for (int half = 0; half < (is_a && atom_.sparse() ? 2 : 1); ++half) {
          const int offset = !(is_a && atom_.sparse()) ? 0 : static_cast<int>(half == 0 ? low : high);
          const std::uint64_t code = random_code(type, exact, fnuz_, generator);
          (is_a ? a_at(place.block, place.index, place.k + offset) : b_at(place.block, place.index, place.k)) =
              decode(type, code, fnuz_);
          put_bits(words, bits, lane, slot + half, code);
          if (is_a && atom_.sparse()) put_index(lane, slot + half, static_cast<unsigned>(offset));
        }
      }
  }

  void put_index(int lane, int slot, unsigned offset) {
    sim::test::IndexPlace place{lane, 2 * slot};
    if (!atom_.cdna()) place = index_place(wmma_of(atom_, target_, lanes_), lane, slot);
    put_bits(x_words_, 2, place.lane, place.bit / 2, offset);
  }

  /// E8M0 bytes of 2^-2 to 2^2: CDNA has one a lane, row + m * block; gfx1250 one a byte of the row's lane.
  void fill_scales(std::mt19937& generator) {
    if (atom_.scale_block == 0) return;
    const int blocks = atom_.k / atom_.scale_block;
    for (const bool is_a : {true, false}) {
      std::vector<double>& scales = is_a ? a_scales_ : b_scales_;
      const int rows = is_a ? atom_.m : atom_.n;
      scales.assign(static_cast<std::size_t>(rows * blocks), 0);
      for (int i = 0; i < rows; ++i)
        for (int block = 0; block < blocks; ++block) {
          const int exponent = static_cast<int>(generator() % 5) - 2;
          scales[static_cast<std::size_t>(i * blocks + block)] = std::ldexp(1.0, exponent);
          const int lane = atom_.cdna() ? i + rows * block : i, byte = atom_.cdna() ? 0 : block;
          put_bits(x_words_, 8, lane, byte + (is_a ? 0 : 8), static_cast<u32>(127 + exponent));
        }
    }
  }

  int result_slot(Scalar type, int slot) const { return repeated() && scalar_bits(type) == 16 ? 2 * slot : slot; }

  void put_accumulator(int block, int i, int j, bool exact, std::mt19937& generator) {
    const auto place = result_place(atom_, target_, lanes_, block, i, j);
    // Integers that every type of accumulator holds, or any number of the type.
    std::uint64_t code = random_code(atom_.c, exact, fnuz_, generator);
    if (atom_.c == Scalar::i32) code = static_cast<u32>(static_cast<std::int32_t>(code) / 4);
    c_at(block, i, j) = decode(atom_.c, code, fnuz_);
    put_bits(c_words_, scalar_bits(atom_.c), place.lane, result_slot(atom_.c, place.slot), code);
  }

  void check(bool exact) {
    const bool fixed = is_integer(atom_.d);
    for (int block = 0; block < atom_.blocks; ++block)
      for (int i = 0; i < atom_.m; ++i)
        for (int j = 0; j < atom_.n; ++j) {
          double sum = c_at(block, i, j), magnitude = std::fabs(sum);
          for (int k = 0; k < atom_.k; ++k) {
            const double term = a_at(block, i, k) * b_at(block, j, k) * scale(true, i, k) * scale(false, j, k);
            sum += term;
            magnitude += std::fabs(term);
          }
          const auto place = result_place(atom_, target_, lanes_, block, i, j);
          const std::uint64_t code =
              get_bits(d_words_, scalar_bits(atom_.d), place.lane, result_slot(atom_.d, place.slot));
          const double got = decode(atom_.d, code, fnuz_);
          const double unit = atom_.d == Scalar::f64 ? 0x1p-53 : 0x1p-24;
          const double of_result = atom_.d == Scalar::f16 ? 0x1p-11 : atom_.d == Scalar::bf16 ? 0x1p-8 : 0;
          const double bound =
              (atom_.k + 1) * unit * magnitude * 1.01 + of_result * std::fabs(sum) * 1.01 + (of_result ? 0x1p-24 : 0);
          // Halves end at 65504; what rounds to 65536 or more is infinite.
          if (atom_.d == Scalar::f16 && std::fabs(sum) > 65520 - bound) {
            EXPECT_TRUE(code == (sum < 0 ? 0xfc00u : 0x7c00u) || std::fabs(sum) < 65520 + bound) << row_.kernel_name;
            continue;
          }
          const double wanted = rounded(atom_.d, sum);
          if (fixed || exact ? got == wanted : std::fabs(got - sum) <= bound) continue;
          FAIL() << row_.kernel_name << " on " << target_ << (exact ? ", exact" : ", reals") << ": block " << block
                 << " row " << i << " column " << j << " is " << got << ", expected " << wanted << " (bound " << bound
                 << ")";
        }
  }

  const Row& row_;
  const Atom& atom_;
  std::string target_;
  int lanes_ = 0;
  bool fnuz_ = false;
  std::vector<double> a_, b_, c_, a_scales_, b_scales_;
  std::vector<u32> a_words_, b_words_, c_words_, x_words_, d_words_;
};

TEST(MatrixAtoms, EqualTheirDefinition) {
  const std::string target = device_target();
  int atoms = 0;
  for (const Row& row : rows) {
    if (std::string(row.atom.targets).find(target) == std::string::npos) continue;
    ++atoms;
    for (std::uint32_t seed = 1; seed <= 3; ++seed)
      for (const bool exact : {true, false}) ASSERT_NO_FATAL_FAILURE(AtomRun(row, target).run(exact, seed));
  }
  // As many as clang has for the target.
  constexpr std::pair<const char*, int> counts[] = {{"gfx90a", 27}, {"gfx942", 46},  {"gfx950", 76}, {"gfx1100", 8},
                                                    {"gfx1151", 8}, {"gfx1201", 22}, {"gfx1250", 49}};
  for (const auto& [name, count] : counts) {
    if (target == name) EXPECT_EQ(count, atoms) << target;
  }
  EXPECT_GT(atoms, 0) << target;
  std::printf("%s: %d matrix builtins\n", target.c_str(), atoms);
}

}  // namespace
}  // namespace zellige::test
