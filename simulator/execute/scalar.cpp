// Scalar arithmetic, logic, moves and compares: SOP1, SOP2, SOPK and SOPC.
//
// Law (ISA documents): SCC is carry for unsigned and overflow for signed addition, "result is not zero" for logic and
// shifts, and untouched by moves, multiplications, packs and bit-field masks.
#include "simulator/execute/scalar.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

template <class T>
ZELLIGE_SIM_INLINE T nonzero(T value, bool& scc) {
  scc = value != 0;
  return value;
}

ZELLIGE_SIM_INLINE u32 leading_zeros(u32 a) { return a == 0 ? ~0u : static_cast<u32>(__builtin_clz(a)); }
ZELLIGE_SIM_INLINE u32 leading_zeros64(u64 a) { return a == 0 ? ~0u : static_cast<u32>(__builtin_clzll(a)); }
ZELLIGE_SIM_INLINE u32 trailing_zeros64(u64 a) { return a == 0 ? ~0u : static_cast<u32>(__builtin_ctzll(a)); }

/// Whole quads: all four bits where one is set.
ZELLIGE_SIM_INLINE u64 whole_quads(u64 a) {
  const u64 any = (a | a >> 1 | a >> 2 | a >> 3) & 0x1111'1111'1111'1111u;
  return any * 0xf;
}
/// One bit a quad, packed.
ZELLIGE_SIM_INLINE u64 quad_bits(u64 a) {
  u64 result = 0;
  for (int quad = 0; quad < 16; ++quad) result |= u64{(a >> (4 * quad) & 0xf) != 0} << quad;
  return result;
}

template <class T>
ZELLIGE_SIM_INLINE T extract_field(T a, u32 field, int width) {
  const u32 offset = field & (width - 1), size = field >> 16 & 0x7f;
  if (size == 0) return 0;
  T value = a >> offset;  // arithmetic for signed T: bits past the top repeat the sign
  if (size < static_cast<u32>(width)) {
    const u32 up = width - size;
    if constexpr (sizeof(T) == 8)
      value = static_cast<T>(static_cast<u64>(value) << up) >> up;
    else
      value = static_cast<T>(static_cast<u32>(value) << up) >> up;
  }
  return value;
}

/// T = u32: on EXEC_LO only.
template <class T, T (*combine)(T source, T exec), bool save>
const Instruction* exec_logic(Wave& wave, const Instruction* i) {
  const T exec = static_cast<T>(wave.exec());
  const T result = combine(read_scalar<T>(wave, i->src[0]), exec);
  write_scalar<T>(wave, i->dst, save ? exec : result);
  if constexpr (sizeof(T) == 4)
    wave.scalar[scalar_exec] = result;
  else
    wave.set_scalar64(scalar_exec, result);
  wave.scc = result != 0;
  wave.refresh_exec();
  return i + 1;
}

constexpr Operation exec_operation(std::string_view mnemonic, Handler handler, ValueType type = ValueType::b64) {
  Operation row;
  row.mnemonic = mnemonic;
  row.op_class = OpClass::salu;
  row.dst = type;
  row.src[0] = type;
  row.plain = handler;
  return row;
}

/// s_movrels, s_movreld: M0 is added to the register number of the source or the destination.
template <class T, bool destination>
const Instruction* move_relative(Wave& wave, const Instruction* i) {
  Operand from = i->src[0], to = i->dst;
  Operand& moved = destination ? to : from;
  const u64 index = u64{moved.index} + wave.scalar[scalar_m0];
  if (moved.kind != OperandKind::scalar || index + sizeof(T) / 4 > 102)
    return raise_fault(wave, i, "register index out of range: M0 is %u", wave.scalar[scalar_m0]);
  moved.index = static_cast<u16>(index);
  write_scalar<T>(wave, to, read_scalar<T>(wave, from));
  return i + 1;
}

