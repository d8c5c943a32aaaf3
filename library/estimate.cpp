// The analytic time: see estimate.hpp for what it is and what it is not.
#include "zellige/estimate.hpp"

#include <algorithm>

#include "estimate_few_channels.hpp"
#include "estimate_parts.hpp"
#include "estimate_warpgroup.hpp"
#include "zellige/conv/check.hpp"
#include "zellige/gemm/check.hpp"

namespace zellige {

namespace {

// Clocks from a global load to its use, of a line in L2 or memory: between the 500 and 900 that public microbenchmarks
// of CDNA parts give.
constexpr double load_latency = 700;
// Clocks that a barrier costs waves which arrive together: an assumption.
constexpr double barrier_clocks = 40;
// Bytes a clock that a CU's vector cache delivers, and lanes a clock whose addresses it takes (CDNA's public figures).
constexpr double cache_bytes = 64, cache_lanes = 16;
// Bytes a clock of an LDS bank.
constexpr double bank_bytes = 4;
// Lanes of a SIMD's vector unit: a 64-lane instruction takes 4 clocks.
constexpr double simd_lanes = 16;
// Vector instructions of a wave and step, counted in compiled main loops: what every loop has; what evaluating a view
// costs for each load (a convolution's has divisions, a matrix's does not); what packing costs where a load is narrower
// than a register; what an element of less than a register costs that is transposed on its way to LDS.
constexpr double loop_instructions = 7, conv_view_instructions = 9, matrix_view_instructions = 3,
                 packing_instructions = 4, transposing_instructions = 1.6;

// Of mma.sync kernels on an H200, measured over the times above (bf16; 12 layers and 2 matrix products, 5 tilings):
// between 1.4 and 1.9 times, 2.0 and 4.0 (108 times) where loads are of 4 or 8 bytes, 2.5 and 4.3 where they are
// narrower than a register; and the launch of a kernel.
constexpr double sm90_launch_us = 2.9;
constexpr double sm90_factor(int load_bytes) { return load_bytes >= 16 ? 1.7 : load_bytes >= 4 ? 2.7 : 3.5; }

// Share of the less busy parts' clocks that still shows, because waves do not overlap perfectly: an assumption. It
// prefers, of two configs bound by the same part, the one that asks less of the others.
constexpr double overlap_loss = 0.1;

// Microseconds from the end of a launch to the work of the next one: between the 2 and 5 that empty kernels take.
constexpr double launch_us = 2.5;

/// A problem as the kernel sees it.
struct Product {
  std::int64_t m = 1, n = 1, k = 1, batches = 1;
  int degree = 1;                ///< slices of the reduction
  double tensor_bytes = 0;       ///< of all three, each once
  double view_instructions = 0;  ///< for each load of A where the walk evaluates the view at every step
};

/// The workgroups that a CU holds at once.
int resident_workgroups(const ArchTraits& traits, const Derived& d) {
  const int registers = round_up(lane_registers(d).total(), traits.vgpr_granule);
  const int waves = d.threads / d.wave_size;
  const int on_simd = std::min(traits.waves_per_simd, traits.vgpr_file / registers);
  const int by_registers = on_simd * traits.simds / waves, by_lds = traits.lds_bytes / d.lds_bytes;
  return std::max(1, std::min(by_registers, by_lds));
}

/// Bytes of LDS that a tile's writes keep busy: a lane's write takes a bank's whole word, however narrow it is, and
/// where the tile is transposed on its way, lanes write to rows whose banks meet.
double busy_bytes_of_writes(Arch arch, const Derived& d, const StageShape& s) {
  const double elements = static_cast<double>(s.rows) * s.depth;
  if (!s.along_rows || s.keep_order) return elements / s.vector * std::max(4, s.vector * s.bytes);
  const int bytes = s.gather() * s.bytes;
  const LaneMap map = s.thread_map();
  const auto address = [&](int lane) {
    const Coordinate at = map.of_lane(static_cast<std::uint32_t>(lane));
    return s.lds.address(static_cast<std::uint32_t>(at.row), static_cast<std::uint32_t>(at.column * s.bytes));
  };
  const int cycles = worst_bank_cycles(lds_phases(arch, LdsAccess::write, bytes), d.wave_size, bytes, address);
  return elements / s.gather() * std::max(4, bytes) * cycles;
}

/// Clocks that one matrix instruction keeps its SIMD's matrix core busy.
double mma_clocks(const ArchTraits& traits, const Mma& mma) {
  if (mma.passes > 0) return 4.0 * mma.passes;
  const double tflops = mma.input == DataType::f32 ? traits.f32_tflops : traits.f16_tflops;
  const double flops_a_clock = tflops * 1e3 / traits.clock_ghz / traits.compute_units / traits.simds;
  return 2.0 * mma.shape.m * mma.shape.n * mma.shape.k / std::max(flops_a_clock, 1.0);
}

/// A second launch reads the slabs, in order, and writes the output.
double reduce_time_us(const ArchTraits& traits, const Derived& d, const Product& p) {
  const double outputs = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.batches);
  const double bytes = outputs * (p.degree * d.bytes_stored + d.bytes_out);
  return launch_us + std::max(2 * load_latency / (traits.clock_ghz * 1e3), bytes / (traits.memory_gbps * 1e3));
}

Estimate estimate_product(Arch arch, const Derived& d, const Tiling& t, const Product& p, int compute_units) {
  const ArchTraits traits = arch_traits(arch);
  const double cus = compute_units > 0 ? compute_units : traits.compute_units;
  const int waves = d.multiply_threads / d.wave_size;
  Estimate e;
  e.workgroups = ceil_div<std::int64_t>(p.m, t.block.m) * ceil_div<std::int64_t>(p.n, t.block.n) * p.batches * p.degree;
  e.workgroups_per_cu = resident_workgroups(traits, d);

  const double elements_a = static_cast<double>(t.block.m) * t.block.k,
               elements_b = static_cast<double>(t.block.n) * t.block.k;
  const double loads_a = elements_a / t.vector_a, loads_b = elements_b / t.vector_b;  // of single lanes
  const double mmas = static_cast<double>(t.block.m / t.atom.m) * (t.block.n / t.atom.n) * (t.block.k / t.atom.k);
  const double matrix_alone = mmas * mma_clocks(traits, d.wave.mma) / std::min(traits.simds, waves);
  e.matrix_clocks = mmas * mma_clocks(traits, d.wave.mma) / traits.simds;

  double instructions = loop_instructions * d.threads;  // lane instructions
  if (t.walk == Walk::each_tile) instructions += loads_a * p.view_instructions + loads_b * matrix_view_instructions;
  if (t.vector_a * d.bytes_in < 4) instructions += loads_a * packing_instructions;
  if (t.vector_b * d.bytes_in < 4) instructions += loads_b * packing_instructions;
  for (const StageShape& s : {d.stage_a, d.stage_b}) {
    if (s.along_rows && !s.keep_order && s.bytes < 4) instructions += s.rows * s.depth * transposing_instructions;
  }
  e.vector_clocks = instructions / simd_lanes / traits.simds;

  const double lds_written = busy_bytes_of_writes(arch, d, d.stage_a) + busy_bytes_of_writes(arch, d, d.stage_b);
  const double lds_read = static_cast<double>(waves) * (d.wave_m + d.wave_n) * t.block.k * d.bytes_in;
  const double lds_bandwidth = traits.lds_banks * bank_bytes;
  e.lds_clocks = (lds_written + lds_read) / lds_bandwidth;
  e.cache_clocks = std::max((elements_a + elements_b) * d.bytes_in / cache_bytes, (loads_a + loads_b) / cache_lanes);

  // The next step's loads are under way while this step is multiplied. A single buffer waits until all have read it.
  e.latency_clocks = t.pipeline != Pipeline::single_buffer
                         ? std::max({load_latency, matrix_alone, e.lds_clocks}) + barrier_clocks
                         : std::max(load_latency, matrix_alone) + lds_written / lds_bandwidth + 2 * barrier_clocks;
  const double outputs = static_cast<double>(t.block.m) * t.block.n;
  e.epilogue_clocks = std::max(outputs / t.vector_c / cache_lanes * 4, outputs * d.bytes_stored / cache_bytes);
  if (t.store == Store::lds_shuffle)
    e.epilogue_clocks += 2 * outputs * d.bytes_stored / lds_bandwidth + 2 * barrier_clocks;

  const BusyPart busiest = busiest_of(
      {{e.matrix_clocks, "matrix"}, {e.vector_clocks, "vector"}, {e.lds_clocks, "lds"}, {e.cache_clocks, "cache"}});
  const double all = e.matrix_clocks + e.vector_clocks + e.lds_clocks + e.cache_clocks;
  const double busy = busiest.clocks + overlap_loss * (all - busiest.clocks);
  const double steps =
      static_cast<double>(ceil_div(ceil_div<std::int64_t>(p.k, t.block.k), static_cast<std::int64_t>(p.degree)));
  const auto clocks_of = [&](double resident) {
    return steps * std::max(resident * busy, e.latency_clocks) + resident * e.epilogue_clocks + 2 * load_latency;
  };
  // The busiest CU takes its workgroups in rounds of as many as fit; the last round may hold fewer.
  const auto of_cu = ceil_div(e.workgroups, static_cast<std::int64_t>(cus));
  const std::int64_t rounds = of_cu / e.workgroups_per_cu, left = of_cu % e.workgroups_per_cu;
  const double clocks = static_cast<double>(rounds) * clocks_of(e.workgroups_per_cu) +
                        (left > 0 ? clocks_of(static_cast<double>(left)) : 0);
  e.use = static_cast<double>(e.workgroups) / (static_cast<double>(of_cu) * cus);

  const double compute_us = clocks / (traits.clock_ghz * 1e3);
  e.memory_us = p.tensor_bytes / (traits.memory_gbps * 1e3);
  if (needs_second_stage(t)) e.reduce_us = reduce_time_us(traits, d, p);
  e.time_us = std::max(compute_us, e.memory_us);
  if (traits.matrix == MatrixPath::mma_sync) {
    e.time_us = sm90_launch_us + e.time_us * sm90_factor(std::min(t.vector_a, t.vector_b) * d.bytes_in);
  }
  e.time_us += e.reduce_us;
  const double resident = static_cast<double>(std::min<std::int64_t>(of_cu, e.workgroups_per_cu));
  e.bound = e.memory_us >= compute_us ? "memory" : resident * busy >= e.latency_clocks ? busiest.name : "latency";
  return e;
}

/// Of one dispatch, which the whole problem is or a chunk of it.
Estimate estimate_dispatch(const GemmConfig& config, Arch arch, const GemmProblem& p, int degree, int compute_units) {
  const Derived d = derive(config, arch);
  const double bytes = static_cast<double>(bytes_a(p).value) + static_cast<double>(bytes_b(p).value) +
                       static_cast<double>(bytes_c(p).value);
  if (config.tiling.pipeline == Pipeline::tensor_copy) {
    const std::int64_t steps = ceil_div<std::int64_t>(p.k, config.tiling.block.k);
    return estimate_warpgroups(warpgroup_shape(config, false), arch,
                               {.m = p.m, .n = p.n, .steps = steps, .slices = degree, .tensor_bytes = bytes},
                               compute_units);
  }
  return estimate_product(arch, d, config.tiling,
                          {.m = p.m,
                           .n = p.n,
                           .k = p.k,
                           .degree = degree,
                           .tensor_bytes = bytes,
                           .view_instructions = matrix_view_instructions},
                          compute_units);
}

Estimate estimate_dispatch(const ConvConfig& config, Arch arch, const ConvProblem& p, int degree, int compute_units) {
  const Derived d = derive(lowered(config), arch);
  const double bytes = static_cast<double>(input_bytes(p).value) + static_cast<double>(weight_bytes(p).value) +
                       static_cast<double>(output_bytes(p).value);
  if (config.tiling.pipeline == Pipeline::few_channels)
    return estimate_few_channels(config, arch, p, bytes, compute_units);
  if (config.tiling.pipeline == Pipeline::tensor_copy) {
    const std::int64_t steps = p.taps() * ceil_div<std::int64_t>(p.channels_per_group(), config.tiling.block.k);
    return estimate_warpgroups(warpgroup_shape(lowered(config), true), arch,
                               {.m = p.n * p.output_pixels(),
                                .n = p.filters_per_group(),
                                .steps = steps,
                                .groups = p.groups,
                                .slices = degree,
                                .tensor_bytes = bytes},
                               compute_units);
  }
  return estimate_product(arch, d, config.tiling,
                          {.m = p.n * p.output_pixels(),
                           .n = p.filters_per_group(),
                           .k = p.taps() * p.channels_per_group(),
                           .batches = p.groups,
                           .degree = degree,
                           .tensor_bytes = bytes,
                           .view_instructions = conv_view_instructions},
                          compute_units);
}

/// The first chunk's estimate, with the time and the workgroups of all: one runs after the other.
template <class Config, class Problem, class Split>
Estimate estimate_chunks(const Config& config, Arch arch, const Problem& p, const Split& split,
                         const PlanOptions& options) {
  const int degree = resolve_split_k(config.tiling, arch, accumulator_of(p.input),
                                     split_extents(config.tiling, p, options), options.split_k, options.compute_units);
  Estimate all;
  for (std::int64_t i = 0; i < split.chunks(); ++i) {
    const Estimate before = all,
                   e = estimate_dispatch(config, arch, chunk_of(p, split, i).problem, degree, options.compute_units);
    if (i == 0) all = e;
    all.time_us = before.time_us + e.time_us;
    all.memory_us = before.memory_us + e.memory_us;
    all.reduce_us = before.reduce_us + e.reduce_us;
    all.workgroups = before.workgroups + e.workgroups;
  }
  return all;
}

}  // namespace

Estimate estimate(const GemmConfig& config, Arch arch, const GemmProblem& p, const PlanOptions& options) {
  const GemmSplit split = split_rows(p, config.tiling.block.m, options.dispatch_limit());
  return estimate_chunks(config, arch, p, split, options);
}

Estimate estimate(const ConvConfig& config, Arch arch, const ConvProblem& problem, const PlanOptions& options) {
  const ConvProblem p = as_run(problem, options);
  return estimate_chunks(config, arch, p, split_problem(p, options.dispatch_limit()), options);
}

}  // namespace zellige
