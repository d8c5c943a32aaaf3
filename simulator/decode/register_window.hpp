// The register window of gfx1250: s_set_vgpr_msb says in which quarter of the 1024 vector registers the operands lie.
//
// Law: the instruction's low byte holds four 2-bit fields (0: src0, 1: src1, 2: src2, 3: destination), each times 256
// is added to a vector register's number. Memory instructions map their operands to the fields as LLVM's tables of
// operands do (getVGPRLoweringOperandTables): LDS address, data, second data, destination; flat, global and scratch
// address, data, none, destination; buffer address, none, none, data. A destination that is read too is the
// destination's.
#pragma once

#include <string_view>

#include "simulator/execute/operation.hpp"

namespace zellige::sim {

inline constexpr int window_field_of_destination = 3, outside_of_windows = -1;

/// The field of source `source` of an operation with this canonical mnemonic;
/// outside_of_windows where the window does not reach it.
int window_field(std::string_view mnemonic, const Operation& operation, int source);

/// The window behind an instruction that ran in `window`.
unsigned window_after(std::string_view mnemonic, std::uint32_t encoding, unsigned window);

/// What `window` adds to the register number of an operand of that field.
constexpr unsigned window_offset(unsigned window, int field) { return field < 0 ? 0 : (window >> 2 * field & 3) * 256; }

}  // namespace zellige::sim
