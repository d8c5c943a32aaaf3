// Rows of the instance tables, and how they become configs.
//
// A row is one tiling for several types (and layouts). The tables are arrays of rows, a file for each family and kind
// of matrix instruction: gemm_mfma.hpp and conv_mfma.hpp (waves of 64), gemm_rdna.hpp and gemm_gfx1250.hpp (waves of
// 32) and so on. Each has a smoke table, of every build, and a full table, what ships beside it. A target gets, of the
// files of its kind, every config whose matrix instruction it has; such a config must then pass check(), which the
// compiler demands where the kernel is instantiated.
#pragma once

#include "zellige/conv/check.hpp"
#include "zellige/gemm/check.hpp"

namespace zellige::library {

// What rows say without a scope.
using enum Pipeline;
using enum LdsLayout;
using enum Walk;
using enum Store;
using enum Staging;
using enum Transpose;
using enum Scheduling;
using enum SplitK;

/// fp8 and bf8 are e4m3 and e5m2 of the target's own family: OCP or FNUZ.
struct TypeSet {
  bool f16 = false, bf16 = false, f32 = false, tf32 = false, f64 = false, i8 = false, fp8 = false, bf8 = false;

  constexpr bool has(DataType type) const {
    switch (type) {
      case DataType::f16: return f16;
      case DataType::bf16: return bf16;
      case DataType::f32: return f32;
      case DataType::tf32: return tf32;
      case DataType::f64: return f64;
      case DataType::i8: return i8;
      case DataType::f8e4m3:
      case DataType::f8e4m3fnuz: return fp8;
      case DataType::f8e5m2:
      case DataType::f8e5m2fnuz: return bf8;
      case DataType::i32: break;
    }
    return false;
  }
};

// Names that rows are read by.
inline constexpr TypeSet half{.f16 = true, .bf16 = true}, only_f16{.f16 = true}, only_bf16{.bf16 = true},
    single{.f32 = true}, only_tf32{.tf32 = true}, only_f64{.f64 = true}, only_i8{.i8 = true}, only_fp8{.fp8 = true},
    only_bf8{.bf8 = true}, float8{.fp8 = true, .bf8 = true}, eight_bit{.i8 = true, .fp8 = true, .bf8 = true};

/// Layouts of A and B: rr, rc, cr, cc as on the profiler's command line.
struct LayoutSet {
  bool rr = false, rc = false, cr = false, cc = false;

  constexpr bool has(MatrixOrder a, MatrixOrder b) const {
    return a == MatrixOrder::row ? (b == MatrixOrder::row ? rr : rc) : (b == MatrixOrder::row ? cr : cc);
  }
};

inline constexpr LayoutSet all_layouts{.rr = true, .rc = true, .cr = true, .cc = true}, only_rc{.rc = true},
    only_rr{.rr = true}, along_rows{.rr = true, .cr = true, .cc = true}, only_cr{.cr = true}, only_cc{.cc = true};

struct GemmRow {
  TypeSet types{};
  LayoutSet layouts = only_rc;
  bool wide_output = false;   ///< writes f32 whatever the input
  bool brain_output = false;  ///< writes bf16: of 8-bit floats
  Tiling tiling{};
};

struct ConvRow {
  TypeSet types{};
  int spatial = 2;
  bool wide_output = false, brain_output = false;
  WeightType weight = WeightType::same;
  Tiling tiling{};
};

template <class Row>
constexpr DataType output_of(const Row& row, DataType input) {
  return row.wide_output ? DataType::f32 : row.brain_output ? DataType::bf16 : zellige::output_of(input);
}

/// Configs of a target, in the order of the rows.
template <class Config>
struct ConfigList {
  static constexpr int capacity = 640;
  Array<Config, capacity> config{};
  int count = 0;

  /// Only where the target has the config's matrix instruction. Past the capacity a constant expression fails here.
  constexpr void add(Arch arch, const Config& c) {
    const InputTypes types{c.input, weight_of(c.input, c.weight)};
    if (find_mma(arch, types, c.tiling.atom).op != MmaOp::none) config[count++] = c;
  }
};

inline constexpr MatrixOrder table_orders[] = {MatrixOrder::row, MatrixOrder::column};

template <std::size_t count>
constexpr void append(ConfigList<GemmConfig>& list, Arch arch, const GemmRow (&rows)[count]) {
  for (const GemmRow& row : rows) {
    for (DataType type : all_data_types) {
      for (MatrixOrder a : table_orders) {
        for (MatrixOrder b : table_orders) {
          if (!row.types.has(type) || !row.layouts.has(a, b)) continue;
          list.add(arch, {.input = type,
                          .output = output_of(row, type),
                          .order_a = a,
                          .order_b = b,
                          .tiling = row.tiling});
        }
      }
    }
  }
}

template <std::size_t count>
constexpr void append(ConfigList<ConvConfig>& list, Arch arch, const ConvRow (&rows)[count]) {
  for (const ConvRow& row : rows) {
    for (DataType type : all_data_types) {
      if (!row.types.has(type)) continue;
      list.add(arch, {.input = type,
                      .output = output_of(row, type),
                      .weight = row.weight,
                      .spatial = row.spatial,
                      .tiling = row.tiling});
    }
  }
}

}  // namespace zellige::library
