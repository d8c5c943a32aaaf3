// Transcendental functions of scalars (gfx12 and later): v_s_exp_f32 and the like, on the vector unit with scalar
// operands.
//
// Law: as the vector instructions of the same names, on one value; a half result clears the high half of its register.
#include "simulator/execute/half_math.hpp"
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

struct Exponential {
  ZELLIGE_SIM_INLINE static f32 of(f32 a) { return exp2_float(a); }
};
struct Logarithm {
  ZELLIGE_SIM_INLINE static f32 of(f32 a) { return log2_float(a); }
};
struct Reciprocal {
  ZELLIGE_SIM_INLINE static f32 of(f32 a) { return 1.0f / a; }
};
struct ReciprocalRoot {
  ZELLIGE_SIM_INLINE static f32 of(f32 a) { return reciprocal_root(a); }
};
struct SquareRoot {
  ZELLIGE_SIM_INLINE static f32 of(f32 a) { return __builtin_sqrtf(a); }
};

ZELLIGE_SIM_INLINE f32 with_signs(f32 a, u32 modifiers) {
  const f32 magnitude = modifiers & modifier_absolute ? absolute(a) : a;
  return modifiers & modifier_negate ? -magnitude : magnitude;
}
ZELLIGE_SIM_INLINE f32 with_output(f32 a, const Instruction* i) {
  const f32 scaled = i->out_modifier == 1   ? a * 2.0f
                     : i->out_modifier == 2 ? a * 4.0f
                     : i->out_modifier == 3 ? a * 0.5f
                                            : a;
  if (!(i->flags & flag_clamp)) return scaled;
  return !(scaled > 0.0f) ? 0.0f : scaled > 1.0f ? 1.0f : scaled;
}

template <class F>
const Instruction* single(Wave& wave, const Instruction* i) {
  const f32 a = with_signs(bits_as<f32>(read_scalar32(wave, i->src[0])), i->src[0].modifiers);
  if (i->dst.kind == OperandKind::scalar) wave.scalar[i->dst.index] = bits_as<u32>(with_output(F::of(a), i));
  return i + 1;
}
template <class F>
const Instruction* half(Wave& wave, const Instruction* i) {
  const u32 bits = read_scalar32(wave, i->src[0]) >> (i->src[0].modifiers & modifier_op_sel ? 16 : 0);
  const f32 a = with_signs(widen(bits_as<f16>(static_cast<u16>(bits))), i->src[0].modifiers);
  const f16 result = narrow(with_output(widen(narrow(F::of(a))), i));
  if (i->dst.kind == OperandKind::scalar) wave.scalar[i->dst.index] = bits_as<u16>(result);
  return i + 1;
}

constexpr Operation scalar_result(std::string_view mnemonic, Handler handler, ValueType source) {
  Operation row = special(mnemonic, handler, ValueType::b32, source);
  row.op_class = OpClass::valu_transcendental;
  row.flags |= flag_own_modifiers;
  return row;
}

#define ZELLIGE_FUNCTION(name, F) \
  scalar_result(name "_f32", &single<F>, ValueType::f32), scalar_result(name "_f16", &half<F>, ValueType::f16)

constexpr Operation rows[] = {
    ZELLIGE_FUNCTION("v_s_exp", Exponential), ZELLIGE_FUNCTION("v_s_log", Logarithm),
    ZELLIGE_FUNCTION("v_s_rcp", Reciprocal),  ZELLIGE_FUNCTION("v_s_rsq", ReciprocalRoot),
    ZELLIGE_FUNCTION("v_s_sqrt", SquareRoot),
};

}  // namespace

OperationTable valu_scalar_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
