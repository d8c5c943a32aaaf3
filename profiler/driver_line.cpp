// See driver_line.hpp.
#include "driver_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "failure.hpp"
#include "text.hpp"

namespace zellige::profiler {
namespace {

/// What the profiler does with a flag of MIOpenDriver.
enum class Use {
  shape,    ///< an integer of the problem
  word,     ///< a word of the problem
  neutral,  ///< changes the result unless it has its default: then refused
  ignored,  ///< steers the driver's own run
};

struct Flag {
  char letter;
  const char* name;
  const char* standard;  ///< the value when absent
  Use use;
  std::int64_t low = 0;  ///< the smallest value of a shape
};

constexpr Flag flags[] = {
    {'n', "batchsize", "100", Use::shape, 1},
    {'c', "in_channels", "3", Use::shape, 1},
    {'!', "in_d", "32", Use::shape, 1},
    {'H', "in_h", "32", Use::shape, 1},
    {'W', "in_w", "32", Use::shape, 1},
    {'k', "out_channels", "32", Use::shape, 1},
    {'@', "fil_d", "3", Use::shape, 1},
    {'y', "fil_h", "3", Use::shape, 1},
    {'x', "fil_w", "3", Use::shape, 1},
    {'#', "conv_stride_d", "1", Use::shape, 1},
    {'u', "conv_stride_h", "1", Use::shape, 1},
    {'v', "conv_stride_w", "1", Use::shape, 1},
    {'$', "pad_d", "0", Use::shape},
    {'p', "pad_h", "0", Use::shape},
    {'q', "pad_w", "0", Use::shape},
    {'^', "dilation_d", "1", Use::shape, 1},
    {'l', "dilation_h", "1", Use::shape, 1},
    {'j', "dilation_w", "1", Use::shape, 1},
    {'g', "group_count", "1", Use::shape, 1},
    {'_', "spatial_dim", "2", Use::shape, 2},
    {'F', "forw", "0", Use::shape},
    {'I', "in_layout", "", Use::word},
    {'f', "fil_layout", "", Use::word},
    {'O', "out_layout", "", Use::word},
    {'m', "mode", "conv", Use::word},
    {'z', "pad_mode", "default", Use::word},
    {'b', "bias", "0", Use::neutral},
    {'r', "pad_val", "0", Use::neutral},
    {'%', "trans_output_pad_d", "0", Use::neutral},
    {'Y', "trans_output_pad_h", "0", Use::neutral},
    {'X', "trans_output_pad_w", "0", Use::neutral},
    {'Z', "tensor_vect", "0", Use::neutral},
    {'L', "vector_length", "1", Use::neutral},
    {'A', "alpha", "1", Use::neutral},
    {'B', "beta", "0", Use::neutral},
    {'U', "in_cast_type", "-1", Use::neutral},
    {'R', "wei_cast_type", "-1", Use::neutral},
    {'T', "out_cast_type", "-1", Use::neutral},
    {'i', "iter", "", Use::ignored},
    {'V', "verify", "", Use::ignored},
    {'C', "verification_cache", "", Use::ignored},
    {'t', "time", "", Use::ignored},
    {'w', "wall", "", Use::ignored},
    {'s', "search", "", Use::ignored},
    {'P', "printconv", "", Use::ignored},
    {'o', "dump_output", "", Use::ignored},
    {'d', "in_data", "", Use::ignored},
    {'e', "weights", "", Use::ignored},
    {'D', "dout_data", "", Use::ignored},
    {'a', "in_bias", "", Use::ignored},
    {'S', "solution", "", Use::ignored},
    {'G', "gpualloc", "", Use::ignored},
};

/// The driver's words for a convolution, and the type that each names here.
constexpr std::pair<std::string_view, const char*> operations[] = {
    {"conv", "f32"},    {"convfp16", "f16"}, {"convbfp16", "bf16"}, {"convfp64", "f64"},
    {"convint8", "i8"}, {"convfp8", "fp8"},  {"convbfp8", "bf8"},
};

using Values = std::map<std::string, std::string>;  // by long name

const Flag* find_flag(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') return nullptr;
  const std::string_view name = word.substr(word[1] == '-' ? 2 : 1);
  for (const Flag& flag : flags) {
    if (name == flag.name || (word[1] != '-' && name.size() == 1 && name[0] == flag.letter)) return &flag;
  }
  return nullptr;
}

std::string_view type_of_operation(std::string_view word) {
  for (const auto& [name, type] : operations) {
    if (word == name) return type;
  }
  std::string known;
  for (const auto& [name, type] : operations) known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
  bad_argument(fmt::format("'{}' is no convolution of MIOpenDriver; known are {}", word, known));
}

Values read_flags(const std::vector<std::string>& words, std::size_t first) {
  Values values;
  for (const Flag& flag : flags) values[flag.name] = flag.standard;
  Values given;
  for (std::size_t i = first; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    const std::string name = words[i].substr(0, equals);
    const Flag* flag = find_flag(name);
    if (flag == nullptr) bad_argument(fmt::format("MIOpenDriver has no flag '{}'", name));
    if (equals == std::string::npos && i + 1 == words.size())
      bad_argument(fmt::format("the flag {} has no value", name));
    const std::string value = equals != std::string::npos ? words[i].substr(equals + 1) : words[++i];
    if (find_flag(value) != nullptr)
      bad_argument(fmt::format("the flag {} needs a value, but {} follows", name, value));
    if (const auto [at, fresh] = given.try_emplace(flag->name, value); !fresh && at->second != value) {
      bad_argument(fmt::format("the flag {} is given twice, as {} and {}", name, at->second, value));
    }
    if (flag->use == Use::neutral && value != flag->standard) {
      bad_argument(fmt::format("{} {} is not supported: only its default {} is", name, value, flag->standard));
    }
    values[flag->name] = value;
  }
  return values;
}

std::int64_t integer(const Values& values, std::string_view name, std::int64_t high = INT32_MAX) {
  for (const Flag& flag : flags) {
    if (name == flag.name) {
      return parse_integer(fmt::format("-{} (--{})", flag.letter, flag.name), values.at(flag.name), flag.low, high);
    }
  }
  bad_argument(fmt::format("MIOpenDriver has no flag '--{}'", name));
}

/// The stated layout of the three tensors, in one word if they agree.
std::string layout_of(const Values& values, int spatial) {
  const std::string standard = spatial == 3 ? "NCDHW" : "NCHW";
  std::array<std::string, 3> stated;
  const char* names[] = {"in_layout", "fil_layout", "out_layout"};
  for (int i = 0; i < 3; ++i) {
    std::string layout = values.at(names[i]);
    std::transform(layout.begin(), layout.end(), layout.begin(), [](unsigned char c) { return std::toupper(c); });
    if (layout.empty())
      layout = i == 0 ? standard : stated[0];  // as MIOpenDriver does, the input's layout serves for all
    const bool known = spatial == 3 ? layout == "NCDHW" || layout == "NDHWC" : layout == "NCHW" || layout == "NHWC";
    if (!known) {
      bad_argument(fmt::format("--{} {} is no layout of a convolution with {} spatial dimensions; known are {}",
                               names[i], values.at(names[i]), spatial, spatial == 3 ? "NCDHW, NDHWC" : "NCHW, NHWC"));
    }
    stated[i] = layout;
  }
  if (stated[0] == stated[1] && stated[1] == stated[2]) return stated[0];
  return fmt::format("{}", fmt::join(stated, "/"));
}

void check_words(const Values& values) {
  if (const std::string& mode = values.at("mode"); mode == "trans") {
    bad_argument(
        "-m trans is not supported: a transposed convolution is the backward-data direction of a plain one (-m conv -F "
        "2)");
  } else if (mode != "conv") {
    bad_argument(fmt::format("-m takes conv, not '{}'", mode));
  }
  if (const std::string& mode = values.at("pad_mode"); mode != "default") {
    bad_argument(fmt::format("-z takes default, not '{}': state the padding with -p and -q", mode));
  }
}

}  // namespace

bool DriverLine::channels_last() const { return layout == "NHWC" || layout == "NDHWC"; }

bool DriverLine::asks_for(ConvDirection direction) const {
  return std::find(directions.begin(), directions.end(), direction) != directions.end();
}

DriverLine parse_driver_line(std::string_view line) {
  const std::vector<std::string> words = words_of(line);
  std::size_t first = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t slash = words[i].rfind('/');
    if (words[i].substr(slash == std::string::npos ? 0 : slash + 1) == "MIOpenDriver") first = i + 1;
  }
  if (first >= words.size()) bad_argument("the driver line names no operation such as convbfp16");
  DriverLine parsed;
  parsed.type = type_of_operation(words[first]);
  parsed.text = fmt::format("{}", fmt::join(words.begin() + static_cast<std::ptrdiff_t>(first), words.end(), " "));

