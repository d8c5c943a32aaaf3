// A convolution whose tensors pass what one dispatch addresses, as a list of smaller ones.
//
// Whole images go into chunks; an image that is too large by itself is cut into rows of its outermost axis, each chunk
// of output rows with the input rows that its taps reach (neighbouring chunks overlap there: the halo). A chunk is a
// convolution of its own on pointers that lie further on: nothing is copied.
//
// Laws: chunks write every output exactly once, and each computes it from the same taps in the same order as the whole
// problem would, so the bits are those of one dispatch; no chunk's input or output is larger than the limit.
#pragma once

#include "zellige/conv/problem.hpp"
#include "zellige/core/even_split.hpp"

namespace zellige {

/// `n` images of `image_bytes` (the larger of an image's input and output) in chunks of at most `limit` bytes.
constexpr EvenSplit split_batch(std::int64_t n, std::int64_t image_bytes, std::int64_t limit) {
  return split_evenly(n, limit / image_bytes);
}

/// How split_problem() cuts: chunks of images, or each image alone in chunks of output rows.
struct ConvSplit {
  Verdict verdict{};  ///< refuses where not even a row fits, or where there would be too many chunks
  EvenSplit images{}, rows{};
  bool by_rows =
      false;     ///< chunks get the input rows that they need (where one chunk needs few of them, maybe just one)
  int axis = 0;  ///< of the rows: the outermost one that has any

  constexpr std::int64_t chunks() const { return images.chunks * rows.chunks; }
  /// Output pixels of the largest chunk.
  constexpr std::int64_t most_rows(const ConvProblem& p) const {
    const std::int64_t row = p.output_pixels() / p.axis[axis].outputs();
    return images.longest() * rows.longest() * row;
  }
};

/// One chunk. Its padding may be negative: then its rows lie wholly in the problem's padding, and every tap outside of
/// the row of input that it is given.
struct ConvChunk {
  ConvProblem problem{};
  std::int64_t offset_input = 0, offset_output = 0;  ///< bytes from the begin of the problem's tensors
};

namespace detail {

/// The first axis that is not a mere 1: rows of the axes outside of it are alone in their image.
constexpr int outermost_axis(const ConvProblem& p) {
  int axis = 0;
  while (axis + 1 < p.spatial && p.axis[axis].size == 1 && p.axis[axis].outputs() == 1) ++axis;
  return axis;
}

/// Bytes of one input and one output row of the axis.
struct RowBytes {
  std::int64_t input = 0, output = 0;
};
constexpr RowBytes row_bytes(const ConvProblem& p, int axis) {
  return {p.input_pixels() / p.axis[axis].size * p.c * bytes_of(p.input),
          p.output_pixels() / p.axis[axis].outputs() * p.k * bytes_of(p.output)};
}

/// Input rows that `rows` successive output rows span, those in the padding included.
constexpr std::int64_t span_of(const ConvAxis& a, std::int64_t rows) {
  return (rows - 1) * a.stride + a.dilation * (a.filter - 1) + 1;
}

}  // namespace detail

/// Cuts the problem so that no chunk's input or output passes `limit` bytes. Needs validate(p).ok.
constexpr ConvSplit split_problem(const ConvProblem& p, std::int64_t limit) {
  ConvSplit s{.axis = detail::outermost_axis(p)};
  const std::int64_t image_in = input_bytes(p).value / p.n, image_out = output_bytes(p).value / p.n;
  s.images = split_batch(p.n, max_of(image_in, image_out), limit);
  const ConvAxis& a = p.axis[s.axis];
  s.rows = split_evenly(a.outputs(), a.outputs());
  if (!s.images.ok()) {
    const detail::RowBytes row = detail::row_bytes(p, s.axis);
    const std::int64_t rows_in = limit / row.input, all = a.size;
    // Chunks at the ends may reach fewer rows than this counts, which only makes them smaller.
    const std::int64_t span = detail::span_of(a, 1);
    const std::int64_t most_in = rows_in >= all ? a.outputs() : rows_in >= span ? (rows_in - span) / a.stride + 1 : 0;
    s.by_rows = true;
    s.images = split_evenly(p.n, 1);
    s.rows = split_evenly(a.outputs(), min_of(most_in, limit / row.output));
    if (!s.rows.ok()) {
      s.verdict =
          refuse(Reason::tensor_too_large, Text{} << "one image has " << image_in << " bytes of input and " << image_out
                                                  << " of output, and one output row alone " << row.output << " and "
                                                  << min_of(span, all) << " input rows of " << row.input
                                                  << ", over the " << limit << " that one dispatch can address");
      return s;
    }
  }
  s.verdict = check_chunks(CheckedSize{s.images.chunks}.times(s.rows.chunks), limit);
  return s;
}

/// Chunk `index` of split_problem(p, limit), 0 <= index < s.chunks().
constexpr ConvChunk chunk_of(const ConvProblem& p, const ConvSplit& s, std::int64_t index) {
  const EvenSplit::Range images = s.images.chunk(index / s.rows.chunks), rows = s.rows.chunk(index % s.rows.chunks);
  ConvChunk chunk{.problem = p,
                  .offset_input = input_bytes(p).value / p.n * images.first,
                  .offset_output = output_bytes(p).value / p.n * images.first};
  chunk.problem.n = images.size;
  if (!s.by_rows) return chunk;
  const detail::RowBytes row = detail::row_bytes(p, s.axis);
  const ConvAxis& whole = p.axis[s.axis];
  const std::int64_t begin = rows.first * whole.stride - whole.pad_before, span = detail::span_of(whole, rows.size);
  const std::int64_t first = min_of(max_of<std::int64_t>(begin, 0), whole.size - 1);
  const std::int64_t last = max_of(first, min_of(begin + span, whole.size) - 1);
  ConvAxis& part = chunk.problem.axis[s.axis];
  part.size = last - first + 1;
  part.pad_before = first - begin;
  part.pad_after = span - part.size - part.pad_before;
  chunk.offset_input += first * row.input;
  chunk.offset_output += rows.first * row.output;
  return chunk;
}

}  // namespace zellige
