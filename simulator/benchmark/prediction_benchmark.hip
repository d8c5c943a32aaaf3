// What the simulator predicts beside what was measured on hardware and published: prints both, and their ratio,
// whatever it is. Two measurements are known:
//
//   a forward convolution (n8 c64 56x56 k64 3x3 pad 1, f16) as an implicit GEMM of 64x64x64 tiles, 2x2 waves, 32x32x16
//   atoms and an LDS-shuffled store: 8.02 us on an MI355X (gfx950);
//   GEMM speeds on gfx1250 for tiles of 64 16-bit elements along k whose LDS rows are padded by 0, 8, 16, 24, 32
//   elements: 0.34, 1.00, 0.86, 1.00, 0.61 of the best.
//
// The convolution is this library's kernel of that shape, executed. Of the GEMM only the LDS is modelled: the cycles of
// the fragment reads and of the tile's stores, by execute/lds_banks.hpp, and the speed that they alone would allow.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "simulator/execute/lds_banks.hpp"
#include "simulator/include/zellige_sim.h"
#include "zellige/host/conv.hpp"

namespace zellige {
namespace {

constexpr Tiling tiling{.block = {64, 64, 64},
                        .waves = {2, 2},
                        .atom = {32, 32, 16},
                        .vector_c = 8,
                        .walk = Walk::run,
                        .store = Store::lds_shuffle};
constexpr ConvConfig config{.tiling = tiling};
constexpr double measured_microseconds = 8.02;

void* device_memory(std::int64_t bytes) {
  void* pointer = nullptr;
  require_success(hipMalloc(&pointer, static_cast<std::size_t>(bytes)), "hipMalloc");
  require_success(hipMemset(pointer, 0, static_cast<std::size_t>(bytes)), "hipMemset");
  return pointer;
}

/// Says where the predicted time comes from; nothing on a real runtime.
void print_bounds() {
  const auto last = reinterpret_cast<decltype(&zelligeSimLastLaunch)>(dlsym(RTLD_DEFAULT, "zelligeSimLastLaunch"));
  const auto name = reinterpret_cast<decltype(&zelligeSimBoundName)>(dlsym(RTLD_DEFAULT, "zelligeSimBoundName"));
  ZelligeSimLaunch launch{};
  launch.struct_size = sizeof launch;
  if (!last || !name || last(&launch) != 0) return;
  std::printf("  overhead %.2f us; bounds in us:", launch.overhead_seconds * 1e6);
  for (int i = 0; i < ZELLIGE_SIM_BOUNDS; ++i) std::printf(" %s %.2f", name(i), launch.bound_seconds[i] * 1e6);
  std::printf(" l1 %.2f\n", launch.l1_bound_seconds * 1e6);
  const double observed = static_cast<double>(launch.observed_workgroups);
  std::printf(
      "  a workgroup alone takes %.0f clocks; its waves spend %.0f in waits, %.0f for results, %.0f at barriers\n",
      static_cast<double>(launch.alone_clocks) / observed,
      static_cast<double>(launch.wait_clocks) / observed / launch.waves_per_workgroup,
      static_cast<double>(launch.dependency_clocks) / observed / launch.waves_per_workgroup,
      static_cast<double>(launch.barrier_clocks) / observed / launch.waves_per_workgroup);
  std::printf("  %llu workgroups of %d waves, %d on a compute unit (%s)\n",
              static_cast<unsigned long long>(launch.workgroups), launch.waves_per_workgroup, launch.workgroups_per_cu,
              launch.occupancy_limit);
}

int convolution() {
  const ConvAxis axis{.size = 56, .filter = 3, .pad_before = 1, .pad_after = 1};
  const ConvProblem problem{.n = 8, .c = 64, .k = 64, .spatial = 2, .axis = {{axis, axis}}};
  const Planned planned = plan_conv(conv_fwd_kernel<Arch::gfx950, config>(), problem);
  if (!planned.verdict.ok) {
    std::fprintf(stderr, "refused: %s\n", planned.verdict.why.data());
    return 1;
  }
  void *input = device_memory(input_bytes(problem).value), *weight = device_memory(weight_bytes(problem).value),
       *output = device_memory(output_bytes(problem).value);
  hipEvent_t begin, end;
  require_success(hipEventCreate(&begin), "hipEventCreate");
  require_success(hipEventCreate(&end), "hipEventCreate");
  require_success(hipEventRecord(begin, nullptr), "hipEventRecord");
  if (!planned.plan.run(nullptr, {input, weight, output}).ok) return 1;
  require_success(hipEventRecord(end, nullptr), "hipEventRecord");
  require_success(hipEventSynchronize(end), "hipEventSynchronize");
  float milliseconds = 0;
  require_success(hipEventElapsedTime(&milliseconds, begin, end), "hipEventElapsedTime");
  const double predicted = milliseconds * 1e3;
  std::printf("conv_fwd n8 c64 56x56 k64 3x3 p1 f16 on gfx950, %s\n  predicted %.2f us, measured %.2f us, ratio %.2f\n",
              planned.plan.instance.c_str(), predicted, measured_microseconds, predicted / measured_microseconds);
  print_bounds();
  for (void* pointer : {input, weight, output}) static_cast<void>(hipFree(pointer));
  return 0;
}

/// Cycles of one access of a wave32: lane l at byte address at(l).
template <class Address>
unsigned cycles_of(std::uint32_t bytes, bool store, Address at) {
  const sim::LdsCycles cycles = sim::lds_cycles(sim::lds_phases("gfx1250", bytes, store), 0xffffffffu, bytes, at);
  return cycles.access + cycles.conflict;
}

void padding() {
  constexpr int tile_k = 64;
  constexpr double measured[] = {0.34, 1.00, 0.86, 1.00, 0.61};
  std::printf("LDS row padding on gfx1250, tile_k %d of 16 bits\n", tile_k);
  std::printf("  pad   cycles of a ds_load_b128   of a ds_store_b128   speed by these alone   measured speed\n");
  struct Row {
    int pad;
    unsigned load, store, both;
  } rows[5];
  unsigned best = ~0u;
  for (int i = 0; i < 5; ++i) {
    const std::uint32_t stride = static_cast<std::uint32_t>(tile_k + 8 * i) * 2;
    // A fragment read: lane l has row l % 16 and eight elements of k from 8 * (l / 16). A store of the tile: eight
    // lanes a row. Each stored element is read by two waves of a 2x2 arrangement.
    const auto lane = [](int l) { return static_cast<std::uint32_t>(l); };
    rows[i] = {8 * i, cycles_of(16, false, [&](int l) { return lane(l) % 16 * stride + lane(l) / 16 * 16; }),
               cycles_of(16, true, [&](int l) { return lane(l) / 8 * stride + lane(l) % 8 * 16; }), 0};
    rows[i].both = 2 * rows[i].load + rows[i].store;
    best = std::min(best, rows[i].both);
  }
  for (int i = 0; i < 5; ++i)
    std::printf("  %3d %26u %20u %22.2f %16.2f\n", rows[i].pad, rows[i].load, rows[i].store,
                static_cast<double>(best) / rows[i].both, measured[i]);
}

}  // namespace
}  // namespace zellige

int main() {
  const int status = zellige::convolution();
  zellige::padding();
  return status;
}
