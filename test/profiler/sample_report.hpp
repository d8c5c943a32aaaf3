// A report as a run would make it, for tests of what is written of it.
#pragma once

#include "report.hpp"

namespace zellige::profiler {

inline InstanceRow sample_row(const char* name, Status status, std::optional<double> time_ms) {
  InstanceRow row;
  row.name = name;
  row.arch = "gfx942";
  row.status = status;
  row.time_ms = time_ms;
  if (status != Status::ok) row.why = "because, \"quoted\"\nand <broken>";
  if (status == Status::unsupported) {
    row.reason = Reason::channels_not_divisible;
    return row;
  }
  row.split_k = 1;
  row.dispatches = {{.workgroups = 49, .threads = 256, .dynamic_lds = 0}};
  row.workspace_bytes = 0;
  row.deterministic = true;
  row.modelled_ms = 0.5;
  row.predicted = true;
  row.bound = "matrix";
  row.verified = status == Status::ok;
  row.max_abs_err = status == Status::ok ? 0.0 : 1.5;
  row.max_rel_err = 0.0;
  row.counts = {{"waves", 196}};
  return row;
}

inline Report sample_report() {
  ConvProblem shape{.input = DataType::bf16,
                    .weight = DataType::bf16,
                    .output = DataType::bf16,
                    .n = 1,
                    .c = 64,
                    .k = 32,
                    .spatial = 2};
  shape.axis[0] = {.size = 56, .filter = 3, .stride = 1, .dilation = 1, .pad_before = 3, .pad_after = 1};
  shape.axis[1] = {.size = 28, .filter = 3, .stride = 1, .dilation = 1, .pad_before = 2, .pad_after = 0};
  Report report;
  report.problem = {.op = Operator::conv_fwd,
                    .shape = shape,
                    .driver = "convbfp16 -n 1, \"x\"",
                    .driver_layout = "NCHW",
                    .layout_assumed = true,
                    .notices = {"a notice"}};
  report.device = {DeviceKind::simulator,
                   {.index = 0, .arch = Arch::gfx942, .arch_name = "gfx942", .name = "MI300X", .compute_units = 304}};
  report.rows = {sample_row("unsupported_one", Status::unsupported, {}), sample_row("slow", Status::ok, 0.2),
                 sample_row("wrong_but_fastest", Status::wrong, 0.01), sample_row("best_one", Status::ok, 0.1)};
  report.rank();
  return report;
}

}  // namespace zellige::profiler
