// Runs with guard zones.
#include "device_run.hpp"

#include <cstring>
#include <sstream>
#include <vector>

namespace zellige {

namespace {

constexpr std::size_t guard_bytes = 4096;

/// A host image of a tensor between its guard zones, and its copy on the device.
class GuardedTensor {
 public:
  GuardedTensor(DataType type, std::int64_t bytes) : type_(type), bytes_(static_cast<std::size_t>(bytes)) {
    image_.resize(bytes_ + 2 * guard_bytes);
    reference::poison(image_.data(), type, static_cast<std::int64_t>(image_.size()) / bytes_of(type));
    require_success(hipMalloc(&device_, image_.size()), "hipMalloc", "a test's tensor");
  }
  GuardedTensor(const GuardedTensor&) = delete;
  ~GuardedTensor() { (void)hipFree(device_); }

  std::byte* host() { return image_.data() + guard_bytes; }
  void* device() const { return static_cast<std::byte*>(device_) + guard_bytes; }
  std::int64_t elements() const { return static_cast<std::int64_t>(bytes_) / bytes_of(type_); }

  /// Copies the image, guard zones included, to the device.
  void upload() {
    require_success(hipMemcpy(device_, image_.data(), image_.size(), hipMemcpyHostToDevice), "hipMemcpy");
  }

  /// What the device holds now, guard zones included.
  std::vector<std::byte> download() const {
    std::vector<std::byte> now(image_.size());
    require_success(hipMemcpy(now.data(), device_, now.size(), hipMemcpyDeviceToHost), "hipMemcpy");
    return now;
  }

  const std::vector<std::byte>& image() const { return image_; }
  static constexpr std::size_t begin() { return guard_bytes; }

