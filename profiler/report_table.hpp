// Reports for people: tables on a terminal, and a progress bar beside them.
#pragma once

#include <string>

#include "report.hpp"

namespace zellige::profiler {

/// The whole report. One that explains lists every verdict and plan; another one ranks what ran and groups the
/// refusals.
std::string to_table(const Report& report);

/// Two or three lines: the problem, its notices, its best instance and how many rows ended how.
std::string to_summary(const Report& report);

/// The problem, the device and the notices: what stands above the table.
std::string heading(const Report& report);

/// "1.5 MB", "612 B": bytes with a unit of 1000s.
std::string human_bytes(double bytes);

/// A bar on standard error while instances run. Draws nothing unless standard error is a terminal.
class Progress {
 public:
  Progress(std::string title, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of the total are finished, and `current` runs.
  void show(std::size_t done, const std::string& current);

 private:
  std::string title_;
  std::size_t total_;
  bool terminal_;
};

}  // namespace zellige::profiler
