// The reference in double: convolutions are gathered into matrices block by block, and BLAS multiplies those.
#include "zellige/reference/reference.hpp"

#include <cblas.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "parallel.hpp"

namespace zellige::reference {

namespace {

/// Doubles of the gathered matrix that are multiplied at once: 16 MiB, which shares a last-level cache with the
/// weights.
constexpr std::int64_t block_elements = 1 << 21;
constexpr std::int64_t grain = 1 << 14;

// Not std::vector: its elements need not be zeroed before they are written.
using Doubles = std::unique_ptr<double[]>;
Doubles make_doubles(std::int64_t count) {
  return std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(count));
}

/// A packed copy of `rows` lines of `columns` elements that lie `stride` apart.
Doubles lines_of(DataType type, const void* data, std::int64_t rows, std::int64_t columns, std::int64_t stride) {
  Doubles lines = make_doubles(rows * columns);
  with_elements(type, data, [&](const auto* elements) {
    parallel_for(rows, grain / columns + 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) {
        for (std::int64_t c = 0; c < columns; ++c) lines[r * columns + c] = to_double(elements[r * stride + c]);
      }
    });
  });
  return lines;
}

void make_absolute(double* values, std::int64_t count) {
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) values[i] = std::fabs(values[i]);
  });
}

/// One matrix of a product: its lines, and whether they are rows of the mathematical matrix.
struct Operand {
  const double* values;
  std::int64_t line;  ///< doubles between lines
  bool rows;
};

void multiply(std::int64_t m, std::int64_t n, std::int64_t k, Operand a, Operand b, double* c, std::int64_t row) {
  cblas_dgemm(CblasRowMajor, a.rows ? CblasNoTrans : CblasTrans, b.rows ? CblasNoTrans : CblasTrans,
              static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), 1.0, a.values, static_cast<int>(a.line),
              b.values, static_cast<int>(b.line), 0.0, c, static_cast<int>(row));
}

/// Where the taps of output pixels lie in the input.
class Taps {
 public:
  explicit Taps(const ConvProblem& problem) : problem_(problem), shifts_(static_cast<std::size_t>(problem.taps())) {
    for (std::int64_t tap = 0; tap < problem.taps(); ++tap) {
      std::int64_t rest = tap;
      for (int axis = problem.spatial - 1; axis >= 0; --axis) {
        const ConvAxis& a = problem.axis[axis];
        shifts_[static_cast<std::size_t>(tap)][axis] = rest % a.filter * a.dilation;
        rest /= a.filter;
      }
    }
  }

  /// Calls body(pixel) for each tap of output pixel `m`: the number of the input pixel, -1 in the padding.
  template <class Body>
  void visit(std::int64_t m, const Body& body) const {
    Array<std::int64_t, max_spatial> first{};
    std::int64_t image = m;
    for (int axis = problem_.spatial - 1; axis >= 0; --axis) {
      const ConvAxis& a = problem_.axis[axis];
      first[axis] = image % outputs_[axis] * a.stride - a.pad_before;
      image /= outputs_[axis];
    }
    for (const auto& shift : shifts_) {
      std::int64_t pixel = image;
      bool exists = true;
      for (int axis = 0; axis < problem_.spatial; ++axis) {
        const std::int64_t at = first[axis] + shift[axis], size = problem_.axis[axis].size;
        exists &= at >= 0 && at < size;
        pixel = pixel * size + at;
      }
      body(exists ? pixel : -1);
    }
  }

 private:
  const ConvProblem& problem_;
  std::vector<Array<std::int64_t, max_spatial>> shifts_;
  Array<std::int64_t, max_spatial> outputs_{problem_.axis[0].outputs(), problem_.axis[1].outputs(),
                                            problem_.axis[2].outputs()};
};

