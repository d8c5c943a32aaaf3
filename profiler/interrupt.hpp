// What is left behind when the program is stopped from outside (Ctrl-C, kill, a closed terminal or pipe): unfinished
// files that hold no result are removed, those that hold some are named. Then the signal ends the program as it would
// have.
#pragma once

#include <string>

namespace zellige::profiler {

/// Takes over the signals that end programs, and opens standard streams that were closed at the start (on /dev/null),
/// so that no file of ours gets their number and with it the program's messages.
void prepare_process();

/// An unfinished file that the handler knows of. A default one knows of none; so does one beyond the few that are kept.
class UnfinishedFile {
 public:
  UnfinishedFile() = default;
  explicit UnfinishedFile(const std::string& path);
  void holds_results();  ///< from now on it survives an interruption
  void finished();       ///< it is gone, or at its place

 private:
  int slot_ = -1;
};

}  // namespace zellige::profiler
