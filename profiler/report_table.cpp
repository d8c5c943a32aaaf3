// See report_table.hpp.
#include "report_table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <iterator>
#include <map>

namespace zellige::profiler {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string number(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

std::string error_text(const InstanceRow& row) {
  if (!row.verified) return "unchecked";
  if (!row.max_abs_err) return "-";
  return *row.max_abs_err == 0 ? "exact" : fmt::format("{:.2e}", *row.max_abs_err);
}

/// What plans do with the problem beyond solving it as it is: ", folded by 16, in 4 chunks".
std::string shape_text(const InstanceRow& row) {
  std::string text;
  if (row.fold.value_or(1) > 1) text += fmt::format(", folded by {}", *row.fold);
  if (row.chunks.value_or(1) > 1) text += fmt::format(", in {} chunks", *row.chunks);
  return text;
}

/// "1", "two-stage 16" or "cluster 4".
std::string split_text(const InstanceRow& row) {
  const int degree = row.split_k.value_or(1);
  return row.split_form == "none" ? std::to_string(degree) : fmt::format("{} {}", row.split_form, degree);
}

void add_ranked(Out out, const Report& report) {
  bool any = false;
  for (const InstanceRow& row : report.rows) {
    if (row.status != Status::ok) continue;
    if (!any) {
      fmt::format_to(out, "\n{:>11} {:>9} {:>9}  {:<8} {:>12} {:>10} {:>10}  {}\n",
                     row.predicted ? "predicted" : "measured", "TFLOP/s", "GB/s", "bound", "split", "workspace",
                     "error", "instance");
      any = true;
    }
    fmt::format_to(out, "{:>8} ms {:>9} {:>9}  {:<8} {:>12} {:>10} {:>10}  {}{}\n", number(row.time_ms, "{:.4g}"),
                   number(report.tflops(row), "{:.2f}"), number(report.gbps(row), "{:.1f}"),
                   row.bound.empty() ? "-" : row.bound, split_text(row),
                   human_bytes(static_cast<double>(row.workspace_bytes.value_or(0))), error_text(row), row.name,
                   shape_text(row));
  }
}

/// Rows of one status, those of the same sentence together: a table of 200 kernels has a handful of reasons.
void add_grouped(Out out, const Report& report, Status status) {
  std::map<std::string, std::vector<const InstanceRow*>> groups;
  std::size_t count = 0;
  for (const InstanceRow& row : report.rows) {
    if (row.status != status) continue;
    groups[row.why].push_back(&row);
    ++count;
  }
  if (count == 0) return;
  fmt::format_to(out, "\n{} {}:\n", count, name_of(status));
  for (const auto& [why, rows] : groups) {
    fmt::format_to(out, "  {:>4}  {}\n        {}{}\n", rows.size(), why, rows.front()->name,
                   rows.size() > 1 ? fmt::format(" and {} more", rows.size() - 1) : "");
  }
}

void add_each(Out out, const Report& report, Status status) {
  for (const InstanceRow& row : report.rows) {
    if (row.status == status) fmt::format_to(out, "\n{}: {}\n  {}\n", name_of(status), row.name, row.why);
  }
}

/// "0.0123 ms predicted, 2.3 times the floor, verified".
std::string time_text(const Report& report, const InstanceRow& row) {
  const std::optional<double> floor = report.floor_ms();
  return fmt::format("{:.4g} ms {}{}{}, {}", row.time_ms.value_or(0), row.predicted ? "predicted" : "measured",
                     floor && row.time_ms ? fmt::format(", {:.1f} times the floor", *row.time_ms / *floor) : "",
                     shape_text(row), row.verified.value_or(false) ? "verified" : "not verified");
}

void add_best(Out out, const Report& report) {
  const InstanceRow* best = report.best();
  if (best == nullptr) {
    fmt::format_to(out, "\nbest: none; {}\n",
                   report.rows.empty() ? "there are no instances to try" : "see the reasons above");
  } else {
    fmt::format_to(out, "\nbest: {}\n      {}\n", best->name, time_text(report, *best));
  }
}

bool same_launch(const DispatchRow& a, const DispatchRow& b) {
  return a.workgroups == b.workgroups && a.threads == b.threads && a.dynamic_lds == b.dynamic_lds &&
         a.cluster == b.cluster;
}

/// "2 dispatches of 49 workgroups of 256 threads" for each run of equal launches.
void add_dispatches(Out out, const std::vector<DispatchRow>& dispatches) {
  for (std::size_t i = 0, next = 0; i < dispatches.size(); i = next) {
    const DispatchRow& d = dispatches[i];
    while (next < dispatches.size() && same_launch(d, dispatches[next])) ++next;
    const std::string which =
        next - i == 1 ? fmt::format("dispatch {}", i + 1) : fmt::format("dispatches {} to {}, each", i + 1, next);
    fmt::format_to(out, "  {}: {} workgroups of {} threads{}{}\n", which, d.workgroups, d.threads,
                   d.cluster > 1 ? fmt::format(" in each of {} layers, clusters of {}", d.cluster, d.cluster) : "",
                   d.dynamic_lds > 0 ? fmt::format(", {} of dynamic LDS", human_bytes(d.dynamic_lds)) : "");
  }
}

void add_explained(Out out, const Report& report) {
  for (const InstanceRow& row : report.rows) {
    if (row.status == Status::unsupported) {
      fmt::format_to(out, "\n{}\n  no: {} [{}]\n", row.name, row.why, reason_name(row.reason));
      continue;
    }
    fmt::format_to(out, "\n{}\n  yes{}: modelled {} ms{}{}, split {}, workspace {}, {}\n", row.name,
                   row.status == Status::skipped ? ", but skipped (" + row.why + ")" : "",
                   number(row.modelled_ms, "{:.4g}"), row.bound.empty() ? "" : " (" + row.bound + ")", shape_text(row),
                   row.split_k.value_or(1), human_bytes(static_cast<double>(row.workspace_bytes.value_or(0))),
                   row.deterministic.value_or(true) ? "deterministic" : "not deterministic");
    if (!row.split_policy.empty()) fmt::format_to(out, "  {} split-K; policy: {}\n", row.split_form, row.split_policy);
    add_dispatches(out, row.dispatches);
  }
  const InstanceRow* best = report.best();
  fmt::format_to(out, "\nbest by the model: {}\n", best != nullptr ? best->name : "none; nothing applies");
}

}  // namespace

std::string human_bytes(double bytes) {
  if (bytes < 1000) return fmt::format("{:.0f} B", bytes);
  constexpr const char* units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  int unit = -1;
  while (bytes >= 1000 && unit + 1 < static_cast<int>(std::size(units))) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.1f} {}", bytes, units[unit]);
}

