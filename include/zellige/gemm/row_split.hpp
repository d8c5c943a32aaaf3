// A matrix product whose A or C passes what one dispatch addresses, as a list of products of fewer rows.
//
// Laws: chunks are ranges of whole row blocks, so that each block is computed as one dispatch would compute it; no
// chunk's A or C is larger than the limit. B is read whole by every chunk, and must fit.
#pragma once

#include "zellige/core/even_split.hpp"
#include "zellige/gemm/problem.hpp"

namespace zellige {

/// How split_rows() cuts: chunks of row blocks, or the problem as it is.
struct GemmSplit {
  Verdict verdict{};   ///< refuses where not even a block of rows fits, or where there would be too many chunks
  EvenSplit blocks{};  ///< of `block` rows
  std::int64_t block = 0;

  constexpr std::int64_t chunks() const { return blocks.chunks; }
};

/// Rows [first, first + problem.m) of A and C.
struct GemmChunk {
  GemmProblem problem{};
  std::int64_t offset_a = 0, offset_c = 0;  ///< bytes from the begin of A and C
};

namespace detail {

/// The largest number of rows, of `line` elements and `stride` elements apart, that fit into `elements`.
constexpr std::int64_t rows_within(std::int64_t elements, std::int64_t line, std::int64_t stride) {
  return elements < line ? 0 : (elements - line) / stride + 1;
}

}  // namespace detail

/// Cuts the problem so that no chunk's A or C passes `limit` bytes, into multiples of `block` rows (the tiling's
/// block.m). Needs validate(p).ok.
constexpr GemmSplit split_rows(const GemmProblem& p, std::int64_t block, std::int64_t limit) {
  const std::int64_t elements_a = limit / bytes_of(p.input), elements_c = limit / bytes_of(p.output);
  const std::int64_t rows_a = p.order_a == MatrixOrder::row
                                  ? detail::rows_within(elements_a, p.k, p.stride_a())
                                  : max_of<std::int64_t>(elements_a - (p.k - 1) * p.stride_a(), 0);
  const std::int64_t rows = min_of(rows_a, detail::rows_within(elements_c, p.n, p.stride_c()));
  const std::int64_t all = ceil_div(p.m, block);
  GemmSplit s{.blocks = split_evenly(all, rows >= p.m ? all : rows / block), .block = block};
  if (!s.blocks.ok()) {
    s.verdict = refuse(Reason::tensor_too_large, Text{} << "A has " << bytes_a(p).value << " and C " << bytes_c(p).value
                                                        << " bytes, of which " << rows << " rows fit the " << limit
                                                        << " that one dispatch can address, not a block of " << block);
    return s;
  }
  s.verdict = check_chunks({s.blocks.chunks}, limit);
  return s;
}

/// Chunk `index` of split_rows(p, block, limit), 0 <= index < s.chunks().
constexpr GemmChunk chunk_of(const GemmProblem& p, const GemmSplit& s, std::int64_t index) {
  if (s.chunks() == 1) return {.problem = p};
  const EvenSplit::Range blocks = s.blocks.chunk(index);
  const std::int64_t first = blocks.first * s.block;
  GemmChunk chunk{.problem = p};
  chunk.problem.m = min_of((blocks.first + blocks.size) * s.block, p.m) - first;
  // Packed matrices of fewer rows would have other leading dimensions.
  chunk.problem.ld_a = p.stride_a();
  chunk.problem.ld_c = p.stride_c();
  chunk.offset_a = first * (p.order_a == MatrixOrder::row ? p.stride_a() : 1) * bytes_of(p.input);
  chunk.offset_c = first * p.stride_c() * bytes_of(p.output);
  return chunk;
}

}  // namespace zellige
