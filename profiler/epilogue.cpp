// See epilogue.hpp.
#include "epilogue.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "failure.hpp"
#include "text.hpp"

namespace zellige::profiler {
namespace {

[[noreturn]] void refuse_text(std::string_view text, std::string_view why) {
  bad_argument(
      fmt::format("--epilogue takes none, or parts joined by '_' in the order scale, bias, residual, relu or "
                  "clamp:LOW:HIGH, not '{}': {}",
                  text, why));
}

float number(std::string_view text, std::string_view word) {
  float value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value))
    refuse_text(text, fmt::format("'{}' is no number", word));
  return value;
}

}  // namespace

Epilogue parse_epilogue(std::string_view text) {
  Epilogue epilogue;
  if (text == "none") return epilogue;
  int place = 0;  // of the part before, in the order of the parts
  const auto at = [&](int here, const std::string& part) {
    if (here <= place) refuse_text(text, fmt::format("'{}' stands in the wrong place", part));
    place = here;
  };
  for (const std::string& part : split(text, '_')) {
    if (part == "scale") {
      at(1, part);
      epilogue.scale = true;
    } else if (part == "bias") {
      at(2, part);
      epilogue.bias = true;
    } else if (part == "residual") {
      at(3, part);
      epilogue.residual = true;
    } else if (part == "relu") {
      at(4, part);
      epilogue.activation = Activation::relu;
    } else if (part.starts_with("clamp:")) {
      at(4, part);
      const std::vector<std::string> words = split(part, ':');
      if (words.size() != 3) refuse_text(text, fmt::format("'{}' needs two numbers", part));
      epilogue.activation = Activation::clamp;
      epilogue.low = number(text, words[1]);
      epilogue.high = number(text, words[2]);
      if (epilogue.low > epilogue.high) refuse_text(text, fmt::format("{} is over {}", words[1], words[2]));
    } else {
      refuse_text(text, fmt::format("'{}' is no part", part));
    }
  }
  return epilogue;
}

}  // namespace zellige::profiler
