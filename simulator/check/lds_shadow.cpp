// The shadow of LDS; lds_shadow.hpp states the law.
#include "simulator/check/lds_shadow.hpp"

namespace zellige::sim {

void LdsShadow::begin(std::uint32_t bytes, int waves, bool atomics) {
  bytes_ = bytes;
  waves_ = waves;
  atomics_ = atomics;
  const std::uint32_t stride = reads_at + static_cast<std::uint32_t>(waves) * (atomics ? 2 : 1);
  // A block keeps the cell size that earlier workgroups needed: the same kernel needs it again.
  const bool same_shape = stride == stride_;
  stride_ = stride;
  blocks_.resize((bytes + block_bytes - 1) / block_bytes);
  for (Block& block : blocks_) {
    if (same_shape && !block.used && !block.cells.empty()) continue;
    if (!same_shape) block.shift = first_shift;
    block.cells.assign(std::size_t{block_bytes >> block.shift} * stride_, 0);
    block.used = false;
  }
}

void LdsShadow::split(Block& block, int shift) {
  const std::size_t copies = std::size_t{1} << (block.shift - shift), count = block_bytes >> block.shift;
  std::vector<std::uint32_t> cells(count * copies * stride_);
  for (std::size_t cell = 0; cell < count; ++cell)
    for (std::size_t copy = 0; copy < copies; ++copy)
      std::copy_n(block.cells.data() + cell * stride_, stride_, cells.data() + (cell * copies + copy) * stride_);
  block.cells = std::move(cells);
  block.shift = shift;
}

}  // namespace zellige::sim
