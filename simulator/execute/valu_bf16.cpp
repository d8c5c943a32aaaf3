// bfloat16 arithmetic and the hyperbolic tangent (gfx1250), and bfloat16 dot products.
//
// Law: bf16_math.hpp's.
#include "simulator/execute/bf16_math.hpp"
#include "simulator/execute/mixed_source.hpp"
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

using Bf16Pair = Pair<bf16>;

constexpr OpClass transcendental = OpClass::valu_transcendental;

/// v_fma_mix_f32_bf16, v_fma_mixlo_bf16, v_fma_mixhi_bf16: where = 0, 1, 2.
template <int where>
const Instruction* mixed_fma(Wave& wave, const Instruction* i) {
  SourceRows room[3];
  alignas(64) f32 a[row_lanes], b[row_lanes], c[row_lanes];
  MixedSource(wave, i->src[0], room[0]).expand<bf16>(a);
  MixedSource(wave, i->src[1], room[1]).expand<bf16>(b);
  MixedSource(wave, i->src[2], room[2]).expand<bf16>(c);
  u32* rows = wave.row(i->dst.index);
  const u32* exec = wave.exec_mask;
  if constexpr (where == 0) {
    ZELLIGE_SIM_LANES Value<f32>::store(rows, lane, __builtin_fmaf(a[lane], b[lane], c[lane]), exec[lane]);
  } else {
    constexpr u32 field = where == 1 ? 0x0000'ffffu : 0xffff'0000u;
    const bool clamp = (i->flags & flag_clamp) != 0;
    ZELLIGE_SIM_LANES {
      f32 value =
          widen(narrow_double_bf16(static_cast<f64>(a[lane]) * static_cast<f64>(b[lane]) + static_cast<f64>(c[lane])));
      if (clamp) value = !(value > 0.0f) ? 0.0f : value > 1.0f ? 1.0f : value;
      const u32 bits = to_bf16(value) << (where == 1 ? 0 : 16);
      const u32 mask = exec[lane] & field;
      rows[lane] = (bits & mask) | (rows[lane] & ~mask);
    }
  }
  return i + 1;
}

constexpr Operation mixed(std::string_view mnemonic, Handler handler, ValueType dst) {
  Operation row = special(mnemonic, handler, dst, ValueType::f32, ValueType::f32, ValueType::f32);
  row.flags |= flag_own_modifiers;
  return row;
}

/// The products are added to c one after the other, each sum rounded.
ZELLIGE_SIM_INLINE bf16 dot_bf16(Bf16Pair a, Bf16Pair b, bf16 c) {
  const f32 first = widen(c) + widen(a.low) * widen(b.low);
  return narrow_bf16(first + widen(a.high) * widen(b.high));
}
ZELLIGE_SIM_INLINE f16 dot_half(Pair<f16> a, Pair<f16> b, f16 c) {
  const f64 sum = static_cast<f64>(widen(c)) + static_cast<f64>(widen(a.low)) * static_cast<f64>(widen(b.low)) +
                  static_cast<f64>(widen(a.high)) * static_cast<f64>(widen(b.high));
  return narrow_double(sum);
}

#define ZELLIGE_FUNCTION(name, function) \
  valu<[](bf16 a) { return narrow_bf16(function(widen(a))); }>(name, transcendental)
#define ZELLIGE_PAIRS(name, low_value, high_value) \
  valu<[](Bf16Pair a, Bf16Pair b) { return Bf16Pair{low_value, high_value}; }>(name)

constexpr Operation rows[] = {
    ZELLIGE_PAIRS("v_pk_add_bf16", fma_bf16(widen(a.low), 1.0f, widen(b.low)),
                  fma_bf16(widen(a.high), 1.0f, widen(b.high))),
    ZELLIGE_PAIRS("v_pk_mul_bf16", narrow_bf16(widen(a.low) * widen(b.low)),
                  narrow_bf16(widen(a.high) * widen(b.high))),
    ZELLIGE_PAIRS("v_pk_min_num_bf16", narrow_bf16(minimum_number(widen(a.low), widen(b.low))),
                  narrow_bf16(minimum_number(widen(a.high), widen(b.high)))),
    ZELLIGE_PAIRS("v_pk_max_num_bf16", narrow_bf16(maximum_number(widen(a.low), widen(b.low))),
                  narrow_bf16(maximum_number(widen(a.high), widen(b.high)))),
    valu<[](Bf16Pair a, Bf16Pair b, Bf16Pair c) {
      return Bf16Pair{fma_bf16(widen(a.low), widen(b.low), widen(c.low)),
                      fma_bf16(widen(a.high), widen(b.high), widen(c.high))};
    }>("v_pk_fma_bf16"),
    valu<[](Bf16Pair a, Bf16Pair b, bf16 c) { return dot_bf16(a, b, c); }>("v_dot2_bf16_bf16"),
    valu<[](Pair<f16> a, Pair<f16> b, f16 c) { return dot_half(a, b, c); }>("v_dot2_f16_f16"),
    mixed("v_fma_mix_f32_bf16", &mixed_fma<0>, ValueType::f32),
    mixed("v_fma_mixlo_bf16", &mixed_fma<1>, ValueType::b32),
    mixed("v_fma_mixhi_bf16", &mixed_fma<2>, ValueType::b32),
    ZELLIGE_FUNCTION("v_exp_bf16", exp2_float),
    ZELLIGE_FUNCTION("v_log_bf16", log2_float),
    valu<[](bf16 a) { return narrow_bf16(1.0f / widen(a)); }>("v_rcp_bf16", transcendental),
    ZELLIGE_FUNCTION("v_rsq_bf16", reciprocal_root),
    ZELLIGE_FUNCTION("v_sqrt_bf16", __builtin_sqrtf),
    valu<[](bf16 a) { return narrow_bf16(sine_turns(widen(a), 0)); }>("v_sin_bf16", transcendental),
    valu<[](bf16 a) { return narrow_bf16(sine_turns(widen(a), 1)); }>("v_cos_bf16", transcendental),
    ZELLIGE_FUNCTION("v_tanh_bf16", tangent_hyperbolic),
    valu<[](f16 a) { return narrow(tangent_hyperbolic(widen(a))); }>("v_tanh_f16", transcendental),
    valu<[](f32 a) { return tangent_hyperbolic(a); }>("v_tanh_f32", transcendental),
};

}  // namespace

OperationTable valu_bf16_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
