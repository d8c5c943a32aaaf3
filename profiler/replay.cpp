// See replay.hpp.
#include "replay.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "driver_line.hpp"
#include "text.hpp"

namespace zellige::profiler {
namespace {

std::string read_text(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    bad_argument(fmt::format("{} is a directory, not a list of driver lines", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) bad_argument(fmt::format("{} cannot be read: {}", path, std::strerror(errno)));
  std::ostringstream content;
  content << file.rdbuf();
  if (file.bad()) bad_argument(fmt::format("{} cannot be read: {}", path, std::strerror(errno)));
  std::string text = content.str();
  if (text.find('\0') != std::string::npos) bad_argument(fmt::format("{} is no text file: it holds zero bytes", path));
  return text;
}

ListedLine read_line(int number, const std::string& text, Arch arch, std::int64_t batch) {
  ListedLine line{.number = number, .text = text, .problems = {}, .failure = {}};
  try {
    const DriverLine parsed = parse_driver_line(text);
    for (ConvDirection direction : parsed.directions)
      line.problems.push_back(problem_of(parsed, direction, arch, batch));
  } catch (const Failure& failure) {
    line.problems.clear();
    line.failure = failure;
  }
  return line;
}

}  // namespace

std::vector<ListedLine> read_list(const std::string& path, Arch arch, std::int64_t batch) {
  std::vector<ListedLine> lines;
  int number = 0;
  for (std::string text : split(read_text(path), '\n')) {
    ++number;
    while (!text.empty() && (text.back() == '\r' || text.back() == ' ' || text.back() == '\t')) text.pop_back();
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos || text[first] == '#') continue;
    lines.push_back(read_line(number, text.substr(first), arch, batch));
  }
  if (lines.empty()) bad_argument(fmt::format("{} holds no driver line", path));
  return lines;
}

}  // namespace zellige::profiler
