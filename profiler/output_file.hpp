// A file that is either written whole or not at all: it grows beside its place under another name and is moved there by
// commit(). That it can be written is known before anything runs. Devices and pipes (/dev/null) are written in place.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "interrupt.hpp"

namespace zellige::profiler {

/// Whether `path` is the standard output by name ("-") or by another ("/dev/stdout", or where a shell sends it).
/// Devices that keep nothing (/dev/null) are not: who writes there twice mixes nothing.
bool is_standard_output(const std::string& path);

/// Whether writing to both paths would overwrite one with the other. They need not exist.
bool same_file(const std::string& a, const std::string& b);

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
  UnfinishedFile unfinished_;
};

}  // namespace zellige::profiler
