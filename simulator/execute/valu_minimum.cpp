// Minimum and maximum of IEEE 754-2019 (a NaN wins), and minima of maxima.
//
// Law: v_minmax is max(min(a, b), c) and v_maxmin min(max(a, b), c); names with "minimum" and "maximum" propagate NaN,
// the others prefer numbers.
#include "simulator/execute/half_math.hpp"
#include "simulator/execute/integer_math.hpp"
#include "simulator/execute/valu.hpp"

namespace zellige::sim::ZELLIGE_SIM_ISA {
namespace {

using HalfPair = Pair<f16>;
using SignedPair = Pair<i16>;
using UnsignedPair = Pair<u16>;

#define ZELLIGE_FLOATS(type, T)                                        \
  valu<[](T a, T b) { return minimum_nan(a, b); }>("v_minimum_" type), \
      valu<[](T a, T b) { return maximum_nan(a, b); }>("v_maximum_" type)
#define ZELLIGE_THREE(type, T)                                                                         \
  valu<[](T a, T b, T c) { return maximum_number(minimum_number(a, b), c); }>("v_minmax_" type),       \
      valu<[](T a, T b, T c) { return minimum_number(maximum_number(a, b), c); }>("v_maxmin_" type),   \
      valu<[](T a, T b, T c) { return maximum_nan(minimum_nan(a, b), c); }>("v_minimummaximum_" type), \
      valu<[](T a, T b, T c) { return minimum_nan(maximum_nan(a, b), c); }>("v_maximumminimum_" type)
#define ZELLIGE_INTEGERS(type, T)                                                 \
  valu<[](T a, T b, T c) { return greatest(least(a, b), c); }>("v_minmax_" type), \
      valu<[](T a, T b, T c) { return least(greatest(a, b), c); }>("v_maxmin_" type)
#define ZELLIGE_WIDE(type, T)                                  \
  valu<[](T a, T b) { return a < b ? a : b; }>("v_min_" type), \
      valu<[](T a, T b) { return a > b ? a : b; }>("v_max_" type)
#define ZELLIGE_PAIRS(name, P, function) \
  valu<[](P a, P b) { return P{function(a.low, b.low), function(a.high, b.high)}; }>(name)
#define ZELLIGE_PAIRS_THREE(name, P, function)                                                     \
  valu<[](P a, P b, P c) {                                                                         \
    return P{function(function(a.low, b.low), c.low), function(function(a.high, b.high), c.high)}; \
  }>(name)
/// The sum saturates, with and without `clamp`; then the limit.
#define ZELLIGE_ADD(name, T, limit, saturating)                                            \
  always_saturating(valu<[](T a, T b, T c) {                                               \
    return limit(static_cast<T>(saturating(static_cast<u32>(a), static_cast<u32>(b))), c); \
  }>(name))
#define ZELLIGE_ADD_PAIRS(name, P, limit, saturated)                                             \
  always_saturating(valu<[](P a, P b, P c) {                                                     \
    return P{limit(saturated(a.low + b.low), c.low), limit(saturated(a.high + b.high), c.high)}; \
  }>(name))

constexpr Operation always_saturating(Operation row) {
  row.clamped = row.plain;
  return row;
}

ZELLIGE_SIM_INLINE u16 saturate_u16(i32 a) { return static_cast<u16>(clamp_between(a, 0, 0xffff)); }

constexpr Operation rows[] = {
    ZELLIGE_FLOATS("f32", f32),
    ZELLIGE_FLOATS("f16", f16),
    ZELLIGE_FLOATS("f64", f64),
    ZELLIGE_THREE("f32", f32),
    ZELLIGE_THREE("f16", f16),
    valu<[](f16 a, f16 b, f16 c) { return minimum_nan(minimum_nan(a, b), c); }>("v_minimum3_f16"),
    valu<[](f16 a, f16 b, f16 c) { return maximum_nan(maximum_nan(a, b), c); }>("v_maximum3_f16"),
    ZELLIGE_INTEGERS("i32", i32),
    ZELLIGE_INTEGERS("u32", u32),
    ZELLIGE_WIDE("i64", i64),
    ZELLIGE_WIDE("u64", u64),
    ZELLIGE_ADD("v_add_min_i32", i32, least, add_sat_signed),
    ZELLIGE_ADD("v_add_max_i32", i32, greatest, add_sat_signed),
    ZELLIGE_ADD("v_add_min_u32", u32, least, add_sat),
    ZELLIGE_ADD("v_add_max_u32", u32, greatest, add_sat),
    ZELLIGE_PAIRS("v_pk_minimum_f16", HalfPair, minimum_nan),
    ZELLIGE_PAIRS("v_pk_maximum_f16", HalfPair, maximum_nan),
    ZELLIGE_PAIRS_THREE("v_pk_min3_num_f16", HalfPair, minimum_number),
    ZELLIGE_PAIRS_THREE("v_pk_max3_num_f16", HalfPair, maximum_number),
    ZELLIGE_PAIRS_THREE("v_pk_min3_i16", SignedPair, least),
    ZELLIGE_PAIRS_THREE("v_pk_max3_i16", SignedPair, greatest),
    ZELLIGE_PAIRS_THREE("v_pk_min3_u16", UnsignedPair, least),
    ZELLIGE_PAIRS_THREE("v_pk_max3_u16", UnsignedPair, greatest),
    ZELLIGE_ADD_PAIRS("v_pk_add_min_i16", SignedPair, least, saturate_i16),
    ZELLIGE_ADD_PAIRS("v_pk_add_max_i16", SignedPair, greatest, saturate_i16),
    ZELLIGE_ADD_PAIRS("v_pk_add_min_u16", UnsignedPair, least, saturate_u16),
    ZELLIGE_ADD_PAIRS("v_pk_add_max_u16", UnsignedPair, greatest, saturate_u16),
};

}  // namespace

OperationTable valu_minimum_operations() { return table_of(rows); }

}  // namespace zellige::sim::ZELLIGE_SIM_ISA
