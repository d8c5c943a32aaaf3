// See output_file.hpp.
#include "output_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "failure.hpp"

namespace zellige::profiler {

namespace fs = std::filesystem;

namespace {

/// Where writing to `path` ends up: absolute, links followed, that of a file which does not exist yet too.
fs::path resolved(const std::string& path, std::error_code& error) {
  fs::path place = fs::absolute(path, error);
  constexpr int most_links = 40;  // as the kernel's own limit
  for (int i = 0; i < most_links && fs::is_symlink(fs::symlink_status(place, error)); ++i)
    place = place.parent_path() / fs::read_symlink(place, error);
  return fs::weakly_canonical(place, error);
}

}  // namespace

bool is_standard_output(const std::string& path) {
  if (path == "-") return true;
  struct stat file, standard;
  if (stat(path.c_str(), &file) != 0 || fstat(STDOUT_FILENO, &standard) != 0) return false;
  const bool same = file.st_dev == standard.st_dev && file.st_ino == standard.st_ino;
  return same && (!S_ISCHR(file.st_mode) || isatty(STDOUT_FILENO) != 0);
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::is_character_file(a, error)) return false;
  return a == b || fs::equivalent(a, b, error) || resolved(a, error) == resolved(b, error);
}

OutputFile::OutputFile(std::string flag, const std::string& path) : flag_(std::move(flag)), path_(path) {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  std::error_code error;
  const fs::path real = resolved(path_, error);  // a link stays a link: its target is what gets replaced
  if (!error) path_ = real.string();
  const fs::file_status status = fs::status(path_, error);
  if (fs::is_directory(status)) bad_argument(fmt::format("{} {} is a directory: name a file", flag_, path));
  if (fs::exists(status) && access(path_.c_str(), W_OK) != 0) fail("written", path);
  if (!fs::exists(status) || fs::is_regular_file(status)) growing_ = fmt::format("{}.{}.part", path_, getpid());
  // Known to the signal handler before it exists: no moment is left in which it would stay behind.
  if (!growing_.empty()) unfinished_ = UnfinishedFile(growing_);
  file_ = std::fopen(growing_.empty() ? path_.c_str() : growing_.c_str(), "w");
  if (file_ == nullptr) {
    unfinished_.finished();
    fail("written", path);
  }
}

OutputFile::~OutputFile() {
  if (file_ == nullptr || file_ == stdout) return;
  std::fclose(file_);
  if (!growing_.empty()) std::remove(growing_.c_str());
  unfinished_.finished();
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0) fail("written", path_);
  unfinished_.holds_results();
}

void OutputFile::commit() {
  if (file_ == nullptr || file_ == stdout) return;
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  const bool moved = closed && (growing_.empty() || std::rename(growing_.c_str(), path_.c_str()) == 0);
  if (moved) return unfinished_.finished();
  const int why = errno;
  if (!growing_.empty()) std::remove(growing_.c_str());
  unfinished_.finished();
  errno = why;
  fail(closed ? "moved into place" : "written", path_);
}

void OutputFile::swap(OutputFile& other) noexcept {
  std::swap(flag_, other.flag_);
  std::swap(path_, other.path_);
  std::swap(growing_, other.growing_);
  std::swap(file_, other.file_);
  std::swap(unfinished_, other.unfinished_);
}

void OutputFile::fail(const char* what, const std::string& path) const {
  bad_argument(fmt::format("{} {} cannot be {}: {}", flag_, path, what, std::strerror(errno)));
}

}  // namespace zellige::profiler
