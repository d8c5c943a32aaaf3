// Global, flat, scratch and buffer accesses: which bytes move, which lanes, what is out of bounds, and what a fault says.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <random>

#include "simulator/test/execute/memory_machine.hpp"

namespace zellige::sim::test {
namespace {

constexpr int data_row = 8, address_row = 4, descriptor = 16, soffset = 24;

Instruction global_load(bool scalar_base = false) {
  Instruction instruction;
  instruction.dst = vector_operand(data_row, 4);
  instruction.src[0] = vector_operand(address_row, scalar_base ? 1 : 2);
  if (scalar_base) instruction.src[1] = scalar_operand(2, 2);
  return instruction;
}

Instruction global_store(bool scalar_base = false) {
  Instruction instruction;
  instruction.src[0] = vector_operand(address_row, scalar_base ? 1 : 2);
  instruction.src[1] = vector_operand(data_row, 4);
  if (scalar_base) instruction.src[2] = scalar_operand(2, 2);
  return instruction;
}

Instruction buffer_load(std::uint32_t flags = flag_offen) {
  Instruction instruction;
  instruction.dst = vector_operand(data_row, 4);
  instruction.src[0] = vector_operand(address_row, 2);
  instruction.src[1] = scalar_operand(descriptor, 4);
  instruction.src[2] = scalar_operand(soffset);
  instruction.flags = flags;
  return instruction;
}

Instruction buffer_store(std::uint32_t flags = flag_offen) {
  Instruction instruction;
  instruction.src[0] = vector_operand(data_row, 4);
  instruction.src[1] = vector_operand(address_row, 2);
  instruction.src[2] = scalar_operand(descriptor, 4);
  instruction.src[3] = scalar_operand(soffset);
  instruction.flags = flags;
  return instruction;
}

void fill_bytes(std::uint8_t* data, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::uint8_t>(i * 37 + (i >> 8) * 11 + 128);
}

struct Width {
  const char* suffix;
  int bytes;
  /// The register's new content, from its old one and the bytes in memory (dword w of the element).
  std::function<std::uint32_t(std::uint32_t old, const std::uint8_t* from, int w)> loaded;
};

std::uint32_t half(const std::uint8_t* p) { return p[0] | std::uint32_t{p[1]} << 8; }
std::uint32_t dword(const std::uint8_t* p) { return half(p) | half(p + 2) << 16; }

const std::vector<Width>& load_widths() {
  const auto whole = [](std::uint32_t, const std::uint8_t* p, int w) { return dword(p + 4 * w); };
  static const std::vector<Width> widths = {
      {"ubyte", 1, [](std::uint32_t, const std::uint8_t* p, int) { return std::uint32_t{*p}; }},
      {"sbyte", 1, [](std::uint32_t, const std::uint8_t* p, int) { return *p < 128 ? *p : *p | 0xffffff00u; }},
      {"ushort", 2, [](std::uint32_t, const std::uint8_t* p, int) { return half(p); }},
      {"sshort", 2, [](std::uint32_t, const std::uint8_t* p, int) { return half(p) < 0x8000 ? half(p) : half(p) | 0xffff0000u; }},
      {"ubyte_d16", 1, [](std::uint32_t old, const std::uint8_t* p, int) { return (old & 0xffff0000u) | *p; }},
      {"ubyte_d16_hi", 1, [](std::uint32_t old, const std::uint8_t* p, int) { return (old & 0xffffu) | std::uint32_t{*p} << 16; }},
      {"sbyte_d16", 1, [](std::uint32_t old, const std::uint8_t* p, int) { return (old & 0xffff0000u) | *p | (*p < 128 ? 0u : 0xff00u); }},
      {"sbyte_d16_hi", 1, [](std::uint32_t old, const std::uint8_t* p, int) {
         return (old & 0xffffu) | std::uint32_t{*p} << 16 | (*p < 128 ? 0u : 0xff000000u);
       }},
      {"short_d16", 2, [](std::uint32_t old, const std::uint8_t* p, int) { return (old & 0xffff0000u) | half(p); }},
      {"short_d16_hi", 2, [](std::uint32_t old, const std::uint8_t* p, int) { return (old & 0xffffu) | half(p) << 16; }},
      {"dword", 4, whole}, {"dwordx2", 8, whole}, {"dwordx3", 12, whole}, {"dwordx4", 16, whole}};
  return widths;
}

struct StoreWidth {
  const char* suffix;
  int bytes, first_bit;
};
constexpr StoreWidth store_widths[] = {{"byte", 1, 0}, {"byte_d16_hi", 1, 16}, {"short", 2, 0}, {"short_d16_hi", 2, 16},
                                       {"dword", 4, 0}, {"dwordx2", 8, 0}, {"dwordx3", 12, 0}, {"dwordx4", 16, 0}};

void fill_registers(Wave& wave) {
  for (int w = 0; w < 4; ++w)
    for (int lane = 0; lane < 64; ++lane) wave.row(data_row + w)[lane] = 0xa0b0c0d0u + static_cast<std::uint32_t>(w * 0x01010101 + lane * 0x10305);
}

/// Byte offsets of the lanes: contiguous, strided, scattered, or all the same.
std::vector<std::uint32_t> offsets(int pattern, int bytes, std::size_t room) {
  std::vector<std::uint32_t> result(64);
  std::mt19937 generator(11);
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    const std::uint32_t size = static_cast<std::uint32_t>(bytes);
    result[lane] = pattern == 0 ? lane * size : pattern == 1 ? lane * 48 : pattern == 2 ? 64 : static_cast<std::uint32_t>(generator() % (room - size));
  }
  return result;
}

constexpr std::uint64_t masks[] = {~std::uint64_t{0}, 0x00000000ffffffffull, 0x8000000000000001ull, 0x5a5a00ff12345678ull, 0};

/// Runs a load of every width, address pattern and EXEC mask and checks every register.
void check_loads(const std::string& prefix, const std::function<void(Machine&, const std::vector<std::uint32_t>&)>& aim,
                 const Instruction& instruction, std::uint8_t* memory) {
  for (const std::string& set : host_sets())
    for (const Width& width : load_widths())
      for (int pattern = 0; pattern < 4; ++pattern)
        for (const std::uint64_t mask : masks) {
          Machine machine(set);
          fill_registers(machine.wave);
          const auto at = offsets(pattern, width.bytes, 4096);
          aim(machine, at);
          machine.set_exec(mask);
          ASSERT_TRUE(machine.run(prefix + width.suffix, instruction)) << prefix << width.suffix << ": " << machine.fault.message;
          Machine before(set);
          fill_registers(before.wave);
          for (int w = 0; w < 4; ++w)
            for (std::size_t lane = 0; lane < 64; ++lane) {
              const std::uint32_t old = before.wave.row(data_row + w)[lane];
              const bool written = (mask >> lane & 1) && 4 * w < width.bytes;
              ASSERT_EQ(machine.wave.row(data_row + w)[lane], written ? width.loaded(old, memory + at[lane], w) : old)
                  << prefix << width.suffix << " lane " << lane << " dword " << w << " pattern " << pattern << " exec " << std::hex << mask;
            }
          EXPECT_EQ(machine.counts.load_bytes, static_cast<std::uint64_t>(__builtin_popcountll(mask) * width.bytes));
        }
}

void check_stores(const std::string& prefix, const std::function<void(Machine&, const std::vector<std::uint32_t>&)>& aim,
                  const Instruction& instruction, std::uint8_t* memory, std::size_t bytes) {
  for (const std::string& set : host_sets())
    for (const StoreWidth& width : store_widths)
      for (int pattern = 0; pattern < 4; ++pattern)
        for (const std::uint64_t mask : masks) {
          Machine machine(set);
          fill_registers(machine.wave);
          const auto at = offsets(pattern, width.bytes, 4096);
          aim(machine, at);
          machine.set_exec(mask);
          fill_bytes(memory, bytes);
          std::vector<std::uint8_t> expected(memory, memory + bytes);
          for (std::size_t lane = 0; lane < 64; ++lane)
            for (int byte = 0; byte < width.bytes && (mask >> lane & 1); ++byte)
              expected[at[lane] + static_cast<std::size_t>(byte)] = static_cast<std::uint8_t>(
                  machine.wave.row(data_row + byte / 4)[lane] >> (8 * (byte % 4) + width.first_bit));
          ASSERT_TRUE(machine.run(prefix + width.suffix, instruction)) << prefix << width.suffix << ": " << machine.fault.message;
          ASSERT_EQ(std::vector<std::uint8_t>(memory, memory + bytes), expected) << prefix << width.suffix << " pattern " << pattern;
          EXPECT_EQ(machine.counts.store_bytes, static_cast<std::uint64_t>(__builtin_popcountll(mask) * width.bytes));
        }
}

TEST(GlobalMemory, LoadsAndStoresEveryWidth) {
  DeviceBytes memory(4096);
  fill_bytes(memory.data(), 4096);
  const auto wide = [&](Machine& machine, const std::vector<std::uint32_t>& at) {
    std::uint64_t addresses[64];
    for (std::size_t lane = 0; lane < 64; ++lane) addresses[lane] = memory.address() + at[lane] + 24;
    machine.set_addresses(address_row, addresses);
  };
  const auto based = [&](Machine& machine, const std::vector<std::uint32_t>& at) {
    machine.wave.set_scalar64(2, memory.address() + 24);
    for (std::size_t lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = at[lane];
  };
  Instruction load = global_load(), load_based = global_load(true), store = global_store(), store_based = global_store(true);
  load.offset = load_based.offset = store.offset = store_based.offset = -24;
  check_loads("global_load_", wide, load, memory.data());
  check_loads("global_load_", based, load_based, memory.data());
  check_loads("flat_load_", wide, load, memory.data());
  check_stores("global_store_", wide, store, memory.data(), 4096);
  check_stores("global_store_", based, store_based, memory.data(), 4096);
  check_stores("flat_store_", wide, store, memory.data(), 4096);
}

TEST(BufferMemory, LoadsAndStoresEveryWidth) {
  DeviceBytes memory(4096);
  fill_bytes(memory.data(), 4096);
  const auto aim = [&](Machine& machine, const std::vector<std::uint32_t>& at) {
    machine.set_buffer(descriptor, memory.data() - 1000, 5096);
    machine.wave.scalar[soffset] = 990;
    for (std::size_t lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = at[lane];
  };
  Instruction load = buffer_load(), store = buffer_store();
  load.offset = store.offset = 10;
  check_loads("buffer_load_", aim, load, memory.data());
  check_stores("buffer_store_", aim, store, memory.data(), 4096);
}

TEST(GlobalMemory, DestinationMayHoldTheAddress) {
  DeviceBytes memory(4096);
  fill_bytes(memory.data(), 4096);
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    machine.wave.set_scalar64(2, memory.address());
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(data_row)[lane] = static_cast<std::uint32_t>(lane) * 32;
    Instruction load = global_load(true);
    load.src[0] = vector_operand(data_row);
    ASSERT_TRUE(machine.run("global_load_dwordx4", load));
    for (int lane = 0; lane < 64; ++lane)
      for (int w = 0; w < 4; ++w) ASSERT_EQ(machine.wave.row(data_row + w)[lane], dword(memory.data() + lane * 32 + 4 * w));
  }
}

TEST(GlobalMemory, LanesMayReachDifferentAllocations) {
  DeviceBytes first(64), second(64);
  fill_bytes(first.data(), 64);
  fill_bytes(second.data(), 64);
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    std::uint64_t addresses[64];
    for (unsigned lane = 0; lane < 64; ++lane) addresses[lane] = (lane % 2 ? first : second).address() + lane % 16 * 4;
    machine.set_addresses(address_row, addresses);
    ASSERT_TRUE(machine.run("global_load_dword", global_load())) << machine.fault.message;
    for (unsigned lane = 0; lane < 64; ++lane) EXPECT_EQ(machine.wave.row(data_row)[lane], dword(first.data() + lane % 16 * 4));
  }
}

TEST(GlobalMemory, OutOfBoundsIsAFaultThatNamesLaneAndAddress) {
  DeviceBytes memory(256);
  for (const std::string& set : host_sets()) {
    for (const char* mnemonic : {"global_load_dwordx4", "global_store_dwordx4", "flat_load_dwordx2"}) {
      Machine machine(set);
      std::uint64_t addresses[64];
      for (std::uint64_t& address : addresses) address = memory.address();
      addresses[37] = memory.address() + 250;
      machine.set_addresses(address_row, addresses);
      const bool store = std::string(mnemonic).find("store") != std::string::npos;
      EXPECT_FALSE(machine.run(mnemonic, store ? global_store() : global_load()));
      EXPECT_TRUE(machine.fault.raised);
      EXPECT_NE(machine.fault.message.find(mnemonic), std::string::npos) << machine.fault.message;
      EXPECT_NE(machine.fault.message.find("lane 37"), std::string::npos) << machine.fault.message;
      char address[32];
      std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(addresses[37]));
      EXPECT_NE(machine.fault.message.find(address), std::string::npos) << machine.fault.message;
      machine.set_exec(~(std::uint64_t{1} << 37));
      machine.fault = {};
      EXPECT_TRUE(machine.run(mnemonic, store ? global_store() : global_load())) << "an inactive lane must not fault";
    }
  }
}

