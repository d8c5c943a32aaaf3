// The instance library: every prebuilt kernel of a target as an Operation that says what it supports and makes plans.
//
//   for (const zellige::Operation& op : zellige::operations(zellige::Arch::gfx942)) {
//     if (const zellige::Planned planned = op.plan(problem); planned.verdict.ok) planned.plan.run(stream, {x, w, y});
//   }
//
// libzellige.so holds no device code. The instances of a target live in libzellige_<target>.so, which is opened when
// the target is first asked for: in the folders of ZELLIGE_LIBRARY_PATH (separated by ':'), then beside libzellige.so.
// A package may ship any subset of targets; a target that is missing has a sentence instead of operations.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "zellige/host/conv.hpp"
#include "zellige/host/gemm.hpp"

namespace zellige {

/// What an instance computes. Values are stable.
enum class Family : int { gemm = 0, conv_fwd = 1 };

/// The name on command lines and at the front of instance names.
constexpr std::string_view family_name(Family family) { return family == Family::gemm ? "gemm" : "conv_fwd"; }

using Problem = std::variant<GemmProblem, ConvProblem>;

/// A multiply-add counts two.
inline double flops(const Problem& problem) {
  return std::visit([](const auto& p) { return flops(p); }, problem);
}

/// Whether the problem means something at all, before any instance is asked.
inline Verdict validate(const Problem& problem) {
  return std::visit([](const auto& p) { return validate(p); }, problem);
}

/// One instance of the library.
struct [[gnu::visibility("default")]] Operation {
  std::string name;
  Family family = Family::gemm;
  Arch arch = Arch::none;
  std::variant<GemmKernel, ConvKernel> kernel;

  /// Whether this instance solves the problem, and why not. The same answer as plan()'s, at a fraction of its cost.
  Verdict supports(const Problem& problem, const PlanOptions& options = {}) const;

  /// The dispatches that solve the problem; they keep no reference to it.
  Planned plan(const Problem& problem, const PlanOptions& options = {}) const;

  /// The degree that the target's policy chooses for this instance's tiling, and what it follows from. Needs
  /// supports(problem).ok.
  SplitChoice split_choice(const Problem& problem, const PlanOptions& options = {}) const;

  /// Every field of the config in its order, for listings.
  std::vector<NamedValue> config_values() const;

  /// The address that the runtime knows the kernel by.
  const void* entry() const;
  const Tiling& tiling() const;
  /// The matrix instruction that it multiplies by.
  Mma mma() const;
};

/// The instances of one target.
struct TargetLibrary {
  Arch arch = Arch::none;
  std::string file;                   ///< the shared object that holds them; empty when there is none
  std::string error;                  ///< why there are no operations; empty when there are
  std::vector<Operation> operations;  ///< sorted by name, which are unique
};

/// Opens the target's library when it is first asked for, and keeps it. Safe to call from several threads.
[[gnu::visibility("default")]] const TargetLibrary& target_library(Arch arch);

/// target_library(arch).operations: empty where the target's library is missing.
[[gnu::visibility("default")]] std::span<const Operation> operations(Arch arch);

/// The instance of that name, or null. The target is read off the name.
[[gnu::visibility("default")]] const Operation* find_operation(std::string_view name);

}  // namespace zellige
