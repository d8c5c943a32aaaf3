// Runs one operation on one problem on the current device and says what is wrong with the result, if anything.
//
// Tensors lie between guard zones of NaN, and so do the gaps between rows: what a kernel reads where it should not
// spoils its sums, what it writes there is found. Output and workspace are poisoned before every run. Addresses are
// multiples of what the plan asks for, and of no more.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "zellige/library.hpp"
#include "zellige/reference/compare.hpp"
#include "zellige/reference/data.hpp"
#include "zellige/reference/epilogue.hpp"

namespace zellige {

struct RunResult {
  std::string failure;            ///< empty when the instance solves the problem: all right, nothing else touched
  std::vector<std::byte> output;  ///< its bits, where the run was not refused
  double error = 0;               ///< its norm over that of the exact result
};

/// A plan of one operation for one problem, its tensors on the current device, and what the result should be.
class GuardedRun {
 public:
  /// `seed` makes the data. Where the operation refuses the problem there is nothing but the verdict. Throws
  /// RuntimeError where the runtime fails, as all of the members do.
  GuardedRun(const Operation& operation, const Problem& problem, reference::Fill fill, std::uint64_t seed,
             const PlanOptions& options = {});
  ~GuardedRun();
  GuardedRun(const GuardedRun&) = delete;

  const Planned& planned() const { return planned_; }
  /// Output and workspace are NaN again.
  void poison();
  /// Enqueues the plan on a stream; the caller waits for it.
  Verdict enqueue(hipStream_t stream) const;
  /// What is wrong with what the tensors hold now.
  RunResult check() const;
  /// All of these, on the default stream.
  RunResult run();

 private:
  struct Data;
  Planned planned_;
  std::unique_ptr<Data> data_;
};

/// One run.
inline RunResult run_and_check(const Operation& operation, const Problem& problem, reference::Fill fill,
                               std::uint64_t seed, const PlanOptions& options = {}) {
  return GuardedRun(operation, problem, fill, seed, options).run();
}

inline std::string failure_of(const Operation& operation, const Problem& problem, reference::Fill fill,
                              std::uint64_t seed, const PlanOptions& options = {}) {
  return run_and_check(operation, problem, fill, seed, options).failure;
}

/// "gemm m 3 n 4 k 5 f16 to f16 layout rc ld 5 5 4", "conv n 1 c 8 k 8 groups 1 bf16 to bf16 axes 5/3s1d1p1:1 ...".
std::string describe(const Problem& problem);

/// "split_k 4, scale bias clamp".
std::string describe(const PlanOptions& options);

}  // namespace zellige
