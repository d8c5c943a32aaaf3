// A file that is either written whole or not at all: it grows beside its place under another name and is moved there by
// commit(). That it can be written is known before anything runs. Devices and pipes (/dev/null) are written in place.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace zellige::profiler {

class OutputFile {
 public:
  OutputFile() = default;
  /// Opens "-" (standard output) or a path. `flag` names the option in errors. Throws Failure (bad_arguments).
  OutputFile(std::string flag, const std::string& path);
  OutputFile(OutputFile&& other) noexcept { swap(other); }
  OutputFile& operator=(OutputFile&& other) noexcept {
    swap(other);
    return *this;
  }
  ~OutputFile();

  explicit operator bool() const { return file_ != nullptr; }
  /// Appends and flushes, so that what a long run has found survives its end. Throws Failure (bad_arguments) on a full
  /// disk.
  void write(std::string_view text);
  /// Moves the file to its place.
  void commit();

 private:
  void swap(OutputFile& other) noexcept;
  [[noreturn]] void fail(const char* what, const std::string& path) const;

  std::string flag_, path_, growing_;  // growing_: empty where the file is written in place
  std::FILE* file_ = nullptr;
};

}  // namespace zellige::profiler
