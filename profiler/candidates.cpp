// See candidates.hpp.
#include "candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <tuple>

#include "zellige/select.hpp"

namespace zellige::profiler {
namespace {

Family family_of(Operator op) { return op == Operator::gemm ? Family::gemm : Family::conv_fwd; }

/// The degrees to ask for. -1, the resolved one, comes last: what a sweep names runs, whatever the policy would do.
std::vector<int> degrees_of(const Options& options) {
  if (options.split_k != 0) return {options.split_k};
  std::vector<int> degrees = options.split_k_degrees;
  degrees.push_back(-1);
  return degrees;
}

/// Instances of the family that --instances and --shard keep, in the library's order.
std::vector<Operation> kept_operations(const TargetLibrary& target, Operator op, const Options& options,
                                       Candidates& found) {
  std::vector<Operation> kept;
  const std::regex pattern(options.instances);
  std::size_t of_family = 0, matching = 0;
  for (const Operation& operation : target.operations) {
    if (operation.family != family_of(op)) continue;
    ++of_family;
    if (!options.instances.empty() && !std::regex_search(operation.name, pattern)) continue;
    if (static_cast<int>(matching++ % static_cast<std::size_t>(options.shard.count)) == options.shard.index)
      kept.push_back(operation);
  }
  const char* arch = arch_traits(target.arch).name;
  if (of_family == 0) {
    found.notices.push_back(fmt::format("this build has no {} instances for {}", name_of(op), arch));
  } else if (matching == 0) {
    found.notices.push_back(fmt::format("none of the {} {} instances for {} matches '{}'", of_family, name_of(op), arch,
                                        options.instances));
  } else if (kept.empty()) {
    found.notices.push_back(fmt::format("shard {} of {} is empty: there are {} instances", options.shard.index,
                                        options.shard.count, matching));
  }
  return kept;
}

void describe_plan(const Plan& plan, InstanceRow& row) {
  row.split_k = plan.split_k;
  row.workspace_bytes = plan.workspace_bytes;
  row.deterministic = plan.deterministic;
  row.fold = plan.fold;
  row.chunks = plan.chunks;
  for (const Dispatch& d : plan.dispatches)
    row.dispatches.push_back(
        {d.shape.workgroups, d.shape.threads, d.shape.dynamic_lds, d.shape.cluster, d.offset_a, d.offset_c});
}

const char* form_of(SplitK split) {
  return split == SplitK::none ? "none" : split == SplitK::two_stage ? "two-stage" : "cluster";
}

PlanOptions plan_options(const Options& options, int degree) {
  return {
      .split_k = degree, .epilogue = options.epilogue_parts, .fold = options.fold, .limit_bytes = options.limit_bytes};
}

Candidate ask(const zellige::Candidate& ranked, const Problem& problem, const Options& options, int degree) {
  Candidate candidate;
  candidate.mma = ranked.operation->mma();
  InstanceRow& row = candidate.row;
  row.name = ranked.operation->name;
  row.arch = arch_traits(ranked.operation->arch).name;
  row.split_form = form_of(ranked.operation->tiling().split_k);
  Verdict verdict = ranked.verdict;
  if (verdict.ok) {
    Planned planned = ranked.operation->plan(problem.shape, plan_options(options, degree));
    verdict = planned.verdict;
    candidate.plan = std::move(planned.plan);
  }
  if (!verdict.ok) {
    row.status = Status::unsupported;
    row.reason = verdict.code;
    row.why = verdict.why.view();
    if (degree > 0) row.split_k = degree;
    return candidate;
  }
  row.status = Status::ok;
  describe_plan(candidate.plan, row);
  if (ranked.operation->tiling().split_k != SplitK::none) {
    const SplitChoice choice = ranked.operation->split_choice(problem.shape, plan_options(options, degree));
    row.split_policy = describe(choice, ranked.operation->arch).view();
  }
  row.modelled_ms = ranked.estimate.time_us * 1e-3;
  row.bound = ranked.estimate.bound;
  if (!ranked.taken.ok) {
    row.status = Status::skipped;
    row.why = ranked.taken.why.view();
  } else if (options.deterministic && !candidate.plan.deterministic) {
    row.status = Status::skipped;
    row.why = "--deterministic: the order of its sums depends on timing";
  }
  return candidate;
}

void keep_top(std::vector<Candidate>& candidates, int top) {
  std::vector<Candidate*> running;
  for (Candidate& c : candidates) {
    if (c.row.status == Status::ok) running.push_back(&c);
  }
  std::sort(running.begin(), running.end(), [](const Candidate* a, const Candidate* b) {
    return std::tie(*a->row.modelled_ms, a->row.name) < std::tie(*b->row.modelled_ms, b->row.name);
  });
  for (std::size_t i = static_cast<std::size_t>(top); i < running.size(); ++i) {
    running[i]->row.status = Status::skipped;
    running[i]->row.why = fmt::format("--top {}: its modelled time is not among the {} least", top, top);
  }
}

}  // namespace

Candidates find_candidates(const Problem& problem, Arch arch, const Options& options) {
  Candidates found;
  if (!has_instances(problem.op)) {
    found.notices.push_back(
        fmt::format("this version has no {} instances: it has those of gemm and conv_fwd", name_of(problem.op)));
    return found;
  }
  const TargetLibrary& target = target_library(arch);
  if (!target.error.empty()) {
    found.notices.push_back(target.error);
    return found;
  }
  const std::vector<Operation> operations = kept_operations(target, problem.op, options, found);
  std::set<std::pair<std::string, int>> planned;
  std::map<std::string, Candidate> other_degrees;
  for (int degree : degrees_of(options)) {
    const Ranking ranking = zellige::rank(problem.shape, operations, plan_options(options, degree));
    for (const zellige::Candidate& ranked : ranking.candidates) {
      Candidate candidate = ask(ranked, problem, options, degree);
      const bool refused = candidate.row.status == Status::unsupported;
      if (refused && candidate.row.reason == Reason::split_k_unsupported) {
        other_degrees.emplace(candidate.row.name, std::move(candidate));
        continue;
      }
      // A sweep names the resolved degree again, and a refusal that has nothing to do with the degree at every degree.
      const int key = refused ? 0 : candidate.row.split_k.value_or(0);
      if (planned.emplace(candidate.row.name, key).second) found.all.push_back(std::move(candidate));
    }
  }
  // An instance that has rows at its own degrees needs none for each degree that is not its own.
  for (auto& [name, candidate] : other_degrees) {
    const auto row = planned.lower_bound({name, 0});
    if (row == planned.end() || row->first != name) found.all.push_back(std::move(candidate));
  }
  if (options.top > 0) keep_top(found.all, options.top);
  return found;
}

}  // namespace zellige::profiler
