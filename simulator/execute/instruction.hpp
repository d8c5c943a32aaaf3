// An instruction after decoding: a handler bound to its operands.
//
// Decoding happens once per static instruction; execution is then `next = instruction->handler(wave, instruction)` and
// nothing else. A handler returns the instruction to run next: `instruction + 1`, a branch target, or nullptr when the
// wave cannot go on (it ended, waits at a barrier, or faulted; Wave::state and Wave::next say which).
#pragma once

#include <cstdint>

namespace zellige::sim {

struct Wave;
struct Instruction;

using Handler = const Instruction* (*)(Wave&, const Instruction*);

enum class OperandKind : std::uint8_t {
  none,      // absent, or `off` / `null`: reads zero, writes vanish
  vector,    // a VGPR row, or an AGPR row (first_agpr_row + number)
  scalar,    // an SGPR, VCC, M0, EXEC, TTMP: see the scalar numbers in wave.hpp
  constant,  // an inline constant or literal, converted to the source's type when it was decoded
};

/// The type of an operand, which decides how many registers it spans and how a literal is converted for it.
enum class ValueType : std::uint8_t { none, b8, b16, b32, b64, b96, b128, b256, b512, b1024, i16, i32, i64, u16, u32, u64, f16, bf16, f32,
  f64, packed_f16, packed_f32, packed_i16, packed_bf16, mask /* one bit a lane */, address, descriptor,
  matrix_f64 /* any number of doubles; a constant is one for all */, matrix_f16, matrix_bf16 /* the same, in registers */ };

/// Two elements a register, or pairs of registers.
constexpr bool is_packed(ValueType type) {
  return type == ValueType::packed_f16 || type == ValueType::packed_i16 || type == ValueType::packed_bf16 ||
         type == ValueType::packed_f32;
}
/// One 16-bit element.
constexpr bool is_half(ValueType type) {
  return type == ValueType::f16 || type == ValueType::bf16 || type == ValueType::i16 || type == ValueType::u16 ||
         type == ValueType::b16;
}

/// One operand. A 64-bit operand (words = 2) is the register `index` and the next one, and so on.
struct Operand {
  OperandKind kind = OperandKind::none;
  std::uint8_t words = 1;      ///< 32-bit registers that it spans
  std::uint8_t modifiers = 0;  ///< bits of Modifier
  std::uint8_t select = 0;     ///< SDWA byte/word select (SdwaSelect), or 0
  std::uint16_t index = 0;     ///< vector row or scalar number
  ValueType type = ValueType::none;  ///< what the operation takes it for
  /// Constants only: `words` rows of 64 equal lanes, owned by the Program. The scalar value is row[0] (and row[64]).
  const std::uint32_t* rows = nullptr;