TEST(GlobalMemory, FreedMemoryIsAFault) {
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    void* pointer = Arena::instance().allocate(256, 0);
    std::uint64_t addresses[64];
    for (std::uint64_t& address : addresses) address = reinterpret_cast<std::uint64_t>(pointer);
    machine.set_addresses(address_row, addresses);
    EXPECT_TRUE(machine.run("global_load_dword", global_load()));
    Arena::instance().release(pointer);
    EXPECT_FALSE(machine.run("global_load_dword", global_load()));
  }
}

TEST(BufferMemory, BoundsAreCheckedPerDwordOrElement) {
  DeviceBytes memory(1024);
  fill_bytes(memory.data(), 1024);
  for (const std::string& set : host_sets()) {
    // A dwordx4 that straddles num_records gives the dwords inside and zeros behind.
    Machine machine(set);
    machine.set_buffer(descriptor, memory.data(), 136);
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = static_cast<std::uint32_t>(lane) * 4;
    ASSERT_TRUE(machine.run("buffer_load_dwordx4", buffer_load()));
    for (int lane = 0; lane < 64; ++lane)
      for (int w = 0; w < 4; ++w) {
        const int at = lane * 4 + 4 * w;
        EXPECT_EQ(machine.wave.row(data_row + w)[lane], at + 4 <= 136 ? dword(memory.data() + at) : 0u) << lane << " " << w;
      }
    // Stores drop what is outside.
    fill_registers(machine.wave);
    std::memset(memory.data(), 0, 1024);
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = static_cast<std::uint32_t>(lane) * 16;
    ASSERT_TRUE(machine.run("buffer_store_dwordx4", buffer_store()));
    for (int at = 0; at < 1024; at += 4)
      EXPECT_EQ(dword(memory.data() + at), at < 136 ? machine.wave.row(data_row + at / 4 % 4)[at / 16] : 0u) << at;
    // A 2-byte access of the last element is inside; a 4-byte access there is not.
    Machine last(set);
    last.set_buffer(descriptor, memory.data(), 130);
    fill_registers(last.wave);
    std::memset(memory.data(), 0, 1024);
    for (int lane = 0; lane < 64; ++lane) last.wave.row(address_row)[lane] = 128;
    last.set_exec(1);
    ASSERT_TRUE(last.run("buffer_store_dword", buffer_store()));
    EXPECT_EQ(dword(memory.data() + 128), 0u);
    ASSERT_TRUE(last.run("buffer_store_short", buffer_store()));
    EXPECT_EQ(dword(memory.data() + 128), last.wave.row(data_row)[0] & 0xffffu);
    ASSERT_TRUE(last.run("buffer_load_dword", buffer_load()));
    EXPECT_EQ(last.wave.row(data_row)[0], 0u);
    ASSERT_TRUE(last.run("buffer_load_ushort", buffer_load()));
    EXPECT_EQ(last.wave.row(data_row)[0], half(memory.data() + 128));
  }
}

