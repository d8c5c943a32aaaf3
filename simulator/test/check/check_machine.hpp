// A workgroup of assembly text under checks: the waves of a kernel that never came from a compiler.
//
// Registers that a test sets count as defined, others as what the hardware leaves undefined. The check of races sees
// the waves of one workgroup, in CU mode, and follows no flags.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simulator/check/checked_program.hpp"
#include "simulator/check/shadow.hpp"
#include "simulator/execute/executor.hpp"

namespace zellige::sim::test {

class CheckMachine {
 public:
  static constexpr std::uint32_t scratch_bytes = 512;  ///< of a lane

  /// A workgroup of `waves` waves on `target` with `lds_bytes` of LDS; `checks` are bits of Check.
  CheckMachine(std::string target, unsigned checks, int waves = 1, std::uint32_t lds_bytes = 4096);

  /// All lanes of a row, by value(lane), in every wave.
  template <class Value>
  void set_row(int row, Value value) {
    for (Wave& wave : group_.waves)
      for (int lane = 0; lane < wave.lanes; ++lane) set_lane(wave, row, lane, value(lane));
  }
  void set_lane(Wave& wave, int row, int lane, std::uint32_t value);
  void set_scalar(int number, std::uint32_t value);
  void set_scalar_pair(int number, std::uint64_t value) {
    set_scalar(number, static_cast<std::uint32_t>(value));
    set_scalar(number + 1, static_cast<std::uint32_t>(value >> 32));
  }
  void set_exec(std::uint64_t mask);
  Wave& wave(int id) { return group_.waves[static_cast<std::size_t>(id)]; }

  /// Runs `text` followed by s_endpgm; waves take turns at barriers. The fault's message, empty when there is none.
  /// s_cmp and branches on a wave's number: s30 holds it.
  std::string run(const std::string& text);

 private:
  std::string target_;
  unsigned checks_;
  int lanes_;
  std::vector<std::uint32_t> storage_;
  std::vector<std::uint8_t> lds_, scratch_;
  Workgroup group_;
  GroupShadow shadow_;
  std::unique_ptr<RaceLaunch> race_;
  Counts counts_;
  Fault fault_;
};

/// Whether `text` holds every one of `parts`; a failure says which it lacks.
testing::AssertionResult says(const std::string& text, const std::vector<std::string>& parts);

}  // namespace zellige::sim::test
