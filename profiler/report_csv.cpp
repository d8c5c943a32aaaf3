// See report_csv.hpp.
#include "report_csv.hpp"

#include <fmt/format.h>

namespace zellige::profiler {
namespace {

constexpr const char* columns[] = {
    "op",       "problem",     "device",          "arch",          "kind",    "name",      "status", "reason", "why",
    "split_k",  "dispatches",  "workspace_bytes", "modelled_ms",   "time_ms", "predicted", "bound",  "tflops", "gbps",
    "verified", "max_abs_err", "max_rel_err",     "deterministic", "driver",  "fold",      "chunks"};

template <class T>
std::string text(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

std::string line(std::vector<std::string> fields) {
  for (std::string& field : fields) field = csv_field(field);
  return fmt::format("{}\r\n", fmt::join(fields, ","));
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_header() { return line({std::begin(columns), std::end(columns)}); }

std::string to_csv(const Report& report) {
  std::string all;
  for (const InstanceRow& row : report.rows) {
    const std::vector<std::string> fields = {name_of(report.problem.op),
                                             report.problem.describe(),
                                             report.device.device.name,
                                             report.device.device.arch_name,
                                             name_of(report.device.kind),
                                             row.name,
                                             name_of(row.status),
                                             std::string(reason_name(row.reason)),
                                             row.why,
                                             text(row.split_k),
                                             row.dispatches.empty() ? "" : fmt::format("{}", row.dispatches.size()),
                                             text(row.workspace_bytes),
                                             text(row.modelled_ms),
                                             text(row.time_ms),
                                             row.predicted ? "true" : "false",
                                             row.bound,
                                             text(report.tflops(row)),
                                             text(report.gbps(row)),
                                             text(row.verified),
                                             text(row.max_abs_err),
                                             text(row.max_rel_err),
                                             text(row.deterministic),
                                             report.problem.driver,
                                             text(row.fold),
                                             text(row.chunks)};
    static_assert(std::size(columns) == 25, "a column for each field above");
    all += line(fields);
  }
  return all;
}

}  // namespace zellige::profiler
