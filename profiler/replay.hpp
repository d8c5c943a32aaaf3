// Lists of problems: a MIOpenDriver command line on each line of a file; blank lines and those that begin with # are
// passed over. No line is lost: one that cannot be read is a result too, with its number and the reason.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "failure.hpp"
#include "problem.hpp"

namespace zellige::profiler {

/// A line of the list: the problems of its directions, or why there are none.
struct ListedLine {
  int number = 0;  ///< from 1
  std::string text;
  std::vector<Problem> problems;
  std::optional<Failure> failure;
};

/// The text of a list, from a file, a pipe or ("-") the standard input, which can be read but once. Throws Failure when it cannot be read, is no
/// text, or is longer than any list.
std::string read_list_text(const std::string& path);

/// The problems of a list's text. `batch` replaces the n of every line unless it is 0; `path` is for messages. Throws
/// Failure when no line holds a problem.
std::vector<ListedLine> parse_list(const std::string& path, std::string_view text, Arch arch, std::int64_t batch);

}  // namespace zellige::profiler
