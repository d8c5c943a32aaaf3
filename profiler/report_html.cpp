// See report_html.hpp.
#include "report_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "report_table.hpp"
#include "version.hpp"

namespace zellige::profiler {
namespace {

constexpr std::size_t most_bars = 40;  // more do not fit a screen; the table below has all rows

constexpr const char* style = R"(<style>
body{font:14px/1.5 system-ui,sans-serif;max-width:76em;margin:2em auto;padding:0 1em;color:#1b1f24;background:#fff}
h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2.2em;border-top:1px solid #d0d7de;padding-top:1em}
table{border-collapse:collapse;font-size:12px;width:100%}
td,th{padding:.2em .7em;text-align:right;border-bottom:1px solid #eaeef2}
td:last-child,th:last-child,td.l,th.l{text-align:left}td.name{font-family:ui-monospace,monospace}
.note{color:#57606a}.wrong,.error{color:#cf222e;font-weight:600}
svg{width:100%;height:auto}svg text{font:11px ui-monospace,monospace;fill:#1b1f24}
</style>)";

/// One bar: its label at the left, its value at the right end.
struct Bar {
  std::string label;
  double value = 0;
  std::string text;
  std::string colour;
};

std::string escape(std::string_view text) {
  std::string safe;
  for (char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

/// Horizontal bars from zero, and a dashed line at `mark` where it is above zero.
std::string bar_chart(const std::vector<Bar>& bars, double mark, const std::string& mark_text) {
  constexpr double width = 1000, left = 470, right = 90, row = 18, top = 22;
  double largest = mark;
  for (const Bar& bar : bars) largest = std::max(largest, bar.value);
  if (bars.empty() || largest <= 0) return {};
  const double scale = (width - left - right) / largest, height = top + row * static_cast<double>(bars.size()) + 6;
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\">\n", width, height);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const double y = top + row * static_cast<double>(i), length = std::max(bars[i].value * scale, 1.0);
    const std::string label = bars[i].label.size() > 68 ? bars[i].label.substr(0, 67) + "~" : bars[i].label;
    svg += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" "
        "fill=\"{}\"><title>{}: {}</title></rect><text x=\"{:.1f}\" y=\"{}\">{}</text>\n",
        left - 8, y + 12, escape(label), left, y + 2, length, row - 5, bars[i].colour, escape(bars[i].label),
        escape(bars[i].text), left + length + 5, y + 12, escape(bars[i].text));
  }
  if (mark > 0) {
    const double x = left + mark * scale;
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"16\" x2=\"{0:.1f}\" y2=\"{1}\" stroke=\"#57606a\" stroke-dasharray=\"4 3\"/>"
        "<text x=\"{2:.1f}\" y=\"12\">{3}</text>\n",
        x, height, x + 3, escape(mark_text));
  }
  return svg + "</svg>\n";
}

const char* colour_of(const std::string& bound) {
  static const std::map<std::string, const char*, std::less<>> colours = {
      {"matrix", "#2f81f7"}, {"vector", "#8250df"}, {"lds", "#d29922"}, {"memory", "#1a7f37"},
      {"issue", "#bc4c00"},  {"wave", "#e16f24"},   {"l2", "#0a8f8f"}};
  const auto at = colours.find(bound);
  return at != colours.end() ? at->second : "#6e7781";
}

std::string number(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "&ndash;";
}

std::string time_chart(const Report& report) {
  std::vector<Bar> bars;
  for (const InstanceRow& row : report.rows) {
    const std::optional<double> time = report.explained ? row.modelled_ms : row.time_ms;
    if (row.status != Status::ok || !time || bars.size() == most_bars) continue;
    bars.push_back({row.name, *time, fmt::format("{:.4g} ms", *time), colour_of(row.bound)});
  }
  return bar_chart(bars, report.floor_ms().value_or(0), "floor");
}

/// A square of each colour that the plot has, and its bound.
std::string legend(const Report& report) {
  std::set<std::string> bounds;
  for (const InstanceRow& row : report.rows) {
    if (row.status == Status::ok && !row.bound.empty()) bounds.insert(row.bound);
  }
  std::string html;
  for (const std::string& bound : bounds) {
    html += fmt::format(" <span style=\"color:{}\">&#9632;</span> {}", colour_of(bound), escape(bound));
  }
  return html;
}

std::string table(const Report& report) {
  std::string html =
      "<table><tr><th class=\"l\">status</th><th>time, ms</th><th>TFLOP/s</th><th>GB/s</th><th class=\"l\">bound</th>"
      "<th>split</th><th>workspace</th><th>largest error</th><th>instance</th></tr>\n";
  for (const InstanceRow& row : report.rows) {
    html += fmt::format(
        "<tr><td class=\"l {0}\">{0}</td><td>{1}</td><td>{2}</td><td>{3}</td><td "
        "class=\"l\">{4}</td><td>{5}</td><td>{6}"
        "</td><td>{7}</td><td class=\"name\">{8}{9}</td></tr>\n",
        name_of(row.status), number(report.explained ? row.modelled_ms : row.time_ms, "{:.4g}"),
        number(report.tflops(row), "{:.2f}"), number(report.gbps(row), "{:.1f}"), escape(row.bound),
        row.split_k ? fmt::format("{}", *row.split_k) : "&ndash;",
        row.workspace_bytes ? human_bytes(static_cast<double>(*row.workspace_bytes)) : "&ndash;",
        number(row.max_abs_err, "{:.2e}"), escape(row.name),
        row.why.empty() ? "" : "<div class=\"note\">" + escape(row.why) + "</div>");
  }
  return html + "</table>\n";
}

std::string section(const Report& report) {
  const bool predicted = report.device.kind == DeviceKind::simulator;
  return fmt::format(
      "<h2>{}</h2>\n<pre class=\"note\">{}</pre>\n<p>{} time of each instance, coloured by what bounds "
      "it:{}{}.</p>\n{}{}",
      escape(report.problem.describe()), escape(heading(report)),
      report.explained ? "Modelled"
      : predicted      ? "Predicted"
                       : "Measured",
      legend(report), report.floor_ms() ? "; the dashed line is the floor of flops and bytes" : "", time_chart(report),
      table(report));
}

/// How far each problem's best is from its floor.
std::string overview(const std::vector<Report>& reports) {
  std::vector<Bar> bars;
  for (const Report& report : reports) {
    const InstanceRow* best = report.best();
    const std::optional<double> floor = report.floor_ms();
    if (best == nullptr || !floor) continue;
    const std::optional<double> time = best->time_ms ? best->time_ms : best->modelled_ms;
    if (time)
      bars.push_back(
          {report.problem.describe(), *time / *floor, fmt::format("{:.2f}x", *time / *floor), colour_of(best->bound)});
  }
  return "<p>Time of each problem's best instance over its floor.</p>\n" + bar_chart(bars, 1, "1x");
}

}  // namespace

std::string to_html(const std::vector<Report>& reports) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>zellige-profiler</title>{}</head>"
      "<body>\n<h1>zellige-profiler {}</h1>\n",
      style, version);
  if (reports.size() > 1) html += overview(reports);
  for (const Report& report : reports) html += section(report);
  return html + "</body></html>\n";
}

}  // namespace zellige::profiler
