// See simulator_counts.hpp.
#include "simulator_counts.hpp"

#include <dlfcn.h>

#include "simulator/include/zellige_sim.h"

namespace zellige::profiler {
namespace {

/// The simulator's entry of that name, or null on a real runtime.
template <class Function>
Function* entry(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

std::string text(const char* characters) { return characters != nullptr ? characters : ""; }

void set_sampling(std::uint64_t workgroups) {
  if (auto* set = entry<decltype(zelligeSimSetSampling)>("zelligeSimSetSampling")) set(workgroups);
}

nlohmann::ordered_json counts_json(const ZelligeSimLaunch& l, const char* (*class_name)(int),
                                   const char* (*bound_name)(int)) {
  nlohmann::ordered_json instructions = nlohmann::ordered_json::object(), bounds = nlohmann::ordered_json::object();
  for (int i = 0; i < ZELLIGE_SIM_OP_CLASSES; ++i) {
    if (const std::string name = text(class_name(i)); !name.empty()) instructions[name] = l.instructions[i];
  }
  for (int i = 0; i < ZELLIGE_SIM_BOUNDS; ++i) {
    if (const std::string name = text(bound_name(i)); !name.empty()) bounds[name + "_ms"] = l.bound_seconds[i] * 1e3;
  }
  bounds["l1_ms"] = l.l1_bound_seconds * 1e3;
  const auto lines = [](double value) { return static_cast<std::uint64_t>(value + 0.5); };
  const nlohmann::ordered_json memory = {{"line_bytes", l.line_bytes},
                                         {"l1_load_requests", lines(l.l1_load_requests)},
                                         {"l1_load_hits", lines(l.l1_load_hits)},
                                         {"l2_load_requests", lines(l.l2_load_requests)},
                                         {"l2_store_requests", lines(l.l2_store_requests)},
                                         {"l2_fill_bytes", lines(l.l2_fill_bytes)},
                                         {"l2_write_bytes", lines(l.l2_write_bytes)},
                                         {"memory_bytes", lines(l.memory_bytes)},
                                         {"load_coalescing", l.load_coalescing},
                                         {"store_coalescing", l.store_coalescing}};
  const nlohmann::ordered_json observed_clocks = {{"alone", l.alone_clocks},
                                                  {"waits", l.wait_clocks},
                                                  {"dependencies", l.dependency_clocks},
                                                  {"barriers", l.barrier_clocks},
                                                  {"stalled_waits", l.stalled_waits}};
  return {{"kernel", text(l.kernel)},
          {"overhead_ms", l.overhead_seconds * 1e3},
          {"bounds", bounds},
          {"workgroups", l.workgroups},
          {"executed_workgroups", l.executed},
          {"waves", l.waves},
          {"instructions", instructions},
          {"matrix_passes", l.matrix_passes},
          {"lds_bytes", l.lds_bytes},
          {"load_bytes", l.load_bytes},
          {"store_bytes", l.store_bytes},
          {"observed_workgroups", l.observed_workgroups},
          {"lds_access_cycles", l.lds_access_cycles},
          {"lds_conflict_cycles", l.lds_conflict_cycles},
          {"load_lines", l.load_lines},
          {"store_lines", l.store_lines},
          {"footprint_bytes", l.footprint_bytes},
          {"waves_per_workgroup", l.waves_per_workgroup},
          {"workgroups_per_cu", l.workgroups_per_cu},
          {"waves_per_simd", l.waves_per_simd},
          {"occupancy_limit", text(l.occupancy_limit)},
          {"vgprs", l.vgprs},
          {"agprs", l.agprs},
          {"sgprs", l.sgprs},
          {"vgpr_spills", l.vgpr_spills},
          {"sgpr_spills", l.sgpr_spills},
          {"lds_allocated_bytes", l.lds_allocated_bytes},
          {"scratch_bytes", l.scratch_bytes},
          {"scalar_bytes", l.scalar_bytes},
          {"estimated_memory", memory},
          {"observed_clocks", observed_clocks}};
}

}  // namespace

std::optional<SimulatorCounts> last_launch_counts() {
  auto* last_launch = entry<decltype(zelligeSimLastLaunch)>("zelligeSimLastLaunch");
  auto* class_name = entry<decltype(zelligeSimOpClassName)>("zelligeSimOpClassName");
  auto* bound_name = entry<decltype(zelligeSimBoundName)>("zelligeSimBoundName");
  if (last_launch == nullptr || class_name == nullptr || bound_name == nullptr) return {};
  ZelligeSimLaunch launch{};
  launch.struct_size = sizeof launch;
  if (last_launch(&launch) != 0 || launch.sequence == 0) return {};
  return SimulatorCounts{launch.sequence, text(launch.bound), counts_json(launch, class_name, bound_name)};
}

std::string last_fault() {
  auto* fault = entry<decltype(zelligeSimLastFault)>("zelligeSimLastFault");
  return fault != nullptr ? text(fault()) : "";
}

SampledLaunches::SampledLaunches(std::uint64_t workgroups) { set_sampling(workgroups); }
SampledLaunches::~SampledLaunches() { set_sampling(0); }

}  // namespace zellige::profiler
