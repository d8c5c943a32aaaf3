// See problem.hpp.
#include "problem.hpp"

#include <fmt/format.h>

#include "driver_line.hpp"
#include "failure.hpp"
#include "text.hpp"

namespace zellige::profiler {
namespace {

constexpr std::int64_t largest = INT32_MAX;

struct NamedFlag {
  const char* name;
  const std::optional<std::string>& value;
};

/// Refuses flags that do not belong to what is described. `owner` completes "--m is no flag of ...".
void refuse_flags(std::initializer_list<NamedFlag> flags, const std::string& owner) {
  for (const NamedFlag& flag : flags) {
    if (flag.value) bad_argument(fmt::format("{} is no flag of {}", flag.name, owner));
  }
}

std::int64_t required(const char* flag, const std::optional<std::string>& text, const char* owner) {
  if (!text) bad_argument(fmt::format("{} needs {}", owner, flag));
  return parse_integer(flag, *text, 1, largest);
}

std::vector<std::int64_t> axes_or(const char* flag, const std::optional<std::string>& text, int axes) {
  return parse_extents_of(flag, text.value_or("1"), 1, largest, axes);
}

MatrixOrder order_of(char letter, const std::string& layout) {
  if (letter != 'r' && letter != 'c') {
    bad_argument(fmt::format("--layout takes rr, rc, cr or cc (the orders of A and B), not '{}'", layout));
  }
  return letter == 'r' ? MatrixOrder::row : MatrixOrder::column;
}

GemmProblem build_gemm(const ProblemFlags& f, Arch arch) {
  refuse_flags({{"--driver", f.driver},
                {"--c", f.c},
                {"--in", f.in},
                {"--filter", f.filter},
                {"--stride", f.stride},
                {"--pad", f.pad},
                {"--dilation", f.dilation},
                {"--groups", f.groups}},
               "gemm, whose problem is --m, --n, --k and --layout");
  GemmProblem p;
  p.m = required("--m", f.m, "gemm");
  p.n = required("--n", f.n, "gemm");
  p.k = required("--k", f.k, "gemm");
  const std::string layout = f.layout.value_or("rc");
  if (layout.size() != 2) order_of('?', layout);
  p.order_a = order_of(layout[0], layout);
  p.order_b = order_of(layout[1], layout);
  p.input = parse_type("--dtype", f.dtype.value_or("f16"), arch);
  p.output = f.dtype_out ? parse_type("--dtype-out", *f.dtype_out, arch) : output_of(p.input);
  if (f.dtype_weight && parse_type("--dtype-weight", *f.dtype_weight, arch) != p.input) {
    bad_argument(fmt::format("gemm multiplies matrices of one type: --dtype-weight {} differs from --dtype {}",
                             *f.dtype_weight, name_of(p.input)));
  }
  return p;
}

ConvProblem build_conv(const ProblemFlags& f, ConvDirection direction, const char* op, Arch arch) {
  refuse_flags({{"--m", f.m}, {"--layout", f.layout}}, fmt::format("{}, whose tensors are channels-last", op));
  if (!f.in) bad_argument(fmt::format("{} needs --in (the image, such as 56x56)", op));
  const std::vector<std::int64_t> in = parse_extents("--in", *f.in, 1, largest);
  const int axes = static_cast<int>(in.size());
  ConvProblem p{.direction = direction, .spatial = axes};
  p.n = f.n ? parse_integer("--n", *f.n, 1, largest) : 1;
  p.c = required("--c", f.c, op);
  p.k = required("--k", f.k, op);
  p.groups = f.groups ? parse_integer("--groups", *f.groups, 1, largest) : 1;
  const auto filter = axes_or("--filter", f.filter, axes), stride = axes_or("--stride", f.stride, axes),
             dilation = axes_or("--dilation", f.dilation, axes);
  const Padding pad = parse_padding("--pad", f.pad.value_or("0"), axes);
  for (int i = 0; i < axes; ++i) {
    p.axis[i] = {.size = in[i],
                 .filter = filter[i],
                 .stride = stride[i],
                 .dilation = dilation[i],
                 .pad_before = pad.before[i],
                 .pad_after = pad.after[i]};
  }
  p.input = parse_type("--dtype", f.dtype.value_or("f16"), arch);
  p.weight = f.dtype_weight ? parse_type("--dtype-weight", *f.dtype_weight, arch) : p.input;
  p.output = f.dtype_out ? parse_type("--dtype-out", *f.dtype_out, arch) : output_of(p.input);
  return p;
}

Problem build_from_driver(Operator op, const ProblemFlags& f, Arch arch) {
  refuse_flags({{"--c", f.c},
                {"--k", f.k},
                {"--in", f.in},
                {"--filter", f.filter},
                {"--stride", f.stride},
                {"--pad", f.pad},
                {"--dilation", f.dilation},
                {"--groups", f.groups},
                {"--m", f.m},
                {"--layout", f.layout},
                {"--dtype", f.dtype},
                {"--dtype-weight", f.dtype_weight},
                {"--dtype-out", f.dtype_out}},
               "a run with --driver, whose line states the problem (only --n replaces the line's own)");
  const DriverLine line = parse_driver_line(*f.driver);
  const ConvDirection direction = op == Operator::conv_bwd_data     ? ConvDirection::backward_data
                                  : op == Operator::conv_bwd_weight ? ConvDirection::backward_weight
                                                                    : ConvDirection::forward;
  if (!line.asks_for(direction)) {
    std::string asked;
    for (ConvDirection d : line.directions)
      asked += fmt::format("{}{}", asked.empty() ? "" : ", ", name_of(operator_of(d)));
    bad_argument(fmt::format("the operation is {}, but the driver line's -F asks for {}", name_of(op), asked));
  }
  return problem_of(line, direction, arch, f.n ? parse_integer("--n", *f.n, 1, largest) : 0);
}

}  // namespace

const char* name_of(Operator op) {
  switch (op) {
    case Operator::gemm:
      return "gemm";
    case Operator::conv_fwd:
      return "conv_fwd";
    case Operator::conv_bwd_data:
      return "conv_bwd_data";
    case Operator::conv_bwd_weight:
      return "conv_bwd_weight";
  }
  return "unknown";
}

Operator operator_of(ConvDirection direction) {
  return direction == ConvDirection::forward         ? Operator::conv_fwd
         : direction == ConvDirection::backward_data ? Operator::conv_bwd_data
                                                     : Operator::conv_bwd_weight;
}

bool has_instances(Operator op) { return op == Operator::gemm || op == Operator::conv_fwd; }

double Problem::flops() const {
  return std::visit([](const auto& p) { return zellige::flops(p); }, shape);
}

double Problem::bytes() const {
  if (const auto* g = std::get_if<GemmProblem>(&shape)) {
    return static_cast<double>(bytes_a(*g).value) + static_cast<double>(bytes_b(*g).value) +
           static_cast<double>(bytes_c(*g).value);
  }
  const auto& c = std::get<ConvProblem>(shape);
  return static_cast<double>(input_bytes(c).value) + static_cast<double>(weight_bytes(c).value) +
         static_cast<double>(output_bytes(c).value);
}

Verdict Problem::validate() const {
  return std::visit([](const auto& p) { return zellige::validate(p); }, shape);
}

std::string padding_text(const ConvProblem& p) {
  std::vector<std::int64_t> before, after;
  for (int i = 0; i < p.spatial; ++i) {
    before.push_back(p.axis[i].pad_before);
    after.push_back(p.axis[i].pad_after);
  }
  return before == after ? join_extents(before) : join_extents(before) + ":" + join_extents(after);
}

std::string Problem::describe() const {
  const auto types = [](DataType input, DataType weight, DataType output) {
    std::string text = zellige::name_of(input);
    if (weight != input) text += fmt::format("*{}", zellige::name_of(weight));
    return output == input ? text : fmt::format("{}->{}", text, zellige::name_of(output));
  };
  if (const auto* g = std::get_if<GemmProblem>(&shape)) {
    const auto letter = [](MatrixOrder order) { return order == MatrixOrder::row ? 'r' : 'c'; };
    return fmt::format("gemm {} m={} n={} k={} layout={}{}", types(g->input, g->input, g->output), g->m, g->n, g->k,
                       letter(g->order_a), letter(g->order_b));
  }
  const auto& c = std::get<ConvProblem>(shape);
  std::vector<std::int64_t> in, filter, stride, dilation;
  for (int i = 0; i < c.spatial; ++i) {
    in.push_back(c.axis[i].size);
    filter.push_back(c.axis[i].filter);
    stride.push_back(c.axis[i].stride);
    dilation.push_back(c.axis[i].dilation);
  }
  return fmt::format("{} {} n={} c={} in={} k={} filter={} stride={} pad={} dilation={} groups={}", name_of(op),
                     types(c.input, c.weight, c.output), c.n, c.c, join_extents(in), c.k, join_extents(filter),
                     join_extents(stride), padding_text(c), join_extents(dilation), c.groups);
}

DataType parse_type(std::string_view flag, std::string_view name, Arch arch) {
  if (name == "fp8") return arch == Arch::gfx942 ? DataType::f8e4m3fnuz : DataType::f8e4m3;
  if (name == "bf8") return arch == Arch::gfx942 ? DataType::f8e5m2fnuz : DataType::f8e5m2;
  DataType type{};
  if (parse_data_type(name, type)) return type;
  std::string known;
  for (DataType t : all_data_types) known += fmt::format("{}, ", zellige::name_of(t));
  bad_argument(fmt::format("{} names no type with '{}'; known are {}fp8 and bf8", flag, name, known));
}

Problem build_problem(Operator op, const ProblemFlags& flags, Arch arch) {
  if (op != Operator::gemm && flags.driver) return build_from_driver(op, flags, arch);
  Problem problem{.op = op};
  switch (op) {
    case Operator::gemm:
      problem.shape = build_gemm(flags, arch);
      break;
    case Operator::conv_fwd:
      problem.shape = build_conv(flags, ConvDirection::forward, name_of(op), arch);
      break;
    case Operator::conv_bwd_data:
      problem.shape = build_conv(flags, ConvDirection::backward_data, name_of(op), arch);
      break;
    case Operator::conv_bwd_weight:
      problem.shape = build_conv(flags, ConvDirection::backward_weight, name_of(op), arch);
      break;
  }
  if (const Verdict v = problem.validate(); !v.ok) bad_argument(std::string(v.why.view()));
  return problem;
}

}  // namespace zellige::profiler
