// Operands of matrix instructions: modifiers, permuted B, the accumulator.
#pragma once

#include <cstdint>

#include "simulator/execute/matrix_multiply.hpp"
#include "simulator/execute/wave.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {

struct MatrixModifiers {
  int cbsz, abid, blgp;
};

inline MatrixModifiers matrix_modifiers(const Instruction* instruction) {
  return {instruction->offset2 & 0xff, instruction->offset2 >> 8 & 0xff, instruction->offset2 >> 16 & 0xff};
}

/// B's rows as blgp permutes their lanes: `rows` itself, or a permuted copy in `storage`.
template <int registers>
inline const std::uint32_t* permute_lanes(const std::uint32_t* rows, int blgp, std::uint32_t* storage) {
  if (blgp == 0) return rows;
  for (int r = 0; r < registers; ++r)
    for (int quarter = 0; quarter < 4; ++quarter)
      __builtin_memcpy(storage + r * row_lanes + 16 * quarter,
                       rows + r * row_lanes + 16 * matrix_source_quarter(quarter, blgp), 16 * sizeof *rows);
  return storage;
}

/// C: rows of registers, or one constant for all elements.
template <class T>
struct Accumulator {
  const T* at;
  bool uniform;
};

template <class T>
inline Accumulator<T> accumulator(Wave& wave, const Operand& operand) {
  static_assert(sizeof(T) == 4);
  if (operand.kind == OperandKind::vector) return {reinterpret_cast<const T*>(wave.row(operand.index)), false};
  static constexpr std::uint32_t zero = 0;
  return {reinterpret_cast<const T*>(operand.kind == OperandKind::constant ? operand.rows : &zero), true};
}

/// The type of an operand of so many registers. From three on the decoder takes any number.
constexpr ValueType words_type(int words) {
  using enum ValueType;
  return words == 1    ? b32
         : words == 2  ? b64
         : words == 3  ? b96
         : words == 4  ? b128
         : words <= 8  ? b256
         : words <= 16 ? b512
                       : b1024;
}

/// A row of a table of operations: operands of `bits` a value, results of `result_bits`.
constexpr Operation matrix_row(std::string_view mnemonic, MatrixShape shape, int bits, Handler handler, int passes,
                               int result_bits = 32) {
  const ValueType operand = words_type(shape.k_lane() * bits / 32),
                  result = words_type(shape.slots() * result_bits / 32);
  return {.mnemonic = mnemonic,
          .op_class = OpClass::matrix,
          .dst = result,
          .src = {operand, operand, result_bits == 64 ? ValueType::matrix_f64 : result},
          .plain = handler,
          .passes = static_cast<std::uint8_t>(passes)};
}

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
