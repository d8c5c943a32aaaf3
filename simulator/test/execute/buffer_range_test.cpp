// Which lanes of buffer accesses are in range on gfx11 and gfx12, by OOB_SELECT, and where indexed and swizzled ones
// lie. The expectations restate the ISA documents' table, one case at a time.
#include <algorithm>

#include "simulator/test/execute/memory_rig.hpp"

namespace zellige::sim::test {
namespace {

TEST(BufferRange, Gfx1250ChecksBytesOrRecords) {
  MemoryRig rig({"gfx1250", 32});
  rig.s(24) = 24;
  rig.set_buffer(rig.memory.data(), 300, 0);
  rig.set_offsets(0, offsets(0, 12, 4096));
  rig.run("buffer_load_b64 v[8:9], v4, s[16:19], s24 offen offset:4");
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    for (std::uint32_t word = 0; word < 2; ++word) {
      const std::uint32_t at = 12 * lane + 28 + 4 * word;
      EXPECT_EQ(rig.v(data_row + static_cast<int>(word), static_cast<int>(lane)),
                at + 4 <= 300 ? dword(rig.memory.data() + at) : 0u);
    }
  rig.set_buffer(rig.memory.data(), 20, 0, 40);
  for (int lane = 0; lane < 32; ++lane) rig.v(4, lane) = static_cast<std::uint32_t>(lane);
  rig.run("buffer_load_b32 v8, v4, s[16:19], null idxen offset:36");
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(rig.v(8, lane), lane < 20 ? dword(rig.memory.data() + 40 * lane + 36) : 0u);
}

constexpr WaveTarget descriptor_targets[] = {{"gfx1100", 32}, {"gfx1100", 64}, {"gfx1201", 32}, {"gfx1201", 64}};

struct Case {
  std::uint32_t select, records, stride;
  bool index, offset;  ///< idxen, offen
  std::uint32_t soffset;
  int immediate;
};

/// Whether a component of 4 bytes at `offset` (vector + instruction) of record `index` is in range.
bool in_range(const Case& c, std::uint64_t index, std::uint64_t offset) {
  switch (c.select) {
    case 0:
      return index < c.records && offset + 4 <= c.stride;
    case 1:
      return index < c.records;
    case 2:
      return c.records != 0;
    default:
      return c.records > c.soffset && index * c.stride + offset + 4 <= c.records - c.soffset;
  }
}

void check(const WaveTarget& target, const Case& c) {
  MemoryRig rig(target);
  rig.set_buffer(rig.memory.data(), c.records, c.select, c.stride);
  rig.s(24) = c.soffset;
  std::uint32_t index[64] = {}, offset[64] = {};
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    if (c.index) index[lane] = lane;
    if (c.offset) offset[lane] = c.index ? lane % 4 * 4 : lane * 4;
    rig.v(4, static_cast<int>(lane)) = c.index ? index[lane] : offset[lane];
    rig.v(5, static_cast<int>(lane)) = offset[lane];
  }
  const std::string registers = c.index && c.offset ? "v[4:5]" : c.index || c.offset ? "v4" : "off";
  const std::string operands = ", " + registers + ", s[16:19], s24 " + (c.index ? "idxen " : "") +
                               (c.offset ? "offen " : "") + "offset:" + std::to_string(c.immediate);
  const std::string what = std::string(target.target) + operands + " select " + std::to_string(c.select) + " records " +
                           std::to_string(c.records) + " stride " + std::to_string(c.stride);
  ASSERT_EQ(rig.fault("buffer_load_b64 v[8:9]" + operands), "") << what;
  std::vector<std::uint8_t> expected(rig.memory.data(), rig.memory.data() + MemoryRig::memory_size);
  for (int lane = 0; lane < rig.lanes; ++lane)
    for (std::uint32_t word = 0; word < 2; ++word) {
      const std::uint64_t at = offset[lane] + static_cast<std::uint32_t>(c.immediate) + 4 * word;
      const bool inside = in_range(c, index[lane], at);
      const std::uint64_t place = c.soffset + std::uint64_t{index[lane]} * c.stride + at;
      ASSERT_EQ(rig.v(data_row + static_cast<int>(word), lane), inside ? dword(rig.memory.data() + place) : 0u)
          << what << " lane " << lane << " word " << word;
    }
  rig.judged();
  for (int lane = 0; lane < rig.lanes; ++lane)
    for (std::uint32_t word = 0; word < 2; ++word) {
      const std::uint64_t at = offset[lane] + static_cast<std::uint32_t>(c.immediate) + 4 * word;
      rig.v(data_row + static_cast<int>(word), lane) = 0xabcd0000u + static_cast<std::uint32_t>(2 * lane) + word;
      if (!in_range(c, index[lane], at)) continue;
      const std::uint32_t value = rig.v(data_row + static_cast<int>(word), lane);
      std::memcpy(expected.data() + c.soffset + std::uint64_t{index[lane]} * c.stride + at, &value, 4);
    }
  ASSERT_EQ(rig.fault("buffer_store_b64 v[8:9]" + operands), "") << what;
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), rig.memory.data())) << what;
  rig.judged();
}

TEST(BufferRange, FollowsTheSelection) {
  for (const WaveTarget& target : descriptor_targets)
    for (std::uint32_t select = 0; select < 4; ++select)
      for (const std::uint32_t stride : {0u, 16u, 20u})
        for (const std::uint32_t records : {0u, 1u, 20u, 100u, 131u})
          for (const bool index : {false, true})
            for (const bool offset : {false, true})
              for (const std::uint32_t soffset : {0u, 24u, 200u})
                check(target, {select, records, stride, index, offset, soffset, index ? 4 : 12});
}

