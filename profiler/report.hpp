// What the profiler found out about one problem: a row for each instance, ranked, and the best of them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "device.hpp"
#include "failure.hpp"
#include "options.hpp"
#include "problem.hpp"

namespace zellige::profiler {

enum class Status {
  ok,           ///< ran (or, explained, would run) and nothing was wrong
  wrong,        ///< ran and differs from the reference
  error,        ///< the runtime failed while it ran
  skipped,      ///< supports the problem, but was not asked for
  unsupported,  ///< refuses the problem
};

const char* name_of(Status status);

/// One dispatch of a plan.
struct DispatchRow {
  std::uint32_t workgroups = 0, threads = 0, dynamic_lds = 0;
  std::uint32_t cluster = 1;  ///< workgroups of a cluster; the grid has as many of them along z
  std::int64_t offset_a = 0, offset_c = 0;  ///< bytes into the first operand and the output
};

struct InstanceRow {
  std::string name, arch;
  Status status = Status::unsupported;
  Reason reason = Reason::none;
  std::string why;             ///< a sentence for every status but ok
  std::optional<int> split_k;  ///< the resolved degree, or the one that is refused
  std::string split_form = "none";  ///< "two-stage" or "cluster" where the instance splits the reduction
  std::string split_policy;         ///< of those, where they apply: the policy's degree and what it follows from
  std::optional<std::int64_t> fold;    ///< pixels that a convolution's kernel reads as one; 1: as they are
  std::optional<std::int64_t> chunks;  ///< parts that the problem is cut into
  std::vector<DispatchRow> dispatches;
  std::optional<std::int64_t> workspace_bytes;
  std::optional<bool> deterministic;
  std::optional<double> modelled_ms;  ///< what selection goes by
  std::optional<double> time_ms;
  bool predicted = false;  ///< the time comes from the simulator
  std::string bound;       ///< what limits the time; empty: unknown
  std::optional<bool> verified;
  std::optional<double> max_abs_err, max_rel_err;
  nlohmann::ordered_json counts;  ///< of the simulator; null: none

  bool supported() const { return status != Status::unsupported; }
};

struct Report {
  Problem problem;
  ChosenDevice device;
  std::vector<InstanceRow> rows;     ///< ranked by rank()
  std::vector<std::string> notices;  ///< for people, after those of the problem
  bool explained = false;            ///< nothing ran

  /// The fastest row that is not wrong; explained: the one of the least modelled time. Null when there is none.
  const InstanceRow* best() const;
  /// Milliseconds that no kernel can beat: the larger of flops over the type's matrix peak and bytes over the memory's
  /// rate. Nothing where the target's rates are unknown.
  std::optional<double> floor_ms() const;
  std::optional<double> tflops(const InstanceRow& row) const;
  std::optional<double> gbps(const InstanceRow& row) const;
  Exit exit_status() const;
  /// Orders the rows: those that ran by time, then wrong ones, errors, skipped and unsupported ones.
  void rank();
};

}  // namespace zellige::profiler
