// What the bulk tensor copy engine is told about a tensor, without its address: a plain value that a plan keeps.
#pragma once

#include "zellige/atom/tensor_copy.hpp"
#include "zellige/core/array.hpp"
#include "zellige/core/types.hpp"

namespace zellige {

/// A tensor and the box that one copy moves; axis 0 is contiguous. For images (im2col) the axes are channels, w, h and
/// images (of rank 5: every n-th row, images, and the rows between), and a copy moves `box[0]` channels of `pixels`
/// consecutive positions.
struct TensorMapShape {
  static constexpr int most_axes = 5;
  DataType type = DataType::bf16;
  int rank = 0;
  Array<std::int64_t, most_axes> extent{};  ///< elements
  Array<std::int64_t, most_axes> stride{};  ///< bytes, of axes 1 and on; multiples of 16
  Array<int, most_axes> box{};              ///< elements
  bool swizzled = true;                     ///< boxes lie in shared memory as warpgroups read tiles; else as they are
  bool image = false;
  int pixels = 0;
  Array<int, 3> first{}, past_last{};  ///< w, h, images: corners of the positions, relative to the axes' ends
  Array<int, 2> step{1, 1};            ///< w, h: between positions

  constexpr int row_bytes() const { return box[0] * bytes_of(type); }
  bool operator==(const TensorMapShape&) const = default;
};

}  // namespace zellige
