// How fast the simulator runs whole kernels of this library: multiply-adds a second, launch included.
//
// ZELLIGE_SIM_THREADS=N sets the host threads of the process; run it with 1 and 2 to see how throughput grows.
#include <benchmark/benchmark.h>

#include <vector>

#include "zellige/host/conv.hpp"
#include "zellige/host/gemm.hpp"

namespace zellige {
namespace {

constexpr Tiling tiling{.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_c = 8, .store = Store::lds_shuffle};
constexpr Tiling run_tiling{
    .block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}, .vector_c = 8, .walk = Walk::run, .store = Store::lds_shuffle};
constexpr GemmConfig gemm_f16{.tiling = run_tiling};
constexpr GemmConfig gemm_bf16{.input = DataType::bf16, .output = DataType::bf16, .tiling = tiling};
constexpr ConvConfig conv_f16{.tiling = run_tiling};

/// Tensors of ones, on the device.
void* ones(std::int64_t bytes) {
  const std::vector<std::uint16_t> values(static_cast<std::size_t>(bytes / 2), 0x3c00);
  void* pointer = nullptr;
  require_success(hipMalloc(&pointer, static_cast<std::size_t>(bytes)), "hipMalloc");
  require_success(hipMemcpy(pointer, values.data(), static_cast<std::size_t>(bytes), hipMemcpyHostToDevice), "hipMemcpy");
  return pointer;
}

void run_plan(benchmark::State& state, const Planned& planned, std::int64_t bytes_a, std::int64_t bytes_b, std::int64_t bytes_c, double flops) {
  if (!planned.verdict.ok) return state.SkipWithError(planned.verdict.why.data());
  void *a = ones(bytes_a), *b = ones(bytes_b), *c = ones(bytes_c);
  for (auto _ : state) {
    if (!planned.plan.run(nullptr, {a, b, c}).ok) return state.SkipWithError("the plan refused to run");
    require_success(hipDeviceSynchronize(), "hipDeviceSynchronize");
  }
  state.counters["multiply_adds"] = benchmark::Counter(flops / 2, benchmark::Counter::kIsIterationInvariantRate);
  for (void* pointer : {a, b, c}) static_cast<void>(hipFree(pointer));
}

void gemm(benchmark::State& state, const GemmKernel& kernel) {
  const std::int64_t size = state.range(0);
  const GemmProblem p{.m = size, .n = size, .k = size, .input = kernel.config.input, .output = kernel.config.output};
  run_plan(state, plan_gemm(kernel, p), bytes_a(p).value, bytes_b(p).value, bytes_c(p).value, flops(p));
}

void conv(benchmark::State& state, const ConvKernel& kernel) {
  const ConvAxis axis{.size = 28, .filter = 3, .pad_before = 1, .pad_after = 1};
  const ConvProblem p{.n = 4, .c = 128, .k = 128, .spatial = 2, .axis = {{axis, axis}}};
  run_plan(state, plan_conv(kernel, p), input_bytes(p).value, weight_bytes(p).value, output_bytes(p).value, flops(p));
}

BENCHMARK_CAPTURE(gemm, f16, gemm_kernel<Arch::gfx942, gemm_f16>())->Arg(512)->Arg(1024)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gemm, bf16, gemm_kernel<Arch::gfx942, gemm_bf16>())->Arg(512)->Arg(1024)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(conv, f16_n4_c128_28x28_k128_3x3, conv_fwd_kernel<Arch::gfx942, conv_f16>())->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace zellige

BENCHMARK_MAIN();
