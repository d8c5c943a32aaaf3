// A problem as the profiler sees it: an operation with run-time sizes, where it came from, and what was assumed of it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "zellige/conv/problem.hpp"
#include "zellige/core/arch.hpp"
#include "zellige/gemm/problem.hpp"

namespace zellige::profiler {

/// The operations that the command line knows.
enum class Operator { gemm, conv_fwd, conv_bwd_data, conv_bwd_weight };

const char* name_of(Operator op);
Operator operator_of(ConvDirection direction);

/// The operations of this version, for people: "gemm and conv_fwd".
bool has_instances(Operator op);

struct Problem {
  Operator op = Operator::gemm;
  std::variant<GemmProblem, ConvProblem> shape{};
  std::string driver{};         ///< the driver command line that it came from; empty: from flags
  std::string driver_layout{};  ///< the layout that this command line states, "NCHW"; empty: from flags
  bool layout_assumed = false;  ///< it runs channels-last although the command line states another layout
  std::vector<std::string> notices{};

  double flops() const;
  /// Bytes of the operands and the result, each moved once.
  double bytes() const;
  Verdict validate() const;
  /// One line: "conv_fwd bf16 n=1 c=64 in=56x56 k=64 filter=3x3 stride=1x1 pad=1x1 dilation=1x1 groups=1".
  std::string describe() const;
};

/// The problem's flags as typed; absent ones have defaults or are missed by build_problem().
struct ProblemFlags {
  std::optional<std::string> n, c, k, in, filter, stride, pad, dilation, groups, m, layout;
  std::optional<std::string> dtype, dtype_weight, dtype_out, driver;
};

/// The type called `name`; "fp8" and "bf8" are those of the target: FNUZ on gfx942, OCP on all others.
DataType parse_type(std::string_view flag, std::string_view name, Arch arch);

/// The problem that the flags describe. `arch` decides what fp8 and bf8 mean. Throws Failure for anything that is
/// absent, out of place or means no problem at all.
Problem build_problem(Operator op, const ProblemFlags& flags, Arch arch);

/// The padding as typed: "1x1", or "3x2:1x0" where the ends differ.
std::string padding_text(const ConvProblem& problem);

}  // namespace zellige::profiler
