// The table of memory_shape.hpp.
//
// Sources. [a] AMD's "Accelerator and GPU hardware specifications" (ROCm documentation): capacities of every target but
// gfx1250. [b] MT4G's published reports of an MI210 and an MI300X (github caps-tum/mt4g): lines, and latencies measured
// by chasing pointers; the far cache's is the L2's plus the stated miss penalty. [c] ROCm Compute Profiler's
// description of the vector L1 (64 bytes a clock). [d] AMD's white papers of CDNA 3 and CDNA 4: far cache, 17.2 TB/s.
// [e] Chips and Cheese on RDNA 3: the Infinity Cache answers vector loads after 150 ns on the RX 7900 XTX. [f] LLVM's
// scheduling model of GFX11 (SISchedule.td): 20 clocks LDS, 320 clocks a vector load on average. What has no letter in
// a row is an estimate: gfx950 and gfx1250 answer like gfx942 in clocks, the client targets' caches like CDNA's in
// nanoseconds at their higher clock less a quarter, their memory 100 ns behind their Infinity Cache. Associativities
// matter little to the counts: 64 ways of the CDNA caches, 8 of RDNA's.
#include "simulator/timing/memory_shape.hpp"

#include "simulator/dispatch/device.hpp"

namespace zellige::sim {
namespace {

constexpr std::uint32_t KiB = 1024;
constexpr std::uint64_t MiB = 1024 * 1024;

}  // namespace

MemoryShape memory_shape(const Device& device) {
  const auto clocks = [&](double nanoseconds) { return static_cast<int>(nanoseconds * device.traits.clock_ghz + 0.5); };
  MemoryShape shape;
  switch (device.traits.arch) {
    case Arch::gfx90a:  // [a] [b] [c]
      shape = {.l1_bytes = 16 * KiB, .l1_ways = 64, .line_bytes = 64};
      shape.l1_latency = 124, shape.l2_latency = 302, shape.memory_latency = 741;
      shape.scalar_hit_latency = 53, shape.scalar_miss_latency = 180, shape.lds_latency = 50;
      break;
    case Arch::gfx942:  // [a] [b] [c] [d]
    case Arch::gfx950:  // [a] [d], latencies are gfx942's
      shape = {.l1_bytes = 32 * KiB, .l1_ways = 64};
      shape.far_cache_bytes = 256 * MiB, shape.far_cache_gbps = 17200;
      shape.l1_latency = 116, shape.l2_latency = 288, shape.far_cache_latency = 497, shape.memory_latency = 900;
      shape.scalar_hit_latency = 48, shape.scalar_miss_latency = 172, shape.lds_latency = 51;
      break;
    case Arch::gfx1100:
    case Arch::gfx1151:
    case Arch::gfx1201: {  // [a], far cache of gfx1100 [e]
      shape = {.l1_bytes = 32 * KiB, .l1_ways = 8};
      const bool navi31 = device.traits.arch == Arch::gfx1100, strix = device.traits.arch == Arch::gfx1151;
      shape.far_cache_bytes = (navi31 ? 96 : strix ? 32 : 64) * MiB;
      shape.far_cache_gbps = navi31 ? 5300 : strix ? 1000 : 3000;
      shape.l1_latency = clocks(45), shape.l2_latency = clocks(100), shape.far_cache_latency = clocks(150);
      shape.memory_latency = clocks(250);
      shape.scalar_hit_latency = clocks(20), shape.scalar_miss_latency = clocks(80), shape.lds_latency = clocks(20);
      break;
    }
    default:  // gfx1250: an estimate throughout
      shape = {.l1_bytes = 32 * KiB, .l1_ways = 64};
      shape.l1_latency = 116, shape.l2_latency = 288, shape.memory_latency = 900;
      shape.scalar_hit_latency = 48, shape.scalar_miss_latency = 172, shape.lds_latency = 51;
      break;
  }
  return shape;
}

}  // namespace zellige::sim
