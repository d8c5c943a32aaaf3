// See report_json.hpp.
#include "report_json.hpp"

#include <cmath>

#include "version.hpp"

namespace zellige::profiler {
namespace {

using Json = nlohmann::ordered_json;

/// Infinite and undefined numbers have no JSON: they are null too.
Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json options_json(const Options& o) {
  return {{"verify", o.verify},
          {"inputs", o.random_inputs ? "random" : "integer"},
          {"seed", o.seed},
          {"split_k", o.split_k},
          {"split_k_degrees", o.split_k_degrees},
          {"epilogue", o.epilogue},
          {"fold", o.fold},
          {"limit_bytes", o.limit_bytes > 0 ? Json(o.limit_bytes) : Json(nullptr)},
          {"instances", text_or_null(o.instances)},
          {"top", o.top > 0 ? Json(o.top) : Json(nullptr)},
          {"shard", {{"index", o.shard.index}, {"count", o.shard.count}}},
          {"deterministic", o.deterministic},
          {"iterations", or_null(o.iterations)},
          {"warmup", or_null(o.warmup)},
          {"explain", o.explain}};
}

void add_sizes(Json& json, const GemmProblem& p) {
  json["m"] = p.m;
  json["n"] = p.n;
  json["k"] = p.k;
  const auto letter = [](MatrixOrder order) { return order == MatrixOrder::row ? 'r' : 'c'; };
  json["layout"] = std::string{letter(p.order_a), letter(p.order_b)};
  json["dtype"] = json["dtype_weight"] = name_of(p.input);
  json["dtype_out"] = name_of(p.output);
}

void add_sizes(Json& json, const ConvProblem& p) {
  const auto axes = [&](auto member) {
    std::vector<std::int64_t> values;
    for (int i = 0; i < p.spatial; ++i) values.push_back(member(p.axis[i]));
    return values;
  };
  json["n"] = p.n;
  json["c"] = p.c;
  json["k"] = p.k;
  json["groups"] = p.groups;
  json["in"] = axes([](const ConvAxis& a) { return a.size; });
  json["filter"] = axes([](const ConvAxis& a) { return a.filter; });
  json["stride"] = axes([](const ConvAxis& a) { return a.stride; });
  json["dilation"] = axes([](const ConvAxis& a) { return a.dilation; });
  json["pad_before"] = axes([](const ConvAxis& a) { return a.pad_before; });
  json["pad_after"] = axes([](const ConvAxis& a) { return a.pad_after; });
  json["out"] = axes([](const ConvAxis& a) { return a.outputs(); });
  json["layout"] = p.spatial == 1 ? "NWC" : p.spatial == 2 ? "NHWC" : "NDHWC";
  json["dtype"] = name_of(p.input);
  json["dtype_weight"] = name_of(p.weight);
  json["dtype_out"] = name_of(p.output);
}

Json problem_json(const Report& report) {
  const Problem& p = report.problem;
  Json json;
  json["op"] = name_of(p.op);
  std::visit([&](const auto& shape) { add_sizes(json, shape); }, p.shape);
  json["driver"] = text_or_null(p.driver);
  json["driver_layout"] = text_or_null(p.driver_layout);
  json["layout_assumed"] = p.layout_assumed;
  json["flops"] = p.flops();
  json["bytes"] = p.bytes();
  json["floor_ms"] = number(report.floor_ms());
  return json;
}

Json row_json(const Report& report, const InstanceRow& row) {
  Json plan = Json::array();
  for (const DispatchRow& d : row.dispatches) {
    plan.push_back({{"workgroups", d.workgroups},
                    {"threads", d.threads},
                    {"dynamic_lds", d.dynamic_lds},
                    {"cluster", d.cluster},
                    {"offset_a", d.offset_a},
                    {"offset_c", d.offset_c}});
  }
  const bool planned = !row.dispatches.empty();
  return {{"name", row.name},
          {"arch", row.arch},
          {"status", name_of(row.status)},
          {"supported", row.supported()},
          {"reason", reason_name(row.reason)},
          {"why", text_or_null(row.why)},
          {"split_k", or_null(row.split_k)},
          {"fold", or_null(row.fold)},
          {"chunks", or_null(row.chunks)},
          {"split_form", row.split_form},
          {"split_policy", text_or_null(row.split_policy)},
          {"dispatches", planned ? Json(row.dispatches.size()) : Json(nullptr)},
          {"plan", planned ? plan : Json(nullptr)},
          {"workspace_bytes", or_null(row.workspace_bytes)},
          {"modelled_ms", number(row.modelled_ms)},
          {"time_ms", number(row.time_ms)},
          {"predicted", row.predicted},
          {"bound", text_or_null(row.bound)},
          {"tflops", number(report.tflops(row))},
          {"gbps", number(report.gbps(row))},
          {"verified", or_null(row.verified)},
          {"max_abs_err", number(row.max_abs_err)},
          {"max_rel_err", number(row.max_rel_err)},
          {"deterministic", or_null(row.deterministic)},
          {"counts", row.counts}};
}

}  // namespace

Json device_json(const ChosenDevice& d) {
  return {{"name", d.device.name}, {"arch", d.device.arch_name}, {"kind", name_of(d.kind)}};
}

Json to_json(const Report& report, const Options& options) {
  Json instances = Json::array();
  for (const InstanceRow& row : report.rows) instances.push_back(row_json(report, row));
  std::vector<std::string> notices = report.problem.notices;
  notices.insert(notices.end(), report.notices.begin(), report.notices.end());
  const InstanceRow* best = report.best();
  return {{"schema", json_schema},
          {"zellige", version},
          {"device", device_json(report.device)},
          {"options", options_json(options)},
          {"problem", problem_json(report)},
          {"notices", notices},
          {"instances", instances},
          {"best", best != nullptr ? row_json(report, *best) : Json(nullptr)}};
}

Json failed_line_json(const std::string& line, int line_number, const Failure& failure, const ChosenDevice& device,
                      const Options& options) {
  return {{"schema", json_schema},
          {"zellige", version},
          {"device", device_json(device)},
          {"options", options_json(options)},
          {"problem", {{"driver", line}, {"line", line_number}}},
          {"error", failure.what()},
          {"instances", Json::array()},
          {"best", nullptr}};
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace zellige::profiler
