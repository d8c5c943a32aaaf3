// Coordinate transforms: how a tensor is seen as a matrix, as a list of small steps.
//
// A view maps a (row, column) pair to a byte offset and says whether the element exists. The list of steps (Transforms)
// is a compile-time value, their extents and strides (ViewParams) are run-time kernel arguments; a compiler folds
// evaluate() into the code that one would write by hand. Coordinates wrap in 32 bits, so that one unsigned comparison
// checks both ends.
//
//   constexpr auto matrix = matrix_view();             // row and column of a plain matrix
//   Element e = evaluate<matrix>(params, row, column);  // e.offset in bytes, e.exists
#pragma once

#include "zellige/core/array.hpp"
#include "zellige/core/math.hpp"

namespace zellige {

enum class TransformKind : int {
  none = 0,
  split = 1,   ///< unmerge: out0 = in0 / divider, out1 = in0 % divider
  embed = 2,   ///< out0 = in0 * scale0 + in1 * scale1 - shift, exists while out0 < extent: stride, dilation, pad and
               ///< slice in one
  limit = 3,   ///< exists while in0 < extent
  stride = 4,  ///< offset += in0 * stride
};

/// One step. `in` and `out` number coordinates; `param` is its place among the parameters of its kind.
struct Transform {
  TransformKind kind = TransformKind::none;
  int in0 = 0, in1 = 0, out0 = 0, out1 = 0;
  int param = 0;
};

inline constexpr int max_transforms = 20, max_coordinates = 16, max_dividers = 6, max_strides = 5;

/// Coordinates 0 and 1 are the matrix's row and column; steps define the others before they use them.
struct Transforms {
  Array<Transform, max_transforms> step{};
  int count = 0;

  // Each adds one step; the parameters of a kind are numbered in the order in which its steps are added.
  ZELLIGE_HD constexpr Transforms& split(int in, int quotient, int remainder) {
    return add({.kind = TransformKind::split, .in0 = in, .out0 = quotient, .out1 = remainder});
  }
  ZELLIGE_HD constexpr Transforms& embed(int outer, int tap, int out) {
    return add({.kind = TransformKind::embed, .in0 = outer, .in1 = tap, .out0 = out});
  }
  ZELLIGE_HD constexpr Transforms& limit(int in) { return add({.kind = TransformKind::limit, .in0 = in}); }
  ZELLIGE_HD constexpr Transforms& stride(int in) { return add({.kind = TransformKind::stride, .in0 = in}); }

 private:
  ZELLIGE_HD constexpr Transforms& add(Transform t) {
    for (int i = 0; i < count; ++i) t.param += step[i].kind == t.kind ? 1 : 0;
    step[count++] = t;
    return *this;
  }
};

struct EmbedParam {
  std::uint32_t scale0 = 1, scale1 = 0, shift = 0, extent = 0;
};

/// The run-time half of a view.
struct ViewParams {
  Array<MagicDivider, max_dividers> divider{};
  Array<EmbedParam, 3> embed{};
  Array<std::uint32_t, 3> limit{};
  Array<std::uint32_t, max_strides> stride{};  ///< bytes
};

struct Element {
  std::uint32_t offset = 0;  ///< bytes from the view's base; meaningless unless it exists
  bool exists = true;
};

/// Where element (row, column) of the view lies. Folds to straight-line code: conditions are combined without branches.
template <Transforms transforms>
ZELLIGE_HD constexpr Element evaluate(const ViewParams& params, std::uint32_t row, std::uint32_t column) {
  constexpr Transforms steps = transforms;  // nvcc cannot index a template argument in device code
  std::uint32_t x[max_coordinates] = {row, column};
  Element element{};
  ZELLIGE_UNROLL
  for (int i = 0; i < steps.count; ++i) {
    const Transform t = steps.step[i];
    if (t.kind == TransformKind::split) {
      x[t.out0] = params.divider[t.param].divide(x[t.in0]);
      x[t.out1] = x[t.in0] - x[t.out0] * params.divider[t.param].divisor;
    } else if (t.kind == TransformKind::embed) {
      const EmbedParam& p = params.embed[t.param];
      x[t.out0] = x[t.in0] * p.scale0 + x[t.in1] * p.scale1 - p.shift;
      element.exists = element.exists & (x[t.out0] < p.extent);
    } else if (t.kind == TransformKind::limit) {
      element.exists = element.exists & (x[t.in0] < params.limit[t.param]);
    } else if (t.kind == TransformKind::stride) {
      element.offset += x[t.in0] * params.stride[t.param];
    }
  }
  return element;
}

/// A plain matrix: params.limit = {rows, columns}, params.stride = {bytes between rows, bytes between columns}.
ZELLIGE_HD constexpr Transforms matrix_view() {
  Transforms t;
  t.limit(0).limit(1).stride(0).stride(1);
  return t;
}

/// The parameters of matrix_view(): strides in bytes.
constexpr ViewParams matrix_params(std::int64_t rows, std::int64_t columns, std::int64_t row_bytes,
                                   std::int64_t column_bytes) {
  ViewParams p;
  p.limit[0] = static_cast<std::uint32_t>(rows);
  p.limit[1] = static_cast<std::uint32_t>(columns);
  p.stride[0] = static_cast<std::uint32_t>(row_bytes);
  p.stride[1] = static_cast<std::uint32_t>(column_bytes);
  return p;
}

}  // namespace zellige