  [[gnu::always_inline]] std::uint64_t constant() const { return rows[0] | (words > 1 ? std::uint64_t{rows[64]} << 32 : 0); }
};

enum Modifier : std::uint8_t {
  modifier_negate = 1,       ///< -x, or neg_lo of a packed source
  modifier_absolute = 2,     ///< |x|
  modifier_negate_high = 4,  ///< neg_hi of a packed source
  modifier_sign_extend = 8,  ///< sext(x) of an SDWA source
  modifier_op_sel = 16,      ///< op_sel: the (low half of the) operation reads or writes the high half
  modifier_op_sel_high = 32, ///< op_sel_hi: the high half of a packed operation reads the high half
};

enum class SdwaSelect : std::uint8_t { dword, byte_0, byte_1, byte_2, byte_3, word_0, word_1 };
enum class SdwaUnused : std::uint8_t { pad, sign_extend, preserve };

/// What a data-parallel-primitive modifier does to source 0.
enum class DppKind : std::uint8_t { none, quad_perm, row_shl, row_shr, row_ror, wave_shl, wave_rol, wave_shr, wave_ror,
  row_mirror, row_half_mirror, row_bcast15, row_bcast31, row_share, row_xmask, row_newbcast, dpp8 };

struct Dpp {
  DppKind kind = DppKind::none;
  std::uint8_t row_mask = 0xf, bank_mask = 0xf;
  bool bound_control = false;  ///< an invalid source lane reads 0 instead of keeping the destination
  bool fetch_inactive = false;
  std::uint32_t control = 0;   ///< shift amount, quad_perm (2 bits a lane) or dpp8 selectors (3 bits a lane)
};

/// A DPP control worked out for 64 lanes when the instruction is decoded.
struct DppLanes {
  std::uint32_t from[64] = {};  ///< the lane that each lane reads; its own where that lies outside
  std::uint64_t in_range = 0;   ///< lanes whose source lies in the row or wave
  std::uint64_t gated = 0;      ///< lanes that row_mask and bank_mask let through
};

/// What the counters add up. The order is part of the JSON that the profiler writes.
enum class OpClass : std::uint8_t { valu, valu_transcendental, valu_double, salu, smem, matrix, lds, global_load, global_store,
  atomic, branch, wait, barrier, other, count };

inline constexpr int op_classes = static_cast<int>(OpClass::count);

struct Instruction {
  Handler handler = nullptr;
  Handler inner = nullptr;    ///< what the handler of modifiers runs
  Handler wrapped = nullptr;  ///< what a wrapping handler (EXEC writes, status reads, register indexing) runs
  Operand dst, dst2;  ///< dst2: the scalar (carry, compare mask) result of VOP3 instructions that have two
  Operand src[4];
  std::int32_t offset = 0;    ///< immediate: byte offset of memory instructions, branch distance, s_movk value, wait counts
  std::int32_t offset2 = 0;   ///< second offset of ds_*2_* (already scaled to bytes), hwreg size and offset, cbsz/abid/blgp
  std::uint32_t flags = 0;    ///< bits of InstructionFlag
  OpClass op_class = OpClass::other;
  std::uint8_t out_modifier = 0;  ///< omod: 0 none, 1 *2, 2 *4, 3 /2
  std::uint8_t access_bytes = 0;  ///< bytes a lane moves, of memory instructions
  std::uint8_t passes = 0;        ///< matrix instructions: 4-clock passes on the matrix core
  SdwaSelect sdwa_dst = SdwaSelect::dword;
  SdwaUnused sdwa_unused = SdwaUnused::pad;
  Dpp dpp;
  const DppLanes* dpp_lanes = nullptr;  ///< owned by the Program; nullptr: no DPP
  const Instruction* target = nullptr;  ///< a direct branch's destination
  Instruction* halves = nullptr;        ///< dual instructions (VOPD): the two, in the order that they may run in; owned by the
                                        ///< Program
  std::uint32_t index = 0;              ///< position in Program::instructions, and key of its text and address
};

enum InstructionFlag : std::uint32_t {
  flag_clamp = 1u << 0,
  flag_glc = 1u << 1,       ///< returns the value before an atomic (sc0 on gfx940 and later)
  flag_lds = 1u << 2,       ///< the destination is LDS
  flag_offen = 1u << 3,     ///< buffer: the vector address holds a byte offset
  flag_idxen = 1u << 4,     ///< buffer: the vector address holds an index
  flag_gds = 1u << 5,
  flag_scale_offset = 1u << 6,
  flag_writes_exec = 1u << 7,  ///< set by the decoder; the wrapping handler refreshes Wave's EXEC caches
  flag_float_clamp = 1u << 8,  ///< set by the decoder with flag_clamp: the result is limited to [0, 1]
  flag_keeps_high = 1u << 9,   ///< a 16-bit result leaves the other half of its register alone
  flag_slc = 1u << 10,         ///< slc, or nt on gfx940 and later
  flag_sc1 = 1u << 11,
  flag_index_source_0 = 1u << 12,  ///< register indexing (s_set_gpr_idx_on) applies to ...
  flag_index_source_1 = 1u << 13,
  flag_index_source_2 = 1u << 14,
  flag_index_destination = 1u << 15,
  flag_reads_destination = 1u << 16,  ///< the decoder repeats the destination as the last source
  flag_reads_vcc = 1u << 17,          ///< the decoder adds VCC as the last source (v_div_fmas)
  flag_own_modifiers = 1u << 18,      ///< the handler applies the modifiers itself (v_fma_mix_*: op_sel_hi says which sources are f16)
  flag_selects = 1u << 19,            ///< op_sel names bytes or words: its bits are Instruction::offset, the destination's is bit 3
  flag_merges_half = 1u << 20,        ///< gfx11 and later in waves of 64: the handler clears the other half, so its result is staged
  flag_optional_sources = 1u << 26,   ///< the text may leave out the last sources
  flag_signed_rows = 1u << 27,        ///< gfx1250, set by the decoder with a scalar base: the lanes' offsets are signed
  flag_range_select = 1u << 24,       ///< buffers of gfx11 and later: the descriptor has OOB_SELECT (buffer_descriptor.hpp)
  flag_wide_descriptor = 1u << 28,    ///< buffers of gfx1250: a descriptor with 57 bits of address and 45 of size
  flag_signed_offsets = 1u << 25,     ///< scratch of gfx12 and later: vector and scalar offset are signed
};

}  // namespace zellige::sim
