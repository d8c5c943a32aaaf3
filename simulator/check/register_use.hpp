// Which registers an instruction reads and writes.
//
// Vector registers are rows, scalar registers the numbers of wave.hpp (VCC, M0 and EXEC among them). SCC is not told
// here. Where registers are indexed (s_set_gpr_idx_on), `indexed` says so and the rows are those of the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/check/access.hpp"

namespace zellige::sim {

struct RegisterSpan {
  std::uint16_t first = 0, words = 0;

  /// Whether register `r` of the span is among those whose bits `moved` has; spans of data have up to 32 registers.
  bool holds(std::uint32_t moved, int r) const { return moved == ~0u || (moved >> (r - first) & 1); }
};

/// Spans in the order of the operands, sources first to last.
struct SpanList {
  static constexpr int most = 8;
  std::uint8_t count = 0;
  RegisterSpan spans[most];

  void add(std::uint16_t first, std::uint16_t words) {
    if (count < most) spans[count++] = {first, words};
  }
  const RegisterSpan* begin() const { return spans; }
  const RegisterSpan* end() const { return spans + count; }
};

struct RegisterUse {
  SpanList rows_read, rows_written, scalars_read, scalars_written;
  bool indexed = false;
  bool all_lanes = false;  ///< reads its rows whatever EXEC is (matrix instructions)
};

RegisterUse register_use(const Operation& operation, const Instruction& instruction, const AccessPlan& access,
                         unsigned lanes);

/// Of both halves of a dual instruction (VOPD).
RegisterUse dual_register_use(const Instruction& instruction);

/// "v12", "a3", "s7", "vcc_lo", "m0": for messages. Rows from 256 on are AGPRs on gfx9.
std::string row_name(int row, std::string_view target);
std::string scalar_name(int number);

}  // namespace zellige::sim
