// zellige-profiler: the commands, and how each ends.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

#include "failure.hpp"
#include "interrupt.hpp"
#include "listing.hpp"
#include "output_file.hpp"
#include "replay.hpp"
#include "report_csv.hpp"
#include "report_html.hpp"
#include "report_json.hpp"
#include "report_table.hpp"
#include "runner.hpp"

namespace zellige::profiler {
namespace {

/// The files that the command line asks for, open before anything runs.
struct Outputs {
  explicit Outputs(const Options& o)
      : json(open("--json", o.json)), csv(open("--csv", o.csv)), html(open("--html", o.html)) {
    to_stdout = o.json == "-";
  }

  static OutputFile open(const char* flag, const std::string& path) {
    return path.empty() ? OutputFile() : OutputFile(flag, path);
  }

  void add(const Report& report, const Options& options) {
    if (json) json.write(dump(to_json(report, options)) + "\n");
    write_csv(to_csv(report));
    if (html) reports.push_back(report);
  }

  /// The heading comes with the first rows: until then the file holds nothing that an interrupted run should leave.
  void write_csv(const std::string& rows) {
    if (!csv) return;
    csv.write(csv_begun ? rows : csv_header() + rows);
    csv_begun = true;
  }

  void commit() {
    if (!csv_begun) write_csv("");
    if (html) html.write(to_html(reports));
    json.commit();
    csv.commit();
    html.commit();
  }

  /// What people read goes to standard output, unless JSON has it.
  void print(const std::string& text) const { std::fputs(text.c_str(), to_stdout ? stderr : stdout); }

  OutputFile json, csv, html;
  std::vector<Report> reports;
  bool to_stdout = false, csv_begun = false;
};

std::string notices_text(const Report& report) {
  std::string text;
  for (const auto* notices : {&report.problem.notices, &report.notices}) {
    for (const std::string& notice : *notices) text += fmt::format("zellige-profiler: notice: {}\n", notice);
  }
  return text;
}

Exit run(const Options& options, char** argv) {
  Outputs outputs(options);
  const ChosenDevice device = choose_device(options.device, argv);
  const Report report = profile(build_problem(options.op, options.flags, device.device.arch), device, options);
  outputs.add(report, options);
  outputs.commit();
  // Where JSON has the standard output, people get the notices alone.
  outputs.print(outputs.to_stdout ? notices_text(report) : to_table(report));
  return report.exit_status();
}

/// What a replayed list came to.
struct Tally {
  std::size_t problems = 0, ran = 0, bad_lines = 0, failed = 0;
  double best_ms = 0, floor_ms = 0;  ///< of all that ran
  Exit worst = Exit::ok;

  /// Unsupported problems count only when nothing ran at all.
  Exit status() const { return worst == Exit::ok && ran == 0 ? Exit::unsupported : worst; }

  void add(const Report& report) {
    const InstanceRow* best = report.best();
    if (best == nullptr) return;
    ++ran;
    best_ms += best->time_ms.value_or(0);
    floor_ms += report.floor_ms().value_or(0);
  }

  std::string summary(const std::string& file, bool predicted) const {
    std::string text = fmt::format("{}: {} problems, {} with a best instance, {} that failed; {} bad lines\n", file,
                                   problems, ran, failed, bad_lines);
    if (best_ms > 0) {
      text += fmt::format("best instances together: {:.4g} ms {}{}\n", best_ms, predicted ? "predicted" : "measured",
                          floor_ms > 0 ? fmt::format(", {:.1f} times the floor", best_ms / floor_ms) : "");
    }
    return text;
  }
};

/// A line, or one direction of it, that gave no report: it is said, and it is a line of the JSON all the same.
void lost_line(const ListedLine& line, const Failure& failure, const ChosenDevice& device, const Options& options,
               Outputs& outputs, Tally& tally) {
  tally.worst = worse(tally.worst, failure.status());
  if (outputs.json) outputs.json.write(dump(failed_line_json(line.text, line.number, failure, device, options)) + "\n");
  fmt::print(stderr, "{}:{}: {}\n", options.file, line.number, failure.what());
}

void replay_problem(const Problem& problem, const ListedLine& line, const std::string& title,
                    const ChosenDevice& device, const Options& options, Outputs& outputs, Tally& tally) {
  const auto lose = [&](const Failure& failure) { lost_line(line, failure, device, options, outputs, tally); };
  ++tally.problems;
  try {
    const Report report = profile(problem, device, options, title);
    const Exit status = report.exit_status();
    tally.add(report);
    if (status != Exit::unsupported) tally.worst = worse(tally.worst, status);
    outputs.add(report, options);
    if (!outputs.to_stdout)
      outputs.print(fmt::format("line {}: {}\n", line.number, options.explain ? to_table(report) : to_summary(report)));
  } catch (const Failure& failure) {
    ++tally.failed;
    lose(failure);
  } catch (const RuntimeError& error) {
    ++tally.failed;
    lose(Failure(Exit::device_error, error.what()));
  }
}

Exit replay(const Options& options, char** argv) {
  const std::string text = read_list_text(options.file);
  // A file that is no list is refused before any device is touched, whose target the problems' types depend on.
  parse_list(options.file, text, Arch::none, options.batch);
  Outputs outputs(options);
  const ChosenDevice device = choose_device(options.device, argv);
  Tally tally;
  const std::vector<ListedLine> lines = parse_list(options.file, text, device.device.arch, options.batch);
  for (const ListedLine& line : lines) {
    if (line.failure) {
      ++tally.bad_lines;
      lost_line(line, *line.failure, device, options, outputs, tally);
      continue;
    }
    const std::string title = fmt::format("line {} of {}", line.number, lines.back().number);
    for (const Problem& problem : line.problems) replay_problem(problem, line, title, device, options, outputs, tally);
  }
  outputs.commit();
  outputs.print(tally.summary(options.file, device.kind == DeviceKind::simulator));
  return tally.status();
}

Exit list(const Options& options, char** argv) {
  Outputs outputs(options);
  const Listing listing = list_instances(targets_to_list(options.device, argv), options);
  if (outputs.json) outputs.json.write(dump(listing.json) + "\n");
  outputs.commit();
  if (!outputs.to_stdout) outputs.print(listing.text);
  return listing.instances > 0 ? Exit::ok : Exit::unsupported;
}

Exit dispatch(int argc, char** argv) {
  const std::optional<Options> options = parse_options(argc, argv);
  if (!options) return Exit::ok;
  switch (options->command) {
    case Command::run:
      return run(*options, argv);
    case Command::replay:
      return replay(*options, argv);
    case Command::list:
      return list(*options, argv);
  }
  return Exit::bad_arguments;
}

int guarded(int argc, char** argv) {
  std::string sentence;
  Exit status = Exit::device_error;
  try {
    status = dispatch(argc, argv);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return static_cast<int>(status);
    status = worse(status, Exit::bad_arguments);
    sentence = "the standard output cannot be written, or not whole";
  } catch (const Failure& failure) {
    sentence = failure.what();
    status = failure.status();
  } catch (const std::bad_alloc&) {
    sentence = "this machine's memory does not suffice for the problem's tensors and the reference";
  } catch (const std::exception& error) {  // a RuntimeError: the device's runtime failed
    sentence = error.what();
  }
  fmt::print(stderr, "zellige-profiler: error: {}\n", sentence);
  return static_cast<int>(status);
}

}  // namespace
}  // namespace zellige::profiler

int main(int argc, char** argv) {
  zellige::profiler::prepare_process();
  return zellige::profiler::guarded(argc, argv);
}
