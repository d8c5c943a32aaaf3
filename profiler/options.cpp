// See options.hpp. CLI11 splits the command line into texts; what they mean is decided here, so that every message
// names the flag and the numbers.
#include "options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <regex>

#include "failure.hpp"
#include "output_file.hpp"
#include "text.hpp"
#include "version.hpp"
#include "zellige/core/limits.hpp"

namespace zellige::profiler {
namespace {

/// The flags as typed.
struct Typed {
  std::vector<std::string> words;
  ProblemFlags problem;
  std::optional<std::string> device, instances, split_k, degrees, epilogue, limit_bytes, iterations, warmup, shard,
      seed, inputs, top;
  std::optional<std::string> json, csv, html;
  bool verify = true, deterministic = false, fold = true;
};

void describe(CLI::App& app, Typed& t) {
  app.set_help_flag("-h,--help", "Print this and exit");
  app.set_version_flag("--version", std::string("zellige-profiler ") + version);
  app.add_option(
         "OP", t.words,
         "gemm, conv_fwd, replay FILE (a MIOpenDriver command line on each line; -: standard input), list [OP],\n"
         "or explain OP ... (what each instance thinks of the problem; runs nothing)")
      ->required();

  const auto problem = [&](const char* flag, std::optional<std::string>& value, const char* text) {
    app.add_option(flag, value, text)->group("Problem")->type_name("");
  };
  problem("--n", t.problem.n,
          "N         batch of a convolution (default 1), or columns of a product; with --driver or replay: in place of "
          "theirs");
  problem("--c", t.problem.c, "C         input channels");
  problem("--in", t.problem.in, "56x56     image, 1 to 3 axes, outermost first");
  problem("--k", t.problem.k, "K         filters, or the depth of a product");
  problem("--filter", t.problem.filter, "3x3       filter (default 1); one number stands for all axes, here and below");
  problem("--stride", t.problem.stride, "1x1       (default 1)");
  problem("--pad", t.problem.pad, "1x1       (default 0), or before:after as 3x2:1x0");
  problem("--dilation", t.problem.dilation, "1x1       (default 1)");
  problem("--groups", t.problem.groups, "G         groups (default 1)");
  problem("--m", t.problem.m, "M         rows of a product");
  problem("--layout", t.problem.layout, "rc        orders of A and B, rr, rc, cr or cc: r is row-major (default rc)");
  problem(
      "--dtype", t.problem.dtype,
      "f16       f16, bf16, f32, tf32, f64, i8, f8e4m3, f8e5m2, f8e4m3fnuz, f8e5m2fnuz; fp8, bf8: the target's own");
  problem("--dtype-weight", t.problem.dtype_weight, "TYPE      of the weight (default: as --dtype)");
  problem("--dtype-out", t.problem.dtype_out,
          "TYPE      of the output (default: as --dtype; i32 for i8, f32 for tf32)");
  problem("--driver", t.problem.driver,
          "LINE      a MIOpenDriver command line, as logs print it, in place of the flags above");

  const auto what = [&](const char* flag, std::optional<std::string>& value, const char* text) {
    app.add_option(flag, value, text)->group("What to run")->type_name("");
  };
  what("--device", t.device, "sim:ARCH  or hip:INDEX or cuda:INDEX (default: the first real GPU, else sim:gfx942)");
  what("--instances", t.instances, "REGEX     only instances whose names hold a match (ECMAScript)");
  what("--top", t.top, "N         only the N instances of the best modelled time");
  what("--split-k", t.split_k,
       "-1|0|N    -1: the resolved degree (default); 0: sweep --split-k-degrees too; N: exactly N slices");
  what("--split-k-degrees", t.degrees, "2,4,8     degrees of the sweep (default 2,4,8,16,32)");
  what("--epilogue", t.epilogue,
       "PARTS     none (default), or of scale, bias, residual, relu, clamp:LOW:HIGH: scale_bias_relu");
  app.add_flag("--fold,!--no-fold", t.fold,
               "Read adjacent pixels of a row as channels where filter, stride, width and padding allow (default)")
      ->group("What to run");
  what("--limit-bytes", t.limit_bytes,
       "N         as if a dispatch could address only N bytes of a tensor: larger problems run in chunks");
  what("--shard", t.shard, "i/n       the i-th of n shares of the instances, i from 0");
  app.add_flag("--deterministic", t.deterministic, "Only plans whose bits never depend on timing")
      ->group("What to run");

  const auto how = [&](const char* flag, std::optional<std::string>& value, const char* text) {
    app.add_option(flag, value, text)->group("How")->type_name("");
  };
  app.add_flag(
         "--verify,!--no-verify", t.verify,
         "Compare each result with a reference in double before ranking (default); --no-verify times only, on the "
         "simulator from a sample of the workgroups")
      ->group("How");
  how("--iterations", t.iterations, "N         timed runs, the median counts (default 20; on the simulator 1)");
  how("--warmup", t.warmup, "N         runs before (default 3; on the simulator 0)");
  how("--seed", t.seed, "N         of the inputs (default 1)");
  how("--inputs", t.inputs,
      "KIND      integer: small integers, compared exactly (default); random: reals, within a derived bound");

  const auto output = [&](const char* flag, std::optional<std::string>& value, const char* text) {
    app.add_option(flag, value, text)->group("Output")->type_name("");
  };
  output("--json", t.json, "FILE|-    JSON (of replay: JSON Lines); -: standard output, instead of the table");
  output("--csv", t.csv, "FILE      a row for each instance");
  output("--html", t.html, "FILE      a page with plots, complete in itself");
  app.footer(
      "Exit status: 0 something ran and nothing was wrong; 1 a wrong result; 2 bad arguments; 3 nothing supports the\n"
      "problem; 4 a device error, or a kind of device that this build lacks. replay: the worst of its lines.\n"
      "docs/profiler.md has examples.");
}

/// Refuses "--n --k 3": a flag that was taken for the value of the one before.
void check_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& value : option->results()) {
      if (value.starts_with("--"))
        bad_argument(fmt::format("{} needs a value, but {} follows", option->get_name(), value));
    }
  }
}

