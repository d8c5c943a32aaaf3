// The bound model; predict.hpp states it.
#include "simulator/timing/predict.hpp"

#include <algorithm>

namespace zellige::sim {
namespace {

// A dispatch's fixed cost on an otherwise idle queue: packet processing, workgroup start, cache write-back and the
// completion signal. An estimate: empty kernels take 2 to 5 us between events on the real devices.
constexpr double launch_overhead_seconds = 2.5e-6;
constexpr double copy_overhead_seconds = 5e-6;
constexpr double host_bus_bytes_per_second = 50e9;  // PCIe 5.0 x16 after protocol

// CDNA: four SIMDs of 16 lanes issue in turn, so a wave64 instruction holds its SIMD for 4 clocks, and a wave issues at
// most one instruction every 4 clocks. RDNA: SIMDs of 32 lanes, a wave32 instruction a clock, and waves issue every
// clock.
struct IssueRates {
  double vector_clocks, transcendental_clocks, double_clocks, wave_issue_clocks;
};

IssueRates issue_rates(const Device& device, int lanes) {
  if (device.major == 9) return {4, 16, 4, 4};
  const double halves = lanes / 32.0;
  // gfx1250 runs f64 at half rate; the client targets at 1/16.
  return {halves, 4 * halves, (device.traits.clusters ? 2 : 16) * halves, 1};
}

}  // namespace

const char* bound_name(Bound bound) {
  constexpr const char* names[bound_count] = {"matrix", "vector", "issue", "wave", "lds", "l2", "memory"};
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
  const std::uint64_t cus = static_cast<std::uint64_t>(traits.compute_units);
  const IssueRates rates = issue_rates(device, input.lanes);

  // The busiest compute unit runs this many workgroups in all, and holds this many of them at a time.
  const std::uint64_t per_cu = (input.workgroups + cus - 1) / cus;
  const std::uint64_t held =
      std::min<std::uint64_t>(per_cu, static_cast<std::uint64_t>(input.occupancy.workgroups_per_cu));
  const std::uint64_t rounds = (per_cu + held - 1) / held;
  const double waves_held = static_cast<double>(held) * input.occupancy.waves_per_workgroup;
  const double simds = std::min<double>(traits.simds, waves_held);
  const double share = static_cast<double>(per_cu) / workgroups;  // of the grid's work that the busiest unit does

  double total = 0;
  for (int i = 0; i < op_classes; ++i) total += static_cast<double>(counts.instructions[i]);
  const double vector_clocks = of(OpClass::valu) * rates.vector_clocks +
                               of(OpClass::valu_transcendental) * rates.transcendental_clocks +
                               of(OpClass::valu_double) * rates.double_clocks;
  const double matrix_clocks = static_cast<double>(counts.matrix_passes) * 4;
  const auto set = [&](Bound bound, double seconds) { result.seconds_of[static_cast<int>(bound)] = seconds; };

  set(Bound::matrix, matrix_clocks * share / simds / clock);
  set(Bound::vector, vector_clocks * share / simds / clock);
  // The scalar unit and the branch and message unit are shared by the SIMDs of a unit.
  set(Bound::issue, (of(OpClass::salu) + of(OpClass::branch) + of(OpClass::smem)) * share / clock);
  // One wave alone: it issues in order, and waits for its own matrix instructions' passes in a dependent chain at
  // worst; here they count as far as they exceed the issue slots.
  const double waves = std::max<double>(1, static_cast<double>(counts.waves));
  const double one_wave = std::max(total / waves * rates.wave_issue_clocks, matrix_clocks / waves);
  set(Bound::wave, one_wave * static_cast<double>(rounds) / clock);
  if (counts.observed_workgroups > 0) {
    const double scale = workgroups / static_cast<double>(counts.observed_workgroups);
    const double lds_clocks = static_cast<double>(counts.lds_access_cycles + counts.lds_conflict_cycles) * scale;
    set(Bound::lds, lds_clocks * share / clock);
    const double lines = static_cast<double>(counts.load_lines + counts.store_lines) * scale;
    set(Bound::l2, lines * 128 / (device.l2_gbps * 1e9));
  }
  double load = static_cast<double>(counts.load_bytes), store = static_cast<double>(counts.store_bytes);
  if (input.footprint_bytes) {
    load = std::min(load, static_cast<double>(input.footprint_bytes));
    store = std::min(store, static_cast<double>(input.footprint_bytes));
  }
  set(Bound::memory, (load + store) / (traits.memory_gbps * 1e9));

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
