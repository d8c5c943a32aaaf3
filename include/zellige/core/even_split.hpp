// Cutting a count into the fewest chunks that fit a limit: a pure function, in 64 bits.
//
// Laws: chunks are as even as they can be (sizes differ by at most one), every chunk's bytes are at most the limit, the
// chunks follow each other without gap or overlap and their sizes sum up to the count, and fewer chunks would not fit.
#pragma once

#include "zellige/core/math.hpp"
#include "zellige/core/verdict.hpp"

namespace zellige {

enum class SplitStatus : int {
  ok = 0,
  item_too_large = 1,  ///< one item alone passes the limit: no number of chunks helps
};

/// `chunks` ranges of `count` items: the first `longer` of them hold floor + 1 items, the others floor.
struct EvenSplit {
  SplitStatus status = SplitStatus::ok;
  std::int64_t count = 0, chunks = 0;  ///< chunks is 0 only beside item_too_large

  struct Range {
    std::int64_t first = 0, size = 0;
    bool operator==(const Range&) const = default;
  };

  constexpr bool ok() const { return status == SplitStatus::ok; }
  constexpr std::int64_t floor() const { return count / chunks; }
  constexpr std::int64_t longer() const { return count % chunks; }
  constexpr std::int64_t longest() const { return ceil_div(count, chunks); }

  /// Chunk `index`, 0 <= index < chunks.
  constexpr Range chunk(std::int64_t index) const {
    const bool is_longer = index < longer();
    return {index * floor() + min_of(index, longer()), floor() + (is_longer ? 1 : 0)};
  }
};

/// `count` items (at least 1) in chunks of at most `most` items; `most` below 1 says that one item does not fit.
constexpr EvenSplit split_evenly(std::int64_t count, std::int64_t most) {
  if (most < 1) return {SplitStatus::item_too_large, count, 0};
  return {SplitStatus::ok, count, ceil_div(count, most)};
}

/// Chunks that one plan may have, which holds them all: 2 TB of a tensor in dispatches of 2 GiB. More are refused.
inline constexpr std::int64_t max_chunks = 1024;

/// Whether a plan may have so many chunks of at most `limit` bytes.
constexpr Verdict check_chunks(CheckedSize chunks, std::int64_t limit) {
  if (!chunks.overflow && chunks.value <= max_chunks) return {};
  return refuse(Reason::tensor_too_large, Text{} << "in chunks of at most " << limit << " bytes the problem would take "
                                                 << chunks.value << " dispatches, over the " << max_chunks
                                                 << " of a plan");
}

}  // namespace zellige
