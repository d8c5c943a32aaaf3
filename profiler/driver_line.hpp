// MIOpenDriver command lines, as MIOpen's logs print them: "MIOpenDriver convbfp16 -n 32 -c 64 -H 56 -W 56 -k 64 -y 3
// ...".
//
// Whatever precedes the word MIOpenDriver (a log's prefix, a path) is passed over. Flags have MIOpenDriver's own
// letters, long names and defaults (MIOpen, driver/conv_driver.hpp); "-n 1", "--batchsize 1" and "--batchsize=1" are
// the same. A flag that would change the result and is not supported is refused, one that only steers the driver is
// ignored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problem.hpp"

namespace zellige::profiler {

struct DriverLine {
  std::string text;                       ///< from the operation's word on: "convbfp16 -n 32 ..."
  std::string type;                       ///< "bf16"; fp8 and bf8 stand for the target's own
  ConvProblem shape;                      ///< data types and direction not set
  std::vector<ConvDirection> directions;  ///< those of the -F mask, forward first
  std::string layout = "NCHW";            ///< that of the tensors, as stated; mixed ones are "NCHW/KYXC/..." as given

  bool channels_last() const;
  bool asks_for(ConvDirection direction) const;
};

/// Throws Failure when the line is none of a convolution or holds something that cannot be done.
DriverLine parse_driver_line(std::string_view line);

/// One direction of the line as a problem. `batch` replaces the line's own n unless it is 0.
Problem problem_of(const DriverLine& line, ConvDirection direction, Arch arch, std::int64_t batch = 0);

}  // namespace zellige::profiler
