// Selection by modelled time.
#include "zellige/select.hpp"

#include <algorithm>
#include <map>

namespace zellige {

namespace {

Family family_of(const Problem& problem) {
  return std::holds_alternative<GemmProblem>(problem) ? Family::gemm : Family::conv_fwd;
}

Estimate estimate_of(const Operation& operation, const Problem& problem, const PlanOptions& options) {
  if (const auto* gemm = std::get_if<GemmKernel>(&operation.kernel)) {
    return estimate(gemm->config, gemm->arch, std::get<GemmProblem>(problem), options);
  }
  const ConvKernel& conv = std::get<ConvKernel>(operation.kernel);
  return estimate(conv.config, conv.arch, std::get<ConvProblem>(problem), options);
}

/// Whether an instance that applies is one that the policy would run.
Verdict taken(const Operation& operation, const Problem& problem, const PlanOptions& options) {
  const Tiling& t = operation.tiling();
  if (t.split_k == SplitK::none || options.split_k > 1) return {};
  if (options.split_k == 1) {
    return refuse(Reason::split_k_unsupported, Text{} << "one slice is an unsplit instance's work");
  }
  const SplitChoice choice = operation.split_choice(problem, options);
  if (policy_takes(t, operation.arch, choice)) return {};
  return refuse(Reason::split_k_unsupported,
                Text{} << "the policy would not take it: " << describe(choice, operation.arch));
}

const Verdict& reason_of(const Candidate& candidate) {
  return candidate.verdict.ok ? candidate.taken : candidate.verdict;
}

/// Why none applies: the commonest reason, in the words of the first instance that gave it.
Verdict none_applies(Family family, const std::vector<Candidate>& candidates) {
  if (candidates.empty()) {
    return refuse(Reason::no_kernel_code,
                  Text{} << "there are no " << family_name(family).data() << " instances to choose from");
  }
  std::map<Reason, std::int64_t> counts;
  for (const Candidate& candidate : candidates) ++counts[reason_of(candidate).code];
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto first = std::find_if(candidates.begin(), candidates.end(),
                                  [&](const Candidate& c) { return reason_of(c).code == most->first; });
  Text why = Text{} << "none of " << static_cast<std::int64_t>(candidates.size()) << " " << family_name(family).data()
                    << " instances applies; " << most->second << " of them because ";
  for (char c : reason_of(*first).why.view()) why.append(c);
  return refuse(most->first, why);
}

Verdict run_best(hipStream_t stream, const Problem& problem, const Tensors& tensors, const PlanOptions& options,
                 void* workspace, std::int64_t workspace_size) {
  const Device device = current_device();
  if (device.arch == Arch::none) {
    return refuse(Reason::wrong_device,
                  Text{} << "there are no instances for the current device, a " << device.arch_name.c_str());
  }
  const Ranking ranking = rank(problem, device.arch, options);
  if (!ranking.verdict.ok) return ranking.verdict;
  Planned planned;
  for (std::size_t i = 0; i < ranking.applicable; ++i) {
    planned = ranking.candidates[i].operation->plan(problem, options);
    if (planned.plan.workspace_bytes <= workspace_size) break;
  }
  return planned.verdict.ok ? planned.plan.run(stream, tensors, workspace, workspace_size) : planned.verdict;
}

}  // namespace

Ranking rank(const Problem& problem, std::span<const Operation> operations, const PlanOptions& options) {
  Ranking ranking;
  const Family family = family_of(problem);
  for (const Operation& operation : operations) {
    if (operation.family != family) continue;
    Candidate candidate{&operation, operation.supports(problem, options), {}, {}};
    if (candidate.verdict.ok) {
      candidate.taken = taken(operation, problem, options);
      candidate.estimate = estimate_of(operation, problem, options);
    }
    ranking.applicable += candidate.verdict.ok && candidate.taken.ok ? 1 : 0;
    ranking.candidates.push_back(std::move(candidate));
  }
  std::sort(ranking.candidates.begin(), ranking.candidates.end(), [](const Candidate& a, const Candidate& b) {
    if (a.verdict.ok != b.verdict.ok) return a.verdict.ok;
    if (a.taken.ok != b.taken.ok) return a.taken.ok;
    if (a.verdict.ok && a.estimate.time_us != b.estimate.time_us) return a.estimate.time_us < b.estimate.time_us;
    return a.operation->name < b.operation->name;
  });
  if (ranking.applicable == 0) {
    const Verdict valid = validate(problem);
    ranking.verdict = valid.ok ? none_applies(family, ranking.candidates) : valid;
  }
  return ranking;
}

Ranking rank(const Problem& problem, Arch arch, const PlanOptions& options) {
  const TargetLibrary& target = target_library(arch);
  Ranking ranking = rank(problem, target.operations, options);
  if (!target.error.empty() && validate(problem).ok)
    ranking.verdict = refuse(Reason::no_kernel_code, Text{} << target.error.c_str());
  return ranking;
}

Planned select(const Problem& problem, Arch arch, const PlanOptions& options) {
  const Ranking ranking = rank(problem, arch, options);
  if (!ranking.verdict.ok) return {ranking.verdict, {}};
  return ranking.candidates.front().operation->plan(problem, options);
}

Verdict gemm(hipStream_t stream, const GemmProblem& problem, const Tensors& tensors, const PlanOptions& options,
             void* workspace, std::int64_t workspace_size) {
  return run_best(stream, problem, tensors, options, workspace, workspace_size);
}

Verdict conv_fwd(hipStream_t stream, const ConvProblem& problem, const Tensors& tensors, const PlanOptions& options,
                 void* workspace, std::int64_t workspace_size) {
  return run_best(stream, problem, tensors, options, workspace, workspace_size);
}

}  // namespace zellige