/// Rows [first, first + rows) of the matrix of taps and channels of one group.
void gather(const ConvProblem& p, const Taps& taps, const void* input, std::int64_t group, std::int64_t first,
            std::int64_t rows, double* to) {
  const std::int64_t channels = p.channels_per_group(), depth = p.taps() * channels;
  with_elements(p.input, input, [&](const auto* x) {
    parallel_for(rows, grain / depth + 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) {
        double* line = to + r * depth;
        taps.visit(first + r, [&](std::int64_t pixel) {
          if (pixel < 0) {
            std::fill_n(line, channels, 0.0);
          } else {
            const auto* from = x + pixel * p.c + group * channels;
            for (std::int64_t c = 0; c < channels; ++c) line[c] = to_double(from[c]);
          }
          line += channels;
        });
      }
    });
  });
}

}  // namespace

Result gemm(const GemmProblem& p, const void* a, const void* b, bool with_magnitude) {
  Result result{
      .rows = p.m, .columns = p.n, .depth = p.k, .accumulator = accumulator_of(p.input), .value = {}, .magnitude = {}};
  result.value.resize(static_cast<std::size_t>(p.m * p.n));
  const bool row_a = p.order_a == MatrixOrder::row, row_b = p.order_b == MatrixOrder::row;
  const std::int64_t line_a = row_a ? p.k : p.m, line_b = row_b ? p.n : p.k;
  const Doubles values_a = lines_of(p.input, a, row_a ? p.m : p.k, line_a, p.stride_a());
  const Doubles values_b = lines_of(p.input, b, row_b ? p.k : p.n, line_b, p.stride_b());
  const Operand operand_a{values_a.get(), line_a, row_a}, operand_b{values_b.get(), line_b, row_b};
  multiply(p.m, p.n, p.k, operand_a, operand_b, result.value.data(), p.n);
  if (with_magnitude) {
    make_absolute(values_a.get(), p.m * p.k);
    make_absolute(values_b.get(), p.k * p.n);
    result.magnitude.resize(result.value.size());
    multiply(p.m, p.n, p.k, operand_a, operand_b, result.magnitude.data(), p.n);
  }
  return result;
}

Verdict supports(const ConvProblem& p) {
  if (Verdict v = validate(p); !v.ok) return v;
  if (p.direction != ConvDirection::forward) {
    return refuse(Reason::direction_mismatch, Text{} << "the reference computes forward convolutions only");
  }
  return {};
}

Result conv(const ConvProblem& p, const void* input, const void* weight, const void*, bool with_magnitude) {
  const std::int64_t filters = p.filters_per_group(), depth = p.taps() * p.channels_per_group();
  Result result{.rows = p.n * p.output_pixels(),
                .columns = p.k,
                .depth = depth,
                .accumulator = accumulator_of(p.input),
                .value = {},
                .magnitude = {}};
  result.value.resize(static_cast<std::size_t>(result.rows * p.k));
  if (with_magnitude) result.magnitude.resize(result.value.size());

  const std::int64_t rows_at_once = std::clamp<std::int64_t>(block_elements / depth, 1, result.rows);
  const Doubles gathered = make_doubles(rows_at_once * depth);
  const Doubles weights = lines_of(p.weight, weight, p.k, depth, depth),
                absolute = make_doubles(with_magnitude ? p.k * depth : 0);
  if (with_magnitude) {
    std::memcpy(absolute.get(), weights.get(), static_cast<std::size_t>(p.k * depth) * sizeof(double));
    make_absolute(absolute.get(), p.k * depth);
  }
  const Taps taps(p);
  for (std::int64_t group = 0; group < p.groups; ++group) {
    for (std::int64_t first = 0; first < result.rows; first += rows_at_once) {
      const std::int64_t rows = std::min(rows_at_once, result.rows - first), from = first * p.k + group * filters;
      gather(p, taps, input, group, first, rows, gathered.get());
      const Operand pixels{gathered.get(), depth, true};
      multiply(rows, filters, depth, pixels, {weights.get() + group * filters * depth, depth, false},
               &result.value[from], p.k);
      if (!with_magnitude) continue;
      make_absolute(gathered.get(), rows * depth);
      multiply(rows, filters, depth, pixels, {absolute.get() + group * filters * depth, depth, false},
               &result.magnitude[from], p.k);
    }
  }
  return result;
}

}  // namespace zellige::reference