template <class T>
constexpr T and_bits(T s, T e) {
  return s & e;
}
template <class T>
constexpr T or_bits(T s, T e) {
  return s | e;
}
template <class T>
constexpr T xor_bits(T s, T e) {
  return s ^ e;
}
template <class T>
constexpr T and_not_exec(T s, T e) {
  return s & ~e;
}
template <class T>
constexpr T or_not_exec(T s, T e) {
  return s | ~e;
}
template <class T>
constexpr T nand_bits(T s, T e) {
  return ~(s & e);
}
template <class T>
constexpr T nor_bits(T s, T e) {
  return ~(s | e);
}
template <class T>
constexpr T xnor_bits(T s, T e) {
  return ~(s ^ e);
}
template <class T>
constexpr T not_and_exec(T s, T e) {
  return ~s & e;
}
template <class T>
constexpr T not_or_exec(T s, T e) {
  return ~s | e;
}

#define ZELLIGE_EXEC_LOGIC(name, combine, save)                                       \
  exec_operation(name "_b32", &exec_logic<u32, &combine<u32>, save>, ValueType::b32), \
      exec_operation(name "_b64", &exec_logic<u64, &combine<u64>, save>)

/// M0[9:0] is added to the source's number, M0[25:16] to the destination's.
const Instruction* move_relative_two(Wave& wave, const Instruction* i) {
  const u32 m0 = wave.scalar[scalar_m0];
  const u64 from = u64{i->src[0].index} + (m0 & 0x3ff), to = u64{i->dst.index} + (m0 >> 16 & 0x3ff);
  if (i->src[0].kind != OperandKind::scalar || i->dst.kind != OperandKind::scalar || from > 105 || to > 105)
    return raise_fault(wave, i, "register index out of range: M0 is 0x%x", m0);
  wave.scalar[to] = wave.scalar[from];
  return i + 1;
}

constexpr Operation move_operation(std::string_view mnemonic, Handler handler, ValueType type) {
  Operation row = exec_operation(mnemonic, handler);
  row.dst = row.src[0] = type;
  return row;
}

/// SOPK: the constant is 16 bits, signed unless the compare is unsigned.
template <auto f>
constexpr Operation short_constant(std::string_view mnemonic, bool accumulates, ValueType constant = ValueType::i16) {
  Operation row = scalar<f>(mnemonic);
  row.src[accumulates || row.dst != ValueType::none ? 0 : 1] = constant;
  if (accumulates) row.flags |= flag_reads_destination;
  return row;
}

