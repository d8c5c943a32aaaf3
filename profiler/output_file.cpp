// See output_file.hpp.
#include "output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "failure.hpp"

namespace zellige::profiler {

namespace fs = std::filesystem;

OutputFile::OutputFile(std::string flag, const std::string& path) : flag_(std::move(flag)), path_(path) {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path_, error);  // a link stays a link: its target is what gets replaced
  if (!error) path_ = real.string();
  const fs::file_status status = fs::status(path_, error);
  if (fs::is_directory(status)) bad_argument(fmt::format("{} {} is a directory: name a file", flag_, path));
  if (fs::exists(status) && access(path_.c_str(), W_OK) != 0) fail("written", path);
  if (!fs::exists(status) || fs::is_regular_file(status)) growing_ = fmt::format("{}.{}.part", path_, getpid());
  file_ = std::fopen(growing_.empty() ? path_.c_str() : growing_.c_str(), "w");
  if (file_ == nullptr) fail("written", path);
}

OutputFile::~OutputFile() {
  if (file_ == nullptr || file_ == stdout) return;
  std::fclose(file_);
  if (!growing_.empty()) std::remove(growing_.c_str());
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0) fail("written", path_);
}

void OutputFile::commit() {
  if (file_ == nullptr || file_ == stdout) return;
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!closed) fail("written", path_);
  if (!growing_.empty() && std::rename(growing_.c_str(), path_.c_str()) != 0) fail("moved into place", path_);
}

void OutputFile::swap(OutputFile& other) noexcept {
  std::swap(flag_, other.flag_);
  std::swap(path_, other.path_);
  std::swap(growing_, other.growing_);
  std::swap(file_, other.file_);
}

void OutputFile::fail(const char* what, const std::string& path) const {
  bad_argument(fmt::format("{} {} cannot be {}: {}", flag_, path, what, std::strerror(errno)));
}

}  // namespace zellige::profiler