 private:
  DataType type_;
  std::size_t bytes_;
  std::vector<std::byte> image_;
  void* device_ = nullptr;
};

/// A tensor as lines of `length` elements, `stride` apart: what lies between belongs to nobody.
struct Lines {
  std::int64_t count, length, stride;
};

void fill_lines(GuardedTensor& tensor, DataType type, const Lines& lines, reference::Fill fill, std::uint64_t seed,
                std::int64_t depth, DataType output) {
  reference::fill(tensor.host(), type, tensor.elements(), fill, seed, depth, output);
  for (std::int64_t i = 0; i + 1 < lines.count; ++i) {
    std::byte* const gap = tensor.host() + (i * lines.stride + lines.length) * bytes_of(type);
    reference::poison(gap, type, lines.stride - lines.length);
  }
}

/// Bytes outside the lines that differ between two images of a tensor.
std::int64_t stray_bytes(const std::vector<std::byte>& before, const std::vector<std::byte>& after, DataType type,
                         const Lines& lines) {
  std::int64_t stray = 0;
  const auto size = static_cast<std::int64_t>(bytes_of(type)),
             first = static_cast<std::int64_t>(GuardedTensor::begin());
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(before.size()); ++i) {
    const std::int64_t element = (i - first) / size, line = element / lines.stride;
    const bool inside = i >= first && line < lines.count && element % lines.stride < lines.length;
    stray += !inside && before[static_cast<std::size_t>(i)] != after[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  return stray;
}

struct Shapes {
  DataType input, weight, output;
  std::int64_t bytes_a, bytes_b, bytes_c, depth;
  Lines a, b, c;
};

Shapes shapes_of(const GemmProblem& p) {
  const bool row_a = p.order_a == MatrixOrder::row, row_b = p.order_b == MatrixOrder::row;
  return {p.input,
          p.input,
          p.output,
          bytes_a(p).value,
          bytes_b(p).value,
          bytes_c(p).value,
          p.k,
          {row_a ? p.m : p.k, row_a ? p.k : p.m, p.stride_a()},
          {row_b ? p.k : p.n, row_b ? p.n : p.k, p.stride_b()},
          {p.m, p.n, p.stride_c()}};
}

Shapes shapes_of(const ConvProblem& p) {
  const std::int64_t depth = p.taps() * p.channels_per_group(), pixels_in = p.n * p.input_pixels(),
                     pixels_out = p.n * p.output_pixels();
  return {p.input,
          p.weight,
          p.output,
          input_bytes(p).value,
          weight_bytes(p).value,
          output_bytes(p).value,
          depth,
          {pixels_in, p.c, p.c},
          {p.k, depth, depth},
          {pixels_out, p.k, p.k}};
}

reference::Result reference_of(const GemmProblem& p, const void* a, const void* b, bool magnitude) {
  return reference::gemm(p, a, b, magnitude);
}
reference::Result reference_of(const ConvProblem& p, const void* a, const void* b, bool magnitude) {
  return reference::conv(p, a, b, nullptr, magnitude);
}

}  // namespace

RunResult run_and_check(const Operation& operation, const Problem& problem, reference::Fill fill, std::uint64_t seed,
                        const PlanOptions& options) {
  const Planned planned = operation.plan(problem, options);
  if (!planned.verdict.ok) return {"refused: " + std::string(planned.verdict.why.view()), {}};
  const Shapes s = std::visit([](const auto& p) { return shapes_of(p); }, problem);
  GuardedTensor a(s.input, s.bytes_a), b(s.weight, s.bytes_b), c(s.output, s.bytes_c);
  fill_lines(a, s.input, s.a, fill, seed, s.depth, s.output);
  fill_lines(b, s.weight, s.b, fill, seed + 1, s.depth, s.output);
  a.upload();
  b.upload();
  c.upload();
  const DataType vectors = reference::vector_type(s.input);
  const Epilogue& epilogue = options.epilogue;
  GuardedTensor scale(vectors, s.c.length * bytes_of(vectors)), bias(vectors, s.c.length * bytes_of(vectors)),
      residual(s.output, s.bytes_c);
  reference::fill_scale(scale.host(), vectors, s.c.length, fill, seed + 2);
  reference::fill(bias.host(), vectors, s.c.length, fill, seed + 3, s.depth, s.output);
  fill_lines(residual, s.output, s.c, fill, seed + 4, s.depth, s.output);
  for (GuardedTensor* tensor : {&scale, &bias, &residual}) tensor->upload();
  GuardedTensor workspace(DataType::f32, planned.plan.workspace_bytes);
  workspace.upload();
  if (Verdict v = planned.plan.run(nullptr,
                                   {.a = a.device(),
                                    .b = b.device(),
                                    .c = c.device(),
                                    .bias = epilogue.bias ? bias.device() : nullptr,
                                    .scale = epilogue.scale ? scale.device() : nullptr,
                                    .residual = epilogue.residual ? residual.device() : nullptr},
                                   workspace.device(), planned.plan.workspace_bytes);
      !v.ok)
    return {"run refused: " + std::string(v.why.view()), {}};
  require_success(hipDeviceSynchronize(), "hipDeviceSynchronize", operation.name);

  if (a.download() != a.image() || b.download() != b.image()) return {"the kernel wrote to its inputs", {}};
  const std::vector<std::byte> slabs = workspace.download();
  const Lines whole{1, planned.plan.workspace_bytes / 4, planned.plan.workspace_bytes / 4 + 1};
  if (const std::int64_t stray = stray_bytes(workspace.image(), slabs, DataType::f32, whole); stray != 0)
    return {"the kernel wrote " + std::to_string(stray) + " bytes outside its workspace", {}};
  const std::vector<std::byte> after = c.download();
  RunResult result{{}, {after.begin() + GuardedTensor::begin(), after.end() - GuardedTensor::begin()}};
  if (a.download() != a.image() || b.download() != b.image()) result.failure = "the kernel wrote to its inputs";
  if (const std::int64_t stray = stray_bytes(c.image(), after, s.output, s.c); stray != 0)
    result.failure = "the kernel wrote " + std::to_string(stray) + " bytes outside its output";
  if (!result.failure.empty()) return result;
  const bool exact = fill == reference::Fill::integers;
  reference::Result expected =
      std::visit([&](const auto& p) { return reference_of(p, a.host(), b.host(), !exact); }, problem);
  reference::apply_epilogue(
      expected, epilogue,
      {.scale = scale.host(), .bias = bias.host(), .residual = residual.host(), .row_stride = s.c.stride}, s.input,
      s.output);
  const Mma mma = operation.mma();
  const reference::Comparison comparison =
      reference::compare(expected, s.output, after.data() + GuardedTensor::begin(), s.c.stride,
                         exact ? reference::Match::exact : reference::Match::bound,
                         {.error = product_error(mma), .terms = mma.products});
  if (!comparison.ok()) result.failure = comparison.text();
  return result;
}

std::string describe(const Problem& problem) {
  std::ostringstream text;
  if (const auto* p = std::get_if<GemmProblem>(&problem)) {
    const auto letter = [](MatrixOrder order) { return order == MatrixOrder::row ? 'r' : 'c'; };
    text << "gemm m " << p->m << " n " << p->n << " k " << p->k << " " << name_of(p->input) << " to "
         << name_of(p->output) << " layout " << letter(p->order_a) << letter(p->order_b) << " ld " << p->stride_a()
         << " " << p->stride_b() << " " << p->stride_c();
    return text.str();
  }
  const auto& p = std::get<ConvProblem>(problem);
  text << "conv n " << p.n << " c " << p.c << " k " << p.k << " groups " << p.groups << " " << name_of(p.input)
       << " by " << name_of(p.weight) << " to " << name_of(p.output) << " axes";
  for (int i = 0; i < p.spatial; ++i) {
    const ConvAxis& a = p.axis[i];
    text << " " << a.size << "/" << a.filter << "s" << a.stride << "d" << a.dilation << "p" << a.pad_before << ":"
         << a.pad_after;
  }
  return text.str();
}

std::string describe(const PlanOptions& options) {
  const Epilogue& e = options.epilogue;
  std::string text = "split_k " + std::to_string(options.split_k);
  if (!e.is_identity()) text += ",";
  for (const auto& [present, name] : {std::pair{e.scale, " scale"},
                                      {e.bias, " bias"},
                                      {e.residual, " residual"},
                                      {e.activation == Activation::relu, " relu"},
                                      {e.activation == Activation::clamp, " clamp"}}) {
    if (present) text += name;
  }
  return text;
}

}  // namespace zellige
