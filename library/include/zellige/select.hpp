// Which instance is best for a problem: candidates -> verdicts -> modelled times -> the least. Pure functions of
// problem, target and options: equal targets choose equally, whatever the device at hand.
#pragma once

#include "zellige/estimate.hpp"
#include "zellige/library.hpp"

namespace zellige {

struct Candidate {
  const Operation* operation = nullptr;
  Verdict verdict{};    ///< why the instance does not apply
  Verdict taken{};      ///< why it is passed over although it applies: split-K where the policy does not split
  Estimate estimate{};  ///< meaningful where verdict.ok
};

/// All instances of the problem's family: those that apply first, by modelled time (ties by name), then those that are
/// passed over, then the refused by name.
struct Ranking {
  std::vector<Candidate> candidates;
  std::size_t applicable = 0;  ///< how many apply and are not passed over
  Verdict verdict{};           ///< refuses where none applies: the target's library is missing, or the commonest reason
};

[[gnu::visibility("default")]] Ranking rank(const Problem& problem, Arch arch, const PlanOptions& options = {});

/// The same over a list of one's own. Only the problem's family is looked at.
[[gnu::visibility("default")]] Ranking rank(const Problem& problem, std::span<const Operation> operations,
                                            const PlanOptions& options = {});

/// The plan of the best-ranked instance, or why there is none.
[[gnu::visibility("default")]] Planned select(const Problem& problem, Arch arch, const PlanOptions& options = {});

/// Solves the problem on `stream` of the current device with the best-ranked instance. Selection and planning happen at
/// every call: for repeated runs keep the Plan of select(). Tensors: a, b, c of GEMM; input, weight, output. A
/// workspace that is too small for the best instance passes it over for the best of those that it suffices: without
/// one, no reduction is split in two stages.
[[gnu::visibility("default")]] Verdict gemm(hipStream_t stream, const GemmProblem& problem, const Tensors& tensors,
                                            const PlanOptions& options = {}, void* workspace = nullptr,
                                            std::int64_t workspace_size = 0);
[[gnu::visibility("default")]] Verdict conv_fwd(hipStream_t stream, const ConvProblem& problem, const Tensors& tensors,
                                                const PlanOptions& options = {}, void* workspace = nullptr,
                                                std::int64_t workspace_size = 0);

}  // namespace zellige
