// See candidates.hpp.
#include "candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <tuple>

#include "zellige/select.hpp"

namespace zellige::profiler {
namespace {

Family family_of(Operator op) { return op == Operator::gemm ? Family::gemm : Family::conv_fwd; }

/// The degrees to ask for: -1 is the resolved one, which comes first so that a sweep does not repeat it.
std::vector<int> degrees_of(const Options& options) {
  if (options.split_k != 0) return {options.split_k};
  std::vector<int> degrees = {-1};
  degrees.insert(degrees.end(), options.split_k_degrees.begin(), options.split_k_degrees.end());
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

Verdict epilogue_verdict(const std::string& epilogue) {
  if (epilogue == "none") return {};
  return refuse(Reason::epilogue_unsupported,
                Text{} << "the instance stores the product as it is: it has no epilogue '" << epilogue.c_str() << "'");
}

void describe_plan(const Plan& plan, InstanceRow& row) {
  row.split_k = plan.split_k;
  row.workspace_bytes = plan.workspace_bytes;
  row.deterministic = plan.deterministic;
  row.fold = plan.fold;
  row.chunks = plan.chunks;
  for (const Dispatch& d : plan.dispatches)
    row.dispatches.push_back({d.shape.workgroups, d.shape.threads, d.shape.dynamic_lds, d.offset_a, d.offset_c});
}

PlanOptions plan_options(const Options& options, int degree) {
  return {.split_k = degree, .fold = options.fold, .limit_bytes = options.limit_bytes};
}

Candidate ask(const zellige::Candidate& ranked, const Problem& problem, const Options& options, int degree) {
  Candidate candidate;
  candidate.mma = ranked.operation->mma();
  InstanceRow& row = candidate.row;
  row.name = ranked.operation->name;
  row.arch = arch_traits(ranked.operation->arch).name;
  Verdict verdict = epilogue_verdict(options.epilogue);
  if (verdict.ok) verdict = ranked.verdict;
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
  row.modelled_ms = ranked.estimate.time_us * 1e-3;
  row.bound = ranked.estimate.bound;
  if (options.deterministic && !candidate.plan.deterministic) {
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
  for (int degree : degrees_of(options)) {
    const Ranking ranking = zellige::rank(problem.shape, operations, plan_options(options, degree));
    for (const zellige::Candidate& ranked : ranking.candidates) {
      Candidate candidate = ask(ranked, problem, options, degree);
      // A sweep names the resolved degree again, and a refusal that has nothing to do with the degree at every degree.
      const int key = candidate.row.status != Status::unsupported || candidate.row.reason == Reason::split_k_unsupported
                          ? candidate.row.split_k.value_or(0)
                          : 0;
      if (planned.emplace(candidate.row.name, key).second) found.all.push_back(std::move(candidate));
    }
  }
  if (options.top > 0) keep_top(found.all, options.top);
  return found;
}

}  // namespace zellige::profiler
