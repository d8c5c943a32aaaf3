// Lists of problems: a MIOpenDriver command line on each line of a file; blank lines and those that begin with # are
// passed over. No line is lost: one that cannot be read is a result too, with its number and the reason.
#pragma once

#include <optional>
#include <string>
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

/// Reads the whole list. `batch` replaces the n of every line unless it is 0. Throws Failure when the file is none that
/// can be read, no text, or holds no line with a problem at all.
std::vector<ListedLine> read_list(const std::string& path, Arch arch, std::int64_t batch);

}  // namespace zellige::profiler
