// The entries of zellige_sim.h.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "simulator/hip/runtime.hpp"
#include "simulator/hip/sampling.hpp"

#pragma GCC visibility push(default)
#include "simulator/include/zellige_sim.h"
#pragma GCC visibility pop

namespace zellige::sim {
namespace {

constexpr const char* class_names[op_classes] = {
    "valu",        "valu_transcendental", "valu_double", "salu",   "smem", "matrix",  "lds",
    "global_load", "global_store",        "atomic",      "branch", "wait", "barrier", "other"};
static_assert(op_classes == ZELLIGE_SIM_OP_CLASSES && bound_count == ZELLIGE_SIM_BOUNDS + 1);

double ratio(std::uint64_t bytes, std::uint64_t lines, std::uint32_t line_bytes) {
  return lines == 0 ? 0 : static_cast<double>(bytes) / (static_cast<double>(lines) * line_bytes);
}

std::uint64_t sampling_at_start() {
  const char* text = std::getenv("ZELLIGE_SIM_SAMPLE");
  if (!text || !*text) return 0;
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (*end || *text == '-') {
    std::fprintf(stderr, "zellige-sim: ZELLIGE_SIM_SAMPLE='%s' is not a number of workgroups; all are executed\n",
                 text);
    return 0;
  }
  return value;
}

std::atomic<std::uint64_t>& sampling_value() {
  static std::atomic<std::uint64_t> value{sampling_at_start()};
  return value;
}

}  // namespace

std::uint64_t sampling() { return sampling_value().load(std::memory_order_relaxed); }
void set_sampling(std::uint64_t workgroups) { sampling_value().store(workgroups, std::memory_order_relaxed); }

}  // namespace zellige::sim

using namespace zellige::sim;

const char* zelligeSimVersion(void) { return ZELLIGE_SIM_VERSION; }

int zelligeSimLastLaunch(ZelligeSimLaunch* launch) {
  if (!launch || launch->struct_size < offsetof(ZelligeSimLaunch, sequence) + sizeof(std::uint64_t)) return 1;
  static thread_local LaunchRecord record;  // what the texts point into
  record = last_launch();
  ZelligeSimLaunch full{};
  full.struct_size = launch->struct_size;
  full.sequence = record.sequence;
  full.kernel = record.kernel.c_str();
  full.bound = bound_name(record.prediction.bound);
  full.seconds = record.prediction.seconds;
  full.overhead_seconds = record.prediction.overhead_seconds;
  for (int i = 0; i < ZELLIGE_SIM_BOUNDS; ++i) full.bound_seconds[i] = record.prediction.seconds_of[i];
  const Counts& counts = record.result.counts;
  full.workgroups = record.result.workgroups;
  full.executed = record.result.executed;
  full.waves = counts.waves;
  for (int i = 0; i < op_classes; ++i) full.instructions[i] = counts.instructions[i];
  full.matrix_passes = counts.matrix_passes;
  full.lds_bytes = counts.lds_bytes;
  full.load_bytes = counts.load_bytes;
  full.store_bytes = counts.store_bytes;
  full.observed_workgroups = counts.observed_workgroups;
  full.lds_access_cycles = counts.lds_access_cycles;
  full.lds_conflict_cycles = counts.lds_conflict_cycles;
  full.load_lines = counts.load_lines;
  full.store_lines = counts.store_lines;
  full.footprint_bytes = record.result.footprint_bytes;
  full.waves_per_workgroup = record.result.occupancy.waves_per_workgroup;
  full.workgroups_per_cu = record.result.occupancy.workgroups_per_cu;
  full.waves_per_simd = record.result.occupancy.waves_per_simd;
  full.occupancy_limit = record.result.occupancy.limit;
  full.vgprs = record.info.vgprs;
  full.agprs = record.info.agprs;
  full.sgprs = record.info.sgprs;
  full.vgpr_spills = record.info.vgpr_spills;
  full.sgpr_spills = record.info.sgpr_spills;
  full.lds_allocated_bytes = record.lds_bytes;
  full.scratch_bytes = record.info.scratch_bytes;
  full.l1_bound_seconds = record.prediction.seconds_of[static_cast<int>(Bound::l1)];
  const ObservedCounts& observed = record.result.observed;
  full.scalar_bytes = observed.scalar_bytes;
  const MemoryEstimate& memory = record.prediction.memory;
  full.line_bytes = memory.line_bytes;
  full.l1_load_requests = memory.l1_load_requests;
  full.l1_load_hits = memory.l1_hits;
  full.l2_load_requests = memory.l2_load_requests;
  full.l2_store_requests = memory.l2_store_requests;
  full.l2_fill_bytes = memory.l2_fill_bytes;
  full.l2_write_bytes = memory.write_bytes;
  full.memory_bytes = memory.memory_bytes;
  full.load_coalescing = ratio(observed.load_bytes, observed.load_lines, memory.line_bytes);
  full.store_coalescing = ratio(observed.store_bytes, observed.store_lines, memory.line_bytes);
  full.alone_clocks = observed.alone_clocks;
  full.stalled_waits = observed.stalled_waits;
  full.wait_clocks = observed.wait_clocks;
  full.dependency_clocks = observed.dependency_clocks;
  full.barrier_clocks = observed.barrier_clocks;
  std::memcpy(launch, &full, std::min(launch->struct_size, sizeof full));
  return record.sequence == 0;
}

const char* zelligeSimLastFault(void) {
  static thread_local std::string text;
  text = last_report();
  return text.c_str();
}

const char* zelligeSimOpClassName(int op_class) {
  return op_class >= 0 && op_class < op_classes ? class_names[op_class] : "";
}

const char* zelligeSimBoundName(int bound) {
  return bound >= 0 && bound < bound_count ? bound_name(static_cast<Bound>(bound)) : "";
}

void zelligeSimSetSampling(std::uint64_t workgroups) { set_sampling(workgroups); }
