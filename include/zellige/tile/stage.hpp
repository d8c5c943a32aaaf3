// Staging: a workgroup carries one operand's tile from global memory through registers into LDS, step by step along k.
//
//   stage.fetch(buffer, params, within_run);  // global -> registers
//   stage.commit(lds);                        // registers -> LDS
//   stage.locate(params, k);                  // where the tile at k lies in memory
//
// Law: after commit, LDS holds element (r, k) of the tile at shape.lds.address(r, k * bytes), or, in the order of
// memory, at shape.lds.address(k, r * bytes); zero where the view has no such element. locate() is needed once a run:
// inside a run offsets grow linearly with k, and one wave-uniform number says how far.
#pragma once

#include "zellige/atom/copy.hpp"
#include "zellige/layout/transform.hpp"
#include "zellige/tile/shape.hpp"

namespace zellige {

template <StageShape shape, Transforms view>
class Stage {
  // Plain numbers instead of the shape itself: device code cannot fold calls on a static constexpr object.
  static constexpr bool along_rows = shape.along_rows, transposes = along_rows && !shape.keep_order;
  static constexpr int bytes = shape.bytes, vector = shape.vector;
  static constexpr int gather = shape.gather(), passes = shape.passes(), loads = shape.loads();
  static constexpr int packet_bytes = vector * bytes;

 public:
  ZELLIGE_DEVICE Stage(const ViewParams& params, std::uint32_t thread, std::uint32_t first_row,
                       std::uint32_t first_k = 0) {
    constexpr LaneMap map = shape.thread_map();
    const Coordinate at = map.of_lane(thread);
    row_ = at.row;
    k_ = at.column;
    row_in_view_ = first_row + row_;
    locate(params, first_k);
  }

  /// Offsets of the lane's loads for the tile at `k`; loads that the view lacks go out of range.
  ZELLIGE_DEVICE void locate(const ViewParams& params, std::uint32_t k) {
    ZELLIGE_UNROLL
    for (int i = 0; i < loads; ++i) {
      const Coordinate at = first_of_load(i);
      const Element e = evaluate<view>(params, row_in_view_ + at.row, k + k_ + at.column);
      offset_[i] = e.exists ? e.offset : out_of_range;
    }
  }

  /// Starts the loads of the tile `within_run` elements of k after the one that was located.
  ZELLIGE_DEVICE void fetch(const Buffer& buffer, const ViewParams& params, std::uint32_t within_run) {
    const std::uint32_t wave_offset = within_run * (along_rows ? params.stride[1] : bytes);
    ZELLIGE_UNROLL
    for (int i = 0; i < loads; ++i) data_[i] = load<packet_bytes>(buffer, offset_[i], wave_offset);
  }

  /// Writes what fetch() loaded to the tile at `lds`.
  ZELLIGE_DEVICE void commit(char* lds) const {
    ZELLIGE_UNROLL
    for (int pass = 0; pass < passes; ++pass) {
      if constexpr (transposes) {
        commit_transposed(lds, pass);
      } else {
        store_lds<packet_bytes>(lds + pass_address(pass), data_[pass]);
      }
    }
  }

 private:
  /// Where load i begins, relative to the lane's first element.
  static ZELLIGE_DEVICE Coordinate first_of_load(int i) {
    constexpr LaneMap map = shape.thread_map();
    return map.of_slot(static_cast<std::uint32_t>(i * vector));
  }

  static ZELLIGE_DEVICE std::uint32_t address(std::uint32_t row, std::uint32_t k) {
    constexpr LdsTile tile = shape.lds;
    return shape.keep_order ? tile.address(k, row * bytes) : tile.address(row, k * bytes);
  }

  /// Where pass `pass` of an untransposed tile goes. When a pass moves by whole swizzle periods, this is one base plus
  /// constants.
  ZELLIGE_DEVICE std::uint32_t pass_address(int pass) const {
    constexpr int pitch = shape.lds.pitch_bytes, period = shape.lds.period();
    constexpr int lines = shape.keep_order ? shape.lanes_along_k() : shape.lanes_along_rows();
    const Coordinate at = first_of_load(pass);
    if constexpr (lines % period == 0)
      return address(row_, k_) + (at.row + at.column) * pitch;
    else
      return address(row_ + at.row, k_ + at.column);
  }

  /// The lane holds `gather` packets of `vector` rows each; LDS wants, for each row, `gather` consecutive k.
  ZELLIGE_DEVICE void commit_transposed(char* lds, int pass) const {
    const std::uint32_t k = k_ + first_of_load(pass * gather).column;
    ZELLIGE_UNROLL
    for (int r = 0; r < vector; ++r) {
      Packet<gather* bytes> line = zero_packet<gather * bytes>();
      ZELLIGE_UNROLL
      for (int g = 0; g < gather; ++g) put_element<bytes>(line, g, data_[pass * gather + g], r);
      store_lds<gather * bytes>(lds + address(row_ + r, k), line);
    }
  }

  std::uint32_t row_ = 0, k_ = 0;  // the lane's first element in the tile
  std::uint32_t row_in_view_ = 0;  // its row in the matrix
  std::uint32_t offset_[loads];    // bytes, of the tile that was located
  Packet<packet_bytes> data_[loads];
};

}  // namespace zellige
