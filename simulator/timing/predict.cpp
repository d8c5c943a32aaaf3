// The bound model; predict.hpp states it.
#include "simulator/timing/predict.hpp"

#include <algorithm>

#include "simulator/timing/issue.hpp"
#include "simulator/timing/memory_shape.hpp"

namespace zellige::sim {
namespace {

// A dispatch's fixed cost on an otherwise idle queue: packet processing, workgroup start, cache write-back and the
// completion signal. An estimate: empty kernels take 2 to 5 us between events on the real devices.
constexpr double launch_overhead_seconds = 2.5e-6;
constexpr double copy_overhead_seconds = 5e-6;
constexpr double host_bus_bytes_per_second = 50e9;  // PCIe 5.0 x16 after protocol

}  // namespace

const char* bound_name(Bound bound) {
  constexpr const char* names[bound_count] = {"matrix", "vector", "issue", "wave", "lds", "l2", "memory", "l1"};
  return names[static_cast<int>(bound)];
}

Prediction predict(const Device& device, const PredictionInput& input) {
  Prediction result;
  result.overhead_seconds = launch_overhead_seconds;
  result.seconds = launch_overhead_seconds;
  if (input.workgroups == 0 || input.occupancy.workgroups_per_cu == 0) return result;

  const ArchTraits& traits = device.traits;
  const Counts& counts = input.counts;
  const auto of = [&](OpClass op_class) {
    return static_cast<double>(counts.instructions[static_cast<int>(op_class)]);
  };
  const double clock = traits.clock_ghz * 1e9;
  const double workgroups = static_cast<double>(input.workgroups);
  const IssueRates rates = issue_rates(device.major > 9, input.lanes, traits.clusters);
  const MemoryShape shape = memory_shape(device);

  // The busiest processor (a compute unit, or two in RDNA's WGP mode) runs this many workgroups in all, and holds this
  // many of them at a time.
  const Occupancy& occupancy = input.occupancy;
  const auto processor_cus = static_cast<std::uint64_t>(occupancy.processor_cus);
  const std::uint64_t processors = static_cast<std::uint64_t>(traits.compute_units) / processor_cus;
  const std::uint64_t each = (input.workgroups + processors - 1) / processors;
  const int room = occupancy.workgroups_per_processor > 0 ? occupancy.workgroups_per_processor
                                                          : occupancy.workgroups_per_cu * occupancy.processor_cus;
  const std::uint64_t held = std::min<std::uint64_t>(each, static_cast<std::uint64_t>(room));
  const std::uint64_t rounds = (each + held - 1) / held;
  const double waves_held = static_cast<double>(held) * occupancy.waves_per_workgroup;
  const double simds = std::min<double>(traits.simds * static_cast<int>(processor_cus), waves_held);
  // Of the grid's work: what the busiest processor does, and each of its compute units.
  const double share = static_cast<double>(each) / workgroups, cu_share = share / static_cast<double>(processor_cus);

  double total = 0;
  for (int i = 0; i < op_classes; ++i) total += static_cast<double>(counts.instructions[i]);
  const double vector_clocks = of(OpClass::valu) * rates.vector +
                               of(OpClass::valu_transcendental) * rates.transcendental +
                               of(OpClass::valu_double) * rates.f64;
  const double matrix_clocks = static_cast<double>(counts.matrix_passes) * 4;
  const auto set = [&](Bound bound, double seconds) { result.seconds_of[static_cast<int>(bound)] = seconds; };

  set(Bound::matrix, matrix_clocks * share / simds / clock);
  set(Bound::vector, vector_clocks * share / simds / clock);
  // The scalar unit and the branch and message unit are shared by the SIMDs of a unit.
  set(Bound::issue, (of(OpClass::salu) + of(OpClass::branch) + of(OpClass::smem)) * cu_share / clock);
  // One workgroup alone. Where none was observed: its waves issue in order, and their matrix instructions' passes count
  // as far as they exceed the issue slots.
  const double waves = std::max<double>(1, static_cast<double>(counts.waves));
  double alone = std::max(total / waves * rates.wave, matrix_clocks / waves);
  if (counts.observed_workgroups > 0)
    alone = std::max(
        alone, static_cast<double>(input.observed.alone_clocks) / static_cast<double>(counts.observed_workgroups));
  set(Bound::wave, alone * static_cast<double>(rounds) / clock);

  // Where no line was observed: the bytes that lanes asked for, and those of the allocations once each way at most.
  double load = static_cast<double>(counts.load_bytes), store = static_cast<double>(counts.store_bytes);
  if (input.footprint_bytes > 0) {
    load = std::min(load, static_cast<double>(input.footprint_bytes));
    store = std::min(store, static_cast<double>(input.footprint_bytes));
  }
  double moved = load + store;
  if (counts.observed_workgroups > 0) {
    const double scale = workgroups / static_cast<double>(counts.observed_workgroups);
    const double lds_clocks = static_cast<double>(counts.lds_access_cycles + counts.lds_conflict_cycles) * scale;
    set(Bound::lds, lds_clocks * cu_share / clock);
    result.memory = estimate_memory(device, shape,
                                    {.counts = &input.counts,
                                     .observed = &input.observed,
                                     .loads = input.loads,
                                     .stores = input.stores,
                                     .workgroups = input.workgroups,
                                     .footprint_bytes = input.footprint_bytes});
    const MemoryEstimate& memory = result.memory;
    const double line = memory.line_bytes;
    set(Bound::l1, memory.l1_load_requests * line / shape.l1_bytes_per_clock * cu_share / clock);
    set(Bound::l2, (memory.l2_load_requests + memory.l2_store_requests) * line / (device.l2_gbps * 1e9));
    if (input.loads.one > 0 || input.stores.one > 0) moved = memory.memory_bytes;
    const double far_seconds =
        shape.far_cache_gbps > 0 ? (memory.l2_fill_bytes + memory.write_bytes) / (shape.far_cache_gbps * 1e9) : 0;
    set(Bound::memory, far_seconds);
  }
  double& memory_seconds = result.seconds_of[static_cast<int>(Bound::memory)];
  memory_seconds = std::max(memory_seconds, moved / (traits.memory_gbps * 1e9));

  const auto largest = std::ranges::max_element(result.seconds_of);
  result.bound = static_cast<Bound>(largest - result.seconds_of.begin());
  result.seconds = launch_overhead_seconds + *largest;
  return result;
}

double predict_copy(const Device& device, std::uint64_t bytes, bool over_bus) {
  const double rate = over_bus ? host_bus_bytes_per_second : device.traits.memory_gbps * 1e9 / 2;
  return copy_overhead_seconds + static_cast<double>(bytes) / rate;
}

}  // namespace zellige::sim