TEST(BufferMemory, SentinelOffsetsLoadZeroAndStoreNothing) {
  DeviceBytes memory(4096);
  for (const std::string& set : host_sets())
    for (const std::uint32_t sentinel : {0x7fffffffu, 0xffffffffu, 0x80000000u})
      for (const int immediate : {0, 16, 4095}) {
        fill_bytes(memory.data(), 4096);
        const std::vector<std::uint8_t> before(memory.data(), memory.data() + 4096);
        Machine machine(set);
        machine.set_buffer(descriptor, memory.data(), 4096);
        fill_registers(machine.wave);
        for (int lane = 0; lane < 64; ++lane)
          machine.wave.row(address_row)[lane] = lane % 3 == 0 || immediate > 4000 ? sentinel : static_cast<std::uint32_t>(lane) * 16;
        Instruction load = buffer_load(), store = buffer_store();
        load.offset = store.offset = immediate;
        ASSERT_TRUE(machine.run("buffer_load_dwordx4", load)) << machine.fault.message;
        for (int lane = 0; lane < 64; ++lane)
          for (int w = 0; w < 4; ++w) {
            const std::uint32_t at = machine.wave.row(address_row)[lane];
            EXPECT_EQ(machine.wave.row(data_row + w)[lane],
                      at == sentinel ? 0u : dword(memory.data() + at + static_cast<std::uint32_t>(immediate + 4 * w)));
          }
        for (int lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = sentinel;
        ASSERT_TRUE(machine.run("buffer_store_dwordx4", store));
        EXPECT_EQ(std::vector<std::uint8_t>(memory.data(), memory.data() + 4096), before);
        EXPECT_EQ(machine.counts.store_bytes, 0u);
      }
}

TEST(BufferMemory, ScalarOffsetShrinksTheRange) {
  DeviceBytes memory(1024);
  fill_bytes(memory.data(), 1024);
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    machine.set_buffer(descriptor, memory.data(), 512);
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = static_cast<std::uint32_t>(lane) * 4;
    machine.wave.scalar[soffset] = 400;
    ASSERT_TRUE(machine.run("buffer_load_dword", buffer_load()));
    for (int lane = 0; lane < 64; ++lane)
      EXPECT_EQ(machine.wave.row(data_row)[lane], lane * 4 + 404 <= 512 ? dword(memory.data() + lane * 4 + 400) : 0u);
    machine.wave.scalar[soffset] = 4000;
    ASSERT_TRUE(machine.run("buffer_load_dword", buffer_load()));
    for (int lane = 0; lane < 64; ++lane) EXPECT_EQ(machine.wave.row(data_row)[lane], 0u);
  }
}

