// See text.hpp.
#include "text.hpp"

#include <fmt/format.h>

#include <charconv>

#include "failure.hpp"
#include "zellige/conv/problem.hpp"

namespace zellige::profiler {

std::int64_t parse_integer(std::string_view flag, std::string_view text, std::int64_t low, std::int64_t high) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::invalid_argument || (error == std::errc{} && rest != end)) {
    bad_argument(fmt::format("{} takes an integer from {} to {}, not '{}'", flag, low, high, text));
  }
  if (error == std::errc::result_out_of_range || rest != end || value < low || value > high) {
    bad_argument(fmt::format("{} must be from {} to {}, but is {}", flag, low, high, text));
  }
  return value;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string> words_of(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(blanks, at);
    words.emplace_back(text.substr(at, end == std::string_view::npos ? end : end - at));
    at = end == std::string_view::npos ? end : text.find_first_not_of(blanks, end);
  }
  return words;
}

std::vector<std::int64_t> parse_extents(std::string_view flag, std::string_view text, std::int64_t low,
                                        std::int64_t high) {
  const std::vector<std::string> parts = split(text, 'x');
  if (parts.size() > max_spatial) {
    bad_argument(fmt::format("{} has {} axes in '{}'; 1 to {} are possible", flag, parts.size(), text, max_spatial));
  }
  std::vector<std::int64_t> extents;
  for (const std::string& part : parts) {
    if (part.empty())
      bad_argument(fmt::format("{} takes 1 to {} numbers such as 56x56, not '{}'", flag, max_spatial, text));
    extents.push_back(parse_integer(flag, part, low, high));
  }
  return extents;
}

std::vector<std::int64_t> parse_extents_of(std::string_view flag, std::string_view text, std::int64_t low,
                                           std::int64_t high, int axes) {
  std::vector<std::int64_t> extents = parse_extents(flag, text, low, high);
  if (extents.size() == 1) extents.resize(axes, extents[0]);
  if (extents.size() != static_cast<std::size_t>(axes)) {
    bad_argument(fmt::format("{} has {} axes in '{}', but the image (--in) has {}", flag, extents.size(), text, axes));
  }
  return extents;
}

Padding parse_padding(std::string_view flag, std::string_view text, int axes) {
  const std::vector<std::string> ends = split(text, ':');
  if (ends.size() > 2)
    bad_argument(fmt::format("{} takes extents such as 1x1, or before:after such as 3x2:1x0, not '{}'", flag, text));
  Padding padding;
  padding.before = parse_extents_of(flag, ends[0], 0, INT32_MAX, axes);
  padding.after = ends.size() == 2 ? parse_extents_of(flag, ends[1], 0, INT32_MAX, axes) : padding.before;
  return padding;
}

std::string join_extents(const std::vector<std::int64_t>& extents) {
  return fmt::format("{}", fmt::join(extents, "x"));
}

}  // namespace zellige::profiler
