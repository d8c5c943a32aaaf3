// What there is to run for a problem: the library's instances, asked one by one, filtered as the command line says.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"
#include "report.hpp"
#include "zellige/atom/mma.hpp"
#include "zellige/host/plan.hpp"

namespace zellige::profiler {

/// A row that may run, and its plan. Only rows of Status::ok are to run.
struct Candidate {
  InstanceRow row;
  Plan plan;
  Mma mma;  ///< what it multiplies by: how exact its products are
};

struct Candidates {
  std::vector<Candidate> all;
  std::vector<std::string> notices;  ///< why there are none, where that has a reason of its own
};

/// Asks every instance of the problem's family on `arch`, at each degree of split-K that the options name. Instances
/// that
/// --instances or --shard leaves out are absent; those that --top or --deterministic leaves out are skipped rows.
Candidates find_candidates(const Problem& problem, Arch arch, const Options& options);

}  // namespace zellige::profiler
