// See device_run.hpp.
#include "device_run.hpp"

#include <cstring>
#include <sstream>
#include <vector>

#include "device_memory.hpp"

namespace zellige {

namespace {

/// A host image of a tensor between its guard zones, and its copy on the device. The tensor's address is a multiple of
/// `align` and of no higher power of two.
class GuardedTensor {
 public:
  GuardedTensor(DataType type, std::int64_t bytes, int align)
      : type_(type),
        begin_(guard_bytes + static_cast<std::size_t>(max_of(align, bytes_of(type)))),
        image_(begin_ + static_cast<std::size_t>(bytes) + guard_bytes),
        device_(image_.size()) {
    reference::poison(image_.data(), type, static_cast<std::int64_t>(image_.size()) / bytes_of(type));
  }

  DataType type() const { return type_; }
  std::size_t begin() const { return begin_; }
  std::byte* host() { return image_.data() + begin_; }
  const std::byte* host() const { return image_.data() + begin_; }
  void* device() const { return static_cast<std::byte*>(device_.data()) + begin_; }
  std::int64_t elements() const {
    return static_cast<std::int64_t>(image_.size() - begin_ - guard_bytes) / bytes_of(type_);
  }

  /// Copies the image, guard zones included, to the device.
  void upload() const { device_.upload(image_.data(), image_.size()); }

  /// What the device holds now, guard zones included.
  std::vector<std::byte> download() const {
    std::vector<std::byte> now(image_.size());
    device_.download(now.data(), now.size());
    return now;
  }

  const std::vector<std::byte>& image() const { return image_; }

 private:
  static constexpr std::size_t guard_bytes = 4096;