std::optional<Operator> operator_named(std::string_view word) {
  for (Operator op : {Operator::gemm, Operator::conv_fwd, Operator::conv_bwd_data, Operator::conv_bwd_weight}) {
    if (word == name_of(op)) return op;
  }
  return {};
}

void refuse_problem_flags(const Options& o, const char* command, bool batch_allowed) {
  const ProblemFlags& f = o.flags;
  for (const auto* flag : {&f.c, &f.k, &f.in, &f.filter, &f.stride, &f.pad, &f.dilation, &f.groups, &f.m, &f.layout,
                           &f.dtype, &f.dtype_weight, &f.dtype_out, &f.driver}) {
    if (*flag) {
      bad_argument(fmt::format("{} takes no flags of a problem{}", command,
                               batch_allowed ? " but --n, which replaces the batch of every line" : ""));
    }
  }
  if (f.n && !batch_allowed) bad_argument(fmt::format("{} takes no flags of a problem", command));
}

/// A listing runs nothing and ranks nothing: flags of how to do that would be passed over in silence.
void refuse_run_flags(const Typed& t) {
  const std::pair<const char*, bool> given[] = {{"--top", t.top.has_value()},
                                                {"--split-k", t.split_k.has_value()},
                                                {"--epilogue", t.epilogue.has_value()},
                                                {"--split-k-degrees", t.degrees.has_value()},
                                                {"--shard", t.shard.has_value()},
                                                {"--deterministic", t.deterministic},
                                                {"--no-fold", !t.fold},
                                                {"--limit-bytes", t.limit_bytes.has_value()},
                                                {"--no-verify", !t.verify},
                                                {"--iterations", t.iterations.has_value()},
                                                {"--warmup", t.warmup.has_value()},
                                                {"--seed", t.seed.has_value()},
                                                {"--inputs", t.inputs.has_value()},
                                                {"--csv", t.csv.has_value()},
                                                {"--html", t.html.has_value()}};
  for (const auto& [flag, present] : given) {
    if (present) bad_argument(fmt::format("list takes --device, --instances and --json, not {}", flag));
  }
}

void read_words(Options& o, std::vector<std::string> words) {
  if (words[0] == "explain") {
    o.explain = true;
    words.erase(words.begin());
    if (words.empty())
      bad_argument("explain needs an operation: explain gemm ..., explain conv_fwd ... or explain replay FILE");
  }
  const std::string& word = words[0];
  std::size_t expected = 1;
  if (word == "db") {
    bad_argument("this version has no tuning database: db is a word of a later one");
  } else if (word == "replay") {
    o.command = Command::replay;
    if (words.size() < 2) bad_argument("replay needs a file of MIOpenDriver command lines");
    o.file = words[1];
    if (o.file.empty()) bad_argument("replay needs the path of a list, but it is empty");
    expected = 2;
    refuse_problem_flags(o, "replay", true);
    if (o.flags.n) o.batch = parse_integer("--n", *o.flags.n, 1, INT32_MAX);
  } else if (word == "list" && !o.explain) {
    o.command = Command::list;
    if (words.size() > 1) {
      o.listed = operator_named(words[1]);
      if (!o.listed) bad_argument(fmt::format("list takes gemm or conv_fwd, not '{}'", words[1]));
      expected = 2;
    }
    refuse_problem_flags(o, "list", false);
  } else if (const auto op = operator_named(word)) {
    o.op = *op;
  } else {
    bad_argument(fmt::format("'{}' is no operation; known are gemm, conv_fwd, {}replay FILE", word,
                             o.explain ? "" : "list, explain OP and "));
  }
  if (words.size() > expected)
    bad_argument(fmt::format("'{}' is one word too many after {}", words[expected], words[0]));
}