TEST(BufferMemory, IndexedAccessCountsRecords) {
  DeviceBytes memory(1024);
  fill_bytes(memory.data(), 1024);
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    machine.set_buffer(descriptor, memory.data(), 40, 16);
    for (int lane = 0; lane < 64; ++lane) {
      machine.wave.row(address_row)[lane] = static_cast<std::uint32_t>(lane);
      machine.wave.row(address_row + 1)[lane] = 4;
    }
    ASSERT_TRUE(machine.run("buffer_load_dwordx2", buffer_load(flag_idxen | flag_offen))) << machine.fault.message;
    for (int lane = 0; lane < 64; ++lane)
      EXPECT_EQ(machine.wave.row(data_row + 1)[lane], lane < 40 ? dword(memory.data() + lane * 16 + 8) : 0u);
  }
}

TEST(BufferMemory, RangeBeyondTheAllocationIsAFault) {
  DeviceBytes memory(256);
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    machine.set_buffer(descriptor, memory.data(), 0x80000000u);
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = static_cast<std::uint32_t>(lane) * 4;
    EXPECT_TRUE(machine.run("buffer_load_dword", buffer_load())) << machine.fault.message;
    machine.wave.row(address_row)[9] = 256;
    EXPECT_FALSE(machine.run("buffer_load_dword", buffer_load()));
    EXPECT_NE(machine.fault.message.find("lane 9 loads 4 bytes"), std::string::npos) << machine.fault.message;
  }
}

