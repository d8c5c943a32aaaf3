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

struct TypeSet {
  bool f16 = false, bf16 = false, f32 = false;

  constexpr bool has(DataType type) const {
    return type == DataType::f16 ? f16 : type == DataType::bf16 ? bf16 : type == DataType::f32 && f32;
  }
};

// Names that rows are read by.
inline constexpr TypeSet half{.f16 = true, .bf16 = true}, only_f16{.f16 = true}, only_bf16{.bf16 = true},
    single{.f32 = true};

/// Layouts of A and B: rr, rc, cr, cc as on the profiler's command line.
struct LayoutSet {
  bool rr = false, rc = false, cr = false, cc = false;

  constexpr bool has(MatrixOrder a, MatrixOrder b) const {
    return a == MatrixOrder::row ? (b == MatrixOrder::row ? rr : rc) : (b == MatrixOrder::row ? cr : cc);
  }
};

inline constexpr LayoutSet all_layouts{.rr = true, .rc = true, .cr = true, .cc = true}, only_rc{.rc = true},
    only_rr{.rr = true}, only_cr{.cr = true}, only_cc{.cc = true};

struct GemmRow {
  TypeSet types{};
  LayoutSet layouts = only_rc;
  bool wide_output = false;  ///< writes f32 whatever the input
  Tiling tiling{};
};

struct ConvRow {
  TypeSet types{};
  int spatial = 2;
  bool wide_output = false;
  Tiling tiling{};
};

/// Configs of a target, in the order of the rows.
template <class Config>
struct ConfigList {
  static constexpr int capacity = 640;
  Array<Config, capacity> config{};
  int count = 0;

  /// Only where the target has the config's matrix instruction. Past the capacity a constant expression fails here.
  constexpr void add(Arch arch, const Config& c) {
    if (find_mma(arch, c.input, c.tiling.atom).op != MmaOp::none) config[count++] = c;
  }
};

inline constexpr DataType table_types[] = {DataType::f16, DataType::bf16, DataType::f32};
inline constexpr MatrixOrder table_orders[] = {MatrixOrder::row, MatrixOrder::column};

template <std::size_t count>
constexpr void append(ConfigList<GemmConfig>& list, Arch arch, const GemmRow (&rows)[count]) {
  for (const GemmRow& row : rows) {
    for (DataType type : table_types) {
      for (MatrixOrder a : table_orders) {
        for (MatrixOrder b : table_orders) {
          if (!row.types.has(type) || !row.layouts.has(a, b)) continue;
          list.add(arch, {.input = type,
                          .output = row.wide_output ? DataType::f32 : type,
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
    for (DataType type : table_types) {
      if (!row.types.has(type)) continue;
      list.add(arch, {.input = type,
                      .output = row.wide_output ? DataType::f32 : type,
                      .spatial = row.spatial,
                      .tiling = row.tiling});
    }
  }
}

}  // namespace zellige::library
