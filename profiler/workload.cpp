// See workload.hpp.
#include "workload.hpp"

#include <fmt/format.h>

#include <fstream>

#include "failure.hpp"

namespace zellige::profiler {
namespace {

using reference::Fill;

/// The three tensors' types and element counts, operands first, and the products summed into an output element.
struct Sizes {
  DataType a, b, c;
  std::int64_t elements_a, elements_b, elements_c, depth, columns;
};

Sizes sizes_of(const Problem& problem) {
  if (const auto* g = std::get_if<GemmProblem>(&problem.shape)) {
    return {g->input,
            g->input,
            g->output,
            bytes_a(*g).value / bytes_of(g->input),
            bytes_b(*g).value / bytes_of(g->input),
            bytes_c(*g).value / bytes_of(g->output),
            g->k,
            g->n};
  }
  const auto& c = std::get<ConvProblem>(problem.shape);
  return {c.input,
          c.weight,
          c.output,
          input_bytes(c).value / bytes_of(c.input),
          weight_bytes(c).value / bytes_of(c.weight),
          output_bytes(c).value / bytes_of(c.output),
          c.taps() * c.channels_per_group(),
          c.k};
}

/// Bytes that the kernel says a program may still take, 0 where it does not say.
double available_bytes() {
  std::ifstream info("/proc/meminfo");
  std::string key, unit;
  double kilobytes = 0;
  while (info >> key >> kilobytes) {
    if (key == "MemAvailable:") return kilobytes * 1024;
    std::getline(info, unit);
  }
  return 0;
}

reference::Result reference_of(const Problem& problem, const void* a, const void* b, bool with_magnitude) {
  if (const auto* g = std::get_if<GemmProblem>(&problem.shape)) return reference::gemm(*g, a, b, with_magnitude);
  return reference::conv(std::get<ConvProblem>(problem.shape), a, b, nullptr, with_magnitude);
}

}  // namespace

Verdict Workload::can_hold(const Problem& problem, bool verify, const Epilogue& epilogue) {
  const Sizes s = sizes_of(problem);
  // Host and device copies (the simulator's device memory is this machine's), poison, and the reference with
  // magnitudes.
  const double operands =
      static_cast<double>(s.elements_a) * bytes_of(s.a) + static_cast<double>(s.elements_b) * bytes_of(s.b);
  const double outputs =
      static_cast<double>(s.elements_c) * ((epilogue.residual ? 5 : 3) * bytes_of(s.c) + (verify ? 16 : 0));
  const double needed = 2 * operands + outputs, available = available_bytes();
  if (available > 0 && needed > available) {
    return refuse(Reason::tensor_too_large,
                  Text{} << "a run of this problem needs about " << static_cast<std::int64_t>(needed / 1e6)
                         << " MB of host memory for tensors" << (verify ? " and the reference" : "") << ", but "
                         << static_cast<std::int64_t>(available / 1e6) << " MB are available");
  }
  return {};
}

Workload::Workload(const Problem& problem, std::uint64_t seed, Fill fill, bool verify, std::int64_t guard,
                   const Epilogue& epilogue)
    : match_(fill == Fill::integers ? reference::Match::exact : reference::Match::bound) {
  const Sizes s = sizes_of(problem);
  output_type_ = s.c;
  const auto bytes = [](std::int64_t elements, DataType type) { return elements * bytes_of(type); };
  std::vector<std::byte> a(static_cast<std::size_t>(bytes(s.elements_a, s.a))),
      b(static_cast<std::size_t>(bytes(s.elements_b, s.b)));
  // The two operands must differ: products of equal sequences are squares, and errors of sign would cancel.
  reference::fill(a.data(), s.a, s.elements_a, fill, 2 * seed, s.depth, s.c);
  reference::fill(b.data(), s.b, s.elements_b, fill, 2 * seed + 1, s.depth, s.c);
  a_ = DeviceBuffer(bytes(s.elements_a, s.a), guard, "operand a");
  b_ = DeviceBuffer(bytes(s.elements_b, s.b), guard, "operand b");
  c_ = DeviceBuffer(bytes(s.elements_c, s.c), guard, "the output");
  a_.upload(a.data(), a_.bytes());
  b_.upload(b.data(), b_.bytes());
  // What the epilogue reads. A tensor that it lacks stays empty.
  const DataType vectors = reference::vector_type(s.a);
  std::vector<std::byte> scale, bias, residual;
  const auto make = [&](bool present, std::vector<std::byte>& host, DeviceBuffer& device, DataType type,
                        std::int64_t elements, const char* subject, const auto& fill_it) {
    if (!present) return;
    host.resize(static_cast<std::size_t>(bytes(elements, type)));
    fill_it(host.data());
    device = DeviceBuffer(bytes(elements, type), guard, subject);
    device.upload(host.data(), device.bytes());
  };
  make(epilogue.scale, scale, scale_, vectors, s.columns, "the scale",
       [&](void* data) { reference::fill_scale(data, vectors, s.columns, fill, 3 * seed + 2); });
  make(epilogue.bias, bias, bias_, vectors, s.columns, "the bias",
       [&](void* data) { reference::fill(data, vectors, s.columns, fill, 5 * seed + 3, s.depth, s.c); });
  make(epilogue.residual, residual, residual_, s.c, s.elements_c, "the residual",
       [&](void* data) { reference::fill(data, s.c, s.elements_c, fill, 7 * seed + 4, s.depth, s.c); });
  poison_.resize(static_cast<std::size_t>(c_.bytes()));
  reference::poison(poison_.data(), s.c, s.elements_c);
  if (verify) {
    reference_ = reference_of(problem, a.data(), b.data(), match_ == reference::Match::bound);
    reference::apply_epilogue(
        reference_, epilogue,
        {.scale = scale.data(), .bias = bias.data(), .residual = residual.data(), .row_stride = s.columns}, s.a, s.c);
    output_.resize(poison_.size());
  }
}

void Workload::poison_output() { c_.upload(poison_.data(), c_.bytes()); }

CheckedResult Workload::check(reference::Products products) {
  c_.download(output_.data(), c_.bytes());
  const reference::Comparison found =
      reference::compare(reference_, output_type_, output_.data(), reference_.columns, match_, products);
  return {found.ok(), found.text(), found.max_abs_error, found.max_rel_error};
}

}  // namespace zellige::profiler