TEST(BufferMemory, LoadsToLdsAreConsecutiveByLane) {
  DeviceBytes memory(4096);
  fill_bytes(memory.data(), 4096);
  for (const std::string& set : host_sets())
    for (const auto& [mnemonic, bytes] : {std::pair{"buffer_load_dword", 4}, std::pair{"buffer_load_dwordx4", 16},
                                          std::pair{"global_load_lds_dword", 4}, std::pair{"global_load_lds_dwordx4", 16}}) {
      const bool buffer = mnemonic[0] == 'b';
      Machine machine(set, "gfx950");
      machine.set_buffer(descriptor, memory.data(), 2048);
      machine.wave.scalar[scalar_m0] = 512;
      std::uint64_t addresses[64];
      for (unsigned lane = 0; lane < 64; ++lane) addresses[lane] = (buffer ? 0 : memory.address()) + (63 - lane) * 32;
      machine.set_addresses(address_row, addresses);
      Instruction load = buffer ? buffer_load(flag_offen | flag_lds) : global_load();
      load.dst = {};
      load.offset = 64;
      machine.set_exec(~std::uint64_t{2});
      std::memset(machine.lds(), 0x77, 4096);
      ASSERT_TRUE(machine.run(mnemonic, load)) << machine.fault.message;
      for (int lane = 0; lane < 64; ++lane)
        for (int byte = 0; byte < bytes; ++byte) {
          const int from = (63 - lane) * 32 + 64 + byte;
          const int expected = lane == 1 ? 0x77 : buffer && from >= 2048 ? 0 : memory.data()[from];
          ASSERT_EQ(machine.lds()[512 + 64 + lane * bytes + byte], expected) << mnemonic << " lane " << lane;
        }
    }
}

