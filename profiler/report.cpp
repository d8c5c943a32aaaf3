// See report.hpp.
#include "report.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>

#include "zellige/atom/mma.hpp"

namespace zellige::profiler {
namespace {

/// What ranks a row among its kind: measured or predicted time, else modelled time, else last.
double time_of(const InstanceRow& row) {
  return row.time_ms ? *row.time_ms : row.modelled_ms.value_or(std::numeric_limits<double>::infinity());
}

/// Matrix peak for this input type in TFLOP/s, 0 where it is unknown: the data sheets', or what the instructions'
/// durations give.
double peak_tflops(Arch arch, DataType input) {
  const ArchTraits traits = arch_traits(arch);
  switch (input) {
    case DataType::f16:
    case DataType::bf16:
      return traits.f16_tflops;
    case DataType::f32:
      return traits.f32_tflops;
    case DataType::f64:
      return traits.f64_tflops;
    default:
      return peak_flops_per_clock(arch, input) * traits.simds * traits.compute_units * traits.clock_ghz / 1e3;
  }
}

}  // namespace

const char* name_of(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::wrong:
      return "wrong";
    case Status::error:
      return "error";
    case Status::skipped:
      return "skipped";
    case Status::unsupported:
      return "unsupported";
  }
  return "unknown";
}

const InstanceRow* Report::best() const {
  const InstanceRow* best = nullptr;
  for (const InstanceRow& row : rows) {
    if (row.status == Status::ok && (best == nullptr || time_of(row) < time_of(*best))) best = &row;
  }
  return best;
}

std::optional<double> Report::floor_ms() const {
  const DataType input = std::visit([](const auto& p) { return p.input; }, problem.shape);
  const double peak = peak_tflops(device.device.arch, input), rate = arch_traits(device.device.arch).memory_gbps;
  if (peak <= 0 || rate <= 0) return {};
  return std::max(problem.flops() / (peak * 1e9), problem.bytes() / (rate * 1e6));
}

std::optional<double> Report::tflops(const InstanceRow& row) const {
  if (!row.time_ms || *row.time_ms <= 0) return {};
  return problem.flops() / (*row.time_ms * 1e9);
}

std::optional<double> Report::gbps(const InstanceRow& row) const {
  if (!row.time_ms || *row.time_ms <= 0) return {};
  return problem.bytes() / (*row.time_ms * 1e6);
}

Exit Report::exit_status() const {
  Exit status = best() != nullptr ? Exit::ok : Exit::unsupported;
  for (const InstanceRow& row : rows) {
    if (row.status == Status::wrong) status = worse(status, Exit::wrong_result);
    if (row.status == Status::error) status = worse(status, Exit::device_error);
  }
  return status;
}

void Report::rank() {
  std::sort(rows.begin(), rows.end(), [](const InstanceRow& a, const InstanceRow& b) {
    return std::tuple(a.status, time_of(a), std::string_view(a.name), a.split_k) <
           std::tuple(b.status, time_of(b), std::string_view(b.name), b.split_k);
  });
}

}  // namespace zellige::profiler
