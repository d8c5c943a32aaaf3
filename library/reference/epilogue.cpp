// Epilogues in double.
#include "zellige/reference/epilogue.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "parallel.hpp"

namespace zellige::reference {

namespace {

std::vector<double> doubles_of(DataType type, const void* data, std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  with_elements(type, data, [&](const auto* elements) {
    for (std::int64_t i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = to_double(elements[i]);
  });
  return values;
}

}  // namespace

void apply_epilogue(Result& result, const Epilogue& epilogue, const EpilogueTensors& tensors, DataType input,
                    DataType output) {
  if (epilogue.is_identity()) return;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double low = epilogue.activation == Activation::clamp  ? epilogue.low
                     : epilogue.activation == Activation::relu ? 0
                                                               : -infinity;
  const double high = epilogue.activation == Activation::clamp ? epilogue.high : infinity;
  const std::int64_t columns = result.columns;
  const auto vector = [&](bool present, const void* data, double otherwise) {
    return present ? doubles_of(vector_type(input), data, columns)
                   : std::vector<double>(static_cast<std::size_t>(columns), otherwise);
  };
  const std::vector<double> scale = vector(epilogue.scale, tensors.scale, 1),
                            bias = vector(epilogue.bias, tensors.bias, 0);
  const bool with_magnitude = !result.magnitude.empty();
  with_elements(output, tensors.residual, [&](const auto* residual) {
    for (std::int64_t row = 0; row < result.rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        const auto i = static_cast<std::size_t>(row * columns + column), c = static_cast<std::size_t>(column);
        const double added = epilogue.residual ? to_double(residual[row * tensors.row_stride + column]) : 0;
        const double x = result.value[i] * scale[c] + bias[c] + added;
        result.value[i] = x < low ? low : x > high ? high : x;
        if (with_magnitude)
          result.magnitude[i] = result.magnitude[i] * std::fabs(scale[c]) + std::fabs(bias[c]) + std::fabs(added);
      }
    }
  });
  result.depth += 3;
}

void fill_scale(void* data, DataType type, std::int64_t count, Fill kind, std::uint64_t seed) {
  fill(data, type, count, kind, seed, 1 << 20, type);
  if (kind != Fill::integers) return;
  with_elements(type, data, [&]<class T>(const T*) {
    T* const elements = static_cast<T*>(data);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto whole = static_cast<int>(to_double(elements[i]));
      if constexpr (std::is_floating_point_v<T>)
        elements[i] = static_cast<T>((whole % 2 == 0 ? 1 : 0.5) * (whole + i % 2 > 0 ? 1 : -1));
    }
  });
}

}  // namespace zellige::reference
