// Staging without registers: a workgroup's direct copies of one operand's tile from global memory into LDS.
//
// Law: after the copies have arrived, LDS holds what Stage's law says. A wave's copies fill consecutive bytes of LDS,
// so lines have no padding, and a swizzle decides what a lane loads instead of where it writes: the packet at byte p of
// a line holds the elements at byte p ^ lds.chunk_step(line) * 16 of it.
#pragma once

#include "zellige/atom/lds_copy.hpp"
#include "zellige/atom/sync.hpp"
#include "zellige/layout/transform.hpp"
#include "zellige/tile/shape.hpp"

namespace zellige {

template <StageShape shape, Transforms view>
class DirectStage {
  // Plain numbers instead of the shape itself: device code cannot fold calls on a static constexpr object.
  static constexpr bool along_rows = shape.along_rows;
  static constexpr int bytes = shape.bytes, loads = shape.loads(), packet_bytes = shape.vector * bytes;
  static_assert(along_rows == shape.keep_order && shape.lds.pitch_bytes == shape.lds.row_bytes);

 public:
  ZELLIGE_DEVICE DirectStage(const ViewParams& params, std::uint32_t thread, std::uint32_t first_row,
                             std::uint32_t wave_size, std::uint32_t first_k = 0)
      : first_row_(first_row), thread_(thread), lane_(thread % wave_size), wave_start_(uniform(thread - lane_)) {
    locate(params, first_k);
  }

  /// Offsets of the lane's loads for the tile at `k`; loads that the view lacks go out of range.
  ZELLIGE_DEVICE void locate(const ViewParams& params, std::uint32_t k) {
    constexpr LaneMap map = shape.thread_map();
    constexpr LdsTile tile = shape.lds;
    ZELLIGE_UNROLL
    for (int i = 0; i < loads; ++i) {
      const Coordinate place = map.of_lane(thread_) + map.of_slot(static_cast<std::uint32_t>(i * shape.vector));
      const std::uint32_t line = along_rows ? place.column : place.row;
      const std::uint32_t element =
          ((along_rows ? place.row : place.column) * bytes ^ tile.chunk_step(line) << 4) / bytes;
      const Element e = along_rows ? evaluate<view>(params, first_row_ + element, k + line)
                                   : evaluate<view>(params, first_row_ + line, k + element);
      offset_[i] = e.exists ? e.offset : out_of_range;
    }
  }

  /// Starts the copies of the tile `within_run` elements of k after the one that was located, to the tile at `lds`.
  ZELLIGE_DEVICE void copy(const Buffer& buffer, const ViewParams& params, std::uint32_t within_run, char* lds) const {
    const std::uint32_t wave_offset = within_run * (along_rows ? params.stride[1] : bytes);
    ZELLIGE_UNROLL
    for (int i = 0; i < loads; ++i) {
      copy_to_lds<packet_bytes>(buffer, lds + (wave_start_ + i * shape.threads) * packet_bytes, lane_, offset_[i],
                                wave_offset);
    }
  }

 private:
  std::uint32_t first_row_, thread_, lane_, wave_start_;  // wave_start_: number of the wave's first thread
  std::uint32_t offset_[loads];                           // bytes, of the tile that was located
};

}  // namespace zellige
