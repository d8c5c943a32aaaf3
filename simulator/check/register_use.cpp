// Register use from bound operands; register_use.hpp states what it gives.
#include "simulator/check/register_use.hpp"

#include "simulator/decode/alias.hpp"

namespace zellige::sim {
namespace {

/// v_swap, v_permlane*_swap: the source is written too.
bool writes_source(std::string_view mnemonic) {
  return mnemonic.starts_with("v_swap") || mnemonic.ends_with("_swap_b32");
}
/// Sparse matrix instructions accumulate in the destination.
bool accumulates(std::string_view mnemonic) {
  return mnemonic.starts_with("v_smfmac") || mnemonic.starts_with("v_swmmac");
}
/// Scaled matrix instructions keep a source in dst2.
bool reads_second_destination(const Operation& operation) {
  return operation.op_class == OpClass::matrix && operation.dst2 != ValueType::none;
}

void add(const Operand& operand, SpanList& rows, SpanList& scalars) {
  if (operand.kind == OperandKind::vector) rows.add(operand.index, operand.words);
  if (operand.kind == OperandKind::scalar && operand.index != scalar_null) scalars.add(operand.index, operand.words);
}

}  // namespace

RegisterUse register_use(const Operation& operation, const Instruction& instruction, const AccessPlan& access,
                         unsigned lanes) {
  RegisterUse use;
  const std::string_view name = operation.mnemonic;
  for (const Operand& source : instruction.src) add(source, use.rows_read, use.scalars_read);
  add(instruction.dst, use.rows_written, use.scalars_written);
  if (reads_second_destination(operation))
    add(instruction.dst2, use.rows_read, use.scalars_read);
  else
    add(instruction.dst2, use.rows_written, use.scalars_written);
  if (accumulates(name)) add(instruction.dst, use.rows_read, use.scalars_read);
  if (writes_source(name)) {
    add(instruction.src[0], use.rows_written, use.scalars_written);
    add(instruction.dst, use.rows_read, use.scalars_read);
  }
  if (access.returns_to_data) add(instruction.src[access.data], use.rows_written, use.scalars_written);
  if (name.starts_with("s_cbranch_vcc")) use.scalars_read.add(scalar_vcc, lanes / 32);
  if ((instruction.flags & flag_lds) || name.find("addtid") != std::string_view::npos || name == "ds_append" ||
      name == "ds_consume" || name.ends_with("_block"))
    use.scalars_read.add(scalar_m0, 1);
  use.indexed = (instruction.flags &
                 (flag_index_source_0 | flag_index_source_1 | flag_index_source_2 | flag_index_destination)) != 0;
  use.all_lanes = operation.op_class == OpClass::matrix;
  return use;
}

RegisterUse dual_register_use(const Instruction& instruction) {
  RegisterUse use;
  add(instruction.dst, use.rows_written, use.scalars_written);
  for (int half = 0; half < 2; ++half) {
    const Instruction& i = instruction.halves[half];
    for (const Operand& source : i.src) add(source, use.rows_read, use.scalars_read);
    if (i.dst.index != staging_row) add(i.dst, use.rows_written, use.scalars_written);
  }
  return use;
}

std::string row_name(int row, std::string_view target) {
  return row < first_agpr_row || generation_of(target) != generation_gfx9 ? "v" + std::to_string(row)
                                                                          : "a" + std::to_string(row - first_agpr_row);
}

std::string scalar_name(int number) {
  switch (number) {
    case scalar_vcc:
      return "vcc_lo";
    case scalar_vcc + 1:
      return "vcc_hi";
    case scalar_m0:
      return "m0";
    case scalar_exec:
      return "exec_lo";
    case scalar_exec + 1:
      return "exec_hi";
    default:
      if (number >= scalar_ttmp0 && number < scalar_ttmp0 + 16) return "ttmp" + std::to_string(number - scalar_ttmp0);
      return "s" + std::to_string(number);
  }
}

}  // namespace zellige::sim
