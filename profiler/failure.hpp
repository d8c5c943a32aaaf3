// How the program ends, and the one exception that carries a sentence and an exit status to main().
#pragma once

#include <stdexcept>
#include <string>

namespace zellige::profiler {

/// Exit statuses, part of the command line's contract.
enum class Exit : int {
  ok = 0,             ///< something ran and nothing was wrong
  wrong_result = 1,   ///< an instance differs from the reference
  bad_arguments = 2,  ///< the command line, a file or a problem makes no sense
  unsupported = 3,    ///< nothing supports the problem
  device_error = 4,   ///< the device or its runtime failed, or this build lacks that kind of device
};

/// Of two ends, the one that a caller must hear of: device error, wrong result, bad arguments, unsupported, ok.
constexpr Exit worse(Exit a, Exit b) {
  constexpr int gravity[] = {0, 3, 2, 1, 4};
  return gravity[static_cast<int>(a)] < gravity[static_cast<int>(b)] ? b : a;
}

/// Sentences quote what users typed, which may be megabytes of the wrong file: the middle of a long one gives way to
/// its length.
inline std::string shortened(const std::string& sentence) {
  constexpr std::size_t head = 400, tail = 200;
  if (sentence.size() <= head + tail) return sentence;
  return sentence.substr(0, head) + " [... " + std::to_string(sentence.size() - head - tail) + " bytes ...] " +
         sentence.substr(sentence.size() - tail);
}

class Failure : public std::runtime_error {
 public:
  Failure(Exit status, const std::string& sentence) : std::runtime_error(shortened(sentence)), status_(status) {}

  Exit status() const { return status_; }

 private:
  Exit status_;
};

[[noreturn]] inline void bad_argument(const std::string& sentence) { throw Failure(Exit::bad_arguments, sentence); }

}  // namespace zellige::profiler