TEST(ScratchMemory, IsPrivateToTheLaneAndBounded) {
  for (const std::string& set : host_sets()) {
    Machine machine(set);
    machine.set_scratch(64);
    fill_registers(machine.wave);
    Instruction store;
    store.src[1] = vector_operand(data_row, 4);
    store.src[2] = scalar_operand(soffset);
    machine.wave.scalar[soffset] = 16;
    store.offset = 8;
    ASSERT_TRUE(machine.run("scratch_store_dwordx4", store)) << machine.fault.message;
    for (std::uint32_t lane = 0; lane < 64; ++lane)
      for (int w = 0; w < 4; ++w)
        ASSERT_EQ(dword(machine.wave.scratch + lane * 64 + 24 + static_cast<std::uint32_t>(4 * w)), machine.wave.row(data_row + w)[lane]);
    // The same bytes through the private segment's descriptor, whose soffset counts for the whole wave.
    machine.set_buffer(descriptor, nullptr, 0xffffffffu);
    machine.wave.scalar[descriptor + 3] |= 1u << 23;
    machine.wave.scalar[soffset] = 16 * 64;
    for (int lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = 4;
    Instruction load = buffer_load();
    load.dst = vector_operand(40, 4);
    load.offset = 4;
    ASSERT_TRUE(machine.run("buffer_load_dwordx4", load)) << machine.fault.message;
    for (int w = 0; w < 4; ++w)
      for (int lane = 0; lane < 64; ++lane) ASSERT_EQ(machine.wave.row(40 + w)[lane], machine.wave.row(data_row + w)[lane]);
    // And through a flat address in the private aperture.
    std::uint64_t addresses[64];
    for (std::uint64_t& address : addresses) address = std::uint64_t{machine.wave.scalar[scalar_private_base + 1]} << 32 | 24;
    machine.set_addresses(address_row, addresses);
    Instruction flat = global_load();
    flat.dst = vector_operand(50, 2);
    ASSERT_TRUE(machine.run("flat_load_dwordx2", flat)) << machine.fault.message;
    for (int lane = 0; lane < 64; ++lane) ASSERT_EQ(machine.wave.row(51)[lane], machine.wave.row(data_row + 1)[lane]);
    store.offset = 40;
    machine.wave.scalar[soffset] = 16;
    EXPECT_FALSE(machine.run("scratch_store_dwordx4", store));
    EXPECT_NE(machine.fault.message.find("scratch offset 56"), std::string::npos) << machine.fault.message;
  }
}

TEST(FlatMemory, ReachesLdsThroughItsAperture) {
  DeviceBytes memory(256);
  fill_bytes(memory.data(), 256);
  for (const std::string& set : host_sets()) {
    Machine machine(set, "gfx942", 1024);
    for (int i = 0; i < 1024; ++i) machine.lds()[i] = static_cast<std::uint8_t>(i * 5);
    std::uint64_t addresses[64];
    for (unsigned lane = 0; lane < 64; ++lane)
      addresses[lane] = lane % 2 ? memory.address() + lane : std::uint64_t{machine.wave.scalar[scalar_shared_base + 1]} << 32 | lane * 8;
    machine.set_addresses(address_row, addresses);
    ASSERT_TRUE(machine.run("flat_load_dword", global_load())) << machine.fault.message;
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(machine.wave.row(data_row)[lane], lane % 2 ? dword(memory.data() + lane) : dword(machine.lds() + lane * 8));
    machine.wave.row(address_row)[4] = 1022;
    EXPECT_FALSE(machine.run("flat_load_dword", global_load()));
    EXPECT_NE(machine.fault.message.find("lane 4 loads 4 bytes at LDS address 0x3fe"), std::string::npos) << machine.fault.message;
  }
}

TEST(GlobalMemory, CountsLinesOfObservedWorkgroups) {
  DeviceBytes memory(64 * 256);
  for (const std::string& set : host_sets())
    for (const auto& [stride, lines] : {std::pair{4u, 2u}, std::pair{0u, 1u}, std::pair{256u, 64u}, std::pair{16u, 8u}}) {
      Machine machine(set);
      machine.group().observe = true;
      machine.wave.set_scalar64(2, memory.address());
      for (unsigned lane = 0; lane < 64; ++lane) machine.wave.row(address_row)[lane] = lane * stride;
      ASSERT_TRUE(machine.run("global_load_dword", global_load(true)));
      EXPECT_EQ(machine.counts.load_lines, lines);
      ASSERT_TRUE(machine.run("global_store_dword", global_store(true)));
      EXPECT_EQ(machine.counts.store_lines, lines);
    }
}

}  // namespace
}  // namespace zellige::sim::test
