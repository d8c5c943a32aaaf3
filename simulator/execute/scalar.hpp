// Scalar ALU handlers made from a function of the operands' values.
//
// scalar<[](u32 a, u32 b, bool& scc) { ... }>("s_add_u32"): the types of the sources and of the result come from the
// signature; a trailing bool& is SCC, which holds the old value when the function is called. Law: only operations that
// name SCC touch it.
#pragma once

#include "simulator/execute/types.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

/// SCC as a source that is not changed.
struct SccIn {
  bool set;
};

template <class T>
ZELLIGE_SIM_INLINE T read_scalar(const Wave& wave, const Operand& operand) {
  if constexpr (sizeof(T) == 8) {
    const u64 bits = operand.kind == OperandKind::scalar ? wave.scalar64(operand.index)
                     : operand.kind == OperandKind::none ? 0
                                                         : operand.constant();
    return static_cast<T>(bits);
  } else {
    const u32 bits = operand.kind == OperandKind::scalar ? wave.scalar[operand.index]
                     : operand.kind == OperandKind::none ? 0
                                                         : operand.rows[0];
    return static_cast<T>(bits);
  }
}

template <class T>
ZELLIGE_SIM_INLINE void write_scalar(Wave& wave, const Operand& operand, T value) {
  if (operand.kind != OperandKind::scalar) return;
  if constexpr (sizeof(T) == 8)
    wave.set_scalar64(operand.index, static_cast<u64>(value));
  else
    wave.scalar[operand.index] = static_cast<u32>(value);
}

/// Runs Instruction::wrapped and brings the wave's copies of EXEC up to date.
const Instruction* with_exec_write(Wave& wave, const Instruction* instruction);

template <class T>
struct ScalarArgument {
  static constexpr ValueType type = sizeof(T) == 8 ? (T(-1) < T(0) ? ValueType::i64 : ValueType::b64)
                                                   : (T(-1) < T(0) ? ValueType::i32 : ValueType::b32);
};

// The forms: sources only; sources and SCC in; sources and SCC in and out. R = void: only SCC is written.
template <auto f, class R, class A>
const Instruction* scalar_handler(Wave& wave, const Instruction* i) {
  write_scalar<R>(wave, i->dst, f(read_scalar<A>(wave, i->src[0])));
  return i + 1;
}
template <auto f, class R, class A, class B>
const Instruction* scalar_handler(Wave& wave, const Instruction* i) {
  if constexpr (__is_same(B, bool&)) {
    bool scc = wave.scc != 0;
    const R result = f(read_scalar<A>(wave, i->src[0]), scc);
    write_scalar<R>(wave, i->dst, result);
    wave.scc = scc;
  } else {
    write_scalar<R>(wave, i->dst, f(read_scalar<A>(wave, i->src[0]), read_scalar<B>(wave, i->src[1])));
  }
  return i + 1;
}
template <auto f, class R, class A, class B, class C>
const Instruction* scalar_handler(Wave& wave, const Instruction* i) {
  if constexpr (__is_same(C, SccIn)) {
    write_scalar<R>(wave, i->dst,
                    f(read_scalar<A>(wave, i->src[0]), read_scalar<B>(wave, i->src[1]), SccIn{wave.scc != 0}));
  } else {
    static_assert(__is_same(C, bool&));
    bool scc = wave.scc != 0;
    if constexpr (__is_void(R)) {
      f(read_scalar<A>(wave, i->src[0]), read_scalar<B>(wave, i->src[1]), scc);
    } else {
      const R result = f(read_scalar<A>(wave, i->src[0]), read_scalar<B>(wave, i->src[1]), scc);
      write_scalar<R>(wave, i->dst, result);
    }
    wave.scc = scc;
  }
  return i + 1;
}

template <class T>
constexpr int add_source(Operation& row, int count) {
  if constexpr (!__is_same(T, bool&) && !__is_same(T, SccIn)) row.src[count++] = ScalarArgument<T>::type;
  return count;
}

template <auto f, class R, class... A>
constexpr Operation make_scalar(std::string_view mnemonic, R (*)(A...)) {
  Operation row;
  row.mnemonic = mnemonic;
  row.op_class = OpClass::salu;
  if constexpr (!__is_void(R)) row.dst = ScalarArgument<R>::type;
  int count = 0;
  ((count = add_source<A>(row, count)), ...);
  row.plain = &scalar_handler<f, R, A...>;
  return row;
}

template <auto f>
constexpr Operation scalar(std::string_view mnemonic) {
  return make_scalar<f>(mnemonic, +f);
}

/// The destination is also a source (s_addk_i32, s_bitset1_b32, s_cmovk_i32).
template <auto f>
constexpr Operation scalar_accumulating(std::string_view mnemonic) {
  Operation row = scalar<f>(mnemonic);
  row.flags |= flag_reads_destination;
  return row;
}

template <std::size_t count>
constexpr OperationTable scalar_table_of(const Operation (&rows)[count]) {
  return {rows, count};
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
