// The arena's law: an access is legal exactly inside one live allocation.
#include "simulator/memory/arena.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace zellige::sim {
namespace {

std::uint64_t address(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

TEST(Arena, FindsEveryByteOfAnAllocationAndNoOther) {
  Arena& arena = Arena::instance();
  for (const std::size_t bytes : {1, 255, 256, 257, 4096, 65536, 1000003}) {
    void* pointer = arena.allocate(bytes, 0);
    ASSERT_NE(nullptr, pointer);
    EXPECT_EQ(0u, address(pointer) % 256);
    const auto found = arena.find(address(pointer));
    ASSERT_TRUE(found);
    EXPECT_EQ(address(pointer) + bytes, found->end);
    EXPECT_TRUE(arena.find(found->end - 1));
    EXPECT_FALSE(arena.find(found->end));
    EXPECT_FALSE(arena.find(found->end + 255)) << "the guard zone";
    EXPECT_FALSE(arena.find(found->begin - 1));
    EXPECT_TRUE(arena.reserved(found->end));
    std::memset(pointer, 0x5a, bytes);
    EXPECT_TRUE(arena.release(pointer));
    EXPECT_FALSE(arena.find(address(pointer)));
    EXPECT_FALSE(arena.release(pointer));
  }
  EXPECT_EQ(nullptr, arena.allocate(0, 0));
}

TEST(Arena, AddressesAreNotUsedAgainSoon) {
  Arena& arena = Arena::instance();
  void* first = arena.allocate(4096, 0);
  EXPECT_TRUE(arena.release(first));
  void* second = arena.allocate(4096, 0);
  EXPECT_NE(first, second);
  EXPECT_NE(std::string::npos, arena.describe(address(first) + 7).find("is byte 7 of"))
      << arena.describe(address(first) + 7);
  EXPECT_NE(std::string::npos, arena.describe(address(first)).find("which was freed"));
  EXPECT_TRUE(arena.release(second));
}

TEST(Arena, LimitsArePerDeviceAndHostMemoryIsApart) {
  Arena& arena = Arena::instance();
  arena.set_limit(5, 1000);
  void* half = arena.allocate(600, 5);
  ASSERT_NE(nullptr, half);
  EXPECT_EQ(600u, arena.bytes_in_use(5));
  EXPECT_EQ(nullptr, arena.allocate(401, 5));
  void* rest = arena.allocate(400, 5);
  EXPECT_NE(nullptr, rest);
  void* other = arena.allocate(5000, 6);
  void* host = arena.allocate_host(5000);
  EXPECT_NE(nullptr, other);
  EXPECT_TRUE(arena.find(address(host))->host);
  EXPECT_EQ(1000u, arena.bytes_in_use(5));
  for (void* pointer : {half, rest, other, host}) EXPECT_TRUE(arena.release(pointer));
  EXPECT_EQ(0u, arena.bytes_in_use(5));
  EXPECT_EQ(nullptr, arena.allocate(~std::size_t{0} - 100, 6));
}

TEST(Arena, AdoptsHostMemoryWithoutOverlap) {
  Arena& arena = Arena::instance();
  std::vector<char> memory(1000);
  EXPECT_TRUE(arena.adopt(memory.data() + 100, 200, 0));
  EXPECT_FALSE(arena.adopt(memory.data() + 299, 10, 0));
  EXPECT_FALSE(arena.adopt(memory.data(), 101, 0));
  EXPECT_FALSE(arena.adopt(memory.data(), 0, 0));
  EXPECT_TRUE(arena.adopt(memory.data() + 300, 10, 0));
  EXPECT_TRUE(arena.find(address(memory.data()) + 250));
  EXPECT_FALSE(arena.release(memory.data() + 100)) << "adopted memory is abandoned, not released";
  EXPECT_TRUE(arena.abandon(memory.data() + 100));
  EXPECT_FALSE(arena.abandon(memory.data() + 100));
  EXPECT_TRUE(arena.abandon(memory.data() + 300));
}

TEST(Arena, EpochChangesWithTheSetOfAllocations) {
  Arena& arena = Arena::instance();
  const std::uint64_t before = arena.epoch();
  void* pointer = arena.allocate(16, 0);
  const std::uint64_t between = arena.epoch();
  EXPECT_NE(before, between);
  EXPECT_TRUE(arena.release(pointer));
  EXPECT_NE(between, arena.epoch());
}

TEST(Arena, DescribesDistances) {
  Arena& arena = Arena::instance();
  void* pointer = arena.allocate(100, 0);
  EXPECT_NE(std::string::npos, arena.describe(address(pointer) + 108).find("is 8 bytes past the end of allocation"));
  EXPECT_NE(std::string::npos, arena.describe(address(pointer) + 108).find("of 100 bytes"));
  EXPECT_NE(std::string::npos, arena.describe(16).find("is near none of"));
  EXPECT_TRUE(arena.release(pointer));
}

}  // namespace
}  // namespace zellige::sim
