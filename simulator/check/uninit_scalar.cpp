// Definedness through scalar instructions and branches; uninit.hpp states the law.
#include <algorithm>

#include "simulator/check/checked_program.hpp"
#include "simulator/check/shadow.hpp"
#include "simulator/check/uninit.hpp"

namespace zellige::sim {
namespace {

constexpr std::uint64_t every_bit = ~std::uint64_t{0};

/// A scalar source: its value, and which of its bits are defined.
struct Bits {
  std::uint64_t value = 0, defined = every_bit;
};

Bits bits_of(const Wave& wave, const WaveDefinedness& defined, const Operand& operand) {
  if (operand.kind == OperandKind::constant) return {operand.constant(), every_bit};
  if (operand.kind != OperandKind::scalar) return {};
  if (operand.words == 1) return {wave.scalar[operand.index], defined.scalars[operand.index] | 0xffffffff'00000000u};
  return {wave.scalar64(operand.index), defined.scalar_pair(operand.index)};
}

bool covers_exec(const Operand& operand) {
  return operand.kind == OperandKind::scalar && operand.index <= scalar_exec + 1 &&
         operand.index + operand.words > scalar_exec;
}

/// The sources' bits joined by the instruction's rule.
std::uint64_t result_bits(const UninitPlan& plan, const Bits& a, Bits b, bool scc, bool scc_defined) {
  const bool all = a.defined == every_bit && b.defined == every_bit && (scc_defined || !plan.reads_scc);
  if (all) return every_bit;
  if (plan.inverts_second) b.value = ~b.value;
  switch (plan.rule) {
    case ScalarRule::move:
      return a.defined;
    case ScalarRule::conditional_move:
    case ScalarRule::select:
      return !scc_defined ? 0 : scc ? a.defined : b.defined;
    case ScalarRule::bit_and:
      return (a.defined & b.defined) | (a.defined & ~a.value) | (b.defined & ~b.value);
    case ScalarRule::bit_or:
      return (a.defined & b.defined) | (a.defined & a.value) | (b.defined & b.value);
    case ScalarRule::bit_each:
      return a.defined & b.defined;
    case ScalarRule::shift_left:
      if (b.defined != every_bit) return 0;
      return a.defined << (b.value & 63) | ((std::uint64_t{1} << (b.value & 63)) - 1);
    case ScalarRule::shift_right:
      if (b.defined != every_bit) return 0;
      return a.defined >> (b.value & 63) | ~(every_bit >> (b.value & 63));
    case ScalarRule::low_first: {
      if (plan.reads_scc && !scc_defined) return 0;
      const std::uint64_t open = ~(a.defined & b.defined);
      return (open & (0 - open)) - 1;
    }
    default:
      return 0;
  }
}

void define(WaveDefinedness& defined, const Operand& operand, std::uint64_t bits) {
  if (operand.kind != OperandKind::scalar) return;
  for (int word = 0; word < operand.words; ++word)
    defined.scalars[operand.index + word] = word == 0           ? static_cast<std::uint32_t>(bits)
                                            : word == 1         ? static_cast<std::uint32_t>(bits >> 32)
                                            : bits == every_bit ? ~0u
                                                                : 0u;
}

bool fault_open_source(const Step& step, const WaveDefinedness& defined, const char* use) {
  for (const RegisterSpan& span : step.plan.registers.scalars_read)
    for (int number = span.first; number < span.first + span.words; ++number)
      if (defined.scalars[number] != ~0u) return fault_undefined_scalar(step, number, use);
  raise_fault(step.wave, step.instruction, "uninitialised register: scc is used as %s, and nothing has defined it",
              use);
  return false;
}

bool branch(const Step& step, WaveDefinedness& defined) {
  const Wave& wave = step.wave;
  const UninitPlan& plan = step.plan.uninit;
  if (plan.condition == Condition::scc && !defined.scc) return fault_open_source(step, defined, "a branch condition");
  if (plan.condition == Condition::vcc) {
    const std::uint64_t lanes = wave.lanes == 64 ? every_bit : 0xffffffffu;
    const std::uint64_t known = defined.scalar_pair(scalar_vcc) | ~lanes, vcc = wave.scalar64(scalar_vcc) & lanes;
    if (known != every_bit && (vcc & known) == 0) {
      const int lane = __builtin_ctzll(~known);
      return fault_undefined_scalar(step, scalar_vcc + lane / 32, "a branch condition");
    }
  }
  if (plan.condition == Condition::none)
    for (const RegisterSpan& span : step.plan.registers.scalars_read)
      for (int number = span.first; number < span.first + span.words; ++number)
        if (defined.scalars[number] != ~0u) return fault_undefined_scalar(step, number, "the target of a jump");
  define(defined, step.instruction->dst, every_bit);
  return true;
}

}  // namespace

bool uninit_scalar(const Step& step) {
  Wave& wave = step.wave;
  const Instruction& i = *step.instruction;
  const UninitPlan& plan = step.plan.uninit;
  WaveDefinedness& defined = step.shadow.defined[static_cast<std::size_t>(wave.id)];
  if (plan.flow == Flow::branch) return branch(step, defined);

  const Bits a = bits_of(wave, defined, i.src[0]), b = bits_of(wave, defined, i.src[1]);
  const std::uint64_t result = result_bits(plan, a, b, wave.scc != 0, defined.scc);
  if (result != every_bit) {
    const std::uint64_t lanes = wave.lanes == 64 ? every_bit : 0xffffffffu;
    if (plan.saves_exec && (~a.defined & lanes) != 0) return fault_open_source(step, defined, "a bit of EXEC");
    if (covers_exec(i.dst)) {
      const std::uint64_t bits = i.dst.index == scalar_exec ? result : result << 32 | 0xffffffffu;
      if ((~bits & lanes) != 0) return fault_open_source(step, defined, "a bit of EXEC");
    }
  }
  define(defined, i.dst, plan.saves_exec ? every_bit : result);
  if (plan.writes_scc) {
    const std::uint64_t width = i.dst.words == 1 && i.dst.kind == OperandKind::scalar ? 0xffffffffu : every_bit;
    defined.scc = (result & width) == width;
    // One defined bit that is set decides whether the result is 0.
    if (plan.rule == ScalarRule::bit_and && !plan.inverts_second)
      defined.scc |= (a.value & b.value & result & width) != 0;
    if (plan.rule == ScalarRule::bit_or && !plan.inverts_second)
      defined.scc |= ((a.value | b.value) & result & width) != 0;
  }
  return true;
}

}  // namespace zellige::sim
