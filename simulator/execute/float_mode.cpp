// The loop for unusual float modes; float_mode.hpp states the law.
#include "simulator/execute/float_mode.hpp"

#include <xmmintrin.h>

#include <cstring>

#include "simulator/decode/program.hpp"
#include "simulator/execute/workgroup.hpp"
#include "simulator/timing/observation.hpp"

namespace zellige::sim {
namespace {

FloatBehaviour::Width width_of(ValueType type) {
  switch (type) {
    case ValueType::f32:
    case ValueType::packed_f32:
      return FloatBehaviour::single;
    case ValueType::f16:
    case ValueType::packed_f16:
    case ValueType::f64:
      return FloatBehaviour::other;
    default:
      return FloatBehaviour::none;
  }
}
bool has_halves(ValueType type) { return type == ValueType::f16 || type == ValueType::packed_f16; }

/// MODE's two fields of a width.
std::uint32_t rounding(std::uint32_t mode, FloatBehaviour::Width width) {
  return width == FloatBehaviour::other ? mode >> 2 & 3 : mode & 3;
}
std::uint32_t denormals(std::uint32_t mode, FloatBehaviour::Width width) {
  return width == FloatBehaviour::other ? mode >> 6 & 3 : mode >> 4 & 3;
}

/// MXCSR: exceptions masked, rounding in [14:13] (0 nearest, 1 down, 2 up, 3 to zero), 15 flushes results, 6 operands.
unsigned host_control(std::uint32_t mode, const FloatBehaviour& behaviour) {
  constexpr unsigned usual = 0x1f80, host_rounding[4] = {0, 2, 1, 3};
  if (behaviour.result == FloatBehaviour::none && behaviour.operands == FloatBehaviour::none) return usual;
  const auto result = behaviour.result != FloatBehaviour::none ? behaviour.result : behaviour.operands;
  const auto operands = behaviour.operands != FloatBehaviour::none ? behaviour.operands : behaviour.result;
  unsigned control = usual | host_rounding[rounding(mode, result)] << 13;
  if ((denormals(mode, result) & 2) == 0) control |= 0x8000;
  // Halves are widened exactly first: their denormals are not the host's.
  if ((denormals(mode, operands) & 1) == 0 && !behaviour.half_operands) control |= 0x0040;
  return control;
}

std::uint32_t flushed_half(std::uint32_t bits) { return (bits & 0x7c00) == 0 ? bits & 0x8000 : bits; }
std::uint32_t flushed_halves(std::uint32_t bits) {
  return flushed_half(bits & 0xffff) | flushed_half(bits >> 16) << 16;
}

/// A copy of `instruction` whose half operands are rows with their denormals flushed.
class FlushedHalves {
 public:
  FlushedHalves(const Wave& wave, const Instruction& instruction) : copy_(instruction) {
    for (int k = 0; k < 4; ++k) {
      Operand& operand = copy_.src[k];
      if (!has_halves(operand.type) || operand.kind == OperandKind::none) continue;
      for (int lane = 0; lane < row_lanes; ++lane)
        rows_[k][lane] =
            flushed_halves(operand.kind == OperandKind::vector   ? wave.vector[operand.index * row_lanes + lane]
                           : operand.kind == OperandKind::scalar ? wave.scalar[operand.index]
                                                                 : operand.rows[lane]);
      operand.kind = OperandKind::constant;
      operand.rows = rows_[k];
    }
  }
  const Instruction& instruction() const { return copy_; }