Shard parse_shard(const std::string& text) {
  const std::vector<std::string> parts = split(text, '/');
  if (parts.size() != 2) bad_argument(fmt::format("--shard takes i/n such as 0/4, not '{}'", text));
  const int count = static_cast<int>(parse_integer("the n of --shard i/n", parts[1], 1, 1'000'000));
  return {static_cast<int>(parse_integer("the i of --shard i/n", parts[0], 0, count - 1)), count};
}

std::vector<int> parse_degrees(const std::string& text) {
  std::vector<int> degrees;
  for (const std::string& part : split(text, ',')) {
    degrees.push_back(static_cast<int>(parse_integer("--split-k-degrees", part, 1, 65535)));
  }
  return degrees;
}

void check_regex(const std::string& pattern) {
  if (pattern.empty()) bad_argument("--instances needs a regular expression, but it is empty");
  try {
    std::regex{pattern};
  } catch (const std::regex_error& e) {
    bad_argument(fmt::format("--instances '{}' is no regular expression: {}", pattern, e.what()));
  }
}

std::string path_or_none(const char* flag, const std::optional<std::string>& path, bool dash_allowed) {
  if (!path) return {};
  if (path->empty()) bad_argument(fmt::format("{} needs the path of a file, but it is empty", flag));
  if (!is_standard_output(*path)) return *path;
  if (!dash_allowed) bad_argument(fmt::format("{} cannot go to standard output: name a file", flag));
  return "-";
}

/// Refuses two flags of one file: whichever came last would silently replace the other, or the list that was read.
void check_files_differ(const Options& o) {
  const std::string list = o.file == "-" ? "" : o.file;  // the standard input is no file that is written
  const std::pair<const char*, const std::string&> files[] = {
      {"the list to replay", list}, {"--json", o.json}, {"--csv", o.csv}, {"--html", o.html}};
  for (const auto* a = std::begin(files); a != std::end(files); ++a) {
    for (const auto* b = a + 1; b != std::end(files); ++b) {
      if (a->second.empty() || b->second.empty() || !same_file(a->second, b->second)) continue;
      bad_argument(fmt::format("{} is both {} and {}: name two files", b->second, a->first, b->first));
    }
  }
}

Options check(const Typed& t) {
  Options o;
  o.flags = t.problem;
  read_words(o, t.words);
  if (o.command == Command::list) refuse_run_flags(t);
  if (t.device) o.device = parse_device(*t.device);
  if (t.instances) check_regex(o.instances = *t.instances);
  if (t.split_k) o.split_k = static_cast<int>(parse_integer("--split-k", *t.split_k, -1, 65535));
  if (t.degrees) {
    if (o.split_k != 0) bad_argument("--split-k-degrees is the list of a sweep: it needs --split-k 0");
    o.split_k_degrees = parse_degrees(*t.degrees);
  }
  if (t.epilogue) {
    o.epilogue = *t.epilogue;
    o.epilogue_parts = parse_epilogue(o.epilogue);
  }
  o.fold = t.fold;
  if (t.limit_bytes) o.limit_bytes = parse_integer("--limit-bytes", *t.limit_bytes, 1, max_buffer_bytes);
  o.verify = t.verify;
  if (t.iterations) o.iterations = static_cast<int>(parse_integer("--iterations", *t.iterations, 1, 1'000'000));
  if (t.warmup) o.warmup = static_cast<int>(parse_integer("--warmup", *t.warmup, 0, 1'000'000));
  if (t.shard) o.shard = parse_shard(*t.shard);
  o.deterministic = t.deterministic;
  if (t.seed) o.seed = static_cast<std::uint64_t>(parse_integer("--seed", *t.seed, 0, INT64_MAX));
  if (t.inputs && *t.inputs != "integer" && *t.inputs != "random") {
    bad_argument(fmt::format("--inputs takes integer or random, not '{}'", *t.inputs));
  }
  o.random_inputs = t.inputs == "random";
  if (t.top) o.top = static_cast<int>(parse_integer("--top", *t.top, 1, 1'000'000));
  o.json = path_or_none("--json", t.json, true);
  o.csv = path_or_none("--csv", t.csv, false);
  o.html = path_or_none("--html", t.html, false);
  check_files_differ(o);
  if (o.command == Command::run)
    build_problem(o.op, o.flags, Arch::none);  // a bad problem is refused before any device is touched
  return o;
}

}  // namespace

std::optional<Options> parse_options(int argc, const char* const* argv) {
  CLI::App app{"Runs every kernel that solves a problem, verifies each, and ranks them.\n", "zellige-profiler"};
  Typed typed;
  describe(app, typed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help);
    return {};
  } catch (const CLI::ParseError& e) {
    bad_argument(fmt::format("{} (--help lists the command line)", e.what()));
  }
  check_values(app);
  return check(typed);
}

}  // namespace zellige::profiler