  DataType type_;
  std::size_t begin_;
  std::vector<std::byte> image_;
  DeviceMemory device_;
};

/// A tensor as lines of `length` elements, `stride` apart: what lies between belongs to nobody.
struct Lines {
  std::int64_t count, length, stride;
};

void fill_lines(GuardedTensor& tensor, const Lines& lines, reference::Fill fill, std::uint64_t seed, std::int64_t depth,
                DataType output) {
  const DataType type = tensor.type();
  reference::fill(tensor.host(), type, tensor.elements(), fill, seed, depth, output);
  for (std::int64_t i = 0; i + 1 < lines.count; ++i) {
    std::byte* const gap = tensor.host() + (i * lines.stride + lines.length) * bytes_of(type);
    reference::poison(gap, type, lines.stride - lines.length);
  }
}

/// Bytes outside the lines that differ between the tensor's image and what the device holds `now`.
std::int64_t stray_bytes(const GuardedTensor& tensor, const std::vector<std::byte>& now, const Lines& lines) {
  std::int64_t stray = 0;
  std::size_t outside = 0;  // where the next bytes of nobody begin
  const auto count_to = [&](std::size_t end) {
    for (; outside < end; ++outside) stray += tensor.image()[outside] != now[outside] ? 1 : 0;
  };
  const auto size = static_cast<std::size_t>(bytes_of(tensor.type()));
  for (std::int64_t i = 0; i < lines.count; ++i) {
    const std::size_t line = tensor.begin() + static_cast<std::size_t>(i * lines.stride) * size;
    count_to(line);
    outside = line + static_cast<std::size_t>(lines.length) * size;
  }
  count_to(now.size());
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

struct GuardedRun::Data {
  Data(const Operation& operation, const Problem& problem, reference::Fill fill_, std::uint64_t seed, const Plan& plan)
      : s(std::visit([](const auto& p) { return shapes_of(p); }, problem)),
        fill(fill_),
        mma(operation.mma()),
        a(s.input, s.bytes_a, plan.align_a),
        b(s.weight, s.bytes_b, plan.align_b),
        c(s.output, s.bytes_c, plan.align_c),
        scale(vectors(), s.c.length * bytes_of(vectors()), plan.align_vectors),
        bias(vectors(), s.c.length * bytes_of(vectors()), plan.align_vectors),
        residual(s.output, s.bytes_c, plan.align_c),
        workspace(DataType::f32, plan.workspace_bytes, plan.align_workspace) {
    fill_lines(a, s.a, fill, seed, s.depth, s.output);
    fill_lines(b, s.b, fill, seed + 1, s.depth, s.output);
    reference::fill_scale(scale.host(), vectors(), s.c.length, fill, seed + 2);
    reference::fill(bias.host(), vectors(), s.c.length, fill, seed + 3, s.depth, s.output);
    fill_lines(residual, s.c, fill, seed + 4, s.depth, s.output);
    for (const GuardedTensor* tensor : {&a, &b, &scale, &bias, &residual}) tensor->upload();
    const Epilogue& epilogue = plan.epilogue;
    expected =
        std::visit([&](const auto& p) { return reference_of(p, a.host(), b.host(), fill != Fill::integers); }, problem);
    reference::apply_epilogue(
        expected, epilogue,
        {.scale = scale.host(), .bias = bias.host(), .residual = residual.host(), .row_stride = s.c.stride}, s.input,
        s.output);
    tensors = {.a = a.device(),
               .b = b.device(),
               .c = c.device(),
               .bias = epilogue.bias ? bias.device() : nullptr,
               .scale = epilogue.scale ? scale.device() : nullptr,
               .residual = epilogue.residual ? residual.device() : nullptr};
  }

  using Fill = reference::Fill;
  DataType vectors() const { return reference::vector_type(s.input); }

  Shapes s;
  Fill fill;
  Mma mma;
  GuardedTensor a, b, c, scale, bias, residual, workspace;
  reference::Result expected;
  Tensors tensors;
};

GuardedRun::GuardedRun(const Operation& operation, const Problem& problem, reference::Fill fill, std::uint64_t seed,
                       const PlanOptions& options)
    : planned_(operation.plan(problem, options)) {
  if (!planned_.verdict.ok) return;
  data_ = std::make_unique<Data>(operation, problem, fill, seed, planned_.plan);
  poison();
}

GuardedRun::~GuardedRun() = default;

void GuardedRun::poison() {
  data_->c.upload();
  data_->workspace.upload();
}

Verdict GuardedRun::enqueue(hipStream_t stream) const {
  if (!planned_.verdict.ok) return planned_.verdict;
  return planned_.plan.run(stream, data_->tensors, data_->workspace.device(), planned_.plan.workspace_bytes);
}

RunResult GuardedRun::check() const {
  const Data& d = *data_;
  for (const GuardedTensor* input : {&d.a, &d.b, &d.scale, &d.bias, &d.residual}) {
    if (input->download() != input->image()) return {"the kernel wrote to its inputs", {}};
  }
  const std::int64_t floats = d.workspace.elements();
  if (const std::int64_t stray = stray_bytes(d.workspace, d.workspace.download(), {1, floats, floats}); stray != 0)
    return {"the kernel wrote " + std::to_string(stray) + " bytes outside its workspace", {}};
  const std::vector<std::byte> after = d.c.download();
  const std::byte* const output = after.data() + d.c.begin();
  RunResult result{{}, {output, output + d.s.bytes_c}};
  if (const std::int64_t stray = stray_bytes(d.c, after, d.s.c); stray != 0) {
    result.failure = "the kernel wrote " + std::to_string(stray) + " bytes outside its output";
    return result;
  }
  const reference::Comparison comparison =
      reference::compare(d.expected, d.s.output, output, d.s.c.stride,
                         d.fill == reference::Fill::integers ? reference::Match::exact : reference::Match::bound,
                         {.error = product_error(d.mma), .terms = d.mma.products});
  if (!comparison.ok()) result.failure = comparison.text();
  result.error = comparison.error_of_norms();
  return result;
}

RunResult GuardedRun::run() {
  if (!planned_.verdict.ok) return {"refused: " + std::string(planned_.verdict.why.view()), {}};
  poison();
  if (const Verdict v = enqueue(nullptr); !v.ok) return {"run refused: " + std::string(v.why.view()), {}};
  require_success(hipDeviceSynchronize(), "hipDeviceSynchronize", planned_.plan.instance);
  return check();
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