 private:
  Instruction copy_;
  alignas(64) std::uint32_t rows_[4][row_lanes];
};

void flush_result(Wave& wave, const Instruction& instruction) {
  const Operand& dst = instruction.dst;
  if (dst.kind != OperandKind::vector) return;
  std::uint32_t* low = wave.row(dst.index);
  for (int lane = 0; lane < wave.lanes; ++lane) {
    if (wave.exec_mask[lane] == 0) continue;
    switch (dst.type) {
      case ValueType::f16:
        low[lane] = (dst.modifiers & modifier_op_sel) || dst.select == static_cast<int>(SdwaSelect::word_1)
                        ? (low[lane] & 0xffff) | flushed_half(low[lane] >> 16) << 16
                        : (low[lane] & 0xffff0000u) | flushed_half(low[lane] & 0xffff);
        break;
      case ValueType::packed_f16:
        low[lane] = flushed_halves(low[lane]);
        break;
      case ValueType::f32:
        if ((low[lane] & 0x7f800000u) == 0) low[lane] &= 0x80000000u;
        break;
      case ValueType::f64:
        if ((low[row_lanes + lane] & 0x7ff00000u) == 0) {
          low[lane] = 0;
          low[row_lanes + lane] &= 0x80000000u;
        }
        break;
      default:
        break;
    }
  }
}

}  // namespace

FloatBehaviour float_behaviour(const Instruction& instruction, std::string_view mnemonic) {
  FloatBehaviour behaviour;
  const bool arithmetic = instruction.op_class == OpClass::valu || instruction.op_class == OpClass::valu_transcendental ||
                      instruction.op_class == OpClass::valu_double || instruction.op_class == OpClass::salu;
  if (!arithmetic || mnemonic.starts_with("v_cndmask") || mnemonic.starts_with("v_pk_mov") ||
      mnemonic.starts_with("v_cmp_class") || mnemonic.starts_with("v_cmpx_class"))
    return behaviour;
  if (mnemonic.starts_with("v_dual_")) {  // both halves are of 32 bits
    behaviour.result = behaviour.operands = FloatBehaviour::single;
    return behaviour;
  }
  behaviour.result = width_of(instruction.dst.type);
  for (const Operand& source : instruction.src) {
    if (source.kind == OperandKind::none) continue;
    if (behaviour.operands == FloatBehaviour::none) behaviour.operands = width_of(source.type);
    behaviour.half_operands |= has_halves(source.type);
  }
  // Halves packed into an untyped register.
  if (mnemonic.starts_with("v_cvt_pkrtz_f16") || mnemonic.starts_with("v_cvt_pk_rtz_f16") || mnemonic.starts_with("v_cvt_pk_f16") ||
      mnemonic.starts_with("v_fma_mixlo") || mnemonic.starts_with("v_fma_mixhi"))
    behaviour.result = FloatBehaviour::other;
  behaviour.half_result = has_halves(instruction.dst.type);
  behaviour.selects = behaviour.result != FloatBehaviour::none &&
                      (mnemonic.find("min") != mnemonic.npos || mnemonic.find("max") != mnemonic.npos ||
                       mnemonic.find("med3") != mnemonic.npos);
  return behaviour;
}

void run_in_float_mode(Wave& wave, const Instruction* next, Observation* observation) {
  const Program& program = *wave.group->program;
  const std::uint32_t mode = wave.mode & float_mode_bits;
  const unsigned host = _mm_getcsr();  // the caller's, restored behind
  unsigned current = host;
  if (observation != nullptr) observation->enter(wave);
  while (next != nullptr) {
    if (observation != nullptr) observation->before(wave, next);
    const FloatBehaviour& behaviour = program.float_behaviour[next->index];
    const unsigned control = host_control(mode, behaviour);
    if (control != current) _mm_setcsr(current = control);
    const Instruction* instruction = next;
    if (behaviour.half_operands && (denormals(mode, FloatBehaviour::other) & 1) == 0) {
      const FlushedHalves flushed(wave, *instruction);
      next = flushed.instruction().handler(wave, &flushed.instruction()) == nullptr ? nullptr : instruction + 1;
    } else {
      next = instruction->handler(wave, instruction);
    }
    const std::uint32_t kept = denormals(mode, behaviour.result);
    if (behaviour.selects ? kept != 3 : behaviour.half_result && (kept & 2) == 0) flush_result(wave, *instruction);
    if (observation != nullptr) observation->after(wave, next);
  }
  if (observation != nullptr) observation->leave(wave);
  _mm_setcsr(host);
}

}  // namespace zellige::sim