  const Values values = read_flags(words, first + 1);
  check_words(values);
  ConvProblem& p = parsed.shape;
  p.spatial = static_cast<int>(integer(values, "spatial_dim", 3));
  p.n = integer(values, "batchsize");
  p.c = integer(values, "in_channels");
  p.k = integer(values, "out_channels");
  p.groups = integer(values, "group_count");
  const char* axes[] = {"d", "h", "w"};
  for (int i = 0; i < p.spatial; ++i) {
    const std::string axis = axes[3 - p.spatial + i];
    const std::int64_t pad = integer(values, "pad_" + axis);
    p.axis[i] = {.size = integer(values, "in_" + axis),
                 .filter = integer(values, "fil_" + axis),
                 .stride = integer(values, "conv_stride_" + axis),
                 .dilation = integer(values, "dilation_" + axis),
                 .pad_before = pad,
                 .pad_after = pad};
  }
  parsed.layout = layout_of(values, p.spatial);

  const std::int64_t mask = integer(values, "forw", 7);
  constexpr ConvDirection bits[] = {ConvDirection::forward, ConvDirection::backward_data,
                                    ConvDirection::backward_weight};
  for (int bit = 0; bit < 3; ++bit) {
    if (mask == 0 || (mask >> bit & 1) != 0) parsed.directions.push_back(bits[bit]);
  }
  return parsed;
}