std::string heading(const Report& report) {
  std::string text = report.problem.describe() + "\n";
  const Out out(text);
  const std::optional<double> floor = report.floor_ms();
  fmt::format_to(out, "  {:.4g} GFLOP, {}{}\n", report.problem.flops() * 1e-9, human_bytes(report.problem.bytes()),
                 floor ? fmt::format(", floor {:.4g} ms", *floor) : "");
  fmt::format_to(out, "  on {} ({}, {})\n", report.device.device.arch_name, report.device.device.name,
                 name_of(report.device.kind));
  if (report.device.kind == DeviceKind::simulator && !report.explained) {
    fmt::format_to(out, "  times are predicted from the counts of the executed code, not measured\n");
  }
  for (const std::string& notice : report.problem.notices) fmt::format_to(out, "  notice: {}\n", notice);
  for (const std::string& notice : report.notices) fmt::format_to(out, "  notice: {}\n", notice);
  return text;
}

std::string to_table(const Report& report) {
  std::string text = heading(report);
  const Out out(text);
  if (report.explained) {
    add_explained(out, report);
    return text;
  }
  add_ranked(out, report);
  add_each(out, report, Status::wrong);
  add_each(out, report, Status::error);
  add_grouped(out, report, Status::skipped);
  add_grouped(out, report, Status::unsupported);
  add_best(out, report);
  return text;
}

std::string to_summary(const Report& report) {
  std::string text = report.problem.describe() + "\n";
  const Out out(text);
  for (const std::string& notice : report.problem.notices) fmt::format_to(out, "  notice: {}\n", notice);
  for (const std::string& notice : report.notices) fmt::format_to(out, "  notice: {}\n", notice);
  std::map<Status, std::size_t> counts;
  for (const InstanceRow& row : report.rows) ++counts[row.status];
  std::vector<std::string> parts;
  for (const auto& [status, count] : counts) parts.push_back(fmt::format("{} {}", count, name_of(status)));
  const std::string ends = parts.empty() ? "no instances" : fmt::format("{}", fmt::join(parts, ", "));
  if (const InstanceRow* best = report.best()) {
    fmt::format_to(out, "  {}  {}\n  {}\n", best->name, time_text(report, *best), ends);
  } else {
    fmt::format_to(out, "  best: none; {}\n", ends);
  }
  add_each(out, report, Status::wrong);
  add_each(out, report, Status::error);
  return text;
}

Progress::Progress(std::string title, std::size_t total)
    : title_(std::move(title)), total_(total), terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::show(std::size_t done, const std::string& current) {
  if (!terminal_ || total_ == 0) return;
  constexpr std::size_t width = 24;
  const std::size_t filled = done * width / total_;
  fmt::print(stderr, "\r\033[K{} [{:#<{}}{:.<{}}] {}/{} {:.60}", title_, "", filled, "", width - filled, done, total_,
             current);
  std::fflush(stderr);
}

}  // namespace zellige::profiler
