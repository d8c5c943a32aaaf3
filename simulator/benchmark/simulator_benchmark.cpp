// How fast the simulator runs single instructions: wave instructions a second, or multiply-adds a second for matrix
// ones.
//
// The instruction streams of kernels.s are decoded as any kernel is and run on a wave of their own, so that a figure
// holds the handler, its share of the loop, and counting. Threads of the benchmark share nothing but the code.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "simulator/decode/program.hpp"
#include "simulator/execute/executor.hpp"
#include "simulator/execute/operation.hpp"
#include "simulator/execute/workgroup.hpp"
#include "simulator/memory/arena.hpp"

// The assembled text of kernels.s.
asm(".section .rodata\n"
    ".p2align 4\n"
    "simulator_benchmark_kernels:\n"
    ".incbin \"" SIMULATOR_BENCHMARK_KERNELS
    "\"\n"
    "simulator_benchmark_kernels_end:\n"
    ".text\n");
extern "C" const std::uint8_t simulator_benchmark_kernels[], simulator_benchmark_kernels_end[];

namespace zellige::sim {
namespace {

constexpr std::uint64_t stream_bytes = 1024;
constexpr int copies = 16, rounds = 256;  // instructions of a loop, loops of an iteration

struct Stream {
  const char* name;
  double items;  ///< of one instruction: 1 (the instruction) or its multiply-adds
};
constexpr Stream streams[] = {
    {"v_add_f32", 1},
    {"v_fma_f32", 1},
    {"v_add_u32", 1},
    {"v_cndmask_b32", 1},
    {"v_cmp_lt_u32", 1},
    {"v_pk_fma_f16", 1},
    {"v_mfma_f32_32x32x8_f16", 32 * 32 * 8},
    {"v_mfma_f32_16x16x16_f16", 16 * 16 * 16},
    {"v_mfma_f32_32x32x8_bf16", 32 * 32 * 8},
    {"v_mfma_f32_16x16x16_bf16", 16 * 16 * 16},
    {"v_mfma_f32_32x32x2_f32", 32 * 32 * 2},
    {"v_mfma_i32_32x32x16_i8", 32 * 32 * 16},
    {"ds_read_b128", 1},
    {"ds_read_b64", 1},
    {"ds_write_b128", 1},
    {"buffer_load_dwordx4", 1},
    {"buffer_store_dwordx4", 1},
};

const Program& program_of(std::size_t index) {
  static const auto programs = [] {
    std::vector<std::unique_ptr<Program>> all;
    const auto begin = reinterpret_cast<std::uint64_t>(simulator_benchmark_kernels);
    const auto bytes = static_cast<std::uint64_t>(simulator_benchmark_kernels_end - simulator_benchmark_kernels);
    for (std::size_t i = 0; i < std::size(streams); ++i)
      all.push_back(
          decode("gfx942", 64, simulator_benchmark_kernels, begin, bytes, begin + i * stream_bytes, streams[i].name));
    return all;
  }();
  return *programs[index];
}

/// A wave with its registers, LDS and a buffer of device memory.
class BenchmarkWave {
 public:
  explicit BenchmarkWave(const Program& program)
      : registers_(new (std::align_val_t{64}) std::uint32_t[allocated_rows * row_lanes]),
        lds_(new (std::align_val_t{64}) std::uint8_t[lds_bytes]()),
        memory_(Arena::instance().allocate(buffer_bytes, 0)) {
    for (int i = 0; i < allocated_rows * row_lanes; ++i) registers_[i] = 0x3c003c00u;  // ones, as halves
    std::memset(memory_, 0, buffer_bytes);
    group_.lds = lds_.get();
    group_.lds_bytes = lds_bytes;
    group_.program = &program;
    group_.arena = &Arena::instance();
    group_.counts = &counts_;
    group_.fault = &fault_;
    wave_.vector = registers_.get();
    wave_.group = &group_;
    wave_.set_scalar64(scalar_exec, ~std::uint64_t{0});
    wave_.set_scalar64(scalar_vcc, 0x5555555555555555u);
    wave_.set_scalar64(4, reinterpret_cast<std::uint64_t>(memory_));
    wave_.scalar[6] = buffer_bytes;
    wave_.scalar[7] = 0x00027000;
    wave_.refresh_exec();
    for (std::uint32_t lane = 0; lane < 64; ++lane) {
      wave_.row(0)[lane] = lane / 4 * 2048 + lane % 4 * 64;  // four lanes a row of a tensor
      wave_.row(1)[lane] = lane * 80;                        // rows of 64 bytes, padded
    }
  }
  ~BenchmarkWave() { Arena::instance().release(memory_); }

  /// Runs the stream `loops` times; false after a fault.
  bool run_loops(std::uint32_t loops) {
    wave_.scalar[0] = loops;
    wave_.state = WaveState::ready;
    wave_.budget = ~std::uint64_t{0};
    wave_.next = group_.program->entry;
    run(wave_);
    return wave_.state == WaveState::ended;
  }
  const std::string& fault() const { return fault_.message; }

 private:
  static constexpr std::uint32_t lds_bytes = 65536, buffer_bytes = 65536;
  struct AlignedDelete {
    void operator()(std::uint32_t* p) const { ::operator delete[](p, std::align_val_t{64}); }
    void operator()(std::uint8_t* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  std::unique_ptr<std::uint32_t[], AlignedDelete> registers_;
  std::unique_ptr<std::uint8_t[], AlignedDelete> lds_;
  void* memory_;
  Counts counts_;
  Fault fault_;
  Workgroup group_;
  Wave wave_;
};

void run_stream(benchmark::State& state, std::size_t index) {
  BenchmarkWave wave(program_of(index));
  for (auto _ : state) {
    if (wave.run_loops(rounds)) continue;
    state.SkipWithError(wave.fault().c_str());
    break;
  }
  const double instructions = static_cast<double>(state.iterations()) * copies * rounds;
  state.counters[streams[index].items > 1 ? "multiply_adds" : "instructions"] =
      benchmark::Counter(instructions * streams[index].items, benchmark::Counter::kIsRate);
  state.SetLabel(std::string(host_instruction_set()));
}

}  // namespace
}  // namespace zellige::sim

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (std::size_t i = 0; i < std::size(zellige::sim::streams); ++i)
    benchmark::RegisterBenchmark(zellige::sim::streams[i].name,
                                 [i](benchmark::State& state) { zellige::sim::run_stream(state, i); })
        ->ThreadRange(1, 2)
        ->UseRealTime();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