TEST(BufferRange, ScalarOffsetCountsInRawBuffersOnly) {
  for (const WaveTarget& target : descriptor_targets) {
    MemoryRig rig(target);
    rig.s(24) = 96;
    rig.set_offsets(0, std::vector<std::uint32_t>(64, 0));
    rig.set_buffer(rig.memory.data(), 99, 3);
    rig.run("buffer_load_b32 v8, v4, s[16:19], s24 offen");
    EXPECT_EQ(rig.v(8, 0), 0u);
    rig.set_buffer(rig.memory.data(), 100, 3);
    rig.run("buffer_load_b32 v8, v4, s[16:19], s24 offen");
    EXPECT_EQ(rig.v(8, 0), dword(rig.memory.data() + 96));
    rig.set_buffer(rig.memory.data(), 1, 1, 8);
    rig.run("buffer_load_b32 v8, v4, s[16:19], s24 offen");
    EXPECT_EQ(rig.v(8, 0), dword(rig.memory.data() + 96));
  }
}

TEST(BufferRange, NarrowAccessesEndAtTheLastByte) {
  for (const WaveTarget& target : descriptor_targets) {
    MemoryRig rig(target);
    rig.set_buffer(rig.memory.data(), 131, 3);
    rig.set_offsets(0, std::vector<std::uint32_t>(64, 130));
    rig.run("buffer_load_u8 v8, v4, s[16:19], null offen\nbuffer_load_u16 v9, v4, s[16:19], null offen");
    EXPECT_EQ(rig.v(8, 5), rig.memory.data()[130]);
    EXPECT_EQ(rig.v(9, 5), 0u);
    rig.judged();
  }
}

TEST(BufferRange, AtomicsAreAllOrNothing) {
  for (const WaveTarget& target : descriptor_targets) {
    MemoryRig rig(target);
    std::memset(rig.memory.data(), 0, 64);
    rig.set_buffer(rig.memory.data(), 12, 3);
    for (int lane = 0; lane < 64; ++lane) {
      rig.v(4, lane) = lane == 0 ? 0u : 8u;
      rig.set_v64(8, lane, 0x100000005ull);
    }
    rig.set_exec(3);
    rig.run("buffer_atomic_add_u64 v[8:9], v4, s[16:19], null offen " +
            std::string(is_gfx11(target) ? "glc" : "th:TH_ATOMIC_RETURN"));
    EXPECT_EQ(dword(rig.memory.data()), 5u);
    EXPECT_EQ(dword(rig.memory.data() + 4), 1u);
    EXPECT_EQ(dword(rig.memory.data() + 8), 0u) << "straddles the end";
    EXPECT_EQ(rig.v64(8, 0), 0u);
    EXPECT_EQ(rig.v64(8, 1), 0u);
    rig.judged();
  }
}

// Elements of 4, 8 or 16 bytes of `block` records lie side by side.
TEST(BufferRange, SwizzledRecordsInterleaveTheirElements) {
  for (const WaveTarget& target : descriptor_targets)
    for (std::uint32_t swizzle = 1; swizzle < 4; ++swizzle)
      for (std::uint32_t block_code = 0; block_code < 4; ++block_code)
        for (std::uint32_t select : {0u, 1u, 3u}) {
          const std::uint32_t element = 2u << swizzle, block = 8u << block_code, stride = 32;
          MemoryRig rig(target);
          rig.set_buffer(rig.memory.data(), 60, select, stride, block_code << 21);
          rig.s(17) |= swizzle << 30;
          for (std::uint32_t lane = 0; lane < 64; ++lane) {
            rig.v(4, static_cast<int>(lane)) = lane;
            rig.v(5, static_cast<int>(lane)) = lane % 7 * 4;
          }
          ASSERT_EQ(rig.fault("buffer_load_b32 v8, v[4:5], s[16:19], null idxen offen offset:4"), "");
          for (std::uint32_t lane = 0; lane < static_cast<std::uint32_t>(rig.lanes); ++lane) {
            const std::uint32_t offset = lane % 7 * 4 + 4;
            // Element e of the records of one block fills block * element bytes.
            const std::uint32_t at = lane / block * (block * stride) + offset / element * (block * element) +
                                     lane % block * element + offset % element;
            const bool inside = lane < 60 && (select == 1 || offset + 4 <= stride);
            ASSERT_EQ(rig.v(8, static_cast<int>(lane)), inside ? dword(rig.memory.data() + at) : 0u)
                << target.target << " swizzle " << swizzle << " block " << block << " lane " << lane;
          }
        }
}

TEST(BufferRange, LaneNumbersAddToTheIndex) {
  for (const WaveTarget& target : descriptor_targets) {
    MemoryRig rig(target);
    rig.set_buffer(rig.memory.data(), 40, 1, 12, 1u << 23);
    for (int lane = 0; lane < 64; ++lane) rig.v(4, lane) = 3;
    rig.run("buffer_load_b32 v8, off, s[16:19], null offset:4\nbuffer_load_b32 v9, v4, s[16:19], null idxen");
    for (int lane = 0; lane < rig.lanes; ++lane) {
      EXPECT_EQ(rig.v(8, lane), lane < 40 ? dword(rig.memory.data() + 12 * lane + 4) : 0u);
      EXPECT_EQ(rig.v(9, lane), lane + 3 < 40 ? dword(rig.memory.data() + 12 * (lane + 3)) : 0u);
    }
  }
}

}  // namespace
}  // namespace zellige::sim::test
