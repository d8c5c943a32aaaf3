// See runner.hpp.
#include "runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "candidates.hpp"
#include "report_table.hpp"
#include "simulator_counts.hpp"
#include "workload.hpp"
#include "zellige/gemm/split_k.hpp"

namespace zellige::profiler {
namespace {

constexpr std::int64_t guard_bytes = 4096;        // beyond any vector access, and a page
constexpr std::uint64_t sampled_workgroups = 32;  // spread over the grid: the share of ragged tiles is seen
constexpr int default_iterations = 20, default_warmup = 3;

/// What one run of a candidate needs.
struct Bench {
  Workload& workload;
  Stopwatch& stopwatch;
  const Options& options;
  bool simulated;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// One timed run, of all dispatches, on a workspace that holds NaN. The verdict is the plan's: it refuses before
/// anything is enqueued.
Verdict run_once(const Bench& bench, const Plan& plan, DeviceBuffer& workspace, double& milliseconds) {
  if (plan.workspace_bytes > 0) workspace.poison();
  bench.stopwatch.start();
  const Verdict verdict = plan.run(bench.stopwatch.stream(), bench.workload.tensors(),
                                   plan.workspace_bytes > 0 ? workspace.data() : nullptr, workspace.bytes());
  milliseconds = bench.stopwatch.stop();
  return verdict;
}

void fail(InstanceRow& row, Status status, std::string why) {
  row.status = status;
  row.why = std::move(why);
}

/// Compares the result of the run before with the reference.
void verify(const Bench& bench, InstanceRow& row, const Mma& mma, const DeviceBuffer& workspace) {
  const CheckedResult checked = bench.workload.check({.error = product_error(mma), .terms = mma.products});
  row.verified = checked.right;
  row.max_abs_err = checked.max_abs_error;
  row.max_rel_err = checked.max_rel_error;
  if (!checked.right) fail(row, Status::wrong, checked.text);
  for (const auto& [intact, name] :
       {std::pair{bench.workload.output_guards_intact(), "output"}, {workspace.guards_intact(), "workspace"}}) {
    if (intact) continue;
    row.verified = false;
    fail(row, Status::wrong,
         fmt::format("it wrote outside of its {}: the guard zone of {} bytes has changed", name, guard_bytes));
  }
}

void run_candidate(const Bench& bench, Candidate& candidate) {
  InstanceRow& row = candidate.row;
  const Plan& plan = candidate.plan;
  DeviceBuffer workspace;
  if (plan.workspace_bytes > 0)
    workspace = DeviceBuffer(plan.workspace_bytes, bench.simulated ? 0 : guard_bytes, "the workspace");
  bench.workload.poison_output();
  double first = 0;
  if (const Verdict v = run_once(bench, plan, workspace, first); !v.ok) {
    row.reason = v.code;
    return fail(row, Status::error, std::string(v.why.view()));
  }
  if (std::optional<SimulatorCounts> counts = last_launch_counts()) {
    row.counts = std::move(counts->counts);
    if (plan.dispatches.size() == 1) row.bound = counts->bound;  // the counts are of the last dispatch alone
  }
  if (bench.options.verify) verify(bench, row, candidate.mma, workspace);

  const int iterations = bench.options.iterations.value_or(bench.simulated ? 1 : default_iterations);
  const int warmup = bench.options.warmup.value_or(bench.simulated ? 0 : default_warmup);
  std::vector<double> times;
  if (bench.simulated && warmup == 0) times.push_back(first);  // a predicted time has no cold start
  double milliseconds = 0;
  for (int i = 0; i < warmup; ++i) run_once(bench, plan, workspace, milliseconds);
  while (static_cast<int>(times.size()) < iterations) {
    run_once(bench, plan, workspace, milliseconds);
    times.push_back(milliseconds);
  }
  row.time_ms = median(std::move(times));
  row.predicted = bench.simulated;
  if (*row.time_ms <= 0 && row.status == Status::ok) {
    fail(row, Status::error, fmt::format("the runtime says that it took {} ms", *row.time_ms));
  }
}

void run_all(std::vector<Candidate>& candidates, const Bench& bench, const std::string& title) {
  const auto runs = [](const Candidate& c) { return c.row.status == Status::ok; };
  Progress progress(title, static_cast<std::size_t>(std::count_if(candidates.begin(), candidates.end(), runs)));
  std::size_t done = 0;
  bool device_lost = false;
  for (Candidate& candidate : candidates) {
    if (!runs(candidate)) continue;
    if (device_lost) {
      fail(candidate.row, Status::skipped, "the device failed before");
      continue;
    }
    progress.show(done++, candidate.row.name);
    candidate.row.bound.clear();  // the model's; what runs has its own
    try {
      run_candidate(bench, candidate);
    } catch (const RuntimeError& error) {
      const std::string fault = last_fault();
      fail(candidate.row, Status::error, fault.empty() ? error.what() : fault);
      device_lost = !bench.simulated;  // a real device that faulted answers nothing more in this process
    }
  }
}

}  // namespace

Report profile(const Problem& problem, const ChosenDevice& device, const Options& options, const std::string& title) {
  Report report{.problem = problem, .device = device, .rows = {}, .notices = {}, .explained = options.explain};
  Candidates candidates = find_candidates(problem, device.device.arch, options);
  report.notices = std::move(candidates.notices);
  if (options.explain) {
    report.notices.push_back(fmt::format("split-K on {}: {}", arch_traits(device.device.arch).name,
                                         split_policy(device.device.arch).reason));
  }
  const bool any = std::any_of(candidates.all.begin(), candidates.all.end(),
                               [](const Candidate& c) { return c.row.status == Status::ok; });
  if (any && !options.explain) {
    if (const Verdict v = Workload::can_hold(problem, options.verify, options.epilogue_parts); !v.ok) {
      throw Failure(Exit::device_error, std::string(v.why.view()));
    }
    const bool simulated = device.kind == DeviceKind::simulator;
    std::optional<SampledLaunches> sampled;
    if (simulated && !options.verify) {
      sampled.emplace(sampled_workgroups);
      report.notices.push_back(
          fmt::format("timing only: at most {} workgroups of a launch were executed", sampled_workgroups));
    }
    Workload workload(problem, options.seed, options.random_inputs ? reference::Fill::reals : reference::Fill::integers,
                      options.verify, simulated ? 0 : guard_bytes, options.epilogue_parts);
    Stopwatch stopwatch;
    run_all(candidates.all, {workload, stopwatch, options, simulated}, title);
  }
  for (Candidate& candidate : candidates.all) report.rows.push_back(std::move(candidate.row));
  report.rank();
  return report;
}

}  // namespace zellige::profiler
