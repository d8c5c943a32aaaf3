// The command line, read and checked: what the program is asked to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device.hpp"
#include "epilogue.hpp"
#include "problem.hpp"

namespace zellige::profiler {

enum class Command { run, replay, list };

/// Every count-th candidate, beginning with the index-th (0-based).
struct Shard {
  int index = 0, count = 1;
};

struct Options {
  Command command = Command::run;
  bool explain = false;            ///< run nothing, say what each instance thinks
  Operator op = Operator::gemm;    ///< of Command::run
  std::string file;                ///< of Command::replay
  std::optional<Operator> listed;  ///< of Command::list: one family, else all
  ProblemFlags flags;
  std::int64_t batch = 0;  ///< of Command::replay: replaces every line's n; 0: as listed

  std::optional<DeviceRequest> device;
  std::string instances;  ///< a regular expression that names must hold; empty: all
  int split_k = -1;
  std::vector<int> split_k_degrees = {2, 4, 8, 16, 32};
  std::string epilogue = "none";  ///< as typed
  Epilogue epilogue_parts{};
  bool fold = true;              ///< of convolutions
  std::int64_t limit_bytes = 0;  ///< bytes that a dispatch may address of each tensor; 0: the instances' own limit
  bool verify = true;
  std::optional<int> iterations, warmup;  ///< absent: 1 and 0 on the simulator, else 20 and 3
  Shard shard;
  bool deterministic = false;
  std::uint64_t seed = 1;
  bool random_inputs = false;  ///< random reals and a derived bound, instead of integers and exact comparison
  int top = 0;                 ///< only so many instances, those of the best modelled time; 0: all

  std::string json, csv, html;  ///< paths; "-" is standard output (json); empty: not written
};

/// Reads the command line. Throws Failure for a bad one. Returns nothing where it only asked for help or the version,
/// which has then been printed.
std::optional<Options> parse_options(int argc, const char* const* argv);

}  // namespace zellige::profiler
