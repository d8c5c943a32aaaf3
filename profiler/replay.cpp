// See replay.hpp.
#include "replay.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "driver_line.hpp"
#include "text.hpp"

namespace zellige::profiler {
namespace {

constexpr std::size_t longest_list = 64u << 20;  // bytes; what has no end (/dev/zero) must not fill the memory
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

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

std::string read_list_text(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    bad_argument(fmt::format("{} is a directory, not a list of driver lines", path));
  std::ifstream file(path == "-" ? "/dev/stdin" : path, std::ios::binary);
  if (!file) bad_argument(fmt::format("{} cannot be read: {}", path, std::strerror(errno)));
  std::string text;
  std::vector<char> chunk(1 << 16);
  while (file.read(chunk.data(), static_cast<std::streamsize>(chunk.size())), file.gcount() > 0) {
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
    if (text.find('\0', text.size() - static_cast<std::size_t>(file.gcount())) != std::string::npos)
      bad_argument(fmt::format("{} is no text file: it holds zero bytes", path));
    if (text.size() > longest_list)
      bad_argument(fmt::format("{} is no list: it is longer than {} MB", path, longest_list >> 20));
  }
  if (file.bad()) bad_argument(fmt::format("{} cannot be read: {}", path, std::strerror(errno)));
  return text;
}

std::vector<ListedLine> parse_list(const std::string& path, std::string_view content, Arch arch, std::int64_t batch) {
  if (content.starts_with(byte_order_mark)) content.remove_prefix(byte_order_mark.size());
  std::vector<ListedLine> lines;
  int number = 0;
  for (std::string text : split(content, '\n')) {
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