constexpr Operation rows[] = {
    // SOPK
    short_constant<[](u32 a) { return a; }>("s_movk_i32", false),
    short_constant<[](u32 a, u32 old, SccIn scc) { return scc.set ? a : old; }>("s_cmovk_i32", true),
    short_constant<[](i32 a, i32 old, bool& scc) {
      i32 r;
      scc = __builtin_add_overflow(a, old, &r);
      return r;
    }>("s_addk_i32", true),
    short_constant<[](u32 a, u32 old) { return a * old; }>("s_mulk_i32", true),
    short_constant<[](i32 a, i32 b, bool& scc) { scc = a == b; }>("s_cmpk_eq_i32", false),
    short_constant<[](i32 a, i32 b, bool& scc) { scc = a != b; }>("s_cmpk_lg_i32", false),
    short_constant<[](i32 a, i32 b, bool& scc) { scc = a > b; }>("s_cmpk_gt_i32", false),
    short_constant<[](i32 a, i32 b, bool& scc) { scc = a >= b; }>("s_cmpk_ge_i32", false),
    short_constant<[](i32 a, i32 b, bool& scc) { scc = a < b; }>("s_cmpk_lt_i32", false),
    short_constant<[](i32 a, i32 b, bool& scc) { scc = a <= b; }>("s_cmpk_le_i32", false),
    short_constant<[](u32 a, u32 b, bool& scc) { scc = a == b; }>("s_cmpk_eq_u32", false, ValueType::u16),
    short_constant<[](u32 a, u32 b, bool& scc) { scc = a != b; }>("s_cmpk_lg_u32", false, ValueType::u16),
    short_constant<[](u32 a, u32 b, bool& scc) { scc = a > b; }>("s_cmpk_gt_u32", false, ValueType::u16),
    short_constant<[](u32 a, u32 b, bool& scc) { scc = a >= b; }>("s_cmpk_ge_u32", false, ValueType::u16),
    short_constant<[](u32 a, u32 b, bool& scc) { scc = a < b; }>("s_cmpk_lt_u32", false, ValueType::u16),
    short_constant<[](u32 a, u32 b, bool& scc) { scc = a <= b; }>("s_cmpk_le_u32", false, ValueType::u16),
    // SOP2
    scalar<[](u32 a, u32 b, bool& scc) { return scc = a + b < a, a + b; }>("s_add_u32"),
    scalar<[](u32 a, u32 b, bool& scc) { return scc = a < b, a - b; }>("s_sub_u32"),
    scalar<[](i32 a, i32 b, bool& scc) {
      i32 r;
      scc = __builtin_add_overflow(a, b, &r);
      return r;
    }>("s_add_i32"),
    scalar<[](i32 a, i32 b, bool& scc) {
      i32 r;
      scc = __builtin_sub_overflow(a, b, &r);
      return r;
    }>("s_sub_i32"),
    scalar<[](u32 a, u32 b, bool& scc) {
      const u64 r = u64{a} + b + scc;
      scc = r >> 32 != 0;
      return static_cast<u32>(r);
    }>("s_addc_u32"),
    scalar<[](u32 a, u32 b, bool& scc) {
      const u64 r = u64{a} - b - scc;
      scc = r >> 32 != 0;
      return static_cast<u32>(r);
    }>("s_subb_u32"),
    scalar<[](i32 a, i32 b, bool& scc) { return scc = a < b, a < b ? a : b; }>("s_min_i32"),
    scalar<[](u32 a, u32 b, bool& scc) { return scc = a < b, a < b ? a : b; }>("s_min_u32"),
    scalar<[](i32 a, i32 b, bool& scc) { return scc = a > b, a > b ? a : b; }>("s_max_i32"),
    scalar<[](u32 a, u32 b, bool& scc) { return scc = a > b, a > b ? a : b; }>("s_max_u32"),
    scalar<[](u32 a, u32 b, SccIn scc) { return scc.set ? a : b; }>("s_cselect_b32"),
    scalar<[](u64 a, u64 b, SccIn scc) { return scc.set ? a : b; }>("s_cselect_b64"),
    scalar<[](u32 a, u32 b, bool& scc) { return nonzero(a & b, scc); }>("s_and_b32"),
    scalar<[](u64 a, u64 b, bool& scc) { return nonzero(a & b, scc); }>("s_and_b64"),
    scalar<[](u32 a, u32 b, bool& scc) { return nonzero(a | b, scc); }>("s_or_b32"),
    scalar<[](u64 a, u64 b, bool& scc) { return nonzero(a | b, scc); }>("s_or_b64"),
    scalar<[](u32 a, u32 b, bool& scc) { return nonzero(a ^ b, scc); }>("s_xor_b32"),
    scalar<[](u64 a, u64 b, bool& scc) { return nonzero(a ^ b, scc); }>("s_xor_b64"),
    scalar<[](u32 a, u32 b, bool& scc) { return nonzero(a & ~b, scc); }>("s_andn2_b32"),
    scalar<[](u64 a, u64 b, bool& scc) { return nonzero(a & ~b, scc); }>("s_andn2_b64"),
    scalar<[](u32 a, u32 b, bool& scc) { return nonzero(a | ~b, scc); }>("s_orn2_b32"),
    scalar<[](u64 a, u64 b, bool& scc) { return nonzero(a | ~b, scc); }>("s_orn2_b64"),
    scalar<[](u32 a, u32 b, bool& scc) { return nonzero(~(a & b), scc); }>("s_nand_b32"),
    scalar<[](u64 a, u64 b, bool& scc) { return nonzero(~(a & b), scc); }>("s_nand_b64"),
    scalar<[](u32 a, u32 b, bool& scc) { return nonzero(~(a | b), scc); }>("s_nor_b32"),
    scalar<[](u64 a, u64 b, bool& scc) { return nonzero(~(a | b), scc); }>("s_nor_b64"),
    scalar<[](u32 a, u32 b, bool& scc) { return nonzero(~(a ^ b), scc); }>("s_xnor_b32"),
    scalar<[](u64 a, u64 b, bool& scc) { return nonzero(~(a ^ b), scc); }>("s_xnor_b64"),
    scalar<[](u32 a, u32 b, bool& scc) { return nonzero(a << (b & 31), scc); }>("s_lshl_b32"),
    scalar<[](u64 a, u32 b, bool& scc) { return nonzero(a << (b & 63), scc); }>("s_lshl_b64"),
    scalar<[](u32 a, u32 b, bool& scc) { return nonzero(a >> (b & 31), scc); }>("s_lshr_b32"),
    scalar<[](u64 a, u32 b, bool& scc) { return nonzero(a >> (b & 63), scc); }>("s_lshr_b64"),
    scalar<[](i32 a, u32 b, bool& scc) { return nonzero(a >> (b & 31), scc); }>("s_ashr_i32"),
    scalar<[](i64 a, u32 b, bool& scc) { return nonzero(a >> (b & 63), scc); }>("s_ashr_i64"),
    scalar<[](u32 a, u32 b) { return ((1u << (a & 31)) - 1) << (b & 31); }>("s_bfm_b32"),
    scalar<[](u32 a, u32 b) { return ((u64{1} << (a & 63)) - 1) << (b & 63); }>("s_bfm_b64"),
    scalar<[](u32 a, u32 b) { return a * b; }>("s_mul_i32"),
    scalar<[](u32 a, u32 b, bool& scc) { return nonzero(extract_field<u32>(a, b, 32), scc); }>("s_bfe_u32"),
    scalar<[](i32 a, u32 b, bool& scc) { return nonzero(extract_field<i32>(a, b, 32), scc); }>("s_bfe_i32"),
    scalar<[](u64 a, u32 b, bool& scc) { return nonzero(extract_field<u64>(a, b, 64), scc); }>("s_bfe_u64"),
    scalar<[](i64 a, u32 b, bool& scc) { return nonzero(extract_field<i64>(a, b, 64), scc); }>("s_bfe_i64"),
    scalar<[](u32 a, u32 b, bool& scc) {
      const i32 difference = static_cast<i32>(a - b);
      return nonzero(difference < 0 ? 0u - static_cast<u32>(difference) : static_cast<u32>(difference), scc);
    }>("s_absdiff_i32"),
    scalar<[](u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); }>("s_mul_hi_u32"),
    scalar<[](i32 a, i32 b) { return static_cast<u32>(static_cast<u64>(i64{a} * b) >> 32); }>("s_mul_hi_i32"),
    scalar<[](u32 a, u32 b, bool& scc) {
      const u64 r = (u64{a} << 1) + b;
      scc = r >> 32 != 0;
      return static_cast<u32>(r);
    }>("s_lshl1_add_u32"),
    scalar<[](u32 a, u32 b, bool& scc) {
      const u64 r = (u64{a} << 2) + b;
      scc = r >> 32 != 0;
      return static_cast<u32>(r);
    }>("s_lshl2_add_u32"),
    scalar<[](u32 a, u32 b, bool& scc) {
      const u64 r = (u64{a} << 3) + b;
      scc = r >> 32 != 0;
      return static_cast<u32>(r);
    }>("s_lshl3_add_u32"),
    scalar<[](u32 a, u32 b, bool& scc) {
      const u64 r = (u64{a} << 4) + b;
      scc = r >> 32 != 0;
      return static_cast<u32>(r);
    }>("s_lshl4_add_u32"),
    scalar<[](u32 a, u32 b) { return (a & 0xffff) | b << 16; }>("s_pack_ll_b32_b16"),
    scalar<[](u32 a, u32 b) { return (a & 0xffff) | (b & 0xffff'0000u); }>("s_pack_lh_b32_b16"),
    scalar<[](u32 a, u32 b) { return a >> 16 | (b & 0xffff'0000u); }>("s_pack_hh_b32_b16"),
    scalar<[](u32 a, u32 b) { return a >> 16 | b << 16; }>("s_pack_hl_b32_b16"),
    scalar<[](u64 a, u64 b) { return a + b; }>("s_add_nc_u64"),
    scalar<[](u64 a, u64 b) { return a - b; }>("s_sub_nc_u64"),
    scalar<[](u64 a, u64 b) { return a * b; }>("s_mul_u64"),
    // SOP1
    scalar<[](u32 a) { return a; }>("s_mov_b32"),
    scalar<[](u64 a) { return a; }>("s_mov_b64"),
    scalar_accumulating<[](u32 a, u32 old, SccIn scc) { return scc.set ? a : old; }>("s_cmov_b32"),
    scalar_accumulating<[](u64 a, u64 old, SccIn scc) { return scc.set ? a : old; }>("s_cmov_b64"),
    scalar<[](u32 a, bool& scc) { return nonzero(~a, scc); }>("s_not_b32"),
    scalar<[](u64 a, bool& scc) { return nonzero(~a, scc); }>("s_not_b64"),
    scalar<[](u32 a, bool& scc) { return nonzero(static_cast<u32>(whole_quads(a)), scc); }>("s_wqm_b32"),
    scalar<[](u64 a, bool& scc) { return nonzero(whole_quads(a), scc); }>("s_wqm_b64"),
    scalar<[](u32 a, bool& scc) { return nonzero(static_cast<u32>(quad_bits(a)), scc); }>("s_quadmask_b32"),
    scalar<[](u64 a, bool& scc) { return nonzero(quad_bits(a), scc); }>("s_quadmask_b64"),
    scalar<[](u32 a) { return static_cast<u32>(__builtin_bitreverse32(a)); }>("s_brev_b32"),
    scalar<[](u64 a) { return static_cast<u64>(__builtin_bitreverse64(a)); }>("s_brev_b64"),
    scalar<[](u32 a, bool& scc) { return nonzero(32u - static_cast<u32>(__builtin_popcount(a)), scc); }>(
        "s_bcnt0_i32_b32"),
    scalar<[](u64 a, bool& scc) { return nonzero(64u - static_cast<u32>(__builtin_popcountll(a)), scc); }>(
        "s_bcnt0_i32_b64"),
    scalar<[](u32 a, bool& scc) { return nonzero(static_cast<u32>(__builtin_popcount(a)), scc); }>("s_bcnt1_i32_b32"),
    scalar<[](u64 a, bool& scc) { return nonzero(static_cast<u32>(__builtin_popcountll(a)), scc); }>("s_bcnt1_i32_b64"),
    scalar<[](u32 a) { return trailing_zeros64(static_cast<u32>(~a)); }>("s_ff0_i32_b32"),
    scalar<[](u64 a) { return trailing_zeros64(~a); }>("s_ff0_i32_b64"),
    scalar<[](u32 a) { return trailing_zeros64(a); }>("s_ff1_i32_b32"),
    scalar<[](u64 a) { return trailing_zeros64(a); }>("s_ff1_i32_b64"),
    scalar<[](u32 a) { return leading_zeros(a); }>("s_flbit_i32_b32"),
    scalar<[](u64 a) { return leading_zeros64(a); }>("s_flbit_i32_b64"),
    // Position of the first bit that differs from the sign, -1 when none does.
    scalar<[](i32 a) { return leading_zeros(static_cast<u32>(a ^ (a >> 31))); }>("s_flbit_i32"),
    scalar<[](i64 a) { return leading_zeros64(static_cast<u64>(a ^ (a >> 63))); }>("s_flbit_i32_i64"),
    scalar<[](u32 a) { return static_cast<u32>(i32{static_cast<i8>(a)}); }>("s_sext_i32_i8"),
    scalar<[](u32 a) { return static_cast<u32>(i32{static_cast<i16>(a)}); }>("s_sext_i32_i16"),
    scalar_accumulating<[](u32 a, u32 old) { return old & ~(1u << (a & 31)); }>("s_bitset0_b32"),
    scalar_accumulating<[](u32 a, u64 old) { return old & ~(u64{1} << (a & 63)); }>("s_bitset0_b64"),
    scalar_accumulating<[](u32 a, u32 old) { return old | 1u << (a & 31); }>("s_bitset1_b32"),
    scalar_accumulating<[](u32 a, u64 old) { return old | u64{1} << (a & 63); }>("s_bitset1_b64"),
    scalar<[](u32 a, bool& scc) { return nonzero(static_cast<i32>(a) < 0 ? 0u - a : a, scc); }>("s_abs_i32"),
    scalar<[](u32 a) {
      u64 result = 0;
      for (int bit = 0; bit < 32; ++bit) result |= u64{a >> bit & 1} * 3 << (2 * bit);
      return result;
    }>("s_bitreplicate_b64_b32"),
    ZELLIGE_EXEC_LOGIC("s_and_saveexec", and_bits, true),
    ZELLIGE_EXEC_LOGIC("s_or_saveexec", or_bits, true),
    ZELLIGE_EXEC_LOGIC("s_xor_saveexec", xor_bits, true),
    ZELLIGE_EXEC_LOGIC("s_andn2_saveexec", and_not_exec, true),
    ZELLIGE_EXEC_LOGIC("s_orn2_saveexec", or_not_exec, true),
    ZELLIGE_EXEC_LOGIC("s_nand_saveexec", nand_bits, true),
    ZELLIGE_EXEC_LOGIC("s_nor_saveexec", nor_bits, true),
    ZELLIGE_EXEC_LOGIC("s_xnor_saveexec", xnor_bits, true),
    ZELLIGE_EXEC_LOGIC("s_andn1_saveexec", not_and_exec, true),
    ZELLIGE_EXEC_LOGIC("s_orn1_saveexec", not_or_exec, true),
    ZELLIGE_EXEC_LOGIC("s_andn1_wrexec", not_and_exec, false),
    ZELLIGE_EXEC_LOGIC("s_andn2_wrexec", and_not_exec, false),
    move_operation("s_movrels_b32", &move_relative<u32, false>, ValueType::b32),
    move_operation("s_movrels_b64", &move_relative<u64, false>, ValueType::b64),
    move_operation("s_movreld_b32", &move_relative<u32, true>, ValueType::b32),
    move_operation("s_movreld_b64", &move_relative<u64, true>, ValueType::b64),
    move_operation("s_movrelsd_2_b32", &move_relative_two, ValueType::b32),
    // SOPC
    scalar<[](i32 a, i32 b, bool& scc) { scc = a == b; }>("s_cmp_eq_i32"),
    scalar<[](i32 a, i32 b, bool& scc) { scc = a != b; }>("s_cmp_lg_i32"),
    scalar<[](i32 a, i32 b, bool& scc) { scc = a > b; }>("s_cmp_gt_i32"),
    scalar<[](i32 a, i32 b, bool& scc) { scc = a >= b; }>("s_cmp_ge_i32"),
    scalar<[](i32 a, i32 b, bool& scc) { scc = a < b; }>("s_cmp_lt_i32"),
    scalar<[](i32 a, i32 b, bool& scc) { scc = a <= b; }>("s_cmp_le_i32"),
    scalar<[](u32 a, u32 b, bool& scc) { scc = a == b; }>("s_cmp_eq_u32"),
    scalar<[](u32 a, u32 b, bool& scc) { scc = a != b; }>("s_cmp_lg_u32"),
    scalar<[](u32 a, u32 b, bool& scc) { scc = a > b; }>("s_cmp_gt_u32"),
    scalar<[](u32 a, u32 b, bool& scc) { scc = a >= b; }>("s_cmp_ge_u32"),
    scalar<[](u32 a, u32 b, bool& scc) { scc = a < b; }>("s_cmp_lt_u32"),
    scalar<[](u32 a, u32 b, bool& scc) { scc = a <= b; }>("s_cmp_le_u32"),
    scalar<[](u64 a, u64 b, bool& scc) { scc = a == b; }>("s_cmp_eq_u64"),
    scalar<[](u64 a, u64 b, bool& scc) { scc = a != b; }>("s_cmp_lg_u64"),
    scalar<[](u32 a, u32 b, bool& scc) { scc = (a >> (b & 31) & 1) == 0; }>("s_bitcmp0_b32"),
    scalar<[](u32 a, u32 b, bool& scc) { scc = (a >> (b & 31) & 1) == 1; }>("s_bitcmp1_b32"),
    scalar<[](u64 a, u32 b, bool& scc) { scc = (a >> (b & 63) & 1) == 0; }>("s_bitcmp0_b64"),
    scalar<[](u64 a, u32 b, bool& scc) { scc = (a >> (b & 63) & 1) == 1; }>("s_bitcmp1_b64"),
};

}  // namespace

OperationTable scalar_operations() { return scalar_table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
