// Which registers and scratch bytes of a wave hold something that was written.
//
// Law: a lane of a row is defined or not; a scalar register is bit for bit. Partial writes of a lane's 32 bits define
// it whole, so that halves and bytes put into a register one after another raise no false report.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/check/byte_bits.hpp"
#include "simulator/execute/wave.hpp"

namespace zellige::sim {

struct WaveDefinedness {
  std::vector<std::uint64_t> rows;                    ///< bit l of rows[r]: lane l of row r
  std::array<std::uint32_t, scalar_count> scalars{};  ///< bits of each scalar register
  bool scc = false;
  ByteBits scratch;  ///< lane l's bytes begin at l * Wave::scratch_bytes

  /// At the wave's start, where what the hardware leaves undefined holds the poison of kernel_start.hpp.
  void begin(const Wave& wave);

  std::uint64_t scalar_pair(int number) const { return scalars[number] | std::uint64_t{scalars[number + 1]} << 32; }
};

}  // namespace zellige::sim
