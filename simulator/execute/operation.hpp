// The table of operations: what the decoder looks a mnemonic up in.
//
// Each file of handlers (valu_*.cpp, scalar_*.cpp, lds.cpp, ...) defines one table as an explicit array; nothing registers
// itself. The files are compiled once per wave size and host instruction set (generic, AVX2, AVX-512), each into a namespace
// of its own, and operations() returns the tables of the best set that this machine has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "simulator/execute/instruction.hpp"

namespace zellige::sim {

// How the operands of memory and matrix instructions are bound: in the order of LLVM's text, destination first if there is one.
//   X_load      dst; src[0] address or offset (kind none for `off`), src[1] scalar base (global, scratch) or descriptor (buffer),
//               src[2] soffset (buffer). d16 forms keep the other half of dst.
//   buffer_load ... lds, global_load_lds_*: no dst (flag_lds set), otherwise the same; M0 holds the LDS base.
//   X_store     no dst; global, flat, scratch: src[0] address, src[1] data, src[2] scalar base;
//               buffer: src[0] data, src[1] address, src[2] descriptor, src[3] soffset.
//   atomics     global, flat: as X_store, preceded by dst exactly if flag_glc is set (glc, or sc0 of gfx940 and later);
//               buffer: as buffer_store with or without flag_glc, the old value returns to src[0]'s registers. dst is none.
//   ds_*        dst if it returns; src[0] address, src[1] data, src[2] second data. offset, offset2 in bytes. ds_swizzle: offset
//               is the 16-bit immediate. ds_append, ds_consume: dst only.
//   v_mfma_*    dst, A, B, C; offset2 = cbsz | abid << 8 | blgp << 16 (f64: neg:[a,b,c] is blgp bits 0, 1, 2).
//   v_mfma_scale_*: dst, A, B, C, src[3] scale of A, dst2 scale of B; op_sel bits are Operand::modifiers of the two.
//   v_smfmac_*  dst (also the accumulator), A, B, src[2] index; offset2 as above.
//   v_wmma_*    dst, A, B, C; modifiers as wmma_operands.hpp says; offset2 = A's format | B's format << 16 (f8f6f4).
//   v_wmma_scale*: dst, A, B, C, src[3] scales of A, dst2 scales of B; offset = row of A's scales | row of B's << 1 |
//               their formats << 2 and << 4.
//   v_swmmac_*  dst (also the accumulator), A, B, src[2] index; offset2 = index_key << 8.

struct Operation {
  std::string_view mnemonic;  ///< canonical: no _e32/_e64/_dpp/_sdwa suffix, gfx9 spelling where a target renames it
  OpClass op_class = OpClass::other;
  ValueType dst = ValueType::none;
  ValueType dst2 = ValueType::none;  ///< the mask or scalar that follows the destination in the text
  ValueType src[4] = {};
  Handler plain = nullptr;    ///< no source or output modifier, no SDWA, no DPP
  Handler general = nullptr;  ///< every modifier that the operation may carry; nullptr: has none. It may run `plain` through
                              ///< Instruction::inner
  Handler with_signs = nullptr;  ///< only negate and absolute modifiers on the sources; nullptr: `general` does it
  Handler clamped = nullptr;     ///< integer operations: the saturating form that `clamp` asks for
  std::uint8_t access_bytes = 0;
  std::uint8_t passes = 0;
  std::uint32_t flags = 0;       ///< InstructionFlag bits that every instruction of the kind carries
};

/// What a file of handlers gives to the table of its host instruction set.
struct OperationTable {
  const Operation* begin;
  std::size_t count;
};

/// Every operation known for waves of 32 or 64 lanes, from all tables, for the host instruction set chosen at start
/// (ZELLIGE_SIM_ISA=generic|avx2|avx512 pins it; an instruction set that the machine lacks is an error).
std::span<const std::span<const Operation>> operations(int lanes);

/// The host instruction set chosen: "generic", "avx2" or "avx512".
std::string_view host_instruction_set();

}  // namespace zellige::sim