Problem problem_of(const DriverLine& line, ConvDirection direction, Arch arch, std::int64_t batch) {
  ConvProblem shape = line.shape;
  shape.direction = direction;
  if (batch != 0) shape.n = batch;
  const DataType type = parse_type("the driver line", line.type, arch);
  shape.input = shape.weight = type;
  shape.output = output_of(type);  // i32 is what MIOpenDriver's convint8 writes, too
  Problem problem{.op = operator_of(direction),
                  .shape = shape,
                  .driver = line.text,
                  .driver_layout = line.layout,
                  .layout_assumed = !line.channels_last()};
  if (problem.layout_assumed) {
    problem.notices.push_back(fmt::format("the driver line states {}; it runs channels-last ({})", line.layout,
                                          shape.spatial == 3 ? "NDHWC" : "NHWC"));
  }
  if (bytes_of(type) == 1 && type != DataType::i8) {
    problem.notices.push_back(fmt::format("MIOpenDriver's output of this line is {}; it runs with an output of {}",
                                          zellige::name_of(type), zellige::name_of(shape.output)));
  }
  if (batch != 0 && batch != line.shape.n) {
    problem.notices.push_back(fmt::format("the driver line states n = {}; it runs with n = {}", line.shape.n, batch));
  }
  if (const Verdict v = problem.validate(); !v.ok) bad_argument(std::string(v.why.view()));
  return problem;
}

}  // namespace zellige::profiler
