// Reading what people type: integers in a range, and extents of 1 to 3 axes. The law: a text is read whole or refused
// with a sentence that names the flag, the text and what was expected; nothing wraps, and nothing after a number is
// ignored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zellige::profiler {

/// The integer that all of `text` spells, from `low` to `high`; else throws Failure. `flag` is what the sentence names.
std::int64_t parse_integer(std::string_view flag, std::string_view text, std::int64_t low, std::int64_t high);

/// The parts between separators; "a,,b" has an empty one in the middle, and "" is one empty part.
std::vector<std::string> split(std::string_view text, char separator);

/// The words between blanks; quotes are not special.
std::vector<std::string> words_of(std::string_view text);

/// "56x56" as {56, 56}: 1 to 3 integers from `low` to `high`, outermost axis first.
std::vector<std::int64_t> parse_extents(std::string_view flag, std::string_view text, std::int64_t low,
                                        std::int64_t high);

/// The same, and as many as there are axes: one number stands for all axes.
std::vector<std::int64_t> parse_extents_of(std::string_view flag, std::string_view text, std::int64_t low,
                                           std::int64_t high, int axes);

struct Padding {
  std::vector<std::int64_t> before, after;
};

/// "1x1", equal at both ends, or "3x2:1x0", before:after.
Padding parse_padding(std::string_view flag, std::string_view text, int axes);

/// {7, 5} as "7x5".
std::string join_extents(const std::vector<std::int64_t>& extents);

}  // namespace zellige::profiler
