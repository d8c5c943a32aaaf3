// A tensor in memory, seen as a matrix: a pointer, the steps of the view, and their run-time parameters.
//
// Law: element (row, column) lies at the view's offset where it exists, and is zero where it does not (padding, ragged
// edges). Kernels take the three parts apart (the pointer becomes a buffer with hardware bounds); hosts and tests use
// them together.
//
//   const View<float, matrix_view()> matrix{data, matrix_params(rows, columns, columns * 4, 4)};
//   float x = matrix.load(r, c);
#pragma once

#include "zellige/layout/transform.hpp"

namespace zellige {

template <class T, Transforms transforms>
struct View {
  T* data = nullptr;
  ViewParams params{};

  ZELLIGE_HD constexpr Element locate(std::uint32_t row, std::uint32_t column) const {
    return evaluate<transforms>(params, row, column);
  }

  ZELLIGE_HD constexpr T load(std::uint32_t row, std::uint32_t column) const {
    const Element element = locate(row, column);
    return element.exists ? data[element.offset / sizeof(T)] : T{};
  }

  /// False, and nothing is written, where the view has no such element.
  ZELLIGE_HD constexpr bool store(std::uint32_t row, std::uint32_t column, T value) const {
    const Element element = locate(row, column);
    if (element.exists) data[element.offset / sizeof(T)] = value;
    return element.exists;
  }
};

}  // namespace zellige
