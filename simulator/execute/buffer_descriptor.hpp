// A buffer's descriptor (V#): its fields by generation, where a lane's access lies in the buffer and how much of it is
// in range. Pure functions.
//
// gfx9: base[47:0], stride[61:48], swizzle enable 63, num_records[95:64], add_tid_enable 119. With an index and a
// stride num_records counts records and the index alone is checked; otherwise bytes. gfx11 and gfx12: swizzle
// enable[63:62] (0 linear, else elements of 4, 8 or 16 bytes), index stride[118:117] (8, 16, 32 or 64 records),
// add_tid_enable 119, OOB_SELECT[125:124]: what is out of range:
//   0  index >= num_records, or offset + payload > stride
//   1  index >= num_records
//   2  everything when num_records is 0, else nothing
//   3  swizzled with a stride: as 0; otherwise offset + payload > num_records - soffset (which stops at 0)
// with offset = vector offset + instruction offset (+ index * stride in the last case); soffset is in no other check.
// gfx1250: base[56:0], num_records[101:57], stride[121:108], OOB_SELECT[125:124]; with a stride and a selection other
// than 3 the index is checked, otherwise offset + payload against num_records - soffset; linear. [RDNA3 and RDNA4 ISA
// documents, buffer addressing and range checking; the subtraction of soffset: LLVM's buffer lowering; gfx1250's
// fields: LLVM's make.buffer.rsrc; its range rule: public simulators.]
#pragma once

#include <cstdint>

#include "simulator/execute/instruction.hpp"

namespace zellige::sim {

enum class BufferRange : std::uint8_t { raw, index, index_and_stride, not_empty };

struct BufferDescriptor {
  std::uint64_t base = 0;
  std::uint64_t records = 0;
  std::uint32_t stride = 0;
  BufferRange range = BufferRange::raw;
  bool private_segment = false;      ///< gfx9: addresses each lane's scratch
  bool unsupported_swizzle = false;  ///< gfx9: swizzled, but not the private segment
  bool adds_lane = false;            ///< the lane's number is added to the index
  std::uint8_t element_bytes = 0;    ///< swizzled: bytes that stay together; 0: linear
  std::uint8_t index_stride = 0;     ///< swizzled: records that share a block
};

/// The descriptor in four scalars, for an instruction with these flags (flag_idxen, flag_range_select,
/// flag_wide_descriptor).
[[gnu::always_inline]] inline BufferDescriptor buffer_descriptor(const std::uint32_t* words, std::uint32_t flags) {
  BufferDescriptor result;
  if (flags & flag_wide_descriptor) {
    result.base = words[0] | std::uint64_t{words[1] & 0x1ffffffu} << 32;
    result.records = words[1] >> 25 | std::uint64_t{words[2]} << 7 | std::uint64_t{words[3] & 63} << 39;
    result.stride = words[3] >> 12 & 0x3fffu;
    if (result.stride != 0 && (words[3] >> 28 & 3) != 3) result.range = BufferRange::index;
    return result;
  }
  result.base = words[0] | std::uint64_t{words[1] & 0xffffu} << 32;
  result.stride = words[1] >> 16 & 0x3fffu;
  result.records = words[2];
  const bool adds_lane = words[3] >> 23 & 1;
  if (!(flags & flag_range_select)) {
    result.private_segment = adds_lane;
    result.unsupported_swizzle = (words[1] >> 31) != 0 && result.stride != 0 && !adds_lane;
    if ((flags & flag_idxen) && result.stride != 0) result.range = BufferRange::index;
    return result;
  }
  const std::uint32_t swizzle = words[1] >> 30;
  result.adds_lane = adds_lane;
  if (swizzle != 0) {
    result.element_bytes = static_cast<std::uint8_t>(2u << swizzle);
    result.index_stride = static_cast<std::uint8_t>(8u << (words[3] >> 21 & 3));
  }
  switch (words[3] >> 28 & 3) {
    case 0:
      result.range = BufferRange::index_and_stride;
      break;
    case 1:
      result.range = BufferRange::index;
      break;
    case 2:
      result.range = BufferRange::not_empty;
      break;
    default:
      if (swizzle != 0 && result.stride != 0) result.range = BufferRange::index_and_stride;
  }
  return result;
}

/// More than any offset.
inline constexpr std::int64_t unlimited = std::int64_t{1} << 62;

/// Accesses of record `index` are in range up to this offset (vector offset + instruction offset); 0 or less: none is.
[[gnu::always_inline]] inline std::int64_t offset_limit(const BufferDescriptor& buffer, std::uint64_t index,
                                                        std::uint32_t soffset) {
  switch (buffer.range) {
    case BufferRange::index:
      return index < buffer.records ? unlimited : 0;
    case BufferRange::index_and_stride:
      return index < buffer.records ? std::int64_t{buffer.stride} : 0;
    case BufferRange::not_empty:
      return buffer.records != 0 ? unlimited : 0;
    default:
      return static_cast<std::int64_t>(buffer.records) - soffset - static_cast<std::int64_t>(index * buffer.stride);
  }
}

/// Where the byte at `offset` of record `index` lies behind base + soffset.
[[gnu::always_inline]] inline std::uint64_t buffer_position(const BufferDescriptor& buffer, std::uint64_t index,
                                                            std::uint64_t offset) {
  if (buffer.element_bytes == 0) return index * buffer.stride + offset;
  const std::uint64_t element = buffer.element_bytes, block = buffer.index_stride;
  return (index / block * buffer.stride + offset / element * element) * block + index % block * element +
         offset % element;
}

}  // namespace zellige::sim
